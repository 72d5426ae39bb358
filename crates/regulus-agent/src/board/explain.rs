//! A configuration for board games in words.

use std::fmt::Write as _;

use regulus_rbg::split::Strategy;
use regulus_search::config::Config;
use regulus_search::parameter::sentences;

use super::nested;
use super::shot;
use crate::agent::Agent;
use crate::parameter::{BOARD, MCTS};

/// What an agent does, as sentences.
pub(crate) fn explain(agent: &Agent) -> String {
    if let Some(design) = agent.nested {
        return nested::explain(agent, design);
    }
    if agent.shot {
        return shot::explain(agent);
    }
    let search = &agent.search;
    let mut text = format!("{}: Monte-Carlo tree search.\n", agent.name);
    let split = agent.split.map(split_words);
    let before = Config::BEFORE_HEURISTICS.iter().flat_map(|group| sentences(group, search));
    let heuristics = MCTS.heuristics.iter().flat_map(|kind| kind.sentences(search));
    let after = Config::AFTER_HEURISTICS.iter().flat_map(|group| sentences(group, search));
    let all = split.into_iter().chain(before).chain(heuristics).chain(after).chain(manners(agent));
    for sentence in all {
        let _ = writeln!(text, "- {sentence}");
    }
    text
}

/// How moves are split.
pub(super) fn split_words(split: Strategy) -> String {
    format!("Moves are split into semimoves by {split}.")
}

/// How a search is used in a game.
pub(super) fn manners(agent: &Agent) -> Vec<String> {
    let mut manners = sentences(BOARD, agent);
    manners.push(format!(
        "It keeps {} ms of its time back and uses at most {} MB.",
        agent.buffer.as_millis(),
        agent.search.memory >> 20
    ));
    manners
}
