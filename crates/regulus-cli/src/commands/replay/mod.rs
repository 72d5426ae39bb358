//! `regulus replay`: recorded games, move by move.

mod board;
mod video;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use regulus_arena::{Flaw, LeftOut, Recording, Records};
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// At most this number of lines that are left out is named.
const LINES_NAMED: usize = 10;

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

/// A record as the command sees it: what it is checked with, and how it is shown.
trait Shown: DeserializeOwned {
    /// What it is checked with.
    type Rules;

    /// True if both are checked with the same.
    fn has_rules_of(&self, other: &Self) -> bool;

    /// What it is checked with: what the command names, or the record.
    fn rules(&self, command: &ReplayGame) -> Result<Self::Rules, Failure>;

    /// Plays it again; says what is wrong.
    fn verify(&self, rules: &Self::Rules) -> Result<(), String>;

    /// Shows it; it is known to be right, and one of `count` in its file.
    fn show(&self, rules: &Self::Rules, command: &ReplayGame, count: usize) -> Result<(), Failure>;
}

impl ReplayGame {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        match Recording::open(&self.record)? {
            Recording::Replay(replay) => video::show_replay(&self, &replay),
            Recording::Runs(records) => self.run_on(records),
            Recording::Games(_) if self.json => {
                Err(Failure::Failed("--json is for video games".to_owned()))
            }
            Recording::Games(records) => self.run_on(records),
        }
    }

    fn run_on<R: Shown>(&self, records: Records<R>) -> Result<(), Failure> {
        if self.check {
            return self.check_all(records);
        }
        let (record, count) = self.chosen(records)?;
        let rules = record.rules(self)?;
        record.verify(&rules).map_err(|fault| {
            Failure::Failed(format!("{}, game {}: {fault}", self.record.display(), self.game))
        })?;
        record.show(&rules, self, count)
    }

    /// The record that was asked for, and how many there are.
    fn chosen<T: DeserializeOwned>(&self, records: Records<T>) -> Result<(T, usize), Failure> {
        let (mut chosen, mut count) = (None, 0);
        self.each(records, |record| {
            count += 1;
            if count == self.game {
                chosen = Some(record);
            }
            Ok(())
        })?;
        chosen.map(|record| (record, count)).ok_or_else(|| {
            let (game, path) = (self.game, self.record.display());
            Failure::Failed(format!("there is no game {game} in {path}: it has {count}"))
        })
    }

    /// Calls for every record. Lines that are left out are named on standard error, unless there is nothing else; gives
    /// how many there are that were not just cut off at the end.
    fn each<T: DeserializeOwned>(
        &self,
        mut records: Records<T>,
        mut action: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<u64, Failure> {
        let path = self.record.display();
        let (mut is_empty, mut damaged) = (true, 0);
        let mut left_out: Vec<LeftOut> = Vec::new();
        while let Some(next) = records.next()? {
            match next {
                Ok(record) => {
                    is_empty = false;
                    action(record)?;
                }
                Err(line) => {
                    damaged += u64::from(line.flaw != Flaw::Torn);
                    if left_out.len() <= LINES_NAMED || line.flaw == Flaw::Torn {
                        left_out.push(line);
                    }
                }
            }
        }
        if is_empty {
            return Err(Failure::Failed(match left_out.first() {
                Some(LeftOut { line, flaw }) => {
                    format!("there is no game in {path}: line {line} is none, {flaw}")
                }
                None => format!("there is no game in {path}"),
            }));
        }
        let mut err = anstream::stderr();
        let torn = left_out.pop_if(|line| line.flaw == Flaw::Torn);
        for LeftOut { line, flaw } in left_out.iter().take(LINES_NAMED) {
            writeln!(err, "warning: {path}, line {line} is left out: {flaw}")?;
        }
        if left_out.len() > LINES_NAMED {
            writeln!(err, "warning: more lines of {path} are left out, {damaged} in all")?;
        }
        if torn.is_some() {
            writeln!(err, "note: the last line of {path} is incomplete and left out")?;
        }
        Ok(damaged)
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

    fn check_all<R: Shown>(&self, records: Records<R>) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        // The record before, and what it was checked with.
        let mut known: Option<(R, R::Rules)> = None;
        let (mut number, mut wrong) = (0, 0);
        let damaged = self.each(records, |record: R| {
            number += 1;
            let rules = match known.take() {
                Some((before, rules)) if record.has_rules_of(&before) => rules,
                _ => record.rules(self)?,
            };
            if let Err(fault) = record.verify(&rules) {
                wrong += 1;
                writeln!(out, "game {number}: {fault}")?;
            }
            known = Some((record, rules));
            Ok(())
        })?;
        write!(out, "{number} games checked, {wrong} wrong")?;
        match damaged {
            0 => writeln!(out)?,
            1 => writeln!(out, ", 1 line is no record")?,
            _ => writeln!(out, ", {damaged} lines are no records")?,
        }
        if wrong + damaged > 0 { Err(Failure::Silent) } else { Ok(()) }
    }
}
