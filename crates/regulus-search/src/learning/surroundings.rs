//! Features of moves from the rules of any game (PPA section 3): what stood on the cells that a move changes, and
//! what stood on the neighbours of these cells in the graph of the board.
//!
//! A move changes the cells that differ between the position and the position after it, when the keeper has run: he
//! puts the stone of Atarigo, the second half of a domino, and takes what is captured. Where the rules tell which
//! cells these are ([`BoardChanges`]), features are sums of numbers that are kept up to date cell by cell; else the
//! move is made on a copy of the position, and the boards are compared ([`Engine::changed_cells`]).
//!
//! Pieces that no rule tells apart are the same: the cells next to a domino are empty or occupied, as PPA has it.

use regulus_game::{BoardChanges, BoardView, Ending, Engine, Group, MoveGroups, Step};

use crate::config::Features;

/// What stands where, and what moves change.
pub(crate) struct Surroundings {
    changes: BoardChanges,
    looked: Looked,
    /// What was seen at the root: every iteration begins there.
    root: Option<Looked>,
    /// For every vertex the cells whose features depend on what stands on it, each with its side as seen from the
    /// cell (0 is the cell itself, labels follow), one after the other; where those of a vertex begin.
    dependent: Vec<(u16, u16)>,
    dependent_from: Vec<u32>,
    /// A random number for every side and what can stand there.
    parts: Vec<u64>,
    /// How many things can stand on a side.
    kinds: usize,
    /// What the endings of moves change, for the legend of the groups that they are from.
    endings: Vec<EndingPlaces>,
    legend: u64,
    /// What beginnings of moves change.
    beginnings: Vec<Beginning>,
    /// The set of cells with new features.
    touched: Vec<u64>,
    scratch: Scratch,
}

/// What was seen of a position.
#[derive(Clone, Default)]
struct Looked {
    view: BoardView,
    /// For every cell the sum of its parts.
    sums: Vec<u64>,
    /// The features of cells, for each of them one after the other those for every piece that may be put there: 0
    /// for the piece that stands there already, which is no change.
    cells: Vec<u64>,
}

impl Looked {
    /// The sum of a cell, or what stands there, is new.
    #[inline]
    fn refresh(&mut self, cell: usize, pieces: usize) {
        let own = &mut self.cells[cell * pieces..][..pieces];
        own.fill(finished(self.sums[cell]));
        own[usize::from(self.view.contents[cell])] = 0;
    }
}

/// Memory for looking at a move step by step.
#[derive(Default)]
struct Scratch {
    /// What is put where, each cell once.
    puts: Vec<(u16, u8)>,
    steps: Vec<Step>,
    changed: Vec<u16>,
}

/// An ending of moves, and what it changes at every position.
struct EndingPlaces {
    ending: Ending,
    places: Vec<EndingPlace>,
}

/// What an ending of moves changes at a position, the keeper included.
#[derive(Clone, Copy)]
struct EndingPlace {
    /// The bits of the cells and [`EVERY`], or all.
    mask: u64,
    /// Two places in [`Surroundings::cells`], the first place of all if there are fewer.
    cells: [u32; 2],
}

/// What a beginning of moves changes.
#[derive(Clone, Copy)]
struct Beginning {
    /// The bits of the cells and [`HARD`], or all.
    mask: u64,
    features: u64,
}

/// The bit of an ending that has to be looked at step by step, and one that all endings have.
const HARD: u64 = 1 << 63;
const EVERY: u64 = 1 << 62;

/// The bit of a cell. If a beginning and an ending share a bit, the move is looked at step by step: it may change a
/// cell twice.
#[inline]
fn bit(vertex: u16) -> u64 {
    1 << (vertex % 62)
}

