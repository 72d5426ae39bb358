//! Agents for video games: files, names, words.

pub(crate) mod explain;
pub(crate) mod name;
pub(crate) mod reader;
pub(crate) mod writer;

use regulus_search::video::{Mcts, Playout, expansion, selection};

/// Whether some part of a search uses statistics of actions.
fn uses_statistics(search: &Mcts) -> bool {
    let (name, values) = search.selection.name_and_parameters();
    uses_sequences(search)
        || matches!(search.playout, Playout::Mast { .. })
        || selection::find(name).is_some_and(|entry| (entry.make)(&values).asks_actions())
}

/// Whether some part of a search uses statistics of sequences of several actions.
fn uses_sequences(search: &Mcts) -> bool {
    let (name, values) = search.expansion.name_and_parameters();
    matches!(search.playout, Playout::Nst { .. })
        || expansion::find(name).is_some_and(|entry| (entry.make)(&values).asks_actions())
}
