//! Tokens of the language and the lexer.

use logos::Logos;
use rustc_hash::FxHashSet;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::limits::MAX_WORD_BYTES;
use crate::provenance::{Origin, Place};
use crate::source::{Source, Span};

/// What a token is; the text of identifiers and numbers is in the source.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
pub enum TokenKind {
    /// A name: a letter, then letters and digits.
    #[regex("[A-Za-z][A-Za-z0-9]*")]
    Identifier,
    /// Decimal digits.
    #[regex("[0-9]+")]
    Number,
    /// A string; it has no meaning and is reported.
    #[regex(r#""[^"\n]*""#)]
    Text,
    /// Stands for a macro use that could not be expanded. It has been reported, so whoever reads
    /// it is silent about it and about what may be missing because of it.
    Unexpanded,
    /// `// ...` to the end of the line.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    /// `/* ... */`.
    #[token("/*", block_comment)]
    BlockComment,

    /// The word `players`.
    #[token("players")]
    Players,
    /// The word `pieces`.
    #[token("pieces")]
    Pieces,
    /// The word `variables`.
    #[token("variables")]
    Variables,
    /// The word `rules`.
    #[token("rules")]
    Rules,
    /// The word `board`.
    #[token("board")]
    Board,
    /// The word of a board generator.
    #[token("hexagon")]
    #[token("cuboid")]
    #[token("rectangle")]
    Generator,

    /// `(`
    #[token("(")]
    LeftRound,
    /// `)`
    #[token(")")]
    RightRound,
    /// `[`
    #[token("[")]
    LeftSquare,
    /// `]`
    #[token("]")]
    RightSquare,
    /// `[$`
    #[token("[$")]
    LeftSquareDollar,
    /// `{`
    #[token("{")]
    LeftCurly,
    /// `}`
    #[token("}")]
    RightCurly,
    /// `{?`
    #[token("{?")]
    LeftCurlyQuestion,
    /// `{!`
    #[token("{!")]
    LeftCurlyExclamation,
    /// `{$`
    #[token("{$")]
    LeftCurlyDollar,
    /// `~`
    #[token("~")]
    Tilde,
    /// `#`
    #[token("#")]
    Hash,
    /// `-`
    #[token("-")]
    Minus,
    /// `+`
    #[token("+")]
    Plus,
    /// `^`
    #[token("^")]
    Caret,
    /// `/`
    #[token("/")]
    Slash,
    /// `*`
    #[token("*")]
    Star,
    /// `.`
    #[token(".")]
    Dot,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `$`
    #[token("$")]
    Dollar,
    /// `=`
    #[token("=")]
    Equal,
    /// `+>`, reserved.
    #[token("+>")]
    PlusArrow,
    /// `->`
    #[token("->")]
    Arrow,
    /// `->>`
    #[token("->>")]
    DoubleArrow,
    /// `!`
    #[token("!")]
    Exclamation,
    /// `?`
    #[token("?")]
    Question,
    /// `!=`
    #[token("!=")]
    NotEqual,
    /// `==`
    #[token("==")]
    DoubleEqual,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
}

/// Extends a `/*` to its `*/`; an unterminated comment runs to the end (and is reported).
fn block_comment(lexer: &mut logos::Lexer<'_, TokenKind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |end| end + 2));
}

impl TokenKind {
    /// True for the words that sections and board generators reserve.
    pub fn is_keyword(self) -> bool {
        use TokenKind::*;
        matches!(self, Players | Pieces | Variables | Rules | Board | Generator)
    }

    /// True for identifiers, keywords and numbers: what `~` may glue into a name.
    pub fn is_wordlike(self) -> bool {
        self.is_keyword() || matches!(self, TokenKind::Identifier | TokenKind::Number)
    }

    /// The spelling of symbols and keywords; what to call the rest.
    pub fn spelling(self) -> &'static str {
        use TokenKind::*;
        match self {
            Identifier => "name",
            Number => "number",
            Text => "string",
            Unexpanded => "macro",
            LineComment | BlockComment => "comment",
            Players => "players",
            Pieces => "pieces",
            Variables => "variables",
            Rules => "rules",
            Board => "board",
            Generator => "board generator",
            LeftRound => "(",
            RightRound => ")",
            LeftSquare => "[",
            RightSquare => "]",
            LeftSquareDollar => "[$",
            LeftCurly => "{",
            RightCurly => "}",
            LeftCurlyQuestion => "{?",
            LeftCurlyExclamation => "{!",
            LeftCurlyDollar => "{$",
            Tilde => "~",
            Hash => "#",
            Minus => "-",
            Plus => "+",
            Caret => "^",
            Slash => "/",
            Star => "*",
            Dot => ".",
            Comma => ",",
            Semicolon => ";",
            Colon => ":",
            Dollar => "$",
            Equal => "=",
            PlusArrow => "+>",
            Arrow => "->",
            DoubleArrow => "->>",
            Exclamation => "!",
            Question => "?",
            NotEqual => "!=",
            DoubleEqual => "==",
            Less => "<",
            LessEqual => "<=",
            Greater => ">",
            GreaterEqual => ">=",
        }
    }

    /// True for comments.
    pub fn is_comment(self) -> bool {
        matches!(self, TokenKind::LineComment | TokenKind::BlockComment)
    }
}

