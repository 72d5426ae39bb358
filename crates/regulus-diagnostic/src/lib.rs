//! What diagnostics of all game languages have in common: a [text](Source) and [places](Span) in it, how
//! [bad](Severity) something is, registries of [codes](codes!), [excerpts](Excerpt) in the manner of rustc, and
//! [suggestions](did_you_mean).
//!
//! ```
//! use regulus_diagnostic::{Excerpt, Severity, Source, Span, did_you_mean};
//!
//! let source = Source::new("mine.rbg", "#piecs = e, x");
//! let near = did_you_mean("piecs", ["pieces", "players"]).expect("one is near");
//! let excerpt = Excerpt {
//!     severity: Severity::Error,
//!     id: "X1",
//!     message: "unknown directive",
//!     span: Span { start: 0, end: 6 },
//!     label: "",
//!     related: &[],
//!     help: Some(&format!("did you mean `#{near}`?")),
//! };
//! assert!(excerpt.render(&source, false).contains("mine.rbg:1:1"));
//! ```
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
