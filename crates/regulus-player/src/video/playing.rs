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
    /// For an action. One that comes later is not played: nothing is done in its tick.
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

/// An action that came too late to be played, but before its agent was disqualified: "the framework assigns the
/// ACTION_NIL for the current game cycle" (GVGAI-THESIS Table 2.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LateAction {
    /// In which tick.
    pub tick: i32,
    /// What the agent wanted to do.
    pub action: Action,
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
    /// Actions that came too late to be played.
    pub late: Vec<LateAction>,
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

/// When an action has come.
enum Arrival {
    InTime,
    /// After its time, within the grace.
    Late,
    /// After the grace.
    TooLate,
}

impl Conditions {
    /// What the time that an agent took means.
    fn arrival(&self, limits: &Limits, took: Duration) -> Arrival {
        match limits.time {
            Some(time) if took > time + self.grace => Arrival::TooLate,
            Some(time) if took > time => Arrival::Late,
            _ => Arrival::InTime,
        }
    }
}

/// Plays a game. `watch` sees every state after a tick, with the decision before it, whose action is the one that was
/// played; the game is given up, with nothing as the result, when it says false.
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
        late: Vec::new(),
        iterations: Vec::new(),
        model_ticks: 0,
        slowest: Duration::ZERO,
        thinking: Duration::ZERO,
    };
    let start = Instant::now();
    pilot.begin(game.recorder.state(), &conditions.initialisation);
    let took = start.elapsed();
    if let Arrival::TooLate = conditions.arrival(&conditions.initialisation, took) {
        game.disqualified = Some(Disqualification { tick: -1, took });
    }
    while game.disqualified.is_none() && !game.recorder.state().is_over() {
        let state = game.recorder.state();
        rest(pilot.pause());
        let start = Instant::now();
        let mut decision = pilot.act(state, &conditions.action);
        let took = start.elapsed();
        game.iterations.push(decision.iterations);
        game.model_ticks += decision.ticks;
        game.slowest = game.slowest.max(took);
        game.thinking += took;
        let tick = state.tick();
        match conditions.arrival(&conditions.action, took) {
            Arrival::InTime => {}
            Arrival::Late => {
                game.late.push(LateAction { tick, action: decision.action, took });
                decision.action = Action::Nil;
            }
            Arrival::TooLate => {
                game.disqualified = Some(Disqualification { tick, took });
                break;
            }
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
