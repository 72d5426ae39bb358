//! Diagnostics: what is wrong with a description, where, and what to do about it.

pub use regulus_diagnostic::{Related, did_you_mean};
use rustc_hash::FxHashSet;

use crate::code::{Code, Severity};
use crate::provenance::{Place, Provenance};
use crate::source::Span;
use crate::token::Names;
use crate::trail::Trail;

/// At most this many diagnostics of each severity are kept; after a hundred the reader needs an
/// editor, not more text.
pub const MAX_DIAGNOSTICS: usize = 100;

/// After this many diagnostics of a severity, repetitions included, no more are looked at: macros
/// can repeat one mistake a million times.
const MAX_OFFERS: usize = 10_000;

/// At most this many arguments are shown with one diagnostic.
const MAX_PARTS: usize = 3;

/// One error or warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// The text it is about.
    pub span: Span,
    /// What to say at that text.
    pub label: String,
    /// Other places: definitions, first declarations, macro uses.
    pub related: Vec<Related>,
    /// What the reader can do.
    pub help: Option<String>,
    place: Place,
    /// Parts of the primary text whose arguments are shown.
    parts: Vec<Place>,
    /// Other places that may be in texts of their own.
    others: Vec<(Place, String)>,
}

impl Diagnostic {
    /// A diagnostic with the title of its code as message.
    pub fn new(code: Code, place: Place) -> Self {
        Diagnostic {
            code,
            message: code.title().to_owned(),
            span: place.span,
            label: String::new(),
            related: Vec::new(),
            help: None,
            place,
            parts: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Replaces the message.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets what is said at the primary text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets the help line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help line if there is one.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    /// Adds another place, and how it gets to the innermost text that it shares with the primary one.
    #[must_use]
    pub fn other(mut self, place: Place, message: impl Into<String>) -> Self {
        self.others.push((place, message.into()));
        self
    }

    /// Names parts of the primary text that make it wrong. Those that a macro got as arguments are shown
    /// where they were given.
    #[must_use]
    pub fn parts(mut self, parts: impl IntoIterator<Item = Place>) -> Self {
        self.parts.extend(parts.into_iter().take(MAX_PARTS));
        self
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Adds how the primary text got where it is read.
    fn attach_uses(&mut self, provenance: &Provenance, names: &Names) {
        for (place, message) in std::mem::take(&mut self.others) {
            self.related.push(Related { span: place.span, message });
            let through = provenance.beside(place, self.place).span;
            if through != place.span {
                let message = "through this macro use".to_owned();
                self.related.push(Related { span: through, message });
            }
        }
        let trail = Trail { provenance, names, place: self.place, parts: &self.parts };
        trail.show(&mut self.related);
    }
}

/// Collects diagnostics: drops repetitions (a macro used ten times has its mistake once) and keeps
/// a bounded number.
#[derive(Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Code, Span, String)>,
    named: FxHashSet<(Code, Span, String)>,
    errors: Count,
    warnings: Count,
}

#[derive(Clone, Copy, Default, Debug)]
struct Count {
    kept: usize,
    offered: usize,
}

impl Count {
    fn has_room(self) -> bool {
        self.kept < MAX_DIAGNOSTICS && self.offered < MAX_OFFERS
    }
}

impl Diagnostics {
    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if !count.has_room() {
            return;
        }
        count.offered += 1;
        let key = (diagnostic.code, diagnostic.span, diagnostic.message.clone());
        if self.seen.insert(key) {
            count.kept += 1;
            self.list.push(diagnostic);
        }
    }

    /// True if one more of this severity could be kept. Whoever makes very many asks first.
    pub fn has_room(&self, severity: Severity) -> bool {
        match severity {
            Severity::Error => self.errors.has_room(),
            Severity::Warning => self.warnings.has_room(),
        }
    }

    /// True the first time that a diagnostic about this name at this place is wanted. Whoever looks
    /// for suggestions, which takes time, asks first.
    pub fn is_news(&mut self, code: Code, span: Span, name: &str) -> bool {
        self.has_room(code.severity()) && self.named.insert((code, span, name.to_owned()))
    }

    /// True if there is an error.
    pub fn has_errors(&self) -> bool {
        self.errors.kept > 0
    }

    /// True if there is a diagnostic of this kind.
    pub fn has(&self, code: Code) -> bool {
        self.list.iter().any(|d| d.code == code)
    }

    /// True if no further error would be kept.
    pub fn is_full(&self) -> bool {
        !self.errors.has_room()
    }

    /// Adds the macro uses to every diagnostic.
    pub fn attach_uses(&mut self, provenance: &Provenance, names: &Names) {
        for diagnostic in &mut self.list {
            diagnostic.attach_uses(provenance, names);
        }
    }

    /// The diagnostics in the order of the text, errors before warnings at the same place.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| (d.span.start, d.severity(), d.code, d.span.end));
        self.list
    }
}

/// Names as they are enumerated in a sentence: `a`, `b` and `c`.
pub(crate) fn list_of(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
