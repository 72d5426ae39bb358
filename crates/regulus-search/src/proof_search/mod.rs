//! Proof search: small games and long endgames are solved from the root, a few states in every iteration.
//!
//! It answers questions with yes or no: can this player have at least this score, whatever the other does? One after
//! the other they give the score of the position (`ends.rs`). Depth first, moves in order of what they seem to be
//! worth (`values.rs`), with a table of answers (`table.rs`). The way that is being searched is kept from iteration to
//! iteration, so that nothing is done twice. Best-first orders (df-pn, A. Nagai 2002, with proof numbers from
//! mobility) needed twice as many states in Breakthrough: positions that many ways lead to are counted once for each
//! of them.
//!
//! An answer never rests on a repetition: where a way comes back to a position on it nothing is known, and what
//! depends on that is not known either. `tree.rs` brings answers into the tree.

mod ends;
mod table;
mod tree;
mod values;

pub(crate) use tree::ProofSearch;

use regulus_game::{Engine, Moves, Step};
use rustc_hash::FxHashMap;

use crate::outcomes::Outcomes;
use crate::tree::Bound;
use ends::{Both, Ends, Question};
use table::Table;
use values::Values;

/// The part of all memory that answers may take.
const SHARE: usize = 2;

/// The longest way that is searched, in moves.
const MAX_DEPTH: usize = 2000;

/// A move that has to be searched.
#[derive(Clone, Copy)]
struct Child {
    /// What it seems to be worth for the player who makes it.
    value: f32,
    /// Its number among the moves, and the place of the state behind it.
    number: u32,
    key: u64,
    /// What the table says.
    answer: Option<bool>,
}

/// A position on the way that is being searched.
struct Level<S> {
    state: S,
    key: u64,
    /// Whether the answer yes is good for who is to move: the question is about him.
    wants: bool,
    /// What is left to search is behind `next`.
    children: Vec<Child>,
    next: usize,
    /// States behind moves.
    behind: Vec<S>,
    /// The move that ended the game here last. It often does so after a sister move too (killer heuristic), and then
    /// the others need not be made.
    killer: Vec<Step>,
    /// Nothing is known behind some move.
    unknown: bool,
    /// States that were tried before.
    begun: u64,
}

impl<S> Level<S> {
    fn new(state: S) -> Self {
        Level {
            state,
            key: 0,
            wants: false,
            children: Vec::new(),
            next: 0,
            behind: Vec::new(),
            killer: Vec::new(),
            unknown: false,
            begun: 0,
        }
    }
}

/// How far the search of a position is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// A question is to be asked.
    Asking,
    /// The way leads to the position whose answer is looked for.
    Searching,
    /// All is answered, or cannot be.
    Done,
}

/// A proof search.
pub(crate) struct Prover<E: Engine> {
    levels: Vec<Level<E::State>>,
    /// How many of the levels are in use.
    depth: usize,
    moves: Moves,
    table: Table,
    values: Values,
    ends: Ends,
    stage: Stage,
    question: Question,
    /// All questions about the position so far.
    asked: Vec<Question>,
    /// Who is to move there, counted from 0.
    mover: usize,
    /// What is known about the scores there.
    bounds: Both<Bound>,
    /// The same behind moves from there, by key of the position.
    answers: FxHashMap<u64, Both<Bound>>,
    /// The number of the move that makes sure of the lower bound of who is to move.
    best: Option<u32>,
    /// The same for the question at hand, if a move has decided it.
    decisive: Option<u32>,
    players: usize,
    /// States that were tried.
    states: u64,
}

impl<E: Engine> Prover<E> {
    /// For a game with these outcomes, in a search that has `memory` bytes.
    pub(crate) fn new(engine: &E, memory: usize, outcomes: Outcomes) -> Self {
        let most: Vec<u32> = (1..=engine.players()).map(|p| engine.score_bound(p)).collect();
        let ends = Ends::new(&most, outcomes);
        Prover {
            levels: Vec::new(),
            depth: 0,
            moves: Moves::new(),
            table: Table::new(memory / SHARE),
            values: Values::new(engine),
            stage: Stage::Asking,
            question: Question { who: 0, score: 0 },
            asked: Vec::new(),
            mover: 0,
            bounds: ends.nothing_known(),
            answers: FxHashMap::default(),
            best: None,
            decisive: None,
            players: most.len(),
            states: 0,
            ends,
        }
    }

