//! Going through all moves of a position: listing, counting, finding one by its number, grouping.

pub(crate) mod enumeration;
pub(crate) mod grouping;
pub(crate) mod listing;
