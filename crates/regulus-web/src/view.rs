//! What a visitor sees of a session, as it is sent.

use regulus_game::Step;
use regulus_scene::{Look, Scene};
use serde::Serialize;

use crate::seat::Seat;

/// Everything there is to see.
#[derive(Serialize, Debug)]
pub struct View<'t> {
    /// The session.
    pub id: &'t str,
    /// Grows with every change.
    pub revision: u64,
    /// What is played.
    pub game: GameView<'t>,
    /// How the board is drawn, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<&'t Scene>,
    /// What pieces look like, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<&'t [Look]>,
    /// The piece on every vertex, with the steps of the unfinished move made.
    pub board: Vec<u8>,
    /// The variables that are not scores of players.
    pub variables: Vec<VariableView<'t>>,
    /// Who plays.
    pub seats: &'t [Seat],
    /// Who is to move, from 0.
    pub player: Option<usize>,
    /// What can be done.
    pub status: Status,
    /// The state in a sentence.
    pub text: String,
    /// The parts of the unfinished move.
    pub chosen: Vec<ChosenView<'t>>,
    /// What can be chosen next.
    pub choices: Vec<ChoiceView>,
    /// How many moves led to what is shown.
    pub ply: usize,
    /// How many moves were played.
    pub plies: usize,
    /// All moves that were played.
    pub moves: Vec<MoveView>,
    /// The vertices of the last move.
    pub last: Vec<u16>,
    /// Every player's score, when the game is over.
    pub scores: Option<Vec<u32>>,
    /// The result in words.
    pub outcome: Option<String>,
    /// Who has resigned, from 0.
    pub resigned: Option<usize>,
    /// What an agent would do.
    pub hint: Option<&'t Hint>,
    /// True while an agent looks for a hint.
    pub hinting: bool,
    /// True if agents do not move by themselves.
    pub paused: bool,
    /// The pause between moves of agents.
    pub speed_ms: u64,
}

/// What is played.
#[derive(Serialize, Debug)]
pub struct GameView<'t> {
    /// Its name.
    pub name: &'t str,
    /// The names of the players.
    pub players: &'t [String],
    /// True if the rules were uploaded.
    pub uploaded: bool,
}

/// A variable.
#[derive(Serialize, Debug)]
pub struct VariableView<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its value.
    pub value: u32,
}

/// What can be done.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A human is to choose.
    Choosing,
    /// An agent thinks.
    Thinking,
    /// An agent is to move and does not.
    Paused,
    /// Nothing more can happen.
    Over,
    /// An earlier position is shown.
    Looking,
}

/// A part of a move that was chosen.
#[derive(Serialize, Debug)]
pub struct ChosenView<'t> {
    /// What it was called.
    pub text: &'t str,
    /// The vertex.
    pub vertex: Option<u16>,
}

/// What can be chosen.
#[derive(Serialize, Debug)]
pub struct ChoiceView {
    /// Its number, for choosing it.
    pub id: usize,
    /// The vertex; nothing if it is a button.
    pub vertex: Option<u16>,
    /// What it is called.
    pub text: String,
    /// How many moves it leads to.
    pub moves: usize,
}

/// A move that was played.
#[derive(Serialize, Debug)]
pub struct MoveView {
    /// Its number, from 1.
    pub ply: usize,
    /// Who made it, from 0.
    pub player: usize,
    /// It in words.
    pub text: String,
    /// The vertices it acts on.
    pub vertices: Vec<u16>,
}

/// What an agent would do.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Hint {
    /// The move in words.
    pub text: String,
    /// The vertices it acts on.
    pub vertices: Vec<u16>,
    /// The part of the agent's iterations that tried it.
    pub share: f64,
}

/// The vertices of a move, each where it is new.
pub fn vertices(steps: &[Step]) -> Vec<u16> {
    let mut vertices: Vec<u16> = steps.iter().map(|step| step.vertex).collect();
    vertices.dedup();
    vertices
}
