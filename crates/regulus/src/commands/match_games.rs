//! `regulus match`: games between agents, and what they prove.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use regulus_arena::parallel::{self, Order, Threads};
use regulus_arena::statistics::{Sprt, Verdict};
use regulus_arena::{
    Baseline, Budget, Calibration, Calibrations, Contest, GameText, MatchReport, RecordError,
    RecordFile, Summary, Venue,
};
use regulus_player::limit;
use serde::Serialize;

use super::print_json;
use crate::agent_argument::agent_for;
use crate::failure::Failure;
use crate::game_argument::load_game;
use crate::interruption::interruption;
use crate::match_view;
use crate::progress::Progress;

/// Let agents play games against each other
///
/// Games are played in units: with two players a pair of games with swapped seats, with more players all
/// rotations of the seats, alone every agent once. The games of a unit have the same opening and the same
/// random numbers. With limits in simulations or states the same seed gives the same games.
#[derive(Args)]
pub struct Match {
    /// A built-in game or a .rbg file
    game: String,
    /// Who plays, one for each seat: built-in agents (see `regulus agents`), .json files, or auto
    #[arg(required = true)]
    agents: Vec<String>,
    /// How many games; rounded up to whole units
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: u64,
    /// For each move: time=500ms, sims=N, states=N (nodal states), several with commas; or what the
    /// orthodox agent does in a time on this machine: fm0=500ms (its simulations), fs0=500ms (its
    /// states), fsOMR=500ms (its states with MAST and RAVE)
    #[arg(long, default_value = "time=100ms")]
    limit: Budget,
    /// What is kept back of the time for a move
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = buffer)]
    buffer: Duration,
    /// How much longer than its time a move may take before the game is lost
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = tolerance)]
    tolerance: Duration,
    /// What all random numbers come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin every unit with so many random moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    opening_plies: usize,
    /// Give games up after so many moves; they count for nobody
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_plies: usize,
    /// Stop when it is decided whether the first agent is at most elo0 or at least elo1 better:
    /// elo0=0,elo1=10[,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "TEST", value_parser = Sprt::parse)]
    sprt: Option<Sprt>,
    /// How many games are played at the same time [default: one per processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Append every game to this file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Keep what is measured for fm0, fs0 and fsOMR in this file, and use what is in it
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Most threads that are worth asking for.
const MAX_THREADS: usize = 1024;

/// How long a baseline is measured.
const CALIBRATION_TIME: Duration = Duration::from_secs(5);

fn buffer(text: &str) -> Result<Duration, String> {
    if matches!(text, "0" | "0s" | "0ms") {
        return Ok(Duration::ZERO);
    }
    limit::parse_duration("buffer", text)
}

fn tolerance(text: &str) -> Result<Duration, String> {
    if matches!(text, "0" | "0s" | "0ms") {
        return Ok(Duration::ZERO);
    }
    limit::parse_duration("tolerance", text)
}

#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    report: &'r MatchReport,
    seed: u64,
    budget: String,
    limits: String,
    calibration: Option<Calibration>,
    threads: usize,
    seconds: f64,
    interrupted: bool,
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Failure::Failed(error.to_string())
    }
}

