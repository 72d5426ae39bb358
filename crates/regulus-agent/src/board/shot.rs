//! Agents that halve in the whole tree: their files. Names are read with those of MCTS.

use regulus_search::config::{self, Config};
use serde_json::Value;

use crate::file::Layout;
use crate::problem::{Problem, problem};

/// How names are made.
pub const SHOT_PATTERN: &str = "shot[M|MP|MS|MPS]_<tree>_<simulation>[_mast...]";

/// Agents that halve in the whole tree.
pub const SHOT_COLLECTION: &[&str] = &[
    "shot_orthodox_orthodox",
    "shot_orthodox_orthodox_mast",
    "shotM_orthodox_semisplit",
    "shotM_semisplit_semisplit",
    "shotM_semisplit_semisplit_mastsplit",
];

/// Refuses heuristics that SHOT has no place for.
pub(super) fn refuse_others(file: &Layout) -> Result<(), Problem> {
    let names = config::MAST.names;
    for (i, heuristic) in heuristics(file).enumerate() {
        let other =
            heuristic.get("name").filter(|n| n.as_str().is_some_and(|n| !names.contains(&n)));
        if let Some(other) = other {
            let reason = format!("SHOT has no place for it: it can have {}", names.join(", "));
            return Err(problem(&format!("heuristics[{i}].name"), Some(other), reason));
        }
    }
    Ok(())
}

/// What is not said about expansion is as SHOT needs it; the default is that of MCTS.
pub(super) fn expand_at_random(file: &Layout, search: &mut Config) {
    if let Some(mast) = &mut search.mast {
        let says = |heuristic: &Value| heuristic.pointer("/parameters/in_expansion").is_some();
        mast.in_expansion &= heuristics(file).any(says);
    }
}

fn heuristics(file: &Layout) -> impl Iterator<Item = &Value> {
    file.get("heuristics").and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{by_name, read};

    #[test]
    fn what_is_written_is_read_again() {
        for name in SHOT_COLLECTION.iter().chain(&["shotMP_semisplit_orthodox_mastmix5"]) {
            let agent = by_name(name).unwrap_or_else(|e| panic!("{e}"));
            assert!(matches!(agent.search, regulus_search::Algorithm::Shot(_)));
            assert_eq!(agent.split.is_some(), agent.search.splits());
            let again = read(name, &crate::write(&agent)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again, agent);
            assert!(crate::explain(&agent).contains("SHOT"));
        }
    }

    #[test]
    fn wrong_names_say_why() {
        let why = |name: &str| by_name(name).expect_err("wrong");
        assert!(why("shot_orthodox_orthodox_rave").contains("helps selection"));
        assert!(why("shot_orthodox04_orthodox").contains("no exploration constant"));
        assert!(why("shotM_semisplitNodal_semisplit").contains("no expansion"));
        assert!(why("shotM_rollup_semisplit").contains("rolling up"));
        assert!(why("shot_orthodox_orthodox_solver").contains("belong to MCTS"));
        assert!(why("shot_orthodox_orthodox_halving").contains("halves at the root"));
        assert!(why("shot_orthodox_orthodox_ppa1").contains("whole iterations"));
        assert!(why("shot_orthodox").ends_with(SHOT_PATTERN));
    }

    #[test]
    fn wrong_files_say_why() {
        let why = |algorithm: &str, rest: &str| {
            let text = format!("{{ \"algorithm\": {{ \"name\": \"SHOT\"{algorithm} }}{rest} }}");
            read("file", &text).expect_err("wrong").to_string()
        };
        let message = why(", \"parameters\": { \"exploration_constant\": 1 }", "");
        assert!(message.contains("SHOT does not use it, only MCTS"), "{message}");
        let message = why(", \"tree_strategy\": \"rollup\"", "");
        assert!(message.contains("\"orthodox\", \"semisplit\""), "{message}");
        let message = why("", ", \"heuristics\": [{ \"name\": \"RAVE\" }]");
        assert!(message.contains("SHOT has no place for it"), "{message}");
        let expansion = "{ \"name\": \"MAST\", \"parameters\": { \"in_expansion\": true } }";
        let message = why("", &format!(", \"heuristics\": [{expansion}]"));
        assert!(message.contains("in any order"), "{message}");
        let message = why("", ", \"heuristics\": 3");
        assert!(message.contains("must be an array"), "{message}");
    }
}
