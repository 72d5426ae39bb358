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
        if matches!(self.settings.decay, Decay::SimulatedMove { .. }) {
            for sample in samples(record, self.settings.tree_only) {
                self.add(record, sample, points, scales);
                self.statistic.decay();
            }
            return;
        }
        for sample in samples(record, self.settings.tree_only) {
            self.add(record, sample, points, scales);
        }
        self.count_simulation(record);
    }

    #[inline(always)]
    fn add(&mut self, record: &Record, sample: Sample<'_>, points: &[f64], scales: &[f64]) {
        let Sample { number, player, steps, whole } = sample;
        let value = points[player] * scales[player];
        match record.ending(number) {
            Some((ending, vertex)) if whole => {
                self.statistic.update_ending(player, steps, ending, vertex, value);
            }
            _ => self.statistic.update(player, steps, whole, value),
        }
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
                for sample in samples(record, self.settings.tree_only) {
                    self.statistic.decay_played(sample.player, sample.steps, sample.whole);
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

/// A move of an iteration, or its beginning.
struct Sample<'r> {
    number: usize,
    player: usize,
    steps: &'r [Step],
    /// Whether these are all steps of the move.
    whole: bool,
}

/// The moves of an iteration that are samples.
#[inline(always)]
fn samples(record: &Record, tree_only: bool) -> impl Iterator<Item = Sample<'_>> {
    let samples = if tree_only { record.in_tree } else { record.steps.len() };
    let moves = record.moves.iter().enumerate();
    moves.map_while(move |(number, (player, begin))| {
        let (begin, end) = (*begin as usize, record.end(number));
        let last = end.min(samples);
        let steps = record.steps.get(begin..last).filter(|steps| !steps.is_empty())?;
        Some(Sample { number, player: usize::from(*player), steps, whole: last == end })
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
