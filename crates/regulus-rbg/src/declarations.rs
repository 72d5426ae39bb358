//! Players, pieces and variables, with the numbering that moves on the wire depend on: players from
//! 1 in order of declaration (0 is the keeper), pieces sorted by name, variables with the players'
//! scores first and the others sorted by name.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Code;
use crate::cursor::Cursor;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::limits::{MAX_PIECES, MAX_PLAYERS, MAX_VARIABLES, NUMBER_LIMIT};
use crate::macros::{Definitions, used_too_early};
use crate::provenance::Place;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// A piece, numbered from 0 in order of name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Piece(pub u8);

/// A player, numbered from 1 in order of declaration; 0 is the keeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

impl Player {
    /// The system, which plays the stretches after `->>`.
    pub const KEEPER: Player = Player(0);

    /// The variable that holds the player's score.
    pub fn score(self) -> Option<Variable> {
        u16::from(self.0).checked_sub(1).map(Variable)
    }
}

/// A variable, numbered from 0: the players' scores, then the others in order of name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Variable(pub u16);

/// An edge label, numbered from 0 in order of name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Label(pub u8);

/// A set of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct PieceSet([u64; 4]);

impl PieceSet {
    /// The empty set.
    pub const EMPTY: PieceSet = PieceSet([0; 4]);

    /// The first `n` pieces.
    pub fn first(n: usize) -> PieceSet {
        (0..n).map(|i| Piece(i as u8)).collect()
    }

    /// Adds a piece.
    pub fn insert(&mut self, piece: Piece) {
        self.0[usize::from(piece.0) / 64] |= 1 << (piece.0 % 64);
    }

    /// True if the piece is in the set.
    pub fn contains(self, piece: Piece) -> bool {
        self.0[usize::from(piece.0) / 64] >> (piece.0 % 64) & 1 == 1
    }

    /// True if there is none.
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The pieces in both.
    #[must_use]
    pub fn intersection(self, other: PieceSet) -> PieceSet {
        PieceSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The pieces in one of them.
    #[must_use]
    pub fn union(self, other: PieceSet) -> PieceSet {
        PieceSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The pieces, in order.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        (0..=u8::MAX).map(Piece).filter(move |p| self.contains(*p))
    }
}

impl FromIterator<Piece> for PieceSet {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        let mut set = PieceSet::EMPTY;
        pieces.into_iter().for_each(|p| set.insert(p));
        set
    }
}

impl fmt::Debug for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|p| p.0)).finish()
    }
}

/// A declared name with its bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// The name.
    pub name: String,
    /// The largest value.
    pub bound: u32,
}

/// What a name in the rules stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A piece.
    Piece(Piece),
    /// A player (and the variable with the score).
    Player(Player),
    /// A variable that is not a player's.
    Variable(Variable),
    /// An edge label.
    Label(Label),
}

impl Meaning {
    /// What to call it in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Meaning::Piece(_) => "a piece",
            Meaning::Player(_) => "a player",
            Meaning::Variable(_) => "a variable",
            Meaning::Label(_) => "an edge label",
        }
    }
}

/// All names of a game. Equality ignores where they were declared.
#[derive(Clone, Default, Debug)]
pub struct Declarations {
    players: Vec<String>,
    pieces: Vec<String>,
    variables: Vec<Bounded>,
    labels: Vec<String>,
    meanings: FxHashMap<String, Meaning>,
    declared_at: FxHashMap<String, Span>,
    /// Names declared as two things, which is an error; nothing is concluded from their meaning.
    ambiguous: FxHashSet<String>,
}

impl PartialEq for Declarations {
    fn eq(&self, other: &Self) -> bool {
        self.players == other.players
            && self.pieces == other.pieces
            && self.variables == other.variables
            && self.labels == other.labels
    }
}

impl Eq for Declarations {}

impl Declarations {
    /// Names of the players, in order; player `i` of the game is entry `i - 1`.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Names of the pieces, sorted.
    pub fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// Variables with their bounds: the players' scores, then the others sorted by name.
    pub fn variables(&self) -> &[Bounded] {
        &self.variables
    }

