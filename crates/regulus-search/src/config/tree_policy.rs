//! How the tree is gone through and grown, beyond UCT: the catalogue of SLIDES and of GVGAI-THESIS chapter 3.
//!
//! Selections, urgencies, widenings and penalties are those that agents for video games have: the registries of
//! [`video`](crate::video).

use super::refusal::refuse;
use super::{Config, Refusal};
use crate::component::{Chosen, Entry, Selection, find, reversal, selection, urgency, widening};
use crate::parameter::{Kind, MANY, Number, Setting, Word, field, words};

/// Parts that change selection and expansion. All are off by default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreePolicy {
    /// What a child is worth, instead of UCT with [`Config::exploration`].
    pub selection: Option<Selection>,
    /// Progressive bias by a heuristic that is given (SLIDES; Chaslot et al. 2008): `weight H / (n + 1)` is added to the
    /// value of a child with n iterations, where H is the score that the player has after the move. A bias that is
    /// learned is the selection `progressive_bias`.
    pub score_bias: f64,
    /// From how many iterations of a child on that is so: H is computed only then (SLIDES: "postpone its computation until
    /// some fixed number of visits").
    pub score_bias_from: u32,
    /// MixMax: how much the greatest score of a child counts, and not its mean; SLIDES: 0.1.
    pub mixmax: f64,
    /// Children that lead back to one of the last positions are worth less.
    pub reversal: Chosen,
    /// When a child is added before all others were tried.
    pub urgency: Chosen,
    /// How many children are considered.
    pub widening: Chosen,
    /// Moves that end the game at once.
    pub decisive: Decisive,
    /// Proven scores (MCTS-Solver, with bounds for every player).
    pub solver: bool,
    /// How much children count that are cheap to prove: the weight of proof numbers (PN-MCTS), with the solver.
    pub proof_bias: f64,
    /// How many states an exhaustive search may try at a new position near the end of the game, with the solver; 0
    /// for none.
    pub endgame: u32,
    /// How many states a proof search from the root tries in every iteration, with the solver; 0 for none.
    pub proof_search: u32,
}

