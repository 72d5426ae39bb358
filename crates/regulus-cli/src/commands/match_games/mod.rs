//! `regulus match`: games between agents, and what they prove.

mod board;
mod video;

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use regulus_arena::parallel::{self, Order, Threads};
use regulus_arena::statistics::Sprt;
use regulus_arena::{Budget, Contest, Record, RecordError, RecordFile, Stop, duration_or_zero};
use regulus_player::catalogue::{GameText, find_game};
use regulus_player::{LoadedGame, limit};
use regulus_search::config::Limits;

use crate::failure::Failure;
use crate::game_argument::ProfileOption;
use crate::progress::Progress;
use crate::shutdown::shutdown_flag;
use crate::threads_argument::threads;

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
    /// states), fsOMR=500ms (its states with MAST and RAVE); fm0first, fs0first and fsOMRfirst measure its
    /// first turn alone, as THESIS does [default: time=100ms; time=40ms for video games]
    #[arg(long)]
    limit: Option<Budget>,
    /// What is kept back of the time for a move [default: nothing; what the agent says for video games]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| duration_or_zero("buffer", text))]
    buffer: Option<Duration>,
    /// How much longer than its time a move may take before the game is lost [default: 100ms; 10ms for video
    /// games]
    #[arg(long, value_name = "TIME", value_parser = |text: &str| duration_or_zero("tolerance", text))]
    tolerance: Option<Duration>,
    /// What all random numbers come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin every unit with N random moves [default: 0]
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Give games up after N moves; they count for nobody [default: 10000]
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

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        Failure::Failed(error.to_string())
    }
}

impl Match {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let game = find_game(&self.game)?;
        threads(self.threads)?;
        match game {
            GameText::Video { .. } => video::run(&self),
            GameText::Board(name, source) => board::run(&self, LoadedGame::read(&name, source)?),
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

    /// The threads that contests are played on. More that search by the clock than there are processors are told.
    fn threads(&self, contests: &[&dyn Contest]) -> Result<Threads, Failure> {
        let threads = Threads::of(contests.iter().copied(), self.threads);
        if contests.iter().any(|contest| contest.is_timed()) {
            let each = contests.iter().map(|contest| contest.search_threads()).max();
            note_crowd(threads.count, each.unwrap_or(1))?;
        }
        Ok(threads)
    }

    /// Plays games on threads, records them and shows how far it has come. `each` says how things stand after a game, and
    /// whether it was the last one that is needed.
    fn play<J: Send, R: Record>(
        &self,
        (jobs, total): (impl Iterator<Item = J> + Send, u64),
        what: &'static str,
        threads: Threads,
        play: impl Fn(J, Stop<'_>) -> Option<R> + Sync,
        mut each: impl FnMut(&R) -> Result<(String, ControlFlow<()>), Failure>,
    ) -> Result<Played, Failure> {
        let mut file = self.record.as_deref().map(RecordFile::open).transpose()?;
        let interrupted = shutdown_flag()?;
        let mut progress = Progress::new(total, what, std::io::stderr().is_terminal());
        let (mut count, mut trouble) = (0, None);
        let done = |record: R| {
            let recorded = file.as_mut().map_or(Ok(()), |file| file.append(&record));
            match recorded.map_err(Failure::from).and_then(|()| each(&record)) {
                Err(failure) => {
                    trouble = Some(failure);
                    ControlFlow::Break(())
                }
                Ok((standing, flow)) => {
                    count += 1;
                    progress.show(&standing);
                    flow
                }
            }
        };
        parallel::run(jobs, threads, Order::Jobs, &interrupted, play, done);
        let seconds = progress.finish();
        if let Some(file) = &file {
            file.sync()?;
        }
        let interrupted = interrupted.load(Ordering::Relaxed);
        Ok(Played { count, total, what, seconds, interrupted, trouble })
    }
}

/// What became of the games of a match.
struct Played {
    count: u64,
    total: u64,
    /// What is counted.
    what: &'static str,
    seconds: f64,
    interrupted: bool,
    trouble: Option<Failure>,
}

impl Played {
    /// Whether all is well, once everything was told.
    fn end(self) -> Result<(), Failure> {
        let Played { count, total, what, .. } = self;
        match self.trouble {
            Some(failure) => Err(failure),
            None if self.interrupted && count < total => {
                Err(Failure::Failed(format!("interrupted after {count} of {total} {what}")))
            }
            None => Ok(()),
        }
    }
}

/// Says that there are more threads that search by the clock than processors, if there are. A search has at most `each`
/// of them.
fn note_crowd(count: usize, each: usize) -> Result<(), Failure> {
    let processors = Threads::all().count;
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
