//! Whether a record can be true: its game played again by the rules.

use std::fmt;

use regulus_player::{LoadedGame, Rules, wire};

use super::compiled_contest::{rules, table};
use super::record::{BoardRecord, Outcome};

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The move, from 1; nothing if it is not about one.
    pub ply: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            Some(ply) => write!(f, "move {ply}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for Fault {}

fn fault(reason: impl Into<String>) -> Fault {
    Fault { ply: None, reason: reason.into() }
}

/// Checks records of one game.
pub struct Verifier {
    rules: Rules,
    players: usize,
}

impl Verifier {
    /// Compiles the rules.
    pub fn new(game: &LoadedGame) -> Self {
        Verifier { rules: rules(game), players: game.players().len() }
    }

    /// Plays the game of a record again: every move must be legal, every turn that of the player to
    /// move, the end and the scores those of the rules.
    pub fn verify(&self, record: &BoardRecord) -> Result<(), Fault> {
        let players = self.players;
        let seated = record.seats.iter().all(|agent| *agent < record.agents.len());
        if record.seats.len() != players || !seated {
            return Err(fault(format!("the seats are {:?}, for {players} players", record.seats)));
        }
        let turns = &record.turns;
        let moved = record.moves.len().checked_sub(record.opening);
        if !turns.is_even() || !moved.is_some_and(|m| m <= turns.len() && turns.len() <= m + 1) {
            return Err(fault("the turns do not fit the moves"));
        }
        let broken = |ply: Option<usize>| {
            move |error: regulus_reasoner::RunError| Fault { ply, reason: error.to_string() }
        };
        let mut table = match table(&self.rules) {
            Err(_) if matches!(record.outcome, Outcome::Void { .. }) => return Ok(()),
            table => table.map_err(broken(None))?,
        };
        for (i, text) in record.moves.iter().enumerate() {
            let at = Some(i + 1);
            let wrong = |reason: String| Fault { ply: at, reason };
            let steps = wire::parse(text).map_err(|why| wrong(format!("`{text}`: {why}")))?;
            if table.is_over().map_err(broken(at))? {
                return Err(wrong(format!("`{text}`: the game is over before it")));
            }
            if !table.is_legal(&steps).map_err(broken(at))? {
                let to_move = table.seat();
                return Err(wrong(format!("`{text}` is illegal (seat {to_move} is to move)")));
            }
            if let Some(seat) = i.checked_sub(record.opening).map(|turn| turns.seat[turn])
                && seat != table.seat()
            {
                return Err(wrong(format!("seat {} is to move, not seat {seat}", table.seat())));
            }
            match table.play(&steps) {
                // This is where the game was given up.
                Err(_) if matches!(record.outcome, Outcome::Void { .. }) => return Ok(()),
                played => played.map_err(broken(at))?,
            }
        }
        let scores = table.scores();
        if record.scores != scores {
            return Err(fault(format!("the scores are {scores:?}, not {:?}", record.scores)));
        }
        let is_over = table.is_over();
        match &record.outcome {
            Outcome::Finished if !is_over.map_err(broken(None))? => {
                Err(fault("the game is not over after the last move"))
            }
            Outcome::Forfeit { seat, .. } if *seat != table.seat() => Err(fault(format!(
                "seat {} was to move, not seat {seat}, who has lost",
                table.seat()
            ))),
            _ => Ok(()),
        }
    }
}
