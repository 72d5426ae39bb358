//! Walks through the automaton: a depth-first search in textual order with an explicit stack.
//!
//! The lists of modifiers are what matters, so a walk never visits a pair (state, vertex) twice since
//! its last modifier (language document, section 6). As a modifier is one edge of the automaton, the
//! list so far determines board, state and vertex; hence no list is found twice.

use regulus_game::Step;
use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::Piece;
use regulus_rbg::{Board, Vertex};

use super::visited::Visited;
use crate::error::{MAX_WALK_MODIFIERS, MAX_WORK, RunError, WORK_OF_MOVE};
use crate::program::{Action, Edge, Program, ProgramNodeId};
use crate::state::{Change, State};

/// Whether a search goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    /// Stop, and take back what the walk changed.
    Stop,
    /// Stop, and leave the state as the walk made it.
    Keep,
}

/// What ends a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// A switch: the walk is a move. All of them are wanted.
    Move,
    /// A switch, and one move will do.
    AnyMove,
    /// A modifier or a split point: the walk is a semimove.
    Semimove,
    /// This state, and no modifier on the way: the condition holds. Modifiers that could come next are told.
    End(ProgramNodeId),
}

/// A board inside a condition with modifiers, and the modifiers that could come next.
struct Level<'p> {
    /// What led here.
    change: Option<Change>,
    next: Vec<(&'p Edge, u16)>,
    /// How many of them were tried.
    tried: usize,
}

struct Frame {
    state: ProgramNodeId,
    /// The next edge to try, counted from the state's first.
    next: u32,
    vertex: u16,
    /// What was changed on the way here, if the edge was a modifier.
    change: Option<Change>,
}

/// What becomes of a walk that tries an edge.
enum Passage {
    /// It does not get through.
    Closed,
    /// Finding out took too long.
    Failed,
    /// It reaches its goal.
    Ends,
    /// It goes on from a vertex, after a change of the state.
    Open { vertex: u16, change: Option<Change> },
}

/// The memory of a search, kept between searches.
pub(super) struct Walk {
    frames: Vec<Frame>,
    pub(super) steps: Vec<Step>,
    visited: Visited,
    /// Edges tried since the last question began.
    pub(super) work: u64,
    pub(super) error: Option<RunError>,
}

/// A walk that reached its goal.
pub(super) struct Found<'w, 'p> {
    /// The last edge.
    pub edge: &'p Edge,
    /// The steps before it.
    pub steps: &'w mut Vec<Step>,
    /// Where the pointer stands.
    pub vertex: u16,
}

impl Walk {
    pub(super) fn new(program: &Program) -> Self {
        Walk {
            frames: Vec::new(),
            steps: Vec::new(),
            visited: Visited::new(program.joins, program.game.board.len()),
            work: 0,
            error: None,
        }
    }

