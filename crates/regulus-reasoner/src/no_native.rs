//! What stands in for native code in a build without it (feature `native`): the same names, and a game
//! that can never be made. Whoever asks for one gets the reason, as for any game that code cannot be made
//! for, and takes the interpreter.

use std::marker::PhantomData;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::declarations::{Piece, Player, Variable};
use regulus_rbg::{Game, Vertex};

use crate::RunError;
pub use crate::operation::{Operation, Pass, Unsupported};

/// A game compiled to machine code: there is none in this build.
pub enum Native {}

/// A state of a native game: there is none in this build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NativeState {}

/// Runs a native game: there is none in this build.
pub struct NativeWorker<'n> {
    native: Native,
    lifetime: PhantomData<&'n Native>,
}

/// What undoes a move on native code: there is none in this build.
#[derive(Debug)]
pub enum NativeUndo {}

fn absent() -> Unsupported {
    Unsupported("native code is not in this build".to_owned())
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
        match *self {}
    }

    /// Cannot be called.
    pub fn initial(&self) -> NativeState {
        match *self {}
    }

    /// Cannot be called.
    pub fn worker(&self) -> NativeWorker<'_> {
        match *self {}
    }

    /// Cannot be called.
    pub fn game(&self) -> &Game {
        match *self {}
    }

    /// Cannot be called.
    pub fn describe(&self, _: Pass) -> String {
        match *self {}
    }

    /// Cannot be called.
    pub fn player(&self, _: &NativeState) -> Player {
        match *self {}
    }

    /// Cannot be called.
    pub fn piece(&self, _: &NativeState, _: Vertex) -> Piece {
        match *self {}
    }

    /// Cannot be called.
    pub fn variable(&self, _: &NativeState, _: Variable) -> u32 {
        match *self {}
    }
}

impl Engine for NativeWorker<'_> {
    type State = NativeState;
    type Error = RunError;
    type Undo = NativeUndo;

    fn initial(&self) -> NativeState {
        match self.native {}
    }

    fn players(&self) -> usize {
        match self.native {}
    }

    fn score_bound(&self, _: usize) -> u32 {
        match self.native {}
    }

    fn player(&self, _: &NativeState) -> usize {
        match self.native {}
    }

    fn score(&self, _: &NativeState, _: usize) -> u32 {
        match self.native {}
    }

    fn hash(&self, _: &NativeState) -> u64 {
        match self.native {}
    }

    fn is_nodal(&self, _: &NativeState) -> bool {
        match self.native {}
    }

    fn keeper(&mut self, _: &mut NativeState) -> Result<bool, RunError> {
        match self.native {}
    }

    fn list(&mut self, _: &mut NativeState, _: &mut Moves) -> Result<(), RunError> {
        match self.native {}
    }

    fn count(&mut self, _: &mut NativeState) -> Result<u64, RunError> {
        match self.native {}
    }

    fn nth(&mut self, _: &mut NativeState, _: u64, _: &mut Vec<Step>) -> Result<bool, RunError> {
        match self.native {}
    }

    fn is_legal(&mut self, _: &mut NativeState, _: &[Step]) -> Result<bool, RunError> {
        match self.native {}
    }

    fn semimoves(&mut self, _: &mut NativeState, _: &mut Vec<Step>) -> Result<(), RunError> {
        match self.native {}
    }

    fn apply_step(&mut self, _: &mut NativeState, _: Step) -> Option<NativeUndo> {
        match self.native {}
    }

    fn apply_with_undo(&mut self, _: &mut NativeState, _: &[Step]) -> NativeUndo {
        match self.native {}
    }

    fn undo(&mut self, _: &mut NativeState, _: NativeUndo) {
        match self.native {}
    }

    fn keep(&mut self, _: NativeUndo) {
        match self.native {}
    }

    fn vertices(&self) -> usize {
        match self.native {}
    }

    fn labels(&self) -> usize {
        match self.native {}
    }

    fn next(&self, _: u16, _: usize) -> u16 {
        match self.native {}
    }

    fn contents(&self, _: &NativeState, _: &mut Vec<u8>) {
        match self.native {}
    }

    fn puts_piece(&self, _: i32) -> bool {
        match self.native {}
    }

    fn endless(&self) -> RunError {
        match self.native {}
    }

    fn playout(&mut self, _: &mut NativeState, _: bool, _: &mut Random) -> Result<u64, RunError> {
        match self.native {}
    }
}
