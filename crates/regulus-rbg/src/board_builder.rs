//! Makes the board from its draft: numbers the vertices, resolves names, and joins neighbours as the
//! generators do.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::{Board, Shape, Vertex};
use crate::board_parser::{Draft, DraftVertex, Form, Line, Word, too_many_vertices};
use crate::code::{Code, Severity};
use crate::declarations::{Declarations, Label, Meaning, Piece};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::limits::{MAX_LABELS, MAX_VERTICES};
use crate::provenance::Place;

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
