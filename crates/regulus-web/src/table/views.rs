//! What there is to see.

use regulus_player::{SavedGame, wire};
use regulus_rbg::declarations::{Player, Variable};
use serde::Serialize;

use super::Table;
use crate::seat::Seat;
use crate::view::{
    ChoiceView, ChosenView, GameView, MoveView, Status, VariableView, View, vertices,
};

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

impl Table {
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
            return Some(format!("{} has resigned", self.setting.players()[who]));
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
        let game = self.setting.game();
        let status = self.status();
        let can_choose = self.check_human().is_ok();
        let choices = if can_choose { self.entry.choices(position) } else { Vec::new() };
        let players = self.setting.players();
        let declarations = &game.declarations;
        let scores: Vec<_> = (1..=players.len()).map(|p| Player(p as u8).score()).collect();
        let variables = (0..declarations.variables().len()).map(|i| Variable(i as u16));
        let player = position.player().checked_sub(1).filter(|_| !position.legal().is_empty());
        let moves = self.head.past().zip(self.head.moves()).enumerate();
        View {
            id: &self.id,
            revision: self.revision,
            game: GameView {
                name: &self.setting.name,
                players,
                uploaded: self.setting.text.is_some(),
            },
            scene: scene.then_some(&self.setting.picture.scene),
            pieces: scene.then_some(self.setting.picture.pieces.as_slice()),
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
            game: self.setting.name.clone(),
            seed: self.seed,
            agent: self.adviser().to_owned(),
            seat,
            moves: self.head.moves().map(wire::text).collect(),
            scores: self.head.scores(),
            finished: self.head.legal().is_empty(),
            resigned: self.resigned.is_some(),
        };
        Record { saved, seats: &self.seats, text: self.setting.text.as_deref() }
    }
}