/// A token as written, comments included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawToken {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// A token of an expanded section. Its text is the source's at `place.span`, unless `~` made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The interned text of words (identifiers, keywords, numbers); unused for symbols.
    pub name: Name,
    /// Where it was written, and through which macro uses it got here.
    pub place: Place,
}

/// An interned word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Name(u32);

/// The words of one description.
#[derive(Default, Debug)]
pub struct Names {
    texts: Vec<Box<str>>,
    index: rustc_hash::FxHashMap<Box<str>, Name>,
}

impl Names {
    /// How a token is spelt.
    pub fn spelling(&self, token: &Token) -> &str {
        if token.kind.is_wordlike() { self.text(token.name) } else { token.kind.spelling() }
    }

    /// The name of a text; equal texts have equal names.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(name) = self.index.get(text) {
            return *name;
        }
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.into());
        self.index.insert(text.into(), name);
        name
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}

/// Splits a text into tokens, comments included. What cannot be part of any token is reported and
/// left out.
pub fn lex(source: &Source, diagnostics: &mut Diagnostics) -> Vec<RawToken> {
    let mut tokens: Vec<RawToken> = Vec::new();
    let mut reported: FxHashSet<&str> = FxHashSet::default();
    let pieces = pieces(source.text());
    let mut at = 0;
    while at < pieces.len() {
        let (kind, span) = pieces[at];
        let word = &pieces[at..at + word_length(source, &pieces[at..])];
        if word.len() > 1 {
            // A name with a wrong character in it is still one name, and is reported once.
            let whole = span.to(word[word.len() - 1].1);
            let stray = word.iter().find(|(kind, _)| kind.is_none());
            if let (Some((_, stray)), true) = (stray, reported.insert(source.slice(whole))) {
                diagnostics.push(stray_characters(source, *stray));
            }
            tokens.push(word_token(TokenKind::Identifier, whole, diagnostics));
            at += word.len();
            continue;
        }
        at += 1;
        match kind {
            None if diagnostics.is_full() => {}
            None => diagnostics.push(stray_characters(source, span)),
            Some(kind) => {
                if kind == TokenKind::BlockComment && !is_terminated(source.slice(span)) {
                    let opening = Span::new(span.start, span.start + 2);
                    diagnostics.push(
                        Diagnostic::new(Code::UnterminatedComment, Place::written(opening))
                            .label("this comment has no `*/`")
                            .help("everything from here to the end of the file is ignored; close the comment with `*/`"),
                    );
                }
                tokens.push(word_token(kind, span, diagnostics));
            }
        }
    }
    tokens
}

/// A token; a word that is too long is reported and cut, so that it is still one word.
fn word_token(kind: TokenKind, span: Span, diagnostics: &mut Diagnostics) -> RawToken {
    if !kind.is_wordlike() || span.range().len() <= MAX_WORD_BYTES {
        return RawToken { kind, span };
    }
    diagnostics.push(word_too_long(Place::written(span)));
    let kept = if kind == TokenKind::Number { 1 } else { MAX_WORD_BYTES as u32 };
    RawToken { kind, span: Span::new(span.start, span.start + kept) }
}

/// The tokens of a text and, as `None`, the runs of characters that are none.
fn pieces(text: &str) -> Vec<(Option<TokenKind>, Span)> {
    let mut pieces: Vec<(Option<TokenKind>, Span)> = Vec::new();
    for (result, range) in TokenKind::lexer(text).spanned() {
        let span = Span::new(range.start as u32, range.end as u32);
        match pieces.last_mut() {
            // Neighbouring stray characters make one message, not one each.
            Some((None, run)) if result.is_err() && run.end == span.start => run.end = span.end,
            _ => pieces.push((result.ok(), span)),
        }
    }
    pieces
}

