//! Where a token came from: its place in the text and the macro uses it went through.

use crate::source::Span;
use crate::token::Name;

/// A node of the tree of macro uses. The root means "written in a section".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Origin(pub(crate) u32);

impl Origin {
    /// Written in the section itself, not produced by a macro.
    pub const WRITTEN: Origin = Origin(0);
}

/// A span together with the macro uses that brought it there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Where the text stands.
    pub span: Span,
    /// The macro use it belongs to.
    pub origin: Origin,
}

impl Place {
    /// A place that no macro is involved in.
    pub const fn written(span: Span) -> Place {
        Place { span, origin: Origin::WRITTEN }
    }

    /// The place from the beginning of `self` to the end of `other`, as far as both come from the
    /// same stretch of text; otherwise the former.
    #[must_use]
    pub fn to(self, other: Place) -> Place {
        if self.origin == other.origin && self.span.start <= other.span.end {
            Place { span: self.span.to(other.span), origin: self.origin }
        } else {
            self
        }
    }
}

/// One use of a macro.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// The macro's name.
    pub name: Name,
    /// Where it was used, and through which uses that text came there.
    pub used_at: Place,
    /// Where its name stands in its definition.
    pub defined_at: Span,
}

/// All macro uses of one description.
#[derive(Default, Debug)]
pub struct Provenance {
    expansions: Vec<Expansion>,
}

impl Provenance {
    /// Registers a use and returns the origin of the tokens that come out of it.
    pub fn enter(&mut self, expansion: Expansion) -> Origin {
        self.expansions.push(expansion);
        Origin(self.expansions.len() as u32)
    }

    /// The uses that lead to `origin`, innermost first.
    pub fn uses(&self, origin: Origin) -> impl Iterator<Item = &Expansion> {
        let get = |o: Origin| o.0.checked_sub(1).map(|i| &self.expansions[i as usize]);
        std::iter::successors(get(origin), move |e| get(e.used_at.origin))
    }
}
