//! What visitors can ask of a run, and how it is done.

use regulus_player::video::Recorder;
use regulus_vgdl::Action;
use serde::Deserialize;

use super::Run;
use super::driver::Driver;
use super::frame::Frame;
use super::job::DecidingAgent;

use crate::refusal::Refusal;

/// The shortest and the longest time between ticks of an agent.
const TICK_MS: std::ops::RangeInclusive<u64> = 20..=10_000;

/// A change that is asked for. Those with a revision fail if the run has changed since.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Play ticks.
    Act {
        /// The revision that is meant.
        revision: u64,
        /// A letter for every tick: N nothing, U up, L left, D down, R right, S use.
        actions: String,
    },
    /// Stop an agent, or let it go on.
    Pause {
        /// Whether it stops.
        paused: bool,
    },
    /// One tick of an agent that is stopped.
    Step {},
    /// Change the time between ticks of an agent.
    Speed {
        /// In milliseconds.
        ms: u64,
    },
    /// Begin anew.
    Restart {
        /// Another seed.
        seed: Option<u64>,
        /// Somebody else plays.
        driver: Option<Driver>,
    },
}

/// The names of all commands, as they are in addresses.
pub const COMMANDS: [&str; 5] = ["act", "pause", "step", "speed", "restart"];

impl Command {
    /// The revision that is meant.
    pub fn revision(&self) -> Option<u64> {
        match self {
            Command::Act { revision, .. } => Some(*revision),
            _ => None,
        }
    }
}

impl Run {
    /// Does what is asked for. Gives the frames that follow from it.
    pub fn perform(&mut self, command: Command) -> Result<Vec<Frame>, Refusal> {
        if command.revision().is_some_and(|revision| revision != self.revision) {
            return Err(Refusal::stale(self.revision));
        }
        let frames = match command {
            Command::Act { actions, .. } => self.act(&actions),
            Command::Pause { paused } => {
                self.paused = paused;
                self.stepping = false;
                self.fault = None;
                Ok(Vec::new())
            }
            Command::Step {} => self.step_once(),
            Command::Speed { ms } => {
                self.tick_ms = ms.clamp(*TICK_MS.start(), *TICK_MS.end());
                Ok(Vec::new())
            }
            Command::Restart { seed, driver } => self.restart(seed, driver),
        }?;
        self.revision += 1;
        Ok(frames)
    }

    fn act(&mut self, letters: &str) -> Result<Vec<Frame>, Refusal> {
        if self.driver != (Driver::Human {}) {
            let name = self.driver.name();
            return Err(Refusal::impossible(format!("{name} plays; begin anew to play yourself")));
        }
        if self.is_over() {
            return Err(Refusal::impossible("the game is over"));
        }
        let most = self.limits.actions;
        if letters.is_empty() || letters.chars().take(most + 1).count() > most {
            return Err(Refusal::invalid(format!("give from 1 to {most} actions, a letter each")));
        }
        let action = |letter| {
            Action::from_letter(letter).ok_or_else(|| {
                Refusal::invalid(format!("`{letter}` is no action: there are N, U, L, D, R and S"))
            })
        };
        let actions = letters.chars().map(action).collect::<Result<Vec<_>, _>>()?;
        let mut frames = Vec::new();
        for action in actions {
            frames.push(self.tick(action));
            if self.is_over() {
                break;
            }
        }
        Ok(frames)
    }

    fn step_once(&mut self) -> Result<Vec<Frame>, Refusal> {
        if !matches!(self.driver, Driver::Agent { .. }) {
            return Err(Refusal::impossible("no agent plays"));
        }
        if self.is_over() {
            return Err(Refusal::impossible("the game is over"));
        }
        if !self.paused {
            return Err(Refusal::impossible("the agent plays by itself; pause it first"));
        }
        self.fault = None;
        self.stepping = true;
        Ok(Vec::new())
    }

    fn restart(
        &mut self,
        seed: Option<u64>,
        driver: Option<Driver>,
    ) -> Result<Vec<Frame>, Refusal> {
        let driver = match driver {
            Some(driver) => driver,
            None if matches!(self.driver, Driver::Replay { .. }) => {
                return Err(Refusal::impossible("say who plays: this is a replay"));
            }
            None => self.driver.clone(),
        };
        driver.check(&self.limits)?;
        self.seed = seed.unwrap_or(self.seed);
        self.agent = DecidingAgent::new(driver.prepare(self.seed, &self.limits));
        self.driver = driver;
        self.recorder = Recorder::new(&self.setting.level, self.seed);
        self.film = None;
        self.run += 1;
        self.stepping = false;
        self.fault = None;
        Ok(vec![Frame::new(&mut self.sprites, self.recorder.state(), 0)])
    }
}
