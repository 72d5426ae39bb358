//! Figures from a publication beside ours.

use serde::Serialize;

use super::average::Average;
use super::cell::Cell;
use super::speed::Speed;
use crate::experiment::Published;
use crate::statistics::Interval;
use crate::statistics::normal::Z95;

/// What a figure measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// A win rate in percent.
    WinRate,
    /// Nodal states per second.
    StatesPerS,
    /// Simulations per second.
    SimulationsPerS,
    /// How many times as fast as the baseline.
    SpeedUp,
    /// Memory of a search, in units of 2^20 bytes.
    MemoryMib,
    /// Nodal states of a simulation.
    NodalStatesPerSimulation,
    /// All states of a simulation.
    StatesPerSimulation,
    /// Moves or semimoves for every state.
    Branching,
}

impl Measure {
    /// The measure in words.
    pub fn words(self) -> &'static str {
        match self {
            Measure::WinRate => "win rate, %",
            Measure::StatesPerS => "states/s",
            Measure::SimulationsPerS => "simulations/s",
            Measure::SpeedUp => "speed-up",
            Measure::MemoryMib => "memory, MiB",
            Measure::NodalStatesPerSimulation => "nodal states/simulation",
            Measure::StatesPerSimulation => "all states/simulation",
            Measure::Branching => "branching factor",
        }
    }
}

/// A published figure and ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The game; nothing for the average over games.
    pub game: Option<String>,
    /// The agent.
    pub agent: String,
    /// Its opponent, if there is one.
    pub against: Option<String>,
    /// The limit.
    pub limit: String,
    /// What is measured.
    pub measure: Measure,
    /// The published figure.
    pub published: f64,
    /// Half the length of its 95 % interval, if that is published.
    pub published_error: Option<f64>,
    /// In how many games the agent was better, similar and worse, with an average.
    pub published_counts: Option<[u64; 3]>,
    /// Our figure, if there is one.
    pub ours: Option<f64>,
    /// Half the length of its 95 % interval.
    pub our_error: Option<f64>,
    /// Of an average: over how many of how many games ours is.
    pub coverage: Option<[usize; 2]>,
    /// Ours minus the published one, for win rates.
    pub difference: Option<f64>,
    /// The same in standard errors of the difference; the published figure counts as exact if it has no
    /// error.
    pub deviation: Option<f64>,
    /// Ours divided by the published one, for speeds, which depend on the machine.
    pub ratio: Option<f64>,
}

/// Half the length of an interval, in percent. That of Wilson is used where all games ended alike and the
/// normal one has no length.
fn half(error: Option<f64>, interval: Option<Interval>) -> Option<f64> {
    let wilson = interval.map(|i| (i.high - i.low) / 2.0);
    error.filter(|error| *error > 0.0).or(wilson).map(|half| 100.0 * half)
}

/// All published figures beside ours.
pub fn compare(
    published: &[Published],
    cells: &[Cell],
    averages: &[Average],
    speeds: &[Speed],
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for figure in published {
        let against = figure.against.as_deref().unwrap_or_default();
        let base = |measure, published| Comparison {
            game: figure.game.clone(),
            agent: figure.agent.clone(),
            against: figure.against.clone(),
            limit: figure.limit.clone(),
            measure,
            published,
            published_error: None,
            published_counts: None,
            ours: None,
            our_error: None,
            coverage: None,
            difference: None,
            deviation: None,
            ratio: None,
        };
        if let Some(win_rate) = figure.win_rate {
            let mut comparison = base(Measure::WinRate, win_rate);
            comparison.published_error = figure.error;
            comparison.published_counts = figure.counts;
            let is_meant = |agent: &str, other: &str, limit: &str| {
                agent == figure.agent && other == against && limit == figure.limit
            };
            match &figure.game {
                Some(game) => {
                    let cell = cells
                        .iter()
                        .find(|c| c.game == *game && is_meant(&c.agent, &c.against, &c.limit));
                    comparison.ours = cell.and_then(|c| c.rate).map(|rate| 100.0 * rate);
                    comparison.our_error = cell.and_then(|c| half(c.error, c.interval));
                }
                None => {
                    let average =
                        averages.iter().find(|a| is_meant(&a.agent, &a.against, &a.limit));
                    comparison.ours = average.map(|a| 100.0 * a.rate);
                    comparison.our_error = average.map(|a| 100.0 * a.error);
                    comparison.coverage = average.map(|a| [a.games, a.expected_games]);
                }
            }
            comparison.judge();
            comparisons.push(comparison);
        }
        let speed = speeds.iter().find(|s| {
            figure.game.as_ref() == Some(&s.game)
                && s.agent == figure.agent
                && s.limit == figure.limit
        });
        let measures = [
            (Measure::StatesPerS, figure.states_per_s, speed.map(|s| s.states_per_s)),
            (
                Measure::SimulationsPerS,
                figure.simulations_per_s,
                speed.map(|s| s.simulations_per_s),
            ),
            (Measure::SpeedUp, figure.speed_up, speed.and_then(|s| s.speed_up)),
            (Measure::MemoryMib, figure.memory_mib, speed.and_then(|s| s.memory_mib)),
            (
                Measure::NodalStatesPerSimulation,
                figure.nodal_states_per_simulation,
                speed.and_then(|s| s.nodal_states_per_simulation),
            ),
            (
                Measure::StatesPerSimulation,
                figure.states_per_simulation,
                speed.and_then(|s| s.states_per_simulation),
            ),
            (Measure::Branching, figure.branching, speed.and_then(|s| s.branching)),
        ];
        for (measure, theirs, ours) in measures {
            let Some(theirs) = theirs else { continue };
            let ratio = ours.filter(|_| theirs > 0.0).map(|ours| ours / theirs);
            comparisons.push(Comparison { ours, ratio, ..base(measure, theirs) });
        }
    }
    comparisons
}

/// A difference of more than this number of standard errors is marked: chance does that once in twenty times.
pub const FAR: f64 = 1.96;

/// A difference in standard errors, by half the lengths of the 95 % intervals of both sides; nothing if both are exact.
pub fn deviation(difference: f64, errors: [Option<f64>; 2]) -> Option<f64> {
    let squared = |error: Option<f64>| (error.unwrap_or(0.0) / Z95).powi(2);
    let error = errors.map(squared).iter().sum::<f64>().sqrt();
    (error > 0.0).then(|| difference / error)
}

impl Comparison {
    /// Fills in the difference.
    fn judge(&mut self) {
        let Some(ours) = self.ours else { return };
        let difference = ours - self.published;
        self.difference = Some(difference);
        self.deviation = deviation(difference, [self.our_error, self.published_error]);
    }
}

/// The published win rate of a game, or of the average without one.
pub fn win_rate<'c>(
    comparisons: &'c [Comparison],
    game: Option<&str>,
    agent: &str,
    against: &str,
    limit: &str,
) -> Option<&'c Comparison> {
    comparisons.iter().find(|c| {
        c.measure == Measure::WinRate
            && c.game.as_deref() == game
            && c.agent == agent
            && c.against.as_deref() == Some(against)
            && c.limit == limit
    })
}
