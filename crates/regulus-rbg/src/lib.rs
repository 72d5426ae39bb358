//! Regular Boardgames (RBG): from text to a checked game.
//!
//! Data flows one way: text -> [tokens](token) -> [directives](directive) -> [macro
//! expansion](expansion) with [provenance] -> names ([declarations]), [board] and untyped expression
//! ([syntax]) -> typed, flattened, numbered [rules](rule) -> [checks](lint). Reading never fails: it
//! gives [`Loaded`], a game if there is one and a list of [diagnostics](diagnostic), each with a
//! [code] that `regulus explain` explains.
//!
//! On a checked game work the [printer](mod@print), the insertion of [split points](split), and what is
//! found out about [ends] and about [what can be the case where](flow). The
//! [formatter](mod@format) works on tokens and keeps comments.
//!
//! What is **not** here: execution. This crate knows what a move is, but never makes one.
//!
//! ```
//! use regulus_rbg::{Source, load};
//!
//! let text = "#players = me(100) #pieces = e, x #variables =
//!             #board = rectangle(up, down, left, right, [e, e])
//!             #rules = [$ me = 100] (->me (left* + right*) {e} [x] ->>)*";
//! let loaded = load(&Source::new("example", text));
//! let game = loaded.game.expect("the example is right");
//! assert_eq!(game.board.len(), 2);
//! assert_eq!(game.modifier_count, 4);
//! ```

pub mod arithmetic;
pub mod automaton;
pub mod board;
mod board_builder;
mod board_parser;
pub mod code;
mod cursor;
pub mod declarations;
pub mod diagnostic;
pub mod directive;
pub mod ends;
pub mod expansion;
pub mod flow;
pub mod format;
mod game;
pub mod indecisive;
pub mod limits;
pub mod lint;
pub mod macros;
pub mod print;
pub mod provenance;
pub mod render;
pub mod rule;
pub mod split;
pub mod syntax;
pub mod token;
mod trail;
mod typing;

pub use board::{Board, Shape, Vertex};
pub use code::{Code, Severity};
pub use diagnostic::Diagnostic;
pub use game::{Game, Loaded, load};
pub use regulus_diagnostic::source;
pub use source::{Source, Span};
