//! The expression of the rules section as a tree without types: brackets, operators and suffixes.
//!
//! Every operator has its own level; from the weakest: `,` `=` `<` `<=` `>` `>=` `==` `!=` `+` `-`
//! `*` `/`, then juxtaposition, then the suffixes `*` and `^n`. `*` is a suffix behind a move and a
//! product behind a number, so the parser needs to know what names stand for.

use crate::code::Code;
use crate::cursor::Cursor;
use crate::declarations::{Declarations, Meaning, parse_number};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::limits::MAX_NESTING;
use crate::macros::{Definitions, used_too_early};
use crate::provenance::Place;
use crate::token::{Token, TokenKind};

/// What the brackets around an expression make of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bracket {
    /// `( )`
    Round,
    /// `{ }`
    On,
    /// `[ ]`
    Off,
    /// `[$ ]`
    Assignment,
    /// `{$ }`
    Comparison,
    /// `{? }`
    Positive,
    /// `{! }`
    Negative,
}

impl Bracket {
    fn opened_by(kind: TokenKind) -> Option<Bracket> {
        match kind {
            TokenKind::LeftRound => Some(Bracket::Round),
            TokenKind::LeftCurly => Some(Bracket::On),
            TokenKind::LeftSquare => Some(Bracket::Off),
            TokenKind::LeftSquareDollar => Some(Bracket::Assignment),
            TokenKind::LeftCurlyDollar => Some(Bracket::Comparison),
            TokenKind::LeftCurlyQuestion => Some(Bracket::Positive),
            TokenKind::LeftCurlyExclamation => Some(Bracket::Negative),
            _ => None,
        }
    }

    fn spelling(self) -> [&'static str; 2] {
        match self {
            Bracket::Round => ["(", ")"],
            Bracket::On => ["{", "}"],
            Bracket::Off => ["[", "]"],
            Bracket::Assignment => ["[$ ", "]"],
            Bracket::Comparison => ["{$ ", "}"],
            Bracket::Positive => ["{? ", "}"],
            Bracket::Negative => ["{! ", "}"],
        }
    }

    fn closer(self) -> TokenKind {
        match self {
            Bracket::Round => TokenKind::RightRound,
            Bracket::Off | Bracket::Assignment => TokenKind::RightSquare,
            _ => TokenKind::RightCurly,
        }
    }
}

