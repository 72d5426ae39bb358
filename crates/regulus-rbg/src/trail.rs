//! How the text of a diagnostic got where it is read, as its reader sees it: the parameter whose place
//! it took, arguments that are parts of it, and the macro uses.

use regulus_diagnostic::Related;

use crate::provenance::{Expansion, Origin, Place, Provenance};
use crate::source::Span;
use crate::token::Names;

/// At most this many macro uses are shown with one diagnostic: the innermost ones and the outermost.
const MAX_USES_SHOWN: usize = 6;

/// The way of a text.
pub(crate) struct Trail<'a> {
    pub(crate) provenance: &'a Provenance,
    pub(crate) names: &'a Names,
    /// The text.
    pub(crate) place: Place,
    /// Parts of it that make it wrong.
    pub(crate) parts: &'a [Place],
}

impl Trail<'_> {
    /// Adds the places on the way to those that are shown already.
    pub(crate) fn show(&self, shown: &mut Vec<Related>) {
        self.argument(shown);
        self.arguments_in_it(shown);
        let is_body = |e: &&Expansion| matches!(e, Expansion::Body { .. });
        let outermost = self.provenance.expansions(self.place.origin).filter(is_body).count();
        self.uses(self.place.origin, outermost, MAX_USES_SHOWN, shown);
    }

    /// Adds a place, unless it is shown.
    fn add(&self, span: Span, message: String, shown: &mut Vec<Related>) {
        if span != self.place.span && shown.iter().all(|r| r.span != span) {
            shown.push(Related { span, message });
        }
    }

    fn is_argument(&self, origin: Origin) -> bool {
        matches!(self.provenance.expansion(origin), Some(Expansion::Argument { .. }))
    }

    /// True if an argument that is shown was given in this macro use.
    fn holds_argument(&self, macro_use: Span) -> bool {
        let mut arguments = self.parts.iter().chain([&self.place]);
        arguments.any(|argument| {
            let span = argument.span;
            let is_inside = macro_use.start <= span.start && span.end <= macro_use.end;
            is_inside && self.is_argument(argument.origin)
        })
    }

    /// If the text is an argument: where it was put, and the macro inside the argument that it came
    /// from.
    fn argument(&self, shown: &mut Vec<Related>) {
        let origin = self.place.origin;
        let Some(Expansion::Argument { parameter, put_at, .. }) = self.provenance.expansion(origin)
        else {
            return;
        };
        let parameter = self.names.text(*parameter);
        self.add(put_at.span, format!("it takes the place of `{parameter}` here"), shown);
        let mut given = origin;
        while let Some(Expansion::Argument { given: inner, .. }) = self.provenance.expansion(given)
        {
            given = *inner;
        }
        if !self.provenance.is_inside(origin, given) {
            self.uses(given, 1, 1, shown);
        }
    }

    /// The parts that are arguments.
    fn arguments_in_it(&self, shown: &mut Vec<Related>) {
        for part in self.parts.iter().filter(|p| p.origin != self.place.origin) {
            if let Some(Expansion::Argument { parameter, .. }) =
                self.provenance.expansion(part.origin)
            {
                let parameter = self.names.text(*parameter);
                self.add(part.span, format!("this takes the place of `{parameter}`"), shown);
            }
        }
    }

    /// The macro that an origin belongs to and the uses around it, of which there are `count`: at most
    /// `most` of them.
    fn uses(&self, origin: Origin, count: usize, most: usize, shown: &mut Vec<Related>) {
        let bodies = self.provenance.expansions(origin).filter_map(|e| match e {
            Expansion::Body { name, used_at, defined_at } => Some((name, used_at, defined_at)),
            Expansion::Argument { .. } => None,
        });
        for (i, (name, used_at, defined_at)) in bodies.take(count).enumerate() {
            let nth = i + 1;
            let name = self.names.text(*name);
            if nth == 1 {
                self.add(*defined_at, format!("in macro `{name}`, defined here"), shown);
            }
            let is_wanted = nth < most || nth == count;
            if !is_wanted || self.holds_argument(used_at.span) {
                continue;
            }
            let message = match count.saturating_sub(most) {
                left_out if left_out > 0 && nth == count => {
                    format!("`{name}` used here; {left_out} uses in between are not shown")
                }
                _ => format!("`{name}` used here"),
            };
            self.add(used_at.span, message, shown);
        }
    }
}
