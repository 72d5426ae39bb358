//! What is told about the games of a contest, as plain data.

use serde::Serialize;

use crate::record::Reason;
use crate::statistics::{Bounds, Interval, Mean, Pentanomial, Sprt, Trinomial, Verdict};

/// Results on one seat.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct SeatSummary {
    /// Won, drawn and lost, with two players.
    #[serde(flatten, skip_serializing_if = "Trinomial::is_empty")]
    pub results: Trinomial,
    /// Results from 0 to 1.
    pub score: Mean,
}

/// One agent in all its games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AgentSummary {
    /// The name.
    pub name: String,
    /// Results on every seat.
    pub seats: Vec<SeatSummary>,
    /// Results on all seats.
    pub total: SeatSummary,
    /// The mean result per unit, over units of which all games count.
    pub units: Mean,
    /// The 95 % interval of the mean result, from units if there are some, else from games.
    pub interval: Option<Interval>,
    /// Games in which nobody has a higher score.
    pub first_places: u64,
    /// Turns.
    pub turns: u64,
    /// Nodal states per second.
    pub states_per_s: f64,
    /// Simulations per second.
    pub simulations_per_s: f64,
    /// The time of a turn in the mean.
    pub mean_turn_seconds: f64,
    /// Games lost because a move took too long.
    pub timeouts: u64,
    /// Games lost by an illegal move, by failing or crashing.
    pub failures: u64,
    #[serde(skip)]
    pub(crate) iterations: u64,
    #[serde(skip)]
    pub(crate) nodal_states: u64,
    #[serde(skip)]
    pub(crate) seconds: f64,
}

/// The move that took longest.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SlowestMove {
    /// The name of the agent.
    pub agent: String,
    /// How long.
    pub seconds: f64,
    /// The unit of its game.
    pub unit: u64,
    /// The seating of its game.
    pub seating: usize,
    /// Which move of the game, from 1.
    pub ply: usize,
}

/// A win rate with its intervals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct WinRate {
    /// The rate, draws counting half.
    pub rate: f64,
    /// Half the length of the normal 95 % interval.
    pub error: f64,
    /// Wilson's 95 % interval.
    pub wilson: Interval,
}

/// A difference on the Elo scale; what is infinite is `null` in JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The difference.
    pub difference: f64,
    /// Half the length of its 95 % interval.
    pub error: f64,
    /// The interval that belongs to Wilson's.
    pub interval: Interval,
}

/// How a sequential test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtReport {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where it ends.
    pub bounds: Bounds,
    /// The decision.
    pub verdict: Verdict,
}

/// How an agent has lost other than by the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FaultReport {
    /// The name of the agent.
    pub agent: String,
    /// Why.
    pub reason: Reason,
    /// The same in words.
    pub message: String,
}

/// Everything that is told about the games of one contest.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchReport {
    /// The name of the game.
    pub game: String,
    /// The agents.
    pub agents: Vec<AgentSummary>,
    /// Games that count.
    pub games: u64,
    /// Games that count for nobody.
    pub void: u64,
    /// Why the first of them does not count.
    pub void_reason: Option<String>,
    /// How the first agent did against the second, with two players.
    pub win_rate: Option<WinRate>,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points for the first agent, with two players.
    pub pairs: Option<Pentanomial>,
    /// The difference between the first agent and the second, with two players.
    pub elo: Option<Elo>,
    /// How probable it is that the first agent is the stronger one, with two players.
    pub los: Option<f64>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtReport>,
    /// Moves in a game.
    pub length: Mean,
    /// How many games differ from all others in their moves.
    pub distinct_games: usize,
    /// The move that took longest.
    pub slowest_move: Option<SlowestMove>,
    /// How games were lost other than by the rules: the first few.
    pub faults: Vec<FaultReport>,
}
