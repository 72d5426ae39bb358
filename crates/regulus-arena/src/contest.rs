//! Who plays what, and how: everything that results depend on.

use std::sync::Arc;
use std::time::Duration;

use regulus_agent::Agent;
use regulus_game::Random;
use regulus_player::limit;
use regulus_rbg::Game;
use regulus_scene::Hints;
use regulus_search::config::Limits;
use serde_json::json;

use crate::budget::Budget;
use crate::record::{AgentRecord, GameRecord};
use regulus_player::sha256;

/// A game with its name and the hash of its text.
#[derive(Clone, Debug)]
pub struct GameText {
    /// Name and hash, as they are recorded.
    pub record: GameRecord,
    /// The game; contests of an experiment share it.
    pub game: Arc<Game>,
    /// What its text says about how it is drawn.
    pub hints: Arc<Hints>,
}

impl GameText {
    /// A game by its name, the file it came from if it is not built in, and its text.
    pub fn new(name: &str, file: Option<&str>, text: &str, game: Game) -> Self {
        let file = file.map(str::to_owned);
        GameText {
            record: GameRecord { name: name.to_owned(), file, sha256: sha256(text) },
            game: Arc::new(game),
            hints: Arc::new(Hints::read(text)),
        }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.game.declarations.players().len()
    }
}

/// Which game of a contest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameNumber {
    /// The unit, from 0.
    pub unit: u64,
    /// Which of [`Contest::seatings`].
    pub seating: usize,
}

/// A contest: who plays what, and how. Games of it are named by [`GameNumber`].
#[derive(Clone, Debug)]
pub struct Contest {
    /// The name of what it is a part of.
    pub experiment: String,
    /// The game.
    pub game: GameText,
    /// The agents.
    pub agents: Vec<Agent>,
    /// What an agent may use for a move, as it was asked for.
    pub budget: Budget,
    /// The same as limits: what was measured for it is in here.
    pub limits: Limits,
    /// What all random numbers come from.
    pub seed: u64,
    /// How many moves are drawn at random before the agents play.
    pub opening_plies: usize,
    /// How much longer than the time limit a move may take before the game is lost.
    pub tolerance: Duration,
    /// A game with more moves is given up.
    pub max_plies: usize,
}

/// See [`Contest::tolerance`].
pub const TOLERANCE: Duration = Duration::from_millis(100);

/// See [`Contest::max_plies`].
pub const MAX_PLIES: usize = 10_000;

/// What seeds are drawn for, as parts of the seed of a unit.
const OPENING: u64 = 0;
const AGENTS: u64 = 1;

impl Contest {
    /// The most threads that the search of an agent has.
    pub fn search_threads(&self) -> usize {
        let threads = self.agents.iter().map(|agent| agent.search.usual_threads());
        threads.max().unwrap_or(1)
    }

    /// A contest; limits must be those of the budget. Says why the agents cannot play this game.
    pub fn new(
        game: GameText,
        agents: Vec<Agent>,
        budget: Budget,
        limits: Limits,
        seed: u64,
    ) -> Result<Self, String> {
        let (players, count) = (game.players(), agents.len());
        if count == 0 || (players > 1 && players != count) {
            return Err(format!(
                "{} is a game for {players}: give {players} agents, not {count}",
                game.record.name
            ));
        }
        for agent in &agents {
            let checked = agent.search.validate_for(players, &limits);
            checked.map_err(|refusal| format!("{}: {refusal}", agent.name))?;
        }
        Ok(Contest {
            experiment: "match".to_owned(),
            game,
            agents,
            budget,
            limits,
            seed,
            opening_plies: 0,
            tolerance: TOLERANCE,
            max_plies: MAX_PLIES,
        })
    }

    /// The seatings of one unit, each with the number of the agent on every seat: all rotations, which
    /// for two players is both ways round. A game for one player is played by every agent in turn.
    pub fn seatings(&self) -> Vec<Vec<usize>> {
        let count = self.agents.len();
        if self.game.players() == 1 {
            return (0..count).map(|agent| vec![agent]).collect();
        }
        (0..count).map(|first| (0..count).map(|seat| (first + seat) % count).collect()).collect()
    }

    /// How many games a unit has.
    pub fn games_per_unit(&self) -> usize {
        self.agents.len()
    }

    /// The `index`-th game, unit by unit.
    pub fn number(&self, index: u64) -> GameNumber {
        let per_unit = self.games_per_unit() as u64;
        GameNumber { unit: index / per_unit, seating: (index % per_unit) as usize }
    }

    /// The random numbers for the opening of a unit.
    pub fn opening_random(&self, unit: u64) -> Random {
        Random::new(self.seed).fork(unit).fork(OPENING)
    }

    /// The seed of whoever has a seat (from 0) in the games of a unit. It belongs to the seat, not to the
    /// agent: the games of a unit differ by the agents and by nothing else.
    pub fn seat_seed(&self, unit: u64, seat: usize) -> u64 {
        Random::new(self.seed).fork(unit).fork(AGENTS).fork(seat as u64).bits()
    }

    /// The agents as they are recorded.
    pub fn agent_records(&self) -> Vec<AgentRecord> {
        self.agents.iter().map(AgentRecord::new).collect()
    }

    /// A name for everything that results depend on: records of the same contest have the same. Together
    /// with the number of a game it names a record.
    pub fn id(&self) -> String {
        let agents = self.agent_records();
        let description = json!({
            "experiment": self.experiment,
            "game": self.game.record.sha256,
            "agents": agents,
            "budget": self.budget.to_string(),
            "limits": limit::text(&self.limits),
            "buffer": self.limits.buffer.as_micros() as u64,
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "tolerance": self.tolerance.as_micros() as u64,
            "max_plies": self.max_plies,
        });
        let mut hash = sha256(&description.to_string());
        hash.truncate(16);
        hash
    }
}
