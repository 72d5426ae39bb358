//! The legal moves as the language defines them, found in the plainest way and with a budget: a third
//! opinion beside the two engines, and a way to know in advance that a position is not too much for them.
//! Work is counted in steps, so that what is compared does not depend on the machine.

use std::collections::HashSet;

use regulus_game::Step;
use regulus_rbg::Vertex;
use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Label, Piece, Variable};
use regulus_reasoner::error::MAX_WALK_MODIFIERS;
use regulus_reasoner::{Action, Edge, Program, ProgramNodeId, State};

/// Steps that may still be made.
#[derive(Clone, Copy, Debug)]
pub struct Budget(u64);

impl Budget {
    pub fn new(steps: u64) -> Budget {
        Budget(steps)
    }

    /// What is left of it.
    pub fn left(self) -> u64 {
        self.0
    }

    pub fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        self.0 = self.0.checked_sub(steps).ok_or(Stopped::Budget)?;
        Ok(())
    }
}

/// Why moves were not found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// There is too much to do.
    Budget,
    /// A walk has more modifiers than engines allow.
    Length,
}

/// Board and variables.
struct Position {
    pieces: Vec<u8>,
    counts: Vec<i64>,
    variables: Vec<i64>,
}

/// What takes a modifier back.
enum Change {
    Piece(u16, u8),
    Variable(u16, i64),
}

impl Position {
    fn new(program: &Program, state: &State) -> Position {
        let game = &program.game;
        let pieces = game.board.vertices().map(|v| state.piece(v).0);
        let counts = 0..game.declarations.pieces().len();
        let variables = 0..game.declarations.variables().len();
        Position {
            pieces: std::iter::once(0).chain(pieces).collect(),
            counts: counts.map(|p| i64::from(state.count(Piece(p as u8)))).collect(),
            variables: variables.map(|v| i64::from(state.variable(Variable(v as u16)))).collect(),
        }
    }

    fn value(&self, arithmetic: &Arithmetic) -> Option<i64> {
        let variable = |v: Variable| self.variables[usize::from(v.0)];
        arithmetic.evaluate(&variable, &|p: Piece| self.counts[usize::from(p.0)])
    }

    fn put(&mut self, vertex: u16, piece: u8) -> Change {
        let old = std::mem::replace(&mut self.pieces[usize::from(vertex)], piece);
        self.counts[usize::from(old)] -= 1;
        self.counts[usize::from(piece)] += 1;
        Change::Piece(vertex, old)
    }

    /// Makes a modifier; nothing if that is impossible.
    fn make(&mut self, program: &Program, action: &Action, vertex: u16) -> Option<Change> {
        match action {
            Action::Off(piece) => Some(self.put(vertex, *piece)),
            Action::Assign(variable, value) => {
                let bound = program.game.declarations.bound(Variable(*variable));
                let value = self.value(value).filter(|v| (0..=i64::from(bound)).contains(v))?;
                let place = &mut self.variables[usize::from(*variable)];
                Some(Change::Variable(*variable, std::mem::replace(place, value)))
            }
            _ => None,
        }
    }

    fn take_back(&mut self, change: Change) {
        match change {
            Change::Piece(vertex, piece) => drop(self.put(vertex, piece)),
            Change::Variable(variable, old) => self.variables[usize::from(variable)] = old,
        }
    }
}

/// A walk up to a modifier, and what can come next.
struct Frame<'p> {
    next: Vec<(&'p Edge, u16)>,
    change: Option<Change>,
}

/// All legal moves, in some order.
pub fn moves(
    program: &Program,
    state: &State,
    budget: &mut Budget,
) -> Result<Vec<Vec<Step>>, Stopped> {
    budget.spend(program.game.board.len() as u64)?;
    let mut walks = Walks { program, position: Position::new(program, state), budget };
    let mut found = Vec::new();
    walks.search((state.position(), state.vertex().0), None, &mut found)?;
    Ok(found)
}

struct Walks<'p, 'b> {
    program: &'p Program,
    position: Position,
    budget: &'b mut Budget,
}

impl<'p> Walks<'p, '_> {
    /// Looks for walks from a state and vertex: to a switch, or to the end of a condition, of which one is
    /// enough. True if the end of the condition was reached.
    fn search(
        &mut self,
        from: (ProgramNodeId, u16),
        end: Option<ProgramNodeId>,
        found: &mut Vec<Vec<Step>>,
    ) -> Result<bool, Stopped> {
        let mut steps: Vec<Step> = Vec::new();
        let mut frames = Vec::new();
        let mut reached = self.exits(from, end, &mut frames, None)?;
        let mut gave_up = false;
        while let Some(frame) = frames.last_mut() {
            let Some((edge, vertex)) = frame.next.pop().filter(|_| !reached) else {
                if let Some(change) = frames.pop().and_then(|frame| frame.change) {
                    self.position.take_back(change);
                    steps.pop();
                }
                continue;
            };
            self.budget.spend(1)?;
            let step = Step { action: edge.modifier as i32, vertex };
            if matches!(edge.action, Action::Switch(_)) {
                self.budget.spend(steps.len() as u64)?;
                steps.push(step);
                found.push(steps.clone());
                steps.pop();
                continue;
            }
            let Some(change) = self.position.make(self.program, &edge.action, vertex) else {
                continue;
            };
            if steps.len() == MAX_WALK_MODIFIERS {
                // Of a condition another walk may still reach the end.
                self.position.take_back(change);
                gave_up = true;
                if end.is_none() {
                    break;
                }
                continue;
            }
            steps.push(step);
            reached = self.exits((edge.target, vertex), end, &mut frames, Some(change))?;
        }
        if gave_up && !reached { Err(Stopped::Length) } else { Ok(reached) }
    }

    /// The modifiers that can be next, as a new frame; true if the end of the condition is reached before.
    fn exits(
        &mut self,
        from: (ProgramNodeId, u16),
        end: Option<ProgramNodeId>,
        frames: &mut Vec<Frame<'p>>,
        change: Option<Change>,
    ) -> Result<bool, Stopped> {
        let program = self.program;
        let mut seen = HashSet::from([from]);
        let mut queue = vec![from];
        let mut next = Vec::new();
        let mut reached = false;
        while let Some((state, vertex)) = queue.pop() {
            if end == Some(state) {
                reached = true;
                break;
            }
            for edge in program.edges_of(state) {
                self.budget.spend(1)?;
                let mut to = vertex;
                let passes = match &edge.action {
                    Action::Empty | Action::Dot => true,
                    Action::Shift(label) => {
                        to = program.game.board.next(Vertex(vertex), Label(*label)).0;
                        to != 0
                    }
                    Action::On(pieces) => {
                        pieces.contains(Piece(self.position.pieces[usize::from(vertex)]))
                    }
                    Action::Compare(comparison, sides) => {
                        let values = (self.position.value(&sides.0), self.position.value(&sides.1));
                        matches!(values, (Some(a), Some(b)) if comparison.holds(a, b))
                    }
                    Action::Check { negated, condition } => {
                        let c = program.conditions[*condition];
                        let from = (c.start, vertex);
                        self.search(from, Some(c.end), &mut Vec::new())? != *negated
                    }
                    Action::Off(_) | Action::Assign(..) | Action::Switch(_) => {
                        next.push((edge, vertex));
                        false
                    }
                };
                if passes && seen.insert((edge.target, to)) {
                    queue.push((edge.target, to));
                }
            }
        }
        frames.push(Frame { next, change });
        Ok(reached)
    }
}
