//! Agents: a configuration of [`regulus_search`] with a name and manners, for board games ([`Agent`]) or for
//! video games ([`VideoAgent`]).
//!
//! An agent comes from a JSON file ([`read`], [`read_video`], [`read_any`]) or from a name ([`by_name`],
//! [`video_by_name`], [`any_by_name`]). Files for board games have the keys of THESIS 4.1, names are those of the
//! original collection; files for video games name the parts of GVGAI-THESIS. Every key is declared once, in
//! [`regulus_search`] beside the part that it belongs to; reading, writing, error messages, explanations, names and the
//! JSON schema ([`schema()`]) all come from there. [`parameter`] says which algorithm has which keys.
//!
//! What is **not** here: searching itself, networking, games.

mod agent;
mod board;
mod described;
mod file;
mod name;
pub mod parameter;
mod problem;
mod reference;
mod schema;
mod section;
mod video;
mod written;

pub use agent::{Agent, AnyAgent, VideoAgent};
pub use board::name::{BOARD_PATTERN, COLLECTION};
pub use board::nested::{NESTED_COLLECTION, NESTED_PATTERN};
pub use board::shot::{SHOT_COLLECTION, SHOT_PATTERN};
pub use described::{Described, explain, write};
pub use file::{read, read_any, read_video};
pub use name::{any_by_name, by_name, video_by_name};
pub use parameter::Games;
pub use problem::Problem;
pub use reference::reference;
pub use schema::schema;
pub use video::name::{VIDEO_COLLECTION, VIDEO_PATTERN};
