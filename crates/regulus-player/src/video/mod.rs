//! Video games and who plays them: a [`VideoLevel`], a [`Pilot`], a game between the two under the clock
//! ([`play`]), and what is kept of it ([`Replay`]).

mod level;
mod pilot;
mod playing;
mod replay;

pub use level::{LoadFault, VideoLevel, level_file};
pub use pilot::Pilot;
pub use playing::{Conditions, DISQUALIFIED_SCORE, Disqualification, LateAction, Played, play};
pub use replay::{MAX_REPLAY_BYTES, Recorder, Replay, ReplayFault};
