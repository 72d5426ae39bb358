//! Reads the `#board` section: generators and explicit graphs.
//!
//! The board is read in two steps, because pieces and labels are numbered only when all sections
//! are known: [`parse`] gives a draft with names, [`Draft::finish`] the numbered board.

use rustc_hash::FxHashSet;

use crate::board::generator::{GENERATORS, Generator};
use crate::code::Code;
use crate::cursor::Cursor;
use crate::declarations::{Declared, reserved};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::limits::MAX_VERTICES;
use crate::macros::{Definitions, used_too_early};
use crate::provenance::Place;
use crate::token::{Token, TokenKind};

/// A word of the text with its place.
pub(crate) type Word<'a> = (&'a str, Place);

/// A line of cells; `None` is a hole.
pub(crate) type Line<'a> = (Vec<Option<Word<'a>>>, Place);

/// Lines that lie in one plane.
pub(crate) type Layer<'a> = (Vec<Line<'a>>, Place);

pub(crate) enum Form<'a> {
    /// A generator without layers has one.
    Generated(&'static Generator, Vec<Layer<'a>>),
    Graph(Vec<DraftVertex<'a>>),
}

pub(crate) struct DraftVertex<'a> {
    pub(crate) name: Word<'a>,
    pub(crate) piece: Option<Word<'a>>,
    pub(crate) edges: Vec<(Word<'a>, Word<'a>)>,
}

/// A board whose names are not resolved yet.
pub struct Draft<'a> {
    pub(crate) form: Form<'a>,
    pub(crate) labels: Vec<Word<'a>>,
    pub(crate) place: Place,
}

impl<'a> Draft<'a> {
    /// The labels the board declares, in order of first use.
    pub fn labels(&self) -> Vec<Declared<'a>> {
        let mut seen = FxHashSet::default();
        let in_graph: Vec<Word<'a>> = match &self.form {
            Form::Graph(vertices) => {
                vertices.iter().flat_map(|v| v.edges.iter().map(|(label, _)| *label)).collect()
            }
            _ => Vec::new(),
        };
        self.labels
            .iter()
            .copied()
            .chain(in_graph)
            .filter(|(name, _)| seen.insert(*name))
            .map(|(name, place)| Declared { name, bound: 0, place })
            .collect()
    }
}

/// Reads the section. `None` when nothing sensible can be made of it (which is reported).
pub fn parse<'a>(
    cursor: &mut Cursor<'a>,
    macros: &Definitions<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Draft<'a>> {
    let mut parser = Parser { cursor, macros, diagnostics, cells: 0 };
    let draft = parser.board()?;
    if let Some(token) = parser.cursor.peek() {
        let text = parser.cursor.text(&token);
        parser.diagnostics.push(
            Diagnostic::new(Code::TrailingTokens, token.place)
                .message(format!("unexpected `{text}` after the board"))
                .label("the board ends before this"),
        );
    }
    Some(draft)
}

struct Parser<'p, 'a> {
    cursor: &'p mut Cursor<'a>,
    /// All macros of the file: one that is still a name here is defined further down.
    macros: &'p Definitions<'p>,
    diagnostics: &'p mut Diagnostics,
    cells: usize,
}

