//! A board game with what is known about its text.

use std::sync::Arc;

use regulus_player::sha256;
use regulus_rbg::Game;
use regulus_scene::Hints;

use crate::record::GameRecord;

/// A game with its name and the hash of its text.
#[derive(Clone, Debug)]
pub struct GameText {
    /// Name and hash, as they are recorded.
    pub record: GameRecord,
    /// The game; contests of an experiment share it.
    pub game: Arc<Game>,
    /// What its text says about how it is drawn.
    pub hints: Arc<Hints>,
}

impl GameText {
    /// A game by its name, the file it came from if it is not built in, and its text.
    pub fn new(name: &str, file: Option<&str>, text: &str, game: Game) -> Self {
        let file = file.map(str::to_owned);
        GameText {
            record: GameRecord { name: name.to_owned(), file, sha256: sha256(text) },
            game: Arc::new(game),
            hints: Arc::new(Hints::read(text)),
        }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.game.declarations.players().len()
    }
}
