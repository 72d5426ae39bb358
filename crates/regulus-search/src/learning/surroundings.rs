//! Features of moves from the rules of any game (PPA section 3): what stood on the cells that a move changes, and
//! what stood on the neighbours of these cells in the graph of the board.

use regulus_game::{Engine, Group, MoveGroups, Step};

use crate::config::Features;

/// What stands where, as far as it was asked for.
pub(crate) struct Surroundings {
    features: Features,
    /// Where the edges of every vertex lead, in the order of their labels.
    next: Vec<u16>,
    labels: usize,
    contents: Vec<u8>,
    /// What stood there when it was looked at before.
    before: Vec<u8>,
    /// The features of cells; nothing if something has changed there.
    cells: Vec<Option<u64>>,
    /// For every vertex the cells whose features depend on what stands on it, one after the other; where those of
    /// a vertex begin.
    dependent: Vec<u16>,
    dependent_from: Vec<u32>,
    /// Whether actions put pieces, by their numbers.
    puts: Vec<Option<bool>>,
    /// The features of the cells that beginnings of groups change.
    beginnings: Vec<u64>,
}

impl Surroundings {
    pub(crate) fn new<E: Engine>(engine: &E, features: Features) -> Self {
        let (labels, vertices) = (engine.labels(), engine.vertices());
        let edges = |vertex| (0..labels).map(move |label| engine.next(vertex, label));
        let next: Vec<u16> = (0..=vertices as u16)
            .flat_map(|vertex| edges(vertex).map(move |to| if vertex == 0 { 0 } else { to }))
            .collect();
        let mut depend = vec![Vec::new(); vertices + 1];
        for vertex in 1..=vertices {
            depend[vertex].push(vertex as u16);
            if features == Features::Neighbours {
                for to in &next[vertex * labels..][..labels] {
                    let cells: &mut Vec<u16> = &mut depend[usize::from(*to)];
                    if !cells.contains(&(vertex as u16)) {
                        cells.push(vertex as u16);
                    }
                }
            }
        }
        let from = depend.iter().scan(0, |from, cells| {
            *from += cells.len() as u32;
            Some(*from)
        });
        Surroundings {
            features,
            labels,
            contents: Vec::new(),
            before: Vec::new(),
            cells: vec![None; vertices + 1],
            dependent_from: std::iter::once(0).chain(from).collect(),
            dependent: depend.concat(),
            next,
            puts: Vec::new(),
            beginnings: Vec::new(),
        }
    }

    /// Looks at a position: most of it is as it was in the position before.
    pub(crate) fn look<E: Engine>(&mut self, engine: &E, state: &E::State) {
        std::mem::swap(&mut self.contents, &mut self.before);
        engine.pieces(state, &mut self.contents);
        if self.before.len() != self.contents.len() {
            self.cells.fill(None);
            return;
        }
        const BLOCK: usize = 8;
        let blocks = self.contents.chunks(BLOCK).zip(self.before.chunks(BLOCK));
        for (i, (now, before)) in blocks.enumerate().filter(|(_, (now, before))| now != before) {
            let differs = |j: &usize| now[*j] != before[*j];
            for vertex in (0..now.len()).filter(differs).map(|j| i * BLOCK + j) {
                let from = self.dependent_from[vertex] as usize;
                let to = self.dependent_from[vertex + 1] as usize;
                for cell in &self.dependent[from..to] {
                    self.cells[usize::from(*cell)] = None;
                }
            }
        }
    }

    /// Prepares for the moves of some groups.
    pub(crate) fn prepare<E: Engine>(&mut self, engine: &E, groups: &MoveGroups) {
        self.beginnings.clear();
        self.beginnings.push(0);
        for i in 1..groups.beginning_count() {
            if let Some((before, step)) = groups.beginning(i) {
                let own = self.of_step(engine, step);
                self.beginnings.push(self.beginnings[before].wrapping_add(own));
            }
        }
    }

    fn puts<E: Engine>(&mut self, engine: &E, action: i32) -> bool {
        let Ok(number) = usize::try_from(action) else { return false };
        if self.puts.len() <= number {
            self.puts.resize(number + 1, None);
        }
        *self.puts[number].get_or_insert_with(|| engine.puts_piece(action))
    }

    /// The features of the cell that a step changes; 0 if it changes none.
    pub(crate) fn of_step<E: Engine>(&mut self, engine: &E, step: Step) -> u64 {
        if self.puts(engine, step.action) { self.of_cell(step.vertex) } else { 0 }
    }

    /// The features of a move of a group: those of all cells it changes.
    pub(crate) fn of_move<E: Engine>(
        &mut self,
        engine: &E,
        groups: &MoveGroups,
        group: Group<'_>,
        position: usize,
    ) -> u64 {
        let ending = &groups.endings[group.ending];
        let mut sum = self.beginnings[group.beginning];
        if let Some((action, _)) = ending.lead
            && self.puts(engine, action)
        {
            let cell = self.of_cell(groups.vertices[ending.lead_position(position)]);
            sum = sum.wrapping_add(cell);
        }
        for action in &ending.actions {
            if self.puts(engine, *action) {
                sum = sum.wrapping_add(self.of_cell(groups.vertices[position]));
            }
        }
        sum
    }

    /// The features of a list of steps.
    pub(crate) fn of_steps<E: Engine>(&mut self, engine: &E, steps: &[Step]) -> u64 {
        steps.iter().fold(0u64, |sum, step| sum.wrapping_add(self.of_step(engine, *step)))
    }

    #[inline]
    fn of_cell(&mut self, vertex: u16) -> u64 {
        let cell = usize::from(vertex);
        if let Some(known) = self.cells[cell] {
            return known;
        }
        let mut hash = mixed(mixed(0, u64::from(vertex)), u64::from(self.contents[cell]));
        if self.features == Features::Neighbours {
            for to in &self.next[cell * self.labels..][..self.labels] {
                // Off the board is like no piece.
                let there = if *to == 0 { 256 } else { u64::from(self.contents[usize::from(*to)]) };
                hash = mixed(hash, there);
            }
        }
        *self.cells[cell].insert(finished(hash))
    }
}

#[inline]
fn mixed(hash: u64, more: u64) -> u64 {
    let product = (hash ^ (more + 1)).wrapping_mul(0x9fb2_1c65_1e98_df25);
    product ^ (product >> 32)
}

/// What is added up must not be linear in what it was made of: two changes could cancel.
#[inline]
fn finished(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}
