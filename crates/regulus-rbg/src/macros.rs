//! Macro expansion: textual substitution that remembers where every token came from.
//!
//! A macro sees only macros defined above it, so expansion always ends; how much it may produce is
//! bounded by [`crate::limits`].

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, Severity};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::directive::{Directive, DirectiveKind};
use crate::limits::{MAX_EXPANSION_DEPTH, MAX_EXPANSION_STEPS, MAX_WORD_BYTES};
use crate::provenance::{Expansion, Origin, Place, Provenance};
use crate::source::{Source, Span};
use crate::token::{Name, Names, Token, TokenKind, lex, word_too_long};

/// A macro definition.
#[derive(Debug)]
struct Macro<'t> {
    parameters: Vec<Name>,
    body: &'t [Token],
    name_span: Span,
    /// Its place among the directives: what stands above it is visible to it.
    order: usize,
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
pub struct Macros<'t> {
    list: Vec<Macro<'t>>,
    by_name: FxHashMap<Name, Vec<usize>>,
    /// Macros whose definitions cannot be read.
    broken: FxHashSet<Name>,
}

impl<'t> Macros<'t> {
    /// Collects the macro definitions and reports those that clash.
    pub fn collect(
        directives: &[Directive],
        tokens: &'t [Token],
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
                body: &tokens[directive.body.clone()],
                name_span: directive.name_span,
                order,
            });
        }
        macros
    }

    /// The names of all macros, with the place of their first definition.
    pub fn definitions<'s>(&self, source: &'s Source) -> Definitions<'s> {
        let mut definitions = Definitions::default();
        for m in &self.list {
            let whole = m.body.last().map_or(m.name_span, |t| m.name_span.to(t.place.span));
            let has_parameters = !m.parameters.is_empty();
            let definition = Definition { name: m.name_span, whole, has_parameters };
            definitions.entry(source.slice(m.name_span)).or_insert(definition);
        }
        definitions
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

/// What the text being expanded may refer to.
#[derive(Clone, Copy)]
struct Scope<'s> {
    /// Macros of a lower order are visible.
    order: usize,
    /// Arguments, already expanded where they were written.
    arguments: &'s [(Name, Vec<Token>)],
    origin: Origin,
    /// Macro uses and arguments around this text.
    depth: usize,
    /// False in the text of a section, where nothing can be pasted.
    in_macro: bool,
}

impl<'s> Scope<'s> {
    fn argument(&self, name: Name) -> Option<&'s [Token]> {
        self.arguments.iter().find(|(n, _)| *n == name).map(|(_, tokens)| tokens.as_slice())
    }
}

/// Expands sections of one description.
pub struct Expander<'a, 't> {
    /// The macros.
    pub macros: &'a Macros<'t>,
    /// The words, to which pasting adds new ones.
    pub names: &'a mut Names,
    /// Where expanded tokens came from.
    pub provenance: &'a mut Provenance,
    /// Where errors go.
    pub diagnostics: &'a mut Diagnostics,
    /// Steps that may still be taken.
    pub steps_left: usize,
}

impl<'a, 't> Expander<'a, 't> {
    /// An expander with all its steps.
    pub fn new(
        macros: &'a Macros<'t>,
        names: &'a mut Names,
        provenance: &'a mut Provenance,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Expander { macros, names, provenance, diagnostics, steps_left: MAX_EXPANSION_STEPS }
    }

    /// The tokens of the section that is the `order`-th directive, macros expanded.
    pub fn section(&mut self, body: &[Token], order: usize) -> Vec<Token> {
        let mut out = Vec::with_capacity(body.len());
        let scope =
            Scope { order, arguments: &[], origin: Origin::WRITTEN, depth: 0, in_macro: false };
        self.tokens(body, scope, &mut out);
        out
    }

    /// Takes a step; false when there are none left (which is reported once).
    fn step(&mut self, place: Place, steps: usize) -> bool {
        if self.steps_left == 0 {
            return false;
        }
        self.steps_left = self.steps_left.saturating_sub(steps);
        if self.steps_left == 0 {
            // Not the last straw is to blame but the use in the section.
            let place =
                self.provenance.uses(place.origin).last().map_or(place, |use_| use_.used_at);
            self.diagnostics.push(
                Diagnostic::new(Code::ExpansionTooLarge, place)
                    .label(format!("more than {MAX_EXPANSION_STEPS} tokens so far")),
            );
        }
        self.steps_left > 0
    }

