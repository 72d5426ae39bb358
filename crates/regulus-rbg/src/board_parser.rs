//! Reads the `#board` section: the three generators and explicit graphs.
//!
//! The board is read in two steps, because pieces and labels are numbered only when all sections
//! are known: [`parse`] gives a draft with names, [`Draft::finish`] the numbered board.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::{Board, Shape, Vertex};
use crate::code::{Code, Severity};
use crate::cursor::Cursor;
use crate::declarations::{Declarations, Declared, Label, Meaning, Piece, reserved};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::limits::{MAX_LABELS, MAX_VERTICES};
use crate::macros::{Definitions, used_too_early};
use crate::provenance::Place;
use crate::token::{Token, TokenKind};

/// A word of the text with its place.
type Word<'a> = (&'a str, Place);

/// A line of cells; `None` is a hole.
type Line<'a> = (Vec<Option<Word<'a>>>, Place);

enum Form<'a> {
    Rectangle(Vec<Line<'a>>),
    Hexagon(Vec<Line<'a>>),
    Cuboid(Vec<(Vec<Line<'a>>, Place)>),
    Graph(Vec<DraftVertex<'a>>),
}

struct DraftVertex<'a> {
    name: Word<'a>,
    piece: Option<Word<'a>>,
    edges: Vec<(Word<'a>, Word<'a>)>,
}

/// A board whose names are not resolved yet.
pub struct Draft<'a> {
    form: Form<'a>,
    labels: Vec<Word<'a>>,
    place: Place,
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
        let labels_wanted = match self.cursor.kind() {
            Some(TokenKind::Rectangle) => 4,
            Some(TokenKind::Hexagon) => 6,
            Some(TokenKind::Cuboid) => 6,
            _ => {
                let vertices = self.graph()?;
                return Some(Draft { form: Form::Graph(vertices), labels: Vec::new(), place });
            }
        };
        let generator = self.cursor.bump()?;
        let open = self.expect(TokenKind::LeftRound, "after the generator")?;
        let mut labels: Vec<Word<'a>> = Vec::new();
        for i in 0..labels_wanted {
            let label = self.label(&generator, i, labels_wanted)?;
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
        let form = match generator.kind {
            TokenKind::Rectangle => Form::Rectangle(self.lines()?),
            TokenKind::Hexagon => Form::Hexagon(self.lines()?),
            _ => Form::Cuboid(self.layers()?),
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
        Some(Draft { form, labels, place })
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

    fn label(&mut self, generator: &Token, given: usize, wanted: usize) -> Option<Word<'a>> {
        if self.cursor.kind() == Some(TokenKind::LeftSquare) {
            let order = match generator.kind {
                TokenKind::Rectangle => "up, down, left, right",
                TokenKind::Hexagon => "north-west, north-east, east, south-east, south-west, west",
                _ => "up, down, left, right, front, back",
            };
            let text = self.cursor.text(generator);
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

    fn layers(&mut self) -> Option<Vec<(Vec<Line<'a>>, Place)>> {
        let mut layers = Vec::new();
        while let Some(open) = self.cursor.eat(TokenKind::LeftSquare) {
            if self.cursor.kind() != Some(TokenKind::LeftSquare) {
                let help = "each layer stands in its own brackets: `[[e, e] [e, e]]`";
                self.wrong_with("a board line `[piece, ...]`", "in a layer of the cuboid", help);
                return None;
            }
            let lines = self.lines()?;
            self.expect(TokenKind::RightSquare, "after the lines of a layer")?;
            layers.push((lines, open.place.to(self.cursor.last_place())));
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
                    return Some((cells, open.place.to(self.cursor.last_place())));
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
                    return next.map(|_| (cells, open.place.to(self.cursor.last_place())));
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
                self.wrong_with("a board", "in this section", FORMS);
                return None;
            }
            let name = self.word("the name of a vertex", "here")?;
            if self.cursor.kind() == Some(TokenKind::LeftRound) && vertices.is_empty() {
                let near = did_you_mean(name.0, ["rectangle", "hexagon", "cuboid"]);
                self.diagnostics.push(
                    Diagnostic::new(Code::BoardSyntax, name.1)
                        .message(format!("there is no board generator `{}`", name.0))
                        .label("not a board generator")
                        .help(near.map_or(FORMS.to_owned(), |n| format!("did you mean `{n}`?"))),
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
const FORMS: &str = "a board is `rectangle(...)`, `hexagon(...)`, `cuboid(...)` or a list of vertices \
                     `name [piece] {label: target, ...}`";

fn too_many_vertices(place: Place) -> Diagnostic {
    Diagnostic::new(Code::TooManyVertices, place)
        .message(format!("the board has more than {MAX_VERTICES} vertices"))
        .label("too large")
}

/// Collects the vertices and edges of the finished board.
struct Builder<'d> {
    declarations: &'d Declarations,
    /// False if the list of pieces is not complete, so that nothing can be said of the others.
    pieces_known: bool,
    /// Words that have been reported not to be pieces.
    unknown: FxHashSet<String>,
    names: Vec<String>,
    pieces: Vec<Piece>,
    edges: Vec<(Vertex, Label, Vertex)>,
}

impl Builder<'_> {
    fn piece(&mut self, word: Word<'_>, diagnostics: &mut Diagnostics) -> Piece {
        let (name, place) = word;
        let meaning = self.declarations.meaning(name);
        if let Some(Meaning::Piece(piece)) = meaning {
            return piece;
        }
        if !self.pieces_known
            || self.declarations.is_ambiguous(name)
            || !diagnostics.has_room(Severity::Error)
            || !self.unknown.insert(name.to_owned())
        {
            return Piece(0);
        }
        let near = did_you_mean(name, self.declarations.pieces().iter().map(String::as_str));
        let diagnostic = Diagnostic::new(Code::UnknownPiece, place)
            .message(format!("`{name}` is not a piece"))
            .label(meaning.map_or("not declared".to_owned(), |m| format!("this is {}", m.noun())));
        diagnostics.push(match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None if meaning.is_none() => {
                diagnostic.help(format!("declare it: `#pieces = ..., {name}`"))
            }
            None => diagnostic,
        });
        Piece(0)
    }

    fn add(&mut self, name: String, word: Word<'_>, diagnostics: &mut Diagnostics) -> Vertex {
        let piece = self.piece(word, diagnostics);
        self.names.push(name);
        self.pieces.push(piece);
        Vertex(self.names.len().min(MAX_VERTICES) as u16)
    }

    fn line(
        &mut self,
        line: &Line<'_>,
        name: impl Fn(usize) -> String,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Option<Vertex>> {
        let cells = line.0.iter().enumerate();
        cells.map(|(x, cell)| cell.map(|w| self.add(name(x), w, diagnostics))).collect()
    }

    fn link(&mut self, from: Option<Vertex>, label: Label, to: Option<Option<Vertex>>) {
        if let (Some(from), Some(Some(to))) = (from, to) {
            self.edges.push((from, label, to));
        }
    }
}

impl<'a> Draft<'a> {
    /// Numbers the vertices and resolves names.
    pub fn finish(
        self,
        declarations: &Declarations,
        pieces_known: bool,
        diagnostics: &mut Diagnostics,
    ) -> Option<Board> {
        let mut labels: Vec<Label> = Vec::new();
        for (name, _) in &self.labels {
            match declarations.meaning(name) {
                Some(Meaning::Label(label)) => labels.push(label),
                // A clash with another name, which is reported already.
                _ => return None,
            }
        }
        if let Some(place) = self.labels().get(MAX_LABELS).map(|d| d.place) {
            diagnostics.push(
                Diagnostic::new(Code::TooManyNames, place)
                    .message(format!("more than {MAX_LABELS} edge labels"))
                    .label("one too many"),
            );
            return None;
        }
        let mut builder = Builder {
            declarations,
            pieces_known,
            unknown: FxHashSet::default(),
            names: Vec::new(),
            pieces: Vec::new(),
            edges: Vec::new(),
        };
        let shape = match &self.form {
            Form::Rectangle(lines) => rectangle(&mut builder, lines, &labels, diagnostics)?,
            Form::Hexagon(lines) => hexagon(&mut builder, lines, &labels, diagnostics)?,
            Form::Cuboid(layers) => cuboid(&mut builder, layers, &labels, diagnostics)?,
            Form::Graph(vertices) => graph(&mut builder, vertices, diagnostics)?,
        };
        if builder.names.is_empty() {
            diagnostics
                .push(Diagnostic::new(Code::EmptyBoard, self.place).label("all cells are holes"));
            return None;
        }
        if builder.names.len() > MAX_VERTICES {
            diagnostics.push(too_many_vertices(self.place));
            return None;
        }
        let row = builder.names.len() + 1;
        let mut next = vec![Vertex::NONE; row * declarations.labels().len()];
        for (from, label, to) in builder.edges {
            next[usize::from(label.0) * row + usize::from(from.0)] = to;
        }
        Some(Board {
            names: builder.names,
            pieces: builder.pieces,
            next,
            shape,
            generator_labels: labels,
        })
    }
}

fn ragged(line: &Line<'_>, expected: &str, first: &Line<'_>) -> Diagnostic {
    let cells = |n: usize| if n == 1 { "1 cell".to_owned() } else { format!("{n} cells") };
    Diagnostic::new(Code::RaggedBoard, line.1)
        .message(format!("this line has {}, expected {expected}", cells(line.0.len())))
        .label(cells(line.0.len()))
        .related(first.1.span, format!("this line has {}", cells(first.0.len())))
}

/// Reports the lines whose length is not that of the first.
fn equal_lengths<'l, 'a: 'l>(
    lines: impl Iterator<Item = &'l Line<'a>>,
    first: &Line<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    let wrong: Vec<_> = lines.filter(|l| l.0.len() != first.0.len()).collect();
    for line in &wrong {
        diagnostics.push(
            ragged(line, &first.0.len().to_string(), first)
                .help("write holes as nothing between commas: `[e, , e]`"),
        );
    }
    wrong.is_empty().then_some(())
}

fn rectangle(
    builder: &mut Builder<'_>,
    lines: &[Line<'_>],
    labels: &[Label],
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let is_regular = equal_lengths(lines.iter(), lines.first()?, diagnostics);
    let grid: Vec<Vec<Option<Vertex>>> = lines
        .iter()
        .enumerate()
        .map(|(y, line)| builder.line(line, |x| format!("rx{x}y{y}"), diagnostics))
        .collect();
    is_regular?;
    link_plane(builder, &grid, labels);
    Some(Shape::Rectangle { lines: grid })
}

/// Joins orthogonal neighbours: labels are up, down, left, right.
fn link_plane(builder: &mut Builder<'_>, grid: &[Vec<Option<Vertex>>], labels: &[Label]) {
    for (y, line) in grid.iter().enumerate() {
        for (x, cell) in line.iter().enumerate() {
            builder.link(*cell, labels[0], y.checked_sub(1).map(|y| grid[y][x]));
            builder.link(*cell, labels[1], grid.get(y + 1).map(|l| l[x]));
            builder.link(*cell, labels[2], x.checked_sub(1).map(|x| line[x]));
            builder.link(*cell, labels[3], line.get(x + 1).copied());
        }
    }
}

fn cuboid(
    builder: &mut Builder<'_>,
    layers: &[(Vec<Line<'_>>, Place)],
    labels: &[Label],
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let (first, _) = layers.first()?;
    equal_lengths(layers.iter().flat_map(|(lines, _)| lines), first.first()?, diagnostics)?;
    if let Some((lines, place)) = layers.iter().find(|(lines, _)| lines.len() != first.len()) {
        diagnostics.push(
            Diagnostic::new(Code::RaggedBoard, *place)
                .message(format!(
                    "this layer has {} line{}, expected {}",
                    lines.len(),
                    if lines.len() == 1 { "" } else { "s" },
                    first.len()
                ))
                .label("a layer of another size")
                .related(layers[0].1.span, format!("this layer has {}", first.len())),
        );
        return None;
    }
    let grids: Vec<Vec<Vec<Option<Vertex>>>> = layers
        .iter()
        .enumerate()
        .map(|(z, (lines, _))| {
            let lines = lines.iter().enumerate();
            lines
                .map(|(y, line)| builder.line(line, |x| format!("cx{x}y{y}z{z}"), diagnostics))
                .collect()
        })
        .collect();
    for (z, grid) in grids.iter().enumerate() {
        link_plane(builder, grid, labels);
        for (y, line) in grid.iter().enumerate() {
            for (x, cell) in line.iter().enumerate() {
                builder.link(*cell, labels[4], grids.get(z + 1).map(|g| g[y][x]));
                builder.link(*cell, labels[5], z.checked_sub(1).map(|z| grids[z][y][x]));
            }
        }
    }
    Some(Shape::Cuboid { layers: grids })
}

fn hexagon(
    builder: &mut Builder<'_>,
    lines: &[Line<'_>],
    labels: &[Label],
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let length = |y: usize| lines[y].0.len();
    let peak = (1..lines.len()).take_while(|y| length(*y) == length(y - 1) + 1).count();
    let wrong = (peak + 1..lines.len()).find(|y| length(*y) + 1 != length(y - 1));
    if let Some(y) = wrong {
        let expected = if y == peak + 1 {
            format!("{} or {}", length(y - 1) + 1, length(y - 1).saturating_sub(1))
        } else {
            format!("{}", length(y - 1).saturating_sub(1))
        };
        diagnostics.push(ragged(&lines[y], &expected, &lines[y - 1]).help(
            "each line of a hexagon is one longer than the one before up to the widest, then one shorter",
        ));
        return None;
    }
    let grid: Vec<Vec<Option<Vertex>>> = lines
        .iter()
        .enumerate()
        .map(|(y, line)| builder.line(line, |x| format!("hx{x}y{y}"), diagnostics))
        .collect();
    let cell = |x: Option<usize>, y: Option<usize>| -> Option<Option<Vertex>> {
        x.and_then(|x| y.and_then(|y| grid.get(y)).and_then(|line| line.get(x))).copied()
    };
    let [nw, ne, east, se, sw, west] = labels else { return None };
    for (y, line) in grid.iter().enumerate() {
        // At or above the widest line, the line above is shorter and shifted half a cell right.
        let (up_left, up_right) = if y <= peak { (-1, 0) } else { (0, 1) };
        let (down_left, down_right) = if y < peak { (0, 1) } else { (-1, 0) };
        for (x, from) in line.iter().enumerate() {
            let by = |dx: isize| x.checked_add_signed(dx);
            let (above, below) = (y.checked_sub(1), Some(y + 1));
            builder.link(*from, *nw, cell(by(up_left), above));
            builder.link(*from, *ne, cell(by(up_right), above));
            builder.link(*from, *east, cell(by(1), Some(y)));
            builder.link(*from, *se, cell(by(down_right), below));
            builder.link(*from, *sw, cell(by(down_left), below));
            builder.link(*from, *west, cell(by(-1), Some(y)));
        }
    }
    Some(Shape::Hexagon { lines: grid })
}

fn graph(
    builder: &mut Builder<'_>,
    vertices: &[DraftVertex<'_>],
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let mut numbers: FxHashMap<&str, (Vertex, Place)> = FxHashMap::default();
    for draft in vertices {
        let (name, place) = draft.name;
        if let Some((_, first)) = numbers.get(name) {
            diagnostics.push(
                Diagnostic::new(Code::DuplicateVertex, place)
                    .message(format!("the vertex `{name}` is declared twice"))
                    .label("declared again here")
                    .related(first.span, "first declared here"),
            );
            continue;
        }
        let Some(piece) = draft.piece else { continue };
        let vertex = builder.add(name.to_owned(), piece, diagnostics);
        numbers.insert(name, (vertex, place));
    }
    for draft in vertices {
        let Some((from, _)) = numbers.get(draft.name.0).copied() else { continue };
        let mut used: Vec<Word<'_>> = Vec::new();
        for (label, (target, target_place)) in &draft.edges {
            if let Some((_, first)) = used.iter().find(|(name, _)| *name == label.0) {
                diagnostics.push(
                    Diagnostic::new(Code::DuplicateEdge, label.1)
                        .message(format!(
                            "the vertex `{}` has two edges `{}`",
                            draft.name.0, label.0
                        ))
                        .label("the second one")
                        .related(first.span, "the first one"),
                );
                continue;
            }
            used.push(*label);
            let Some((to, _)) = numbers.get(target) else {
                if !diagnostics.is_news(Code::UnknownVertex, target_place.span, target) {
                    continue;
                }
                let near = did_you_mean(target, vertices.iter().map(|v| v.name.0));
                diagnostics.push(
                    Diagnostic::new(Code::UnknownVertex, *target_place)
                        .message(format!("there is no vertex `{target}`"))
                        .label("not declared")
                        .maybe_help(near.map(|n| format!("did you mean `{n}`?"))),
                );
                continue;
            };
            if let Some(Meaning::Label(label)) = builder.declarations.meaning(label.0) {
                builder.edges.push((from, label, *to));
            }
        }
    }
    Some(Shape::Graph)
}
