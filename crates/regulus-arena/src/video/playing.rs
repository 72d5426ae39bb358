//! A run of a contest. Whatever an agent does, the run ends and says how.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use regulus_player::limit;
use regulus_player::video::{Conditions, Pilot, Recorder, VideoLevel, play};
use regulus_search::config::Refusal;
use regulus_vgdl::Winner;

use super::contest::VideoContest;
use super::record::{Iterations, LateRecord, VideoOutcome, VideoRecord, milliseconds, score};
use crate::calibration::processor;
use crate::contest::Contest;
use crate::record::Reason;
use crate::stop::{Stop, panic_text};
use crate::timestamp::{now, seconds};

/// What came of a run.
pub struct PlayedRun {
    /// All of it.
    pub recorder: Recorder,
    /// How it ended.
    pub outcome: VideoOutcome,
    /// Actions that came too late to be played.
    pub late: Vec<LateRecord>,
    /// Iterations of every action.
    pub iterations: Vec<u64>,
    /// Ticks of the forward model.
    pub model_ticks: u64,
    /// The longest time for an action.
    pub slowest: Duration,
    /// The time of all actions.
    pub thinking: Duration,
}

/// Plays a level with a pilot that is made first; nothing if it was stopped. If the pilot crashes, everything
/// before that is kept.
pub fn play_run(
    level: &VideoLevel,
    seed: u64,
    pilot: impl FnOnce() -> Result<Pilot, Refusal>,
    conditions: &Conditions,
    stop: Stop<'_>,
) -> Option<PlayedRun> {
    let mut run = PlayedRun {
        recorder: Recorder::new(level, seed),
        outcome: VideoOutcome::Finished,
        late: Vec::new(),
        iterations: Vec::new(),
        model_ticks: 0,
        slowest: Duration::ZERO,
        thinking: Duration::ZERO,
    };
    // What is known if the pilot crashes.
    let mut actions = Vec::new();
    let playing = AssertUnwindSafe(|| {
        let mut pilot = pilot()?;
        let played = play(level, seed, &mut pilot, conditions, &mut |_, decision| {
            actions.push(decision.action);
            run.iterations.push(decision.iterations);
            run.model_ticks += decision.ticks;
            !stop.is_set()
        });
        Ok::<_, Refusal>(played)
    });
    let (reason, message) = match catch_unwind(playing) {
        Ok(Ok(played)) => {
            let played = played?;
            run.recorder = played.recorder;
            run.late = played.late.iter().map(LateRecord::of).collect();
            run.iterations = played.iterations;
            run.model_ticks = played.model_ticks;
            run.slowest = played.slowest;
            run.thinking = played.thinking;
            if let Some(late) = played.disqualified {
                let milliseconds = milliseconds(late.took);
                run.outcome = VideoOutcome::Disqualified { tick: late.tick, milliseconds };
            }
            return Some(run);
        }
        Ok(Err(refusal)) => (Reason::Failed, refusal.to_string()),
        Err(panic) => (Reason::Crashed, panic_text(&*panic)),
    };
    actions.into_iter().for_each(|action| run.recorder.advance(action));
    run.outcome = VideoOutcome::Failed { reason, message };
    Some(run)
}

impl VideoContest {
    /// Plays a run; nothing if it was stopped. The number must be below [`VideoContest::units`].
    pub fn play(&self, unit: u64, stop: Stop<'_>) -> Option<VideoRecord> {
        let seed = self.run_seed(unit);
        self.play_with(unit, || Pilot::agent(&self.agent.config, seed), stop)
    }

    /// The same with any pilot in the place of the agent.
    pub fn play_with(
        &self,
        unit: u64,
        pilot: impl FnOnce() -> Result<Pilot, Refusal>,
        stop: Stop<'_>,
    ) -> Option<VideoRecord> {
        let (started, start) = (now(), Instant::now());
        let (level, run) = self.level_and_run(unit);
        let run_seed = self.run_seed(unit);
        let played = play_run(&level.level, run_seed, pilot, &self.conditions, stop)?;
        let replay = played.recorder.replay(&level.level, &self.agent.name, false);
        let finished = played.outcome == VideoOutcome::Finished;
        let won = finished && played.recorder.state().winner() == Winner::Won;
        Some(VideoRecord {
            experiment: self.experiment.clone(),
            contest: self.id(),
            unit,
            game: self.game.record.clone(),
            level: level.record.clone(),
            profile: replay.profile,
            agents: vec![self.agent_record()],
            run,
            seed: self.seed,
            run_seed,
            budget: limit::text(&self.conditions.action),
            initialisation: limit::text(&self.conditions.initialisation),
            buffer_ms: milliseconds(self.conditions.action.buffer),
            grace_ms: milliseconds(self.conditions.grace),
            outcome: played.outcome,
            won,
            score: score(finished, won, replay.score),
            raw_score: replay.score,
            breakdown: played.recorder.state().breakdown().map(|why| why.to_string()),
            late: played.late,
            ticks: played.recorder.actions().len() as u64,
            iterations: Iterations::of(&played.iterations),
            model_ticks: played.model_ticks,
            thinking_seconds: seconds(played.thinking),
            slowest_ms: milliseconds(played.slowest),
            actions: replay.actions,
            fingerprints: replay.fingerprints,
            started,
            seconds: seconds(start.elapsed()),
            processor: processor(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }
}
