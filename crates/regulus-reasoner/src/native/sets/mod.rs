//! Parts of the rules without modifiers, as sets of vertices: shared by all code that is made.

pub(crate) mod backward;
pub(crate) mod condition;
pub(crate) mod environment;
pub(crate) mod exits;
pub(crate) mod forward;
pub(crate) mod inner_walk;
pub(crate) mod line;
pub(crate) mod lines;
pub(crate) mod memo;
pub(crate) mod parallel;
pub(crate) mod pattern;
pub(crate) mod pointer_set;
pub(crate) mod seek;
pub(crate) mod set;
pub(crate) mod star;
