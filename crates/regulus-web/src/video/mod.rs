//! Video games: one that is played is a [`Run`], a level, who plays it, and all that was played. A run keeps seed and
//! actions; states are sent as frames, after the first only what has changed, and any part of a run is played again when
//! it is asked for.

mod catalogue;
mod check;
mod commands;
mod driver;
mod frame;
mod job;
mod kind;
mod setting;
#[cfg(test)]
mod tests;
mod view;

use std::sync::{Arc, Mutex};

use regulus_player::video::{Recorder, Replay};
use regulus_vgdl::{Action, State};
use serde_json::Value;

use frame::{Frame, Sprites};
use job::{DecidingAgent, VideoJob};
use setting::VideoSetting;
use view::{Film, Now, Step, VideoGameView, VideoStatus, VideoView};

use crate::json::{json, read};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::session_game::{Change, Found, Job, SessionGame, Wanted};

pub use driver::Driver;
pub use kind::{ABOUT, VideoGames};

/// The time between ticks of an agent unless somebody changes it.
const USUAL_TICK_MS: u64 = 100;

/// Frames of about this many bytes are sent at once.
const FILM_BYTES: usize = 1 << 20;

/// The longest name of who played a replay, in characters.
const MAX_NAME: usize = 100;

/// How a run begins.
#[derive(Clone, Default, Debug)]
pub struct VideoOpening {
    /// Who plays; a human unless something is said.
    pub driver: Option<Driver>,
    /// Where the randomness of the game comes from.
    pub seed: u64,
    /// A game that was played before.
    pub replay: Option<Replay>,
}

/// A run.
pub struct Run {
    id: String,
    setting: VideoSetting,
    limits: Arc<Limits>,
    driver: Driver,
    seed: u64,
    recorder: Recorder,
    /// What was shown last.
    sprites: Sprites,
    /// Where reading of frames has come to: ticks and state.
    film: Option<(usize, State)>,
    agent: Arc<Mutex<DecidingAgent>>,
    revision: u64,
    run: u64,
    paused: bool,
    /// One tick is to be played although the agent is stopped.
    stepping: bool,
    /// Why an agent cannot go on.
    fault: Option<String>,
    tick_ms: u64,
}

impl Run {
    /// Sets up a level.
    pub fn new(
        id: String,
        setting: VideoSetting,
        limits: Arc<Limits>,
        opening: VideoOpening,
    ) -> Result<Self, Refusal> {
        let VideoOpening { driver, seed, replay } = opening;
        let driver = driver.unwrap_or(Driver::Human {});
        driver.check(&limits)?;
        let recorder = Recorder::new(&setting.level, seed);
        let sprites = Sprites::of(recorder.state());
        let agent = DecidingAgent::new(driver.prepare(seed, &limits));
        let mut run = Run {
            id,
            setting,
            limits,
            driver,
            seed,
            recorder,
            sprites,
            film: None,
            agent,
            revision: 1,
            run: 1,
            paused: false,
            stepping: false,
            fault: None,
            tick_ms: USUAL_TICK_MS,
        };
        if let Some(replay) = replay {
            run.load(&replay)?;
        }
        Ok(run)
    }

    /// Plays a replay, if it is what it says.
    fn load(&mut self, replay: &Replay) -> Result<(), Refusal> {
        let refused = |why: String| Refusal::new(422, "replay", why);
        replay.verify(&self.setting.level).map_err(|fault| refused(fault.to_string()))?;
        let actions = replay.actions().map_err(|fault| refused(fault.to_string()))?;
        self.seed = replay.seed;
        self.driver = Driver::Replay { agent: replay.agent.chars().take(MAX_NAME).collect() };
        self.agent = DecidingAgent::new(Ok(None));
        self.recorder = Recorder::new(&self.setting.level, replay.seed);
        self.sprites = Sprites::of(self.recorder.state());
        for action in actions {
            self.recorder.advance(action);
        }
        Ok(())
    }

    fn ticks(&self) -> usize {
        self.recorder.actions().len()
    }

    fn is_over(&self) -> bool {
        self.recorder.state().is_over()
    }

    fn status(&self) -> VideoStatus {
        match &self.driver {
            Driver::Replay { .. } => VideoStatus::Replay,
            _ if self.is_over() => VideoStatus::Over,
            Driver::Human {} => VideoStatus::Waiting,
            Driver::Agent { .. } if self.wanted().is_some() => VideoStatus::Running,
            Driver::Agent { .. } => VideoStatus::Paused,
        }
    }

    fn text(&self) -> String {
        let (ticks, state) = (self.ticks(), self.recorder.state());
        let won = state.winner() == regulus_vgdl::Winner::Won;
        let result = if won { "won" } else { "lost" };
        let sentence = match (self.status(), &self.driver) {
            (VideoStatus::Over, _) => {
                let score = state.score();
                let why = state.breakdown().map(|why| format!(", ended because {why}"));
                let why = why.unwrap_or_default();
                format!("{result} after {ticks} ticks with score {score}{why}")
            }
            (VideoStatus::Replay, driver) => {
                format!("a replay of {ticks} ticks, played by {}", driver.name())
            }
            (VideoStatus::Waiting, _) => "it is your turn".to_owned(),
            (VideoStatus::Running, driver) => format!("{} plays", driver.name()),
            (VideoStatus::Paused, driver) => format!("paused; {} plays", driver.name()),
        };
        match &self.fault {
            Some(fault) => format!("the agent cannot go on: {fault}"),
            None => sentence,
        }
    }