    /// Searches from a state and vertex; calls `found` for every walk that reaches the goal. Returns
    /// true if `found` stopped the search.
    pub(super) fn search<'p>(
        &mut self,
        program: &'p Program,
        state: &mut State,
        from: (ProgramNodeId, u16),
        goal: Goal,
        found: &mut dyn FnMut(Found<'_, 'p>) -> Flow,
    ) -> bool {
        let base = self.frames.len();
        let steps = self.steps.len();
        self.visited.enter();
        self.frames.push(Frame { state: from.0, next: 0, vertex: from.1, change: None });
        let flow = self.run(program, state, base, goal, found);
        // Unwind what is left; a finished search leaves nothing.
        while self.frames.len() > base {
            if let Some(frame) = self.frames.pop()
                && let Some(change) = frame.change
            {
                self.visited.leave();
                if flow != Flow::Keep {
                    state.take_back(change);
                }
            }
        }
        self.visited.leave();
        self.steps.truncate(steps);
        flow != Flow::Continue
    }

    fn run<'p>(
        &mut self,
        program: &'p Program,
        state: &mut State,
        base: usize,
        goal: Goal,
        found: &mut dyn FnMut(Found<'_, 'p>) -> Flow,
    ) -> Flow {
        if goal == Goal::End(self.frames[base].state) {
            return Flow::Stop;
        }
        // One set of visited pairs is open for each modifier on the walk, and one for the walk itself.
        let opened = self.visited.depth();
        // True if a walk was given up where another one may still reach the goal.
        let mut gave_up = false;
        while self.frames.len() > base {
            let Some(frame) = self.frames.last_mut() else { break };
            let vertex = frame.vertex;
            let Some(edge) = program.edges_of(frame.state).get(frame.next as usize) else {
                if let Some(Frame { change: Some(change), .. }) = self.frames.pop() {
                    state.take_back(change);
                    self.visited.leave();
                    self.steps.pop();
                }
                continue;
            };
            frame.next += 1;
            self.work += 1;
            if self.work > MAX_WORK || self.visited.is_full() {
                self.error = Some(RunError::TooManyMoves);
                return Flow::Stop;
            }
            let (next, change) = match self.pass(program, state, edge, vertex, goal) {
                Passage::Closed => continue,
                Passage::Failed => return Flow::Stop,
                Passage::Open { vertex, change } => (vertex, change),
                Passage::Ends => {
                    if !matches!(goal, Goal::End(_)) {
                        self.work = self.work.saturating_sub(WORK_OF_MOVE);
                    }
                    let steps = &mut self.steps;
                    match found(Found { edge, steps, vertex }) {
                        Flow::Continue => continue,
                        flow => return flow,
                    }
                }
            };
            if change.is_some() {
                if self.visited.depth() - opened >= MAX_WALK_MODIFIERS {
                    // The change is not on the stack yet.
                    if let Some(change) = change {
                        state.take_back(change);
                    }
                    if goal != Goal::Move {
                        gave_up = true;
                        continue;
                    }
                    self.error = Some(RunError::TooManyMoves);
                    return Flow::Stop;
                }
                self.visited.enter();
                self.steps.push(Step { action: edge.modifier as i32, vertex });
            } else if let Some(join) = program.nodes[edge.target].join
                && !self.visited.insert(join, next)
            {
                continue;
            }
            self.frames.push(Frame { state: edge.target, next: 0, vertex: next, change });
            if goal == Goal::End(edge.target) {
                return Flow::Stop;
            }
        }
        if gave_up {
            self.error = Some(RunError::TooManyMoves);
        }
        Flow::Continue
    }

    /// Tries to pass an edge at a vertex, and changes the state as it says unless it ends the walk.
    #[inline(always)]
    fn pass<'p>(
        &mut self,
        program: &'p Program,
        state: &mut State,
        edge: &'p Edge,
        vertex: u16,
        goal: Goal,
    ) -> Passage {
        let stops = matches!(goal, Goal::Semimove | Goal::End(_));
        let open = match &edge.action {
            Action::Empty => true,
            Action::Dot if goal == Goal::Semimove => return Passage::Ends,
            Action::Dot => true,
            Action::Shift(label) => {
                let vertex = shift(&program.game.board, vertex, *label);
                return if vertex == 0 {
                    Passage::Closed
                } else {
                    Passage::Open { vertex, change: None }
                };
            }
            Action::On(pieces) => pieces.contains(state.piece(Vertex(vertex))),
            Action::Compare(comparison, sides) => {
                let left = evaluate(&sides.0, state);
                let right = evaluate(&sides.1, state);
                matches!((left, right), (Some(l), Some(r)) if comparison.holds(l, r))
            }
            Action::Check { negated, condition } => {
                let c = program.conditions[*condition];
                let from = (c.start, vertex);
                let holds = if c.changes {
                    self.holds(program, state, from, c.end)
                } else {
                    self.search(program, state, from, Goal::End(c.end), &mut |_| Flow::Stop)
                };
                if self.error.is_some() {
                    return Passage::Failed;
                }
                holds != *negated
            }
            Action::Off(_) if stops => return Passage::Ends,
            Action::Off(piece) => {
                return Passage::Open { vertex, change: Some(state.put(vertex, *piece)) };
            }
            Action::Assign(variable, value) => {
                let Some(value) = assigned(program, *variable, value, state) else {
                    return Passage::Closed;
                };
                if stops {
                    return Passage::Ends;
                }
                return Passage::Open { vertex, change: Some(state.assign(*variable, value)) };
            }
            Action::Switch(_) => return Passage::Ends,
        };
        if open { Passage::Open { vertex, change: None } } else { Passage::Closed }
    }

    /// True if a condition with modifiers holds (or looking took too long). What needs no more modifier comes first,
    /// since walks with more may be many; native code does the same.
    fn holds<'p>(
        &mut self,
        program: &'p Program,
        state: &mut State,
        from: (ProgramNodeId, u16),
        end: ProgramNodeId,
    ) -> bool {
        let mut levels: Vec<Level<'p>> = Vec::new();
        let (mut from, mut change) = (Some(from), None);
        let (mut found, mut gave_up) = (false, false);
        loop {
            if let Some(from) = from.take() {
                let mut next = Vec::new();
                found = self.search(program, state, from, Goal::End(end), &mut |exit| {
                    next.push((exit.edge, exit.vertex));
                    Flow::Continue
                });
                levels.push(Level { change: change.take(), next, tried: 0 });
            }
            let made = levels.len() - usize::from(!levels.is_empty());
            let Some(level) = levels.last_mut() else { break };
            let Some((edge, vertex)) = level.next.get(level.tried).filter(|_| !found) else {
                if let Some(Level { change: Some(change), .. }) = levels.pop() {
                    state.take_back(change);
                }
                continue;
            };
            level.tried += 1;
            if made >= MAX_WALK_MODIFIERS {
                gave_up = true;
                continue;
            }
            change = match &edge.action {
                Action::Off(piece) => Some(state.put(*vertex, *piece)),
                Action::Assign(variable, value) => assigned(program, *variable, value, state)
                    .map(|value| state.assign(*variable, value)),
                _ => None,
            };
            from = change.is_some().then_some((edge.target, *vertex));
        }
        if gave_up && !found {
            self.error = Some(RunError::TooManyMoves);
        }
        found
    }
}

fn shift(board: &Board, vertex: u16, label: u8) -> u16 {
    board.next(Vertex(vertex), regulus_rbg::declarations::Label(label)).0
}

/// The value that an assignment gives; nothing if it fails.
pub(super) fn assigned(
    program: &Program,
    variable: u16,
    value: &Arithmetic,
    state: &State,
) -> Option<u32> {
    let bound = program.game.declarations.variables()[usize::from(variable)].bound;
    let value = evaluate(value, state).and_then(|v| u32::try_from(v).ok());
    value.filter(|v| *v <= bound)
}

/// The value of an expression in a state; `None` for a division by zero.
fn evaluate(expression: &Arithmetic, state: &State) -> Option<i64> {
    expression.evaluate(&|v| i64::from(state.variable(v)), &|p: Piece| i64::from(state.count(p)))
}
