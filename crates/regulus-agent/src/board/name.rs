//! Names of agents for board games, as in the original collection.

use regulus_rbg::split::Strategy;
use regulus_search::Algorithm;
use regulus_search::config::{Config, SimulationDesign, TreeDesign};
use regulus_search::parameter::word_and_number;

use super::nested;
use super::shot::SHOT_PATTERN;
use crate::agent::Agent;
use crate::parameter::MCTS;

/// How names are made.
pub const BOARD_PATTERN: &str = "mcts[M|MP|MS|MPS]_<tree>[Nodal][04|07]_<simulation>[_mast...][_rave...][_ppa...|_nst...][_lgr...][_<part>]...";

/// The agents of the original collection (names from the repository WoojtekP/rbgPlayer).
pub const COLLECTION: &[&str] = &[
    "mctsMPS_orthodox_semisplit",
    "mctsMPS_orthodox_semisplit_mastsplit_rave",
    "mctsMPS_rollupNodal_orthodox",
    "mctsMPS_rollupNodal_semisplit",
    "mctsMPS_semisplitNodal_orthodox",
    "mctsMPS_semisplitNodal_semisplit",
    "mctsMPS_semisplitNodal_semisplit_mastsplit_rave",
    "mctsMPS_semisplitNodal_semisplit_rave",
    "mctsMPS_semisplit_semisplit",
    "mctsMP_orthodox_semisplit",
    "mctsMP_orthodox_semisplit_mastsplit_rave",
    "mctsMP_rollupNodal_orthodox",
    "mctsMP_rollupNodal_semisplit",
    "mctsMP_semisplitNodal_orthodox",
    "mctsMP_semisplitNodal_semisplit",
    "mctsMP_semisplitNodal_semisplit_mastsplit_rave",
    "mctsMP_semisplitNodal_semisplit_rave",
    "mctsMP_semisplit_semisplit",
    "mctsMS_orthodox_semisplit",
    "mctsMS_orthodox_semisplit_mastsplit_rave",
    "mctsMS_rollupNodal_orthodox",
    "mctsMS_rollupNodal_semisplit",
    "mctsMS_semisplitNodal_orthodox",
    "mctsMS_semisplitNodal_semisplit",
    "mctsMS_semisplitNodal_semisplit_mastsplit_rave",
    "mctsMS_semisplitNodal_semisplit_rave",
    "mctsMS_semisplit_semisplit",
    "mctsM_orthodox04_semisplit_mastmix7_rave",
    "mctsM_orthodox_semisplit",
    "mctsM_orthodox_semisplit_mastcontext",
    "mctsM_orthodox_semisplit_mastcontext_rave",
    "mctsM_orthodox_semisplit_mastmix7",
    "mctsM_orthodox_semisplit_mastmix7_rave",
    "mctsM_orthodox_semisplit_mastsplit",
    "mctsM_orthodox_semisplit_mastsplit_rave",
    "mctsM_rollupNodal_orthodox",
    "mctsM_rollupNodal_orthodox_mastsplit_ravecontext",
    "mctsM_rollupNodal_semisplit",
    "mctsM_rollupNodal_semisplit_mastsplit_ravecontext",
    "mctsM_semisplitNodal04_semisplit_mastmix7_rave",
    "mctsM_semisplitNodal04_semisplit_mastmix7_ravemix7",
    "mctsM_semisplitNodal04_semisplit_mastsplit_rave",
    "mctsM_semisplitNodal04_semisplit_mastsplit_ravecontext",
    "mctsM_semisplitNodal04_semisplit_mastsplit_ravemix7",
    "mctsM_semisplitNodal04_semisplit_rave",
    "mctsM_semisplitNodal04_semisplit_ravecontext",
    "mctsM_semisplitNodal04_semisplit_ravemix7",
    "mctsM_semisplitNodal07_semisplit",
    "mctsM_semisplitNodal_orthodox",
    "mctsM_semisplitNodal_semisplit",
    "mctsM_semisplitNodal_semisplit_finalRollup",
    "mctsM_semisplitNodal_semisplit_mast",
    "mctsM_semisplitNodal_semisplit_mast_rave",
    "mctsM_semisplitNodal_semisplit_mast_ravecontext",
    "mctsM_semisplitNodal_semisplit_mastcontext",
    "mctsM_semisplitNodal_semisplit_mastcontext_rave",
    "mctsM_semisplitNodal_semisplit_mastcontext_ravecontext",
    "mctsM_semisplitNodal_semisplit_mastcontext_ravemix7",
    "mctsM_semisplitNodal_semisplit_mastmix10",
    "mctsM_semisplitNodal_semisplit_mastmix10_ravecontext",
    "mctsM_semisplitNodal_semisplit_mastmix7",
    "mctsM_semisplitNodal_semisplit_mastmix7_rave",
    "mctsM_semisplitNodal_semisplit_mastmix7_ravecontext",
    "mctsM_semisplitNodal_semisplit_mastmix7_ravemix7",
    "mctsM_semisplitNodal_semisplit_mastsplit",
    "mctsM_semisplitNodal_semisplit_mastsplit_rave",
    "mctsM_semisplitNodal_semisplit_mastsplit_ravecontext",
    "mctsM_semisplitNodal_semisplit_mastsplit_ravemix7",
    "mctsM_semisplitNodal_semisplit_rave",
    "mctsM_semisplitNodal_semisplit_ravecontext",
    "mctsM_semisplitNodal_semisplit_ravemix",
    "mctsM_semisplitNodal_semisplit_ravemix7",
    "mctsM_semisplit_semisplit",
    "mctsM_semisplit_semisplit_mastsplit_rave",
    "mctsM_semisplit_semisplit_mastsplit_ravecontext",
    "mcts_orthodox07_orthodox",
    "mcts_orthodox_orthodox",
    "mcts_orthodox_orthodox_mast",
    "mcts_orthodox_orthodox_mast_rave",
    "mcts_orthodox_orthodox_mast_rave_overhead20",
    "mcts_orthodox_orthodox_mastmix15",
    "mcts_orthodox_orthodox_mastmix3",
    "mcts_orthodox_orthodox_mastmix30",
    "mcts_orthodox_orthodox_mastmix7",
    "mcts_orthodox_orthodox_mastsplit",
    "mcts_orthodox_orthodox_overhead20",
    "mcts_orthodox_orthodox_rave",
    "mcts_orthodox_orthodox_tgrave",
];

