//! Video games: a run is a level that somebody plays, an agent or a replay; it is to video games what a table is
//! to board games. Positions are sent as frames, and after the first only what has changed.

mod check;
mod command;
mod driver;
mod frame;
mod library;
mod run;
mod seat;
mod setting;
#[cfg(test)]
mod tests;
mod view;

pub use check::{VideoCheck, VideoTexts};
pub use command::{VIDEO_ORDERS, VideoCommand};
pub use driver::Driver;
pub use library::{agents, games};
pub use run::{Run, VideoOpening};
pub use seat::Job;
pub use setting::VideoSetting;