impl Default for TreePolicy {
    fn default() -> Self {
        TreePolicy {
            selection: None,
            score_bias: 0.0,
            score_bias_from: 1,
            mixmax: 0.0,
            reversal: Chosen::NONE,
            urgency: Chosen::NONE,
            widening: Chosen::NONE,
            decisive: Decisive::Off,
            solver: false,
            proof_bias: 0.0,
            endgame: 0,
            proof_search: 0,
        }
    }
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

words!(Decisive { Off = "off", Wins = "wins", WinsAndBlocks = "wins_and_blocks" });

/// What changes selection and expansion.
pub(super) const SETTINGS: &[Setting<Config>] = &[
    Setting {
        published: "a heuristic for Go (G. Chaslot et al. 2008)",
        sentence: |config| {
            let weight = config.tree_policy.score_bias;
            (weight > 0.0).then(|| {
                format!("Children with few iterations are preferred by the score after their move (weight {weight}).")
            })
        },
        words: &[Word {
            word: "scorebias",
            number: Number::Any(Some(1.0)),
            apply: |config, weight| {
                config.tree_policy.score_bias = weight;
                true
            },
        }],
        ..Setting::new(
            "score_bias",
            Kind::Number(0.0, 1e6),
            "progressive bias: how much the score after a move counts for children with few iterations",
            field!(tree_policy.score_bias),
        )
    },
    Setting {
        published: "some fixed number of visits (SLIDES)",
        unused: |config| {
            let unused = config.tree_policy.score_bias == 0.0;
            unused.then(|| "only score_bias has it".to_owned())
        },
        sentence: |config| {
            let from = config.tree_policy.score_bias_from;
            (from > 1).then(|| format!("That score is looked at from {from} iterations on."))
        },
        words: &[Word {
            word: "biasfrom",
            number: Number::Whole(None),
            apply: |config, from| {
                config.tree_policy.score_bias_from = from as u32;
                config.tree_policy.score_bias > 0.0
            },
        }],
        ..Setting::new(
            "score_bias_from",
            Kind::Count(1, MANY),
            "score_bias: iterations of a child from which on the score after its move is computed and counts",
            field!(tree_policy.score_bias_from),
        )
    },
    Setting {
        published: "around 0.1 (SLIDES)",
        sentence: |config| {
            let q = config.tree_policy.mixmax;
            (q > 0.0).then(|| {
                format!("The greatest score of a child counts as {q} of its mean (MixMax).")
            })
        },
        words: &[Word {
            word: "mixmax",
            number: Number::Any(Some(0.1)),
            apply: |config, q| {
                config.tree_policy.mixmax = q;
                true
            },
        }],
        ..Setting::new(
            "mixmax",
            Kind::Number(0.0, 1.0),
            "q of MixMax backups: the part of a child's value that is its greatest score and not the mean",
            field!(tree_policy.mixmax),
        )
    },
    Setting {
        sentence: |config| said("Reversal", reversal::REGISTRY, &config.tree_policy.reversal),
        ..Setting::new(
            "reversal",
            reversal::KIND,
            "what going back to one of the last positions costs",
            field!(tree_policy.reversal),
        )
    },
    Setting {
        sentence: |config| said("Urgency", urgency::REGISTRY, &config.tree_policy.urgency),
        ..Setting::new("urgency", urgency::KIND, urgency::HELP, field!(tree_policy.urgency))
    },
    Setting {
        sentence: |config| said("Widening", widening::REGISTRY, &config.tree_policy.widening),
        ..Setting::new("widening", widening::KIND, widening::HELP, field!(tree_policy.widening))
    },
    Setting {
        sentence: |config| {
            match config.tree_policy.decisive {
            Decisive::Off => None,
            Decisive::Wins => Some("Where a move wins at once no other is considered.".to_owned()),
            Decisive::WinsAndBlocks => Some(
                "Where a move wins at once no other is considered, and none that lets the next player win at once \
                 if there is another."
                    .to_owned(),
            ),
        }
        },
        words: &[
            Word::new("decisive", |config, _| {
                config.tree_policy.decisive = Decisive::Wins;
                true
            }),
            Word::new("antidecisive", |config, _| {
                config.tree_policy.decisive = Decisive::WinsAndBlocks;
                true
            }),
        ],
        ..Setting::new(
            "decisive",
            Kind::Choice(Decisive::WORDS),
            "moves that win at once are the only ones; those that let the next player do so are left out",
            field!(tree_policy.decisive),
        )
    },
    Setting {
        sentence: |config| {
            let said = "Scores that are proven count instead of means, and end the search when the best move is known.";
            config.tree_policy.solver.then(|| said.to_owned())
        },
        words: &[Word::new("solver", |config, _| {
            config.tree_policy.solver = true;
            true
        })],
        ..Setting::new(
            "solver",
            Kind::Flag,
            "proven scores count instead of means",
            field!(tree_policy.solver),
        )
    },
    Setting {
        published: "tuned for each game (J. Kowalski et al. 2024)",
        sentence: |config| {
            let weight = config.tree_policy.proof_bias;
            (weight > 0.0).then(|| {
                format!("Children whose score is cheap to prove are preferred (weight {weight}).")
            })
        },
        words: &[Word {
            word: "pn",
            number: Number::Any(Some(1.0)),
            apply: |config, weight| {
                config.tree_policy.solver = true;
                config.tree_policy.proof_bias = weight;
                true
            },
        }],
        ..Setting::new(
            "proof_bias",
            Kind::Number(0.0, 1e6),
            "how much children are preferred whose score is cheap to prove; needs solver",
            field!(tree_policy.proof_bias),
        )
    },
    Setting {
        published: "by depth, not by states (H. Baier, M. Winands 2015)",
        sentence: |config| {
            let states = config.tree_policy.endgame;
            (states > 0).then(|| {
                format!("Positions near the end are tried out, with up to {states} states each.")
            })
        },
        words: &[Word {
            word: "endgame",
            number: Number::Any(Some(200.0)),
            apply: |config, states| {
                config.tree_policy.solver = true;
                config.tree_policy.endgame = states as u32;
                true
            },
        }],
        ..Setting::new(
            "endgame",
            Kind::Count(0, 1_000_000),
            "states of an exhaustive search at a new position near the end of the game; needs solver",
            field!(tree_policy.endgame),
        )
    },
    Setting {
        sentence: |config| {
            let states = config.tree_policy.proof_search;
            (states > 0).then(|| {
                format!("A search for a proof goes on by {states} states in every iteration.")
            })
        },
        words: &[Word {
            word: "proof",
            number: Number::Any(Some(1000.0)),
            apply: |config, states| {
                config.tree_policy.solver = true;
                config.tree_policy.proof_search = states as u32;
                true
            },
        }],
        ..Setting::new(
            "proof_search",
            Kind::Count(0, 1_000_000),
            "states by which a search for a proof from the root goes on in every iteration; needs solver",
            field!(tree_policy.proof_search),
        )
    },
];

/// What a part says about itself, with its parameters.
fn said<P: ?Sized>(kind: &str, registry: &'static [Entry<P>], chosen: &Chosen) -> Option<String> {
    let entry = find(registry, chosen.name)?;
    Some(format!("{kind}: {}.", entry.part().sentence(chosen)))
}

impl TreePolicy {
    /// True if children are chosen by UCT (and AMAF) alone, and all are tried first.
    pub(crate) fn is_plain(&self) -> bool {
        *self == TreePolicy { decisive: self.decisive, ..TreePolicy::default() }
    }

