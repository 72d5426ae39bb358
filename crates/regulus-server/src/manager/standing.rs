//! What every player has achieved so far. Takes no more memory for many games than for one.

use std::fmt;

use regulus_arena::board::{BoardRecord, Outcome};

/// The results of one player.
#[derive(Clone, PartialEq, Debug, Default)]
struct Achieved {
    name: String,
    games: u64,
    /// Games in which nobody else had more.
    first: u64,
    points: f64,
    faults: u64,
}

/// The results of all players.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    games: u64,
    void: u64,
    players: Vec<Achieved>,
}

impl Standing {
    /// Adds a game.
    pub fn add(&mut self, record: &BoardRecord) {
        self.games += 1;
        self.players.resize(record.agents.len(), Achieved::default());
        if matches!(record.outcome, Outcome::Void { .. }) {
            self.void += 1;
        }
        let results = (0..record.seats.len()).map(|seat| record.result(seat).unwrap_or(0.0));
        let best = results.fold(0.0, f64::max);
        for (seat, player) in record.seats.iter().enumerate() {
            let Some(achieved) = self.players.get_mut(*player) else { continue };
            achieved.name.clone_from(&record.agents[*player].name);
            if matches!(&record.outcome, Outcome::Forfeit { seat: loser, .. } if *loser == seat + 1)
            {
                achieved.faults += 1;
            }
            if let Some(result) = record.result(seat) {
                achieved.games += 1;
                achieved.points += result;
                achieved.first += u64::from(result >= best);
            }
        }
    }

    /// How many games there were.
    pub fn games(&self) -> u64 {
        self.games
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, {} void", self.games, self.void)?;
        for Achieved { name, games, first, points, faults } in &self.players {
            write!(
                f,
                "\n{name}: {points} points in {games} games, first in {first}, {faults} lost by a fault"
            )?;
        }
        Ok(())
    }
}
