//! A reader over the tokens of one expanded section.

use crate::provenance::{Place, Provenance};
use crate::token::{Names, Token, TokenKind};

/// Reads tokens one after the other.
pub struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
    names: &'a Names,
    provenance: &'a Provenance,
    end: Place,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first token; `end` is the place to name when the section ends too early.
    pub fn new(
        tokens: &'a [Token],
        names: &'a Names,
        provenance: &'a Provenance,
        end: Place,
    ) -> Self {
        let end = tokens.last().map_or(end, |t| t.place);
        Cursor { tokens, at: 0, names, provenance, end }
    }

    /// The next token.
    pub fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    /// The kind of the next token.
    pub fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|t| t.kind)
    }

    /// The kind of the token after the next.
    pub fn kind_after(&self) -> Option<TokenKind> {
        self.tokens.get(self.at + 1).map(|t| t.kind)
    }

    /// Takes the next token.
    pub fn bump(&mut self) -> Option<Token> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    /// Takes the next token if it is of this kind.
    pub fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        if self.kind() == Some(kind) { self.bump() } else { None }
    }

    /// Skips everything that is left.
    pub fn skip_all(&mut self) {
        self.at = self.tokens.len();
    }

    /// Where the next token stands, or the end of the section.
    pub fn place(&self) -> Place {
        self.peek().map_or(self.end, |t| t.place)
    }

    /// Where the last token taken stands.
    pub fn last_place(&self) -> Place {
        self.at.checked_sub(1).map_or(self.end, |i| self.tokens[i].place)
    }

    /// The place from `start` to the last token taken.
    pub fn since(&self, start: Place) -> Place {
        self.join(start, self.last_place())
    }

    /// The place from the beginning of one to the end of another behind it.
    pub fn join(&self, first: Place, last: Place) -> Place {
        self.provenance.join(first, last)
    }

    /// True if the last token taken stands for a macro use that could not be expanded.
    pub fn is_behind_unexpanded(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|i| self.tokens[i].kind == TokenKind::Unexpanded)
    }

    /// The tokens from the next one on.
    pub fn rest(&self) -> &'a [Token] {
        &self.tokens[self.at..]
    }

    /// The next token as it is called in messages.
    pub fn found(&self) -> String {
        self.peek().map_or("the end of the section".to_owned(), |t| {
            format!("`{}`", self.names.spelling(&t))
        })
    }

    /// The text of a token.
    pub fn text(&self, token: &Token) -> &'a str {
        self.names.spelling(token)
    }
}
