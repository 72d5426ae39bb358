//! A video game in the terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use regulus_player::video::VideoLevel;
use regulus_search::config::Limits;

use super::Play;
use crate::failure::Failure;
use crate::video_player::VideoPlayer;
use crate::video_session::{Session, Settings, script};

/// How long an agent thinks about an action if nobody says so, as in the competition.
const USUAL_TIME: Duration = Duration::from_millis(40);

/// Ticks per second, for people and for agents.
const USUAL_SPEED: f64 = 8.0;
const SPEED_OF_AGENTS: f64 = 20.0;

impl Play {
    /// Plays a level.
    pub(super) fn play_video(&self, level: &VideoLevel) -> Result<(), Failure> {
        for (given, option) in [(self.seat.is_some(), "--seat"), (self.ponder, "--ponder")] {
            if given {
                return Err(Failure::Failed(format!("{option} is for board games")));
            }
        }
        if self.web {
            let message = "video games are chosen on the page: start it with `regulus serve`";
            return Err(Failure::Failed(message.to_owned()));
        }
        if !self.place.is_default() {
            return Err(Failure::Failed("--port and --bind are for --web".to_owned()));
        }
        let player = match &self.agent {
            None => VideoPlayer::Human,
            Some(agent) => VideoPlayer::find(agent, level)?,
        };
        let speed = self.speed.unwrap_or(match player {
            VideoPlayer::Human => USUAL_SPEED,
            _ => SPEED_OF_AGENTS,
        });
        if !(speed > 0.0 && speed <= 1000.0) {
            let message = "--speed must be above 0 and at most 1000 ticks per second".to_owned();
            return Err(Failure::Failed(message));
        }
        let limits = self.limit.clone().unwrap_or_else(|| Limits::time(USUAL_TIME));
        let settings = Settings {
            limits: player.limits(&limits),
            seed: player.seed().unwrap_or(self.seed),
            player,
            speed,
            step: self.step,
            save: self.save.clone(),
        };
        let mut session = Session::new(level, &settings)?;
        #[cfg(unix)]
        if is_a_screen() {
            return crate::video_session::keyboard::run(&mut session);
        }
        let out = &mut anstream::stdout().lock();
        match settings.player {
            VideoPlayer::Human => {
                let echo = !io::stdin().is_terminal();
                script::play(&mut session, echo, &mut io::stdin().lock(), out)
            }
            _ => script::watch(&mut session, out),
        }
    }
}

/// Whether pictures can replace one another, and keys be read.
#[cfg(unix)]
fn is_a_screen() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}
