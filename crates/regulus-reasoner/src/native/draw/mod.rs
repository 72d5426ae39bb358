//! Random moves and random games, drawn without listing.

pub(crate) mod chain;
pub(crate) mod collect;
pub(crate) mod continuation;
pub(crate) mod deferred;
pub(crate) mod drawing;
pub(crate) mod entries;
pub(crate) mod full_move;
pub(crate) mod guiding;
pub(crate) mod lanes;
pub(crate) mod level_graph;
pub(crate) mod levels;
pub(crate) mod live;
pub(crate) mod playout;
pub(crate) mod possible;
pub(crate) mod rounds;
pub(crate) mod split_move;
pub(crate) mod walk;
pub(crate) mod walker;