impl Surroundings {
    pub(crate) fn new<E: Engine>(engine: &E, features: Features) -> Self {
        let (vertices, changes) = (engine.vertices(), engine.board_changes());
        let sides = if features == Features::Neighbours { engine.labels() + 1 } else { 1 };
        let kinds = changes.classes.len() + 1;
        let random = |number: usize| finished(number as u64 + 1);
        let parts: Vec<u64> = (0..sides * kinds).map(random).collect();
        let mut depend = vec![Vec::new(); vertices + 1];
        let mut sums = vec![0u64; vertices + 1];
        // Nothing was looked at yet: the first piece is everywhere.
        let first = changes.classes.first().map_or(0, |class| usize::from(*class));
        for vertex in 1..=vertices as u16 {
            let mut sum = random(sides * kinds + usize::from(vertex));
            for side in 0..sides {
                let to = if side == 0 { vertex } else { engine.next(vertex, side - 1) };
                // Off the board is like no piece.
                let kind = if to == 0 { kinds - 1 } else { first };
                sum = sum.wrapping_add(parts[side * kinds + kind]);
                if to != 0 {
                    depend[usize::from(to)].push((vertex, side as u16));
                }
            }
            sums[usize::from(vertex)] = sum;
        }
        let from = depend.iter().scan(0, |from, cells| {
            *from += cells.len() as u32;
            Some(*from)
        });
        let pieces = changes.classes.len();
        let view = BoardView { contents: vec![0; vertices + 1], ..BoardView::default() };
        let mut looked = Looked { view, sums, cells: vec![0; pieces * (vertices + 1)] };
        (1..=vertices).for_each(|cell| looked.refresh(cell, pieces));
        Surroundings {
            looked,
            root: None,
            dependent_from: std::iter::once(0).chain(from).collect(),
            dependent: depend.concat(),
            changes,
            parts,
            kinds,
            endings: Vec::new(),
            legend: 0,
            beginnings: Vec::new(),
            touched: vec![0; vertices / 64 + 1],
            scratch: Scratch::default(),
        }
    }

    /// What was looked at is the root.
    pub(crate) fn keep_root(&mut self) {
        self.root.get_or_insert_default().clone_from(&self.looked);
    }

    /// There is another root.
    pub(crate) fn forget_root(&mut self) {
        self.root = None;
    }

    /// Back to the root: from the end of a game that is nearer than by looking.
    pub(crate) fn go_to_root(&mut self) {
        if let Some(root) = &self.root {
            self.looked.view.contents.clone_from(&root.view.contents);
            self.looked.view.words.clone_from(&root.view.words);
            self.looked.sums.clone_from(&root.sums);
            self.looked.cells.clone_from(&root.cells);
        }
    }

    /// Looks at a position: most of it is as it was in the position before.
    pub(crate) fn look<E: Engine>(&mut self, engine: &E, state: &E::State) {
        let Looked { view, sums, .. } = &mut self.looked;
        engine.look(state, view);
        let classes = &*self.changes.classes;
        for (vertex, before) in &view.changed {
            let at = usize::from(*vertex);
            let old = usize::from(classes[usize::from(*before)]);
            let now = usize::from(classes[usize::from(view.contents[at])]);
            self.touched[at / 64] |= 1 << (at % 64);
            if old == now {
                continue;
            }
            let range = self.dependent_from[at] as usize..self.dependent_from[at + 1] as usize;
            for (cell, side) in &self.dependent[range] {
                let (cell, side) = (usize::from(*cell), usize::from(*side) * self.kinds);
                let more = self.parts[side + now].wrapping_sub(self.parts[side + old]);
                sums[cell] = sums[cell].wrapping_add(more);
                self.touched[cell / 64] |= 1 << (cell % 64);
            }
        }
        for (word, touched) in self.touched.iter_mut().enumerate() {
            let mut rest = std::mem::take(touched);
            while rest != 0 {
                let cell = word * 64 + rest.trailing_zeros() as usize;
                self.looked.refresh(cell, classes.len());
                rest &= rest - 1;
            }
        }
    }

    /// Where the features of a cell are on which a piece is put.
    #[inline]
    fn place(&self, (vertex, piece): (u16, u8)) -> usize {
        usize::from(vertex) * self.changes.classes.len() + usize::from(piece)
    }

    /// Prepares for the moves of some groups.
    pub(crate) fn prepare(&mut self, groups: &MoveGroups) {
        self.prepare_endings(groups);
        self.beginnings.clear();
        self.beginnings.push(Beginning { mask: HARD, features: 0 });
        for i in 1..groups.beginning_count() {
            let Some((before, step)) = groups.beginning(i) else { continue };
            let mut beginning = self.beginnings[before];
            if let Some(piece) = self.changes.piece_put(step.action) {
                let own = self.looked.cells[self.place((step.vertex, piece))];
                // If a cell comes twice, every ending is looked at step by step.
                let twice = beginning.mask & bit(step.vertex) != 0;
                beginning.mask = if twice { u64::MAX } else { beginning.mask | bit(step.vertex) };
                beginning.features = beginning.features.wrapping_add(own);
            }
            self.beginnings.push(beginning);
        }
    }

