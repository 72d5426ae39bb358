//! The interpreter: walks the automaton literally. Small and portable; what it says is right.

mod visited;
mod walk;

use std::sync::Arc;

use regulus_game::{BoardChanges, Engine, Moves, Random, Step};
use regulus_rbg::declarations::{Label, Piece, Player, Variable};
use regulus_rbg::{Game, Vertex};

use crate::board_changes::board_changes;
use crate::error::{MAX_KEEPER_MOVES, MoveCount, RunError};
use crate::id::Key;
use crate::legality::is_legal;
use crate::playout::{random_playout, semisplit_playout};
use crate::program::{Action, Program, ProgramNodeId};
use crate::state::{Change, Stand, State};
use walk::{Flow, Goal, Walk, assigned};

/// A game that is interpreted. It is `Send + Sync`, and a copy of it is the same game; each thread makes its own
/// [`Worker`].
#[derive(Clone, Debug)]
pub struct Interpreter {
    program: Arc<Program>,
}

/// The memory that running a game needs besides states.
pub struct Worker {
    program: Arc<Program>,
    walk: Walk,
    changes: Vec<Change>,
    /// Edges tried for the questions before this one.
    work: u64,
}

/// What undoes a move or semimove.
#[derive(Clone, Debug)]
pub struct Undo {
    stand: Stand,
    changes: usize,
}

impl Interpreter {
    /// Makes a game ready to run. Its rules are run as they are: for a split strategy, give it rules
    /// with that strategy's dots.
    pub fn new(game: &Game) -> Self {
        Interpreter { program: Arc::new(Program::new(game)) }
    }

    /// The automaton.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.program.game
    }

    /// The state in which the game begins, before the keeper has done anything.
    pub fn initial(&self) -> State {
        State::initial(&self.program.game, self.program.start)
    }

    /// Memory to run the game with.
    pub fn worker(&self) -> Worker {
        let walk = Walk::new(&self.program);
        Worker { program: self.program.clone(), walk, changes: Vec::new(), work: 0 }
    }
}

impl Worker {
    /// Forgets the work of questions before.
    pub(crate) fn begin(&mut self) {
        self.work += self.walk.work;
        self.walk.work = 0;
    }

    fn failed(&mut self) -> Result<(), RunError> {
        self.walk.error.take().map_or(Ok(()), Err)
    }

    /// Calls `f` for every legal move, in textual order, until it returns false. The state is the
    /// same afterwards.
    pub fn for_each_move(
        &mut self,
        state: &mut State,
        f: &mut dyn FnMut(&[Step]) -> bool,
    ) -> Result<(), RunError> {
        self.begin();
        let from = (state.position(), state.vertex().0);
        self.walk.search(&self.program, state, from, Goal::Move, &mut |found| {
            found.steps.push(Step { action: found.edge.modifier.0 as i32, vertex: found.vertex });
            let more = f(found.steps);
            found.steps.pop();
            if more { Flow::Continue } else { Flow::Stop }
        });
        self.failed()
    }

    /// Makes one keeper move: the first in textual order. False if there is none. On an error the state is
    /// as before.
    pub fn keeper_move(&mut self, state: &mut State) -> Result<bool, RunError> {
        let from = (state.position(), state.vertex().0);
        let mut stand = None;
        self.walk.search(&self.program, state, from, Goal::AnyMove, &mut |found| {
            let Action::Switch(player) = found.edge.action else { return Flow::Continue };
            let (position, vertex) = (found.edge.target, found.vertex);
            stand = Some(Stand { position, vertex, player, nodal: true });
            Flow::Keep
        });
        self.failed().map_err(|_| RunError::EndlessKeeper)?;
        if let Some(stand) = stand {
            state.set_stand(stand);
        }
        Ok(stand.is_some())
    }
}

impl Engine for Worker {
    type State = State;
    type Error = RunError;
    type Undo = Undo;

    fn initial(&self) -> State {
        State::initial(&self.program.game, self.program.start)
    }

    fn players(&self) -> usize {
        self.program.game.declarations.players().len()
    }

    fn score_bound(&self, player: usize) -> u32 {
        let score = Player(player as u8).score();
        score.map_or(0, |v| self.program.game.declarations.bound(v))
    }

    fn terminal_scores(&self) -> Option<Vec<Vec<u32>>> {
        regulus_rbg::ends::ends(&self.program.game)
    }

    fn player(&self, state: &State) -> usize {
        usize::from(state.player().0)
    }

    fn score(&self, state: &State, player: usize) -> u32 {
        state.score(Player(player as u8))
    }

    fn values(&self, state: &State, values: &mut Vec<u32>) {
        values.clear();
        let variables = self.program.game.declarations.variables().len() as u16;
        values.extend((0..variables).map(|variable| state.variable(Variable(variable))));
    }

    fn piece_count(&self, state: &State, piece: u8) -> u32 {
        state.count(Piece(piece))
    }

    fn hash(&self, state: &State) -> u64 {
        state.hash()
    }

    /// Roughly how many edges of the automaton were tried.
    fn work(&self) -> u64 {
        self.work + self.walk.work
    }

