//! A video game in the terminal, or in a browser.

use std::io::{self, IsTerminal};
use std::time::Duration;

use regulus_player::limit;
use regulus_player::video::VideoLevel;
use regulus_search::config::Limits as SearchLimits;
use regulus_web::{Driver, FirstVideo, Limits};

use super::super::serve::serve;
use super::Play;
use crate::agent_argument::AUTO;
use crate::failure::Failure;
use crate::video_player::{REPLAY, VideoPlayer};
use crate::video_session::{Session, Settings, script};

/// How long an agent thinks about an action if nobody says so, as in the competition.
const USUAL_TIME: Duration = Duration::from_millis(40);

/// Ticks per second, for people and for agents.
const USUAL_SPEED: f64 = 8.0;
const SPEED_OF_AGENTS: f64 = 20.0;

impl Play {
    /// Plays a level.
    pub(in crate::commands) fn play_video(&self, level: &VideoLevel) -> Result<(), Failure> {
        for (given, option) in [
            (self.seat.is_some(), "--seat"),
            (self.ponder, "--ponder"),
            (self.threads.is_some(), "--threads"),
        ] {
            if given {
                return Err(Failure::Failed(format!("{option} is for board games")));
            }
        }
        if self.web {
            return self.serve_video(level);
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
        let limits = self.action_limits();
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

impl Play {
    fn action_limits(&self) -> SearchLimits {
        self.limit.clone().unwrap_or_else(|| SearchLimits::time(USUAL_TIME))
    }

    /// Serves the page with this level on it.
    fn serve_video(&self, level: &VideoLevel) -> Result<(), Failure> {
        let given = [
            (self.speed.is_some(), "--speed"),
            (self.step, "--step"),
            (self.save.is_some(), "--save"),
        ];
        if let Some((_, option)) = given.iter().find(|(given, _)| *given) {
            return Err(Failure::Failed(format!("{option} is for the terminal, not for --web")));
        }
        let limits = self.action_limits();
        let driver = match self.agent.as_deref() {
            None => Driver::Human {},
            Some(replay) if replay.starts_with(REPLAY) => {
                let message = "a replay is opened on the page: give no --agent".to_owned();
                return Err(Failure::Failed(message));
            }
            Some(agent) => Driver::Agent {
                agent: if agent == AUTO { regulus::VIDEO_AUTO } else { agent }.to_owned(),
                limit: limit::text(&limits),
            },
        };
        let texts = (level.game_text.to_string(), level.level_text.to_string());
        let first = FirstVideo {
            name: level.name.clone(),
            texts: (!level.is_built_in()).then_some(texts),
            profile: level.profile(),
            driver,
            seed: self.seed,
        };
        // Whoever plays on a machine of their own may ask for more than visitors.
        let usual = Limits::default();
        let length = level.game_text.len() + level.level_text.len();
        let limits = Limits {
            action_time: usual.action_time.max(limits.time.unwrap_or_default()),
            search_time: usual.search_time.max(limits.time.unwrap_or_default()),
            search_simulations: usual.search_simulations.max(limits.simulations.unwrap_or(0)),
            text_bytes: usual.text_bytes.max(length),
            ..usual
        };
        serve(&self.place, Vec::new(), limits, Some(first))
    }
}

/// Whether pictures can replace one another, and keys be read.
#[cfg(unix)]
fn is_a_screen() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}
