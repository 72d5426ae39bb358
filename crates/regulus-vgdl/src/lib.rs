//! General video games: games written in VGDL, as the GVGAI framework runs them.
//!
//! Data flows one way: text -> [`Game`] -> [`Level`] -> [`State`]. Reading never fails: it gives
//! [`Loaded`] (or [`LoadedLevel`]), with a list of [diagnostics](Diagnostic) and no game if one of
//! them is an error. A state is the forward model of an agent: it is copied, advanced, and asked for
//! score, winner, actions, events and [observations](Observation).
//!
//! Two rule [profiles](Profile) exist, since the framework changed over the years. [`trace`] replays
//! recordings of both and names the first difference; with [`Generator::java`] random numbers are the
//! same too.
//!
//! What is **not** here: agents, clocks, files, threads, drawing.
//!
//! ```
//! use regulus_vgdl::{Action, Game, Generator, Level, Profile, State, Winner};
//!
//! let text = "BasicGame square_size=10
//!   SpriteSet
//!     goal > Door
//!   InteractionSet
//!     goal avatar > killSprite scoreChange=3
//!     avatar wall > stepBack
//!   LevelMapping
//!     g > goal
//!   TerminationSet
//!     SpriteCounter stype=goal win=True";
//! let game = Game::load(text, Profile::Y2021).game.expect("the example is right");
//! let level = Level::load(&game, "wwwww\nwA gw\nwwwww").level.expect("so is its level");
//! let mut state = State::new(&level, Generator::own(1));
//! assert_eq!(state.actions(), [Action::Left, Action::Right, Action::Down, Action::Up]);
//! state.advance(Action::Right);
//! let copy = state.clone();
//! state.advance(Action::Right);
//! assert_eq!((state.score(), state.winner()), (3, Winner::Won));
//! assert_eq!((copy.score(), copy.is_over()), (0, false));
//! ```
//!
//! # Where to look
//!
//! `text.rs` makes a tree of lines, `sprite_set.rs`, `interaction.rs` (with `effect.rs`, `effect_reader.rs`)
//! and `termination.rs` read the sets, `game.rs` puts them together; where the framework of 2021 stops reading is in
//! `unread.rs`; codes and places of what is wrong are in `diagnostic.rs`. `level.rs` reads levels and decides which sprites all states share: those that no rule
//! can change. `state.rs` is what agents use, `data.rs` what is copied, `engine/` one tick (its `mod.rs` is
//! the map). Where the two profiles differ the engine asks `old`. Whatever takes time in a tick counts steps
//! (`engine/contacts.rs`); games with too many, or with too many sprites, end: `breakdown.rs`, numbers in `limits.rs`. `engine/oracle.rs` is the same engine
//! without sharing and index, for tests; `trace.rs` compares with recordings of the Java frameworks, `trace_writer.rs`
//! writes such recordings; `outline.rs` is a game as lines without comments, `appearance.rs` what sprites mean in words. Facts
//! about those frameworks come from reading them; no code does. `world.rs` is a state as search sees it,
//! `observation.rs` what else agents can ask for. `crates/regulus-games/vgdl` has twelve games of our own.
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | what VGDL means, and what is wrong with texts | `tests/rules.rs`, `diagnostics.rs`, `properties.rs` |
//! | recordings of the Java frameworks, tick by tick | `tests/traces.rs` |
//! | built-in video games: recorded wins of every level (`REGULUS_BLESS=1` rewrites the states) | `tests/built_in_games.rs`, `tests/playthroughs/` |

mod action;
mod appearance;
mod breakdown;
mod class;
mod data;
mod diagnostic;
mod direction;
mod effect;
mod effect_reader;
mod engine;
mod event;
mod game;
mod generator;
mod interaction;
mod level;
mod limits;
mod observation;
mod outline;
mod parameters;
mod paths;
mod profile;
mod rules;
mod sprite;
mod sprite_set;
mod sprite_type;
mod state;
mod termination;
mod text;
pub mod trace;
mod trace_writer;
mod unread;
mod value;
mod world;

pub use action::Action;
pub use appearance::{Appearance, Meaning};
pub use breakdown::Breakdown;
pub use class::Class;
pub use data::Winner;
pub use diagnostic::{Code, Diagnostic, Place, Severity};
pub use direction::Direction;
pub use event::Event;
pub use game::{Game, Loaded, is_game};
pub use generator::Generator;
pub use level::{Level, LoadedLevel};
pub use limits::MAX_TICKS;
pub use observation::{Lists, Observation};
pub use outline::{Outline, OutlineLine};
pub use profile::Profile;
pub use regulus_game::Category;
pub use sprite_type::{SpriteType, TypeId};
pub use state::{Avatar, State};
