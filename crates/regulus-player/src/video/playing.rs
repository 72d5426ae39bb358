//! A whole game under the conditions of the competition (GVGAI-THESIS 2.2).

use std::time::{Duration, Instant};

use regulus_search::config::Limits;
use regulus_search::video::Decision;
use regulus_vgdl::{Action, State, Winner};

use super::level::VideoLevel;
use super::pilot::Pilot;
use super::replay::Recorder;

/// What an agent may use.
#[derive(Clone, PartialEq, Debug)]
pub struct Conditions {
    /// For an action.
    pub action: Limits,
    /// Before the first.
    pub initialisation: Limits,
    /// Who takes longer than the time of an action by more than this is disqualified.
    pub grace: Duration,
}

impl Default for Conditions {
    /// Those of the competition: 40 ms for an action, one second before the first, 10 ms of patience. An agent
    /// keeps back 5 ms of its time, as in Algorithm 3.1.
    fn default() -> Self {
        let buffer = Duration::from_millis(5);
        let limits = |time| Limits { buffer, ..Limits::time(Duration::from_millis(time)) };
        Conditions {
            action: limits(40),
            initialisation: limits(1000),
            grace: Duration::from_millis(10),
        }
    }
}

/// An agent took too long.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Disqualification {
    /// In which tick; -1 before the first.
    pub tick: i32,
    /// How long it took.
    pub took: Duration,
}

/// The score of who was disqualified.
pub const DISQUALIFIED_SCORE: i32 = -1000;

/// A game that is over.
pub struct Played {
    /// All of it.
    pub recorder: Recorder,
    /// Whether it was won.
    pub won: bool,
    /// The score that counts: a win has at least 1, a disqualification -1000.
    pub score: i32,
    /// Whether the agent took too long.
    pub disqualified: Option<Disqualification>,
    /// Iterations of every action.
    pub iterations: Vec<u64>,
    /// Ticks of the forward model, all together.
    pub model_ticks: u64,
    /// The longest time for an action.
    pub slowest: Duration,
    /// All time for actions.
    pub thinking: Duration,
}

/// The longest rest before an action.
const REST: Duration = Duration::from_millis(10);

/// Lets others go first, between actions, where no clock runs. A scheduler stops who has computed for long in favour of
/// others, and the longer the more there are; who was stopped lately rests for as long, and begins the action
/// without a debt. On a machine with nothing else to do there is no rest.
fn rest(pause: Duration) {
    const SHORT: Duration = Duration::from_millis(1);
    if pause < SHORT {
        std::thread::yield_now();
    } else {
        std::thread::sleep(pause.min(REST));
    }
}

/// Plays a game. `watch` sees every state after a tick, with the decision before it; the game is given up, with
/// nothing as the result, when it says false.
pub fn play(
    level: &VideoLevel,
    seed: u64,
    pilot: &mut Pilot,
    conditions: &Conditions,
    watch: &mut dyn FnMut(&State, &Decision<Action>) -> bool,
) -> Option<Played> {
    let mut game = Played {
        recorder: Recorder::new(level, seed),
        won: false,
        score: 0,
        disqualified: None,
        iterations: Vec::new(),
        model_ticks: 0,
        slowest: Duration::ZERO,
        thinking: Duration::ZERO,
    };
    let late = |limits: &Limits, took: Duration| {
        limits.time.is_some_and(|time| took > time + conditions.grace)
    };
    let start = Instant::now();
    pilot.begin(game.recorder.state(), &conditions.initialisation);
    let took = start.elapsed();
    if late(&conditions.initialisation, took) {
        game.disqualified = Some(Disqualification { tick: -1, took });
    }
    while game.disqualified.is_none() && !game.recorder.state().is_over() {
        let state = game.recorder.state();
        rest(pilot.pause());
        let start = Instant::now();
        let decision = pilot.act(state, &conditions.action);
        let took = start.elapsed();
        game.iterations.push(decision.iterations);
        game.model_ticks += decision.ticks;
        game.slowest = game.slowest.max(took);
        game.thinking += took;
        if late(&conditions.action, took) {
            game.disqualified = Some(Disqualification { tick: state.tick(), took });
            break;
        }
        game.recorder.advance(decision.action);
        if !watch(game.recorder.state(), &decision) {
            return None;
        }
    }
    let state = game.recorder.state();
    game.won = game.disqualified.is_none() && state.winner() == Winner::Won;
    game.score = match game.disqualified {
        Some(_) => DISQUALIFIED_SCORE,
        None if game.won => state.score().max(1),
        None => state.score(),
    };
    Some(game)
}
