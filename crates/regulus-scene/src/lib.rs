//! How a game is drawn, from nothing but its rules.
//!
//! A [`Scene`] says where the vertices of a board are, a [`Look`] what a piece is like; a [`Picture`] is
//! both with the pieces of the first position. All are plain data that pages draw and JSON carries. A game
//! may say more about itself in comments: [`Hints`]. A [`Stage`] says the same of a level of a video game, with a
//! [`SpriteLook`] for every type of sprite.
//!
//! ```
//! use regulus_scene::{Hints, Picture};
//!
//! let text = regulus_games::find("breakthrough").expect("built in").text;
//! let game = regulus_rbg::load(&regulus_rbg::Source::new("breakthrough", text)).game.expect("right");
//! let picture = Picture::new(&game, &Hints::read(text));
//! assert_eq!((picture.board.len(), picture.scene.cells.len()), (64, 64));
//! ```
//!
//! What is **not** here: drawing (SVG, HTML), positions after the first, anything about particular games.
//!
//! # Where to look
//!
//! Plain data for whoever draws boards: the report of an experiment and the web page.
//!
//! | to change | look at |
//! |---|---|
//! | where vertices are | `scene.rs`; graphs: `graph_layout.rs`, by names of edges (`direction.rs`) or by distance |
//! | what pieces look like | `look.rs`: words and their figures; `piece_name.rs`: whose a piece is; `palette.rs`: colours |
//! | what games can say about it | `hints.rs` |
//! | what sprites of video games look like | `sprite_look.rs` |
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | pictures of all games: nothing overlaps, pieces differ | `tests/built_in_games.rs` |

mod direction;
mod graph_layout;
mod hints;
mod look;
mod palette;
mod piece_name;
mod scene;
mod sprite_look;

pub use hints::{HintProblem, Hints, PieceHint, Style};
pub use look::{FIGURES, Kind, Look, looks};
pub use palette::colour;
pub use scene::{Blank, Cell, CellShape, Label, Line, Scene};
pub use sprite_look::{SHAPES, SpriteLook, Stage, sprite_looks};

use regulus_rbg::Game;
use serde::Serialize;

/// Everything that is needed to draw a game before its first move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Picture {
    /// The board.
    pub scene: Scene,
    /// What the pieces look like, in the order of the rules.
    pub pieces: Vec<Look>,
    /// The piece on every vertex, in order.
    pub board: Vec<u8>,
}

impl Picture {
    /// The picture of a game, with what its text says about it.
    pub fn new(game: &Game, hints: &Hints) -> Self {
        Picture {
            scene: Scene::new(&game.board, &game.declarations, hints),
            pieces: looks(&game.declarations, hints),
            board: game.board.vertices().map(|v| game.board.piece(v).0).collect(),
        }
    }
}
