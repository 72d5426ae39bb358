//! Runs the rules of a game: legal moves, semimoves, applying and undoing them, the keeper, random
//! playouts.
//!
//! [`Program`] is the automaton of the rules. The [`Interpreter`] walks it literally: it is small,
//! portable, and the oracle for everything faster.
//!
//! With the feature `native`, which is on by default, [`native`] makes machine code of the rules. Without it the module is
//! still there, but says of every game that there is no code.
//!
//! ```
//! use regulus_game::{Engine, Moves};
//! use regulus_reasoner::{Interpreter, perft};
//!
//! let text = regulus_games::find("chess").expect("built in").text;
//! let game = regulus_rbg::load(&regulus_rbg::Source::new("chess", text)).game.expect("right");
//! let interpreter = Interpreter::new(&game);
//! let mut engine = interpreter.worker();
//! let (mut state, mut moves) = (engine.initial(), Moves::new());
//! engine.run_keeper(&mut state)?; // before every question about a player's moves
//! engine.list(&mut state, &mut moves)?;
//! assert_eq!((moves.len(), perft(&mut engine, &state, 2)?), (20, 400));
//! # Ok::<(), regulus_reasoner::RunError>(())
//! ```
//!
//! What is **not** here: files, clocks, threads, and any source of randomness but the one that is
//! passed in.
//!
//! # Where to look
//!
//! | to change | look at |
//! |---|---|
//! | the automaton and its text (`show --ir`) | `program.rs` |
//! | numbers of states, edges and so on, vectors indexed by them | `id.rs` |
//! | what the rules tell of the cells that moves change | `board_changes/` |
//! | states, incremental hash | `state.rs` |
//! | how walks are found, visited pairs | `interpreter/walk.rs`, `interpreter/visited.rs` |
//! | moves, semimoves, keeper, undo | `interpreter/mod.rs` |
//! | perft, playouts on the interpreter | `perft.rs`, `playout.rs` |
//! | whether a move is legal, without listing the others | `legality.rs` |
//! | limits and run-time errors, the same on both engines | `error.rs` |
//!
//! Both engines implement `regulus_game::Engine`; perft and playouts are written for any engine.
//!
//! The native back end has a map of its own: `native/mod.rs`.
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | what holds at every position, on every engine | `tests/properties.rs`, `native.rs` |
//! | what passes find out (`REGULUS_BLESS=1` rewrites) | `tests/passes/` |
//! | perft tables not made by us | `tests/perft_tables.rs`, table: `crates/regulus-games/perft.tsv` |
//! | native code = interpreter on mutants, random rules and rules that ask for much, from seeds | `tests/differential.rs`; the descriptions: `tests/descriptions/`, what is compared: `tests/comparison/`, for hours and with crashes: `examples/differential/` (see `fuzz/README.md`), coverage-guided: `fuzz/` |
//! | rules that once broke an engine | `tests/regressions/`, run by `tests/differential.rs` |
//! | moves are drawn with the right probabilities | `tests/full_moves.rs`, `split_moves.rs`, `distribution.rs` |
//! | rules that ask for too much | `tests/bad_runs.rs` |
//! | moves in groups, however many | `tests/groups.rs` |
//! | cells that moves change, told by rules and seen on boards | `tests/board_changes.rs` |
//! | games that are played together are those played alone | `tests/lanes.rs` |
//! | what all moves of a position lead to, stages of moves | `tests/children.rs`; how fast: `examples/children.rs` |

mod board_changes;
pub mod error;
mod id;
mod interpreter;
mod legality;
#[cfg(feature = "native")]
pub mod native;
#[cfg(not(feature = "native"))]
#[path = "no_native.rs"]
pub mod native;
mod operation;
mod perft;
mod playout;
mod program;
mod state;

pub use error::RunError;
pub use id::{Id, IdVec, Key};
pub use interpreter::{Interpreter, Worker};
pub use perft::{LeafTable, divide, perft, perft_with, semimove_perft};
pub use playout::{FlatCounts, Playout, Playouts, random_playout, semisplit_playout};
pub use program::{Action, Condition, ConditionId, Edge, EdgeId, Node, Program, ProgramNodeId};
pub use state::State;