/// Why there are no macro-actions in searches of board games.
const NO_MACROS: &str = "is for video games: macro-actions repeat an action tick after tick, and in a board game no \
    action can be repeated before others have moved";

/// True if a name begins like that of an agent for board games.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with("mcts") || name.starts_with("shot") || nested::is_name(name)
}

/// The agent of a name: one of [`COLLECTION`] or any other that follows the pattern.
pub(crate) fn by_name(name: &str) -> Result<Agent, String> {
    if nested::is_name(name) {
        return nested::by_name(name);
    }
    let mut parts = name.split('_');
    let head = parts.next().unwrap_or_default();
    let is_shot = head.starts_with("shot");
    let pattern = if is_shot { SHOT_PATTERN } else { BOARD_PATTERN };
    let wrong = |what: &str| format!("`{name}` is no agent: {what}; names are {pattern}");
    let letters = head.strip_prefix(if is_shot { "shot" } else { "mcts" });
    let letters = letters.ok_or_else(|| wrong("it does not begin with `mcts`"))?;
    let strategy = match letters {
        "" | "M" => Strategy::Mod,
        "MP" => Strategy::ModPlus,
        "MS" => Strategy::ModShift,
        "MPS" => Strategy::ModPlusShift,
        _ => return Err(wrong(&format!("there is no split strategy `{letters}`"))),
    };
    let tree_part = parts.next().unwrap_or_default();
    let (tree_name, exploration) = match tree_part.strip_suffix("04") {
        Some(rest) => (rest, Some(0.4)),
        None => match tree_part.strip_suffix("07") {
            Some(rest) => (rest, Some(0.7)),
            None => (tree_part, None),
        },
    };
    let (tree_name, nodal) =
        tree_name.strip_suffix("Nodal").map_or((tree_name, false), |rest| (rest, true));
    let tree = match tree_name {
        "orthodox" if !nodal => TreeDesign::Orthodox,
        "semisplit" => TreeDesign::Semisplit { nodal },
        "rollup" => TreeDesign::Rollup { nodal, min_simulations_factor: 1.0, min_score_diff: 0.0 },
        _ => return Err(wrong(&format!("there is no tree design `{tree_part}`"))),
    };
    let simulation_name = parts.next().unwrap_or_default();
    let simulation = match simulation_name {
        "orthodox" => SimulationDesign::Orthodox,
        "semisplit" => SimulationDesign::Semisplit,
        _ => return Err(wrong(&format!("there is no simulation design `{simulation_name}`"))),
    };
    let mut search = Config { tree, simulation, ..Config::default() };
    for part in parts {
        if !add(&mut search, part) {
            let why = if part.starts_with("macro") { NO_MACROS } else { "means nothing" };
            return Err(wrong(&format!("`{part}` {why}")));
        }
    }
    // The collection explores less where AMAF helps.
    search.exploration = exploration.unwrap_or(if search.rave.is_some() { 0.2 } else { 0.4 });
    let splits = search.splits();
    if !splits && !letters.is_empty() {
        return Err(wrong("nothing in it splits moves"));
    }
    if is_shot {
        if exploration.is_some() {
            return Err(wrong("SHOT has no exploration constant"));
        }
        search.exploration = Config::default().exploration;
        if let Some(mast) = &mut search.mast {
            mast.in_expansion = false;
        }
    }
    let kind = if is_shot { Algorithm::Shot } else { Algorithm::Mcts };
    let search = kind(search);
    search.validate().map_err(|refusal| wrong(&refusal.to_string()))?;
    let split = splits.then_some(strategy);
    Ok(Agent { split, ..Agent::of(name, search) })
}