    fn tokens(&mut self, tokens: &[Token], scope: Scope<'_>, out: &mut Vec<Token>) {
        let mut at = 0;
        while at < tokens.len() && self.steps_left > 0 && !self.diagnostics.is_full() {
            if tokens[at].kind == TokenKind::Tilde {
                self.dangling(tokens[at].place, scope, "before");
                at += 1;
                continue;
            }
            let (first, start) = (at, out.len());
            at = self.element(tokens, at, scope, out);
            while at < tokens.len() && tokens[at].kind == TokenKind::Tilde {
                let tilde = tokens[at];
                at += 1;
                if at == tokens.len() || tokens[at].kind == TokenKind::Tilde {
                    self.dangling(tilde.place, scope, "after");
                    break;
                }
                let mut right = Vec::new();
                at = self.element(tokens, at, scope, &mut right);
                if !scope.in_macro {
                    self.diagnostics.push(
                        Diagnostic::new(Code::PasteOutsideMacro, tilde.place)
                            .message("words can be pasted only inside a macro")
                            .label("not inside a macro")
                            .help("write the name in one word"),
                    );
                }
                let span = tokens[first].place.span.to(tokens[at - 1].place.span);
                self.paste(out, start, right, Place { span, origin: scope.origin });
            }
        }
    }

    fn dangling(&mut self, place: Place, scope: Scope<'_>, side: &str) {
        let place = Place { origin: scope.origin, ..place };
        self.diagnostics.push(
            Diagnostic::new(Code::DanglingTilde, place).label(format!("nothing {side} this")),
        );
    }

    /// Something that cannot be expanded, which has been reported.
    pub fn unexpanded(&mut self, place: Place) -> Token {
        Token { kind: TokenKind::Unexpanded, name: self.names.intern(""), place }
    }

    /// Expands one token, or one macro use with its arguments; returns the index behind it.
    fn element(
        &mut self,
        tokens: &[Token],
        at: usize,
        scope: Scope<'_>,
        out: &mut Vec<Token>,
    ) -> usize {
        let token = tokens[at];
        let place = Place { span: token.place.span, origin: scope.origin };
        if !self.step(place, 1) {
            return tokens.len();
        }
        if token.kind == TokenKind::Identifier {
            if let Some(argument) = scope.argument(token.name) {
                if !self.step(place, argument.len()) {
                    return tokens.len();
                }
                let start = out.len();
                out.extend_from_slice(argument);
                self.check_suffix(tokens, at + 1, &out[start..], place, None);
                return at + 1;
            }
            if let Some(overloads) = self.macros.by_name.get(&token.name) {
                return self.macro_use(tokens, at, overloads, scope, out);
            }
            if self.macros.broken.contains(&token.name) {
                out.push(self.unexpanded(place));
                let arguments = argument_bounds(tokens, at + 1);
                let scanned = arguments.as_ref().map_or(tokens.len(), |(_, close)| *close) - at;
                return match arguments {
                    _ if !self.step(place, scanned) => tokens.len(),
                    Some((_, close)) => close + 1,
                    None => at + 1,
                };
            }
        }
        out.push(Token { place, ..token });
        at + 1
    }

