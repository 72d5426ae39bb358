//! What can be asked of native code, whether it is in this build or not.

use std::str::FromStr;

use regulus_rbg::source::Span;

/// What native code can be made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// The keeper's moves.
    Keeper,
    /// Listing moves.
    List,
    /// Counting moves.
    Count,
    /// Finding a move by its number.
    Nth,
    /// Moves in groups.
    Groups,
    /// Playing uniformly random moves to the end.
    Playout,
    /// Playing random semimoves to the end.
    SplitPlayout,
}

/// Why no code can be made for a game (yet); it is interpreted instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

/// A part of a game that has no machine code of its own, or is not done directly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// One sentence.
    pub message: String,
    /// The text of the rules it is about, where that is known.
    pub place: Option<Span>,
}

/// An analysis that can be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// The numbering of the vertices (pass P1).
    Numbering,
    /// The rules cut at modifiers.
    Segments,
    /// Parts of the rules that only move, as relations (pass P3).
    Relations,
    /// Which alternatives of the rules exclude each other (pass P12).
    Guards,
    /// Which assignments can fail (pass P19).
    Intervals,
    /// Conditions that look at a bounded surrounding of a vertex (pass P15).
    Patterns,
}

impl Pass {
    /// All passes.
    pub const ALL: [Pass; 6] = [
        Pass::Numbering,
        Pass::Segments,
        Pass::Relations,
        Pass::Guards,
        Pass::Intervals,
        Pass::Patterns,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Numbering => "numbering",
            Pass::Segments => "segments",
            Pass::Relations => "relations",
            Pass::Guards => "guards",
            Pass::Intervals => "intervals",
            Pass::Patterns => "patterns",
        }
    }
}

impl FromStr for Pass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names: Vec<&str> = Pass::ALL.iter().map(|p| p.name()).collect();
        Pass::ALL
            .into_iter()
            .find(|p| p.name() == text)
            .ok_or_else(|| format!("unknown pass `{text}`: expected {}", names.join(", ")))
    }
}
