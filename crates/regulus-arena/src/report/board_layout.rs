//! Where the vertices of a board are drawn. One cell is one unit wide; y grows downwards.

use regulus_rbg::declarations::{Declarations, Label};
use regulus_rbg::{Board, Shape, Vertex};

use super::graph_layout;

/// A point.
pub type Point = (f64, f64);

/// Where everything is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoardLayout {
    /// Width of the picture.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The middle of every vertex, in order.
    pub places: Vec<Point>,
    /// The outline of the cell of every vertex; none for graphs.
    pub outlines: Vec<Vec<Point>>,
    /// True for every second cell of a rectangle.
    pub dark: Vec<bool>,
    /// Lines between vertices of graphs.
    pub lines: Vec<(usize, usize)>,
    /// Words at the margin: columns, rows and layers.
    pub captions: Vec<(Point, String)>,
}

/// Room for captions at the left and above.
const MARGIN: f64 = 0.6;

/// Room at the other sides.
const EDGE: f64 = 0.15;

impl BoardLayout {
    /// The layout of a board, from its shape; graphs are laid out by their edges.
    pub fn new(board: &Board, declarations: &Declarations) -> Self {
        let mut layout = BoardLayout {
            places: vec![(0.0, 0.0); board.len()],
            outlines: vec![Vec::new(); board.len()],
            dark: vec![false; board.len()],
            ..BoardLayout::default()
        };
        match board.shape() {
            Shape::Rectangle { lines } => layout.rectangle(lines, 0.0),
            Shape::Hexagon { lines } => layout.hexagon(lines),
            Shape::Cuboid { layers } => {
                for (z, lines) in layers.iter().enumerate() {
                    let left = layout.width;
                    layout.rectangle(lines, left);
                    layout.captions.push(((left + MARGIN, MARGIN * 0.2), format!("z{z}")));
                }
            }
            Shape::Graph => layout.graph(board, declarations),
        }
        layout
    }

    fn rectangle(&mut self, lines: &[Vec<Option<Vertex>>], left: f64) {
        let left = left + MARGIN;
        for (y, line) in lines.iter().enumerate() {
            let top = MARGIN + y as f64;
            self.captions.push(((left - MARGIN / 2.0, top + 0.5), format!("y{y}")));
            for (x, vertex) in line.iter().enumerate() {
                let Some(vertex) = vertex else { continue };
                let (x0, index) = (left + x as f64, usize::from(vertex.0) - 1);
                self.places[index] = (x0 + 0.5, top + 0.5);
                self.outlines[index] =
                    vec![(x0, top), (x0 + 1.0, top), (x0 + 1.0, top + 1.0), (x0, top + 1.0)];
                self.dark[index] = (x + y) % 2 == 1;
            }
        }
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        for x in 0..columns {
            self.captions.push(((left + x as f64 + 0.5, MARGIN / 2.0), format!("x{x}")));
        }
        self.width = left + columns as f64 + EDGE;
        self.height = self.height.max(MARGIN + lines.len() as f64 + EDGE);
    }

    /// Hexagons with a corner above: lines are the height of three quarters of one apart.
    fn hexagon(&mut self, lines: &[Vec<Option<Vertex>>]) {
        let widest = lines.iter().map(Vec::len).max().unwrap_or(0);
        let radius = 1.0 / 3f64.sqrt();
        for (y, line) in lines.iter().enumerate() {
            let middle = MARGIN + radius + y as f64 * 1.5 * radius;
            let left = MARGIN + (widest - line.len()) as f64 / 2.0;
            self.captions.push(((left - MARGIN / 2.0, middle), format!("y{y}")));
            for (x, vertex) in line.iter().enumerate() {
                let Some(vertex) = vertex else { continue };
                let centre = left + x as f64 + 0.5;
                let index = usize::from(vertex.0) - 1;
                self.places[index] = (centre, middle);
                let half = radius / 2.0;
                self.outlines[index] = vec![
                    (centre, middle - radius),
                    (centre + 0.5, middle - half),
                    (centre + 0.5, middle + half),
                    (centre, middle + radius),
                    (centre - 0.5, middle + half),
                    (centre - 0.5, middle - half),
                ];
            }
        }
        self.width = MARGIN + widest as f64 + EDGE;
        let rows = lines.len().saturating_sub(1) as f64;
        self.height = MARGIN + 2.0 * radius + rows * 1.5 * radius + EDGE;
    }

    fn graph(&mut self, board: &Board, declarations: &Declarations) {
        let mut edges = Vec::new();
        for vertex in board.vertices() {
            for label in (0..board.label_count()).map(|l| Label(l as u8)) {
                let next = board.next(vertex, label);
                if next.is_some() && next != vertex {
                    let (from, to) = (usize::from(vertex.0) - 1, usize::from(next.0) - 1);
                    edges.push((from, to, declarations.label_name(label)));
                }
            }
        }
        self.places = graph_layout::places(board.len(), &edges);
        for (x, y) in &mut self.places {
            *x += 0.5 + EDGE;
            *y += 0.5 + EDGE;
            self.width = self.width.max(*x + 0.5 + EDGE);
            self.height = self.height.max(*y + 0.5 + EDGE);
        }
        self.lines = edges.iter().map(|(a, b, _)| (*a.min(b), *a.max(b))).collect();
        self.lines.sort_unstable();
        self.lines.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regulus_rbg::{Source, load};

    fn layout(name: &str) -> BoardLayout {
        let text = regulus_games::find(name).expect("a built-in game").text;
        let game = load(&Source::new(name, text)).game.expect("a game");
        BoardLayout::new(&game.board, &game.declarations)
    }

    /// On every built-in board no two vertices are closer than the pieces on them are wide, and all are
    /// inside the picture.
    #[test]
    fn vertices_keep_apart() {
        for game in regulus_games::GAMES {
            let layout = layout(game.name);
            for (i, (x, y)) in layout.places.iter().enumerate() {
                assert!(*x > 0.4 && *x < layout.width - 0.4, "{}: {x}", game.name);
                assert!(*y > 0.4 && *y < layout.height - 0.4, "{}: {y}", game.name);
                for (u, v) in &layout.places[..i] {
                    let distance = (x - u).hypot(y - v);
                    assert!(distance > 0.85, "{}: {distance}", game.name);
                }
            }
        }
    }

    /// The mill board is three squares in a grid of seven by seven.
    #[test]
    fn directions_are_understood() {
        let mill = layout("the-mill-game");
        assert_eq!((mill.places.len(), mill.lines.len()), (24, 32));
        let offset = 0.5 + EDGE;
        let cell = |at: f64| (at - offset).round() as i32;
        let place = |i: usize| (cell(mill.places[i].0), cell(mill.places[i].1));
        // a7, d7, g7 and b6, in the order of the rules.
        assert_eq!([place(0), place(1), place(2), place(3)], [(0, 0), (3, 0), (6, 0), (1, 1)]);
    }
}