    fn is_nodal(&self, state: &State) -> bool {
        state.is_nodal()
    }

    fn run_keeper(&mut self, state: &mut State) -> Result<bool, RunError> {
        self.begin();
        for _ in 0..MAX_KEEPER_MOVES {
            if state.player().0 != 0 {
                return Ok(true);
            }
            if !self.keeper_move(state)? {
                return Ok(false);
            }
        }
        if state.player().0 != 0 { Ok(true) } else { Err(RunError::EndlessKeeper) }
    }

    /// All legal moves, in textual order.
    fn list(&mut self, state: &mut State, moves: &mut Moves) -> Result<(), RunError> {
        moves.clear();
        let mut count = MoveCount::default();
        self.for_each_move(state, &mut |steps| {
            let allowed = count.add(steps.len());
            if allowed {
                moves.push(steps);
            }
            allowed
        })?;
        if count.is_allowed() { Ok(()) } else { Err(RunError::TooManyMoves) }
    }

    fn count(&mut self, state: &mut State) -> Result<u64, RunError> {
        let mut count = MoveCount::default();
        self.for_each_move(state, &mut |steps| count.add(steps.len()))?;
        if count.is_allowed() { Ok(count.moves) } else { Err(RunError::TooManyMoves) }
    }

    fn nth(
        &mut self,
        state: &mut State,
        index: u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, RunError> {
        steps.clear();
        let mut count = MoveCount::default();
        self.for_each_move(state, &mut |found| {
            let allowed = count.add(found.len());
            if allowed && count.moves > index {
                steps.extend_from_slice(found);
            }
            allowed && count.moves <= index
        })?;
        if count.is_allowed() { Ok(!steps.is_empty()) } else { Err(RunError::TooManyMoves) }
    }

    fn is_legal(&mut self, state: &mut State, steps: &[Step]) -> Result<bool, RunError> {
        is_legal(self, state, steps)
    }

    fn semimoves(&mut self, state: &mut State, semimoves: &mut Vec<Step>) -> Result<(), RunError> {
        semimoves.clear();
        self.begin();
        let from = (state.position(), state.vertex().0);
        self.walk.search(&self.program, state, from, Goal::Semimove, &mut |found| {
            let action = match found.edge.action {
                Action::Dot => -(found.edge.target.index() as i32),
                _ => found.edge.modifier.0 as i32,
            };
            semimoves.push(Step { action, vertex: found.vertex });
            Flow::Continue
        });
        self.failed()
    }

    fn apply_step(&mut self, state: &mut State, step: Step) -> Option<Undo> {
        let undo = Undo { stand: state.stand(), changes: self.changes.len() };
        let mut stand = Stand { vertex: step.vertex, nodal: false, ..undo.stand };
        if step.vertex == 0 || usize::from(step.vertex) > self.vertices() {
            return None;
        }
        if step.action <= 0 {
            stand.position = ProgramNodeId::new(step.action.unsigned_abs() as usize);
            self.program.nodes.get(stand.position)?;
        } else {
            let edge = self.program.modifier(step.action)?;
            stand.position = edge.target;
            match &edge.action {
                Action::Off(piece) => self.changes.push(state.put(step.vertex, *piece)),
                Action::Assign(variable, value) => {
                    let value = assigned(&self.program, *variable, value, state)?;
                    self.changes.push(state.assign(*variable, value));
                }
                Action::Switch(player) => (stand.player, stand.nodal) = (*player, true),
                _ => {}
            }
        }
        state.set_stand(stand);
        Some(undo)
    }

    fn apply_with_undo(&mut self, state: &mut State, steps: &[Step]) -> Undo {
        let undo = Undo { stand: state.stand(), changes: self.changes.len() };
        for step in steps {
            self.apply_step(state, *step);
        }
        undo
    }

    fn commit(&mut self, undo: Undo) {
        self.changes.truncate(undo.changes);
    }

    fn undo(&mut self, state: &mut State, undo: Undo) {
        while self.changes.len() > undo.changes {
            if let Some(change) = self.changes.pop() {
                state.take_back(change);
            }
        }
        state.set_stand(undo.stand);
    }

    fn vertices(&self) -> usize {
        self.program.game.board.len()
    }

    fn labels(&self) -> usize {
        self.program.game.board.label_count()
    }

    fn next(&self, vertex: u16, label: usize) -> u16 {
        self.program.game.board.next(Vertex(vertex), Label(label as u8)).0
    }

    fn pieces(&self, state: &State, contents: &mut Vec<u8>) {
        contents.clear();
        contents.push(0);
        contents.extend(self.program.game.board.vertices().map(|v| state.piece(v).0));
    }

    fn board_changes(&self) -> BoardChanges {
        board_changes(&self.program)
    }

    fn check_length(&self, modifiers: usize) -> Result<(), RunError> {
        crate::error::check_length(modifiers)
    }

    fn endless(&self) -> RunError {
        RunError::EndlessGame
    }

    fn playout(
        &mut self,
        state: &mut State,
        split: bool,
        random: &mut Random,
    ) -> Result<u64, RunError> {
        let play = if split { semisplit_playout } else { random_playout };
        play(self, state, random).map(|playout| playout.length)
    }
}
