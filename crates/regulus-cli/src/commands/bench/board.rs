//! Flat Monte Carlo of board games: the speed of the rules themselves.

use std::io::Write;
use std::time::{Duration, Instant};

use regulus_game::{Guide, Moves, Random};
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Operation;
use regulus_reasoner::{Interpreter, Playouts, RunError};
use serde::Serialize;

use super::super::perft::{Engine, compile, with_split};
use super::super::print_json;
use super::weights::Weights;
use super::{Bench, Start, processor_time};
use crate::failure::Failure;

#[derive(Serialize)]
struct Report {
    game: String,
    engine: Engine,
    split: Option<&'static str>,
    guided: Option<Weights>,
    playouts_per_s: f64,
    states_per_s: f64,
    mean_length: f64,
    mean_scores: Vec<f64>,
    compile_ms: f64,
    /// Processor time from the text to the end of the first random game.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_playout_ms: Option<f64>,
    /// The same until a search would have made its first step, too: the keeper's moves, a list, a move, the
    /// keeper's again and a random game.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_step_ms: Option<f64>,
    seconds: f64,
    playouts: u64,
    threads: usize,
    /// Of all threads together, per second on the clock.
    states_per_wall_s: f64,
}

/// Processor time since the text was read, in milliseconds, at the first results.
struct Startup {
    first_playout_ms: Option<f64>,
    first_step_ms: Option<f64>,
}

/// What one thread did.
struct Share {
    sums: Playouts,
    cpu_seconds: f64,
}

