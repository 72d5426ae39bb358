//! What commands do with a game that an argument names, whatever its kind.

use regulus_player::video::VideoLevel;

use super::bench::{Bench, Start};
use super::play::Play;
use super::show::Show;
use super::think::Think;
use crate::failure::Failure;

/// A game of some kind, for the commands that take games of every kind.
pub trait CommandGame {
    /// Measures how fast its rules are; it was asked to at `start`.
    fn bench(&self, command: &Bench, start: Start) -> Result<(), Failure>;
    /// Plays it.
    fn play(&self, command: &Play) -> Result<(), Failure>;
    /// Shows what it consists of.
    fn show(&self, command: &Show) -> Result<(), Failure>;
    /// Searches a position of it.
    fn think(&self, command: &Think) -> Result<(), Failure>;
}

impl CommandGame for regulus::Game {
    fn bench(&self, command: &Bench, start: Start) -> Result<(), Failure> {
        command.run_board(self, start)
    }

    fn play(&self, command: &Play) -> Result<(), Failure> {
        command.play_board(self)
    }

    fn show(&self, command: &Show) -> Result<(), Failure> {
        command.show_board(self)
    }

    fn think(&self, command: &Think) -> Result<(), Failure> {
        command.think_board(self)
    }
}

impl CommandGame for VideoLevel {
    fn bench(&self, command: &Bench, start: Start) -> Result<(), Failure> {
        command.run_video(self, start)
    }

    fn play(&self, command: &Play) -> Result<(), Failure> {
        command.play_video(self)
    }

    fn show(&self, command: &Show) -> Result<(), Failure> {
        command.show_video(self)
    }

    fn think(&self, command: &Think) -> Result<(), Failure> {
        command.think_video(self)
    }
}
