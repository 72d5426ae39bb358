//! Halving at the root: SLIDES (SequentialHalving), and its anytime version (Sagers, Winands and Soemers 2024).

use regulus_game::Engine;
use rustc_hash::FxHashMap;

use super::components::Next;
use super::{Edge, Paper, Submove};

/// The rounds of a turn.
#[derive(Default)]
pub struct Rounds {
    /// The iterations of the turn.
    budget: u64,
    /// All submoves of the root but those that turned out dead.
    possible: Vec<Submove>,
    /// Those that are left, with their iterations in this round.
    left: Vec<(Submove, u64)>,
    round: u32,
    /// How many rounds each has survived.
    survived: FxHashMap<Submove, u32>,
    /// That of this iteration.
    now: Submove,
}

impl Rounds {
    fn restart(&mut self) {
        self.round = 0;
        self.left = self.possible.iter().map(|submove| (submove.clone(), 0)).collect();
    }

    /// The iterations of each that is left: 1, 2, 4 and so on, or what makes all rounds equally long.
    fn quota(&self, anytime: bool) -> u64 {
        let rounds = (self.possible.len() as f64).log2().ceil().max(1.0) as u64;
        match anytime {
            true => 1 << self.round,
            false => (self.budget / (self.left.len() as u64 * rounds)).max(1),
        }
    }
}

impl<E: Engine> Paper<E> {
    fn is_anytime(&self) -> bool {
        self.config.allocation.name == "anytime_halving"
    }

    /// A turn of `budget` iterations begins.
    pub fn begin_turn(&mut self, budget: u64) {
        if self.config.allocation.is_none() || !self.nodes[self.root].alive {
            return;
        }
        self.list(self.root, true);
        let all = self.nodes[self.root].children.iter().chain(self.untried(self.root));
        let possible = all.map(|edge| edge.submove.clone()).collect();
        self.rounds = Rounds { budget, possible, ..Rounds::default() };
        self.rounds.restart();
    }

    fn child(&self, submove: &Submove) -> Option<usize> {
        self.nodes[self.root].children.iter().position(|edge| edge.submove == *submove)
    }

    /// What the root does next, if rounds decide.
    pub(super) fn allocated(&mut self, v: usize) -> Option<Next> {
        if self.config.allocation.is_none() || v != self.root {
            return None;
        }
        let anytime = self.is_anytime();
        while self.rounds.left.len() > 1 {
            let quota = self.rounds.quota(anytime);
            if self.rounds.left.iter().any(|(_, done)| *done < quota) {
                break;
            }
            self.end_round();
            if anytime && self.rounds.left.len() == 1 {
                self.rounds.restart();
            }
        }
        // Any of those that were behind.
        let least = self.rounds.left.iter().map(|(_, done)| *done).min().expect("one is left");
        let left = 0..self.rounds.left.len();
        let behind: Vec<usize> = left.filter(|i| self.rounds.left[*i].1 == least).collect();
        let chosen = match behind.as_slice() {
            [only] => *only,
            several => several[self.random.below(several.len() as u64) as usize],
        };
        self.rounds.left[chosen].1 += 1;
        self.rounds.now = self.rounds.left[chosen].0.clone();
        Some(self.child(&self.rounds.now).map_or(Next::Expand, Next::Follow))
    }

    /// The better half is left; of equals any. Means are over all iterations, also those of earlier turns.
    fn end_round(&mut self) {
        let mut left = std::mem::take(&mut self.rounds.left);
        for i in (1..left.len()).rev() {
            left.swap(i, self.random.below(i as u64 + 1) as usize);
        }
        let children = &self.nodes[self.root].children;
        let mean = |submove: &Submove| {
            self.mean(&children[self.child(submove).expect("it was tried in the first round")])
        };
        left.sort_by(|a, b| mean(&b.0).total_cmp(&mean(&a.0)));
        left.truncate(left.len().div_ceil(2));
        for (submove, done) in &mut left {
            *done = 0;
            *self.rounds.survived.entry(submove.clone()).or_default() += 1;
        }
        self.rounds.left = left;
        self.rounds.round += 1;
    }

    /// The untried submove of this iteration.
    pub(super) fn allocated_untried(&self, v: usize) -> Option<usize> {
        if self.config.allocation.is_none() || v != self.root {
            return None;
        }
        self.untried(v).iter().position(|edge| edge.submove == self.rounds.now)
    }

    /// The submove of this iteration turned out dead: it was never there.
    pub(super) fn leave_out(&mut self, v: usize) {
        if self.config.allocation.is_none() || v != self.root {
            return;
        }
        let rounds = &mut self.rounds;
        rounds.possible.retain(|submove| *submove != rounds.now);
        rounds.left.retain(|(submove, _)| *submove != rounds.now);
        if rounds.left.is_empty() {
            rounds.restart();
        }
    }

    /// Of the children of the root those that may be played: with sequential halving the one that survived most rounds
    /// and has the best mean, then most iterations.
    pub(super) fn survivors(&self) -> Vec<Edge> {
        let children = self.nodes[self.root].children.clone();
        if self.config.allocation.is_none() || self.is_anytime() {
            return children;
        }
        let survived =
            |edge: &Edge| self.rounds.survived.get(&edge.submove).copied().unwrap_or_default();
        let best = children
            .into_iter()
            .max_by(|a, b| survived(a).cmp(&survived(b)).then(self.compare(a, b)));
        best.into_iter().collect()
    }
}
