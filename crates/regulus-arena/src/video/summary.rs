//! What runs say about agents, derived from records.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ranking::{Ranked, Tally, rank};
use super::record::{VideoOutcome, VideoRecord};
use crate::record::FAULTS_TOLD;
use crate::statistics::{Interval, Mean, Trinomial};

/// Some games that results are added up over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", content = "name", rename_all = "lowercase")]
pub enum Scope {
    /// All games.
    All,
    /// A set of games that has a name.
    Set(String),
    /// One game.
    Game(String),
}

impl Scope {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Scope::All => "all games",
            Scope::Set(name) | Scope::Game(name) => name,
        }
    }
}

/// Some games with a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameSet {
    /// The name.
    pub name: String,
    /// The names of the games.
    pub games: Vec<String>,
}

/// The results of an agent in a level.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LevelResult {
    /// The level.
    pub level: String,
    /// Runs.
    pub runs: u64,
    /// Runs that were won.
    pub wins: u64,
}

/// How an agent did with a limit in some games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VideoResult {
    /// In which games.
    pub scope: Scope,
    /// The agent.
    pub agent: String,
    /// What it could use for an action.
    pub limit: String,
    /// Games with runs.
    pub games: usize,
    /// Runs.
    pub runs: u64,
    /// Runs that were won.
    pub wins: u64,
    /// The part of the runs that were won.
    pub rate: f64,
    /// Half the length of its normal 95 % interval, as in the tables of GVGAI-THESIS.
    pub error: f64,
    /// Wilson's 95 % interval.
    pub interval: Interval,
    /// The score in the mean.
    pub score: f64,
    /// Half the length of its 95 % interval; nothing with one run.
    pub score_error: Option<f64>,
    /// Ticks of a run in the mean.
    pub ticks: f64,
    /// Iterations for an action: the mean of the means of the runs.
    pub iterations: f64,
    /// Half the length of its 95 % interval; nothing with one run.
    pub iterations_error: Option<f64>,
    /// The fewest iterations for an action.
    pub iterations_min: u64,
    /// The most iterations for an action.
    pub iterations_max: u64,
    /// Ticks of the forward model per second.
    pub model_ticks_per_s: f64,
    /// The longest time for an action, in milliseconds.
    pub slowest_ms: f64,
    /// Actions that came too late and were not played.
    pub late: u64,
    /// Runs that were lost because an action took too long.
    pub disqualified: u64,
    /// Runs that were lost by failing or crashing.
    pub failed: u64,
    /// By level, for one game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelResult>,
}

/// How an agent has lost other than by the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VideoFault {
    /// Which run.
    pub run: String,
    /// Why.
    pub message: String,
    /// True if an action took too long.
    pub is_late: bool,
}

/// The ranking of agents with a limit.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VideoRanking {
    /// What they could use for an action.
    pub limit: String,
    /// The games that it is over: those with runs that all agents have played.
    pub games: Vec<String>,
    /// The agents, best first.
    pub agents: Vec<Ranked>,
}

/// Everything that runs say.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VideoStanding {
    /// Results by limit and agent: all games, the sets, the games.
    pub results: Vec<VideoResult>,
    /// Rankings, one for each limit with several agents.
    pub rankings: Vec<VideoRanking>,
    /// How runs were lost other than by the rules: the first few.
    pub faults: Vec<VideoFault>,
}

/// What is kept of a run.
#[derive(Clone, Debug)]
struct Run {
    level: String,
    run: u64,
    won: bool,
    score: i32,
    ticks: u64,
    iterations: f64,
    range: [u64; 2],
    model_ticks: u64,
    thinking: f64,
    slowest: f64,
    late: u64,
    disqualified: bool,
    failed: bool,
}

/// Runs, added up.
#[derive(Clone, Debug, Default)]
pub struct VideoSummary {
    sets: Vec<GameSet>,
    /// In the order in which they appear.
    limits: Vec<String>,
    agents: Vec<String>,
    games: Vec<String>,
    /// By limit, agent and game.
    runs: BTreeMap<[usize; 3], Vec<Run>>,
    faults: Vec<VideoFault>,
}

