//! What is learned about sequences (M. Tak, M. Winands, Y. Björnsson, *N-grams and the Last-Good-Reply policy applied
//! in General Game Playing*, 2012): the N-gram selection technique and last good replies, with plain maps from
//! sequences of actions to lists of results, and to replies.

use regulus_game::{Engine, Step};
use regulus_search::config::{Decay, Method, Policy, SimulationDesign};
use rustc_hash::FxHashMap;

use super::{Applied, Paper, Submove, without_split_points};

/// An action of a player: a whole move without split points, or a semimove.
pub type Action = (usize, Submove);

#[derive(Default)]
pub struct Sequences {
    /// The results of all iterations with a sequence, each with the number of decays before it; if only what was played
    /// loses weight, then of its own decays.
    results: FxHashMap<Vec<Action>, Vec<(f64, u32)>>,
    replies: FxHashMap<Vec<Action>, Action>,
    /// How often a sequence was played in iterations that are over, if that is how often it lost weight.
    own_decays: FxHashMap<Vec<Action>, u32>,
    decays: u32,
    simulations: u32,
}

/// The settings of NST.
#[derive(Clone, Copy)]
pub struct Nst {
    length: u32,
    threshold: u32,
    pub policy: Policy,
    decay: Decay,
}

impl Nst {
    fn factor(&self) -> f64 {
        self.decay.factor().unwrap_or(1.0)
    }
}

/// Sum and weight of some results at the time of the last of them. Those of several moves have 24 bits, as in the
/// search: equal scores must be equal here, too.
fn summed_short(results: &[(f64, u32)], factor: f64) -> (f32, f32) {
    let (mut sum, mut weight, mut last) = (0.0, 0.0, 0);
    for (value, decays) in results {
        for _ in last..*decays {
            (sum, weight) = (sum * factor as f32, weight * factor as f32);
        }
        (sum, weight, last) = (sum + *value as f32, weight + 1.0, *decays);
    }
    (sum, weight)
}

/// Those of single moves.
fn summed(results: &[(f64, u32)], factor: f64) -> (f64, f64) {
    let (mut sum, mut weight, mut last) = (0.0, 0.0, 0);
    for (value, decays) in results {
        for _ in last..*decays {
            (sum, weight) = (sum * factor, weight * factor);
        }
        (sum, weight, last) = (sum + value, weight + 1.0, *decays);
    }
    (sum, weight)
}

impl<E: Engine> Paper<E> {
    pub(super) fn nst(&self) -> Option<Nst> {
        match self.config.learning?.method {
            Method::Nst { length, threshold, policy, decay } => {
                Some(Nst { length, threshold, policy, decay })
            }
            _ => None,
        }
    }

    pub(super) fn learns_something(&self) -> bool {
        self.config.learning.is_some() || self.config.replies.is_some()
    }

    /// The actions of the iteration so far: moves, or semimoves where simulations are semisplit.
    pub(super) fn actions(&self, applied: &[Applied]) -> Vec<Action> {
        let moves = applied.iter().filter(|m| !m.steps.is_empty());
        match self.config.simulation {
            SimulationDesign::Orthodox => {
                moves.map(|m| (m.player, without_split_points(&m.steps))).collect()
            }
            SimulationDesign::Semisplit => {
                moves.flat_map(|m| m.steps.iter().map(|step| (m.player, vec![*step]))).collect()
            }
        }
    }

    /// The reply to the last actions that is possible: to the last two first, if LGR-2 is asked for.
    pub(super) fn reply(
        &self,
        history: &[Action],
        player: usize,
        candidates: &[Submove],
    ) -> Option<usize> {
        let longest = self.config.replies?.length as usize;
        (1..=longest.min(history.len())).rev().find_map(|length| {
            let answered = &history[history.len() - length..];
            let (who, reply) = self.sequences.replies.get(answered)?;
            let same = |c: &Submove| *who == player && self.named(c) == *reply;
            candidates.iter().position(same)
        })
    }

    fn named(&self, submove: &[Step]) -> Submove {
        match self.config.simulation {
            SimulationDesign::Orthodox => without_split_points(submove),
            SimulationDesign::Semisplit => submove.to_vec(),
        }
    }

