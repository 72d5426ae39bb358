//! How iterations are shared out among the actions of the root: halving instead of a selection. Below the root
//! the search selects as always. Agents for board games and for video games have the same parts; `root_allocation.rs`
//! has what only trees of board games need.

use regulus_game::Random;

use super::optional;
pub use super::{ComponentWord, Entry, Parameter};
use crate::parameter::Kind;

/// Shares iterations out among the actions of the root, which have numbers from 0 on.
pub trait Allocate: Send {
    /// A tick or a turn begins, with `actions` actions, and a limit of iterations if there is one.
    fn begin(&mut self, actions: usize, iterations: Option<u64>);

    /// The action of the next iteration. `means` has the mean of every action, negative infinity for those never
    /// tried; `share` is the part of other limits (time, ticks) that was spent.
    fn next(&mut self, means: &[f64], share: f64, random: &mut Random) -> usize;

    /// An action turned out to be impossible: it is left out as if it had never been there.
    fn remove(&mut self, action: usize);

    /// How often an action survived; of the actions that did most often the one with the best mean is played.
    fn survived(&self, action: usize) -> u32;

    /// Whether this decides what is played in the end.
    fn decides(&self) -> bool;
}

/// All kinds of allocation.
pub const REGISTRY: &[Entry<dyn Allocate>] = &[SEQUENTIAL_HALVING, ANYTIME_HALVING];

/// Which allocation.
pub(crate) const KIND: Kind = Kind::Component(|| optional("selection decides", REGISTRY));

/// Its name is asked for where parts are put together.
pub(crate) const SEQUENTIAL_HALVING: Entry<dyn Allocate> = Entry {
    name: "sequential_halving",
    summary: "rounds of equal cost in which the actions of the root that are left have equally many iterations; \
              after each the worse half is left out",
    parameters: &[],
    words: &[ComponentWord::board("halving"), ComponentWord::video("halving")],
    make: |_| Box::new(Halving { anytime: false, ..Halving::default() }),
};

const ANYTIME_HALVING: Entry<dyn Allocate> = Entry {
    name: "anytime_halving",
    summary: "short passes of sequential halving over the actions of the root, again and again",
    parameters: &[],
    words: &[ComponentWord::board("anytimeHalving"), ComponentWord::video("anytime")],
    make: |_| Box::new(Halving { anytime: true, ..Halving::default() }),
};

/// Sequential halving (SLIDES, SequentialHalving; Karnin, Koren and Somekh 2013), and its anytime version
/// (Sagers, Winands and Soemers 2024), which needs no limit: a pass gives every action one iteration, the better
/// half two, and so on, until one is left; then all are there again.
#[derive(Default)]
struct Halving {
    anytime: bool,
    /// The actions that are possible.
    actions: Vec<usize>,
    iterations: Option<u64>,
    /// ⌈log2(actions)⌉, at least 1.
    rounds: u32,
    round: u32,
    /// The actions that are left, with their iterations in this round.
    left: Vec<(usize, u64)>,
    survived: Vec<u32>,
}

impl Halving {
    fn restart(&mut self) {
        self.round = 0;
        self.left.clear();
        self.left.extend(self.actions.iter().map(|action| (*action, 0)));
    }

    /// The iterations of an action in this round; nothing if no limit says.
    fn quota(&self) -> Option<u64> {
        if self.anytime {
            return Some(1 << self.round.min(62));
        }
        // Pseudocode of SLIDES; as in SHOT at least one.
        let cost = self.left.len() as u64 * u64::from(self.rounds);
        self.iterations.map(|iterations| (iterations / cost).max(1))
    }

    fn is_round_over(&self, share: f64) -> bool {
        let by_count =
            self.quota().is_some_and(|quota| self.left.iter().all(|(_, done)| *done >= quota));
        let rounds = f64::from(self.rounds);
        // Whatever was spent, nothing is left out that was never tried.
        let all_tried = self.round > 0 || self.left.iter().all(|(_, done)| *done > 0);
        let by_share = !self.anytime && share >= f64::from(self.round + 1) / rounds && all_tried;
        by_count || by_share
    }

    fn count_rounds(&mut self) {
        self.rounds = self.actions.len().next_power_of_two().ilog2().max(1);
    }

    /// The better half is left; of equals any.
    fn halve(&mut self, means: &[f64], random: &mut Random) {
        for index in (1..self.left.len()).rev() {
            self.left.swap(index, random.below(index as u64 + 1) as usize);
        }
        self.left.sort_by(|a, b| means[b.0].total_cmp(&means[a.0]));
        self.left.truncate(self.left.len().div_ceil(2));
        self.round += 1;
        for (action, done) in &mut self.left {
            *done = 0;
            self.survived[*action] += 1;
        }
    }
}

impl Allocate for Halving {
    fn begin(&mut self, actions: usize, iterations: Option<u64>) {
        self.actions.clear();
        self.actions.extend(0..actions);
        self.iterations = iterations;
        self.count_rounds();
        self.survived.clear();
        self.survived.resize(actions, 0);
        self.restart();
    }

