//! What stands in for native code in a build without it (feature `native`): the same names, and a game
//! that can never be made. Whoever asks for one gets the reason, as for any game that code cannot be made
//! for, and takes the interpreter.

use regulus_game::{BoardChanges, Engine, Moves, Random, Step};
use regulus_rbg::declarations::{Piece, Player, Variable};
use regulus_rbg::{Game, Vertex};

use crate::RunError;
pub use crate::operation::{Operation, Pass, Remark, Unsupported};

/// Has no value. It is private, so that callers are not told that what they do with the others never happens.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Never {}

/// A game compiled to machine code: there is none in this build.
#[derive(Clone)]
pub struct Native(Never);

/// A state of a native game: there is none in this build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeState(Never);

/// Runs a native game: there is none in this build.
pub struct NativeWorker(Never);

/// What undoes a move on native code: there is none in this build.
#[derive(Debug)]
pub struct NativeUndo(Never);

fn absent() -> Unsupported {
    Unsupported("native code is not in this build".to_owned())
}

/// What of a game has no code of its own: everything.
pub fn remarks(_: &Game) -> Vec<Remark> {
    vec![Remark { message: format!("the interpreter runs the game: {}", absent().0), place: None }]
}

impl Native {
    /// Says that there is no native code.
    pub fn new(_: &Game) -> Result<Native, Unsupported> {
        Err(absent())
    }

    /// Says that there is no native code.
    pub fn worthwhile(_: &Game) -> Result<Native, Unsupported> {
        Err(absent())
    }

    /// Says that there is no native code.
    pub fn patient(_: &Game) -> Result<Native, Unsupported> {
        Err(absent())
    }

    /// Cannot be called, as everything that follows.
    pub fn prepare(&self, _: Operation) -> Result<(), Unsupported> {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn optimize(&self, _: Operation) -> Result<(), Unsupported> {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn initial(&self) -> NativeState {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn worker(&self) -> NativeWorker {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn game(&self) -> &Game {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn describe(&self, _: Pass) -> String {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn player(&self, _: &NativeState) -> Player {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn piece(&self, _: &NativeState, _: Vertex) -> Piece {
        match self.0 {}
    }

    /// Cannot be called.
    pub fn variable(&self, _: &NativeState, _: Variable) -> u32 {
        match self.0 {}
    }
}

impl Engine for NativeWorker {
    type State = NativeState;
    type Error = RunError;
    type Undo = NativeUndo;

    fn initial(&self) -> NativeState {
        match self.0 {}
    }

    fn players(&self) -> usize {
        match self.0 {}
    }

    fn score_bound(&self, _: usize) -> u32 {
        match self.0 {}
    }

    fn player(&self, _: &NativeState) -> usize {
        match self.0 {}
    }

    fn score(&self, _: &NativeState, _: usize) -> u32 {
        match self.0 {}
    }

    fn hash(&self, _: &NativeState) -> u64 {
        match self.0 {}
    }

    fn is_nodal(&self, _: &NativeState) -> bool {
        match self.0 {}
    }

    fn run_keeper(&mut self, _: &mut NativeState) -> Result<bool, RunError> {
        match self.0 {}
    }

    fn list(&mut self, _: &mut NativeState, _: &mut Moves) -> Result<(), RunError> {
        match self.0 {}
    }

    fn count(&mut self, _: &mut NativeState) -> Result<u64, RunError> {
        match self.0 {}
    }

    fn nth(&mut self, _: &mut NativeState, _: u64, _: &mut Vec<Step>) -> Result<bool, RunError> {
        match self.0 {}
    }

    fn is_legal(&mut self, _: &mut NativeState, _: &[Step]) -> Result<bool, RunError> {
        match self.0 {}
    }

    fn semimoves(&mut self, _: &mut NativeState, _: &mut Vec<Step>) -> Result<(), RunError> {
        match self.0 {}
    }

    fn apply_step(&mut self, _: &mut NativeState, _: Step) -> Option<NativeUndo> {
        match self.0 {}
    }

    fn apply_with_undo(&mut self, _: &mut NativeState, _: &[Step]) -> NativeUndo {
        match self.0 {}
    }

    fn undo(&mut self, _: &mut NativeState, _: NativeUndo) {
        match self.0 {}
    }

    fn commit(&mut self, _: NativeUndo) {
        match self.0 {}
    }

    fn vertices(&self) -> usize {
        match self.0 {}
    }

    fn labels(&self) -> usize {
        match self.0 {}
    }

    fn next(&self, _: u16, _: usize) -> u16 {
        match self.0 {}
    }

    fn pieces(&self, _: &NativeState, _: &mut Vec<u8>) {
        match self.0 {}
    }

    fn board_changes(&self) -> BoardChanges {
        match self.0 {}
    }

    fn endless(&self) -> RunError {
        match self.0 {}
    }

    fn playout(&mut self, _: &mut NativeState, _: bool, _: &mut Random) -> Result<u64, RunError> {
        match self.0 {}
    }
}