    /// The average of the means of all sequences that end with an action: of the action alone, and of those
    /// up to N that were seen often enough.
    pub(super) fn nst_score(
        &self,
        nst: Nst,
        history: &[Action],
        player: usize,
        submove: &[Step],
    ) -> f64 {
        let action = (player, self.named(submove));
        let (mut sum, mut terms) = (0.0f32, 0.0);
        for n in 1..=nst.length as usize {
            let Some(begin) = history.len().checked_sub(n - 1) else { break };
            let mut sequence = history[begin..].to_vec();
            sequence.push(action.clone());
            let results = self.sequences.results.get(&sequence).map_or(&[][..], Vec::as_slice);
            if n == 1 {
                let (of_results, weight) = summed(results, nst.factor());
                sum = if results.is_empty() { 1.0 } else { (of_results / weight) as f32 };
                terms = 1.0;
                continue;
            }
            let (of_results, weight) = summed_short(results, nst.factor());
            let last = results.last().map_or(0, |result| result.1);
            let factor = nst.factor() as f32;
            let now = (last..self.decays_of(&sequence)).fold(weight, |weight, _| weight * factor);
            if now >= nst.threshold as f32 {
                sum += of_results / weight;
                terms += 1.0;
            }
        }
        f64::from(sum * (1.0 / terms))
    }

    /// How often a sequence has lost weight.
    fn decays_of(&self, sequence: &[Action]) -> u32 {
        self.sequences.decays + self.sequences.own_decays.get(sequence).copied().unwrap_or(0)
    }

    /// The iteration is over.
    pub(super) fn learn_sequences(&mut self, scores: &[u32], applied: &[Applied]) {
        let value = |p: usize| f64::from(scores[p]) * (1.0 / f64::from(self.engine.score_bound(p)));
        let values: Vec<f64> =
            (0..scores.len()).map(|p| if p == 0 { 0.0 } else { value(p) }).collect();
        let best = values[1..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let history = self.actions(applied);
        if let Some(nst) = self.nst() {
            let mut played = Vec::new();
            for end in 1..=history.len() {
                for begin in end.saturating_sub(nst.length as usize)..end {
                    let sequence = history[begin..end].to_vec();
                    let result = (values[history[end - 1].0], self.decays_of(&sequence));
                    self.sequences.results.entry(sequence.clone()).or_default().push(result);
                    played.push(sequence);
                }
                let after_moves = matches!(nst.decay, Decay::SimulatedMove { .. });
                self.sequences.decays += u32::from(after_moves);
            }
            if matches!(nst.decay, Decay::Played { .. }) {
                for sequence in played {
                    *self.sequences.own_decays.entry(sequence).or_default() += 1;
                }
            }
            self.sequences.simulations += 1;
            let now = match nst.decay {
                Decay::Simulation { .. } => true,
                Decay::Batch { simulations, .. } => {
                    self.sequences.simulations.is_multiple_of(simulations)
                }
                _ => false,
            };
            self.sequences.decays += u32::from(now);
        }
        let Some(settings) = self.config.replies else { return };
        for end in 1..history.len() {
            let reply = &history[end];
            for length in 1..=(settings.length as usize).min(end) {
                let answered = history[end - length..end].to_vec();
                if values[reply.0] == best {
                    self.sequences.replies.insert(answered, reply.clone());
                } else if settings.forgetting
                    && self.sequences.replies.get(&answered) == Some(reply)
                {
                    self.sequences.replies.remove(&answered);
                }
            }
        }
    }

    /// A move of the game was played.
    pub(super) fn next_turn_of_sequences(&mut self) {
        match self.nst() {
            Some(_) if self.config.learning.is_some_and(|learning| !learning.keep) => {
                self.sequences.results.clear();
                self.sequences.own_decays.clear();
            }
            Some(Nst { decay: Decay::Move { .. }, .. }) => self.sequences.decays += 1,
            _ => {}
        }
        if self.config.replies.is_some_and(|replies| !replies.keep) {
            self.sequences.replies.clear();
        }
    }
}
