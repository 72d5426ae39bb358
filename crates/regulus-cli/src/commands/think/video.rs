//! What an agent finds in one state of a video game.

use std::io::Write;
use std::time::{Duration, Instant};

use regulus_player::video::{Pilot, VideoLevel};
use regulus_search::config::Limits;
use regulus_vgdl::{Action, Winner};
use serde::Serialize;

use super::super::print_json;
use super::Think;
use crate::failure::Failure;
use crate::video_player::read_video_agent;
use crate::video_session::{action_word, before_the_first_tick};

/// How long an agent thinks if nobody says so.
const USUAL_TIME: Duration = Duration::from_millis(40);

#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    profile: &'static str,
    agent: String,
    seed: u64,
    tick: i32,
    score: i32,
    /// `null` if the game is over.
    #[serde(rename = "move")]
    chosen: Option<&'static str>,
    iterations: u64,
    /// Ticks of the forward model.
    states: u64,
    seconds: f64,
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    action: &'static str,
    visits: u64,
    /// By the score of the agent; `null` without visits.
    mean: Option<f64>,
}

impl Think {
    /// Thinks about a state of a video game: as in a game, with the time before the first tick at the beginning.
    pub(in crate::commands) fn think_video(&self, level: &VideoLevel) -> Result<(), Failure> {
        if self.threads.is_some() {
            return Err(Failure::Failed("--threads is for board games".to_owned()));
        }
        let mut state = level.start(self.seed);
        for letter in self.position.chars().filter(|letter| !letter.is_whitespace()) {
            let Some(action) = Action::from_letter(letter.to_ascii_uppercase()) else {
                return Err(Failure::Failed(format!(
                    "`{letter}` is no action: give letters of U, D, L, R, S (use) and N (nothing)"
                )));
            };
            state.advance(action);
        }
        let agent = read_video_agent(&self.agent)?;
        let limits = Limits { buffer: agent.buffer, ..self.limits(USUAL_TIME) };
        let mut pilot = Pilot::agent(&agent.config, self.seed)
            .map_err(|refusal| Failure::Failed(format!("{}: {refusal}", agent.name)))?;
        let mut report = Report {
            game: &level.name,
            profile: level.profile().name(),
            agent: agent.name,
            seed: self.seed,
            tick: state.tick(),
            score: state.score(),
            chosen: None,
            iterations: 0,
            states: 0,
            seconds: 0.0,
            moves: Vec::new(),
        };
        if !state.is_over() {
            if self.position.trim().is_empty() {
                pilot.begin(&state, &before_the_first_tick(&limits));
            }
            let start = Instant::now();
            let decision = pilot.act(&state, &limits);
            report.seconds = start.elapsed().as_secs_f64();
            report.chosen = Some(action_word(decision.action));
            report.iterations = decision.iterations;
            report.states = decision.ticks;
            report.moves = decision
                .known
                .iter()
                .map(|known| Row {
                    action: action_word(known.action),
                    visits: known.visits,
                    mean: (known.visits > 0).then_some(known.mean),
                })
                .take(self.top.unwrap_or(usize::MAX))
                .collect();
        }
        if self.json {
            return Ok(print_json(&report)?);
        }
        let mut out = anstream::stdout().lock();
        if report.chosen.is_none() {
            let how = if state.winner() == Winner::Won { "won" } else { "lost" };
            write!(out, "{}: the game is over, {how} with score {}", report.game, report.score)?;
            match state.breakdown() {
                Some(why) => writeln!(out, ", ended because {why}")?,
                None => writeln!(out)?,
            }
            return Ok(());
        }
        Ok(print(&mut out, &report)?)
    }
}

fn print(out: &mut impl Write, report: &Report<'_>) -> std::io::Result<()> {
    writeln!(
        out,
        "{} (profile {}): tick {}, score {}\nagent {}\n",
        report.game, report.profile, report.tick, report.score, report.agent
    )?;
    writeln!(out, "plays {}\n", report.chosen.unwrap_or_default())?;
    if !report.moves.is_empty() {
        writeln!(out, "    visits          mean  action")?;
    }
    for row in &report.moves {
        let mark = if Some(row.action) == report.chosen { '>' } else { ' ' };
        let mean = row.mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
        writeln!(out, "{mark}{:>9}  {mean:>12}  {}", row.visits, row.action)?;
    }
    if !report.moves.is_empty() {
        writeln!(out)?;
    }
    writeln!(out, "iterations  {} in {:.3} s", report.iterations, report.seconds)?;
    writeln!(out, "ticks       {} of the forward model", report.states)
}
