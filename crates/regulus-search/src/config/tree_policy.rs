//! How the tree is gone through and grown, beyond UCT: the catalogue of SLIDES and of GVGAI-THESIS chapter 3.

use super::refusal::{in_range, refuse};
use super::{Config, Refusal};
use crate::video::Selection;

/// Parts that change selection and expansion. All are off by default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreePolicy {
    /// What a child is worth, instead of UCT with [`Config::exploration`].
    pub selection: Option<Selection>,
    /// Progressive bias: a heuristic that counts for children with few iterations.
    pub bias: Option<Bias>,
    /// MixMax: how much the greatest score of a child counts, and not its mean; SLIDES: 0.1.
    pub mixmax: f64,
    /// Children that lead back are worth less.
    pub reversal: Option<Reversal>,
    /// When a child is added before all others were tried.
    pub urgency: Option<Urgency>,
    /// How many children are considered.
    pub widening: Option<Widening>,
    /// Moves that end the game at once.
    pub decisive: Decisive,
    /// Proven scores (MCTS-Solver, with bounds for every player).
    pub solver: bool,
}

impl Default for TreePolicy {
    fn default() -> Self {
        TreePolicy {
            selection: None,
            bias: None,
            mixmax: 0.0,
            reversal: None,
            urgency: None,
            widening: None,
            decisive: Decisive::Off,
            solver: false,
        }
    }
}

/// Progressive bias (SLIDES; Chaslot et al. 2008): `weight H / (n + 1)` is added to the value of a child with n
/// iterations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bias {
    /// H.
    pub heuristic: Heuristic,
    /// How much it counts.
    pub weight: f64,
}

/// What a move is thought to be worth before it is tried, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heuristic {
    /// What MAST says.
    Mast,
    /// The score that the player has after it.
    Score,
}

impl Heuristic {
    /// Its name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Heuristic::Mast => "mast",
            Heuristic::Score => "score",
        }
    }
}

/// Reversal penalty (SLIDES): the value of a child that is one of the last positions is multiplied.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reversal {
    /// How many positions are remembered; SLIDES: 5.
    pub positions: u32,
    /// By what the value is multiplied; SLIDES: 0.95.
    pub factor: f64,
}

/// When a child is added although some that were tried could be visited again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Urgency {
    /// First-play urgency (Gelly and Wang 2006): an untried child is worth a constant.
    FirstPlay {
        /// What it is worth.
        value: f64,
    },
    /// Partial expansion (SLIDES): `k + C sqrt(2 ln N / (1 + tried))`.
    Partial {
        /// k, the default reward of a child that does not exist; SLIDES: 0.5.
        value: f64,
    },
}

/// How many children are considered, by the iterations of their parent (SLIDES; Chaslot et al. 2008, Coulom
/// 2007).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Widening {
    /// Progressive unpruning: from some iterations on only the best children, and then one more when the
    /// iterations surpass A B^(k - k_init). SLIDES: 5, 50, 1.3.
    Unpruning {
        /// T: from how many iterations on.
        threshold: u32,
        /// How many children at first.
        initial: u32,
        /// A.
        a: f64,
        /// B.
        b: f64,
    },
    /// Progressive widening: the k-th child comes after t_(k-1) iterations, with t_0 = 0 and
    /// t_(k+1) = t_k + A B^k. SLIDES: 40, 1.4.
    Widening {
        /// A.
        a: f64,
        /// B.
        b: f64,
    },
}

/// Moves that end the game at once (Teytaud and Teytaud 2010).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decisive {
    /// Nothing is looked for.
    Off,
    /// Where a move wins at once the tree has no other.
    Wins,
    /// Also, moves that let the next player win at once are left out where there are others.
    WinsAndBlocks,
}

impl Decisive {
    /// Its name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Decisive::Off => "off",
            Decisive::Wins => "wins",
            Decisive::WinsAndBlocks => "wins_and_blocks",
        }
    }
}

impl Widening {
    /// How many children are considered at a node with so many iterations and children; at least one.
    pub fn allowed(self, visits: u32, count: u32) -> u32 {
        let visits = f64::from(visits);
        match self {
            Widening::Unpruning { threshold, initial, a, b } => {
                if visits < f64::from(threshold) {
                    return count;
                }
                let (mut allowed, mut needed) = (initial, a * b);
                while allowed < count && visits > needed {
                    (allowed, needed) = (allowed + 1, needed * b);
                }
                allowed.min(count)
            }
            Widening::Widening { a, b } => {
                let (mut allowed, mut needed, mut step) = (1, a, a * b);
                while allowed < count && visits >= needed {
                    (allowed, needed, step) = (allowed + 1, needed + step, step * b);
                }
                allowed.min(count)
            }
        }
    }

    fn validate(self) -> Result<(), Refusal> {
        let (a, b) = match self {
            Widening::Unpruning { initial, a, b, .. } => {
                if initial == 0 {
                    return refuse("tree_policy.widening.initial", 0, "must be at least 1");
                }
                (a, b)
            }
            Widening::Widening { a, b } => (a, b),
        };
        in_range("tree_policy.widening.a", a, 1e-3, 1e9)?;
        in_range("tree_policy.widening.b", b, 1.0, 100.0)
    }
}

