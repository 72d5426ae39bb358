//! The outermost layer of a file: sections and macro definitions, each from `#` to the next `#`.

use std::ops::Range;

use crate::code::Code;
use crate::declarations::reserved;
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::limits::MAX_PARAMETERS;
use crate::provenance::Place;
use crate::source::Span;
use crate::token::{Name, Names, Token, TokenKind};

/// The five sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum SectionKind {
    /// `#players`
    Players,
    /// `#pieces`
    Pieces,
    /// `#variables`
    Variables,
    /// `#board`
    Board,
    /// `#rules`
    Rules,
}

impl SectionKind {
    /// All sections, in their usual order.
    pub const ALL: [SectionKind; 5] = [
        SectionKind::Players,
        SectionKind::Pieces,
        SectionKind::Variables,
        SectionKind::Board,
        SectionKind::Rules,
    ];

    /// The word after `#`.
    pub fn word(self) -> &'static str {
        match self {
            SectionKind::Players => "players",
            SectionKind::Pieces => "pieces",
            SectionKind::Variables => "variables",
            SectionKind::Board => "board",
            SectionKind::Rules => "rules",
        }
    }

    fn from_token(kind: TokenKind) -> Option<SectionKind> {
        match kind {
            TokenKind::Players => Some(SectionKind::Players),
            TokenKind::Pieces => Some(SectionKind::Pieces),
            TokenKind::Variables => Some(SectionKind::Variables),
            TokenKind::Board => Some(SectionKind::Board),
            TokenKind::Rules => Some(SectionKind::Rules),
            _ => None,
        }
    }
}

/// What a directive is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirectiveKind {
    /// One of the five sections.
    Section(SectionKind),
    /// A macro with its parameters (none: used without brackets).
    Macro {
        /// Its name.
        name: Name,
        /// Its parameters.
        parameters: Vec<Name>,
    },
    /// A macro whose definition cannot be read; its uses are not mistakes of their own.
    BrokenMacro {
        /// Its name.
        name: Name,
    },
}

/// A section or a macro definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// What it is.
    pub kind: DirectiveKind,
    /// The word after `#`.
    pub name_span: Span,
    /// Its content, as indices of the file's tokens.
    pub body: Range<usize>,
}

/// Splits the tokens of a file into directives. What is not a well-formed directive is reported;
/// as much of it as makes sense is kept.
pub fn directives(
    tokens: &[Token],
    names: &Names,
    diagnostics: &mut Diagnostics,
) -> Vec<Directive> {
    let Some(first) = tokens.first() else {
        diagnostics.push(
            Diagnostic::new(Code::NoDirective, Place::written(Span::new(0, 0)))
                .message("the file has no directives")
                .help(
                    "a description begins with `#players = ...`; see `regulus games` for examples",
                ),
        );
        return Vec::new();
    };
    let mut found = Vec::new();
    let starts: Vec<usize> =
        (0..tokens.len()).filter(|i| tokens[*i].kind == TokenKind::Hash).collect();
    if first.kind != TokenKind::Hash {
        let section = SectionKind::from_token(first.kind);
        diagnostics.push(
            Diagnostic::new(Code::NoDirective, first.place)
                .message(format!("expected a directive, found `{}`", names.spelling(first)))
                .label("expected `#`")
                .help(match section {
                    Some(section) => format!("write `#{}`", section.word()),
                    None => "a description begins with `#players = ...`".to_owned(),
                }),
        );
        if section.is_some() {
            let end = starts.first().copied().unwrap_or(tokens.len());
            found.extend(directive(tokens, 0, end, names, diagnostics));
        }
    }
    let ends = starts.iter().copied().skip(1).chain([tokens.len()]);
    for (start, end) in starts.iter().zip(ends) {
        if diagnostics.is_full() {
            break;
        }
        found.extend(directive(tokens, start + 1, end, names, diagnostics));
    }
    found
}

