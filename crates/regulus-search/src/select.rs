//! Selection: UCT, with AMAF if RAVE is used.
//!
//! For a child with n iterations and score sum s, at a node with N iterations, where b is the score
//! bound of the player to move:
//!
//! ```text
//! value = s / (b n) + C sqrt(ln N / n) = (s / b) (1 / n) + C sqrt(ln N) sqrt(1 / n)
//! ```
//!
//! The second form needs one logarithm per node, and two numbers from a table per child. With RAVE the mean
//! is `(1 - beta) mean + beta AMAF` with `beta = sqrt(E / (3 N + E))`. Ties are broken at random.

use std::sync::LazyLock;

use regulus_game::Random;

use crate::numeric::ln;
use crate::tree::{Amaf, Edge};

/// What selection at one node needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Uct {
    /// C sqrt(ln N).
    exploration: f64,
    /// 1 / score bound.
    scale: f64,
}

impl Uct {
    /// For a node with `visits` iterations.
    pub fn new(constant: f64, visits: u32, scale: f64) -> Self {
        Uct { exploration: constant * root_of_ln(visits), scale }
    }

    /// The values of edges.
    pub(crate) fn fill_values(self, edges: &[Edge], values: &mut Vec<f64>) {
        let table = &*INVERSES;
        values.extend(edges.iter().map(|edge| self.value(edge, table)));
    }

    #[inline(always)]
    fn value(self, edge: &Edge, table: &Inverses) -> f64 {
        let (inverse, inverse_root) = table.of(edge.visits);
        edge.sum * self.scale * inverse + self.exploration * inverse_root
    }

    /// The best of the tried edges.
    pub fn best(self, edges: &[Edge], random: &mut Random) -> usize {
        let table = &*INVERSES;
        best_of(edges.len(), |i| self.value(&edges[i], table), random)
    }

    /// The first of the best of the tried edges (PPA Algorithm 7: `value > bestValue`).
    pub fn first_best(self, edges: &[Edge]) -> usize {
        let table = &*INVERSES;
        let values = edges.iter().map(|edge| self.value(edge, table)).enumerate();
        let better =
            |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
        values.fold((0, f64::NEG_INFINITY), better).0
    }

    /// The best of `len` edges that several threads share (WU-UCT; A. Liu et al., *Watch the Unobserved*, ICLR
    /// 2020, equation 4): means are those of the N iterations that are complete, exploration counts those under way,
    /// too. `edge` gives sum, N, and N with those under way; who made this must have given the node's likewise.
    pub fn best_of_shared(
        self,
        len: usize,
        edge: impl Fn(usize) -> (f64, u32, u32),
        random: &mut Random,
    ) -> usize {
        let table = &*INVERSES;
        best_of(len, |i| self.shared_value(edge(i), table), random)
    }

    #[inline(always)]
    fn shared_value(self, (sum, visits, all): (f64, u32, u32), table: &Inverses) -> f64 {
        // The first iteration may be under way.
        let inverse = table.of(visits.max(1)).0;
        sum * self.scale * inverse + self.exploration * table.of(all).1
    }

    /// The best of the tried edges with AMAF means, which are from 0 to 1; an edge without one has its
    /// plain value.
    pub fn best_with_amaf(
        self,
        edges: &[Edge],
        amaf: impl Fn(usize) -> Option<f64>,
        beta: f64,
        random: &mut Random,
    ) -> usize {
        let table = &*INVERSES;
        let value = |i: usize| {
            let Some(amaf) = amaf(i) else { return self.value(&edges[i], table) };
            let (inverse, inverse_root) = table.of(edges[i].visits);
            let own = (1.0 - beta) * self.scale * edges[i].sum * inverse;
            own + self.exploration * inverse_root + beta * amaf
        };
        best_of(edges.len(), value, random)
    }

    /// The same where every edge has AMAF samples of its own, as every tried edge has.
    pub fn best_with_own_amaf(
        self,
        edges: &[Edge],
        amaf: &[Amaf],
        beta: f64,
        random: &mut Random,
    ) -> usize {
        let amaf = &amaf[..edges.len()];
        let own_scale = (1.0 - beta) * self.scale;
        let table = &*INVERSES;
        let value = |i: usize| {
            let (inverse, inverse_root) = table.of(edges[i].visits);
            let own = own_scale * edges[i].sum * inverse + self.exploration * inverse_root;
            own + beta * (amaf[i].sum * self.scale * table.of(amaf[i].count).0)
        };
        best_of(edges.len(), value, random)
    }
}

/// What the formula needs of a number of iterations. For most edges it comes from a table that stays in
/// the first-level cache, instead of a root and divisions.
struct Inverses {
    /// 1 / n and 1 / sqrt(n).
    inverses: Box<[(f64, f64); 4096]>,
    /// sqrt(ln n).
    root_of_ln: Box<[f64; 4096]>,
}

