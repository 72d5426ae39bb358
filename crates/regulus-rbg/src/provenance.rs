//! Where a token came from: its place in the text, the macro uses it went through, and the parameters
//! it took the place of.

use crate::source::Span;
use crate::token::Name;

/// How a stretch of text got where it is read: an index of [`Provenance`]. Zero means that it was
/// written there, in a section.
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
    /// How it got where it is read.
    pub origin: Origin,
}

impl Place {
    /// A place that no macro is involved in.
    pub const fn written(span: Span) -> Place {
        Place { span, origin: Origin::WRITTEN }
    }
}

/// One step on the way of a text to where it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// The text is the body of a macro.
    Body {
        /// The macro's name.
        name: Name,
        /// Where it was used.
        used_at: Place,
        /// Where its name stands in its definition.
        defined_at: Span,
    },
    /// The text is an argument. Many tokens take this step together, so that it does not say where
    /// they were written but how they got there.
    Argument {
        /// The parameter whose place it took.
        parameter: Name,
        /// Where that parameter stood, in the body of its macro.
        put_at: Place,
        /// The origin of the argument where the macro was used.
        given: Origin,
    },
}

impl Expansion {
    /// The place that the text took.
    pub fn outer(&self) -> Place {
        match self {
            Expansion::Body { used_at, .. } => *used_at,
            Expansion::Argument { put_at, .. } => *put_at,
        }
    }
}

/// An expansion in the tree of expansions, whose edges lead to the text that was taken the place of.
#[derive(Clone, Copy, Debug)]
struct Node {
    expansion: Expansion,
    depth: u32,
    /// An ancestor far away: chains of macros may be long, and their ends are looked for often. Each
    /// jump is as long as the two before it together or one step, which gives logarithmic searches.
    jump: Origin,
}

/// All expansions of one description.
#[derive(Default, Debug)]
pub struct Provenance {
    nodes: Vec<Node>,
}

impl Provenance {
    /// Registers an expansion and returns the origin of the tokens that come out of it.
    pub fn enter(&mut self, expansion: Expansion) -> Origin {
        let outer = expansion.outer().origin;
        let (near, far) = (self.jump(outer), self.jump(self.jump(outer)));
        let is_balanced =
            self.depth(outer) - self.depth(near) == self.depth(near) - self.depth(far);
        self.nodes.push(Node {
            expansion,
            depth: self.depth(outer) + 1,
            jump: if is_balanced { far } else { outer },
        });
        Origin(self.nodes.len() as u32)
    }

    /// The last expansion on the way to an origin; `None` if the text was written in a section.
    pub fn expansion(&self, origin: Origin) -> Option<&Expansion> {
        origin.0.checked_sub(1).map(|i| &self.nodes[i as usize].expansion)
    }

    /// The expansions that lead to an origin, innermost first. An argument is followed into the body
    /// that it was put in.
    pub fn expansions(&self, origin: Origin) -> impl Iterator<Item = &Expansion> {
        std::iter::successors(self.expansion(origin), |e| self.expansion(e.outer().origin))
    }

    /// The place in a section through which a text came there.
    pub fn in_section(&self, place: Place) -> Place {
        self.seen_from(place, Origin::WRITTEN)
    }

    /// The place in the innermost text that it shares with another.
    pub fn beside(&self, place: Place, other: Place) -> Place {
        self.seen_from(place, self.common(place.origin, other.origin))
    }

    /// True if the text of `inner` is part of what `outer` expands to, or the same.
    pub fn is_inside(&self, inner: Origin, outer: Origin) -> bool {
        self.depth(outer) <= self.depth(inner) && self.ancestor(inner, self.depth(outer)) == outer
    }

    /// The place from the beginning of one to the end of another that is read after it. If they are in
    /// different texts, it is in the innermost text that both came to: if an argument is followed by
    /// something in the body of a macro, it is in that body, beginning with the parameter.
    #[must_use]
    pub fn join(&self, first: Place, last: Place) -> Place {
        let (mut from, mut to) = (first, last);
        // Parts of one argument are joined where it was written.
        while from.origin != to.origin
            && let Some((put, given)) = self.argument(from.origin)
            && let Some((other_put, other_given)) = self.argument(to.origin)
            && put == other_put
        {
            (from.origin, to.origin) = (given, other_given);
        }
        let text = self.common(from.origin, to.origin);
        let origin = match text {
            _ if text == from.origin => first.origin,
            _ if text == to.origin => last.origin,
            _ if from.origin == first.origin => text,
            // No token of the argument has that origin, but the parameter is the same place.
            _ => return self.argument(first.origin).map_or(first, |(put, _)| put),
        };
        let (from, to) = (self.seen_from(from, text).span, self.seen_from(to, text).span);
        let span = if from.start <= to.end { from.to(to) } else { from };
        Place { span, origin }
    }

