//! Halving at the root in configurations for board games: read, written, named and explained. The key and the parts
//! are those of agents for video games.

use regulus_search::config::Config;
use regulus_search::part::Chosen;
use regulus_search::part::allocation::REGISTRY;
use serde_json::{Map, Value, json};

use crate::problem::Problem;
use crate::section::Section;
use crate::video::reader;

const KEY: &str = "allocation";

/// The one that decides what is played.
pub(super) const SEQUENTIAL_HALVING: &str = "sequential_halving";

/// Reads the key.
pub(super) fn read(parameters: &Section<'_>) -> Result<Chosen, Problem> {
    reader::chosen(parameters, KEY)
}

/// Sets the key, if there is anything to say.
pub(super) fn write(search: &Config, parameters: &mut Map<String, Value>) {
    if !search.allocation.is_none() {
        parameters.insert(KEY.to_owned(), json!(search.allocation.name));
    }
}

/// Adds an allocation by its name in names of agents; false if there is none of this name, or one already.
pub(super) fn add(search: &mut Config, word: &str) -> bool {
    let name = match word {
        "halving" => SEQUENTIAL_HALVING,
        "anytimeHalving" => "anytime_halving",
        _ => return false,
    };
    let added = search.allocation.is_none();
    search.allocation = Chosen::new(name, &[]);
    added
}

/// What it does, as a sentence.
pub(super) fn explain(search: &Config) -> Option<String> {
    let entry = REGISTRY.iter().find(|entry| entry.name == search.allocation.name)?;
    Some(format!("At the root iterations are shared out, not selected: {}.", entry.summary))
}

#[cfg(test)]
mod tests {
    use crate::{by_name, explain, read, write};

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
