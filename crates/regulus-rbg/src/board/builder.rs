//! Makes the board from its draft: numbers the vertices, resolves names, and joins neighbours as the
//! generators do.

use rustc_hash::FxHashSet;

use crate::board::parser::{Draft, Form, Line, Word, too_many_vertices};
use crate::board::{Board, Vertex, graph};
use crate::code::{Code, Severity};
use crate::declarations::{Declarations, Label, Meaning, Piece};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::limits::{MAX_LABELS, MAX_VERTICES};

/// Collects the vertices and edges of the finished board.
pub(crate) struct Builder<'d> {
    pub(super) declarations: &'d Declarations,
    /// False if the list of pieces is not complete, so that nothing can be said of the others.
    pieces_known: bool,
    /// Words that have been reported not to be pieces.
    unknown: FxHashSet<String>,
    names: Vec<String>,
    pieces: Vec<Piece>,
    pub(super) edges: Vec<(Vertex, Label, Vertex)>,
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

    pub(super) fn add(
        &mut self,
        name: String,
        word: Word<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Vertex {
        let piece = self.piece(word, diagnostics);
        self.names.push(name);
        self.pieces.push(piece);
        Vertex(self.names.len().min(MAX_VERTICES) as u16)
    }

    pub(super) fn line(
        &mut self,
        line: &Line<'_>,
        name: impl Fn(usize) -> String,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Option<Vertex>> {
        let cells = line.0.iter().enumerate();
        cells.map(|(x, cell)| cell.map(|w| self.add(name(x), w, diagnostics))).collect()
    }

    pub(super) fn link(&mut self, from: Option<Vertex>, label: Label, to: Option<Option<Vertex>>) {
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
        let (shape, generator) = match &self.form {
            Form::Generated(generator, layers) => {
                let shape = (generator.join)(&mut builder, layers, &labels, diagnostics)?;
                (shape, Some(*generator))
            }
            Form::Graph(vertices) => (graph::join(&mut builder, vertices, diagnostics)?, None),
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
            generator,
            generator_labels: labels,
        })
    }
}
