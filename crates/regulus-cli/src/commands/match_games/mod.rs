//! `regulus match`: games between agents, and what they prove.

mod video;

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use regulus_arena::parallel::{self, Order, Threads};
use regulus_arena::statistics::{Sprt, Verdict};
use regulus_arena::{
    Baseline, Budget, Calibration, Calibrations, CompiledContest, Contest, GameText, MatchReport,
    RecordError, RecordFile, Summary,
};
use regulus_player::catalogue::{self, find_game};
use regulus_player::limit;
use regulus_search::config::Limits;
use serde::Serialize;

use super::print_json;
use crate::agent_argument::agent_for;
use crate::failure::Failure;
use crate::game_argument::{ProfileOption, load_board};
use crate::interruption::interruption;
use crate::match_view;
use crate::progress::Progress;

/// Let agents play games against each other, or video games one by one
///
/// Games are played in units: with two players a pair of games with swapped seats, with more players all
/// rotations of the seats, alone every agent once. The games of a unit have the same opening and the same
/// random numbers. With limits in simulations or states the same seed gives the same games.
///
/// Video games are played by every agent, each level several times: regulus match vgdl/sheepdog:0,1 vgdl/firefly
/// vg-ol-mcts vg-random. All agents play the same runs, and are ranked as in the competition.
#[derive(Args)]
pub struct Match {
    /// A built-in game or a .rbg file; or levels of a video game: vgdl/NAME:0,1, game.txt:0, or all without a
    /// level
    game: String,
    /// Further video games, and who plays: for a board game one agent for each seat. Agents are built-in ones
    /// (see `regulus agents`), .json files, or auto
    #[arg(required = true, value_name = "AGENTS")]
    agents: Vec<String>,
    /// How many games, rounded up to whole units; of video games, how often every level is played [default:
    /// 100; 10 of every level]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// For each move: time=500ms, sims=N, states=N (nodal states), several with commas; or what the
    /// orthodox agent does in a time on this machine: fm0=500ms (its simulations), fs0=500ms (its
    /// states), fsOMR=500ms (its states with MAST and RAVE) [default: time=100ms; time=40ms for video games]
    #[arg(long)]
    limit: Option<Budget>,
    /// What is kept back of the time for a move [default: nothing; what the agent says for video games]
    #[arg(long, value_name = "TIME", value_parser = buffer)]
    buffer: Option<Duration>,
    /// How much longer than its time a move may take before the game is lost [default: 100ms; 10ms for video
    /// games]
    #[arg(long, value_name = "TIME", value_parser = tolerance)]
    tolerance: Option<Duration>,
    /// What all random numbers come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin every unit with so many random moves [default: 0]
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Give games up after so many moves; they count for nobody [default: 10000]
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,
    /// Stop when it is decided whether the first agent is at most elo0 or at least elo1 better:
    /// elo0=0,elo1=10[,alpha=0.05,beta=0.05]
    #[arg(long, value_name = "TEST", value_parser = Sprt::parse)]
    sprt: Option<Sprt>,
    /// How many games are played at the same time [default: one per processor; 1 for video games by the clock]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Append every game to this file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Keep what is measured for fm0, fs0 and fsOMR in this file, and use what is in it
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Before the first tick of a video game [default: time=1s where actions have a time, else as for an action]
    #[arg(long, value_name = "LIMIT", value_parser = limit::parse)]
    initialisation: Option<Limits>,
    /// Write a replay of every run of a video game into this folder
    #[arg(long, value_name = "DIR")]
    replays: Option<PathBuf>,
    #[command(flatten)]
    profile: ProfileOption,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// What games of boards have where nothing is said.
const GAMES: u64 = 100;
const LIMIT: Duration = Duration::from_millis(100);
const TOLERANCE: Duration = Duration::from_millis(100);
const MAX_PLIES: usize = 10_000;

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
        match find_game(&self.game)? {
            catalogue::GameText::Video { .. } => video::run(&self),
            catalogue::GameText::Board(..) => self.run_board(),
        }
    }

    /// Refuses options that were given in vain.
    fn refuse(&self, options: &[(bool, &str)], games: &str) -> Result<(), Failure> {
        match options.iter().find(|(given, _)| *given) {
            Some((_, name)) => Err(Failure::Failed(format!(
                "{name} is for {games} games, and {} is none",
                self.game
            ))),
            None => Ok(()),
        }
    }

    fn run_board(self) -> Result<(), Failure> {
        let options = [
            (self.initialisation.is_some(), "--initialisation"),
            (self.replays.is_some(), "--replays"),
            (self.profile.is_given(), "--profile"),
        ];
        self.refuse(&options, "video")?;
        let limit = self.limit.clone().unwrap_or(Budget::Limits(Limits::time(LIMIT)));
        let is_timed = matches!(&limit, Budget::Limits(limits) if limits.time.is_some());
        let mut threads = self.threads(is_timed, Threads::all().count)?;
        let loaded = load_board(&self.game, "a match of boards")?;
        let file = regulus_games::find(&self.game).is_none().then_some(self.game.as_str());
        let game =
            GameText::new(loaded.name(), file, loaded.source().text(), loaded.rules().clone());
        let agents = self.agents.iter().map(|agent| agent_for(agent, &loaded));
        let agents = agents.collect::<Result<Vec<_>, _>>()?;
        if self.sprt.is_some() && game.players() != 2 {
            return Err(Failure::Failed(format!(
                "--sprt compares two agents, and {} is a game for {}",
                game.record.name,
                game.players()
            )));
        }
        let mut calibration = None;
        let mut limits = limit.limits(|baseline, time| {
            let measured = self.calibrate(&game, baseline, time)?;
            calibration = Some(measured.clone());
            Ok::<_, Failure>(measured)
        })?;
        limits.buffer = self.buffer.unwrap_or_default();
        let contest = Contest::new(game, agents, limit, limits, self.seed);
        let mut contest = contest.map_err(Failure::Failed)?;
        contest.opening_plies = self.opening_plies.unwrap_or(0);
        contest.tolerance = self.tolerance.unwrap_or(TOLERANCE);
        contest.max_plies = self.max_plies.unwrap_or(MAX_PLIES);
        let mut file = self.record.as_deref().map(RecordFile::open).transpose()?;
        let compiled = CompiledContest::new(&contest);
        // The threads of a search would all be kept on one processor.
        threads.pinned &= contest.search_threads() == 1;
        note(&contest, &compiled, threads)?;
        let games = self.games.unwrap_or(GAMES).div_ceil(contest.games_per_unit() as u64);
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
            |number, stop| compiled.play(number, stop),
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

    fn threads(&self, pinned: bool, usual: usize) -> Result<Threads, Failure> {
        let count = self.threads.unwrap_or(usual);
        if !(1..=MAX_THREADS).contains(&count) {
            return Err(Failure::Failed(format!("--threads must be from 1 to {MAX_THREADS}")));
        }
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
fn note(
    contest: &Contest,
    compiled: &CompiledContest<'_>,
    threads: Threads,
) -> Result<(), Failure> {
    let mut err = anstream::stderr();
    if let Some(why) = compiled.why_interpreted() {
        writeln!(err, "note: interpreted, because {why}")?;
    }
    if let Some(agent) = contest.agents.iter().find(|agent| agent.thinks_on_others_time) {
        writeln!(err, "note: {} does not think on the time of others in a match", agent.name)?;
    }
    if contest.limits.time.is_some() {
        note_crowd(threads, contest.search_threads())?;
    }
    Ok(())
}

/// Says that there are more threads that search by the clock than processors, if there are. A search has at most so
/// many of them.
fn note_crowd(threads: Threads, each: usize) -> Result<(), Failure> {
    let (count, processors) = (threads.count, Threads::all().count);
    if each > 1 && count * each > processors {
        let fair = (processors / each).max(1);
        writeln!(
            anstream::stderr(),
            "note: {count} searches by the clock with up to {each} threads each share {processors} processors; {}",
            match count > fair {
                true => format!("--threads {fair} is fair"),
                false => "they cannot all run at once".to_owned(),
            }
        )?;
    } else if count > processors {
        writeln!(
            anstream::stderr(),
            "note: {count} searches by the clock share {processors} processors; --threads {processors} is fair"
        )?;
    }
    Ok(())
}