    fn macro_use(
        &mut self,
        tokens: &[Token],
        at: usize,
        overloads: &[usize],
        scope: Scope<'_>,
        out: &mut Vec<Token>,
    ) -> usize {
        let macros = self.macros;
        let token = tokens[at];
        let place = Place { span: token.place.span, origin: scope.origin };
        let spelt = self.names.text(token.name).to_owned();
        if scope.depth >= MAX_EXPANSION_DEPTH {
            self.diagnostics
                .push(Diagnostic::new(Code::ExpansionTooDeep, place).label(format!(
                    "more than {MAX_EXPANSION_DEPTH} macro uses inside each other"
                )));
            self.steps_left = 0;
            return tokens.len();
        }
        let visible =
            || overloads.iter().map(|i| &macros.list[*i]).filter(|m| m.order < scope.order);
        // A macro defined below does not exist yet. The name may be declared as something else; if
        // not, whoever reads the section reports it.
        let Some(first) = visible().next() else {
            out.push(Token { place, ..token });
            return at + 1;
        };
        let (mut arguments, behind) = if first.parameters.is_empty() {
            (Vec::new(), at + 1)
        } else {
            match self.arguments(tokens, at, scope, &spelt) {
                Some(found) => found,
                None => {
                    out.push(self.unexpanded(place));
                    return tokens.len();
                }
            }
        };
        let Some(chosen) = visible().find(|m| m.parameters.len() == arguments.len()) else {
            let arities: Vec<String> = visible().map(|m| m.parameters.len().to_string()).collect();
            let has_comma = tokens[at..behind].iter().any(|t| t.kind == TokenKind::Comma);
            let help = if has_comma && arguments.len() == 1 {
                "arguments are separated by `;`, not by `,`".to_owned()
            } else {
                let uses: Vec<String> = visible().map(|m| self.usage(&spelt, m)).collect();
                format!("write {}", uses.join(" or "))
            };
            self.diagnostics.push(
                Diagnostic::new(Code::MacroArity, place)
                    .message(format!(
                        "the macro `{spelt}` takes {} argument{}, not {}",
                        arities.join(" or "),
                        if arities == ["1"] { "" } else { "s" },
                        arguments.len()
                    ))
                    .label(match arguments.len() {
                        0 => "no arguments".to_owned(),
                        1 => "one argument".to_owned(),
                        n => format!("{n} arguments"),
                    })
                    .related(first.name_span, "defined here")
                    .help(help),
            );
            out.push(self.unexpanded(place));
            return behind;
        };
        let origin = self.provenance.enter(Expansion {
            name: token.name,
            used_at: Place {
                span: token.place.span.to(tokens[behind - 1].place.span),
                origin: scope.origin,
            },
            defined_at: chosen.name_span,
        });
        let arguments: Vec<(Name, Vec<Token>)> =
            chosen.parameters.iter().copied().zip(arguments.drain(..)).collect();
        let inner = Scope {
            order: chosen.order,
            arguments: &arguments,
            origin,
            depth: scope.depth + 1,
            in_macro: true,
        };
        let start = out.len();
        self.tokens(chosen.body, inner, out);
        self.check_suffix(tokens, behind, &out[start..], place, Some((&spelt, chosen.name_span)));
        behind
    }

    /// Reads and expands `(a; b)` behind a macro name; the index is the one behind the bracket.
    fn arguments(
        &mut self,
        tokens: &[Token],
        name_at: usize,
        scope: Scope<'_>,
        spelt: &str,
    ) -> Option<(Vec<Vec<Token>>, usize)> {
        let open = name_at + 1;
        if tokens.get(open).is_none_or(|t| t.kind != TokenKind::LeftRound) {
            // Reported by the caller as a wrong number of arguments.
            return Some((Vec::new(), open));
        }
        let place = Place { span: tokens[open].place.span, origin: scope.origin };
        let Some((bounds, close)) = argument_bounds(tokens, open) else {
            self.step(place, tokens.len() - open);
            self.diagnostics.push(
                Diagnostic::new(Code::UnclosedArguments, place)
                    .message(format!("the arguments of `{spelt}` are not closed"))
                    .label("this bracket is never closed"),
            );
            return None;
        };
        // Scanning ahead costs, too: nested uses are scanned once per level.
        if !self.step(place, close - open) {
            return None;
        }
        let inner = Scope { depth: scope.depth + 1, ..scope };
        let mut arguments = Vec::with_capacity(bounds.len() - 1);
        for pair in bounds.windows(2) {
            let mut out = Vec::new();
            self.tokens(&tokens[pair[0] + 1..pair[1]], inner, &mut out);
            arguments.push(out);
        }
        Some((arguments, close + 1))
    }

    /// How a macro is used: `step(a; b)`.
    fn usage(&self, spelt: &str, definition: &Macro<'_>) -> String {
        let parameters: Vec<&str> =
            definition.parameters.iter().map(|p| self.names.text(*p)).collect();
        format!("`{spelt}({})`", parameters.join("; "))
    }