/// The number of a name, which gets one if it has none.
fn number(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

impl VideoSummary {
    /// A summary with sets of games, and with limits, agents and games in a certain order; others come behind
    /// them as they appear.
    pub fn new(
        sets: Vec<GameSet>,
        limits: Vec<String>,
        agents: Vec<String>,
        games: Vec<String>,
    ) -> Self {
        VideoSummary { sets, limits, agents, games, ..VideoSummary::default() }
    }

    /// How many runs were added.
    pub fn len(&self) -> usize {
        self.runs.values().map(Vec::len).sum()
    }

    /// True without runs.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds a run; each must be added once.
    pub fn add(&mut self, record: &VideoRecord) {
        let key = [
            number(&mut self.limits, &record.budget),
            number(&mut self.agents, record.agent()),
            number(&mut self.games, &record.game.name),
        ];
        let message = match &record.outcome {
            VideoOutcome::Finished => None,
            VideoOutcome::Disqualified { tick: -1, milliseconds } => {
                Some(format!("{milliseconds:.1} ms before the first tick"))
            }
            VideoOutcome::Disqualified { tick, milliseconds } => {
                Some(format!("{milliseconds:.1} ms for the action of tick {tick}"))
            }
            VideoOutcome::Failed { reason, message } => {
                Some(format!("{}: {message}", reason.word()))
            }
        };
        if let Some(message) = message
            && self.faults.len() < FAULTS_TOLD
        {
            let is_late = matches!(record.outcome, VideoOutcome::Disqualified { .. });
            self.faults.push(VideoFault { run: record.name(), message, is_late });
        }
        self.runs.entry(key).or_default().push(Run {
            level: record.level.name.clone(),
            run: record.run,
            won: record.won,
            score: record.score,
            ticks: record.ticks,
            iterations: record.iterations.total as f64 / record.iterations.decisions.max(1) as f64,
            range: [record.iterations.min, record.iterations.max],
            model_ticks: record.model_ticks,
            thinking: record.thinking_seconds,
            slowest: record.slowest_ms,
            late: record.late.len() as u64,
            disqualified: matches!(record.outcome, VideoOutcome::Disqualified { .. }),
            failed: matches!(record.outcome, VideoOutcome::Failed { .. }),
        });
    }

    /// Everything that the runs say.
    pub fn standing(&self) -> VideoStanding {
        let mut results = Vec::new();
        for limit in 0..self.limits.len() {
            for agent in 0..self.agents.len() {
                results.extend(self.scopes().into_iter().filter_map(|(scope, games)| {
                    let of_games =
                        games.iter().filter_map(|game| self.runs.get(&[limit, agent, *game]));
                    let of_games: Vec<&Vec<Run>> = of_games.collect();
                    let runs: Vec<&Run> = of_games.iter().copied().flatten().collect();
                    let result = self.result(scope, [limit, agent], &runs)?;
                    Some(VideoResult { games: of_games.len(), ..result })
                }));
            }
        }
        let rankings = (0..self.limits.len()).filter_map(|limit| self.ranking(limit));
        VideoStanding { results, rankings: rankings.collect(), faults: self.faults.clone() }
    }

    /// All scopes with the numbers of their games; with one game there is no other scope.
    fn scopes(&self) -> Vec<(Scope, Vec<usize>)> {
        let all: Vec<usize> = (0..self.games.len()).collect();
        let mut scopes = Vec::new();
        if self.games.len() > 1 {
            scopes.push((Scope::All, all.clone()));
        }
        for set in &self.sets {
            let games = all.iter().copied().filter(|game| set.games.contains(&self.games[*game]));
            scopes.push((Scope::Set(set.name.clone()), games.collect()));
        }
        scopes.extend(
            all.into_iter().map(|game| (Scope::Game(self.games[game].clone()), vec![game])),
        );
        scopes
    }

    fn result(
        &self,
        scope: Scope,
        [limit, agent]: [usize; 2],
        runs: &[&Run],
    ) -> Option<VideoResult> {
        let wins = runs.iter().filter(|run| run.won).count() as u64;
        let count = runs.len() as u64;
        let rate = Trinomial { wins, draws: 0, losses: count - wins }.score()?;
        let (mut score, mut ticks, mut iterations) =
            (Mean::default(), Mean::default(), Mean::default());
        for run in runs {
            score.add(f64::from(run.score));
            ticks.add(run.ticks as f64);
            iterations.add(run.iterations);
        }
        let half = |mean: &Mean| mean.interval().map(|i| (i.high - i.low) / 2.0);
        let seconds: f64 = runs.iter().map(|run| run.thinking).sum();
        let model_ticks: u64 = runs.iter().map(|run| run.model_ticks).sum();
        let levels = match scope {
            Scope::Game(_) => levels(runs),
            Scope::All | Scope::Set(_) => Vec::new(),
        };
        Some(VideoResult {
            scope,
            agent: self.agents[agent].clone(),
            limit: self.limits[limit].clone(),
            games: 0,
            runs: count,
            wins,
            rate: rate.rate,
            error: rate.normal().high - rate.rate,
            interval: rate.wilson(),
            score: score.mean,
            score_error: half(&score),
            ticks: ticks.mean,
            iterations: iterations.mean,
            iterations_error: half(&iterations),
            iterations_min: runs.iter().map(|run| run.range[0]).min().unwrap_or(0),
            iterations_max: runs.iter().map(|run| run.range[1]).max().unwrap_or(0),
            model_ticks_per_s: if seconds > 0.0 { model_ticks as f64 / seconds } else { 0.0 },
            slowest_ms: runs.iter().map(|run| run.slowest).fold(0.0, f64::max),
            late: runs.iter().map(|run| run.late).sum(),
            disqualified: runs.iter().filter(|run| run.disqualified).count() as u64,
            failed: runs.iter().filter(|run| run.failed).count() as u64,
            levels,
        })
    }

    /// The ranking of the agents that have played with a limit. Only runs that all of them have played count,
    /// since wins are counted and not compared by their rates.
    fn ranking(&self, limit: usize) -> Option<VideoRanking> {
        let agents: Vec<usize> = (0..self.agents.len())
            .filter(|agent| self.runs.keys().any(|key| key[..2] == [limit, *agent]))
            .collect();
        if agents.len() < 2 {
            return None;
        }
        let mut games = Vec::new();
        for (game, name) in self.games.iter().enumerate() {
            let of = |agent: &usize| self.runs.get(&[limit, *agent, game]).map_or(&[][..], |r| r);
            let is_common = |run: &Run| {
                let same = |other: &Run| other.level == run.level && other.run == run.run;
                agents.iter().all(|agent| of(agent).iter().any(same))
            };
            let tally = |agent: &usize| {
                let common: Vec<&Run> = of(agent).iter().filter(|run| is_common(run)).collect();
                Tally {
                    agent: self.agents[*agent].clone(),
                    wins: common.iter().filter(|run| run.won).count() as u64,
                    score: common.iter().map(|run| i64::from(run.score)).sum(),
                    ticks: common.iter().map(|run| run.ticks).sum(),
                }
            };
            if of(&agents[0]).iter().any(is_common) {
                games.push((name.clone(), agents.iter().map(tally).collect()));
            }
        }
        if games.is_empty() {
            return None;
        }
        let names = games.iter().map(|(name, _): &(String, Vec<Tally>)| name.clone()).collect();
        let limit = self.limits[limit].clone();
        Some(VideoRanking { limit, games: names, agents: rank(&games) })
    }
}

/// Wins by level, in the order in which levels appear.
fn levels(runs: &[&Run]) -> Vec<LevelResult> {
    let mut levels: Vec<LevelResult> = Vec::new();
    for run in runs {
        let index = levels.iter().position(|level| level.level == run.level).unwrap_or_else(|| {
            levels.push(LevelResult { level: run.level.clone(), runs: 0, wins: 0 });
            levels.len() - 1
        });
        levels[index].runs += 1;
        levels[index].wins += u64::from(run.won);
    }
    levels.sort_by(|one, other| {
        let key = |level: &str| (level.parse::<u64>().unwrap_or(u64::MAX), level.to_owned());
        key(&one.level).cmp(&key(&other.level))
    });
    levels
}
