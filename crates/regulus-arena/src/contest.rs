//! The interface that everything is played through: a game that is played by agents.
//!
//! Board games and video games have little in common but this. A [`Contest`] is plain data: everything that results
//! depend on. [`Contest::compile`] makes it ready, [`CompiledContest::play`] plays the game of a number, and what comes of
//! it is a [`Record`], one line of JSON. Workers, claims, shares, journals, repair and files of records know these three
//! and never ask what is played. What they do not know stands in two folders: [`board`](crate::board) has games between
//! agents and searches for their speed, [`video`](crate::video) has runs of video games. Which of them an
//! experiment is about is read from its declaration or its plan ([`Kind`](crate::experiment::Kind)), and nowhere else.

use std::any::Any;
use std::fmt::Debug;

use regulus_player::sha256;
use serde_json::Value;

use crate::record::Record;
use crate::stop::Stop;

/// Which game of a contest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameNumber {
    /// The unit, from 0.
    pub unit: u64,
    /// Which seating of the unit; 0 where an agent plays alone.
    pub seating: usize,
}

/// Who plays what, and how. Games of it are named by [`GameNumber`]; with limits in simulations or states, a game is a
/// pure function of contest and number.
pub trait Contest: Any + Debug + Send + Sync {
    /// A name for everything that results depend on: records of the same contest have the same. Together
    /// with the number of a game it names a record.
    fn id(&self) -> String;

    /// True if an agent has a certain time.
    fn is_timed(&self) -> bool;

    /// True if whatever else runs on the machine could spoil the result, so that one game is played at a time unless
    /// somebody asks for more.
    fn wants_quiet(&self) -> bool;

    /// The most threads that the search of an agent has.
    fn search_threads(&self) -> usize {
        1
    }

    /// Compiles what its games need.
    fn compile<'c>(&'c self) -> Box<dyn CompiledContest + 'c>;
}

/// A name for what a description says.
pub(crate) fn short_hash(description: &Value) -> String {
    let mut hash = sha256(&description.to_string());
    hash.truncate(16);
    hash
}

/// A contest with everything compiled. Threads can share it.
pub trait CompiledContest: Send + Sync {
    /// Plays a game; nothing if it was stopped. The number must be one of the contest.
    fn play(&self, number: GameNumber, stop: Stop<'_>) -> Option<Box<dyn Record>>;

    /// Why rules are interpreted; nothing if there is native code, or rules need none.
    fn why_interpreted(&self) -> Option<&str> {
        None
    }
}