    /// Glues the last token of `out` (from `start` on) and the first of `right`.
    fn paste(&mut self, out: &mut Vec<Token>, start: usize, right: Vec<Token>, place: Place) {
        let mut right = right.into_iter();
        let Some(second) = right.next() else { return };
        if out.len() > start
            && let Some(first) = out.pop()
        {
            if [first.kind, second.kind].contains(&TokenKind::Unexpanded) {
                out.push(self.unexpanded(place));
                out.extend(right);
                return;
            }
            let glued = format!("{}{}", self.names.spelling(&first), self.names.spelling(&second));
            match single_token(&glued) {
                _ if glued.len() > MAX_WORD_BYTES => {
                    self.diagnostics.push(word_too_long(place));
                    out.push(self.unexpanded(place));
                }
                Some(kind) => {
                    out.push(Token { kind, name: self.names.intern(&glued), place });
                }
                None => {
                    self.diagnostics.push(
                        Diagnostic::new(Code::BadPaste, place)
                            .message(format!(
                                "pasting `{}` and `{}` does not give a token",
                                self.names.spelling(&first),
                                self.names.spelling(&second)
                            ))
                            .label("pasted here"),
                    );
                    // Words are lost; brackets stay, so that they still have their partners.
                    let unexpanded = self.unexpanded(place);
                    match (first.kind.is_wordlike(), second.kind.is_wordlike()) {
                        (true, true) => out.push(unexpanded),
                        (true, false) => out.extend([unexpanded, second]),
                        (false, true) => out.extend([first, unexpanded]),
                        (false, false) => out.extend([first, second]),
                    }
                }
            }
        } else {
            out.push(second);
        }
        out.extend(right);
    }

    /// Warns when `*` or `^` stands behind a macro or parameter of several parts: it binds only to
    /// the last one.
    fn check_suffix(
        &mut self,
        tokens: &[Token],
        behind: usize,
        produced: &[Token],
        place: Place,
        definition: Option<(&str, Span)>,
    ) {
        let Some(suffix) = tokens.get(behind) else { return };
        let suffix_text = match suffix.kind {
            // `x * 2` is a product: then only a sum or difference inside is torn apart.
            TokenKind::Star => "*",
            TokenKind::Caret => "^",
            _ => return,
        };
        if !self.diagnostics.has_room(Severity::Warning) || !has_several_parts(produced) {
            return;
        }
        let diagnostic = Diagnostic::new(Code::SumUnderSuffix, place)
            .message(format!("`{suffix_text}` applies only to the last part of this"))
            .label("expands to several parts");
        self.diagnostics.push(match definition {
            Some((name, span)) => diagnostic
                .related(span, "defined here")
                .help(format!("parenthesise the macro body: `#{name} = (...)`")),
            None => diagnostic.help("parenthesise the parameter: `(p)*`"),
        });
    }
}

/// The positions of the opening bracket, the separators and the closing bracket of the arguments
/// that begin at `open`, and again the last of them; `None` if there are no arguments or no end.
fn argument_bounds(tokens: &[Token], open: usize) -> Option<(Vec<usize>, usize)> {
    let mut bounds = vec![open];
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::LeftRound => depth += 1,
            TokenKind::RightRound if depth == 1 => {
                bounds.push(at);
                return Some((bounds, at));
            }
            TokenKind::RightRound => depth = depth.checked_sub(1)?,
            TokenKind::Semicolon if depth == 1 => bounds.push(at),
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The kind of the one token that a text is, if it is one.
fn single_token(text: &str) -> Option<TokenKind> {
    let mut diagnostics = Diagnostics::default();
    let tokens = lex(&Source::new("", text), &mut diagnostics);
    match tokens.as_slice() {
        [one] if one.span.range() == (0..text.len()) && !one.kind.is_comment() => Some(one.kind),
        _ => None,
    }
}

/// True if the tokens are more than one operand at the outermost level of brackets.
fn has_several_parts(tokens: &[Token]) -> bool {
    use TokenKind::*;
    let mut depth = 0usize;
    let mut parts = 0usize;
    for token in tokens {
        match token.kind {
            LeftRound | LeftSquare | LeftSquareDollar | LeftCurly | LeftCurlyQuestion
            | LeftCurlyExclamation | LeftCurlyDollar => {
                parts += usize::from(depth == 0);
                depth += 1;
            }
            RightRound | RightSquare | RightCurly => depth = depth.saturating_sub(1),
            // `->name` is one operand: the arrow opens it and the name belongs to it.
            Arrow | Star | Caret => {}
            _ => parts += usize::from(depth == 0),
        }
    }
    parts > 1
}