static INVERSES: LazyLock<Inverses> = LazyLock::new(|| {
    let inverses = std::array::from_fn(|n| inverses(n as u32));
    let root_of_ln = std::array::from_fn(|n| ln((n as f64).max(1.0)).sqrt());
    Inverses { inverses: Box::new(inverses), root_of_ln: Box::new(root_of_ln) }
});

fn inverses(n: u32) -> (f64, f64) {
    let inverse = 1.0 / f64::from(n);
    (inverse, inverse.sqrt())
}

impl Inverses {
    #[inline(always)]
    fn of(&self, n: u32) -> (f64, f64) {
        match self.inverses.get(n as usize) {
            Some(known) => *known,
            None => inverses(n),
        }
    }
}

/// sqrt(ln N), from a table for most nodes.
fn root_of_ln(visits: u32) -> f64 {
    let known = INVERSES.root_of_ln.get(visits as usize);
    known.copied().unwrap_or_else(|| ln(f64::from(visits)).sqrt())
}

/// The weight of AMAF at a node with `visits` iterations.
pub fn beta(equivalence: f64, visits: u32) -> f64 {
    (equivalence / (3.0 * f64::from(visits) + equivalence)).sqrt()
}

/// The mean of an AMAF statistic, if it has samples.
#[inline]
pub fn amaf_mean(amaf: &Amaf, scale: f64) -> Option<f64> {
    (amaf.count > 0).then(|| amaf.sum * scale * INVERSES.of(amaf.count).0)
}

#[inline(always)]
pub(crate) fn best_of(len: usize, value: impl Fn(usize) -> f64, random: &mut Random) -> usize {
    let (mut highest, mut best, mut ties) = (f64::NEG_INFINITY, 0, 1u64);
    for i in 0..len {
        let v = value(i);
        if v > highest {
            (highest, best, ties) = (v, i, 1);
        } else if v == highest {
            ties += 1;
        }
    }
    if ties == 1 {
        return best;
    }
    let chosen = random.below(ties) as usize;
    (best..len).filter(|i| value(*i) == highest).nth(chosen).unwrap_or(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::NONE;

    fn edge(sum: f64, visits: u32) -> Edge {
        Edge { sum, visits, child: NONE }
    }

    #[test]
    fn values_by_hand() {
        // N = 10, C = 0.4: sqrt(ln 10) = 1.51743; 150 points of 100 in 2 iterations.
        let uct = Uct::new(0.4, 10, 0.01);
        let expected = 0.75 + 0.4 * (10f64.ln() / 2.0).sqrt();
        assert!((uct.value(&edge(150.0, 2), &INVERSES) - expected).abs() < 1e-12);
        assert!((beta(250.0, 250) - 0.5).abs() < 1e-12);
    }

    /// N = 6 and O = 4 at the node, 2 and 1 at the child: the mean is that of two, exploration that of three of ten.
    #[test]
    fn values_with_iterations_under_way_by_hand() {
        let uct = Uct::new(0.4, 6 + 4, 0.01);
        let expected = 0.75 + 0.4 * (10f64.ln() / 3.0).sqrt();
        assert!((uct.shared_value((150.0, 2, 3), &INVERSES) - expected).abs() < 1e-12);
        // Nothing is known yet: exploration alone.
        let expected = 0.4 * 10f64.ln().sqrt();
        assert!((uct.shared_value((0.0, 0, 1), &INVERSES) - expected).abs() < 1e-12);
        // Without others it is UCT, bit by bit.
        let alone = uct.shared_value((150.0, 2, 2), &INVERSES);
        assert_eq!(alone, uct.value(&edge(150.0, 2), &INVERSES));
        // Of two equal children the one that nobody is searching is better.
        let edges = [(100.0, 2, 3), (100.0, 2, 2)];
        assert_eq!(uct.best_of_shared(2, |i| edges[i], &mut Random::new(1)), 1);
    }

    #[test]
    fn the_best_wins_and_ties_are_random() {
        let mut random = Random::new(1);
        let uct = Uct::new(0.4, 9, 0.01);
        let edges = [edge(100.0, 3), edge(200.0, 3), edge(200.0, 3)];
        let chosen: Vec<usize> = (0..100).map(|_| uct.best(&edges, &mut random)).collect();
        assert!(chosen.contains(&1) && chosen.contains(&2) && !chosen.contains(&0));
        assert_eq!(uct.first_best(&edges), 1);
        // AMAF can turn it round: beta 1 is AMAF alone.
        let amaf = |i: usize| Some([0.9, 0.1, 0.1][i]);
        assert_eq!(uct.best_with_amaf(&edges, amaf, 1.0, &mut random), 0);
    }
}
