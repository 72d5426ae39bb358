//! What a visitor sees of a board game, as it is sent.

use regulus_game::Step;
use regulus_player::{SavedGame, wire};
use regulus_rbg::declarations::{Player, Variable};
use regulus_scene::{Look, Scene};
use serde::Serialize;

use super::BoardGame;
use super::seat::Seat;

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

/// A game as a file: what `regulus play` saves, and what is needed to load it here.
#[derive(Serialize, Debug)]
pub struct Record<'t> {
    #[serde(flatten)]
    saved: SavedGame,
    /// Who played.
    seats: &'t [Seat],
    /// The rules, if they were uploaded.
    text: Option<&'t str>,
}

impl BoardGame {
    pub(super) fn status(&self) -> Status {
        if self.looked.is_some() {
            Status::Looking
        } else if self.is_over() {
            Status::Over
        } else if !self.is_agents_turn() {
            Status::Choosing
        } else if self.wanted().is_some() && self.fault.is_none() {
            Status::Thinking
        } else {
            Status::Paused
        }
    }

    /// The result in words, when the game is over.
    fn outcome(&self) -> Option<String> {
        if let Some(who) = self.resigned {
            return Some(format!("{} has resigned", self.game.players()[who]));
        }
        if self.head.legal().is_empty() {
            return Some(self.head.result());
        }
        self.is_final(&self.head)
            .then(|| format!("nobody: games end after {} moves here", self.limits.plies))
    }

    /// The state in a sentence.
    fn text(&self) -> String {
        let position = self.shown();
        let name = position.player_name();
        let agent = match self.seat_to_move(position) {
            Some(Seat::Agent { agent, .. }) => Some(agent),
            _ => None,
        };
        let sentence = match (self.status(), agent) {
            (Status::Over, _) => {
                format!("the game is over: {}", self.outcome().unwrap_or_default())
            }
            (Status::Looking, _) => {
                let (ply, plies) = (position.moves().len(), self.head.moves().len());
                let next = match agent {
                    _ if self.is_final(position) => "the game was over here".to_owned(),
                    None => format!("{name} to move: {}", self.entry.prompt(position)),
                    Some(agent) => format!("{name} ({agent}) to move"),
                };
                format!("after move {ply} of {plies}; {next}")
            }
            (Status::Thinking, Some(agent)) => format!("{name} ({agent}) is thinking"),
            (Status::Paused, Some(agent)) => format!("paused; {name} ({agent}) is to move"),
            _ => format!("{name} to move: {}", self.entry.prompt(position)),
        };
        match &self.fault {
            Some(fault) => format!("the agent cannot go on: {fault}; {sentence}"),
            None => sentence,
        }
    }

    /// What there is to see; with `scene` also how it is drawn.
    pub fn view(&self, scene: bool) -> View<'_> {
        let position = self.shown();
        let game = self.game.rules();
        let status = self.status();
        let can_choose = self.check_human().is_ok();
        let choices = if can_choose { self.entry.choices(position) } else { Vec::new() };
        let players = self.game.players();
        let declarations = &game.declarations;
        let scores: Vec<_> = (1..=players.len()).map(|p| Player(p as u8).score()).collect();
        let variables = (0..declarations.variables().len()).map(|i| Variable(i as u16));
        let player = position.player().checked_sub(1).filter(|_| !position.legal().is_empty());
        let moves = self.head.past().zip(self.head.moves()).enumerate();
        View {
            id: &self.id,
            revision: self.revision,
            game: GameView { name: self.game.name(), players, uploaded: self.is_uploaded },
            scene: scene.then_some(&self.picture.scene),
            pieces: scene.then_some(self.picture.pieces.as_slice()),
            board: self.entry.pieces(position).into_iter().map(|piece| piece.0).collect(),
            variables: variables
                .filter(|variable| !scores.contains(&Some(*variable)))
                .map(|variable| VariableView {
                    name: declarations.variable_name(variable),
                    value: position.variable(variable),
                })
                .collect(),
            seats: &self.seats,
            player,
            status,
            text: self.text(),
            chosen: self
                .entry
                .chosen()
                .map(|chosen| ChosenView { text: &chosen.text, vertex: chosen.vertex })
                .collect(),
            choices: choices
                .into_iter()
                .enumerate()
                .map(|(id, c)| ChoiceView { id, vertex: c.vertex, text: c.text, moves: c.moves })
                .collect(),
            ply: position.moves().len(),
            plies: self.head.moves().len(),
            moves: moves
                .map(|(i, ((player, words), steps))| MoveView {
                    ply: i + 1,
                    player: player.saturating_sub(1),
                    text: words.join(" "),
                    vertices: vertices(steps),
                })
                .collect(),
            last: position.moves().last().map(vertices).unwrap_or_default(),
            scores: self.head.legal().is_empty().then(|| self.head.scores()),
            outcome: self.outcome(),
            resigned: self.resigned,
            hint: self.hint.as_ref(),
            hinting: self.hint_wanted.is_some(),
            paused: self.paused,
            speed_ms: self.speed_ms,
        }
    }

    /// The game as a file.
    pub fn record(&self) -> Record<'_> {
        let seat = self.seats.iter().position(Seat::is_human).map_or(0, |seat| seat + 1);
        let saved = SavedGame {
            game: self.game.name().to_owned(),
            seed: self.seed,
            agent: self.adviser().to_owned(),
            seat,
            moves: self.head.moves().map(wire::text).collect(),
            scores: self.head.scores(),
            finished: self.head.legal().is_empty(),
            resigned: self.resigned.is_some(),
        };
        let text = self.is_uploaded.then(|| self.game.source().text());
        Record { saved, seats: &self.seats, text }
    }
}
