//! What the keeper puts from a vertex on, whatever the state.
//!
//! His walk is followed as long as the rules alone say how it goes on: edges of the board, tests of cells that he has
//! just put something on, conditions that only ask for the shape of the board. Where that ends, what he puts is still
//! known if nothing more is put before a player is to move, and the move that he has begun is always completed
//! (`totality.rs`). Everything else is left to whoever makes the move and looks.

use regulus_game::Puts;
use regulus_rbg::Vertex;
use regulus_rbg::arithmetic::{Arithmetic, Interval, Operator};
use regulus_rbg::declarations::{Label, Piece, Variable};
use rustc_hash::FxHashSet;

use crate::id::IdVec;
use crate::program::{Action, ConditionId, Edge, Program, ProgramNodeId};

/// Edges that are tried behind one switch at one vertex, and moves of the keeper that are followed.
const MAX_EDGES: usize = 2_000;
const MAX_MOVES: usize = 50;

/// A place of a walk.
pub(super) type Place = (ProgramNodeId, u16);

/// What is put where so far.
type Made = Vec<(u16, u8)>;

/// How a walk goes on.
enum Course {
    /// It completes a move: who is next, and where.
    Complete(u8, Place),
    /// It gets stuck.
    Stuck,
    /// From there on it depends on the state.
    Open(Place),
}

/// The answer of a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Depends,
}

/// The keeper's part of some rules.
pub(super) struct KeeperPuts<'p> {
    pub(super) program: &'p Program,
    /// From where a piece can be put before a player is to move.
    puts_more: IdVec<ProgramNodeId, bool>,
}