/// Adds what a part of a name says; false if it means nothing.
fn add(search: &mut Config, part: &str) -> bool {
    let (word, number) = word_and_number(part);
    let mut heuristics = MCTS.heuristics.iter();
    if let Some(added) = heuristics.find_map(|kind| kind.add_word(search, word, number)) {
        return added;
    }
    let usual = Config::default();
    let mut settings = Config::settings();
    settings.find_map(|setting| setting.add_word(search, &usual, part)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use regulus_search::config::Parallel;

    use super::*;
    use crate::{explain, read, write};

    #[test]
    fn the_collection_is_built_in() {
        for name in COLLECTION {
            let agent = by_name(name).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(agent.name, *name);
            assert_eq!(agent.split.is_some(), agent.search.splits());
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for name in COLLECTION {
            let agent = by_name(name).expect("in the collection");
            let again = read(name, &write(&agent)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again, agent);
        }
    }

    #[test]
    fn learned_policies_have_names() {
        for name in [
            "mcts_orthodox_orthodox_ppa0.04",
            "mcts_orthodox_orthodox_ppaf0.32_mostVisited",
            "mcts_orthodox_orthodox_rave_ppan0.16",
            "mcts_orthodox_orthodox_mastk256",
            "mctsM_semisplitNodal_semisplit_mastkf4",
            "mctsM_rollupNodal_orthodox_mastkn8",
            "mcts_orthodox_orthodox_nst",
            "mctsM_semisplitNodal_semisplit_nst4_lgrf2",
            "mcts_orthodox_orthodox_mast_lgr1",
            "mctsM_rollupNodal_orthodox_lgrf1_ppa0.16",
        ] {
            let agent = by_name(name).unwrap_or_else(|e| panic!("{e}"));
            let again = read(name, &write(&agent)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again, agent);
        }
        let why = |name: &str| by_name(name).expect_err("wrong");
        assert!(why("mcts_orthodox_orthodox_ppa").contains("`ppa` means nothing"));
        assert!(why("mcts_orthodox_orthodox_macro3").contains("no action can be repeated"));
        assert!(why("mcts_orthodox_orthodox_ppa0").contains("must lie between 0.000001 and 100"));
        assert!(why("mcts_orthodox_orthodox_ppa1_ppaf1").contains("`ppaf1` means nothing"));
        assert!(why("mcts_orthodox_orthodox_mast_ppa1").contains("follow MAST already"));
        assert!(why("mcts_orthodox_orthodox_nst1").contains("learning.length = 1"));
        assert!(why("mcts_orthodox_orthodox_nst_ppa1").contains("`ppa1` means nothing"));
        assert!(why("mcts_orthodox_orthodox_lgr3").contains("`lgr3` means nothing"));
        assert!(why("mcts_orthodox_orthodox_lgr1_lgr2").contains("`lgr2` means nothing"));
        assert!(why("mctsM_orthodox_semisplit_ppa1").contains("learn about semimoves"));
    }

    /// PPA Algorithms 6 and 7: one word for what four say.
    #[test]
    fn the_tree_of_ppa_has_a_name() {
        for policy in ["", "_ppa0.32", "_mastk4"] {
            let short = by_name(&format!("mcts_orthodox_orthodox{policy}_ppaTree"));
            let parts = "listed_transpositions_freshTree_mostVisited";
            let long = by_name(&format!("mcts_orthodox_orthodox{policy}_{parts}"));
            let (short, long) = (short.expect("a name"), long.expect("a name"));
            assert_eq!(short.search, long.search);
            let again = read(&short.name, &write(&short)).expect("what was written");
            assert_eq!(again, short);
            for said in ["in the order of the list", "one node", "an empty tree", "most iterations"]
            {
                assert!(explain(&short).contains(said), "{said}: {}", explain(&short));
            }
        }
        let mast = by_name("mcts_orthodox_orthodox_mast_ppaTree").expect_err("another order");
        assert!(mast.contains("MAST chooses among untried moves"), "{mast}");
    }

    #[test]
    fn wrong_names_say_why() {
        let why = |name: &str| by_name(name).expect_err("wrong");
        assert!(why("alphabeta").contains("does not begin with `mcts`"));
        assert!(why("mctsX_orthodox_semisplit").contains("split strategy `X`"));
        assert!(why("mctsM_orthodox_orthodox").contains("nothing in it splits moves"));
        assert!(why("mcts_orthodox_orthodox_mast_mast").contains("`mast` means nothing"));
        assert!(why("mctsM_rollupNodal_semisplit_rave").contains("rolling up"));
    }

    #[test]
    fn names_and_files_say_the_same_of_threads() {
        for (name, parallel) in [
            ("mcts_orthodox_orthodox_root4", Parallel::Root { trees: 4 }),
            ("mcts_orthodox_orthodox_mast_rave_root2", Parallel::Root { trees: 2 }),
            ("mctsM_rollupNodal_semisplit_root3_finalRollup", Parallel::Root { trees: 3 }),
            ("mcts_orthodox_orthodox_solver_root2", Parallel::Root { trees: 2 }),
            ("mcts_orthodox_orthodox_tree2", Parallel::Tree { threads: 2 }),
            ("mctsM_semisplitNodal_semisplit_mastmix7_tree256", Parallel::Tree { threads: 256 }),
        ] {
            let agent = by_name(name).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(agent.search.parallel(), parallel);
            let again = read(name, &write(&agent)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again, agent);
            let words = match parallel {
                Parallel::Root { trees } => format!("It searches {trees} trees side by side"),
                Parallel::Tree { threads } => format!("{threads} threads search one tree"),
                Parallel::Off => unreachable!("nothing was asked for"),
            };
            assert!(crate::explain(&agent).contains(&words));
        }
    }

    #[test]
    fn wrong_threads_say_why() {
        let why = |name: &str| by_name(name).expect_err("wrong");
        assert!(why("mcts_orthodox_orthodox_root").contains("`root` means nothing"));
        assert!(why("mcts_orthodox_orthodox_root2_tree2").contains("`tree2` means nothing"));
        assert!(why("mcts_orthodox_orthodox_root0").contains("must lie between 1 and 256"));
        assert!(why("mcts_orthodox_orthodox_rave_tree2").contains("use several trees (root)"));
        let file = |parallel: &str| {
            let parameters = format!("\"parameters\": {{ \"parallel\": {parallel} }}");
            let text = format!("{{ \"algorithm\": {{ \"name\": \"MCTS\", {parameters} }} }}");
            read("file", &text)
        };
        let plain = file("\"none\"").expect("the default");
        assert_eq!(plain.search.parallel(), Parallel::Off);
        let usual = file("\"root\"").expect("with the usual number");
        assert_eq!(usual.search.parallel(), Parallel::Root { trees: 2 });
        let message = |parallel: &str| file(parallel).expect_err("wrong").to_string();
        let range = message("{ \"name\": \"root\", \"trees\": 0 }");
        assert!(range.contains("algorithm.parameters.parallel.trees"), "{range}");
        assert!(range.contains("a whole number from 1 to 256"), "{range}");
        let other = message("{ \"name\": \"root\", \"threads\": 2 }");
        assert!(other.contains("root does not use it, only tree"), "{other}");
        assert!(message("\"leaf\"").contains("\"root\", \"tree\""));
    }

    #[test]
    fn halving_has_names_and_files() {
        for name in [
            "mcts_orthodox_orthodox_halving",
            "mctsM_semisplitNodal_semisplit_mast_anytimeHalving_mostVisited",
        ] {
            let agent = by_name(name).unwrap_or_else(|e| panic!("{e}"));
            let again = read(name, &write(&agent)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again, agent);
            assert!(explain(&agent).contains("At the root iterations are shared out"));
        }
        let why = |name: &str| by_name(name).expect_err("wrong");
        let twice = why("mcts_orthodox_orthodox_halving_anytimeHalving");
        assert!(twice.contains("`anytimeHalving` means nothing"), "{twice}");
        let rollup = why("mctsM_rollupNodal_semisplit_halving");
        assert!(rollup.contains("other edges in the middle of a round"), "{rollup}");
        let visits = why("mcts_orthodox_orthodox_halving_mostVisited");
        assert!(visits.contains("the final selection must be greedy"), "{visits}");
    }
}
