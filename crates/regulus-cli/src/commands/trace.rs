//! `regulus trace`: recorded games of other engines, played again.

use std::io::Write;

use clap::Args;
use regulus_game::Random;
use regulus_player::catalogue::{GameText, VIDEO_PREFIX, find_file, find_game};
use regulus_player::video::VideoLevel;
use regulus_vgdl::{Action, State, trace};
use serde::Serialize;

use super::print_json;
use crate::failure::Failure;
use crate::game_argument::{ProfileOption, load_level, read_argument};

/// Replay recorded video games and name the first difference
#[derive(Args)]
pub struct Trace {
    /// Trace files
    #[arg(required_unless_present = "record", conflicts_with = "record")]
    files: Vec<String>,
    /// Where the games of the traces are, as NAME.txt and NAME_lvlK.txt [default: the built-in games]
    #[arg(long, value_name = "DIR")]
    games: Option<String>,
    #[command(flatten)]
    profile: ProfileOption,
    /// Write a trace of a random game of a level instead
    #[arg(long, value_name = "GAME:LEVEL", conflicts_with_all = ["games", "json"])]
    record: Option<String>,
    /// With --record: the seed of the game and of the actions
    #[arg(long, default_value_t = 1, requires = "record")]
    seed: u32,
    /// With --record: how many ticks at most
    #[arg(long, default_value_t = 200, requires = "record", value_name = "N")]
    ticks: usize,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
}

#[derive(Serialize, Default)]
struct FileReport {
    file: String,
    ok: bool,
    /// The tick of the first difference; `null` for the beginning, too.
    tick: Option<i64>,
    reason: Option<String>,
    /// Recordings in the file, and ticks of them that agree.
    recordings: usize,
    ticks: usize,
    /// The recording that differs, and the line of the file.
    recording: Option<String>,
    line: Option<usize>,
    /// Sprites that should be there (`-`) and sprites that should not (`+`).
    sprites: Vec<String>,
}

/// A trace is not longer.
const MAX_BYTES: u64 = 64 << 20;

/// More sprites of a difference are counted, not listed.
const SPRITES_SHOWN: usize = 10;

impl Trace {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        if let Some(game) = &self.record {
            return self.write_trace(game);
        }
        let mut report = Report { files: Vec::new() };
        let mut out = anstream::stdout().lock();
        for file in &self.files {
            let found = match self.replay(file) {
                Ok(found) => found,
                Err(Failure::Failed(message)) => {
                    let (file, reason) = (file.clone(), Some(message));
                    FileReport { file, reason, ..FileReport::default() }
                }
                Err(other) => return Err(other),
            };
            if !self.json {
                found.print(&mut out)?;
            }
            report.files.push(found);
        }
        let differing = report.files.iter().filter(|file| !file.ok).count();
        if self.json {
            print_json(&report)?;
        } else {
            let ticks: usize = report.files.iter().map(|file| file.ticks).sum();
            let files = report.files.len();
            let files = format!("{files} file{}", if files == 1 { "" } else { "s" });
            match differing {
                0 => writeln!(out, "{files}: all agree, {ticks} ticks")?,
                count => writeln!(out, "{files}: {count} differ")?,
            }
        }
        if differing > 0 { Err(Failure::Silent) } else { Ok(()) }
    }

    fn replay(&self, file: &str) -> Result<FileReport, Failure> {
        let text = read_argument(file, MAX_BYTES)?;
        let Some((game, number)) = trace::heading(&text) else {
            return Err(Failure::Failed(format!("{file} is no trace: it has no line `TRACE ...`")));
        };
        let named = match &self.games {
            Some(folder) => find_file(&format!("{folder}/{game}.txt:{number}"))?,
            None => find_game(&format!("{VIDEO_PREFIX}{game}:{number}"))?,
        };
        let level = self.load(game, named)?;
        let found = trace::replay(&level.level, &text)
            .map_err(|why| Failure::Failed(format!("{file}: {why}")))?;
        let first = found.differences.into_iter().next();
        Ok(FileReport {
            file: file.to_owned(),
            ok: first.is_none(),
            tick: first.as_ref().and_then(|difference| difference.tick),
            reason: first.as_ref().map(trace::Difference::reason),
            recordings: found.sequences,
            ticks: found.ticks,
            recording: first.as_ref().map(|difference| difference.sequence.clone()),
            line: first.as_ref().map(|difference| difference.line),
            sprites: first.map_or_else(Vec::new, |difference| difference.sprites),
        })
    }

    /// Writes a trace of random actions, none included, on standard output.
    fn write_trace(&self, argument: &str) -> Result<(), Failure> {
        let level = self.load(argument, find_game(argument)?)?;
        let text = self.random_trace(argument, &level)?;
        Ok(anstream::stdout().lock().write_all(text.as_bytes())?)
    }

    fn load(&self, name: &str, found: GameText) -> Result<VideoLevel, Failure> {
        match found {
            GameText::Video { game, level } => {
                load_level(&game, level.as_deref(), self.profile.profile())
            }
            GameText::Board(..) => Err(Failure::Failed(format!("{name} is no video game"))),
        }
    }

    fn random_trace(&self, argument: &str, level: &VideoLevel) -> Result<String, Failure> {
        let name = level.name.strip_prefix(VIDEO_PREFIX).unwrap_or(&level.name);
        let heading =
            name.rsplit_once(':').and_then(|(game, number)| Some((game, number.parse().ok()?)));
        let Some((game, number)) = heading else {
            return Err(Failure::Failed(format!(
                "the level of a trace has a number, as in GAME:0; {argument} is a file"
            )));
        };
        let mut random = Random::new(u64::from(self.seed));
        let mut left = self.ticks;
        let next = |state: &State| {
            left = left.checked_sub(1)?;
            let actions = state.actions();
            let choice = random.below(actions.len() as u64 + 1) as usize;
            Some(actions.get(choice).copied().unwrap_or(Action::Nil))
        };
        Ok(trace::record(&level.level, (game, number), 0, i64::from(self.seed), next))
    }
}

impl FileReport {
    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Some(reason) = &self.reason else {
            let (recordings, ticks) = (self.recordings, self.ticks);
            return writeln!(out, "ok       {}: {recordings} recordings, {ticks} ticks", self.file);
        };
        let Some(recording) = &self.recording else {
            return writeln!(out, "error    {}: {reason}", self.file);
        };
        let when =
            self.tick.map_or("at the beginning".to_owned(), |tick| format!("in tick {tick}"));
        writeln!(out, "differs  {}: {when} of {recording}", self.file)?;
        if let Some(line) = self.line {
            writeln!(out, "         line {line}: {reason}")?;
        }
        for sprite in self.sprites.iter().take(SPRITES_SHOWN) {
            writeln!(out, "         {sprite}")?;
        }
        let left = self.sprites.len().saturating_sub(SPRITES_SHOWN);
        if left > 0 { writeln!(out, "         and {left} more sprites") } else { Ok(()) }
    }
}
