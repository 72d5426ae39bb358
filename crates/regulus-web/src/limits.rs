//! How much visitors may ask for, so that nobody can use a server up.

use std::time::Duration;

use regulus_player::limit;
use regulus_search::config::Limits as SearchLimits;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// What a server allows. `regulus serve --help` documents every one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Sessions at the same time.
    pub sessions: usize,
    /// Sessions on uploaded rules at the same time; each has a process of its own.
    pub uploads: usize,
    /// Connections at the same time, event streams included.
    pub connections: usize,
    /// Event streams of one session at the same time.
    pub streams: usize,
    /// Searches at the same time; others wait for their turn.
    pub searches: usize,
    /// How long one search may take.
    pub search_time: Duration,
    /// Simulations of one search.
    pub search_simulations: u64,
    /// Bytes of the tree and the statistics of one search.
    pub search_memory: usize,
    /// How long an agent may think about one action of a video game.
    pub action_time: Duration,
    /// Actions of a video game in one request.
    pub actions: usize,
    /// Frames of a video game in one answer.
    pub frames: usize,
    /// Bytes of a request.
    pub body_bytes: usize,
    /// Bytes of uploaded rules.
    pub text_bytes: usize,
    /// Vertices of an uploaded board.
    pub vertices: usize,
    /// Legal moves of a position of uploaded rules.
    pub legal_moves: usize,
    /// How long uploaded rules may take for anything but a search.
    pub patience: Duration,
    /// Bytes of memory of the process that runs uploaded rules.
    pub process_memory: u64,
    /// Moves of a game.
    pub plies: usize,
    /// A session that was not used for this time is forgotten.
    pub expiry: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Limits {
            sessions: 1000,
            uploads: 16,
            connections: 4096,
            streams: 8,
            searches: cores,
            search_time: Duration::from_secs(30),
            search_simulations: 100_000_000,
            search_memory: 128 << 20,
            action_time: Duration::from_secs(1),
            actions: 50,
            frames: 200,
            body_bytes: 1 << 20,
            text_bytes: 256 << 10,
            vertices: 4096,
            legal_moves: 100_000,
            patience: Duration::from_secs(10),
            process_memory: 1 << 30,
            plies: 2000,
            expiry: Duration::from_secs(2 * 3600),
        }
    }
}

impl Limits {
    /// Reads how long an agent is to think. Whatever else is asked for, the time is limited.
    pub fn search(&self, text: &str) -> Result<SearchLimits, Refusal> {
        self.read(text, self.search_time)
    }

    /// The same for one action of a video game.
    pub fn action(&self, text: &str) -> Result<SearchLimits, Refusal> {
        self.read(text, self.action_time.min(self.search_time))
    }

    fn read(&self, text: &str, longest: Duration) -> Result<SearchLimits, Refusal> {
        let limits = limit::parse(text).map_err(Refusal::invalid)?;
        let most = limit::duration_text(longest);
        if limits.time.is_some_and(|time| time > longest) {
            return Err(Refusal::invalid(format!("`{text}`: at most time={most} is allowed here")));
        }
        let count = self.search_simulations;
        if limits.simulations.is_some_and(|n| n > count) {
            return Err(Refusal::invalid(format!(
                "`{text}`: at most sims={count} is allowed here"
            )));
        }
        let time = Some(limits.time.unwrap_or(longest));
        let simulations = Some(limits.simulations.unwrap_or(count));
        Ok(SearchLimits { time, simulations, ..limits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_bounded() {
        let limits = Limits::default();
        let read = |text| limits.search(text).expect("a limit");
        assert_eq!(read("time=1s").time, Some(Duration::from_secs(1)));
        assert_eq!(read("sims=5").time, Some(limits.search_time));
        assert_eq!(read("states=5").simulations, Some(limits.search_simulations));
        assert_eq!(limits.action("sims=5").expect("a limit").time, Some(limits.action_time));
        assert!(limits.action("time=2s").is_err());
        for wrong in ["time=31s", "sims=100000001", "forever", ""] {
            assert!(limits.search(wrong).is_err(), "{wrong}");
        }
    }
}