    /// How many bytes answers and weights take.
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes() + self.values.bytes()
    }

    /// The position is another one. What is known stays.
    pub(crate) fn begin(&mut self) {
        self.stage = Stage::Asking;
        self.depth = 0;
        self.asked.clear();
        self.bounds = self.ends.nothing_known();
        self.answers.clear();
        self.best = None;
    }

    /// Goes on with `states` states, and those behind the moves of one more position; gives how many it took.
    fn go_on(&mut self, engine: &mut E, position: &E::State, states: u64) -> Result<u64, E::Error> {
        let before = self.states;
        while self.states - before < states && self.stage != Stage::Done {
            if self.stage == Stage::Asking {
                self.ask(engine, position)?;
                continue;
            }
            let level = &mut self.levels[self.depth - 1];
            let Some(child) = level.children.get(level.next).copied() else {
                let answer = (!level.unknown).then_some(!level.wants);
                self.leave(engine, answer);
                continue;
            };
            level.next += 1;
            // It may have been answered on the way to another.
            match self.table.answer(child.key) {
                Some(answer) => self.take(engine, child, Some(answer)),
                None => self.enter(engine, None, child)?,
            }
        }
        Ok(self.states - before)
    }

    /// Begins with the next question about the position, if there is one.
    fn ask(&mut self, engine: &mut E, position: &E::State) -> Result<(), E::Error> {
        self.mover = engine.player(position).saturating_sub(1);
        let Some(question) = self.ends.question(self.bounds, &self.asked, self.mover) else {
            self.stage = Stage::Done;
            return Ok(());
        };
        self.question = question;
        self.asked.push(question);
        self.decisive = None;
        self.stage = Stage::Searching;
        let key = self.key(engine, position);
        self.enter(engine, Some(position), Child { value: 0.0, number: 0, key, answer: None })
    }

    /// The key of a position and what is asked.
    fn key(&self, engine: &E, state: &E::State) -> u64 {
        engine.position_key(state) ^ self.question.number().wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Goes on with a position: the one that is given, or that behind a move of the last level.
    fn enter(
        &mut self,
        engine: &mut E,
        position: Option<&E::State>,
        from: Child,
    ) -> Result<(), E::Error> {
        let (depth, above) = (self.depth, self.depth.saturating_sub(1));
        if depth >= MAX_DEPTH {
            self.take(engine, from, None);
            return Ok(());
        }
        let (before, rest) = self.levels.split_at_mut(depth);
        let of_move = before.get(above).map(|level| &level.behind[from.number as usize]);
        let Some(state) = position.or(of_move) else { return Ok(()) };
        match rest.first_mut() {
            Some(level) => level.state.clone_from(state),
            None => {
                let level = Level::new(state.clone());
                self.levels.push(level);
            }
        }
        self.depth += 1;
        let level = &mut self.levels[depth];
        level.key = from.key;
        level.wants = engine.player(&level.state) == self.question.who + 1;
        level.children.clear();
        level.next = 0;
        level.unknown = false;
        level.begun = self.states;
        // Most states are left again without a key.
        engine.forget_hash(&mut level.state);
        engine.list(&mut level.state, &mut self.moves)?;
        if self.moves.is_empty() {
            let answer = self.end(engine, None);
            self.leave(engine, Some(answer));
            return Ok(());
        }
        if let Some(best) = self.make_moves(engine)? {
            let answer = self.levels[depth].wants;
            self.decide(best);
            self.leave(engine, Some(answer));
            return Ok(());
        }
        self.sort_moves(engine);
        Ok(())
    }

    /// Makes all moves of the last level; gives one that ends the game as its player wants.
    fn make_moves(&mut self, engine: &mut E) -> Result<Option<u32>, E::Error> {
        let depth = self.depth - 1;
        let count = self.moves.len();
        let level = &mut self.levels[depth];
        while level.behind.len() < count {
            level.behind.push(level.state.clone());
        }
        let killer = self.moves.iter().position(|steps| steps == level.killer);
        let others = (0..count).filter(|number| Some(*number) != killer);
        for number in killer.into_iter().chain(others) {
            self.states += 1;
            let level = &mut self.levels[depth];
            let behind = &mut level.behind[number];
            behind.clone_from(&level.state);
            engine.apply(behind, self.moves.get(number));
            if engine.run_keeper(behind)? {
                level.children.push(Child {
                    value: 0.0,
                    number: number as u32,
                    key: 0,
                    answer: None,
                });
            } else if self.end(engine, Some(number)) == self.levels[depth].wants {
                let level = &mut self.levels[depth];
                level.killer.clear();
                level.killer.extend_from_slice(self.moves.get(number));
                return Ok(Some(number as u32));
            }
        }
        Ok(None)
    }

    /// The game is over in the last level, or behind a move from there: whether the answer is yes.
    fn end(&mut self, engine: &E, number: Option<usize>) -> bool {
        let level = &self.levels[self.depth - 1];
        let state = number.map_or(&level.state, |number| &level.behind[number]);
        let second = if self.players > 1 { engine.score(state, 2) } else { 0 };
        let end = [engine.score(state, 1), second];
        if !self.ends.see(end) {
            self.stage = Stage::Done;
        }
        end[self.question.who] >= self.question.score
    }

    /// Puts the moves of the last level in order, but for those whose answer is known.
    fn sort_moves(&mut self, engine: &mut E) {
        let depth = self.depth - 1;
        let mut children = std::mem::take(&mut self.levels[depth].children);
        let (mut kept, wants) = (0, self.levels[depth].wants);
        let about_first = self.question.who == 0;
        for child in &mut children {
            child.key = self.key(engine, &self.levels[depth].behind[child.number as usize]);
        }
        // One after the other, so that the processor can wait for several places of the table at once.
        for child in &mut children {
            child.answer = self.table.answer(child.key);
        }
        for i in 0..children.len() {
            let mut child = children[i];
            match child.answer {
                Some(answer) if answer == wants => {
                    // The only one that counts.
                    children.clear();
                    children.push(child);
                    kept = 1;
                    break;
                }
                // Behind the root all answers are noted.
                Some(_) if depth > 0 => continue,
                _ => {}
            }
            if self.levels[..self.depth].iter().any(|level| level.key == child.key) {
                self.levels[depth].unknown = true;
                continue;
            }
            let value =
                self.values.value(engine, &self.levels[depth].behind[child.number as usize]);
            // Values are those of the first player.
            child.value = if wants == about_first { value } else { -value };
            children[kept] = child;
            kept += 1;
        }
        children.truncate(kept);
        children.sort_by(|a, b| b.value.total_cmp(&a.value));
        self.levels[depth].children = children;
    }

    /// The answer for the last level is found, or that there is none.
    fn leave(&mut self, engine: &E, answer: Option<bool>) {
        self.depth -= 1;
        let level = &self.levels[self.depth];
        if let Some(answer) = answer {
            self.table.keep(level.key, answer, self.states - level.begun);
            // Where a move ends the game there is nothing to put in order.
            if level.next > 0 {
                self.values.learn(engine, &level.state, answer == (self.question.who == 0));
            }
        }
        if self.depth > 0 {
            let above = &self.levels[self.depth - 1];
            if let Some(child) = above.children.get(above.next.wrapping_sub(1)).copied() {
                self.take(engine, child, answer);
            }
            return;
        }
        let Some(answer) = answer else {
            self.stage = Stage::Done;
            return;
        };
        let before = self.bounds[self.mover].low;
        let found = self.ends.bounds(self.question, answer);
        self.bounds = self.ends.within(and(self.bounds, found));
        if self.bounds[self.mover].low > before {
            self.best = self.decisive.or(self.best);
        }
        if self.stage == Stage::Searching {
            self.stage = Stage::Asking;
        }
    }

    /// What came of a move of the last level.
    fn take(&mut self, engine: &E, child: Child, answer: Option<bool>) {
        let level = &mut self.levels[self.depth - 1];
        let wants = level.wants;
        level.unknown |= answer.is_none();
        let Some(answer) = answer else { return };
        if self.depth == 1 {
            let found = self.ends.bounds(self.question, answer);
            let position = engine.position_key(&self.levels[0].behind[child.number as usize]);
            let known = self.answers.entry(position).or_insert(found);
            *known = self.ends.within(and(*known, found));
        }
        if answer == wants {
            self.decide(child.number);
            self.leave(engine, Some(answer));
        }
    }

    /// A move of the last level decides the question.
    fn decide(&mut self, number: u32) {
        if self.depth == 1 {
            self.decisive = Some(number);
        }
    }

    /// The number of the best move, if the score of who is to move is known and not the lowest there is.
    fn proven(&self) -> Option<u32> {
        self.best.filter(|_| self.bounds[self.mover].is_exact())
    }

    /// The bounds of all players in a position, if something is known.
    fn known(&self, engine: &E, state: &E::State) -> Option<Vec<Bound>> {
        let answer = self.table.answer(self.key(engine, state));
        let by_table = answer.map(|answer| self.ends.bounds(self.question, answer));
        let by_root = self.answers.get(&engine.position_key(state)).copied();
        let known = match (by_table, by_root) {
            (Some(one), Some(other)) => self.ends.within(and(one, other)),
            (one, other) => one.or(other)?,
        };
        Some(known[..self.players].to_vec())
    }
}

/// What bounds say together.
fn and(one: Both<Bound>, other: Both<Bound>) -> Both<Bound> {
    [one[0].and(other[0]), one[1].and(other[1])]
}
