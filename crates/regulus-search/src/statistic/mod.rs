//! Scores of actions, learned from all iterations (MAST and its variants, THESIS 2.2.4).
//!
//! A new statistic is one file in this folder that implements [`Statistic`], and one line in
//! [`REGISTRY`]; a configuration asks for it by [`Variant::Registered`].

mod collision;
mod context;
mod join;
mod mix;
mod move_table;
pub(crate) mod names;
mod split;
pub(crate) mod table;

use regulus_game::{GroupedMove, MoveGroups, Moves, Random, Step};

use crate::action::NODAL;
use crate::config::{Mast, Variant};

pub use table::Average;

/// What can be chosen: moves, semimoves, or edges of a tree.
#[derive(Clone, Copy)]
pub enum Candidates<'a> {
    /// Moves or submoves.
    Moves(&'a Moves),
    /// Single semimoves.
    Semimoves(&'a [Step]),
    /// Submoves, as begins and lengths in an array of steps.
    Submoves(&'a [(u32, u32)], &'a [Step]),
    /// Whole moves in groups.
    Groups(&'a MoveGroups),
}

impl Candidates<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Candidates::Moves(moves) => moves.len(),
            Candidates::Semimoves(semimoves) => semimoves.len(),
            Candidates::Submoves(ranges, _) => ranges.len(),
            Candidates::Groups(groups) => groups.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Scores of actions, for each player separately. Scores are means of values from 0 to 1; an action
/// that was never tried has 1, the highest, so that it is tried soon.
pub trait Statistic: Send {
    /// The score of a submove behind a context.
    fn score(&self, player: usize, context: u64, submove: &[Step]) -> f64;

    /// Adds a sample: a move, semimove by semimove, that gave this value. With `whole` false the move
    /// was not completed where samples are taken.
    fn update(&mut self, player: usize, steps: &[Step], whole: bool, value: f64);

    /// The same for a whole move that consists of an ending of groups alone.
    fn update_ending(
        &mut self,
        player: usize,
        steps: &[Step],
        ending: u32,
        vertex: u16,
        value: f64,
    ) {
        let _ = (ending, vertex);
        self.update(player, steps, true, value);
    }

    /// All samples lose weight, by the factor the statistic was made with.
    fn decay(&mut self);

    /// The samples of a move lose weight once more, by the same factor. It has been added before, with the same steps.
    fn decay_played(&mut self, player: usize, steps: &[Step], whole: bool);

    /// How many bytes it takes.
    fn bytes(&self) -> usize;

    /// How often an action had the key of another; counted in debug builds only.
    fn collisions(&self) -> u64 {
        0
    }

    /// Whether memory for new actions may not be taken any more.
    fn freeze(&mut self, frozen: bool);

    /// The scores of all candidates.
    fn scores(
        &mut self,
        player: usize,
        context: u64,
        candidates: Candidates<'_>,
        out: &mut Vec<f64>,
    ) {
        default_scores(self, player, context, candidates, out);
    }

    /// Gets to know how moves in groups can end; asked for before the first sample.
    fn prepare(&mut self, groups: &MoveGroups) {
        let _ = groups;
    }

    /// One of the best moves of some groups, each with the same probability.
    fn best(
        &mut self,
        player: usize,
        groups: &MoveGroups,
        scratch: &mut Vec<f64>,
        random: &mut Random,
    ) -> Option<GroupedMove> {
        self.scores(player, NODAL, Candidates::Groups(groups), scratch);
        groups.nth(best(scratch, random)?)
    }
}

/// The index of the highest score; a random one of several.
pub(crate) fn best(scores: &[f64], random: &mut Random) -> Option<usize> {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let count = scores.iter().filter(|score| **score == highest).count();
    let chosen = if count < 2 { 0 } else { random.below(count as u64) as usize };
    let ties = scores.iter().enumerate().filter(|(_, score)| **score == highest);
    ties.map(|(i, _)| i).nth(chosen)
}

/// The scores of all candidates, one by one.
pub fn default_scores<S: Statistic + ?Sized>(
    statistic: &S,
    player: usize,
    context: u64,
    candidates: Candidates<'_>,
    out: &mut Vec<f64>,
) {
    out.clear();
    match candidates {
        Candidates::Moves(moves) => {
            let (mut rest, ends) = moves.parts();
            let mut begin = 0;
            out.extend(ends.iter().map(|end| {
                let (submove, others) = rest.split_at((*end - begin) as usize);
                (rest, begin) = (others, *end);
                statistic.score(player, context, submove)
            }));
        }
        Candidates::Semimoves(steps) => {
            out.extend(steps.chunks_exact(1).map(|s| statistic.score(player, context, s)));
        }
        Candidates::Submoves(ranges, steps) => out.extend(ranges.iter().map(|(start, len)| {
            let start = *start as usize;
            statistic.score(player, context, &steps[start..start + *len as usize])
        })),
        Candidates::Groups(groups) => {
            let mut steps = Vec::new();
            for (i, group) in groups.iter().enumerate() {
                for position in group.positions() {
                    steps.clear();
                    groups.push_steps(GroupedMove { group: i, position }, &mut steps);
                    out.push(statistic.score(player, context, &steps));
                }
            }
        }
    }
}

/// A kind of statistic.
pub struct Entry {
    /// Its name in configurations.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Whether it has scores for semimoves and submoves, not only for whole moves.
    pub scores_semimoves: bool,
    /// Makes it, for `players` players; weights are multiplied by the factor in every decay.
    pub make: fn(mast: &Mast, players: usize, factor: f64) -> Box<dyn Statistic>,
}

/// All statistics.
pub const REGISTRY: &[Entry] = &[split::ENTRY, join::ENTRY, context::ENTRY, mix::ENTRY];

/// Finds a statistic by its name.
pub fn find(name: &str) -> Option<&'static Entry> {
    REGISTRY.iter().find(|entry| entry.name == name)
}

/// The statistic of a variant that is not [`Variant::Standard`].
pub(crate) fn entry(variant: Variant) -> Option<&'static Entry> {
    find(variant.name())
}
