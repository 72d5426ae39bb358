//! Who plays which board game, and how: everything that results depend on.

use std::sync::Arc;
use std::time::Duration;

use regulus_agent::Agent;
use regulus_game::Random;
use regulus_player::{LoadedGame, limit};
use regulus_search::config::Limits;
use serde_json::json;

use super::compiled_contest::CompiledBoardContest;
use crate::budget::Budget;
use crate::contest::{CompiledContest, Contest, GameNumber, short_hash};
use crate::record::AgentRecord;

/// A contest of a board game: who plays it, and how.
#[derive(Clone, Debug)]
pub struct BoardContest {
    /// The name of what it is a part of.
    pub experiment: String,
    /// The game.
    pub game: Arc<LoadedGame>,
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

/// See [`BoardContest::tolerance`].
pub const TOLERANCE: Duration = Duration::from_millis(100);

/// See [`BoardContest::max_plies`].
pub const MAX_PLIES: usize = 10_000;

/// What seeds are drawn for, as parts of the seed of a unit.
const OPENING: u64 = 0;
const AGENTS: u64 = 1;

impl BoardContest {
    /// A contest; limits must be those of the budget. Says why the agents cannot play this game.
    pub fn new(
        game: Arc<LoadedGame>,
        agents: Vec<Agent>,
        budget: Budget,
        limits: Limits,
        seed: u64,
    ) -> Result<Self, String> {
        let (players, count) = (game.players().len(), agents.len());
        if count == 0 || (players > 1 && players != count) {
            return Err(format!(
                "{} is a game for {players}: give {players} agents, not {count}",
                game.name()
            ));
        }
        for agent in &agents {
            let checked = agent.search.validate_for(players, &limits);
            checked.map_err(|refusal| format!("{}: {refusal}", agent.name))?;
        }
        Ok(BoardContest {
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
        if self.game.players().len() == 1 {
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
        self.agents.iter().map(|agent| AgentRecord::new(&agent.name, agent)).collect()
    }
}

impl Contest for BoardContest {
    fn id(&self) -> String {
        let agents = self.agent_records();
        let description = json!({
            "experiment": self.experiment,
            "game": self.game.sha256(),
            "agents": agents,
            "budget": self.budget.to_string(),
            "limits": limit::text(&self.limits),
            "buffer": self.limits.buffer.as_micros() as u64,
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "tolerance": self.tolerance.as_micros() as u64,
            "max_plies": self.max_plies,
        });
        short_hash(&description)
    }

    fn is_timed(&self) -> bool {
        self.limits.time.is_some()
    }

    fn wants_quiet(&self) -> bool {
        false
    }

    fn search_threads(&self) -> usize {
        let threads = self.agents.iter().map(|agent| agent.search.usual_threads());
        threads.max().unwrap_or(1)
    }

    fn compile<'c>(&'c self) -> Box<dyn CompiledContest + 'c> {
        Box::new(CompiledBoardContest::new(self))
    }
}