    /// Finds out what endings change that were not there before.
    fn prepare_endings(&mut self, groups: &MoveGroups) {
        let known = self.endings.len();
        // Without a legend of its own, whoever wrote the groups may have changed endings.
        let same = |(known, now): (&EndingPlaces, &Ending)| known.ending == *now;
        let is_same = || self.endings.iter().zip(&groups.endings).all(same);
        let positions = self.endings.first().map_or(0, |ending| ending.places.len());
        let fits = positions >= groups.vertices.len() && known <= groups.endings.len();
        if self.legend != groups.legend || !fits || (groups.legend == 0 && !is_same()) {
            self.endings.clear();
            self.legend = groups.legend;
        }
        for ending in &groups.endings[self.endings.len()..] {
            let places = (0..groups.vertices.len())
                .map(|position| self.ending_place(groups, ending, position))
                .collect();
            self.endings.push(EndingPlaces { ending: ending.clone(), places });
        }
    }

    fn ending_place(&self, groups: &MoveGroups, ending: &Ending, position: usize) -> EndingPlace {
        let none = EndingPlace { mask: EVERY, cells: [0, 0] };
        let hard = EndingPlace { mask: u64::MAX, ..none };
        let vertex = groups.vertices[position];
        let mut steps = Vec::new();
        if let Some((action, _)) = ending.lead {
            match groups.vertices.get(ending.lead_position(position)) {
                Some(vertex) => steps.push(Step { action, vertex: *vertex }),
                None => return hard,
            }
        }
        steps.extend(ending.actions.iter().map(|action| Step { action: *action, vertex }));
        let mut puts = Vec::new();
        if vertex == 0 || !find_puts(&self.changes, &steps, &mut puts) || puts.len() > 2 {
            return hard;
        }
        puts.iter().enumerate().fold(none, |mut place, (i, put)| {
            place.mask |= bit(put.0);
            place.cells[i] = self.place(*put) as u32;
            place
        })
    }

    /// The features of a list of steps: those of all cells that differ behind it.
    pub(crate) fn of_steps<E: Engine>(
        &mut self,
        engine: &mut E,
        state: &E::State,
        steps: &[Step],
    ) -> u64 {
        let mut scratch = std::mem::take(&mut self.scratch);
        let features = self.looked_up(engine, state, steps, &mut scratch);
        self.scratch = scratch;
        features
    }

    fn looked_up<E: Engine>(
        &self,
        engine: &mut E,
        state: &E::State,
        steps: &[Step],
        Scratch { puts, changed, .. }: &mut Scratch,
    ) -> u64 {
        if find_puts(&self.changes, steps, puts) {
            let cell = |put: &(u16, u8)| self.looked.cells[self.place(*put)];
            return puts.iter().map(cell).fold(0, u64::wrapping_add);
        }
        engine.changed_cells(state, steps, changed);
        let cell = |vertex: &u16| finished(self.looked.sums[usize::from(*vertex)]);
        changed.iter().map(cell).fold(0, u64::wrapping_add)
    }

    /// Hands over the moves of a group by their positions, with their features.
    #[inline(always)]
    pub(crate) fn of_group<E: Engine>(
        &mut self,
        engine: &mut E,
        state: &E::State,
        groups: &MoveGroups,
        group: Group<'_>,
        mut each: impl FnMut(usize, u64),
    ) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let beginning = self.beginnings[group.beginning];
        let (places, cells) = (&*self.endings[group.ending].places, &*self.looked.cells);
        group.for_each(|position| {
            let place = places[position];
            if place.mask & beginning.mask != 0 {
                let mut steps = std::mem::take(&mut scratch.steps);
                steps.clear();
                groups.push_group_steps(group, position, &mut steps);
                each(position, self.looked_up(engine, state, &steps, &mut scratch));
                scratch.steps = steps;
                return;
            }
            let [first, second] = place.cells.map(|cell| cells[cell as usize]);
            each(position, beginning.features.wrapping_add(first).wrapping_add(second));
        });
        self.scratch = scratch;
    }
}

/// Finds out what steps, and the keeper behind them, put where: each cell once. False if the rules do not tell.
fn find_puts(changes: &BoardChanges, steps: &[Step], puts: &mut Vec<(u16, u8)>) -> bool {
    puts.clear();
    let mut put = |vertex: u16, piece: u8| match puts.iter_mut().find(|put| put.0 == vertex) {
        Some(put) => put.1 = piece,
        None => puts.push((vertex, piece)),
    };
    for step in steps {
        if let Some(piece) = changes.piece_put(step.action) {
            put(step.vertex, piece);
        }
        let Some(behind) = changes.behind(step.action, step.vertex) else { return false };
        behind.iter().for_each(|(vertex, piece)| put(*vertex, *piece));
    }
    true
}

/// Numbers that look random. What is added up must not be linear in what it was made of: two changes could cancel.
#[inline]
fn finished(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}
