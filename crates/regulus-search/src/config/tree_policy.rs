//! How the tree is gone through and grown, beyond UCT: the catalogue of SLIDES and of GVGAI-THESIS chapter 3.
//!
//! Selections, urgencies, widenings and penalties are those that agents for video games have: the registries of
//! [`video`](crate::video).

use super::refusal::{in_range, refuse};
use super::{Config, Refusal};
use crate::part::{Chosen, Selection, reversal, selection, urgency, validate_optional, widening};

/// Parts that change selection and expansion. All are off by default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreePolicy {
    /// What a child is worth, instead of UCT with [`Config::exploration`].
    pub selection: Option<Selection>,
    /// Progressive bias by a heuristic that is given (SLIDES; Chaslot et al. 2008): `weight H / (n + 1)` is added to the
    /// value of a child with n iterations, where H is the score that the player has after the move. A bias that is
    /// learned is the selection `progressive_bias`.
    pub score_bias: f64,
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
            chosen.validate()?;
            let (name, _) = chosen.name_and_parameters();
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
        in_range("score_bias", self.score_bias, 0.0, 1e6)?;
        in_range("mixmax", self.mixmax, 0.0, 1.0)?;
        in_range("proof_bias", self.proof_bias, 0.0, 1e6)?;
        if self.proof_bias > 0.0 && !self.solver {
            let reason = "proof numbers say how far the solver is from a proof: add the solver";
            return refuse("proof_bias", self.proof_bias, reason);
        }
        in_range("endgame", f64::from(self.endgame), 0.0, 1e6)?;
        if self.endgame > 0 && !self.solver {
            let reason = "the solver keeps what is found out about endgames: add the solver";
            return refuse("endgame", self.endgame, reason);
        }
        in_range("proof_search", f64::from(self.proof_search), 0.0, 1e6)?;
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
        validate_optional("reversal", reversal::REGISTRY, &self.reversal)?;
        validate_optional("urgency", urgency::REGISTRY, &self.urgency)?;
        validate_optional("widening", widening::REGISTRY, &self.widening)?;
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
            let selection = Some(Selection::Registered { name, parameters: [0.5; 6] });
            let refusal = refused(TreePolicy { selection, ..plain });
            assert!(refusal.ends_with("add MAST"), "{refusal}");
        }
        let refusal = refused(TreePolicy { mixmax: 1.5, ..plain });
        assert_eq!(refusal, "mixmax = 1.5: must lie between 0 and 1");
        let evo = Some(Selection::Evo { epsilon: 0.1 });
        assert!(refused(TreePolicy { selection: evo, ..plain }).contains("evolutionary"));
        let widening = Chosen::new("widening", &[-1.0, 1.4]);
        assert!(refused(TreePolicy { widening, ..plain }).starts_with("widening.a = -1"));
        let urgency = Chosen::new("hurry", &[]);
        assert!(refused(TreePolicy { urgency, ..plain }).contains("partial_expansion"));
    }
}
