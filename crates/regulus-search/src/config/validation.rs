//! Values in their ranges and combinations that exist.

use super::availability::{Availability, mast_availability, rave_availability};
use super::refusal::{above_zero, at_least_one, in_range, refuse};
use super::{
    Config, Decay, FinalSelection, Learning, Mast, Method, Policy, Refusal, SimulationDesign,
    TreeDesign, Variant,
};
use crate::policy;

/// The least memory a search can be given.
pub const MIN_MEMORY: usize = 1 << 20;

impl Config {
    /// What [`Variant::Standard`] stands for: join for moves, split for semimoves.
    pub fn resolved(&self, variant: Variant) -> Variant {
        match (variant, self.simulation) {
            (Variant::Standard, SimulationDesign::Orthodox) => Variant::Join,
            (Variant::Standard, SimulationDesign::Semisplit) => Variant::Split,
            _ => variant,
        }
    }

    /// Refuses values out of range and combinations that do not exist.
    pub fn validate(&self) -> Result<(), Refusal> {
        in_range("exploration", self.exploration, 0.0, 100.0)?;
        at_least_one("max_semidepth", self.max_semidepth)?;
        at_least_one("reasoning_overhead", self.reasoning_overhead)?;
        if self.memory < MIN_MEMORY {
            return refuse(
                "memory",
                self.memory,
                format!("at least {MIN_MEMORY} bytes are needed"),
            );
        }
        if let TreeDesign::Rollup { min_simulations_factor, min_score_diff, .. } = self.tree {
            in_range("tree.min_simulations_factor", min_simulations_factor, 0.0, 1e9)?;
            in_range("tree.min_score_diff", min_score_diff, 0.0, 100.0)?;
        }
        match self.final_selection {
            FinalSelection::Rollup { factor } => {
                in_range("final_selection.factor", factor, 0.0, 1e9)?;
                if self.tree.is_orthodox() {
                    return refuse(
                        "final_selection",
                        "rollup",
                        "the edges of an orthodox tree are whole moves already: use greedy",
                    );
                }
            }
            FinalSelection::RobustMax { extension } => {
                in_range("final_selection.extension", extension, 0.0, 100.0)?;
            }
            FinalSelection::Greedy | FinalSelection::MostVisited => {}
        }
        if let Some(mast) = &self.mast {
            self.validate_mast(mast)?;
        }
        if let Some(rave) = &self.rave {
            in_range("rave.equivalence", rave.equivalence, 0.0, 1e12)?;
            let entry = rave_availability(self.tree, self.simulation, rave.variant);
            self.available("rave.variant", rave.variant, entry)?;
        }
        if let Some(learning) = &self.learning {
            self.validate_learning(learning)?;
        }
        Ok(())
    }

    fn validate_mast(&self, mast: &Mast) -> Result<(), Refusal> {
        match mast.policy {
            Policy::EpsilonGreedy { epsilon } => {
                in_range("mast.policy.epsilon", epsilon, 0.0, 1.0)?
            }
            Policy::Gibbs { temperature } => {
                in_range("mast.policy.temperature", temperature, 1e-3, 1e3)?;
            }
            Policy::Roulette => {}
            Policy::Registered { name, .. } => {
                if policy::find(name).is_none() {
                    let names: Vec<&str> = policy::REGISTRY.iter().map(|e| e.name).collect();
                    return refuse(
                        "mast.policy",
                        name,
                        format!("must be one of {}", names.join(", ")),
                    );
                }
            }
        }
        match mast.decay {
            Decay::None => {}
            Decay::Move { factor } | Decay::Simulation { factor } => {
                in_range("mast.decay.factor", factor, 0.0, 1.0)?;
            }
            Decay::Batch { factor, simulations } => {
                in_range("mast.decay.factor", factor, 0.0, 1.0)?;
                at_least_one("mast.decay.simulations", simulations)?;
            }
        }
        if !mast.in_playouts && !mast.in_expansion {
            return refuse("mast", "on", "it is used neither in playouts nor in expansion");
        }
        let entry = mast_availability(self.tree, self.simulation, mast.variant);
        self.available("mast.variant", mast.variant, entry)?;
        if entry == Availability::NotInExpansion && mast.in_expansion {
            return refuse(
                "mast.in_expansion",
                "true",
                format!(
                    "expansion in a {} tree chooses among semimoves, and join has scores for whole \
                     moves only: switch it off, or use split, context or mix",
                    self.tree.name()
                ),
            );
        }
        Ok(())
    }

    fn validate_learning(&self, learning: &Learning) -> Result<(), Refusal> {
        match learning.method {
            Method::Ppa { alpha } => above_zero("learning.alpha", alpha, 100.0)?,
            Method::Mast { k } => above_zero("learning.k", k, 10_000.0)?,
        }
        if self.mast.is_some_and(|mast| mast.in_playouts) {
            return refuse(
                "learning",
                learning.method.name(),
                "simulations follow MAST already: switch off mast.in_playouts, or one of the two",
            );
        }
        let split_tree = matches!(self.tree, TreeDesign::Semisplit { .. });
        if self.simulation == SimulationDesign::Semisplit && !split_tree {
            return refuse(
                "learning",
                learning.method.name(),
                format!(
                    "semisplit simulations learn about semimoves, and the edges of this {} tree are \
                     longer: use a semisplit tree, or orthodox simulations",
                    self.tree.name()
                ),
            );
        }
        Ok(())
    }

    fn available(
        &self,
        parameter: &'static str,
        variant: Variant,
        entry: Availability,
    ) -> Result<(), Refusal> {
        let setting = format!("{} tree, {} simulations", self.tree.name(), self.simulation.name());
        match entry {
            Availability::Available | Availability::NotInExpansion => Ok(()),
            Availability::Useless(instead) => refuse(
                parameter,
                variant.name(),
                format!("with {setting} it equals {} and is slower: use that", instead.name()),
            ),
            Availability::Missing(why) => {
                refuse(parameter, variant.name(), format!("not available with {setting}: {why}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Rave;

    const ROLLUP: TreeDesign =
        TreeDesign::Rollup { nodal: true, min_simulations_factor: 1.0, min_score_diff: 0.0 };

    #[test]
    fn refusals_name_parameter_value_and_remedy() {
        let mut config = Config { mast: Some(Mast::default()), ..Config::default() };
        assert_eq!(config.validate(), Ok(()));
        config.mast =
            Some(Mast { policy: Policy::EpsilonGreedy { epsilon: 2.0 }, ..Mast::default() });
        let refusal = config.validate().expect_err("epsilon is a probability").to_string();
        assert_eq!(refusal, "mast.policy.epsilon = 2: must lie between 0 and 1");
        config.mast = None;
        config.rave = Some(Rave { variant: Variant::Context, ..Rave::default() });
        let refusal = config.validate().expect_err("useless").to_string();
        assert!(refusal.ends_with("it equals join and is slower: use that"), "{refusal}");
        config.exploration = f64::NAN;
        assert!(config.validate().is_err());
    }

    #[test]
    fn join_in_a_semisplit_tree_stays_out_of_expansion() {
        let mut config = Config { tree: ROLLUP, ..Config::default() };
        config.mast = Some(Mast { variant: Variant::Join, ..Mast::default() });
        assert_eq!(config.validate().expect_err("expansion").parameter, "mast.in_expansion");
        config.mast = Some(Mast { variant: Variant::Join, in_expansion: false, ..Mast::default() });
        assert_eq!(config.validate(), Ok(()));
    }
}
