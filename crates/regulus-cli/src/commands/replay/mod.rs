//! `regulus replay`: recorded games, move by move.

mod video;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use regulus_arena::board::{BoardRecord, GameText, Verifier};
use regulus_arena::{Flaw, GameRecord, LeftOut, Recording, Records};
use serde::de::DeserializeOwned;

use crate::failure::Failure;
use crate::game_argument::load_game;
use crate::game_replay::Replay;

/// So many lines that are left out are named.
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

impl ReplayGame {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        match Recording::open(&self.record)? {
            Recording::Replay(replay) => video::show_replay(&self, &replay),
            Recording::Runs(records) => video::run(&self, records),
            Recording::Games(_) if self.json => {
                Err(Failure::Failed("--json is for video games".to_owned()))
            }
            Recording::Games(records) if self.check => self.check_all(records),
            Recording::Games(records) => self.show(records),
        }
    }

    fn show(&self, records: Records<BoardRecord>) -> Result<(), Failure> {
        let path = self.record.display();
        let (record, count) = self.chosen(records)?;
        let game = self.rules(&record)?;
        let fault = |fault| Failure::Failed(format!("{path}, game {}: {fault}", self.game));
        Verifier::new(&game.game).verify(&record).map_err(fault)?;
        let mut replay = Replay::new(&game.game, &record, (self.game, count))?;
        let mut out = anstream::stdout().lock();
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            replay.step(&mut io::stdin().lock(), &mut out)
        } else {
            replay.print(&mut out)
        }
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

    /// The rules of a record. If they are not those it was made with, that is noted: its moves are
    /// checked anyway.
    fn rules(&self, record: &BoardRecord) -> Result<GameText, Failure> {
        let recorded = &record.game;
        let name = match (&self.rules, &recorded.file) {
            (Some(rules), _) => rules.clone(),
            (None, Some(file)) => self.beside_the_record(file),
            (None, None) => recorded.name.clone(),
        };
        let loaded = load_game(&name)?;
        let game =
            GameText::new(loaded.name(), None, loaded.source().text(), loaded.rules().clone());
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

    fn check_all(&self, records: Records<BoardRecord>) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        let mut known: Option<(GameRecord, Verifier)> = None;
        let (mut number, mut wrong) = (0, 0);
        let damaged = self.each(records, |record| {
            number += 1;
            if known.as_ref().is_none_or(|(game, _)| *game != record.game) {
                let verifier = Verifier::new(&self.rules(&record)?.game);
                known = Some((record.game.clone(), verifier));
            }
            if let Some((_, verifier)) = &known
                && let Err(fault) = verifier.verify(&record)
            {
                wrong += 1;
                writeln!(out, "game {number}: {fault}")?;
            }
            Ok(())
        })?;
        tell_checked(&mut out, number, wrong, damaged)
    }
}

/// Says what came of a check of all games.
fn tell_checked(out: &mut impl Write, games: u64, wrong: u64, damaged: u64) -> Result<(), Failure> {
    write!(out, "{games} games checked, {wrong} wrong")?;
    match damaged {
        0 => writeln!(out)?,
        1 => writeln!(out, ", 1 line is no record")?,
        _ => writeln!(out, ", {damaged} lines are no records")?,
    }
    if wrong + damaged > 0 { Err(Failure::Silent) } else { Ok(()) }
}
