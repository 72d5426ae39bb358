//! MAST at work in a search: a statistic of actions, and how a choice is made by it (THESIS 2.2.4).

use regulus_game::{Random, Step};

use crate::config::{Config, Decay, Mast};
use crate::policy::{self, Choice};
use crate::record::Record;
use crate::statistic::{self, Candidates, Statistic};

/// MAST at work.
pub(crate) struct MastState {
    pub(crate) settings: Mast,
    pub(crate) statistic: Box<dyn Statistic>,
    pub(crate) choice: Box<dyn Choice>,
    /// Whether it can choose among semimoves.
    pub(crate) scores_semimoves: bool,
    since_decay: u32,
}

impl MastState {
    pub(crate) fn new(settings: Mast, config: &Config, players: usize) -> Self {
        let variant = config.resolved(settings.variant);
        let factor = settings.decay.factor().unwrap_or(1.0);
        let entry = statistic::entry(variant).expect("validation has found the statistic");
        MastState {
            settings,
            statistic: (entry.make)(&Mast { variant, ..settings }, players, factor),
            choice: policy::make(settings.policy),
            scores_semimoves: entry.scores_semimoves,
            since_decay: 0,
        }
    }

    /// Algorithm 6, lines 3-4 and 10: every move of the iteration is a sample for its player.
    pub(crate) fn update(&mut self, record: &Record, points: &[f64], scales: &[f64]) {
        let after_moves = matches!(self.settings.decay, Decay::SimulatedMove { .. });
        for (i, (player, steps, whole)) in samples(record, self.settings.tree_only) {
            let value = points[player] * scales[player];
            match record.ending(i) {
                Some((ending, vertex)) if whole => {
                    self.statistic.update_ending(player, steps, ending, vertex, value);
                }
                _ => self.statistic.update(player, steps, whole, value),
            }
            if after_moves {
                self.statistic.decay();
            }
        }
        self.count_simulation(record);
    }

    fn count_simulation(&mut self, record: &Record) {
        match self.settings.decay {
            Decay::Simulation { .. } => self.statistic.decay(),
            Decay::Batch { simulations, .. } => {
                self.since_decay += 1;
                if self.since_decay == simulations {
                    self.since_decay = 0;
                    self.statistic.decay();
                }
            }
            Decay::Played { .. } => {
                for (_, (player, steps, whole)) in samples(record, self.settings.tree_only) {
                    self.statistic.decay_played(player, steps, whole);
                }
            }
            Decay::None | Decay::Move { .. } | Decay::SimulatedMove { .. } => {}
        }
    }

    /// A move of the game was played.
    pub(crate) fn next_turn(&mut self) {
        self.statistic.freeze(false);
        if matches!(self.settings.decay, Decay::Move { .. }) {
            self.statistic.decay();
        }
    }
}

/// The moves of an iteration that are samples: number, player, steps, and whether these are the whole move.
#[inline(always)]
fn samples(
    record: &Record,
    tree_only: bool,
) -> impl Iterator<Item = (usize, (usize, &[Step], bool))> {
    let samples = if tree_only { record.in_tree } else { record.steps.len() };
    record
        .moves
        .iter()
        .enumerate()
        .take_while(move |(_, (_, begin))| (*begin as usize) < samples)
        .map(move |(i, (player, begin))| {
            let (begin, end) = (*begin as usize, record.end(i));
            let last = end.min(samples);
            (i, (usize::from(*player), &record.steps[begin..last], last == end))
        })
}

/// One of the candidates: by MAST if it is given, else uniformly. A single candidate takes no random
/// number.
pub(crate) fn choose(
    player: usize,
    context: u64,
    candidates: Candidates<'_>,
    guide: Option<&mut MastState>,
    scores: &mut Vec<f64>,
    random: &mut Random,
) -> usize {
    let count = candidates.len();
    if count == 1 {
        return 0;
    }
    if let Some(mast) = guide
        && !mast.choice.ignores_scores(random)
    {
        mast.statistic.scores(player, context, candidates, scores);
        return mast.choice.choose(scores, random);
    }
    random.below(count as u64) as usize
}
