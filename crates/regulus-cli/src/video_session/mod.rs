//! A video game at the terminal: played by a person, or by an agent that is watched. [`keyboard`] plays in real time
//! on a terminal, [`script`] line by line from anything else.

#[cfg(unix)]
mod key;
#[cfg(unix)]
pub mod keyboard;
#[cfg(unix)]
mod screen;
pub mod script;

use std::path::{Path, PathBuf};

use regulus_player::catalogue::VIDEO_PREFIX;
use regulus_player::video::{Conditions, Pilot, Recorder, Replay, VideoLevel};
use regulus_search::config::Limits;
use regulus_search::video::{Decision, Known};
use regulus_vgdl::{Action, State, Winner};

use crate::failure::Failure;
use crate::video_player::VideoPlayer;
use crate::video_view::VideoView;

/// How a game is played.
pub struct Settings {
    /// Who plays.
    pub player: VideoPlayer,
    /// What an agent may use for an action.
    pub limits: Limits,
    /// The seed of the first game.
    pub seed: u64,
    /// Ticks per second.
    pub speed: f64,
    /// Whether every tick waits for a key.
    pub step: bool,
    /// Where the game is saved when it is over or left.
    pub save: Option<PathBuf>,
}

/// A game that is being played.
pub struct Session<'a> {
    level: &'a VideoLevel,
    settings: &'a Settings,
    view: VideoView,
    recorder: Recorder,
    seed: u64,
    /// Who acts for the avatar, unless a person does.
    pilot: Option<Pilot>,
    decision: Option<Decision<Action>>,
}

impl<'a> Session<'a> {
    /// The first game.
    pub fn new(level: &'a VideoLevel, settings: &'a Settings) -> Result<Self, Failure> {
        let mut session = Session {
            level,
            settings,
            view: VideoView::new(&level.level),
            recorder: Recorder::new(level, settings.seed),
            seed: settings.seed,
            pilot: None,
            decision: None,
        };
        session.begin()?;
        Ok(session)
    }

    fn begin(&mut self) -> Result<(), Failure> {
        self.recorder = Recorder::new(self.level, self.seed);
        self.decision = None;
        self.pilot = self.settings.player.pilot(self.seed)?;
        if let Some(pilot) = &mut self.pilot {
            pilot.begin(self.recorder.state(), &before_the_first_tick(&self.settings.limits));
        }
        Ok(())
    }

    /// Plays again: another game with the next seed, or the same replay.
    fn restart(&mut self) -> Result<(), Failure> {
        if !matches!(self.settings.player, VideoPlayer::Replay(_)) {
            self.seed += 1;
        }
        self.begin()
    }

    fn state(&self) -> &State {
        self.recorder.state()
    }

    /// Whether there is nothing left to play: the game is over, or the replay has no more actions.
    fn is_over(&self) -> bool {
        let played = self.recorder.actions().len();
        self.state().is_over()
            || self.settings.player.length().is_some_and(|length| played >= length)
    }

    /// Plays a tick with an action of a person; an agent decides by itself.
    fn tick(&mut self, action: Action) {
        let action = match &mut self.pilot {
            None => action,
            Some(pilot) => {
                let decision = pilot.act(self.recorder.state(), &self.settings.limits);
                self.decision.insert(decision).action
            }
        };
        self.recorder.advance(action);
    }

    /// Tick, score, health and what the avatar has.
    fn status(&self) -> String {
        let state = self.state();
        let mut parts = vec![format!("tick {}", state.tick()), format!("score {}", state.score())];
        if let Some(avatar) = state.avatar() {
            if avatar.max_health > 0 {
                parts.push(format!("health {}", avatar.health));
            }
            let types = self.level.level.game().types();
            for (id, amount) in avatar.resources {
                parts.push(format!("{} {amount}", types[usize::from(id)].name));
            }
        }
        parts.join(", ")
    }

    /// What an agent knows about its actions.
    fn thoughts(&self) -> Option<String> {
        let decision = self.decision.as_ref().filter(|decision| !decision.known.is_empty())?;
        let known = |known: &Known<Action>| {
            format!("{} {:.2} ({})", action_word(known.action), known.mean, known.visits)
        };
        let known: Vec<String> = decision.known.iter().map(known).collect();
        Some(format!("{} iterations: {}", decision.iterations, known.join(", ")))
    }

    /// How it ended.
    fn result(&self) -> String {
        let state = self.state();
        let how = match (state.is_over(), state.winner()) {
            (true, Winner::Won) => "won",
            (true, _) => "lost",
            (false, _) => "not over",
        };
        let ticks = self.recorder.actions().len();
        let result = format!("{how} after {ticks} tick{}, score {}", plural(ticks), state.score());
        match state.breakdown() {
            Some(why) => format!("{result}, ended because {why}"),
            None => result,
        }
    }

    /// The game so far.
    fn replay(&self) -> Replay {
        let texts = !self.level.is_built_in();
        self.recorder.replay(self.level, self.settings.player.name(), texts)
    }

    /// Writes the game so far; gives what to say about it.
    fn save(&self, path: &Path) -> String {
        let ticks = self.recorder.actions().len();
        match self.replay().write(path) {
            Ok(()) => format!("Saved {ticks} tick{} to {}.", plural(ticks), path.display()),
            Err(error) => format!("Cannot write {}: {error}.", path.display()),
        }
    }

    /// The file for a game that is saved without saying where: a new one.
    fn free_file(&self) -> PathBuf {
        if let Some(path) = &self.settings.save {
            return path.clone();
        }
        let name = self.level.name.strip_prefix(VIDEO_PREFIX).unwrap_or(&self.level.name);
        let name = name.replace([':', '/', '\\'], "-");
        let numbered = |number: u32| PathBuf::from(format!("{name}-{number}.json"));
        let first = PathBuf::from(format!("{name}.json"));
        let mut names = std::iter::once(first).chain((2..).map(numbered));
        names.find(|path| !path.exists()).unwrap_or_else(|| numbered(0))
    }

    /// The types that can be seen, with their characters.
    fn legend(&self) -> Vec<String> {
        let types = self.level.level.game().types();
        let has_sprites = |id: &regulus_vgdl::TypeId| {
            types[usize::from(*id)].leaf && types[usize::from(*id)].class.is_some()
        };
        let entry = |id: regulus_vgdl::TypeId| {
            let name = &types[usize::from(id)].name;
            format!("{} {name}: {}", self.view.painted(id), self.view.words(id))
        };
        self.view.drawn().into_iter().filter(has_sprites).map(entry).collect()
    }
}

/// What an agent may use before the first tick: as much as in the competition, or as much as for an action if that is
/// not limited by time.
pub fn before_the_first_tick(limits: &Limits) -> Limits {
    match limits.time {
        Some(_) => Limits { time: Conditions::default().initialisation.time, ..limits.clone() },
        None => limits.clone(),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// An action in a word.
pub fn action_word(action: Action) -> &'static str {
    match action {
        Action::Nil => "nothing",
        Action::Up => "up",
        Action::Left => "left",
        Action::Down => "down",
        Action::Right => "right",
        Action::Use => "use",
    }
}
