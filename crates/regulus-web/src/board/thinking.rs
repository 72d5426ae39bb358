//! Searches for a board game, and what is shown of them while they go on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_game::Step;
use regulus_player::{Position, PreparedAgent, wire};
use regulus_search::{MoveReport, Snapshot};
use serde::Serialize;

use super::BoardJob;
use super::loading::prepared_agent;
use super::view::vertices;
use crate::json::json;
use crate::session_game::{Found, Job};

/// How often a search is shown.
const EVERY: Duration = Duration::from_millis(120);

/// At most this many moves are shown.
const SHOWN_MOVES: usize = 20;

/// At most this many moves of the expected course of the game are shown.
const SHOWN_VARIATION: usize = 8;

/// A search that goes on.
#[derive(Serialize, Debug)]
pub struct Thinking<'s> {
    /// How many moves were played before.
    pub ply: usize,
    /// Who is to move, from 0.
    pub player: usize,
    /// Who thinks.
    pub agent: &'s str,
    /// Iterations so far.
    pub iterations: u64,
    /// Iterations per second.
    pub iterations_per_s: f64,
    /// States computed so far.
    pub states: u64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Bytes of tree and statistics.
    pub bytes: usize,
    /// How long it has gone on.
    pub seconds: f64,
    /// What the player to move can hope for, from 0 to 1.
    pub value: f64,
    /// The moves with most iterations.
    pub moves: Vec<TriedMove>,
    /// How iterations are spread over the first vertices of moves.
    pub heat: Vec<Heat>,
    /// The expected course of the game.
    pub variation: Vec<String>,
}

/// A move that was tried.
#[derive(Serialize, Debug)]
pub struct TriedMove {
    /// It in words.
    pub text: String,
    /// The vertices it acts on.
    pub vertices: Vec<u16>,
    /// Iterations.
    pub visits: u32,
    /// Their part of all.
    pub share: f64,
    /// The mean result.
    pub mean: f64,
    /// The least and the greatest score that are proven to be possible, if the agent has a solver that knows.
    pub proven: Option<[u32; 2]>,
}

/// The part of the iterations that begin at a vertex.
#[derive(Serialize, Debug)]
pub struct Heat {
    /// The vertex.
    pub vertex: u16,
    /// The part.
    pub share: f64,
}

fn total(moves: &[MoveReport]) -> f64 {
    moves.iter().map(|m| f64::from(m.visits)).sum::<f64>().max(1.0)
}

fn words(position: &Position, steps: &[Step]) -> Option<String> {
    let index = position.legal().iter().position(|legal| legal == steps)?;
    Some(position.words()[index].join(" "))
}

/// The course of the game that is expected, in words.
fn variation(position: &Position, moves: &[Vec<Step>]) -> Vec<String> {
    let (mut position, mut texts) = (position.clone(), Vec::new());
    for steps in moves.iter().take(SHOWN_VARIATION) {
        let Some(text) = words(&position, steps) else { break };
        texts.push(text);
        if position.play(steps).is_err() {
            break;
        }
    }
    texts
}

fn thinking<'s>(job: &'s BoardJob, snapshot: &Snapshot, start: Instant) -> Thinking<'s> {
    let (position, moves) = (&job.position, &snapshot.moves);
    let total = total(moves);
    let seconds = start.elapsed().as_secs_f64();
    let mut heat: BTreeMap<u16, f64> = BTreeMap::new();
    for tried in moves {
        if let Some(first) = tried.steps.first() {
            *heat.entry(first.vertex).or_default() += f64::from(tried.visits) / total;
        }
    }
    let show = |tried: &MoveReport| TriedMove {
        text: words(position, &tried.steps).unwrap_or_default(),
        vertices: vertices(&tried.steps),
        visits: tried.visits,
        share: f64::from(tried.visits) / total,
        mean: tried.mean,
        proven: tried.proven.map(|bound| [bound.low, bound.high]),
    };
    Thinking {
        ply: position.moves().len(),
        player: position.player().saturating_sub(1),
        agent: &job.agent,
        iterations: snapshot.totals.iterations,
        iterations_per_s: snapshot.totals.iterations as f64 / seconds.max(1e-6),
        states: snapshot.totals.states,
        nodes: snapshot.nodes,
        bytes: snapshot.bytes,
        seconds,
        value: moves.iter().map(|m| f64::from(m.visits) * m.mean).sum::<f64>() / total,
        moves: moves.iter().take(SHOWN_MOVES).map(show).collect(),
        heat: heat
            .into_iter()
            .filter(|(_, share)| *share > 0.0)
            .map(|(vertex, share)| Heat { vertex, share })
            .collect(),
        variation: variation(position, &snapshot.variation),
    }
}

impl Job for BoardJob {
    fn work(
        self: Box<Self>,
        memory: usize,
        see: &mut dyn FnMut(Arc<str>) -> bool,
    ) -> Result<Option<Found>, String> {
        let prepared_agent = prepared_agent(self.position.game(), &self.agent, memory)?;
        search_with(&prepared_agent, &self, &mut |thinking| see(json(thinking)))
    }
}

/// Searches. `see` is shown how far it is and says whether to go on; nothing is found if it says no.
fn search_with(
    prepared_agent: &PreparedAgent,
    job: &BoardJob,
    see: &mut dyn FnMut(&Thinking<'_>) -> bool,
) -> Result<Option<Found>, String> {
    let failed = |failure: regulus_player::Failure| failure.to_string();
    let mut searcher = prepared_agent.searcher(job.seed, job.position.moves()).map_err(failed)?;
    let start = Instant::now();
    let (mut goes_on, mut variation) = (true, Vec::new());
    let thought = searcher.watch(&job.limits, EVERY, &mut |snapshot| {
        goes_on = see(&thinking(job, &snapshot, start));
        variation = snapshot.variation;
        goes_on
    });
    let thought = thought.map_err(failed)?;
    if !goes_on {
        return Ok(None);
    }
    // Whoever wrote the rules wants to know; a move that nobody has thought about is no answer to that.
    if let Some(trouble) = thought.trouble {
        return Err(trouble);
    }
    let steps = thought.chosen.unwrap_or_default();
    let moves = searcher.moves();
    let visits = moves.iter().find(|m| m.steps == steps).map_or(0.0, |m| f64::from(m.visits));
    let share = visits / total(&moves);
    if variation.first() != Some(&steps) {
        variation = vec![steps.clone()];
    }
    // How it ended: of a short search nothing else was shown.
    let (totals, nodes, bytes) = (thought.totals, thought.nodes, thought.bytes);
    see(&thinking(job, &Snapshot { totals, nodes, bytes, moves, variation }, start));
    Ok(Some(Found { text: wire::text(&steps), share }))
}