impl Bench {
    /// Measures random games.
    pub(in crate::commands) fn run_board(
        &self,
        loaded: &regulus::Game,
        start: Start,
    ) -> Result<(), Failure> {
        if self.playouts.is_some() {
            return Err(Failure::Failed("--playouts is for video games".to_owned()));
        }
        let game = with_split(loaded, self.split);
        let game = game.rules();
        let playout = match (self.split, self.guided) {
            (Some(_), _) => Operation::SplitPlayout,
            (None, Some(_)) => Operation::GuidedPlayout(self.key_kind()),
            (None, None) => Operation::Playout,
        };
        let native = compile(game, self.engine, &[playout])?;
        let engine = if native.is_some() { Engine::Native } else { Engine::Interpreter };
        let interpreter = native.is_none().then(|| Interpreter::new(game));
        let compile_ms = start.clock.elapsed().as_secs_f64() * 1e3;
        let startup = match (&native, &interpreter) {
            (Some(native), _) => self.warm_up(&mut native.worker(), start),
            (None, Some(rules)) => self.warm_up(&mut rules.worker(), start),
            (None, None) => unreachable!("one of the two runs the game"),
        }?;
        // Code that is compiled or made better when it is used is not part of what is measured.
        if let Some(native) = &native {
            native.optimize(playout).map_err(|why| Failure::Failed(why.0))?;
            let together = match self.split {
                None => Operation::Playouts,
                Some(_) => Operation::SplitPlayouts,
            };
            if self.interleaved > 1 {
                // Games for which there is none are played one after the other.
                let _ = native.optimize(together);
            }
        }
        let start = Instant::now();
        let shares = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads as u64)
                .map(|i| {
                    let (this, native, interpreter) = (self, native.as_ref(), interpreter.as_ref());
                    let random = Random::new(self.seed).fork(i);
                    scope.spawn(move || match (native, interpreter) {
                        (Some(native), _) => this.play(&mut native.worker(), random),
                        (None, Some(rules)) => this.play(&mut rules.worker(), random),
                        (None, None) => unreachable!("one of the two runs the game"),
                    })
                })
                .collect();
            let joined = threads.into_iter().map(|t| match t.join() {
                Ok(share) => share.map_err(Failure::from),
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect::<Result<Vec<Share>, Failure>>()
        })?;
        let wall = start.elapsed().as_secs_f64();
        let mut sums = Playouts::default();
        shares.iter().for_each(|share| sums.merge(&share.sums));
        let seconds: f64 = shares.iter().map(|share| share.cpu_seconds).sum();
        let report = Report {
            game: loaded.name().to_owned(),
            engine,
            split: self.split.map(Strategy::name),
            guided: self.guided,
            playouts_per_s: sums.count as f64 / seconds,
            states_per_s: sums.states as f64 / seconds,
            mean_length: sums.mean_length(),
            mean_scores: sums.mean_scores(),
            compile_ms,
            first_playout_ms: startup.first_playout_ms,
            first_step_ms: startup.first_step_ms,
            seconds,
            playouts: sums.count,
            threads: self.threads,
            states_per_wall_s: sums.states as f64 / wall,
        };
        if self.json {
            return Ok(print_json(&report)?);
        }
        let mut out = anstream::stdout().lock();
        let scores: Vec<String> = game
            .declarations
            .players()
            .iter()
            .zip(&report.mean_scores)
            .map(|(name, score)| format!("{name} {score:.2}"))
            .collect();
        writeln!(out, "states/s     {:.0}", report.states_per_s)?;
        writeln!(out, "playouts/s   {:.0}", report.playouts_per_s)?;
        if self.threads > 1 {
            writeln!(out, "all threads  {:.0} states/s", report.states_per_wall_s)?;
        }
        writeln!(out, "mean length  {:.2}", report.mean_length)?;
        writeln!(out, "mean scores  {}", scores.join(", "))?;
        writeln!(out, "from text to ready in {compile_ms:.1} ms; {} playouts", report.playouts)?;
        Ok(())
    }

    /// The weights of moves, if they have any.
    fn guide(&self, random: &Random) -> Option<Guide> {
        self.guided.map(|weights| weights.guide(self.key_kind(), random.fork(0)))
    }

    /// Plays one game to its end; gives the number of moves.
    fn playout<E: regulus_game::Engine<Error = RunError>>(
        &self,
        engine: &mut E,
        state: &mut E::State,
        guide: &mut Option<Guide>,
        random: &mut Random,
    ) -> Result<u64, RunError> {
        match guide {
            None => engine.playout(state, self.split.is_some(), random),
            Some(guide) => Ok(engine.play(state, u64::MAX, Some(guide), random)?.length),
        }
    }

    /// Plays a first game, and makes the first step of a search.
    fn warm_up<E: regulus_game::Engine<Error = RunError>>(
        &self,
        engine: &mut E,
        start: Start,
    ) -> Result<Startup, RunError> {
        // Other numbers than those of the games that are measured.
        let mut random = Random::new(self.seed).fork(self.threads as u64);
        let mut state = engine.initial();
        let mut guide = self.guide(&random);
        self.playout(engine, &mut state, &mut guide, &mut random)?;
        let first_playout_ms = start.processor_ms();
        state = engine.initial();
        let mut moves = Moves::new();
        if engine.run_keeper(&mut state)? {
            engine.list(&mut state, &mut moves)?;
        }
        if !moves.is_empty() {
            engine.apply(&mut state, moves.get(0));
            if engine.run_keeper(&mut state)? {
                self.playout(engine, &mut state, &mut guide, &mut random)?;
            }
        }
        Ok(Startup { first_playout_ms, first_step_ms: start.processor_ms() })
    }

    /// Plays until the time is over.
    fn play<E: regulus_game::Engine<Error = RunError>>(
        &self,
        engine: &mut E,
        mut random: Random,
    ) -> Result<Share, RunError> {
        let limit = Duration::from_secs_f64(self.seconds);
        let initial = engine.initial();
        let mut states = vec![initial.clone(); self.interleaved];
        // One game at a time goes on with the same random numbers.
        let mut randoms: Vec<Random> = match self.interleaved {
            1 => Vec::new(),
            games => (0..games as u64).map(|game| random.fork(game)).collect(),
        };
        let mut lengths = Vec::new();
        let mut sums = Playouts::default();
        let mut scores = Vec::new();
        let mut guide = self.guide(&random);
        let (start, cpu) = (Instant::now(), processor_time());
        // Looking at the clock costs as much as a short game.
        let mut batch = 1;
        loop {
            for _ in 0..batch {
                states.iter_mut().for_each(|state| state.clone_from(&initial));
                if randoms.is_empty() {
                    lengths.clear();
                    lengths.push(self.playout(engine, &mut states[0], &mut guide, &mut random)?);
                } else {
                    let split = self.split.is_some();
                    engine.playouts(&mut states, split, &mut randoms, &mut lengths)?;
                }
                for (state, length) in states.iter().zip(&lengths) {
                    scores.clear();
                    scores.extend((1..=engine.players()).map(|p| engine.score(state, p)));
                    sums.add(*length, *length, &scores);
                }
            }
            let elapsed = start.elapsed();
            if elapsed >= limit {
                break;
            }
            if elapsed < limit / 16 {
                batch *= 2;
            }
        }
        let used = processor_time().zip(cpu).map(|(now, then)| now - then);
        Ok(Share { sums, cpu_seconds: used.unwrap_or(start.elapsed()).as_secs_f64() })
    }
}