impl TreePolicy {
    /// True if children are chosen by UCT (and AMAF) alone, and all are tried first.
    pub(crate) fn is_plain(&self) -> bool {
        *self == TreePolicy { decisive: self.decisive, ..TreePolicy::default() }
    }

    /// True if more is kept for edges than visits and sums.
    pub(crate) fn needs_spread(&self) -> bool {
        let by_spread = |selection: Selection| {
            matches!(
                selection,
                Selection::AdaptiveC { .. }
                    | Selection::Ucb1Tuned
                    | Selection::SinglePlayer { .. }
                    | Selection::Registered { .. }
            )
        };
        self.selection.is_some_and(by_spread)
            || self.mixmax > 0.0
            || self.bias.is_some()
            || self.reversal.is_some()
    }

    pub(super) fn validate(&self, config: &Config) -> Result<(), Refusal> {
        if let Some(selection) = &self.selection {
            selection.validate()?;
            match selection {
                Selection::Evo { .. } => {
                    return refuse(
                        "tree_policy.selection",
                        "evo",
                        "it goes by the individuals of an evolutionary play-out, which board games do not \
                         have: use another selection",
                    );
                }
                Selection::ProgressiveHistory { .. } if config.mast.is_none() => {
                    return refuse(
                        "tree_policy.selection",
                        "progressive_history",
                        "it goes by the means of actions that MAST keeps: add MAST",
                    );
                }
                _ => {}
            }
        }
        if let Some(bias) = &self.bias {
            in_range("tree_policy.bias.weight", bias.weight, 0.0, 1e6)?;
            if bias.heuristic == Heuristic::Mast && config.mast.is_none() {
                return refuse(
                    "tree_policy.bias.heuristic",
                    "mast",
                    "it goes by the means of actions that MAST keeps: add MAST, or use score",
                );
            }
        }
        in_range("tree_policy.mixmax", self.mixmax, 0.0, 1.0)?;
        if let Some(reversal) = &self.reversal {
            in_range("tree_policy.reversal.factor", reversal.factor, 0.0, 1.0)?;
            in_range("tree_policy.reversal.positions", f64::from(reversal.positions), 1.0, 1000.0)?;
        }
        match self.urgency {
            Some(Urgency::FirstPlay { value } | Urgency::Partial { value }) => {
                in_range("tree_policy.urgency.value", value, -1e6, 1e6)?;
            }
            None => {}
        }
        if let Some(widening) = self.widening {
            widening.validate()?;
            if config.tree.is_rollup() {
                return refuse(
                    "tree_policy.widening",
                    "on",
                    "rolling up gives a node the children of another, which nobody has put in order: use an \
                     orthodox or semisplit tree",
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_come_one_by_one() {
        // A = 40, B = 1.4: t_0 = 0, t_1 = 40, t_2 = 40 + 56 = 96, t_3 = 96 + 78.4 = 174.4.
        let widening = Widening::Widening { a: 40.0, b: 1.4 };
        let allowed = |visits| widening.allowed(visits, 100);
        assert_eq!([0, 39, 40, 95, 96, 174, 175].map(allowed), [1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(widening.allowed(100_000, 3), 3);
        // k_init = 5, A = 50, B = 1.3: the sixth when there are more than 65, the seventh above 84.5.
        let unpruning = Widening::Unpruning { threshold: 30, initial: 5, a: 50.0, b: 1.3 };
        let allowed = |visits| unpruning.allowed(visits, 40);
        assert_eq!([29, 30, 65, 66, 84, 85].map(allowed), [40, 5, 5, 6, 6, 7]);
        assert_eq!(unpruning.allowed(50, 3), 3);
    }

    #[test]
    fn what_cannot_work_is_refused() {
        let refused = |policy| {
            let config = Config { tree_policy: policy, ..Config::default() };
            config.validate().expect_err("it cannot work").to_string()
        };
        let plain = TreePolicy::default();
        let history = Some(Selection::ProgressiveHistory { c: 0.4, w: 1.0 });
        let refusal = refused(TreePolicy { selection: history, ..plain });
        assert!(refusal.ends_with("add MAST"), "{refusal}");
        let refusal = refused(TreePolicy { mixmax: 1.5, ..plain });
        assert_eq!(refusal, "tree_policy.mixmax = 1.5: must lie between 0 and 1");
        let refusal =
            refused(TreePolicy { selection: Some(Selection::Evo { epsilon: 0.1 }), ..plain });
        assert!(refusal.contains("evolutionary"), "{refusal}");
        let bias = Some(Bias { heuristic: Heuristic::Mast, weight: 1.0 });
        assert!(refused(TreePolicy { bias, ..plain }).contains("add MAST"));
        let none = Some(Widening::Widening { a: 0.0, b: 1.4 });
        assert!(refused(TreePolicy { widening: none, ..plain }).contains("widening.a"));
    }
}
