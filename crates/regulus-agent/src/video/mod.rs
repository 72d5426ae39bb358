//! Agents for video games: files, names, words.

pub(crate) mod explain;
pub(crate) mod name;
pub(crate) mod reader;
pub(crate) mod writer;

use regulus_search::video::{Expansion, Mcts, Playout, Selection};

/// Whether some part of a search uses statistics of actions.
fn uses_statistics(search: &Mcts) -> bool {
    uses_sequences(search)
        || matches!(search.selection, Selection::ProgressiveHistory { .. })
        || matches!(search.playout, Playout::Mast { .. })
}

/// Whether some part of a search uses statistics of sequences of several actions.
fn uses_sequences(search: &Mcts) -> bool {
    matches!(search.playout, Playout::Nst { .. })
        || matches!(search.expansion, Expansion::ActionBased { .. })
}
