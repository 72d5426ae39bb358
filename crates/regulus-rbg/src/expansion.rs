//! Macro expansion: textual substitution that remembers where every token came from.
//!
//! A macro sees only macros defined above it, so expansion always ends; how much it may produce is
//! bounded by [`crate::limits`]. Macros that use each other may form chains of any length: what is
//! half expanded stands on a stack of `Frame`s here, not on that of the thread.
//!
//! In the order of the file: parameters and macro uses, the arguments of a use, then its body; `~`
//! between elements; the check for suffixes that bind to less than they seem to.

use std::ops::Range;
use std::rc::Rc;

use crate::code::{Code, Severity};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::directive::Directive;
use crate::limits::{MAX_EXPANSION_STEPS, MAX_WORD_BYTES};
use crate::macros::{Macro, Macros};
use crate::provenance::{Expansion, Origin, Place, Provenance};
use crate::source::{Source, Span};
use crate::token::{Name, Names, Token, TokenKind, lex, word_too_long};

/// Tokens that are looked at for one step; looking is cheaper than producing.
const LOOKS_PER_STEP: usize = 16;

/// The arguments of a macro use, by the names of the parameters.
type Arguments = Rc<[(Name, Vec<Token>)]>;

/// What a text may refer to.
#[derive(Clone)]
struct Scope {
    /// Macros of a lower order are visible.
    order: usize,
    /// Arguments, already expanded where they were written.
    arguments: Arguments,
    origin: Origin,
    /// False in the text of a section, where nothing can be pasted.
    in_macro: bool,
}

impl Scope {
    /// The place of a text that is read here.
    fn place(&self, span: Span) -> Place {
        Place { span, origin: self.origin }
    }
}

/// A text that is being expanded: a section, the body of a macro, or an argument.
struct Frame {
    /// What is left of it, as indices of the file's tokens.
    text: Range<usize>,
    scope: Scope,
    /// The elements that `~` joins, while there may be more of them.
    joined: Option<Joined>,
    /// The macro use whose arguments or body are being expanded in the next frame.
    call: Option<Call>,
}

/// Elements with `~` between them.
#[derive(Clone, Copy)]
struct Joined {
    /// The first token of the first of them.
    first: usize,
    /// Where their expansion begins.
    start: usize,
    /// The last `~`, and where the expansion of what stands behind it begins, if that is still to be
    /// pasted.
    right: Option<(usize, usize)>,
}

/// A macro use.
struct Call {
    /// Its first token, the name.
    name: usize,
    /// The token behind it.
    behind: usize,
    /// The texts of its arguments that are not expanded yet, the next one last.
    texts: Vec<Range<usize>>,
    arguments: Vec<Vec<Token>>,
    /// Where the expansion of what is expanded now begins.
    start: usize,
    /// Where the macro is defined, when its body is expanded.
    definition: Option<Span>,
}

/// Expands sections of one description.
pub struct Expander<'a> {
    /// The tokens of the file.
    tokens: &'a [Token],
    /// For every `(` in a directive the index of its `)`; zero if it has none.
    closers: Vec<u32>,
    macros: &'a Macros,
    names: &'a mut Names,
    provenance: &'a mut Provenance,
    /// Where errors go.
    pub diagnostics: &'a mut Diagnostics,
    /// Steps that may still be taken.
    steps_left: usize,
    no_arguments: Arguments,
    /// The texts that are being expanded, the innermost one last.
    frames: Vec<Frame>,
    /// What has come out of all of them so far.
    out: Vec<Token>,
}

