//! The GAME argument: a board game or a level of a video game, built in or from files.

use std::io::Write;

use clap::Args;
use regulus_player::catalogue::{
    GameText, LevelFault, NotFound, VideoText, find_game, read_bounded,
};
use regulus_player::video::VideoLevel;
use regulus_player::{DescriptionFault, LoadedGame};
use regulus_vgdl::{Code, Profile};

use crate::commands::CommandGame;
use crate::failure::Failure;

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

/// Where to look for a game.
pub const LIST: &str = "`regulus games` lists the built-in games";

impl From<NotFound> for Failure {
    fn from(fault: NotFound) -> Self {
        Failure::Failed(fault.with_hint(LIST))
    }
}

impl From<DescriptionFault> for Failure {
    /// Shows the errors on standard error.
    fn from(fault: DescriptionFault) -> Self {
        let mut err = anstream::stderr().lock();
        for diagnostic in fault.render(true) {
            if let Err(error) = writeln!(err, "{diagnostic}\n") {
                return error.into();
            }
        }
        Failure::Failed(format!("{} has errors", fault.source_name()))
    }
}

impl From<LevelFault> for Failure {
    fn from(fault: LevelFault) -> Self {
        match fault {
            LevelFault::NotFound(fault) => fault.into(),
            LevelFault::Description(fault) => fault.into(),
        }
    }
}

/// A text of at most `most` bytes: a file, or standard input for `-`.
pub fn read_argument(path: &str, most: u64) -> Result<String, Failure> {
    let bytes = read_bounded(path, most);
    let bytes = bytes.map_err(|fault| Failure::Failed(format!("cannot read {path}: {fault}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Loads a GAME argument of either kind; a video game without a level has its level 0. Errors of the
/// description are shown on standard error.
pub fn load(argument: &str, profile: ProfileOption) -> Result<Box<dyn CommandGame>, Failure> {
    Ok(match find_game(argument)? {
        GameText::Video { game, level } => {
            Box::new(load_level(&game, level.as_deref(), profile.profile())?)
        }
        GameText::Board(name, source) => {
            profile.refuse(&name)?;
            Box::new(regulus::Game::from(LoadedGame::read(&name, source)?))
        }
    })
}

/// Reads a GAME argument that must be a board game, for a command.
pub fn read_board(argument: &str, command: &str) -> Result<LoadedGame, Failure> {
    match find_game(argument)? {
        GameText::Board(name, source) => Ok(LoadedGame::read(&name, source)?),
        GameText::Video { .. } => Err(only_for_boards(argument, command)),
    }
}

/// Loads a GAME argument that must be a board game, for a command.
pub fn load_board(argument: &str, command: &str) -> Result<regulus::Game, Failure> {
    read_board(argument, command).map(regulus::Game::from)
}

/// Says that a command is not for video games.
pub fn only_for_boards(argument: &str, command: &str) -> Failure {
    Failure::Failed(format!("{argument} is a video game; {command} is for board games"))
}

/// Loads a level of a video game. Errors of the descriptions are shown on standard error, and so is what is no part of
/// the game: whoever wrote it may think otherwise.
pub fn load_level(
    game: &VideoText,
    level: Option<&str>,
    profile: Profile,
) -> Result<VideoLevel, Failure> {
    // A level that is not there is said first.
    let (name, level) = game.read_level(level)?;
    let diagnostics = regulus_vgdl::Game::load(game.source.text(), profile).diagnostics;
    let mut err = anstream::stderr().lock();
    for diagnostic in diagnostics.iter().filter(|d| d.code == Code::ReadingStops) {
        writeln!(err, "{}\n", diagnostic.render(&game.source, true))?;
    }
    Ok(game.load_text(&name, &level, profile)?)
}
