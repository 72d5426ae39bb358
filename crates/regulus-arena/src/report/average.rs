//! Averages over games, as in the papers' tables.

use serde::Serialize;

use super::cell::{Cell, Standing};
use crate::statistics::Trinomial;
use crate::statistics::normal::Z95;

/// A cell with fewer units says too little about its own variance: with a single pair that is often none at all.
/// There the variance of a game is that of all games of the average.
const ENOUGH_UNITS: u64 = 4;

/// How an agent does against another over several games with one limit: `72.17 (11:2:2)` in THESIS Table
/// 5.2 is the mean of the win rates of 15 games and the numbers of games in which it is better, similar
/// and worse.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Average {
    /// The agent.
    pub agent: String,
    /// Whom it played against.
    pub against: String,
    /// What they could use for a move.
    pub limit: String,
    /// How many games (by name) have results; each counts the same.
    pub games: usize,
    /// How many there should be.
    pub expected_games: usize,
    /// The mean of the win rates.
    pub rate: f64,
    /// Its standard error. The games are those that were chosen, not a sample of all games, so what is
    /// uncertain is the win rate in each: the errors of the games, added as independent ones.
    pub standard_error: f64,
    /// Half the length of the 95 % interval.
    pub error: f64,
    /// In how many games it is better.
    pub better: usize,
    /// In how many games it is similar.
    pub similar: usize,
    /// In how many games it is worse.
    pub worse: usize,
}

impl Average {
    /// What this average proves.
    pub fn standing(&self) -> Standing {
        let interval = crate::statistics::normal_interval(self.rate, self.standard_error, Z95);
        Standing::of(interval, 0.5)
    }
}

/// The averages of all pairs and limits, in the order in which cells mention them. Only games for two
/// players have win rates.
pub fn averages(cells: &[Cell], expected_games: usize) -> Vec<Average> {
    let mut found: Vec<(Average, Variance)> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.players == 2) {
        let (Some(rate), Some(error)) = (cell.rate, cell.standard_error) else { continue };
        let same = |(a, _): &(Average, Variance)| {
            a.agent == cell.agent && a.against == cell.against && a.limit == cell.limit
        };
        let index = found.iter().position(same).unwrap_or_else(|| {
            let average = Average {
                agent: cell.agent.clone(),
                against: cell.against.clone(),
                limit: cell.limit.clone(),
                games: 0,
                expected_games,
                rate: 0.0,
                standard_error: 0.0,
                error: 0.0,
                better: 0,
                similar: 0,
                worse: 0,
            };
            found.push((average, Variance::default()));
            found.len() - 1
        });
        let (average, variance) = &mut found[index];
        average.games += 1;
        average.rate += rate;
        variance.add(cell, error);
        match cell.standing {
            Some(Standing::Better) => average.better += 1,
            Some(Standing::Worse) => average.worse += 1,
            _ => average.similar += 1,
        }
    }
    let finish = |(mut average, variance): (Average, Variance)| {
        let games = average.games as f64;
        average.rate /= games;
        average.standard_error = variance.sum().sqrt() / games;
        average.error = Z95 * average.standard_error;
        average
    };
    found.into_iter().map(finish).collect()
}

/// The variances of the win rates of an average, added up.
#[derive(Default)]
struct Variance {
    /// Those of cells that know their own.
    known: f64,
    /// For the others, 1 / games.
    unknown: f64,
    /// All games.
    results: Trinomial,
}

impl Variance {
    fn add(&mut self, cell: &Cell, error: f64) {
        if let Some(Trinomial { wins, draws, losses }) = cell.results {
            self.results.wins += wins;
            self.results.draws += draws;
            self.results.losses += losses;
        }
        match cell.units < ENOUGH_UNITS && cell.games > 0 {
            true => self.unknown += 1.0 / cell.games as f64,
            false => self.known += error * error,
        }
    }

    fn sum(&self) -> f64 {
        let error = self.results.score().map_or(0.0, |score| score.standard_error);
        let of_a_game = error * error * self.results.games() as f64;
        self.known + self.unknown * of_a_game
    }
}