    /// Edge labels, sorted.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The set of all pieces.
    pub fn all_pieces(&self) -> PieceSet {
        PieceSet::first(self.pieces.len())
    }

    /// The name of a piece.
    pub fn piece_name(&self, piece: Piece) -> &str {
        &self.pieces[usize::from(piece.0)]
    }

    /// The name of a player; the keeper is called `keeper`.
    pub fn player_name(&self, player: Player) -> &str {
        match usize::from(player.0).checked_sub(1) {
            Some(i) => &self.players[i],
            None => "keeper",
        }
    }

    /// The name of a variable.
    pub fn variable_name(&self, variable: Variable) -> &str {
        &self.variables[usize::from(variable.0)].name
    }

    /// The largest value of a variable.
    pub fn bound(&self, variable: Variable) -> u32 {
        self.variables[usize::from(variable.0)].bound
    }

    /// The name of an edge label.
    pub fn label_name(&self, label: Label) -> &str {
        &self.labels[usize::from(label.0)]
    }

    /// What a name means.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).copied()
    }

    /// True if the name is declared as two things, which has been reported.
    pub(crate) fn is_ambiguous(&self, name: &str) -> bool {
        self.ambiguous.contains(name)
    }

    /// Where a name was declared.
    pub fn declared_at(&self, name: &str) -> Option<Span> {
        self.declared_at.get(name).copied()
    }

    /// All names that `wanted` accepts, sorted, for suggestions.
    pub fn names_where(&self, wanted: impl Fn(Meaning) -> bool) -> Vec<&str> {
        let all = self.players.iter().chain(&self.pieces).chain(&self.labels);
        let mut names: Vec<&str> = all
            .chain(self.variables.iter().map(|v| &v.name))
            .map(String::as_str)
            .filter(|n| self.meaning(n).is_some_and(&wanted))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// A name as it was declared.
#[derive(Clone, Debug)]
pub struct Declared<'a> {
    /// The name.
    pub name: &'a str,
    /// The bound, for players and variables.
    pub bound: u32,
    /// Where.
    pub place: Place,
}

/// Whether the names of a list carry bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bounds {
    /// `name(100)`
    Required,
    /// `name`
    None,
}

/// Reads the list of a section. Repeated and trailing commas are tolerated.
pub fn parse_list<'a>(
    cursor: &mut Cursor<'a>,
    bounds: Bounds,
    macros: &Definitions<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Declared<'a>> {
    let mut list = Vec::new();
    let mut separated = true;
    while let Some(token) = cursor.bump()
        && !diagnostics.is_full()
    {
        match token.kind {
            TokenKind::Comma => separated = true,
            TokenKind::Identifier => {
                if !separated {
                    diagnostics.push(
                        Diagnostic::new(Code::MissingComma, token.place)
                            .message(format!("expected a comma before `{}`", cursor.text(&token)))
                            .label("a comma is missing before this")
                            .help("names are separated by commas"),
                    );
                }
                let has_bracket = cursor.kind() == Some(TokenKind::LeftRound);
                // A name may be a macro further down; but not one that looks like a use of it.
                let name = cursor.text(&token);
                if let Some(definition) = macros.get(name)
                    && definition.has_parameters == has_bracket
                    && (bounds == Bounds::None || !has_bracket)
                {
                    diagnostics.push(used_too_early(name, token.place, *definition));
                    skip_bound(cursor);
                    separated = false;
                    continue;
                }
                let bound = match bounds {
                    Bounds::Required => parse_bound(cursor, &token, diagnostics),
                    Bounds::None => Some(0),
                };
                // A name with a wrong bound is still declared, so that its uses are not errors, too.
                let bound = bound.unwrap_or(u32::MAX - 1);
                list.push(Declared { name, bound, place: token.place });
                separated = false;
            }
            TokenKind::Unexpanded => separated = true,
            kind if kind.is_keyword() => {
                diagnostics.push(reserved(cursor.text(&token), token.place));
                skip_bound(cursor);
                separated = false;
            }
            kind => {
                let found = cursor.text(&token);
                let diagnostic = Diagnostic::new(Code::ExpectedName, token.place);
                diagnostics.push(if kind == TokenKind::LeftRound && !separated {
                    diagnostic
                        .message("expected a comma, found `(`")
                        .label("expected a comma")
                        .help("pieces have no bound; only players and variables have one")
                } else {
                    diagnostic
                        .message(format!("expected a name, found `{found}`"))
                        .label("expected a name")
                        .maybe_help(
                            (kind == TokenKind::Number)
                                .then(|| format!("a name begins with a letter: `p{found}`")),
                        )
                });
                while cursor.kind().is_some_and(|k| k != TokenKind::Comma) {
                    cursor.bump();
                }
            }
        }
    }
    list
}