/// What an expression is good for, as far as the parser must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Move,
    Number,
    Unknown,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Syntax<'a> {
    /// What it is.
    pub kind: SyntaxKind<'a>,
    /// Where it stands.
    pub place: Place,
    class: Class,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum SyntaxKind<'a> {
    /// A name.
    Name(&'a str),
    /// A number.
    Number(u64),
    /// `.`
    Dot,
    /// `->>`
    KeeperSwitch,
    /// `->name`
    PlayerSwitch(&'a str, Place),
    /// Something in brackets.
    Bracket(Bracket, Box<Syntax<'a>>),
    /// Two or more operands of one operator.
    Operation(TokenKind, Vec<Syntax<'a>>),
    /// Two or more things one after the other.
    Sequence(Vec<Syntax<'a>>),
    /// `x*`
    Star(Box<Syntax<'a>>),
    /// `x^n`
    Power(Box<Syntax<'a>>, u64, Place),
    /// Nothing at all.
    Empty,
    /// Something wrong, which has been reported.
    Error,
}

/// Reads the whole section as one expression.
pub fn parse<'a>(
    cursor: &mut Cursor<'a>,
    declarations: &Declarations,
    macros: &Definitions<'_>,
    diagnostics: &mut Diagnostics,
) -> Syntax<'a> {
    let mut parser =
        Parser { cursor, declarations, macros, diagnostics, open: Vec::new(), has_given_up: false };
    let mut parts = vec![parser.expression(0)];
    while let Some(token) = parser.cursor.bump() {
        let text = parser.cursor.text(&token);
        let diagnostic = match token.kind {
            TokenKind::RightRound | TokenKind::RightSquare | TokenKind::RightCurly => {
                Diagnostic::new(Code::UnclosedBracket, token.place)
                    .message(format!("unexpected `{text}`: there is no bracket to close"))
                    .label("no bracket is open here")
            }
            TokenKind::PlusArrow => Diagnostic::new(Code::UnexpectedToken, token.place)
                .message("`+>` is reserved and has no meaning")
                .label("reserved symbol")
                .help("alternatives are separated by `+`"),
            TokenKind::Semicolon => Diagnostic::new(Code::UnexpectedToken, token.place)
                .message("unexpected `;`")
                .label("only macro arguments are separated by `;`")
                .help("is the macro in front of the bracket defined, and above?"),
            _ => Diagnostic::new(Code::UnexpectedToken, token.place)
                .message(format!("unexpected `{text}` in the rules"))
                .label("not expected here"),
        };
        parser.diagnostics.push(diagnostic);
        if parser.diagnostics.is_full() {
            parser.cursor.skip_all();
        }
        parser.skip_suffixes();
        // What follows is read for its own mistakes; the result is not used after an error.
        let rest = parser.expression(0);
        if !matches!(rest.kind, SyntaxKind::Empty) {
            parts.push(rest);
        }
    }
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let place = parts[0].place;
    Syntax { kind: SyntaxKind::Sequence(parts), place, class: Class::Move }
}

/// Tokens that are looked at to see whether a name has arguments.
const MAX_LOOKAHEAD: usize = 1000;

struct Parser<'p, 'a> {
    cursor: &'p mut Cursor<'a>,
    declarations: &'p Declarations,
    /// All macros of the file: one that is still a name here is defined further down.
    macros: &'p Definitions<'p>,
    diagnostics: &'p mut Diagnostics,
    /// The closing brackets that are waited for, outermost first.
    open: Vec<TokenKind>,
    /// True if the rest of the section was skipped; no bracket can be expected to close then.
    has_given_up: bool,
}

fn level(kind: TokenKind) -> Option<u8> {
    Some(match kind {
        TokenKind::Comma => 1,
        TokenKind::Equal => 2,
        TokenKind::Less => 3,
        TokenKind::LessEqual => 4,
        TokenKind::Greater => 5,
        TokenKind::GreaterEqual => 6,
        TokenKind::DoubleEqual => 7,
        TokenKind::NotEqual => 8,
        TokenKind::Plus => 9,
        TokenKind::Minus => 10,
        TokenKind::Star => 11,
        TokenKind::Slash => 12,
        _ => return None,
    })
}

impl<'a> Parser<'_, 'a> {
    /// An expression of operators of at least this level.
    fn expression(&mut self, least: u8) -> Syntax<'a> {
        let mut left = self.sequence();
        while let Some(operator) = self.cursor.kind()
            && let Some(level) = level(operator)
            && level >= least
        {
            let mut operands = vec![left];
            while let Some(token) = self.cursor.eat(operator) {
                // Between two operators the first one has reported it.
                if let [Syntax { kind: SyntaxKind::Empty, .. }] = operands.as_slice() {
                    self.missing_operand(&token, "before");
                }
                let operand = self.expression(level + 1);
                if matches!(operand.kind, SyntaxKind::Empty) {
                    self.missing_operand(&token, "after");
                }
                operands.push(operand);
            }
            let place = self.cursor.since(operands[0].place);
            // Only sums can be moves. But where numbers and moves are mixed, moves are meant.
            let is_move = operands.iter().any(|o| o.class == Class::Move);
            let unknown = operands.iter().all(|o| o.class == Class::Unknown);
            let class = if is_move {
                Class::Move
            } else if unknown {
                Class::Unknown
            } else {
                Class::Number
            };
            left = Syntax { kind: SyntaxKind::Operation(operator, operands), place, class };
        }
        left
    }

    fn missing_operand(&mut self, operator: &Token, side: &str) {
        let text = self.cursor.text(operator);
        let diagnostic = Diagnostic::new(Code::EmptyExpression, operator.place)
            .message(format!("nothing {side} `{text}`"));
        self.diagnostics.push(match operator.kind {
            TokenKind::Plus => diagnostic
                .label("one of the alternatives is empty")
                .help("an alternative must do something; drop this `+`, or repeat what follows: `(a b + b)`"),
            _ => diagnostic.label(format!("expected something {side} this")),
        });
    }

    /// Things one after the other, each with its suffix.
    fn sequence(&mut self) -> Syntax<'a> {
        let start = self.cursor.place();
        let mut parts = Vec::new();
        while let Some(part) = self.primary(parts.is_empty()) {
            let part = self.suffixes(part);
            parts.push(part);
        }
        match parts.len() {
            0 => Syntax { kind: SyntaxKind::Empty, place: start, class: Class::Unknown },
            1 => parts.remove(0),
            _ => {
                let place = self.cursor.since(start);
                Syntax { kind: SyntaxKind::Sequence(parts), place, class: Class::Move }
            }
        }
    }

    fn primary(&mut self, first: bool) -> Option<Syntax<'a>> {
        if self.diagnostics.is_full() {
            self.cursor.skip_all();
        }
        let token = self.cursor.peek()?;
        let place = token.place;
        let text = self.cursor.text(&token);
        let (kind, class) = match token.kind {
            TokenKind::Identifier => {
                let class = match self.declarations.meaning(text) {
                    Some(Meaning::Label(_)) => Class::Move,
                    Some(_) => Class::Number,
                    None if self.macros.contains_key(text) => {
                        return Some(self.macro_too_early(&token));
                    }
                    None if self.has_arguments() => return Some(self.unknown_macro(&token)),
                    None => Class::Unknown,
                };
                (SyntaxKind::Name(text), class)
            }
            TokenKind::Number => {
                let value = parse_number(text, place, self.diagnostics);
                (value.map_or(SyntaxKind::Error, SyntaxKind::Number), Class::Number)
            }
            // A sign belongs to a number only where an operand begins.
            TokenKind::Minus | TokenKind::Plus
                if first && self.cursor.kind_after() == Some(TokenKind::Number) =>
            {
                self.cursor.bump();
                let number = self.cursor.peek()?;
                let value = parse_number(self.cursor.text(&number), number.place, self.diagnostics);
                if token.kind == TokenKind::Minus {
                    self.diagnostics.push(
                        Diagnostic::new(
                            Code::NegativeNumber,
                            self.cursor.join(place, number.place),
                        )
                        .label("numbers have no sign")
                        .help("variables are never negative; write a difference such as `x - 1`"),
                    );
                }
                (value.map_or(SyntaxKind::Error, SyntaxKind::Number), Class::Number)
            }
            TokenKind::Unexpanded => (SyntaxKind::Error, Class::Unknown),
            TokenKind::Dot => (SyntaxKind::Dot, Class::Move),
            TokenKind::DoubleArrow => (SyntaxKind::KeeperSwitch, Class::Move),
            TokenKind::Arrow => {
                self.cursor.bump();
                return Some(self.player_switch(place));
            }
            kind if kind.is_keyword() => {
                self.diagnostics.push(
                    Diagnostic::new(Code::UnexpectedToken, place)
                        .message(format!("the reserved word `{text}` cannot stand in the rules"))
                        .label("a reserved word"),
                );
                (SyntaxKind::Error, Class::Unknown)
            }
            kind => {
                let bracket = Bracket::opened_by(kind)?;
                return Some(self.bracketed(bracket));
            }
        };
        self.cursor.bump();
        Some(Syntax { kind, place, class })
    }

    /// Reports a macro that is used above its definition, and skips its arguments.
    fn macro_too_early(&mut self, token: &Token) -> Syntax<'a> {
        let name = self.cursor.text(token);
        if let Some(definition) = self.macros.get(name) {
            self.diagnostics.push(used_too_early(name, token.place, *definition));
        }
        self.skip_macro_use(token)
    }

    /// True if the next token is followed by what only a macro can have: arguments separated by `;`.
    fn has_arguments(&self) -> bool {
        let mut depth = 0usize;
        for token in self.cursor.rest().iter().skip(1).take(MAX_LOOKAHEAD) {
            match token.kind {
                TokenKind::LeftRound => depth += 1,
                TokenKind::RightRound => depth = depth.saturating_sub(1),
                TokenKind::Semicolon if depth == 1 => return true,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
        }
        false
    }

    /// Reports a macro that does not exist, and skips its arguments.
    fn unknown_macro(&mut self, token: &Token) -> Syntax<'a> {
        let name = self.cursor.text(token);
        let near = did_you_mean(name, self.macros.keys().copied());
        self.diagnostics.push(
            Diagnostic::new(Code::UndeclaredName, token.place)
                .message(format!("there is no macro `{name}`"))
                .label("not defined")
                .maybe_help(near.map(|n| format!("did you mean `{n}`?"))),
        );
        self.skip_macro_use(token)
    }

    fn skip_macro_use(&mut self, token: &Token) -> Syntax<'a> {
        self.cursor.bump();
        if self.cursor.kind() == Some(TokenKind::LeftRound) {
            let mut depth = 0usize;
            while let Some(next) = self.cursor.bump() {
                match next.kind {
                    TokenKind::LeftRound => depth += 1,
                    TokenKind::RightRound => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        }
        Syntax { kind: SyntaxKind::Error, place: token.place, class: Class::Unknown }
    }

    fn player_switch(&mut self, arrow: Place) -> Syntax<'a> {
        let class = Class::Move;
        match self.cursor.peek() {
            Some(token) if token.kind.is_wordlike() => {
                self.cursor.bump();
                let name = self.cursor.text(&token);
                let place = self.cursor.since(arrow);
                Syntax { kind: SyntaxKind::PlayerSwitch(name, token.place), place, class }
            }
            _ => {
                let message =
                    format!("expected a player after `->`, found {}", self.cursor.found());
                self.diagnostics.push(
                    Diagnostic::new(Code::NotAPlayer, arrow)
                        .message(message)
                        .label("expected a player after this")
                        .help("`->white` hands over to a player, `->>` to the keeper"),
                );
                Syntax { kind: SyntaxKind::Error, place: arrow, class }
            }
        }
    }

    fn bracketed(&mut self, bracket: Bracket) -> Syntax<'a> {
        let opening = self.cursor.place();
        let opener = self.cursor.bump();
        if self.open.len() >= MAX_NESTING {
            self.diagnostics.push(
                Diagnostic::new(Code::TooDeep, opening)
                    .label(format!("more than {MAX_NESTING} brackets inside each other")),
            );
            self.cursor.skip_all();
            self.has_given_up = true;
            return Syntax { kind: SyntaxKind::Error, place: opening, class: Class::Unknown };
        }
        let closer = bracket.closer();
        self.open.push(closer);
        let inner = self.expression(0);
        let is_closed = self.close(opening, opener, closer);
        self.open.pop();
        let class = if bracket == Bracket::Round { inner.class } else { Class::Move };
        let place = self.cursor.since(opening);
        // What an unclosed bracket holds is a guess; only round ones do not change its meaning.
        let kind = if is_closed || bracket == Bracket::Round {
            SyntaxKind::Bracket(bracket, Box::new(inner))
        } else {
            SyntaxKind::Error
        };
        Syntax { kind, place, class }
    }

    /// Takes the closing bracket and returns true; when something else stands there, reports it and
    /// skips as little as is needed to go on.
    fn close(&mut self, opening: Place, opener: Option<Token>, closer: TokenKind) -> bool {
        if self.cursor.eat(closer).is_some() {
            return true;
        }
        let opener_text = opener.map_or("(", |t| self.cursor.text(&t));
        let closer_text = closer.spelling();
        let found = self.cursor.found();
        let Some(token) = self.cursor.peek() else {
            if !self.has_given_up && !self.cursor.is_behind_unexpanded() {
                self.diagnostics.push(
                    Diagnostic::new(Code::UnclosedBracket, opening)
                        .message(format!("this `{opener_text}` is never closed"))
                        .label(format!("`{opener_text}` without `{closer_text}`")),
                );
            }
            return false;
        };
        let is_closer = matches!(
            token.kind,
            TokenKind::RightRound | TokenKind::RightSquare | TokenKind::RightCurly
        );
        let diagnostic = if is_closer {
            Diagnostic::new(Code::UnclosedBracket, token.place)
                .message(format!("expected `{closer_text}`, found {found}"))
                .label(format!("expected `{closer_text}`"))
        } else {
            let diagnostic = Diagnostic::new(Code::UnexpectedToken, token.place)
                .message(format!("unexpected {found}, expected `{closer_text}`"))
                .label("not expected here");
            match token.kind {
                TokenKind::Semicolon => diagnostic.help(
                    "only macro arguments are separated by `;`: is the macro defined, and above?",
                ),
                TokenKind::PlusArrow => diagnostic.help("alternatives are separated by `+`"),
                _ => diagnostic,
            }
        };
        self.diagnostics
            .push(diagnostic.related(opening.span, format!("to close this `{opener_text}`")));
        if is_closer {
            // A bracket that an outer level waits for is left to it.
            let outer = self.open.len().saturating_sub(1);
            if !self.open[..outer].contains(&token.kind) {
                self.cursor.bump();
            }
            return false;
        }
        let mut depth = 0usize;
        while let Some(token) = self.cursor.peek() {
            if Bracket::opened_by(token.kind).is_some() {
                depth += 1;
            } else if matches!(
                token.kind,
                TokenKind::RightRound | TokenKind::RightSquare | TokenKind::RightCurly
            ) {
                if depth == 0 {
                    self.cursor.eat(closer);
                    return false;
                }
                depth -= 1;
            }
            self.cursor.bump();
        }
        false
    }

    /// Skips `*` and `^n`.
    fn skip_suffixes(&mut self) {
        while let Some(token) = self.cursor.peek()
            && matches!(token.kind, TokenKind::Star | TokenKind::Caret)
        {
            self.cursor.bump();
            if token.kind == TokenKind::Caret {
                self.cursor.eat(TokenKind::Number);
            }
        }
    }

    fn suffixes(&mut self, base: Syntax<'a>) -> Syntax<'a> {
        let plain = matches!(
            base.kind,
            SyntaxKind::Name(_)
                | SyntaxKind::Dot
                | SyntaxKind::KeeperSwitch
                | SyntaxKind::PlayerSwitch(..)
                | SyntaxKind::Bracket(Bracket::Round, _)
                | SyntaxKind::Error
        );
        let first = self.cursor.kind();
        let is_suffix = match first {
            // Behind a name nobody declared, `*` is taken for a suffix: rules have more of these.
            Some(TokenKind::Star) => base.class != Class::Number,
            Some(TokenKind::Caret) => true,
            _ => false,
        };
        if !is_suffix {
            return base;
        }
        let start = self.cursor.place();
        let spelt = first.map_or("", TokenKind::spelling);
        if base.class == Class::Number {
            self.diagnostics.push(
                Diagnostic::new(Code::BadSuffix, start)
                    .message("`^` repeats moves; this is not one")
                    .label("after a number")
                    .related(base.place.span, "this is a number"),
            );
            self.skip_suffixes();
            return Syntax { kind: SyntaxKind::Error, ..base };
        } else if !plain {
            self.diagnostics.push(
                Diagnostic::new(Code::BadSuffix, start)
                    .message(format!("`{spelt}` cannot follow a test or a modifier directly"))
                    .label("needs round brackets")
                    .related(base.place.span, "this is not a plain move")
                    .help(match base.kind {
                        SyntaxKind::Bracket(bracket, _) => {
                            let [open, close] = bracket.spelling();
                            format!("write `({open}...{close}){spelt}`")
                        }
                        _ => format!("write `(...){spelt}`"),
                    }),
            );
        }
        let result = self.suffix(base);
        if let Some(token) = self.cursor.peek()
            && matches!(token.kind, TokenKind::Star | TokenKind::Caret)
        {
            self.diagnostics.push(
                Diagnostic::new(Code::DoubleSuffix, token.place)
                    .message("a suffix cannot follow a suffix")
                    .label("the second suffix")
                    .help("say with brackets what is repeated: `(up^2)*`"),
            );
            self.skip_suffixes();
        }
        result
    }

    fn suffix(&mut self, base: Syntax<'a>) -> Syntax<'a> {
        let begin = base.place;
        let class = Class::Move;
        if self.cursor.eat(TokenKind::Star).is_some() {
            let place = self.cursor.since(begin);
            return Syntax { kind: SyntaxKind::Star(Box::new(base)), place, class };
        }
        let caret = self.cursor.place();
        self.cursor.bump();
        let Some(number) = self.cursor.eat(TokenKind::Number) else {
            let message = format!("expected a number after `^`, found {}", self.cursor.found());
            self.diagnostics.push(
                Diagnostic::new(Code::UnexpectedToken, caret)
                    .message(message)
                    .label("expected a number after this"),
            );
            // A name that is no move stands in the place of the number.
            let is_name = |t: &Token| t.kind == TokenKind::Identifier;
            if let Some(token) = self.cursor.peek().filter(is_name)
                && !matches!(
                    self.declarations.meaning(self.cursor.text(&token)),
                    Some(Meaning::Label(_))
                )
            {
                self.cursor.bump();
            }
            return base;
        };
        let Some(times) = parse_number(self.cursor.text(&number), number.place, self.diagnostics)
        else {
            return base;
        };
        let place = self.cursor.since(begin);
        Syntax { kind: SyntaxKind::Power(Box::new(base), times, number.place), place, class }
    }
}
