//! Several threads in configurations for board games: read, written, named and explained.

use regulus_search::config::Parallel;
use serde_json::{Map, Value, json};

use crate::problem::Problem;
use crate::section::Section;

/// Reads the key.
pub(super) fn read(parameters: &Section<'_>) -> Result<Parallel, Problem> {
    let (name, section) = parameters.part("parallel")?;
    Ok(match name {
        "root" => Parallel::Root { trees: section.count("trees") as u32 },
        "tree" => Parallel::Tree { threads: section.count("threads") as u32 },
        _ => Parallel::Off,
    })
}

/// Adds the key, if there is anything to say.
pub(super) fn write(parallel: Parallel, parameters: &mut Map<String, Value>) {
    let value = match parallel {
        Parallel::Off => return,
        Parallel::Root { trees } => json!({ "name": "root", "trees": trees }),
        Parallel::Tree { threads } => json!({ "name": "tree", "threads": threads }),
    };
    parameters.insert("parallel".to_owned(), value);
}

/// The part of a name: a word and a number; nothing if there is none of this name.
pub(super) fn named(word: &str, number: Option<u32>) -> Option<Parallel> {
    match word {
        "root" => Some(Parallel::Root { trees: number? }),
        "tree" => Some(Parallel::Tree { threads: number? }),
        _ => None,
    }
}

/// What it does, as a sentence.
pub(super) fn explain(parallel: Parallel) -> Option<String> {
    match parallel {
        Parallel::Off => None,
        Parallel::Root { trees } => Some(format!(
            "It searches {trees} trees side by side, on as many processors as there are, and adds up what they \
             know about the moves."
        )),
        Parallel::Tree { threads } => Some(format!(
            "{threads} threads search one tree; iterations under way count in selection (WU-UCT)."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::name::by_name;
    use crate::{read, write};

    #[test]
    fn names_and_files_say_the_same() {
        for (name, parallel) in [
            ("mcts_orthodox_orthodox_root4", Parallel::Root { trees: 4 }),
            ("mcts_orthodox_orthodox_mast_rave_root2", Parallel::Root { trees: 2 }),
            ("mctsM_rollupNodal_semisplit_root3_finalRollup", Parallel::Root { trees: 3 }),
            ("mcts_orthodox_orthodox_solver_root2", Parallel::Root { trees: 2 }),
            ("mcts_orthodox_orthodox_tree2", Parallel::Tree { threads: 2 }),
            ("mctsM_semisplitNodal_semisplit_mastmix7_tree256", Parallel::Tree { threads: 256 }),
        ] {
            let agent = by_name(name).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(agent.search.parallel, parallel);
            let again = read(name, &write(&agent)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again, agent);
            assert!(crate::explain(&agent).contains(&explain(parallel).expect("something")));
        }
    }

    #[test]
    fn wrong_ones_say_why() {
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
        assert_eq!(plain.search.parallel, Parallel::Off);
        let usual = file("\"root\"").expect("with the usual number");
        assert_eq!(usual.search.parallel, Parallel::Root { trees: 2 });
        let message = |parallel: &str| file(parallel).expect_err("wrong").to_string();
        let range = message("{ \"name\": \"root\", \"trees\": 0 }");
        assert!(range.contains("algorithm.parameters.parallel.trees"), "{range}");
        assert!(range.contains("a whole number from 1 to 256"), "{range}");
        let other = message("{ \"name\": \"root\", \"threads\": 2 }");
        assert!(other.contains("root does not use it, only tree"), "{other}");
        assert!(message("\"leaf\"").contains("\"root\", \"tree\""));
    }
}