/// The diagnostic for a reserved word used as a name.
pub fn reserved(word: &str, place: Place) -> Diagnostic {
    Diagnostic::new(Code::ReservedWord, place)
        .message(format!("`{word}` is a reserved word and cannot be a name"))
        .label("a reserved word")
        .help(format!("choose another name, for example `{}{}`", "my", capitalised(word)))
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

fn skip_bound(cursor: &mut Cursor<'_>) {
    if cursor.eat(TokenKind::LeftRound).is_some() {
        skip_to_end_of_bound(cursor);
        cursor.eat(TokenKind::RightRound);
    }
}

fn parse_bound(
    cursor: &mut Cursor<'_>,
    name: &Token,
    diagnostics: &mut Diagnostics,
) -> Option<u32> {
    let spelt = cursor.text(name);
    let wrong = |message: String, place: Place| {
        Diagnostic::new(Code::BadBound, place)
            .message(message)
            .help(format!("declare it with its largest value: `{spelt}(100)`"))
    };
    if cursor.eat(TokenKind::LeftRound).is_none() {
        diagnostics.push(wrong(format!("`{spelt}` has no bound"), name.place).label("no bound"));
        return None;
    }
    let (number, first) = (cursor.peek(), cursor.place());
    let value = match number {
        Some(token) if token.kind == TokenKind::Number => {
            cursor.bump();
            parse_number(cursor.text(&token), token.place, diagnostics)
        }
        _ => None,
    };
    let is_number = number.is_some_and(|t| t.kind == TokenKind::Number);
    if is_number && value != Some(0) && cursor.kind() != Some(TokenKind::RightRound) {
        diagnostics.push(
            Diagnostic::new(Code::BadBound, cursor.place())
                .message(format!("expected `)` after the bound, found {}", cursor.found()))
                .label("expected `)`"),
        );
    }
    skip_to_end_of_bound(cursor);
    if !is_number || value == Some(0) {
        let place = if cursor.place() == first { first } else { cursor.since(first) };
        diagnostics.push(
            wrong(format!("the bound of `{spelt}` must be a positive number"), place)
                .label("expected a positive number"),
        );
    }
    cursor.eat(TokenKind::RightRound);
    value.filter(|v| *v > 0).map(|v| v as u32)
}

fn skip_to_end_of_bound(cursor: &mut Cursor<'_>) {
    while cursor.kind().is_some_and(|k| !matches!(k, TokenKind::RightRound | TokenKind::Comma)) {
        cursor.bump();
    }
}

/// Reads a number and reports one that is too large.
pub fn parse_number(text: &str, place: Place, diagnostics: &mut Diagnostics) -> Option<u64> {
    let value = text.parse::<u64>().ok().filter(|v| *v < NUMBER_LIMIT);
    if value.is_none() {
        let shown = if text.len() > 24 { &text[..24] } else { text };
        diagnostics.push(
            Diagnostic::new(Code::NumberTooLarge, place)
                .message(format!(
                    "the number {shown}{} is too large",
                    if text.len() > 24 { "..." } else { "" }
                ))
                .label(format!("must be below {NUMBER_LIMIT}")),
        );
    }
    value
}

/// The lists of the three sections and the labels of the board, before numbering.
#[derive(Default, Debug)]
pub struct Lists<'a> {
    /// `#players`
    pub players: Vec<Declared<'a>>,
    /// `#pieces`
    pub pieces: Vec<Declared<'a>>,
    /// `#variables`
    pub variables: Vec<Declared<'a>>,
    /// Labels the board declares.
    pub labels: Vec<Declared<'a>>,
}