    /// The decision that the run waits for.
    pub fn wanted(&self) -> Option<Wanted> {
        let Driver::Agent { limit, .. } = &self.driver else { return None };
        let goes_on = !self.paused || self.stepping;
        if !goes_on || self.fault.is_some() || self.is_over() {
            return None;
        }
        let time = self.limits.action(limit).ok().and_then(|limits| limits.time);
        Some(Wanted {
            ticket: self.run << 32 | self.ticks() as u64,
            delay_ms: if self.stepping { 0 } else { self.tick_ms },
            time_ms: time.map_or(0, |time| time.as_millis() as u64),
            live: true,
        })
    }

    /// What is needed for the decision of a ticket; nothing if it is not wanted any more.
    pub fn job(&self, ticket: u64) -> Option<VideoJob> {
        if self.wanted()?.ticket != ticket {
            return None;
        }
        Some(VideoJob {
            agent: Arc::clone(&self.agent),
            state: self.recorder.state().clone(),
            tick: self.ticks(),
            name: self.driver.name().to_owned(),
        })
    }

    /// Takes a decision, unless it is not wanted any more. Gives the frames that follow from it.
    pub fn finish(&mut self, ticket: u64, found: Result<Found, String>) -> Option<Vec<Frame>> {
        if self.wanted().is_none_or(|wanted| wanted.ticket != ticket) {
            return None;
        }
        self.revision += 1;
        self.stepping = false;
        let action = found.and_then(|found| {
            let letter = found.text.chars().next().and_then(Action::from_letter);
            letter.ok_or_else(|| format!("it wants to do `{}`, which is no action", found.text))
        });
        match action {
            Ok(action) => Some(vec![self.tick(action)]),
            Err(why) => {
                self.fault = Some(why);
                self.paused = true;
                Some(Vec::new())
            }
        }
    }

    fn tick(&mut self, action: Action) -> Frame {
        self.recorder.advance(action);
        Frame::new(&mut self.sprites, self.recorder.state(), self.recorder.actions().len())
    }

    fn now(&self) -> Now<'_> {
        Now {
            revision: self.revision,
            run: self.run,
            seed: self.seed,
            driver: &self.driver,
            status: self.status(),
            text: self.text(),
            ticks: self.ticks(),
            actions: self.recorder.state().avatar_actions().iter().map(|a| a.letter()).collect(),
            paused: self.paused,
            tick_ms: self.tick_ms,
        }
    }

    /// What there is to see; with `stage` also how it is drawn. Of a replay the beginning is shown.
    pub fn view(&self, stage: bool) -> VideoView<'_> {
        let VideoSetting { game, number, levels, level, .. } = &self.setting;
        let frame = match self.driver {
            Driver::Replay { .. } => {
                Frame::new(&mut Sprites::default(), &level.start(self.seed), 0)
            }
            _ => Frame::new(&mut Sprites::default(), self.recorder.state(), self.ticks()),
        };
        VideoView {
            id: &self.id,
            game: VideoGameView {
                name: game,
                level: *number,
                levels: *levels,
                profile: level.profile().name(),
                uploaded: self.setting.is_uploaded(),
            },
            stage: stage.then_some(&self.setting.stage),
            now: self.now(),
            frame,
        }
    }

    /// A change since a revision, as it is told.
    fn change(&self, from: u64, frames: &[Frame]) -> Change {
        Change { step: Some(json(&Step { from, now: self.now(), frames })) }
    }

    /// Frames from a tick on: as many as are asked for, unless that is too much at once.
    pub fn film(&mut self, from: usize, count: usize) -> Result<Film, Refusal> {
        let ticks = self.ticks();
        if from > ticks {
            return Err(Refusal::invalid(format!("there are only {ticks} ticks")));
        }
        let actions = self.recorder.actions();
        let (mut tick, mut state) = match self.film.take() {
            Some((tick, state)) if tick <= from => (tick, state),
            _ => (0, self.setting.level.start(self.seed)),
        };
        for action in &actions[tick..from] {
            state.advance(*action);
        }
        tick = from;
        let mut sprites = Sprites::default();
        let mut frames = vec![Frame::new(&mut sprites, &state, tick)];
        let mut bytes = frames[0].bytes();
        for action in &actions[from..] {
            if frames.len() >= count.min(self.limits.frames) || bytes > FILM_BYTES {
                break;
            }
            state.advance(*action);
            tick += 1;
            let frame = Frame::new(&mut sprites, &state, tick);
            bytes += frame.bytes();
            frames.push(frame);
        }
        self.film = Some((tick, state));
        Ok(Film { run: self.run, ticks, frames })
    }

    /// The game as a file.
    pub fn record(&self) -> Replay {
        let texts = self.setting.is_uploaded();
        self.recorder.replay(&self.setting.level, self.driver.name(), texts)
    }
}

impl SessionGame for Run {
    fn perform(&mut self, command: &Value) -> Result<Change, Refusal> {
        let from = self.revision;
        let frames = Run::perform(self, read(command)?)?;
        Ok(self.change(from, &frames))
    }

    fn view(&self, scene: bool) -> Arc<str> {
        json(&Run::view(self, scene))
    }

    fn record(&self) -> Arc<str> {
        json(&Run::record(self))
    }

    fn film(&mut self, from: usize, count: usize) -> Result<Arc<str>, Refusal> {
        Run::film(self, from, count).map(|film| json(&film))
    }

    fn wanted(&self) -> Option<Wanted> {
        Run::wanted(self)
    }

    fn job(&self, ticket: u64) -> Option<Box<dyn Job>> {
        Some(Box::new(Run::job(self, ticket)?))
    }

    fn finish(&mut self, ticket: u64, found: Result<Found, String>) -> Option<Change> {
        let from = self.revision;
        let frames = Run::finish(self, ticket, found)?;
        Some(self.change(from, &frames))
    }
}