    fn next(&mut self, means: &[f64], share: f64, random: &mut Random) -> usize {
        while self.left.len() > 1 && self.is_round_over(share) {
            self.halve(means, random);
            if self.anytime && self.left.len() == 1 {
                self.restart();
            }
        }
        // What a limit of iterations leaves over is for the one that is left.
        let least = self.left.iter().map(|(_, done)| *done).min().unwrap_or_default();
        let behind = self.left.iter().filter(|(_, done)| *done == least).count() as u64;
        let drawn = if behind > 1 { random.below(behind) } else { 0 };
        let mut candidates = self.left.iter_mut().filter(|(_, done)| *done == least);
        let Some((action, done)) = candidates.nth(drawn as usize) else { return 0 };
        *done += 1;
        *action
    }

    fn remove(&mut self, action: usize) {
        self.actions.retain(|other| *other != action);
        self.left.retain(|(other, _)| *other != action);
        self.count_rounds();
        if self.left.is_empty() {
            self.restart();
        }
    }

    fn survived(&self, action: usize) -> u32 {
        self.survived.get(action).copied().unwrap_or_default()
    }

    fn decides(&self) -> bool {
        !self.anytime
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Chosen;

    /// How often each action was tried, and how often it survived.
    fn run(entry: &Entry<dyn Allocate>, limit: Option<u64>, means: &[f64]) -> Vec<(u64, u32)> {
        let mut allocation = entry.build(&Chosen::NONE);
        let mut random = Random::new(1);
        allocation.begin(means.len(), limit);
        let mut counts = vec![0; means.len()];
        for iteration in 0..64 {
            let share = if limit.is_some() { 0.0 } else { f64::from(iteration) / 64.0 };
            counts[allocation.next(means, share, &mut random)] += 1;
        }
        (0..means.len()).map(|action| (counts[action], allocation.survived(action))).collect()
    }

    /// The example of SLIDES: 4 moves, 64 playouts; ⌊64 / (4 * 2)⌋ = 8 each, then ⌊64 / (2 * 2)⌋ = 16.
    #[test]
    fn sequential_halving_by_hand() {
        let means = [0.1, 0.4, 0.3, 0.2];
        let expected = [(8, 0), (24, 1), (24, 1), (8, 0)];
        assert_eq!(run(&SEQUENTIAL_HALVING, Some(64), &means), expected);
        // A limit of time says the same with shares.
        assert_eq!(run(&SEQUENTIAL_HALVING, None, &means), expected);
    }

    #[test]
    fn halves_are_rounded_up_and_the_rest_is_for_the_last() {
        // 3 rounds: ⌊64 / 15⌋ = 4 for 5 actions, ⌊64 / 9⌋ = 7 for 3, ⌊64 / 6⌋ = 10 for 2; 3 are left over.
        let expected = [(4, 0), (4, 0), (11, 1), (21, 2), (24, 3)];
        assert_eq!(run(&SEQUENTIAL_HALVING, Some(64), &[0.1, 0.2, 0.3, 0.4, 0.5]), expected);
        assert_eq!(run(&SEQUENTIAL_HALVING, Some(64), &[0.1]), [(64, 0)]);
    }

    #[test]
    fn too_few_iterations_are_one_each() {
        let mut halving = SEQUENTIAL_HALVING.build(&Chosen::NONE);
        halving.begin(4, Some(3));
        let mut random = Random::new(2);
        let mut tried: Vec<usize> =
            (0..3).map(|_| halving.next(&[f64::NEG_INFINITY; 4], 0.0, &mut random)).collect();
        tried.sort_unstable();
        tried.dedup();
        assert_eq!(tried.len(), 3);
    }

    /// 5 actions of which one is impossible are 4: 2 rounds, 8 iterations each and then 16.
    #[test]
    fn what_is_impossible_was_never_there() {
        for (entry, survivors) in [(&SEQUENTIAL_HALVING, 1), (&ANYTIME_HALVING, 8)] {
            let means = [0.1, 0.4, 0.9, 0.3, 0.2];
            let (mut allocation, mut random) = (entry.build(&Chosen::NONE), Random::new(3));
            allocation.begin(5, Some(64));
            let mut counts = [0; 5];
            while counts.iter().sum::<u32>() < 64 {
                match allocation.next(&means, 0.0, &mut random) {
                    2 => allocation.remove(2),
                    action => counts[action] += 1,
                }
            }
            assert_eq!(counts, [8, 24, 0, 24, 8]);
            assert_eq!(allocation.survived(2), 0);
            assert!(allocation.survived(1) >= survivors);
        }
    }

    #[test]
    fn nothing_is_left_out_untried() {
        let (mut halving, mut random) = (SEQUENTIAL_HALVING.build(&Chosen::NONE), Random::new(4));
        halving.begin(6, None);
        // All the time there was has been spent before the second action is tried.
        let mut tried: Vec<usize> =
            (0..6).map(|_| halving.next(&[0.5; 6], 1.0, &mut random)).collect();
        tried.sort_unstable();
        assert_eq!(tried, [0, 1, 2, 3, 4, 5]);
        assert!((0..6).all(|action| halving.survived(action) == 0));
        halving.next(&[0.5; 6], 1.0, &mut random);
        assert_eq!((0..6).filter(|action| halving.survived(*action) == 3).count(), 1);
    }

    /// A pass over 4 actions is 4 * 1 + 2 * 2 iterations: in 64 there are 8.
    #[test]
    fn anytime_halving_by_hand() {
        let counts = run(&ANYTIME_HALVING, Some(64), &[0.1, 0.4, 0.3, 0.2]);
        assert_eq!(counts.iter().map(|(count, _)| *count).collect::<Vec<_>>(), [8, 24, 24, 8]);
    }
}
