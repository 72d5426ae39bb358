//! Going through all moves of a position: listing, counting, finding one by its number, grouping, saying what they
//! lead to.

pub(crate) mod children;
pub(crate) mod enumeration;
pub(crate) mod grouping;
pub(crate) mod listing;
