//! Flat Monte Carlo: random simulations from the initial position, without a tree (AAAI22 Table 1).

use std::time::{Duration, Instant};

use regulus_agent::Agent;
use regulus_game::{Engine, Random};
use regulus_player::{LoadedGame, Rules};
use regulus_reasoner::native::Operation;
use regulus_reasoner::{FlatCounts, Interpreter, RunError};
use regulus_search::config::Limits;
use regulus_search::{Algorithm, Asks};
use serde::{Deserialize, Serialize};

/// How many simulations are counted: the mean of the length of a game of chess is then known to 2 %.
const COUNTED: u64 = 500;

/// No more time than this is spent on counting.
const MOST_TIME: Duration = Duration::from_secs(20);

/// What the simulations of an agent are, on their own.
pub struct Flat {
    rules: Rules,
    counting: Interpreter,
    split: bool,
}

/// What was measured.
pub struct FlatResult {
    /// Simulations.
    pub simulations: u64,
    /// Their nodal states.
    pub nodal_states: u64,
    /// How long they took.
    pub time: Duration,
    /// What some of them compute in detail.
    pub counts: FlatRecord,
}

/// What some simulations compute: those that are timed do not list what they draw from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FlatRecord {
    /// Simulations that were counted.
    pub simulations: u64,
    /// States between moves.
    pub nodal_states: u64,
    /// All states, inside moves and dead ones included.
    pub states: u64,
    /// Moves or semimoves that were listed.
    pub moves: u64,
}

impl Flat {
    /// The simulations of an agent in a game.
    ///
    /// # Errors
    /// Its simulations are not random games.
    pub fn new(agent: &Agent, game: &LoadedGame) -> Result<Self, String> {
        let split = is_split(&agent.search)
            .ok_or_else(|| format!("the simulations of {} are no random games", agent.name))?;
        let strategy = agent.split.filter(|_| split);
        let operation = if split { Operation::SplitPlayout } else { Operation::Playout };
        let counting = match strategy {
            Some(strategy) => Interpreter::new(game.with_split(strategy).rules()),
            None => Interpreter::new(game.rules()),
        };
        Ok(Flat { rules: game.runnable(strategy, &[operation]), counting, split })
    }

    /// Why it is slow, if it is.
    pub fn why_interpreted(&self) -> Option<&str> {
        match &self.rules {
            Rules::Native(_) => None,
            Rules::Interpreted { why, .. } => Some(why),
        }
    }

    /// Simulates within limits, then counts.
    pub fn run(&self, limits: &Limits, seed: u64) -> Result<FlatResult, RunError> {
        let random = Random::new(seed);
        let (simulations, nodal_states, time) = match &self.rules {
            Rules::Native(native) => self.simulate(&mut native.worker(), limits, random.fork(0)),
            Rules::Interpreted { rules, .. } => {
                self.simulate(&mut rules.worker(), limits, random.fork(0))
            }
        }?;
        let counts = self.count(random.fork(1))?;
        Ok(FlatResult { simulations, nodal_states, time, counts })
    }

    fn simulate<E: Engine<Error = RunError>>(
        &self,
        engine: &mut E,
        limits: &Limits,
        mut random: Random,
    ) -> Result<(u64, u64, Duration), RunError> {
        let initial = engine.initial();
        let mut state = initial.clone();
        let (mut simulations, mut states) = (0, 0);
        let start = Instant::now();
        // Looking at the clock costs as much as a short game.
        let mut batch = 1;
        loop {
            for _ in 0..batch {
                let enough = limits.simulations.is_some_and(|most| simulations >= most)
                    || limits.states.is_some_and(|most| states >= most);
                if enough {
                    return Ok((simulations, states, start.elapsed()));
                }
                state.clone_from(&initial);
                states += engine.playout(&mut state, self.split, &mut random)?;
                simulations += 1;
            }
            let elapsed = start.elapsed();
            match limits.time {
                Some(time) if elapsed >= time => return Ok((simulations, states, elapsed)),
                Some(time) if elapsed < time / 16 => batch *= 2,
                _ => {}
            }
        }
    }

    /// Counts what simulations compute, with the reference of all engines.
    fn count(&self, mut random: Random) -> Result<FlatRecord, RunError> {
        let mut worker = self.counting.worker();
        let initial = worker.initial();
        let mut counts = FlatCounts::default();
        let start = Instant::now();
        while counts.playouts < COUNTED && (counts.playouts == 0 || start.elapsed() < MOST_TIME) {
            counts.play(&mut worker, &mut initial.clone(), self.split, &mut random)?;
        }
        Ok(FlatRecord {
            simulations: counts.playouts,
            nodal_states: counts.nodal_states,
            states: counts.states,
            moves: counts.moves,
        })
    }
}

/// True if simulations draw semimoves, false if they draw moves; nothing if they are no random games.
fn is_split(search: &Algorithm) -> Option<bool> {
    match search.asks() {
        Asks::Playouts => Some(false),
        Asks::SplitPlayouts => Some(true),
        Asks::Groups | Asks::Draws | Asks::Nothing => None,
    }
}