    /// True if more is kept for edges than visits and sums.
    pub(crate) fn needs_spread(&self) -> bool {
        let by_mean = |selection: &Selection| {
            matches!(
                selection,
                Selection::Uct { .. }
                    | Selection::ProgressiveHistory { .. }
                    | Selection::EpsilonGreedy { .. }
                    | Selection::DecreasingEpsilon
                    | Selection::Random
            )
        };
        self.selection.as_ref().is_some_and(|selection| !by_mean(selection))
            || self.mixmax > 0.0
            || self.score_bias > 0.0
            || !self.reversal.is_none()
    }

    pub(super) fn validate(&self, config: &Config) -> Result<(), Refusal> {
        if let Some(chosen) = &self.selection {
            let name = chosen.chosen().name;
            let made = selection::make(chosen);
            if made.asks_guide() {
                return refuse(
                    "selection",
                    name,
                    "it goes by the individuals of an evolutionary play-out, which board games do not have: use \
                     another selection",
                );
            }
            if made.asks_actions() && config.mast.is_none() {
                let reason = "it goes by the means of actions that MAST keeps: add MAST";
                return refuse("selection", name, reason);
            }
        }
        if self.proof_bias > 0.0 && !self.solver {
            let reason = "proof numbers say how far the solver is from a proof: add the solver";
            return refuse("proof_bias", self.proof_bias, reason);
        }
        if self.endgame > 0 && !self.solver {
            let reason = "the solver keeps what is found out about endgames: add the solver";
            return refuse("endgame", self.endgame, reason);
        }
        if self.proof_search > 0 && !self.solver {
            let reason = "the solver keeps what is proven: add the solver";
            return refuse("proof_search", self.proof_search, reason);
        }
        if self.proof_search > 0 && !config.allocation.is_none() {
            let reason = "iterations go where something is left to prove, and rounds of halving share them out by \
                          themselves: use one of the two";
            return refuse("proof_search", self.proof_search, reason);
        }
        if self.proof_bias > 0.0 && config.tree.is_rollup() {
            return refuse(
                "proof_bias",
                self.proof_bias,
                "rolling up gives a node the children of another, and numbers would count them twice: use an \
                 orthodox or semisplit tree",
            );
        }
        if !self.widening.is_none() && config.tree.is_rollup() {
            return refuse(
                "widening",
                self.widening.name,
                "rolling up gives a node the children of another, which nobody has put in order: use an orthodox \
                 or semisplit tree",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_work_is_refused() {
        let refused = |policy| {
            let config = Config { tree_policy: policy, ..Config::default() };
            config.validate().expect_err("it cannot work").to_string()
        };
        let plain = TreePolicy::default();
        for name in ["progressive_history", "progressive_bias"] {
            let selection = Some(Chosen::new(name, &[("c", 0.5), ("w", 0.5)]).into());
            let refusal = refused(TreePolicy { selection, ..plain });
            assert!(refusal.ends_with("add MAST"), "{refusal}");
        }
        let refusal = refused(TreePolicy { mixmax: 1.5, ..plain });
        assert_eq!(refusal, "mixmax = 1.5: must lie between 0 and 1");
        let evo = Some(Selection::Evo { epsilon: 0.1 });
        assert!(refused(TreePolicy { selection: evo, ..plain }).contains("evolutionary"));
        let widening = Chosen::new("widening", &[("a", -1.0), ("b", 1.4)]);
        assert!(refused(TreePolicy { widening, ..plain }).starts_with("widening.a = -1"));
        let urgency = Chosen::new("hurry", &[]);
        assert!(refused(TreePolicy { urgency, ..plain }).contains("partial_expansion"));
    }
}
