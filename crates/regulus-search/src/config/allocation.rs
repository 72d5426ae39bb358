//! Which searches can share out the iterations of the root.

use super::refusal::refuse;
use super::{Config, FinalSelection, Refusal};
use crate::component::allocation::{KIND, REGISTRY, SEQUENTIAL_HALVING};
use crate::component::find;
use crate::parameter::{Setting, field};

/// What decides at the root.
pub(super) const SETTINGS: &[Setting<Config>] = &[Setting {
    sentence: |config| {
        let summary = find(REGISTRY, config.allocation.name)?.summary;
        Some(format!("At the root iterations are shared out, not selected: {summary}."))
    },
    once: true,
    ..Setting::new(
        "allocation",
        KIND,
        "how iterations are shared out among the edges of the root, instead of selection",
        field!(allocation),
    )
}];

impl Config {
    pub(super) fn validate_allocation(&self) -> Result<(), Refusal> {
        let name = self.allocation.name;
        if self.allocation.is_none() {
            return Ok(());
        }
        if self.tree.is_rollup() {
            return refuse(
                "allocation",
                name,
                "rolling up gives the root other edges in the middle of a round: use an orthodox or semisplit tree",
            );
        }
        if name == SEQUENTIAL_HALVING.name && self.final_selection != FinalSelection::Greedy {
            return refuse(
                "allocation",
                name,
                "it plays the move that is left, by its mean: the final selection must be greedy, or the allocation \
                 anytime_halving",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Chosen;
    use crate::config::TreeDesign;

    #[test]
    fn what_cannot_work_is_refused() {
        let with = |name, tree, final_selection| {
            let allocation = Chosen::new(name, &[]);
            Config { allocation, tree, final_selection, ..Config::default() }.validate()
        };
        let rollup =
            TreeDesign::Rollup { nodal: true, min_simulations_factor: 1.0, min_score_diff: 0.0 };
        let semisplit = TreeDesign::Semisplit { nodal: true };
        for name in ["sequential_halving", "anytime_halving"] {
            assert_eq!(with(name, TreeDesign::Orthodox, FinalSelection::Greedy), Ok(()));
            assert_eq!(with(name, semisplit, FinalSelection::Greedy), Ok(()));
            let refusal = with(name, rollup, FinalSelection::Greedy).expect_err("edges change");
            assert!(refusal.reason.contains("other edges"), "{refusal}");
        }
        let by_visits = FinalSelection::MostVisited;
        assert_eq!(with("anytime_halving", semisplit, by_visits), Ok(()));
        let refusal = with("sequential_halving", semisplit, by_visits).expect_err("it decides");
        assert!(refusal.reason.contains("the move that is left"), "{refusal}");
        let refusal = with("quartering", semisplit, FinalSelection::Greedy).expect_err("unknown");
        assert!(refusal.reason.contains("sequential_halving"), "{refusal}");
    }
}
