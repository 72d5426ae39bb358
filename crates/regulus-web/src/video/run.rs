//! A run: a level, who plays it, and all that was played. It knows nothing of networks, threads and clocks; decisions
//! of agents are asked for ([`Run::wanted`]), made by others, and reported ([`Run::finish`]).

use std::sync::{Arc, Mutex};

use regulus_player::video::{Recorder, Replay};
use regulus_vgdl::{Action, State};
use serde::{Deserialize, Serialize};

use super::command::VideoCommand;
use super::driver::Driver;
use super::frame::{Frame, Sprites};
use super::seat::{Job, Seat};
use super::setting::VideoSetting;
use super::view::{Film, Now, Step, VideoGameView, VideoStatus, VideoView};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::table::{Found, Wanted};

/// The time between ticks of an agent unless somebody changes it.
const USUAL_TICK_MS: u64 = 100;

/// The shortest and the longest time between ticks of an agent.
const TICK_MS: std::ops::RangeInclusive<u64> = 20..=10_000;

/// About so many bytes of frames are sent at once.
const FILM_BYTES: usize = 1 << 20;

/// The longest name of who played a replay, in characters.
const MAX_NAME: usize = 100;

/// How a run begins.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
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
    seat: Arc<Mutex<Seat>>,
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
        let seat = Seat::new(driver.prepare(seed, &limits));
        let mut run = Run {
            id,
            setting,
            limits,
            driver,
            seed,
            recorder,
            sprites,
            film: None,
            seat,
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
        self.seat = Seat::new(Ok(None));
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
    pub fn job(&self, ticket: u64) -> Option<Job> {
        if self.wanted()?.ticket != ticket {
            return None;
        }
        Some(Job {
            seat: Arc::clone(&self.seat),
            state: self.recorder.state().clone(),
            tick: self.ticks(),
            agent: self.driver.name().to_owned(),
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

    /// Does what is asked for. Gives the frames that follow from it.
    pub fn perform(&mut self, order: VideoCommand) -> Result<Vec<Frame>, Refusal> {
        if order.revision().is_some_and(|revision| revision != self.revision) {
            return Err(Refusal::stale(self.revision));
        }
        let frames = match order {
            VideoCommand::Act { actions, .. } => self.act(&actions),
            VideoCommand::Pause { paused } => {
                self.paused = paused;
                self.stepping = false;
                self.fault = None;
                Ok(Vec::new())
            }
            VideoCommand::Step {} => self.step_once(),
            VideoCommand::Speed { ms } => {
                self.tick_ms = ms.clamp(*TICK_MS.start(), *TICK_MS.end());
                Ok(Vec::new())
            }
            VideoCommand::Restart { seed, driver } => self.restart(seed, driver),
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
        self.seat = Seat::new(driver.prepare(self.seed, &self.limits));
        self.driver = driver;
        self.recorder = Recorder::new(&self.setting.level, self.seed);
        self.film = None;
        self.run += 1;
        self.stepping = false;
        self.fault = None;
        Ok(vec![Frame::new(&mut self.sprites, self.recorder.state(), 0)])
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

    /// The last change.
    pub fn step<'r>(&'r self, from: u64, frames: &'r [Frame]) -> Step<'r> {
        Step { from, now: self.now(), frames }
    }

    /// The revision.
    pub fn revision(&self) -> u64 {
        self.revision
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
