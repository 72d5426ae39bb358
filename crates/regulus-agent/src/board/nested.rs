//! Agents for board games with one player: their files and names.

use regulus_search::nested::{Algorithm, Config, MAX_LEVEL};

use crate::agent::Agent;
use crate::file::Layout;
use crate::parameter::{self, NESTED, NMCS, NRPA};
use crate::problem::{Problem, problem};

/// How names are made.
pub const NESTED_PATTERN: &str = "nmcs_level<n>, nrpa_level<n>[_iterations<N>]";

/// Agents for games with one player.
pub const NESTED_COLLECTION: &[&str] =
    &["nmcs_level1", "nmcs_level2", "nmcs_level3", "nrpa_level2", "nrpa_level3", "nrpa_level4"];

/// True for the algorithms of this file.
pub(crate) fn is_nested(algorithm: &parameter::Algorithm) -> bool {
    [NMCS.name, NRPA.name].contains(&algorithm.name)
}

/// Reads a configuration whose algorithm is NMCS or NRPA.
pub(crate) fn read(name: &str, file: &Layout) -> Result<Agent, Problem> {
    let sections = file.sections()?;
    if let Some(heuristics) = file.get("heuristics") {
        let reason = format!("{} has none; they belong to MCTS", file.algorithm.name);
        return Err(problem("heuristics", Some(heuristics), reason));
    }
    let is_nmcs = file.algorithm.name == NMCS.name;
    let algorithm = if is_nmcs { Algorithm::Nmcs } else { Algorithm::NRPA };
    let mut config = Config { algorithm, ..Config::default() };
    sections.apply(Config::SETTINGS, &mut config)?;
    let mut agent = Agent::of(name, regulus_search::Algorithm::Nested(config));
    sections.apply(NESTED, &mut agent)?;
    Ok(agent)
}

/// True if a name begins like that of an agent for games with one player.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with("nmcs") || name.starts_with("nrpa")
}

/// The agent of a name.
pub(super) fn by_name(name: &str) -> Result<Agent, String> {
    let wrong = |what: &str| format!("`{name}` is no agent: {what}; names are {NESTED_PATTERN}");
    let mut parts = name.split('_');
    let algorithm = match parts.next() {
        Some("nmcs") => Algorithm::Nmcs,
        Some("nrpa") => Algorithm::NRPA,
        other => return Err(wrong(&format!("there is no search `{}`", other.unwrap_or_default()))),
    };
    let mut config = Config { algorithm, ..Config::default() };
    let usual = Config::default();
    let mut say = |part: &str| {
        let mut settings = Config::SETTINGS.iter();
        settings.find_map(|setting| setting.add_word(&mut config, &usual, part)).unwrap_or(false)
    };
    let level = parts.next().is_some_and(|part| part.starts_with("level") && say(part));
    if !level {
        return Err(wrong(&format!("it has no level from 1 to {MAX_LEVEL}")));
    }
    if let Some(part) = parts.find(|part| !say(part)) {
        return Err(wrong(&format!("`{part}` means nothing")));
    }
    config.validate().map_err(|refusal| wrong(&refusal.to_string()))?;
    Ok(Agent::of(name, regulus_search::Algorithm::Nested(config)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn what_is_written_is_read_again() {
        for name in NESTED_COLLECTION.iter().chain(&["nrpa_level5_iterations30"]) {
            let agent = by_name(name).unwrap_or_else(|e| panic!("{e}"));
            let again = read(name, &crate::write(&agent)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(again, agent);
        }
    }

    #[test]
    fn wrong_names_say_why() {
        let why = |name: &str| by_name(name).expect_err("wrong");
        assert!(why("nrpa").contains("no level from 1 to 10"));
        assert!(why("nrpa_level0").contains("level = 0: must lie between 1 and 10"));
        assert!(why("nrpax_level1").contains("no search `nrpax`"));
        assert!(why("nmcs_level2_iterations5").contains("`iterations5` means nothing"));
        assert!(why("nrpa_level2_iterations0").contains("iterations = 0"));
    }

    #[test]
    fn wrong_files_say_why() {
        let why = |algorithm: &str, rest: &str| {
            let text = format!("{{ \"algorithm\": {{ {algorithm} }}{rest} }}");
            read("file", &text).expect_err("wrong").to_string()
        };
        let message = why("\"name\": \"NRPA\", \"parameters\": { \"level\": 11 }", "");
        assert!(message.contains("algorithm.parameters.level"), "{message}");
        assert!(message.contains("a whole number from 1 to 10"), "{message}");
        let message = why("\"name\": \"NMCS\", \"parameters\": { \"alpha\": 1 }", "");
        assert!(message.contains("NMCS does not use it, only NRPA"), "{message}");
        let message = why("\"name\": \"NRPA\", \"tree_strategy\": \"orthodox\"", "");
        assert!(message.contains("NRPA does not use it, only MCTS"), "{message}");
        let message = why("\"name\": \"NRPA\"", ", \"heuristics\": []");
        assert!(message.contains("NRPA has none"), "{message}");
        let message = why("\"name\": \"NRPA\"", ", \"general\": { \"reasoning_overhead\": 2 }");
        assert!(message.contains("NRPA does not use it, only MCTS"), "{message}");
    }
}