impl<'a> Parser<'_, 'a> {
    fn board(&mut self) -> Option<Draft<'a>> {
        let place = self.cursor.place();
        let Some(generator) =
            self.cursor.peek().and_then(|t| Generator::by_word(self.cursor.text(&t)))
        else {
            let vertices = self.graph()?;
            return Some(Draft { form: Form::Graph(vertices), labels: Vec::new(), place });
        };
        self.cursor.bump()?;
        let labels_wanted = generator.directions.len();
        let open = self.expect(TokenKind::LeftRound, "after the generator")?;
        let mut labels: Vec<Word<'a>> = Vec::new();
        for i in 0..labels_wanted {
            let label = self.label(generator, i)?;
            if let Some((_, first)) = labels.iter().find(|(name, _)| *name == label.0) {
                self.diagnostics.push(
                    Diagnostic::new(Code::DuplicateEdge, label.1)
                        .message(format!("the label `{}` is given twice", label.0))
                        .label("the second one")
                        .related(first.span, "the first one"),
                );
            }
            labels.push(label);
            if self.cursor.kind() == Some(TokenKind::RightRound) && labels.len() == labels_wanted {
                self.wrong("`,` and the board lines", "after the edge labels");
                return None;
            }
            self.expect(TokenKind::Comma, "after an edge label")?;
        }
        let layers = match generator.is_layered {
            true => self.layers(generator)?,
            false => vec![(self.lines()?, place)],
        };
        if self.cursor.eat(TokenKind::RightRound).is_none() {
            match self.cursor.kind() {
                None => self.diagnostics.push(
                    Diagnostic::new(Code::UnclosedBracket, open.place)
                        .message("this `(` is never closed")
                        .label("`(` without `)`"),
                ),
                Some(TokenKind::Comma) => self.wrong_with(
                    "`)`",
                    "after the board lines",
                    "board lines stand one after the other, without commas",
                ),
                Some(_) => self.wrong("`)`", "after the board lines"),
            }
            self.cursor.skip_all();
        }
        Some(Draft { form: Form::Generated(generator, layers), labels, place })
    }

    fn wrong(&mut self, expected: &str, context: &str) {
        let diagnostic = self.unexpected(expected, context);
        self.diagnostics.push(diagnostic);
    }

    fn wrong_with(&mut self, expected: &str, context: &str, help: &str) {
        let diagnostic = self.unexpected(expected, context).help(help);
        self.diagnostics.push(diagnostic);
    }

    fn unexpected(&self, expected: &str, context: &str) -> Diagnostic {
        let place = self.cursor.place();
        let next = self.cursor.peek().map_or("", |token| self.cursor.text(&token));
        if let Some(definition) = self.macros.get(next) {
            return used_too_early(next, place, *definition);
        }
        Diagnostic::new(Code::BoardSyntax, place)
            .message(format!("expected {expected} {context}, found {}", self.cursor.found()))
            .label(format!("expected {expected}"))
    }

    fn expect(&mut self, kind: TokenKind, context: &str) -> Option<Token> {
        let token = self.cursor.eat(kind);
        if token.is_none() {
            self.wrong(&format!("`{}`", kind.spelling()), context);
        }
        token
    }

    fn word(&mut self, what: &str, context: &str) -> Option<Word<'a>> {
        match self.cursor.peek() {
            Some(token) if token.kind == TokenKind::Identifier => {
                self.cursor.bump();
                Some((self.cursor.text(&token), token.place))
            }
            Some(token) if token.kind.is_keyword() => {
                self.cursor.bump();
                let text = self.cursor.text(&token);
                self.diagnostics.push(reserved(text, token.place));
                Some((text, token.place))
            }
            _ => {
                self.wrong(what, context);
                None
            }
        }
    }

    fn label(&mut self, generator: &Generator, given: usize) -> Option<Word<'a>> {
        if self.cursor.kind() == Some(TokenKind::LeftSquare) {
            let (text, wanted) = (generator.word, generator.directions.len());
            let order = generator.directions.join(", ");
            self.diagnostics.push(
                Diagnostic::new(Code::BoardSyntax, self.cursor.place())
                    .message(format!("`{text}` needs {wanted} edge labels, found {given}"))
                    .label("expected an edge label before the lines")
                    .help(format!("give the labels of the directions {order}")),
            );
            return None;
        }
        self.word("an edge label", "in the board generator")
    }

    fn lines(&mut self) -> Option<Vec<Line<'a>>> {
        let mut lines = Vec::new();
        while self.cursor.kind() == Some(TokenKind::LeftSquare) {
            lines.push(self.line()?);
        }
        if lines.is_empty() {
            self.wrong("a board line `[piece, ...]`", "after the edge labels");
            return None;
        }
        Some(lines)
    }

    fn layers(&mut self, generator: &Generator) -> Option<Vec<Layer<'a>>> {
        let mut layers = Vec::new();
        while let Some(open) = self.cursor.eat(TokenKind::LeftSquare) {
            if self.cursor.kind() != Some(TokenKind::LeftSquare) {
                let help = "each layer stands in its own brackets: `[[e, e] [e, e]]`";
                let context = format!("in a layer of the {}", generator.word);
                self.wrong_with("a board line `[piece, ...]`", &context, help);
                return None;
            }
            let lines = self.lines()?;
            self.expect(TokenKind::RightSquare, "after the lines of a layer")?;
            layers.push((lines, self.cursor.since(open.place)));
        }
        if layers.is_empty() {
            self.wrong("a layer `[[piece, ...] ...]`", "after the edge labels");
            return None;
        }
        Some(layers)
    }

    /// `[p, , p]`: as many cells as commas plus one; nothing between two commas is a hole.
    fn line(&mut self) -> Option<Line<'a>> {
        let open = self.cursor.bump()?;
        let mut cells = Vec::new();
        loop {
            let mut cell = None;
            while let Some(token) = self.cursor.peek() {
                match token.kind {
                    TokenKind::Comma | TokenKind::RightSquare | TokenKind::LeftSquare => break,
                    _ => {
                        let word = self.word("a piece, `,` or `]`", "in a board line")?;
                        if cell.is_some() {
                            self.diagnostics.push(
                                Diagnostic::new(Code::MissingComma, word.1)
                                    .message(format!("expected a comma before `{}`", word.0))
                                    .label("two pieces without a comma between them"),
                            );
                            self.push_cell(&mut cells, cell, word.1)?;
                        }
                        cell = Some(word);
                    }
                }
            }
            self.push_cell(&mut cells, cell, open.place)?;
            match self.cursor.kind() {
                Some(TokenKind::Comma) => {
                    self.cursor.bump();
                }
                Some(TokenKind::RightSquare) => {
                    self.cursor.bump();
                    return Some((cells, self.cursor.since(open.place)));
                }
                next => {
                    let diagnostic = Diagnostic::new(Code::UnclosedBracket, open.place)
                        .message("this board line is never closed")
                        .label("`[` without `]`");
                    self.diagnostics.push(match next {
                        Some(_) => {
                            diagnostic.related(self.cursor.place().span, "another line begins here")
                        }
                        None => diagnostic,
                    });
                    // Another line may follow and be right.
                    return next.map(|_| (cells, self.cursor.since(open.place)));
                }
            }
        }
    }

    /// Holes count, too: a board of holes must not grow without bound.
    fn push_cell(
        &mut self,
        cells: &mut Vec<Option<Word<'a>>>,
        cell: Option<Word<'a>>,
        place: Place,
    ) -> Option<()> {
        self.cells += 1;
        if self.cells > 4 * MAX_VERTICES {
            self.diagnostics.push(
                Diagnostic::new(Code::TooManyVertices, place)
                    .message(format!("the board has more than {} cells", 4 * MAX_VERTICES))
                    .label("too large"),
            );
            return None;
        }
        cells.push(cell);
        Some(())
    }

    fn graph(&mut self) -> Option<Vec<DraftVertex<'a>>> {
        let mut vertices = Vec::new();
        while self.cursor.peek().is_some() {
            if vertices.len() == MAX_VERTICES {
                let place = self.cursor.place();
                self.diagnostics.push(too_many_vertices(place));
                return None;
            }
            if self.cursor.kind().is_some_and(|k| !k.is_wordlike()) && vertices.is_empty() {
                self.wrong_with("a board", "in this section", &forms());
                return None;
            }
            let name = self.word("the name of a vertex", "here")?;
            if self.cursor.kind() == Some(TokenKind::LeftRound) && vertices.is_empty() {
                let near = did_you_mean(name.0, GENERATORS.map(|generator| generator.word));
                self.diagnostics.push(
                    Diagnostic::new(Code::BoardSyntax, name.1)
                        .message(format!("there is no board generator `{}`", name.0))
                        .label("not a board generator")
                        .help(near.map_or_else(forms, |n| format!("did you mean `{n}`?"))),
                );
                return None;
            }
            self.expect(TokenKind::LeftSquare, "after the name of a vertex")?;
            let piece = self.word("a piece", "in the brackets of a vertex")?;
            self.expect(TokenKind::RightSquare, "after the piece of a vertex")?;
            if self.cursor.eat(TokenKind::LeftCurly).is_none() {
                let help =
                    format!("a vertex without edges is written `{} [{}] {{}}`", name.0, piece.0);
                self.wrong_with("`{`", "before the edges of a vertex", &help);
                return None;
            }
            let mut edges = Vec::new();
            // The reference cannot read the isolated vertices that it prints; `{}` is fine here.
            if self.cursor.eat(TokenKind::RightCurly).is_none() {
                loop {
                    let label = self.word("an edge label", "in the edges of a vertex")?;
                    self.expect(TokenKind::Colon, "after an edge label")?;
                    let target = self.word("the name of a vertex", "as the target of an edge")?;
                    edges.push((label, target));
                    if self.cursor.eat(TokenKind::Comma).is_none() {
                        break;
                    }
                }
                self.expect(TokenKind::RightCurly, "after the edges of a vertex")?;
            }
            vertices.push(DraftVertex { name, piece: Some(piece), edges });
        }
        Some(vertices)
    }
}

/// What may stand in the section.
fn forms() -> String {
    let generators = GENERATORS.map(|generator| format!("`{}(...)`", generator.word)).join(", ");
    format!("a board is {generators} or a list of vertices `name [piece] {{label: target, ...}}`")
}

pub(crate) fn too_many_vertices(place: Place) -> Diagnostic {
    Diagnostic::new(Code::TooManyVertices, place)
        .message(format!("the board has more than {MAX_VERTICES} vertices"))
        .label("too large")
}