/// Reads a directive whose name, behind the `#`, is token `at`.
fn directive(
    tokens: &[Token],
    at: usize,
    end: usize,
    names: &Names,
    diagnostics: &mut Diagnostics,
) -> Option<Directive> {
    let here = |i: usize| if i < end { tokens[i].place } else { tokens[end - 1].place };
    let Some(name) = tokens.get(at).filter(|t| at < end && t.kind.is_wordlike()) else {
        diagnostics.push(
            Diagnostic::new(Code::MalformedDirective, tokens[at - 1].place)
                .message("`#` without a name")
                .label("expected the name of a section or of a macro after this"),
        );
        return None;
    };
    if name.kind == TokenKind::Number {
        diagnostics.push(
            Diagnostic::new(Code::MalformedDirective, name.place)
                .message("the name of a macro begins with a letter")
                .label("expected a name"),
        );
        return None;
    }
    let section = SectionKind::from_token(name.kind);
    if name.kind.is_keyword() && section.is_none() {
        diagnostics.push(reserved(names.spelling(name), name.place));
        return None;
    }
    let name_span = name.place.span;
    let mut at = at + 1;
    let mut parameters = Vec::new();
    if section.is_none() && has_parameters(&tokens[at..end]) {
        match parameter_list(tokens, at, end, names, &mut parameters, diagnostics) {
            Some(behind) => at = behind,
            None => {
                let kind = DirectiveKind::BrokenMacro { name: name.name };
                return Some(Directive { kind, name_span, body: end..end });
            }
        }
    }
    let has_equal = at < end && tokens[at].kind == TokenKind::Equal;
    if !has_equal {
        let spelt = names.spelling(name);
        let near = did_you_mean(spelt, SectionKind::ALL.map(SectionKind::word));
        diagnostics.push(
            Diagnostic::new(Code::MalformedDirective, here(at))
                .message(format!("expected `=` after `#{spelt}`"))
                .label("expected `=`")
                .maybe_help(near.map(|n| format!("did you mean `#{n} =`?"))),
        );
    }
    let kind = match section {
        Some(section) => DirectiveKind::Section(section),
        None => DirectiveKind::Macro { name: name.name, parameters },
    };
    Some(Directive { kind, name_span, body: at + usize::from(has_equal)..end })
}

/// True if a macro definition goes on with parameters, be they right or wrong; false if `=` was
/// forgotten in front of a body in brackets.
fn has_parameters(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|t| t.kind == TokenKind::LeftRound)
        && (tokens.iter().any(|t| t.kind == TokenKind::Equal)
            || tokens.iter().all(|t| t.kind != TokenKind::RightRound))
}

/// Reads `(a; b)`; returns the index behind it.
fn parameter_list(
    tokens: &[Token],
    open: usize,
    end: usize,
    names: &Names,
    parameters: &mut Vec<Name>,
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let mut at = open + 1;
    let mut has_comma = false;
    loop {
        let token = tokens.get(at).filter(|_| at < end);
        let wrong = |message: String, place: Place| {
            Diagnostic::new(Code::MalformedParameters, place).message(message)
        };
        let Some(token) = token else {
            diagnostics.push(
                wrong("the parameters are not closed".to_owned(), tokens[open].place)
                    .label("this bracket is never closed"),
            );
            return None;
        };
        if token.kind != TokenKind::Identifier {
            diagnostics.push(
                wrong(
                    format!("expected the name of a parameter, found `{}`", names.spelling(token)),
                    token.place,
                )
                .label("expected a name")
                .help("a macro without parameters is written without brackets: `#m = ...`"),
            );
            return None;
        }
        if parameters.contains(&token.name) {
            diagnostics.push(
                wrong(
                    format!("two parameters are called `{}`", names.spelling(token)),
                    token.place,
                )
                .label("the second one"),
            );
        }
        if parameters.len() == MAX_PARAMETERS {
            diagnostics.push(
                wrong(format!("more than {MAX_PARAMETERS} parameters"), token.place)
                    .label("one too many"),
            );
            return None;
        }
        parameters.push(token.name);
        at += 1;
        match tokens.get(at).filter(|_| at < end) {
            Some(t) if t.kind == TokenKind::Semicolon => at += 1,
            Some(t) if t.kind == TokenKind::RightRound => return Some(at + 1),
            Some(t) => {
                let message = format!("expected `;` or `)`, found `{}`", names.spelling(t));
                if t.kind == TokenKind::Comma {
                    let label = "parameters are separated by `;`";
                    if !std::mem::replace(&mut has_comma, true) {
                        diagnostics.push(wrong(message, t.place).label(label));
                    }
                    at += 1;
                    continue;
                }
                diagnostics.push(
                    wrong(message, t.place)
                        .label("expected `;` or `)`")
                        .related(tokens[open].place.span, "the parameters begin here"),
                );
                return None;
            }
            None => {}
        }
    }
}
