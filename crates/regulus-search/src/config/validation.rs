//! Values in their ranges and combinations that exist.

use super::availability::{Availability, mast_availability, rave_availability};
use super::refusal::refuse;
use super::{
    ADAPTATION, Config, Features, FinalSelection, LGR, Learning, MAST, Mast, Method, NST, RAVE,
    Refusal, Replies, SimulationDesign, TreeDesign, Variant,
};
use crate::parameter::validate;

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
        if self.memory < MIN_MEMORY {
            return refuse(
                "memory",
                self.memory,
                format!("at least {MIN_MEMORY} bytes are needed"),
            );
        }
        for settings in Self::BEFORE_HEURISTICS.iter().chain(Self::AFTER_HEURISTICS) {
            validate(settings, self)?;
        }
        let rolls_up = matches!(self.final_selection, FinalSelection::Rollup { .. });
        if rolls_up && self.tree.is_orthodox() {
            return refuse(
                "final_selection",
                "rollup",
                "the edges of an orthodox tree are whole moves already: use greedy",
            );
        }
        self.tree_policy.validate(self)?;
        self.validate_allocation()?;
        self.validate_untried()?;
        if self.transpositions && self.tree.is_rollup() {
            return refuse(
                "transpositions",
                "true",
                "rolling up changes the edges of one parent, and a shared node has several: use an orthodox or \
                 semisplit tree",
            );
        }
        if let Some(mast) = &self.mast {
            self.validate_mast(mast)?;
        }
        if let Some(rave) = &self.rave {
            validate(RAVE.settings, rave)?;
            let entry = rave_availability(self.tree, self.simulation, rave.variant);
            self.available("rave.variant", rave.variant, entry)?;
        }
        if let Some(learning) = &self.learning {
            self.validate_learning(learning)?;
        }
        if let Some(replies) = &self.replies {
            self.validate_replies(replies)?;
        }
        self.parallel.validate(self)
    }

    fn validate_mast(&self, mast: &Mast) -> Result<(), Refusal> {
        validate(MAST.settings, mast)?;
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
        validate(ADAPTATION.settings, learning)?;
        validate(NST.settings, learning)?;
        let sequences = matches!(learning.method, Method::Nst { .. });
        if sequences && learning.features != Features::None {
            return refuse(
                "learning.features",
                "on",
                "sequences are of moves, whatever stood around them: switch features off",
            );
        }
        if self.mast.is_some_and(|mast| mast.in_playouts) {
            return refuse(
                "learning",
                learning.method.name(),
                "simulations follow MAST already: switch off mast.in_playouts, or one of the two",
            );
        }
        self.validate_domain("learning", learning.method.name())
    }

    fn validate_replies(&self, replies: &Replies) -> Result<(), Refusal> {
        validate(LGR.settings, replies)?;
        if !replies.in_playouts && !replies.in_expansion {
            return refuse("replies", "on", "they are used neither in playouts nor in expansion");
        }
        let orthodox = self.simulation == SimulationDesign::Orthodox;
        if orthodox && !self.tree.is_orthodox() && replies.in_expansion {
            return refuse(
                "replies.in_expansion",
                "true",
                format!(
                    "expansion in a {} tree chooses among semimoves, and replies are whole moves: switch \
                     it off, or use semisplit simulations",
                    self.tree.name()
                ),
            );
        }
        self.validate_domain("replies", "lgr")
    }

    /// What is learned in simulations must be what the tree is made of, or be known for whole moves.
    fn validate_domain(&self, part: &'static str, name: &str) -> Result<(), Refusal> {
        let split_tree = matches!(self.tree, TreeDesign::Semisplit { .. });
        if self.simulation == SimulationDesign::Semisplit && !split_tree {
            return refuse(
                part,
                name,
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
    use crate::config::{Decay, Policy, Rave};

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

    fn refusal(config: &Config) -> String {
        config.validate().expect_err("refused").to_string()
    }

    #[test]
    fn learning_is_refused_where_it_cannot_work() {
        let with = |method, features| Config {
            learning: Some(Learning { method, features, keep: false }),
            ..Config::default()
        };
        let ppa = |alpha| with(Method::Ppa { alpha }, Features::Cells);
        assert_eq!(ppa(0.32).validate(), Ok(()));
        let range = "learning.alpha = 0: must lie between 0.000001 and 100";
        assert_eq!(refusal(&ppa(0.0)), range);
        assert!(ppa(f64::NAN).validate().is_err() && ppa(101.0).validate().is_err());
        let k = refusal(&with(Method::Mast { k: -1.0 }, Features::None));
        assert_eq!(k, "learning.k = -1: must lie between 0.001 and 10000");
        let both = Config { mast: Some(Mast::default()), ..ppa(1.0) };
        assert!(refusal(&both).contains("follow MAST already"));
        let expansion = Some(Mast { in_playouts: false, ..Mast::default() });
        assert_eq!(Config { mast: expansion, ..ppa(1.0) }.validate(), Ok(()));
        let split = Config { simulation: SimulationDesign::Semisplit, ..ppa(1.0) };
        assert!(refusal(&split).contains("use a semisplit tree, or orthodox simulations"));
        assert!(refusal(&Config { tree: ROLLUP, ..split }).contains("roll-up tree"));
        let nst = |length, threshold, epsilon, features| {
            let policy = Policy::EpsilonGreedy { epsilon };
            with(Method::Nst { length, threshold, policy, decay: Decay::None }, features)
        };
        assert_eq!(nst(3, 7, 0.4, Features::None).validate(), Ok(()));
        assert!(refusal(&nst(1, 7, 0.4, Features::None)).starts_with("learning.length = 1"));
        assert!(refusal(&nst(3, 0, 0.4, Features::None)).starts_with("learning.threshold = 0"));
        assert!(refusal(&nst(3, 7, 2.0, Features::None)).starts_with("learning.policy.epsilon"));
        assert!(refusal(&nst(3, 7, 0.4, Features::Cells)).starts_with("learning.features"));
    }

    #[test]
    fn replies_are_refused_where_they_cannot_work() {
        let lgr = |replies| Config { replies: Some(replies), ..Config::default() };
        assert_eq!(lgr(Replies::default()).validate(), Ok(()));
        let mast = Config { mast: Some(Mast::default()), ..lgr(Replies::default()) };
        assert_eq!(mast.validate(), Ok(()));
        let long = lgr(Replies { length: 3, ..Replies::default() });
        assert_eq!(refusal(&long), "replies.length = 3: must lie between 1 and 2");
        let unused = Replies { in_playouts: false, in_expansion: false, ..Replies::default() };
        assert!(refusal(&lgr(unused)).contains("neither in playouts nor in expansion"));
        let rollup = Config { tree: ROLLUP, ..lgr(Replies::default()) };
        assert!(refusal(&rollup).starts_with("replies.in_expansion = true"));
    }

    /// The starred cells of THESIS Table 2.1, and what is refused beside them.
    #[test]
    fn join_is_usual_in_any_tree_with_orthodox_simulations() {
        for tree in [TreeDesign::Orthodox, TreeDesign::Semisplit { nodal: true }, ROLLUP] {
            let mut config = Config { tree, ..Config::default() };
            let join = (MAST.named)("MASTJOIN", &config);
            assert_eq!(join.in_expansion, tree.is_orthodox());
            config.mast = Some(join);
            assert_eq!(config.validate(), Ok(()));
            let semisplit = Config { simulation: SimulationDesign::Semisplit, ..config };
            assert!(refusal(&semisplit).starts_with("mast.variant = join"));
        }
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