impl Match {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let threads = self.threads()?;
        let loaded = load_game(&self.game)?;
        let file = regulus_games::find(&self.game).is_none().then_some(self.game.as_str());
        let game = GameText::new(&loaded.name, file, loaded.source.text(), loaded.game);
        let agents = self.agents.iter().map(|agent| agent_for(agent, &game.game));
        let agents = agents.collect::<Result<Vec<_>, _>>()?;
        if self.sprt.is_some() && game.players() != 2 {
            return Err(Failure::Failed(format!(
                "--sprt compares two agents, and {} is a game for {}",
                game.record.name,
                game.players()
            )));
        }
        let mut calibration = None;
        let mut limits = self.limit.limits(|baseline, time| {
            let measured = self.calibrate(&game, baseline, time)?;
            calibration = Some(measured.clone());
            Ok::<_, Failure>(measured)
        })?;
        limits.buffer = self.buffer;
        let contest = Contest::new(game, agents, self.limit.clone(), limits, self.seed);
        let mut contest = contest.map_err(Failure::Failed)?;
        contest.opening_plies = self.opening_plies;
        contest.tolerance = self.tolerance;
        contest.max_plies = self.max_plies;
        let mut file = self.record.as_deref().map(RecordFile::open).transpose()?;
        let venue = Venue::new(&contest);
        note(&contest, &venue, threads)?;
        let games = self.games.div_ceil(contest.games_per_unit() as u64);
        let games = games.saturating_mul(contest.games_per_unit() as u64);
        let interrupted = interruption()?;
        let mut summary = Summary::default();
        let mut progress = Progress::new(games, "games", std::io::stderr().is_terminal());
        let mut trouble = None;
        parallel::run(
            (0..games).map(|index| contest.number(index)),
            threads,
            Order::Jobs,
            &interrupted,
            |number, stop| venue.play(number, stop),
            |record| {
                if let Some(file) = &mut file
                    && let Err(error) = file.append(&record)
                {
                    trouble = Some(error);
                    return ControlFlow::Break(());
                }
                summary.add(&record);
                progress.show(&match_view::standing(&summary));
                let decided = self
                    .sprt
                    .is_some_and(|sprt| sprt.verdict(sprt.llr(summary.pairs())) != Verdict::Open);
                if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        let seconds = progress.finish();
        if let Some(file) = &file {
            file.sync()?;
        }
        let report = summary.report(self.sprt);
        let interrupted = interrupted.load(Ordering::Relaxed);
        if self.json {
            print_json(&Report {
                report: &report,
                seed: self.seed,
                budget: contest.budget.to_string(),
                limits: limit::text(&contest.limits),
                calibration,
                threads: threads.count,
                seconds,
                interrupted,
            })?;
        } else {
            let mut out = anstream::stdout().lock();
            match_view::print(&mut out, &contest, &report, calibration.as_ref())?;
        }
        if let Some(error) = trouble {
            return Err(error.into());
        }
        if interrupted {
            let played = report.games + report.void;
            return Err(Failure::Failed(format!("interrupted after {played} of {games} games")));
        }
        Ok(())
    }

    fn threads(&self) -> Result<Threads, Failure> {
        let count = self.threads.unwrap_or_else(|| Threads::all().count);
        if !(1..=MAX_THREADS).contains(&count) {
            return Err(Failure::Failed(format!("--threads must be from 1 to {MAX_THREADS}")));
        }
        let pinned = matches!(&self.limit, Budget::Limits(limits) if limits.time.is_some());
        Ok(Threads { count, pinned })
    }

    /// Looks a measurement up, or makes it.
    fn calibrate(
        &self,
        game: &GameText,
        baseline: Baseline,
        time: Duration,
    ) -> Result<Calibration, Failure> {
        let path = self.calibration.as_deref();
        let known = path.map(Calibrations::read).transpose()?.unwrap_or_default();
        if let Some(found) = known.find(&game.record, baseline, time) {
            return Ok(found.clone());
        }
        let measured = Calibration::measure(game, baseline, time, CALIBRATION_TIME)?;
        path.map(|path: &Path| Calibrations::append(path, &measured)).transpose()?;
        Ok(measured)
    }
}

/// Says what may surprise.
fn note(contest: &Contest, venue: &Venue<'_>, threads: Threads) -> Result<(), Failure> {
    let mut err = anstream::stderr();
    if let Some(why) = venue.why_interpreted() {
        writeln!(err, "note: interpreted, because {why}")?;
    }
    if let Some(agent) = contest.agents.iter().find(|agent| agent.thinks_on_others_time) {
        writeln!(err, "note: {} does not think on the time of others in a match", agent.name)?;
    }
    let processors = Threads::all().count;
    if contest.limits.time.is_some() && threads.count > processors {
        writeln!(
            err,
            "note: {} searches by the clock share {processors} processors; --threads {processors} is fair",
            threads.count
        )?;
    }
    Ok(())
}
