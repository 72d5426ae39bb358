//! The board: a directed graph whose edges carry labels, with a starting piece on every vertex.

mod builder;
mod cuboid;
pub mod generator;
mod graph;
mod hexagon;
pub(crate) mod parser;
mod rectangle;

use crate::declarations::{Label, Piece};
use generator::Generator;

/// A vertex, numbered from 1 in order of declaration; 0 means "off the board".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Vertex(pub u16);

impl Vertex {
    /// The end of an edge that does not exist.
    pub const NONE: Vertex = Vertex(0);

    /// True for every real vertex.
    pub fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// How the cells lie, kept for drawing them. Cells are `None` at holes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Lines of equal length.
    Rectangle {
        /// Top line first.
        lines: Vec<Vec<Option<Vertex>>>,
    },
    /// Lines growing by one up to the widest, then shrinking by one.
    Hexagon {
        /// Top line first.
        lines: Vec<Vec<Option<Vertex>>>,
    },
    /// Layers of equal rectangles.
    Cuboid {
        /// First layer first.
        layers: Vec<Vec<Vec<Option<Vertex>>>>,
    },
    /// An explicit graph.
    Graph,
}

/// A board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub(crate) names: Vec<String>,
    pub(crate) pieces: Vec<Piece>,
    /// `next[label * (vertices + 1) + vertex]`; entry 0 of each row is "off the board".
    pub(crate) next: Vec<Vertex>,
    pub(crate) shape: Shape,
    /// Nothing for graphs.
    pub(crate) generator: Option<&'static Generator>,
    /// Labels in the order in which the generator was given them; empty for graphs.
    pub(crate) generator_labels: Vec<Label>,
}

impl Board {
    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Boards have at least one vertex; this is here for completeness.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All vertices, in order.
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + Clone + use<> {
        (1..=self.names.len() as u16).map(Vertex)
    }

    /// The name of a vertex.
    pub fn name(&self, vertex: Vertex) -> &str {
        &self.names[usize::from(vertex.0) - 1]
    }

    /// The vertex of a name.
    pub fn vertex(&self, name: &str) -> Option<Vertex> {
        self.names.iter().position(|n| n == name).map(|i| Vertex(i as u16 + 1))
    }

    /// The piece that stands on a vertex at the beginning.
    pub fn piece(&self, vertex: Vertex) -> Piece {
        self.pieces[usize::from(vertex.0) - 1]
    }

    /// Where the edge of this label leads from a vertex, or [`Vertex::NONE`].
    pub fn next(&self, vertex: Vertex, label: Label) -> Vertex {
        self.next[usize::from(label.0) * (self.len() + 1) + usize::from(vertex.0)]
    }

    /// How many edge labels the board knows.
    pub fn label_count(&self) -> usize {
        self.next.len() / (self.len() + 1)
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.next.iter().filter(|v| v.is_some()).count()
    }

    /// How the cells lie.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What made the board; nothing for explicit graphs.
    pub fn generator(&self) -> Option<&'static Generator> {
        self.generator
    }

    /// The labels given to the generator, in its order; empty for explicit graphs.
    pub fn generator_labels(&self) -> &[Label] {
        &self.generator_labels
    }

    /// A few words such as `8x8 rectangle` for lists of games.
    pub fn summary(&self) -> String {
        let lines_of = |lines: &[Vec<Option<Vertex>>]| {
            let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
            format!("{columns}x{}", lines.len())
        };
        let full = |cells: usize| if cells == self.len() { "" } else { " with holes" };
        let word = self.generator.map_or("graph", |generator| generator.word);
        match &self.shape {
            Shape::Rectangle { lines } => {
                let cells = lines.iter().map(Vec::len).sum();
                format!("{} {word}{}", lines_of(lines), full(cells))
            }
            Shape::Hexagon { lines } => {
                let cells = lines.iter().map(Vec::len).sum();
                format!("{word} of {} lines{}", lines.len(), full(cells))
            }
            Shape::Cuboid { layers } => {
                let cells = layers.iter().flatten().map(Vec::len).sum();
                let lines = layers.first().map_or(String::new(), |l| lines_of(l));
                format!("{lines}x{} {word}{}", layers.len(), full(cells))
            }
            Shape::Graph => format!("{word} of {} vertices", self.len()),
        }
    }
}
