//! `regulus replay`: recorded games, move by move.

mod video;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use regulus_arena::{GameText, Record, Verifier, read_records};

use crate::failure::Failure;
use crate::game_argument::load_game;
use crate::game_replay::Replay;

/// Step through a recorded game; every move is checked
///
/// Games are recorded by `regulus match --record`. Where input or output is no terminal the whole game is
/// printed. Of a video game, a record or a replay, the end is shown after it was played again and every
/// fingerprint agreed; `regulus play --agent replay:FILE` shows all of it.
#[derive(Args)]
pub struct ReplayGame {
    /// A file of records, one line of JSON per game; or a replay of a video game
    record: PathBuf,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// The rules, if they are not found where the record says: a built-in game or a .rbg file,
    /// or a video game with or without a level
    #[arg(long, value_name = "GAME")]
    rules: Option<String>,
    /// Check all games of the file instead of showing one
    #[arg(long, conflicts_with = "game")]
    check: bool,
    /// Print one JSON object instead of text, of a video game
    #[arg(long, conflicts_with = "check")]
    json: bool,
}

impl ReplayGame {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        if let Some(file) = video::VideoFile::read(&self.record)? {
            return video::run(&self, file);
        }
        let reading = read_records(&self.record)?;
        if self.json {
            return Err(Failure::Failed("--json is for video games".to_owned()));
        }
        let (path, count) = (self.record.display(), reading.records.len());
        if reading.torn {
            writeln!(
                anstream::stderr(),
                "note: the last line of {path} is incomplete and left out"
            )?;
        }
        if count == 0 {
            return Err(Failure::Failed(format!("there is no game in {path}")));
        }
        if self.check {
            return self.check_all(&reading.records);
        }
        let record = self.game.checked_sub(1).and_then(|index| reading.records.get(index));
        let Some(record) = record else {
            return Err(Failure::Failed(format!(
                "there is no game {} in {path}: it has {count}",
                self.game
            )));
        };
        let game = self.rules(record)?;
        let fault = |fault| Failure::Failed(format!("{path}, game {}: {fault}", self.game));
        Verifier::new(&game.game).verify(record).map_err(fault)?;
        let mut replay = Replay::new(&game.game, record, (self.game, count))?;
        let mut out = anstream::stdout().lock();
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            replay.step(&mut io::stdin().lock(), &mut out)
        } else {
            replay.print(&mut out)
        }
    }

    /// The rules of a record. If they are not those it was made with, that is noted: its moves are
    /// checked anyway.
    fn rules(&self, record: &Record) -> Result<GameText, Failure> {
        let recorded = &record.game;
        let name = match (&self.rules, &recorded.file) {
            (Some(rules), _) => rules.clone(),
            (None, Some(file)) => self.beside_the_record(file),
            (None, None) => recorded.name.clone(),
        };
        let loaded = load_game(&name)?;
        let game = GameText::new(&loaded.name, None, loaded.source.text(), loaded.game);
        if game.record.sha256 != recorded.sha256 {
            writeln!(
                anstream::stderr(),
                "note: the rules of {name} are not those of the record (SHA-256 {}, recorded {})",
                game.record.sha256,
                recorded.sha256
            )?;
        }
        Ok(game)
    }

    /// Where a file of rules is: an experiment keeps its rules beside the folder of its records.
    fn beside_the_record(&self, file: &str) -> String {
        let root = self.record.parent().and_then(Path::parent);
        let kept = root.map(|root| root.join(file)).filter(|path| path.exists());
        match kept {
            Some(path) if !Path::new(file).exists() => path.to_string_lossy().into_owned(),
            _ => file.to_owned(),
        }
    }

    fn check_all(&self, records: &[Record]) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        let mut known: Option<(&Record, Verifier)> = None;
        let mut wrong = 0;
        for (i, record) in records.iter().enumerate() {
            if known.as_ref().is_none_or(|(other, _)| other.game != record.game) {
                known = Some((record, Verifier::new(&self.rules(record)?.game)));
            }
            if let Some((_, verifier)) = &known
                && let Err(fault) = verifier.verify(record)
            {
                wrong += 1;
                writeln!(out, "game {}: {fault}", i + 1)?;
            }
        }
        writeln!(out, "{} games checked, {wrong} wrong", records.len())?;
        if wrong > 0 { Err(Failure::Silent) } else { Ok(()) }
    }
}
