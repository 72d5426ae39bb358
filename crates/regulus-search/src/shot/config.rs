//! Which searches there are: SHOT has few parts, and what belongs to a tree search is refused.

use crate::config::refusal::refuse;
use crate::config::{Config, FinalSelection, Limits, Refusal, TreeDesign, TreePolicy};
use crate::parameter::{Access, Kind, Section, Setting, Value};

/// Whether moves or semimoves are halved.
const TREE: Setting<Config> = Setting {
    section: Section::Algorithm,
    always: |_| true,
    sentence: |config| {
        Some(format!(
            "Every position divides its budget of playouts into rounds of equal cost for the {} that are left; after \
             each the half with the worse means is left out.",
            if config.tree.is_orthodox() { "moves" } else { "semimoves" }
        ))
    },
    ..Setting::new(
        "tree_strategy",
        Kind::Choice(&["orthodox", "semisplit"]),
        "whether moves or semimoves are halved",
        Access {
            get: |config| {
                let orthodox = config.tree.is_orthodox();
                Some(Value::Word(if orthodox { "orthodox" } else { "semisplit" }))
            },
            set: |config, value| {
                config.tree = match value.word() {
                    "semisplit" => TreeDesign::Semisplit { nodal: false },
                    _ => TreeDesign::Orthodox,
                };
            },
        },
    )
};

/// All parameters but those of heuristics: few of those of a tree search.
pub fn settings() -> impl Iterator<Item = &'static Setting<Config>> {
    let shared =
        ["max_semidepth", "simulation_strategy", "reasoning_overhead", "memory_mb", "seed"];
    let shared = Config::settings().filter(move |setting| shared.contains(&setting.key()));
    std::iter::once(&TREE).chain(shared)
}

/// Refuses values out of range, and parts that SHOT has no place for.
pub fn validate(config: &Config) -> Result<(), Refusal> {
    config.validate()?;
    match config.tree {
        TreeDesign::Orthodox | TreeDesign::Semisplit { nodal: false } => {}
        TreeDesign::Semisplit { nodal: true } => {
            return refuse(
                "tree",
                "nodal",
                "SHOT has no expansion that could add a whole move: switch it off",
            );
        }
        TreeDesign::Rollup { .. } => {
            return refuse(
                "tree",
                "roll-up",
                "rolling up changes the moves of a node, and an entry of SHOT is for the moves that its position has: \
                 use an orthodox or semisplit tree",
            );
        }
    }
    if config.tree_policy != TreePolicy::default() {
        return refuse(
            "tree_policy",
            "on",
            "SHOT goes by rounds and means alone: selection, expansion and solver belong to MCTS",
        );
    }
    if !config.allocation.is_none() {
        let reason = "SHOT halves at the root and everywhere else: switch it off, or use MCTS";
        return refuse("allocation", config.allocation.name, reason);
    }
    if config.rave.is_some() {
        return refuse("rave", "on", "it helps selection, which SHOT does not have: use MCTS");
    }
    if let Some(learning) = &config.learning {
        let reason = "it learns from the choices of whole iterations, which SHOT does not make: use MAST, or MCTS";
        return refuse("learning", learning.method.name(), reason);
    }
    if config.replies.is_some() {
        let reason = "they answer the moves of whole iterations, which SHOT does not make: use MAST, or MCTS";
        return refuse("replies", "lgr", reason);
    }
    if config.mast.is_some_and(|mast| mast.in_expansion) {
        let reason = "SHOT tries the moves of a node in any order: switch it off";
        return refuse("mast.in_expansion", "true", reason);
    }
    if config.final_selection != FinalSelection::Greedy {
        let reason = "SHOT plays the move that is left: use greedy";
        return refuse("final_selection", "other", reason);
    }
    Ok(())
}

/// Refuses limits that never stop a search, or that SHOT cannot obey.
pub fn validate_limits(limits: &Limits) -> Result<(), Refusal> {
    if limits.no_catching_up {
        let reason = "SHOT plays the move that is left, however often others were played out";
        return refuse("no_catching_up", "true", reason);
    }
    limits.validate(&Config::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Chosen;
    use crate::config::{Features, Learning, Mast, Method, Rave, Replies};

    #[test]
    fn what_belongs_to_a_tree_search_is_refused() {
        let plain = Config::default;
        assert_eq!(validate(&plain()), Ok(()));
        let split = TreeDesign::Semisplit { nodal: false };
        assert_eq!(validate(&Config { tree: split, ..plain() }), Ok(()));
        let mast = Mast { in_expansion: false, ..Mast::default() };
        assert_eq!(validate(&Config { mast: Some(mast), ..plain() }), Ok(()));
        let rollup =
            TreeDesign::Rollup { nodal: false, min_simulations_factor: 1.0, min_score_diff: 0.0 };
        let method = Method::Ppa { alpha: 1.0 };
        let learning = Learning { method, features: Features::None, keep: false };
        let solver = TreePolicy { solver: true, ..TreePolicy::default() };
        for (config, parameter) in [
            (Config { tree: TreeDesign::Semisplit { nodal: true }, ..plain() }, "tree"),
            (Config { tree: rollup, ..plain() }, "tree"),
            (Config { tree_policy: solver, ..plain() }, "tree_policy"),
            (Config { allocation: Chosen::new("anytime_halving", &[]), ..plain() }, "allocation"),
            (Config { rave: Some(Rave::default()), ..plain() }, "rave"),
            (Config { learning: Some(learning), ..plain() }, "learning"),
            (Config { replies: Some(Replies::default()), ..plain() }, "replies"),
            (Config { mast: Some(Mast::default()), ..plain() }, "mast.in_expansion"),
            (Config { final_selection: FinalSelection::MostVisited, ..plain() }, "final_selection"),
            (Config { memory: 5, ..plain() }, "memory"),
        ] {
            assert_eq!(validate(&config).expect_err("refused").parameter, parameter);
        }
        let limits = Limits { no_catching_up: true, ..Limits::simulations(10) };
        assert_eq!(validate_limits(&limits).expect_err("visits").parameter, "no_catching_up");
        assert!(validate_limits(&Limits::default()).is_err());
        assert_eq!(validate_limits(&Limits::simulations(10)), Ok(()));
    }
}
