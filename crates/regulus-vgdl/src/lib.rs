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
