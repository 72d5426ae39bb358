//! What diagnostics of all game languages have in common: a [text](Source) and [places](Span) in it, how
//! [bad](Severity) something is, registries of [codes](codes!), [excerpts](Excerpt) in the manner of rustc, and
//! [suggestions](did_you_mean).
//!
//! What is **not** here: any one language, files, terminals.

mod code;
mod excerpt;
mod place_report;
mod severity;
pub mod source;
mod suggestion;

pub use excerpt::{Excerpt, Related};
pub use place_report::PlaceReport;
pub use severity::Severity;
pub use source::{LineColumn, Source, Span};
pub use suggestion::did_you_mean;