/// How many pieces from the first on make one word that is a name but for some stray characters,
/// such as the three of `my_piece`; otherwise one.
fn word_length(source: &Source, pieces: &[(Option<TokenKind>, Span)]) -> usize {
    let is_part = |(kind, span): &(Option<TokenKind>, Span)| match kind {
        Some(kind) => kind.is_wordlike(),
        None => source.slice(*span).chars().all(|c| c == '_' || c.is_alphanumeric()),
    };
    let ends =
        |pair: &[(Option<TokenKind>, Span)]| pair[0].1.end != pair[1].1.start || !is_part(&pair[1]);
    let length = match pieces.first() {
        Some(first) if is_part(first) => {
            pieces.windows(2).position(ends).map_or(pieces.len(), |i| i + 1)
        }
        _ => 1,
    };
    // `12ab` has nothing stray in it: two tokens.
    if pieces[..length].iter().any(|(kind, _)| kind.is_none()) { length } else { 1 }
}

fn is_terminated(comment: &str) -> bool {
    comment.len() >= 4 && comment.ends_with("*/")
}

/// The diagnostic for a name or number that is too long.
pub fn word_too_long(place: Place) -> Diagnostic {
    Diagnostic::new(Code::WordTooLong, place)
        .label(format!("more than {MAX_WORD_BYTES} characters"))
}

fn stray_characters(source: &Source, span: Span) -> Diagnostic {
    let text = source.slice(span);
    let shown: String = text.chars().take(8).flat_map(char::escape_debug).collect();
    let diagnostic = Diagnostic::new(Code::StrayCharacter, Place::written(span))
        .message(format!("`{shown}` is not part of the language"))
        .label("unexpected here");
    if text.contains('_') {
        diagnostic
            .help("names are made of letters and digits only: write `myPiece`, not `my_piece`")
    } else if text.contains('"') {
        diagnostic.help("strings have no meaning in RBG")
    } else {
        diagnostic
    }
}

/// Reports strings, which nothing in a description can be.
pub fn report_strings(tokens: &[RawToken], diagnostics: &mut Diagnostics) {
    for token in tokens.iter().filter(|t| t.kind == TokenKind::Text) {
        diagnostics.push(
            Diagnostic::new(Code::StrayCharacter, Place::written(token.span))
                .message("strings are not part of the language")
                .label("unexpected here"),
        );
    }
}

/// The words and symbols as tokens, without comments and strings.
pub fn significant<'a>(
    tokens: &'a [RawToken],
    source: &'a Source,
    names: &'a mut Names,
) -> impl Iterator<Item = Token> + 'a {
    let no_name = names.intern("");
    let significant = |t: &&RawToken| !t.kind.is_comment() && t.kind != TokenKind::Text;
    tokens.iter().filter(significant).map(move |t| Token {
        kind: t.kind,
        name: if t.kind.is_wordlike() { names.intern(source.slice(t.span)) } else { no_name },
        place: Place { span: t.span, origin: Origin::WRITTEN },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> (Vec<TokenKind>, usize) {
        let source = Source::new("test", text);
        let mut diagnostics = Diagnostics::default();
        let tokens = lex(&source, &mut diagnostics);
        (tokens.iter().map(|t| t.kind).collect(), diagnostics.into_sorted().len())
    }

    #[test]
    fn longest_match_wins() {
        use TokenKind::*;
        assert_eq!(kinds("->>->-").0, [DoubleArrow, Arrow, Minus]);
        assert_eq!(
            kinds("{?{!{${[$[").0,
            [
                LeftCurlyQuestion,
                LeftCurlyExclamation,
                LeftCurlyDollar,
                LeftCurly,
                LeftSquareDollar,
                LeftSquare
            ]
        );
        assert_eq!(kinds("boards board 12ab").0, [Identifier, Board, Number, Identifier]);
        assert_eq!(kinds("<=< ==").0, [LessEqual, Less, DoubleEqual]);
    }

    #[test]
    fn comments_are_tokens() {
        use TokenKind::*;
        assert_eq!(
            kinds("a // b\nc /* d\n* */ e").0,
            [Identifier, LineComment, Identifier, BlockComment, Identifier]
        );
        assert_eq!(kinds("a /*/ b").1, 1);
        assert_eq!(kinds("/**/").1, 0);
    }

    #[test]
    fn stray_runs_are_reported_once() {
        assert_eq!(kinds("a @@@@ b %").1, 2);
        assert_eq!(kinds("\0\0\0").1, 1);
    }

    #[test]
    fn a_name_with_a_stray_character_is_one_name() {
        use TokenKind::*;
        assert_eq!(kinds("my_piece, my_piece"), (vec![Identifier, Comma, Identifier], 1));
        assert_eq!(kinds("_a wie\u{17c}a 2_b"), (vec![Identifier, Identifier, Identifier], 3));
        assert_eq!(kinds("[_, _]"), (vec![LeftSquare, Comma, RightSquare], 2));
        assert_eq!(kinds("a@b"), (vec![Identifier, Identifier], 1));
    }
}