    /// Where an argument was put, and its origin where it was given.
    fn argument(&self, origin: Origin) -> Option<(Place, Origin)> {
        match self.expansion(origin)? {
            Expansion::Argument { put_at, given, .. } => Some((*put_at, *given)),
            Expansion::Body { .. } => None,
        }
    }

    /// The place in the text of `outer` that a place inside it expanded from.
    fn seen_from(&self, place: Place, outer: Origin) -> Place {
        let depth = self.depth(outer);
        if self.depth(place.origin) <= depth {
            return place;
        }
        self.expansion(self.ancestor(place.origin, depth + 1)).map_or(place, Expansion::outer)
    }

    fn depth(&self, origin: Origin) -> u32 {
        origin.0.checked_sub(1).map_or(0, |i| self.nodes[i as usize].depth)
    }

    fn jump(&self, origin: Origin) -> Origin {
        origin.0.checked_sub(1).map_or(origin, |i| self.nodes[i as usize].jump)
    }

    fn parent(&self, origin: Origin) -> Origin {
        self.expansion(origin).map_or(origin, |e| e.outer().origin)
    }

    /// The text at this depth that an origin is inside.
    fn ancestor(&self, mut origin: Origin, depth: u32) -> Origin {
        while self.depth(origin) > depth {
            let jump = self.jump(origin);
            origin = if self.depth(jump) >= depth { jump } else { self.parent(origin) };
        }
        origin
    }

    /// The innermost text that two origins are inside.
    fn common(&self, a: Origin, b: Origin) -> Origin {
        let depth = self.depth(a).min(self.depth(b));
        let (mut a, mut b) = (self.ancestor(a, depth), self.ancestor(b, depth));
        while a != b {
            let jumps = (self.jump(a), self.jump(b));
            (a, b) = if jumps.0 == jumps.1 { (self.parent(a), self.parent(b)) } else { jumps };
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Names;

    fn use_of(name: Name, span: Span, origin: Origin) -> Expansion {
        let used_at = Place { span, origin };
        Expansion::Body { name, used_at, defined_at: Span::new(0, 1) }
    }

    #[test]
    fn places_are_joined_in_the_innermost_text_of_both() {
        let name = Names::default().intern("m");
        let mut provenance = Provenance::default();
        // `m(a b)` at 50..56 in a section; its body is at 10..30, and the parameter in it at 12..13.
        let body = provenance.enter(use_of(name, Span::new(50, 56), Origin::WRITTEN));
        let put_at = Place { span: Span::new(12, 13), origin: body };
        let argument = provenance.enter(Expansion::Argument {
            parameter: name,
            put_at,
            given: Origin::WRITTEN,
        });
        let place = |start, end, origin| Place { span: Span::new(start, end), origin };
        let a = place(52, 53, argument);
        let b = place(54, 55, argument);
        assert_eq!(provenance.join(a, b), place(52, 55, argument));
        let in_body = place(14, 16, body);
        assert_eq!(provenance.join(b, in_body), place(12, 16, body));
        let behind = place(60, 62, Origin::WRITTEN);
        assert_eq!(provenance.join(in_body, behind), place(50, 62, Origin::WRITTEN));
        assert_eq!(provenance.in_section(a), place(50, 56, Origin::WRITTEN));
        // A macro used in the argument, at 52..53: it is joined with the rest of the argument.
        let inner = provenance.enter(use_of(name, Span::new(52, 53), Origin::WRITTEN));
        let from_inner =
            provenance.enter(Expansion::Argument { parameter: name, put_at, given: inner });
        assert_eq!(provenance.join(place(5, 6, from_inner), b), place(52, 55, argument));
        // Two such macros: there is no token with the origin of both, so it is the parameter.
        let other = provenance.enter(use_of(name, Span::new(54, 55), Origin::WRITTEN));
        let from_other =
            provenance.enter(Expansion::Argument { parameter: name, put_at, given: other });
        let joined = provenance.join(place(5, 6, from_inner), place(7, 8, from_other));
        assert_eq!(joined, put_at);
    }

    #[test]
    fn ends_of_long_chains_are_found() {
        let name = Names::default().intern("m");
        let mut provenance = Provenance::default();
        let mut chain = vec![Origin::WRITTEN];
        for i in 0..10_000u32 {
            let outer = *chain.last().expect("never empty");
            chain.push(provenance.enter(use_of(name, Span::new(i, i + 1), outer)));
        }
        for (from, to) in [(10_000, 0), (9_999, 5_000), (77, 76), (4_096, 4_095), (8_191, 3)] {
            assert_eq!(provenance.ancestor(chain[from], to as u32), chain[to]);
            let branch = provenance.enter(use_of(name, Span::new(1, 2), chain[to]));
            assert_eq!(provenance.common(chain[from], branch), chain[to]);
            assert!(provenance.is_inside(chain[from], chain[to]));
            assert!(!provenance.is_inside(chain[to], chain[from]));
        }
        assert_eq!(provenance.expansions(chain[10_000]).count(), 10_000);
    }
}
