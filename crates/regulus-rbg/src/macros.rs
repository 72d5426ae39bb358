//! The macros of a description: which there are, and what is wrong with their definitions. Their uses
//! are replaced by [`crate::expansion`].

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, Severity};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::directive::{Directive, DirectiveKind};
use crate::provenance::Place;
use crate::source::{Source, Span};
use crate::token::{Name, Names, Token, TokenKind};

/// A macro definition.
#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) parameters: Vec<Name>,
    /// Its body, as indices of the file's tokens.
    pub(crate) body: Range<usize>,
    pub(crate) name_span: Span,
    /// From the name to the end of the body.
    whole: Span,
    /// Its place among the directives: what stands above it is visible to it.
    pub(crate) order: usize,
}

/// Where a macro is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Its name in the definition.
    pub name: Span,
    /// From the name to the end of the body.
    pub whole: Span,
    /// True if it has parameters.
    pub has_parameters: bool,
}

/// Macro names and where they are defined.
pub type Definitions<'s> = std::collections::BTreeMap<&'s str, Definition>;

/// The diagnostic for a macro that is used above its definition.
pub fn used_too_early(name: &str, place: Place, definition: Definition) -> Diagnostic {
    let inside =
        definition.whole.start <= place.span.start && place.span.end <= definition.whole.end;
    let diagnostic = Diagnostic::new(Code::MacroNotYetDefined, place);
    if inside {
        diagnostic
            .message(format!("the macro `{name}` uses itself"))
            .label("not defined yet")
            .related(definition.name, "its definition ends after the use")
            .help("macros cannot be recursive; `*` repeats")
    } else {
        diagnostic
            .message(format!("the macro `{name}` is used before its definition"))
            .label("not defined yet")
            .related(definition.name, "defined here")
            .help("move the definition above the place where it is used")
    }
}

/// The macros of one description.
#[derive(Debug)]
pub struct Macros {
    list: Vec<Macro>,
    by_name: FxHashMap<Name, Vec<usize>>,
    /// Macros whose definitions cannot be read.
    broken: FxHashSet<Name>,
}

impl Macros {
    /// Collects the macro definitions and reports those that clash.
    pub fn collect(
        directives: &[Directive],
        tokens: &[Token],
        names: &Names,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut macros = Macros {
            list: Vec::new(),
            by_name: FxHashMap::default(),
            broken: FxHashSet::default(),
        };
        for (order, directive) in directives.iter().enumerate() {
            if diagnostics.is_full() {
                break;
            }
            let (name, parameters) = match &directive.kind {
                DirectiveKind::Macro { name, parameters } => (name, parameters),
                DirectiveKind::BrokenMacro { name } => {
                    macros.broken.insert(*name);
                    continue;
                }
                DirectiveKind::Section(_) => continue,
            };
            let overloads = macros.by_name.entry(*name).or_default();
            let clash = overloads.iter().map(|i| &macros.list[*i]).find(|other| {
                other.parameters.len() == parameters.len()
                    || other.parameters.is_empty()
                    || parameters.is_empty()
            });
            if let Some(other) = clash {
                let spelt = names.text(*name);
                let (code, message) = if other.parameters.len() == parameters.len() {
                    (Code::MacroRedefined, format!("the macro `{spelt}` is defined twice"))
                } else {
                    (
                        Code::MacroMixedArity,
                        format!("the macro `{spelt}` is defined both with and without parameters"),
                    )
                };
                diagnostics.push(
                    Diagnostic::new(code, Place::written(directive.name_span))
                        .message(message)
                        .label("defined again here")
                        .related(other.name_span, "first defined here")
                        .help("give one of the two another name"),
                );
                continue;
            }
            overloads.push(macros.list.len());
            macros.list.push(Macro {
                parameters: parameters.clone(),
                body: directive.body.clone(),
                name_span: directive.name_span,
                whole: tokens[directive.body.clone()]
                    .last()
                    .map_or(directive.name_span, |t| directive.name_span.to(t.place.span)),
                order,
            });
        }
        macros
    }

    /// The names of all macros, with the place of their first definition.
    pub fn definitions<'s>(&self, source: &'s Source) -> Definitions<'s> {
        let mut definitions = Definitions::default();
        for m in &self.list {
            let has_parameters = !m.parameters.is_empty();
            let definition = Definition { name: m.name_span, whole: m.whole, has_parameters };
            definitions.entry(source.slice(m.name_span)).or_insert(definition);
        }
        definitions
    }

    /// The macros of a name that text sees which stands in the `order`-th directive; `None` if no
    /// macro has that name, wherever it is defined.
    pub(crate) fn visible(&self, name: Name, order: usize) -> Option<impl Iterator<Item = &Macro>> {
        let overloads = self.by_name.get(&name)?;
        Some(overloads.iter().map(|i| &self.list[*i]).filter(move |m| m.order < order))
    }

    /// True for a macro whose definition cannot be read, which has been reported.
    pub(crate) fn is_broken(&self, name: Name) -> bool {
        self.broken.contains(&name)
    }

    /// Reports macros that nothing mentions.
    pub fn report_unused(
        &self,
        directives: &[Directive],
        tokens: &[Token],
        source: &Source,
        diagnostics: &mut Diagnostics,
    ) {
        let mut mentioned: FxHashSet<Name> = FxHashSet::default();
        for directive in directives {
            let body = &tokens[directive.body.clone()];
            mentioned.extend(
                body.iter().filter(|t| t.kind == TokenKind::Identifier).map(|t| t.name).filter(
                    |n| !matches!(&directive.kind, DirectiveKind::Macro { name, .. } if name == n),
                ),
            );
        }
        for directive in directives {
            let DirectiveKind::Macro { name, .. } = &directive.kind else { continue };
            if !diagnostics.has_room(Severity::Warning) {
                return;
            }
            if !mentioned.contains(name) {
                let spelt = source.slice(directive.name_span);
                diagnostics.push(
                    Diagnostic::new(Code::UnusedMacro, Place::written(directive.name_span))
                        .message(format!("the macro `{spelt}` is never used"))
                        .label("defined here"),
                );
            }
        }
    }
}
