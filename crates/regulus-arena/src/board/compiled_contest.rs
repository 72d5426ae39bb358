//! A contest of a board game with everything compiled: where its games are played.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use regulus_player::{LoadedGame, PreparedAgent, Rules, limit, wire};
use regulus_reasoner::RunError;
use regulus_reasoner::native::Operation;

use super::contest::BoardContest;
use super::playing::{Conditions, Player, play};
use super::record::{BoardRecord, Outcome, Turns};
use super::referee::{Referee, Table};
use crate::contest::{CompiledContest, Contest, GameNumber};
use crate::record::{AgentRecord, GameRecord, Record};
use crate::stop::{Stop, panic_text};
use crate::timestamp::{now, seconds};

/// A contest with everything compiled. Threads can share it.
pub struct CompiledBoardContest<'c> {
    contest: &'c BoardContest,
    /// What is the same in all records.
    id: String,
    agents: Vec<AgentRecord>,
    seatings: Vec<Vec<usize>>,
    rules: Rules,
    /// The prepared agent of every agent.
    prepared_agents: Vec<PreparedAgent>,
}

impl<'c> CompiledBoardContest<'c> {
    /// Compiles what the games of a contest need, unless other contests of the same game have done so.
    pub fn new(contest: &'c BoardContest) -> Self {
        let game = &contest.game;
        let prepared_agents = contest.agents.iter().map(|agent| PreparedAgent::new(agent, game));
        CompiledBoardContest {
            contest,
            id: contest.id(),
            agents: contest.agent_records(),
            seatings: contest.seatings(),
            prepared_agents: prepared_agents.collect(),
            rules: rules(game),
        }
    }

    /// The contest.
    pub fn contest(&self) -> &'c BoardContest {
        self.contest
    }

    /// Plays a game; nothing if it was stopped. The number must be one of the contest.
    pub fn play(&self, number: GameNumber, stop: Stop<'_>) -> Option<BoardRecord> {
        let contest = self.contest;
        let (started, start) = (now(), Instant::now());
        let seats = self.seatings[number.seating].clone();
        let mut players: Vec<Player<'_>> = (0..seats.len())
            .map(|seat| {
                let prepared_agent = &self.prepared_agents[seats[seat]];
                let seed = contest.seat_seed(number.unit, seat);
                Player::new(move || prepared_agent.searcher(seed, std::iter::empty()))
            })
            .collect();
        let conditions = Conditions {
            limits: &contest.limits,
            tolerance: contest.tolerance,
            max_plies: contest.max_plies,
        };
        let begin = AssertUnwindSafe(|| {
            let begun = self.table().and_then(|table| Ok((table, self.opening(number.unit)?)));
            begun.map_err(|error| format!("the rules cannot go on: {error}"))
        });
        let begun = catch_unwind(begin)
            .unwrap_or_else(|panic| Err(format!("the referee: {}", panic_text(&*panic))));
        let mut record = BoardRecord {
            experiment: contest.experiment.clone(),
            contest: self.id.clone(),
            unit: number.unit,
            seating: number.seating,
            game: GameRecord::of(&contest.game),
            agents: self.agents.clone(),
            seats,
            seed: contest.seed,
            budget: contest.budget.to_string(),
            limits: limit::text(&contest.limits),
            opening: 0,
            moves: Vec::new(),
            scores: Vec::new(),
            score_bounds: Vec::new(),
            outcome: Outcome::Finished,
            turns: Turns::default(),
            started,
            seconds: 0.0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        match begun {
            Err(message) => record.outcome = Outcome::Void { message },
            Ok((mut table, opening)) => {
                record.opening = opening.len();
                let played = play(table.as_mut(), opening, &mut players, &conditions, stop)?;
                record.moves = played.moves.iter().map(|steps| wire::text(steps)).collect();
                record.scores = played.scores;
                record.score_bounds = table.score_bounds();
                record.outcome = played.outcome;
                record.turns = played.turns;
            }
        }
        record.seconds = seconds(start.elapsed());
        Some(record)
    }

    /// A game that begins.
    pub fn table(&self) -> Result<Box<dyn Table + '_>, RunError> {
        table(&self.rules)
    }

    /// The random moves before the games of a unit, the last of which still leaves a move to make.
    fn opening(&self, unit: u64) -> Result<Vec<Vec<regulus_game::Step>>, RunError> {
        let mut moves = Vec::new();
        if self.contest.opening_plies == 0 {
            return Ok(moves);
        }
        let (mut random, mut table) = (self.contest.opening_random(unit), self.table()?);
        for _ in 0..self.contest.opening_plies {
            let Some(steps) = table.sample(&mut random)? else { break };
            table.play(&steps)?;
            moves.push(steps);
        }
        // An opening that ends the game is shortened until it does not.
        while !moves.is_empty() {
            let mut table = self.table()?;
            moves.iter().try_for_each(|steps| table.play(steps))?;
            if !table.is_over()? {
                break;
            }
            moves.pop();
        }
        Ok(moves)
    }
}

impl CompiledContest for CompiledBoardContest<'_> {
    fn play(&self, number: GameNumber, stop: Stop<'_>) -> Option<Box<dyn Record>> {
        Some(Box::new(self.play(number, stop)?))
    }

    /// Why some agent has its rules interpreted; nothing if all have native code.
    fn why_interpreted(&self) -> Option<&str> {
        self.prepared_agents.iter().find_map(|prepared_agent| prepared_agent.why_interpreted())
    }
}

/// The rules as a referee needs them.
pub fn rules(game: &LoadedGame) -> Rules {
    game.runnable(None, &[Operation::Keeper, Operation::Count, Operation::Nth])
}

/// A game that begins.
pub fn table(rules: &Rules) -> Result<Box<dyn Table + '_>, RunError> {
    Ok(match rules {
        Rules::Native(native) => Box::new(Referee::new(native.worker())?),
        Rules::Interpreted { rules, .. } => Box::new(Referee::new(rules.worker())?),
    })
}