impl<'p> KeeperPuts<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut before = program.nodes.filled(Vec::new());
        let mut pending = Vec::new();
        for (node, _) in program.nodes.enumerated() {
            for edge in program.edges_of(node) {
                match edge.action {
                    Action::Off(_) => pending.push(node),
                    Action::Switch(player) if player != 0 => {}
                    _ => before[edge.target].push(node),
                }
            }
        }
        let mut puts_more = program.nodes.filled(false);
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut puts_more[node], true) {
                pending.extend(&before[node]);
            }
        }
        KeeperPuts { program, puts_more }
    }

    /// What the keeper puts from a node and a vertex on until a player is to move; nothing if that depends on the
    /// state.
    pub(super) fn behind(&self, node: ProgramNodeId, vertex: u16) -> Option<Puts> {
        let (mut made, mut at, mut fuel) = (Made::new(), (node, vertex), MAX_EDGES);
        for _ in 0..MAX_MOVES {
            let mut puts = made.clone();
            match self.walk(at, &mut puts, &mut fuel) {
                Course::Complete(player, to) => {
                    made = puts;
                    if player != 0 {
                        return Some(made.into());
                    }
                    at = to;
                }
                Course::Stuck => return Some(made.into()),
                Course::Open((node, _)) if self.puts_more[node] => return None,
                Course::Open(at) => {
                    let settled = puts.len() == made.len() || self.is_total(at);
                    return settled.then(|| puts.into());
                }
            }
        }
        None
    }

    /// Follows a move of the keeper: the first in the order of the text.
    fn walk(&self, mut at: Place, puts: &mut Made, fuel: &mut usize) -> Course {
        loop {
            match self.program.edges_of(at.0) {
                [] => return Course::Stuck,
                [edge] => match self.pass(edge, at, puts, fuel) {
                    Ok(to) => at = to,
                    Err(course) => return course,
                },
                edges => {
                    for edge in edges {
                        let mut behind = puts.clone();
                        let course = match self.pass(edge, at, &mut behind, fuel) {
                            Ok(to) => self.walk(to, &mut behind, fuel),
                            Err(course) => course,
                        };
                        match course {
                            Course::Stuck => {}
                            Course::Open(_) => return Course::Open(at),
                            complete => {
                                *puts = behind;
                                return complete;
                            }
                        }
                    }
                    return Course::Stuck;
                }
            }
        }
    }

    /// Passes an edge: where it leads, or how the walk ends with it.
    fn pass(
        &self,
        edge: &Edge,
        at: Place,
        puts: &mut Made,
        fuel: &mut usize,
    ) -> Result<Place, Course> {
        let vertex = at.1;
        *fuel = fuel.checked_sub(1).ok_or(Course::Open(at))?;
        let answer = match &edge.action {
            Action::Empty | Action::Dot => Answer::Yes,
            Action::Shift(label) => match self.next(vertex, *label) {
                0 => Answer::No,
                to => return Ok((edge.target, to)),
            },
            Action::On(pieces) => match puts.iter().rfind(|put| put.0 == vertex) {
                Some((_, piece)) if pieces.contains(Piece(*piece)) => Answer::Yes,
                Some(_) => Answer::No,
                None => Answer::Depends,
            },
            Action::Off(piece) => {
                puts.push((vertex, *piece));
                Answer::Yes
            }
            Action::Assign(variable, value) if self.always_fits(*variable, value) => Answer::Yes,
            Action::Assign(..) | Action::Compare(..) => Answer::Depends,
            Action::Check { negated, condition } => {
                match (self.holds(*condition, vertex, puts), negated) {
                    (Answer::Depends, _) => Answer::Depends,
                    (Answer::Yes, false) | (Answer::No, true) => Answer::Yes,
                    _ => Answer::No,
                }
            }
            Action::Switch(player) => {
                return Err(Course::Complete(*player, (edge.target, vertex)));
            }
        };
        match answer {
            Answer::Yes => Ok((edge.target, vertex)),
            Answer::No => Err(Course::Stuck),
            Answer::Depends => Err(Course::Open(at)),
        }
    }

    pub(super) fn next(&self, vertex: u16, label: u8) -> u16 {
        self.program.game.board.next(Vertex(vertex), Label(label)).0
    }

    /// Whether a condition holds at a vertex, as far as the board and what was put tell.
    fn holds(&self, condition: ConditionId, vertex: u16, puts: &Made) -> Answer {
        if self.reaches_end(condition, vertex, puts, false) {
            Answer::Yes
        } else if self.reaches_end(condition, vertex, puts, true) {
            Answer::Depends
        } else {
            Answer::No
        }
    }

    /// Whether a walk comes to the end of a condition if every test whose answer is not known has this one.
    fn reaches_end(&self, id: ConditionId, vertex: u16, puts: &Made, unknown: bool) -> bool {
        let condition = &self.program.conditions[id];
        // A modifier changes what is known.
        if unknown && condition.changes {
            return true;
        }
        let mut seen = FxHashSet::default();
        let mut pending = vec![(condition.start, vertex)];
        while let Some(at) = pending.pop() {
            if at.0 == condition.end {
                return true;
            }
            if !seen.insert(at) {
                continue;
            }
            for edge in self.program.edges_of(at.0) {
                let (passes, to) = match &edge.action {
                    Action::Empty | Action::Dot => (true, at.1),
                    Action::Shift(label) => {
                        let to = self.next(at.1, *label);
                        (to != 0, to)
                    }
                    Action::On(pieces) => {
                        let put = puts.iter().rfind(|put| put.0 == at.1);
                        (put.map_or(unknown, |put| pieces.contains(Piece(put.1))), at.1)
                    }
                    // Conditions in conditions are rare.
                    _ => (unknown, at.1),
                };
                if passes {
                    pending.push((edge.target, to));
                }
            }
        }
        false
    }

    /// True if an assignment never fails.
    pub(super) fn always_fits(&self, variable: u16, value: &Arithmetic) -> bool {
        let game = &self.program.game;
        let bound = i128::from(game.declarations.bound(Variable(variable)));
        let interval = Interval::of(value, &game.declarations, game.board.len());
        !divides(value) && interval.is_ok_and(|i| i.low >= 0 && i.high <= bound)
    }
}

/// True if an expression divides: by zero that fails.
pub(super) fn divides(expression: &Arithmetic) -> bool {
    let mut found = false;
    expression.visit(&mut |part| {
        found |= matches!(part, Arithmetic::Operation(Operator::Divide, _));
    });
    found
}
