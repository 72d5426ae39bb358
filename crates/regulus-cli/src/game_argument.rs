//! The GAME argument: a board game or a level of a video game, built in or from files.

use std::io::{self, Read, Write};
use std::path::Path;

use clap::Args;
use regulus_player::bounded_file::{ReadFault, read_file};
use regulus_player::video::VideoLevel;
use regulus_rbg::Source;
use regulus_rbg::limits::MAX_FILE_BYTES;
use regulus_vgdl::Profile;

use crate::failure::Failure;
use crate::video_argument::{self, VideoArgument};

/// A game of either kind that could be loaded.
pub enum AnyGame {
    /// A board game.
    Board(regulus::Game),
    /// A level of a video game.
    Video(VideoLevel),
}

/// The rules of video games, for commands that take them.
#[derive(Args, Clone, Copy)]
pub struct ProfileOption {
    /// The rules of a video game: those of the framework of 2021 or of 2015 [default: 2021]
    #[arg(long, value_name = "YEAR")]
    profile: Option<Profile>,
}

impl ProfileOption {
    /// The rules for a video game.
    pub fn profile(self) -> Profile {
        self.profile.unwrap_or_default()
    }

    /// True if the option was given.
    pub fn is_given(self) -> bool {
        self.profile.is_some()
    }

    /// Refuses the option for a board game.
    fn refuse(self, name: &str) -> Result<(), Failure> {
        match self.profile {
            None => Ok(()),
            Some(_) => Err(Failure::Failed(format!(
                "--profile is for video games, and {name} is a board game"
            ))),
        }
    }
}

/// What an argument names, before it is read as a game.
pub enum Named {
    /// The short name and the text of a board game.
    Board(String, Source),
    /// A video game, with a level if the argument names one.
    Video(VideoArgument),
}

/// Reads a description: a file, or standard input for `-`.
pub fn read_source(path: &str) -> Result<Source, Failure> {
    let name = if path == "-" { "<stdin>" } else { path };
    match read_bounded(path, MAX_FILE_BYTES as u64) {
        Ok(bytes) => Ok(Source::from_bytes(name, bytes)),
        Err(_) if regulus_games::find(path).is_some() => Err(Failure::Failed(format!(
            "cannot read {path}: there is no such file (the built-in game of this name needs no check)"
        ))),
        Err(fault) => Err(Failure::Failed(format!("cannot read {path}: {fault}"))),
    }
}

/// A text of at most so many bytes: a file, or standard input for `-`.
pub fn read_argument(path: &str, most: u64) -> Result<String, Failure> {
    let bytes = read_bounded(path, most);
    let bytes = bytes.map_err(|fault| Failure::Failed(format!("cannot read {path}: {fault}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_bounded(path: &str, most: u64) -> Result<Vec<u8>, ReadFault> {
    if path != "-" {
        return read_file(Path::new(path), most);
    }
    let mut bytes = Vec::new();
    io::stdin().take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(ReadFault::TooLong { most }) } else { Ok(bytes) }
}

/// The name of a file without folder and ending.
pub fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|s| s.to_str()).unwrap_or(path)
}

/// True if the argument can only be meant as a file.
fn looks_like_path(argument: &str) -> bool {
    argument == "-"
        || argument.contains(['/', '\\', ':'])
        || argument.ends_with(".rbg")
        || argument.ends_with(".txt")
}

/// Finds what a GAME argument names.
pub fn find(argument: &str) -> Result<Named, Failure> {
    if let Some(built_in) = video_argument::built_in(argument)? {
        return Ok(Named::Video(built_in));
    }
    if !looks_like_path(argument) {
        if let Some(game) = regulus_games::find(argument) {
            let source = Source::new(format!("{}.rbg", game.name), game.text);
            return Ok(Named::Board(game.name.to_owned(), source));
        }
        if !Path::new(argument).exists() {
            return Err(Failure::Failed(format!(
                "there is no built-in game or file `{argument}`; {}",
                hint(argument)
            )));
        }
    }
    find_file(argument)
}

/// Finds what an argument names that is not meant to be built in.
pub fn find_file(argument: &str) -> Result<Named, Failure> {
    let (path, level) = video_argument::split_level(argument);
    let source = read_source(path)?;
    if video_argument::is_video_game(path, source.text()) {
        return Ok(Named::Video(VideoArgument::from_file(path, source, level)));
    }
    match level {
        None => Ok(Named::Board(stem(path).to_owned(), source)),
        Some(_) => Err(Failure::Failed(format!("{path} is no video game: it has no levels"))),
    }
}

fn hint(misspelt: &str) -> String {
    match regulus::nearest_game(misspelt) {
        Some(game) => format!("did you mean `{game}`?"),
        None => "`regulus games` lists the built-in games".to_owned(),
    }
}

/// Loads a GAME argument of either kind; a video game without a level has its level 0. Errors of the
/// description are shown on standard error.
pub fn load_any(argument: &str, profile: ProfileOption) -> Result<AnyGame, Failure> {
    match find(argument)? {
        Named::Video(video) => Ok(AnyGame::Video(video.load(profile.profile())?)),
        Named::Board(name, source) => {
            profile.refuse(&name)?;
            Ok(AnyGame::Board(load_source(&name, source)?))
        }
    }
}

/// Loads a GAME argument that must be a board game, for a command.
pub fn load_board(argument: &str, command: &str) -> Result<regulus::Game, Failure> {
    match find(argument)? {
        Named::Board(name, source) => load_source(&name, source),
        Named::Video(_) => Err(only_for_boards(argument, command)),
    }
}

/// Loads a GAME argument that must be a board game.
pub fn load_game(argument: &str) -> Result<regulus::Game, Failure> {
    load_board(argument, "this command")
}

/// Says that a command is not for video games.
pub fn only_for_boards(argument: &str, command: &str) -> Failure {
    Failure::Failed(format!("{argument} is a video game; {command} is for board games"))
}

fn load_source(name: &str, source: Source) -> Result<regulus::Game, Failure> {
    match regulus::Game::from_source(name, source) {
        Err(regulus::Error::Description(fault)) => {
            let mut err = anstream::stderr().lock();
            for diagnostic in fault.render(true) {
                writeln!(err, "{diagnostic}\n")?;
            }
            Err(Failure::Failed(format!("{} has errors", fault.source_name())))
        }
        loaded => Ok(loaded?),
    }
}
