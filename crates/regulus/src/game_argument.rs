//! The GAME argument: a built-in game or a file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_rbg::{Game, Severity, Source, load, render};

use crate::failure::Failure;

/// A game that could be loaded.
pub struct LoadedGame {
    /// The built-in name, or the file name without its ending.
    pub name: String,
    /// The text.
    pub source: Source,
    /// The game.
    pub game: Game,
}

/// Reads a file, or standard input for `-`. Never more than a description may have.
pub fn read_source(path: &str) -> Result<Source, Failure> {
    let mut bytes = Vec::new();
    let limit = MAX_FILE_BYTES as u64 + 1;
    let result = if path == "-" {
        io::stdin().take(limit).read_to_end(&mut bytes)
    } else if Path::new(path).is_dir() {
        return Err(Failure::Failed(format!("cannot read {path}: it is a directory")));
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    let name = if path == "-" { "<stdin>" } else { path };
    match result {
        Ok(_) => Ok(Source::from_bytes(name, bytes)),
        Err(_) if regulus_games::find(path).is_some() => Err(Failure::Failed(format!(
            "cannot read {path}: there is no such file (the built-in game of this name needs no check)"
        ))),
        Err(error) => Err(Failure::Failed(format!("cannot read {path}: {error}"))),
    }
}

/// True if the argument can only be meant as a file.
fn looks_like_path(argument: &str) -> bool {
    argument == "-" || argument.contains(['/', '\\']) || argument.ends_with(".rbg")
}

/// The text of a GAME argument and its short name.
pub fn find_source(argument: &str) -> Result<(String, Source), Failure> {
    if !looks_like_path(argument) {
        if let Some(game) = regulus_games::find(argument) {
            let source = Source::new(format!("{}.rbg", game.name), game.text);
            return Ok((game.name.to_owned(), source));
        }
        if !Path::new(argument).exists() {
            let hint = match regulus_games::nearest(argument) {
                Some(game) => format!("did you mean `{}`?", game.name),
                None => "`regulus games` lists the built-in games".to_owned(),
            };
            return Err(Failure::Failed(format!(
                "there is no built-in game or file `{argument}`; {hint}"
            )));
        }
    }
    let source = read_source(argument)?;
    let stem = Path::new(argument).file_stem().and_then(|s| s.to_str()).unwrap_or(argument);
    Ok((stem.to_owned(), source))
}

/// Loads a GAME argument. Errors of the description are shown on standard error.
pub fn load_game(argument: &str) -> Result<LoadedGame, Failure> {
    let (name, source) = find_source(argument)?;
    let loaded = load(&source);
    if let Some(game) = loaded.game {
        return Ok(LoadedGame { name, source, game });
    }
    let mut err = anstream::stderr().lock();
    for diagnostic in loaded.diagnostics.iter().filter(|d| d.severity() == Severity::Error) {
        writeln!(err, "{}\n", render::render(&source, diagnostic, true))?;
    }
    Err(Failure::Failed(format!("{} has errors", source.name())))
}
