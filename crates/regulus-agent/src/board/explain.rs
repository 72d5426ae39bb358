//! A configuration for board games in words.

use std::fmt::Write as _;

use regulus_search::config::Config;
use regulus_search::parameter::{Section, sentences};
use regulus_search::{Algorithm, nested, shot};

use crate::agent::Agent;
use crate::parameter::{BOARD, MCTS, SHOT};

/// What an agent does, as sentences.
pub(crate) fn explain(agent: &Agent) -> String {
    let (title, search) = match &agent.search {
        Algorithm::Mcts(config) => ("Monte-Carlo tree search".to_owned(), tree_search(config)),
        Algorithm::Shot(config) => {
            ("sequential halving applied to trees (SHOT)".to_owned(), halving(config))
        }
        Algorithm::Nested(config) => {
            (format!("{}, for games with one player", config.algorithm.title()), nested(config))
        }
    };
    let mut text = format!("{}: {title}.\n", agent.name);
    let split = agent.split.map(|split| format!("Moves are split into semimoves by {split}."));
    let manners = format!(
        "It keeps {} ms of its time back and uses at most {} MB.",
        agent.buffer.as_millis(),
        agent.search.memory() >> 20
    );
    let manners = sentences(BOARD, agent).into_iter().chain([manners]);
    for sentence in split.into_iter().chain(search).chain(manners) {
        let _ = writeln!(text, "- {sentence}");
    }
    text
}

fn tree_search(config: &Config) -> Vec<String> {
    let before = Config::BEFORE_HEURISTICS.iter().flat_map(|group| sentences(group, config));
    let heuristics = MCTS.heuristics.iter().flat_map(|kind| kind.sentences(config));
    let after = Config::AFTER_HEURISTICS.iter().flat_map(|group| sentences(group, config));
    before.chain(heuristics).chain(after).collect()
}

fn halving(config: &Config) -> Vec<String> {
    let own = |general: bool| {
        let settings = shot::settings();
        let settings =
            settings.filter(move |setting| (setting.section == Section::General) == general);
        settings.filter_map(|setting| (setting.sentence)(config))
    };
    let heuristics = SHOT.heuristics.iter().flat_map(|kind| kind.sentences(config));
    let mut said: Vec<String> = own(false).chain(heuristics).collect();
    // After the sentence about the tree.
    let always = [
        "What was found about a position is kept; with more budget it goes on as if it had had all of it at once.",
        "Under a limit of time or states the budget is doubled until the limit is near.",
    ];
    said.splice(1..1, always.map(str::to_owned));
    said.push("It plays the move that is left.".to_owned());
    said.extend(own(true));
    said
}

fn nested(config: &nested::Config) -> Vec<String> {
    let mut said = sentences(nested::Config::SETTINGS, config);
    said.push("It plays the best sequence that it has found in this turn or before.".to_owned());
    said
}