/// Numbers all names and reports clashes.
pub fn declare(lists: Lists<'_>, diagnostics: &mut Diagnostics) -> Declarations {
    let mut declarations = Declarations::default();
    let limits = [
        (&lists.players, "players", MAX_PLAYERS),
        (&lists.pieces, "pieces", MAX_PIECES),
        (&lists.variables, "variables", MAX_VARIABLES - MAX_PLAYERS),
    ];
    for (list, what, limit) in limits {
        if let Some(beyond) = list.get(limit) {
            diagnostics.push(
                Diagnostic::new(Code::TooManyNames, beyond.place)
                    .message(format!("more than {limit} {what}"))
                    .label("one too many"),
            );
        }
    }
    let mut groups: [Vec<&Declared<'_>>; 4] = Default::default();
    let sections = [
        (&lists.pieces, "a piece", MAX_PIECES),
        (&lists.players, "a player", MAX_PLAYERS),
        (&lists.variables, "a variable", MAX_VARIABLES - MAX_PLAYERS),
        (&lists.labels, "an edge label", usize::MAX),
    ];
    let mut seen: FxHashMap<&str, (&'static str, Span)> = FxHashMap::default();
    for ((list, noun, limit), group) in sections.into_iter().zip(&mut groups) {
        for declared in list.iter().take(limit) {
            if let Some((other, span)) = seen.get(declared.name) {
                if *other != noun {
                    declarations.ambiguous.insert(declared.name.to_owned());
                }
                report_clash(declared, noun, other, *span, diagnostics);
            } else {
                seen.insert(declared.name, (noun, declared.place.span));
                group.push(declared);
            }
        }
    }
    let [mut pieces, players, mut variables, mut labels] = groups;
    pieces.sort_by_key(|d| d.name);
    variables.sort_by_key(|d| d.name);
    labels.sort_by_key(|d| d.name);
    for (i, d) in pieces.iter().enumerate() {
        declarations.pieces.push(d.name.to_owned());
        declarations.define(d, Meaning::Piece(Piece(i as u8)));
    }
    for (i, d) in players.iter().enumerate() {
        declarations.players.push(d.name.to_owned());
        declarations.variables.push(Bounded { name: d.name.to_owned(), bound: d.bound });
        declarations.define(d, Meaning::Player(Player(i as u8 + 1)));
    }
    for d in &variables {
        let number = declarations.variables.len() as u16;
        declarations.variables.push(Bounded { name: d.name.to_owned(), bound: d.bound });
        declarations.define(d, Meaning::Variable(Variable(number)));
    }
    for (i, d) in labels.iter().enumerate() {
        declarations.labels.push(d.name.to_owned());
        declarations.define(d, Meaning::Label(Label(i as u8)));
    }
    declarations
}

impl Declarations {
    fn define(&mut self, declared: &Declared<'_>, meaning: Meaning) {
        self.meanings.insert(declared.name.to_owned(), meaning);
        self.declared_at.insert(declared.name.to_owned(), declared.place.span);
    }
}

fn report_clash(
    declared: &Declared<'_>,
    noun: &str,
    other: &str,
    other_span: Span,
    diagnostics: &mut Diagnostics,
) {
    let name = declared.name;
    let (code, message) = match (noun, other) {
        // Labels are declared by use, again and again.
        ("an edge label", "an edge label") => return,
        ("a piece", "a piece") => {
            (Code::DuplicatePiece, format!("the piece `{name}` is declared twice"))
        }
        ("a player", "a player") => {
            (Code::NameClash, format!("the player `{name}` is declared twice"))
        }
        ("a variable", "a variable") => {
            (Code::NameClash, format!("the variable `{name}` is declared twice"))
        }
        _ => (Code::NameClash, format!("`{name}` is declared both as {other} and as {noun}")),
    };
    let diagnostic = Diagnostic::new(code, declared.place).message(message);
    let diagnostic = if noun == other {
        diagnostic.label("declared again here").related(other_span, "first declared here")
    } else {
        diagnostic
            .label(format!("declared here as {noun}"))
            .related(other_span, format!("declared here as {other}"))
    };
    diagnostics.push(if code == Code::NameClash {
        diagnostic.help("give one of the two another name")
    } else {
        diagnostic.help("leave the second one out")
    });
}