impl<'a> Expander<'a> {
    /// An expander with all its steps.
    pub fn new(
        directives: &[Directive],
        tokens: &'a [Token],
        macros: &'a Macros,
        names: &'a mut Names,
        provenance: &'a mut Provenance,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Expander {
            tokens,
            closers: closers(directives, tokens),
            macros,
            names,
            provenance,
            diagnostics,
            steps_left: MAX_EXPANSION_STEPS,
            no_arguments: Rc::from([]),
            frames: Vec::new(),
            out: Vec::new(),
        }
    }

    /// True if there was too much to expand, which has been reported.
    pub fn has_given_up(&self) -> bool {
        self.steps_left == 0
    }

    /// The tokens of the section that is the `order`-th directive, macros expanded.
    pub fn section(&mut self, body: Range<usize>, order: usize) -> Vec<Token> {
        let arguments = self.no_arguments.clone();
        let scope = Scope { order, arguments, origin: Origin::WRITTEN, in_macro: false };
        self.frames.clear();
        self.begin(body, scope);
        while !self.has_given_up()
            && !self.diagnostics.is_full()
            && let Some(frame) = self.frames.last()
        {
            match frame.text.is_empty() {
                false => self.element(),
                true => {
                    self.frames.pop();
                    self.go_on();
                }
            }
        }
        std::mem::take(&mut self.out)
    }

    /// Something that cannot be expanded, which has been reported.
    pub fn unexpanded(&mut self, place: Place) -> Token {
        Token { kind: TokenKind::Unexpanded, name: self.names.intern(""), place }
    }

    fn begin(&mut self, text: Range<usize>, scope: Scope) {
        self.frames.push(Frame { text, scope, joined: None, call: None });
    }

    /// Takes steps; false when there are none left (which is reported once).
    fn step(&mut self, place: Place, steps: usize) -> bool {
        if self.steps_left == 0 {
            return false;
        }
        self.steps_left = self.steps_left.saturating_sub(steps);
        if self.steps_left == 0 {
            // Not the last straw is to blame but the use in the section.
            self.diagnostics.push(
                Diagnostic::new(Code::ExpansionTooLarge, self.provenance.in_section(place))
                    .label(format!("more than {MAX_EXPANSION_STEPS} tokens so far")),
            );
        }
        self.steps_left > 0
    }

    /// Expands the next token, or begins to expand the macro use that begins there.
    fn element(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let at = frame.text.start;
        let token = self.tokens[at];
        let place = frame.scope.place(token.place.span);
        if frame.joined.is_none() {
            if token.kind == TokenKind::Tilde {
                frame.text.start += 1;
                return self.dangling(place, "before");
            }
            frame.joined = Some(Joined { first: at, start: self.out.len(), right: None });
        }
        let scope = frame.scope.clone();
        if !self.step(place, 1) {
            return;
        }
        if token.kind == TokenKind::Identifier {
            if let Some((_, argument)) = scope.arguments.iter().find(|(n, _)| *n == token.name) {
                return self.parameter(at, argument, place);
            }
            if self.macros.visible(token.name, scope.order).is_some() {
                return self.macro_use(at, &scope);
            }
            if self.macros.is_broken(token.name) {
                let arguments = self.argument_bounds(at + 1, place);
                let unexpanded = self.unexpanded(place);
                self.out.push(unexpanded);
                return self
                    .finish(arguments.map_or(at + 1, |bounds| bounds[bounds.len() - 1] + 1));
            }
        }
        self.out.push(Token { place, ..token });
        self.finish(at + 1);
    }

    /// Puts an argument in the place of its parameter.
    fn parameter(&mut self, at: usize, argument: &[Token], place: Place) {
        if !self.step(place, argument.len()) {
            return;
        }
        let start = self.out.len();
        // Tokens that were given together are put there together.
        let mut last = None;
        for token in argument {
            let given = token.place.origin;
            let origin = match last {
                Some((same, origin)) if same == given => origin,
                _ => self.provenance.enter(Expansion::Argument {
                    parameter: self.tokens[at].name,
                    put_at: place,
                    given,
                }),
            };
            last = Some((given, origin));
            self.out.push(Token { place: Place { span: token.place.span, origin }, ..*token });
        }
        self.check_suffix(at, at + 1, start, place, None);
        self.finish(at + 1);
    }

    /// Begins to expand the macro use whose name is the token `at`.
    fn macro_use(&mut self, at: usize, scope: &Scope) {
        let token = self.tokens[at];
        let place = scope.place(token.place.span);
        let mut visible = self.macros.visible(token.name, scope.order).into_iter().flatten();
        // A macro defined below does not exist yet. The name may be declared as something else; if
        // not, whoever reads the section reports it.
        let Some(first) = visible.next() else {
            self.out.push(Token { place, ..token });
            return self.finish(at + 1);
        };
        let open = at + 1;
        let is_open = self.kind_in_frame(open) == Some(TokenKind::LeftRound);
        let mut texts = Vec::new();
        let mut behind = open;
        // Without a bracket the number of arguments is wrong, which is reported later.
        if !first.parameters.is_empty() && is_open {
            let opening = scope.place(self.tokens[open].place.span);
            let Some(bounds) = self.argument_bounds(open, opening) else {
                let spelt = self.names.text(token.name);
                self.diagnostics.push(
                    Diagnostic::new(Code::UnclosedArguments, opening)
                        .message(format!("the arguments of `{spelt}` are not closed"))
                        .label("this bracket is never closed"),
                );
                let unexpanded = self.unexpanded(place);
                self.out.push(unexpanded);
                let end = self.frames.last().map_or(behind, |f| f.text.end);
                return self.finish(end);
            };
            texts = bounds.windows(2).rev().map(|pair| pair[0] + 1..pair[1]).collect();
            behind = bounds[bounds.len() - 1] + 1;
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let (arguments, start) = (Vec::with_capacity(texts.len()), self.out.len());
        frame.call = Some(Call { name: at, behind, texts, arguments, start, definition: None });
        self.advance_call();
    }

    /// The positions of the bracket `open`, of the separators between the arguments in it, and of the
    /// closing bracket; `None` if there is no such bracket or it has no end.
    fn argument_bounds(&mut self, open: usize, place: Place) -> Option<Vec<usize>> {
        if self.kind_in_frame(open) != Some(TokenKind::LeftRound) {
            return None;
        }
        let close = self.closer(open)?;
        let mut bounds = vec![open];
        let mut at = open + 1;
        let mut looks = 1;
        while at < close {
            match self.tokens[at].kind {
                TokenKind::LeftRound => at = self.closer(at).unwrap_or(at),
                TokenKind::Semicolon => bounds.push(at),
                _ => {}
            }
            at += 1;
            looks += 1;
        }
        bounds.push(close);
        self.step(place, looks).then_some(bounds)
    }

    fn closer(&self, open: usize) -> Option<usize> {
        Some(self.closers[open] as usize).filter(|close| *close > open)
    }

    /// The kind of a token, if it belongs to the text that is being expanded.
    fn kind_in_frame(&self, at: usize) -> Option<TokenKind> {
        self.frames.last().filter(|f| at < f.text.end).map(|_| self.tokens[at].kind)
    }

    /// Goes on with the text around one that has been expanded.
    fn go_on(&mut self) {
        let Some(call) = self.frames.last_mut().and_then(|frame| frame.call.as_mut()) else {
            return;
        };
        let Some(definition) = call.definition else {
            call.arguments.push(self.out.split_off(call.start));
            return self.advance_call();
        };
        let (name, behind, start) = (call.name, call.behind, call.start);
        let Some(frame) = self.frames.last_mut() else { return };
        frame.call = None;
        let place = frame.scope.place(self.tokens[name].place.span);
        self.check_suffix(name, behind, start, place, Some(definition));
        self.finish(behind);
    }

    /// Begins to expand the next argument of a macro use, or its body.
    fn advance_call(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(call) = &mut frame.call else { return };
        if let Some(text) = call.texts.pop() {
            let scope = frame.scope.clone();
            return self.begin(text, scope);
        }
        let token = self.tokens[call.name];
        let (order, outer) = (frame.scope.order, frame.scope.origin);
        let mut visible = self.macros.visible(token.name, order).into_iter().flatten();
        let Some(chosen) = visible.find(|m| m.parameters.len() == call.arguments.len()) else {
            let (name, behind, given) = (call.name, call.behind, call.arguments.len());
            frame.call = None;
            return self.wrong_arity(name, behind, given);
        };
        call.definition = Some(chosen.name_span);
        let whole = token.place.span.to(self.tokens[call.behind - 1].place.span);
        let given = std::mem::take(&mut call.arguments);
        let arguments: Arguments = match chosen.parameters.is_empty() {
            true => self.no_arguments.clone(),
            false => chosen.parameters.iter().copied().zip(given).collect(),
        };
        let origin = self.provenance.enter(Expansion::Body {
            name: token.name,
            used_at: Place { span: whole, origin: outer },
            defined_at: chosen.name_span,
        });
        let scope = Scope { order: chosen.order, arguments, origin, in_macro: true };
        self.begin(chosen.body.clone(), scope);
    }

    fn wrong_arity(&mut self, at: usize, behind: usize, given: usize) {
        let Some(frame) = self.frames.last() else { return };
        let token = self.tokens[at];
        let place = frame.scope.place(token.place.span);
        let spelt = self.names.text(token.name);
        let visible: Vec<&Macro> =
            self.macros.visible(token.name, frame.scope.order).into_iter().flatten().collect();
        let arities: Vec<String> = visible.iter().map(|m| m.parameters.len().to_string()).collect();
        let has_comma = self.tokens[at..behind].iter().any(|t| t.kind == TokenKind::Comma);
        let help = if has_comma && given == 1 {
            "arguments are separated by `;`, not by `,`".to_owned()
        } else {
            let uses: Vec<String> = visible.iter().map(|m| self.usage(spelt, m)).collect();
            format!("write {}", uses.join(" or "))
        };
        let mut diagnostic = Diagnostic::new(Code::MacroArity, place)
            .message(format!(
                "the macro `{spelt}` takes {} argument{}, not {given}",
                arities.join(" or "),
                if arities == ["1"] { "" } else { "s" },
            ))
            .label(match given {
                0 => "no arguments".to_owned(),
                1 => "one argument".to_owned(),
                n => format!("{n} arguments"),
            })
            .help(help);
        if let Some(first) = visible.first() {
            diagnostic = diagnostic.related(first.name_span, "defined here");
        }
        self.diagnostics.push(diagnostic);
        let unexpanded = self.unexpanded(place);
        self.out.push(unexpanded);
        self.finish(behind);
    }

    /// How a macro is used: `step(a; b)`.
    fn usage(&self, spelt: &str, definition: &Macro) -> String {
        let parameters: Vec<&str> =
            definition.parameters.iter().map(|p| self.names.text(*p)).collect();
        format!("`{spelt}({})`", parameters.join("; "))
    }

    /// Ends an element: pastes it to the one before if there is a `~` between them, and looks whether
    /// there is one behind.
    fn finish(&mut self, behind: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.text.start = behind;
        let Some(joined) = frame.joined.take() else { return };
        if let Some((tilde, right)) = joined.right {
            let first = self.tokens[joined.first].place.span;
            let place = frame.scope.place(first.to(self.tokens[behind - 1].place.span));
            if !frame.scope.in_macro {
                self.diagnostics.push(
                    Diagnostic::new(Code::PasteOutsideMacro, self.tokens[tilde].place)
                        .message("words can be pasted only inside a macro")
                        .label("not inside a macro")
                        .help("write the name in one word"),
                );
            }
            self.paste(joined.start, right, place);
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let end = frame.text.end;
        let next = |at: usize| (at < end).then(|| self.tokens[at].kind);
        if next(behind) != Some(TokenKind::Tilde) {
            return;
        }
        frame.text.start = behind + 1;
        if matches!(next(behind + 1), None | Some(TokenKind::Tilde)) {
            let place = frame.scope.place(self.tokens[behind].place.span);
            return self.dangling(place, "after");
        }
        frame.joined = Some(Joined { right: Some((behind, self.out.len())), ..joined });
    }

    fn dangling(&mut self, place: Place, side: &str) {
        self.diagnostics.push(
            Diagnostic::new(Code::DanglingTilde, place).label(format!("nothing {side} this")),
        );
    }

    /// Glues the last token of what has come out since `start` and the first one since `right`.
    fn paste(&mut self, start: usize, right: usize, place: Place) {
        if right <= start || right >= self.out.len() {
            return;
        }
        let (first, second) = (self.out[right - 1], self.out[right]);
        let unexpanded = self.unexpanded(place);
        if [first.kind, second.kind].contains(&TokenKind::Unexpanded) {
            self.out.splice(right - 1..=right, [unexpanded]);
            return;
        }
        let glued = format!("{}{}", self.names.spelling(&first), self.names.spelling(&second));
        match single_token(&glued) {
            _ if glued.len() > MAX_WORD_BYTES => {
                self.diagnostics.push(word_too_long(place));
                self.out.splice(right - 1..=right, [unexpanded]);
            }
            Some(kind) => {
                let name = self.names.intern(&glued);
                self.out.splice(right - 1..=right, [Token { kind, name, place }]);
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
                let kept = |token: Token| match token.kind.is_wordlike() {
                    true => unexpanded,
                    false => token,
                };
                let both = first.kind.is_wordlike() && second.kind.is_wordlike();
                let left = [kept(first), kept(second)];
                self.out.splice(right - 1..=right, left.into_iter().skip(usize::from(both)));
            }
        }
    }

    /// Warns when `*` or `^` stands behind a macro or parameter of several parts: it binds only to
    /// the last one. The name is the token `at`; what it expanded to begins at `start`.
    fn check_suffix(
        &mut self,
        at: usize,
        behind: usize,
        start: usize,
        place: Place,
        definition: Option<Span>,
    ) {
        let suffix = match self.kind_in_frame(behind) {
            // `x * 2` is a product: then only a sum or difference inside is torn apart.
            Some(TokenKind::Star) => "*",
            Some(TokenKind::Caret) => "^",
            _ => return,
        };
        if !self.diagnostics.has_room(Severity::Warning)
            || !self.step(place, (self.out.len() - start) / LOOKS_PER_STEP)
            || !has_several_parts(&self.out[start..])
        {
            return;
        }
        let diagnostic = Diagnostic::new(Code::SumUnderSuffix, place)
            .message(format!("`{suffix}` applies only to the last part of this"))
            .label("expands to several parts");
        let name = self.names.text(self.tokens[at].name);
        self.diagnostics.push(match definition {
            Some(span) => diagnostic
                .related(span, "defined here")
                .help(format!("parenthesise the macro body: `#{name} = (...)`")),
            None => diagnostic.help("parenthesise the parameter: `(p)*`"),
        });
    }
}

/// For every `(` in the body of a directive the index of its `)`, zero where there is none. Other
/// brackets are not looked at: an argument may hold half of a pair.
fn closers(directives: &[Directive], tokens: &[Token]) -> Vec<u32> {
    let mut closers = vec![0; tokens.len()];
    let mut open = Vec::new();
    for directive in directives {
        open.clear();
        for at in directive.body.clone() {
            match tokens[at].kind {
                TokenKind::LeftRound => open.push(at),
                TokenKind::RightRound => {
                    if let Some(partner) = open.pop() {
                        closers[partner] = at as u32;
                    }
                }
                _ => {}
            }
        }
    }
    closers
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
        if parts > 1 {
            return true;
        }
    }
    false
}
