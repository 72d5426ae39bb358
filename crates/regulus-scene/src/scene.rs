//! Where the vertices of a board are drawn. One cell is one unit wide; y grows downwards.

use regulus_rbg::declarations::{Declarations, Label as EdgeLabel};
use regulus_rbg::{Board, Shape, Vertex};
use serde::Serialize;

use crate::direction::direction;
use crate::graph_layout;
use crate::hints::{Hints, Style};
use crate::look::{Kind, looks};

/// The form of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CellShape {
    /// A square; its size is its side.
    Square,
    /// A hexagon with corners above and below; its size is its width.
    Hexagon,
    /// A circle; its size is its diameter.
    Circle,
    /// A crossing of lines; its size is that of the pieces on it.
    Point,
}

/// Where a vertex is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cell {
    /// The vertex, from 1 as in the rules.
    pub vertex: u16,
    /// Its middle.
    pub x: f64,
    /// Its middle.
    pub y: f64,
    /// Its form.
    pub shape: CellShape,
    /// How large it is.
    pub size: f64,
    /// 0 and 1 are the light and dark cells of a chequered board, 2 is the only shade of others.
    pub shade: u8,
    /// Its name in the rules.
    pub name: String,
}

/// A square of a chequered board that is not part of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Blank {
    /// Its middle.
    pub x: f64,
    /// Its middle.
    pub y: f64,
    /// Its side.
    pub size: f64,
}

/// A line of the board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// From here.
    pub x1: f64,
    /// From here.
    pub y1: f64,
    /// To here.
    pub x2: f64,
    /// To here.
    pub y2: f64,
}

/// Words at the margin: columns, rows and layers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Label {
    /// The middle.
    pub x: f64,
    /// The middle.
    pub y: f64,
    /// The words.
    pub text: String,
}

/// A board as it is drawn.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Scene {
    /// Width of the picture.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// A cell for every vertex, in order.
    pub cells: Vec<Cell>,
    /// What is drawn below the cells.
    pub blanks: Vec<Blank>,
    /// Lines between vertices of graphs, and those whose crossings are vertices.
    pub lines: Vec<Line>,
    /// What is written at the margin.
    pub labels: Vec<Label>,
}

/// Lines of vertices, top line first; `None` at holes.
type Lines = [Vec<Option<Vertex>>];

/// Room for labels at the left and above.
const MARGIN: f64 = 0.6;

/// Room at the other sides.
const EDGE: f64 = 0.15;

/// Layers of a cuboid are in one row up to this width.
const WIDEST_ROW: usize = 16;

impl Scene {
    /// The picture of a board, from its shape; graphs are laid out by their edges.
    pub fn new(board: &Board, declarations: &Declarations, hints: &Hints) -> Self {
        let mut scene = Scene::default();
        match board.shape() {
            Shape::Rectangle { lines } => {
                let style = hints.style.unwrap_or_else(|| style(declarations, hints, lines));
                match turned(board, declarations) {
                    Some((right, down)) => scene.turned_rectangle(lines, right, down),
                    None => scene.rectangle(lines, style, (0.0, 0.0)),
                }
            }
            Shape::Hexagon { lines } => scene.hexagon(lines),
            Shape::Cuboid { layers } => {
                let first = layers.first().map(Vec::as_slice).unwrap_or_default();
                let style = hints.style.unwrap_or_else(|| style(declarations, hints, first));
                scene.cuboid(layers, style);
            }
            Shape::Graph => scene.graph(board, declarations, hints),
        }
        scene.cells.sort_by_key(|cell| cell.vertex);
        for cell in &mut scene.cells {
            cell.name = board.name(Vertex(cell.vertex)).to_owned();
        }
        scene.round();
        scene
    }

    fn cell(&mut self, vertex: Vertex, (x, y): (f64, f64), shape: CellShape, shade: u8) {
        let size = match shape {
            CellShape::Square | CellShape::Hexagon => 1.0,
            CellShape::Circle => 0.5,
            CellShape::Point => 0.95,
        };
        self.cells.push(Cell { vertex: vertex.0, x, y, shape, size, shade, name: String::new() });
    }

    fn label(&mut self, x: f64, y: f64, text: String) {
        self.labels.push(Label { x, y, text });
    }

    fn rectangle(&mut self, lines: &Lines, style: Style, (left, top): (f64, f64)) {
        let (left, top) = (left + MARGIN, top + MARGIN);
        let at = |x: usize, y: usize| (left + x as f64 + 0.5, top + y as f64 + 0.5);
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let filled =
            |x: usize, y: usize| lines.get(y).and_then(|l| l.get(x)).is_some_and(Option::is_some);
        for (y, line) in lines.iter().enumerate() {
            self.label(left - MARGIN / 2.0, at(0, y).1, format!("y{y}"));
            for (x, vertex) in line.iter().enumerate() {
                let Some(vertex) = vertex else { continue };
                let (shape, shade) = match style {
                    Style::Squares => (CellShape::Square, ((x + y) % 2) as u8),
                    Style::Plain => (CellShape::Square, 2),
                    Style::Points => (CellShape::Point, 2),
                };
                self.cell(*vertex, at(x, y), shape, shade);
                if style == Style::Points {
                    let ((x1, y1), right, below) = (at(x, y), filled(x + 1, y), filled(x, y + 1));
                    if right {
                        self.lines.push(Line { x1, y1, x2: x1 + 1.0, y2: y1 });
                    }
                    if below {
                        self.lines.push(Line { x1, y1, x2: x1, y2: y1 + 1.0 });
                    }
                }
            }
        }
        for x in 0..columns {
            self.label(at(x, 0).0, top - MARGIN / 2.0, format!("x{x}"));
        }
        self.width = self.width.max(left + columns as f64 + EDGE);
        self.height = self.height.max(top + lines.len() as f64 + EDGE);
    }

    /// A rectangle whose directions are diagonals is a chequered board of which only one colour is used.
    fn turned_rectangle(&mut self, lines: &Lines, right: (i32, i32), down: (i32, i32)) {
        let mut places = Vec::new();
        for (y, line) in (0..).zip(lines) {
            for (x, vertex) in (0..).zip(line) {
                let place = (x * right.0 + y * down.0, x * right.1 + y * down.1);
                places.extend(vertex.map(|vertex| (vertex, place)));
            }
        }
        let least = |part: fn(&(i32, i32)) -> i32| places.iter().map(|(_, p)| part(p)).min();
        let (x0, y0) = (least(|p| p.0).unwrap_or(0), least(|p| p.1).unwrap_or(0));
        let at =
            |(x, y): (i32, i32)| (EDGE + f64::from(x - x0) + 0.5, EDGE + f64::from(y - y0) + 0.5);
        let used: std::collections::BTreeSet<(i32, i32)> =
            places.iter().map(|(_, place)| *place).collect();
        let around = |(x, y): (i32, i32)| [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
        let between: std::collections::BTreeSet<(i32, i32)> = used
            .iter()
            .flat_map(|place| around(*place))
            .filter(|place| around(*place).iter().filter(|n| used.contains(n)).count() >= 2)
            .collect();
        for place in between {
            let (x, y) = at(place);
            self.blanks.push(Blank { x, y, size: 1.0 });
        }
        for (vertex, place) in places {
            self.cell(vertex, at(place), CellShape::Square, 1);
        }
        self.enclose();
    }

    /// The size of a picture without labels.
    fn enclose(&mut self) {
        let places = self.cells.iter().map(|cell| (cell.x, cell.y));
        for (x, y) in places.chain(self.blanks.iter().map(|blank| (blank.x, blank.y))) {
            self.width = self.width.max(x + 0.5 + EDGE);
            self.height = self.height.max(y + 0.5 + EDGE);
        }
    }

    /// Hexagons with a corner above: lines are the height of three quarters of one apart.
    fn hexagon(&mut self, lines: &Lines) {
        let widest = lines.iter().map(Vec::len).max().unwrap_or(0);
        let radius = 1.0 / 3f64.sqrt();
        for (y, line) in lines.iter().enumerate() {
            let middle = EDGE + radius + y as f64 * 1.5 * radius;
            let left = MARGIN + (widest - line.len()) as f64 / 2.0;
            let first = line.iter().position(Option::is_some).unwrap_or(0);
            self.label(left + first as f64 - MARGIN / 2.0, middle, format!("y{y}"));
            for (x, vertex) in line.iter().enumerate() {
                if let Some(vertex) = vertex {
                    let place = (left + x as f64 + 0.5, middle);
                    self.cell(*vertex, place, CellShape::Hexagon, 2);
                }
            }
        }
        self.width = MARGIN + widest as f64 + EDGE;
        let rows = lines.len().saturating_sub(1) as f64;
        self.height = 2.0 * EDGE + 2.0 * radius + rows * 1.5 * radius;
    }

    /// Layers side by side; those of large boards in several rows.
    fn cuboid(&mut self, layers: &[Vec<Vec<Option<Vertex>>>], style: Style) {
        let rows = layers.first().map_or(0, Vec::len);
        let columns = layers.iter().flatten().map(Vec::len).max().unwrap_or(0);
        // A row as wide as the picture is high, or all in one if it is short.
        let square = (1..=layers.len()).find(|n| n * columns >= layers.len().div_ceil(*n) * rows);
        let in_row =
            if layers.len() * columns <= WIDEST_ROW { layers.len() } else { square.unwrap_or(1) };
        let (step_x, step_y) = (columns as f64 + MARGIN + EDGE, rows as f64 + 1.5 * MARGIN + EDGE);
        for (z, lines) in layers.iter().enumerate() {
            let (left, top) = ((z % in_row) as f64 * step_x, (z / in_row) as f64 * step_y);
            self.rectangle(lines, style, (left, top + MARGIN / 2.0));
            self.label(left + MARGIN + columns as f64 / 2.0, top + MARGIN * 0.4, format!("z{z}"));
        }
    }

    fn graph(&mut self, board: &Board, declarations: &Declarations, hints: &Hints) {
        let mut edges = Vec::new();
        for vertex in board.vertices() {
            for label in (0..board.label_count()).map(|l| EdgeLabel(l as u8)) {
                let next = board.next(vertex, label);
                if next.is_some() && next != vertex {
                    let (from, to) = (usize::from(vertex.0) - 1, usize::from(next.0) - 1);
                    edges.push((from, to, declarations.label_name(label)));
                }
            }
        }
        let hinted: Option<Vec<(f64, f64)>> =
            board.vertices().map(|v| hints.places.get(board.name(v)).copied()).collect();
        let places = hinted
            .and_then(graph_layout::given)
            .unwrap_or_else(|| graph_layout::places(board.len(), &edges));
        let at = |(x, y): (f64, f64)| (x + 0.5 + EDGE, y + 0.5 + EDGE);
        for (vertex, place) in board.vertices().zip(&places) {
            self.cell(vertex, at(*place), CellShape::Circle, 2);
        }
        let mut pairs: Vec<(usize, usize)> =
            edges.iter().map(|(a, b, _)| (*a.min(b), *a.max(b))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        for (a, b) in pairs {
            let ((x1, y1), (x2, y2)) = (at(places[a]), at(places[b]));
            self.lines.push(Line { x1, y1, x2, y2 });
        }
        self.enclose();
    }

    /// Thousandths of a cell are enough, and shorter.
    fn round(&mut self) {
        let round = |value: &mut f64| *value = (*value * 1000.0).round() / 1000.0;
        for value in [&mut self.width, &mut self.height] {
            round(value);
        }
        self.cells.iter_mut().for_each(|c| [&mut c.x, &mut c.y].into_iter().for_each(round));
        self.blanks.iter_mut().for_each(|b| [&mut b.x, &mut b.y].into_iter().for_each(round));
        self.labels.iter_mut().for_each(|l| [&mut l.x, &mut l.y].into_iter().for_each(round));
        for line in &mut self.lines {
            [&mut line.x1, &mut line.y1, &mut line.x2, &mut line.y2].into_iter().for_each(round);
        }
    }
}

/// Where right and down lead if the four directions of a rectangle are diagonals by name.
fn turned(board: &Board, declarations: &Declarations) -> Option<((i32, i32), (i32, i32))> {
    let [up, down, left, right] = board.generator_labels() else { return None };
    let [up, down, left, right] =
        [up, down, left, right].map(|label| direction(declarations.label_name(*label)));
    let (up, down, left, right) = (up?, down?, left?, right?);
    let opposite = |a: (i32, i32), b: (i32, i32)| a == (-b.0, -b.1);
    let diagonal = down.0 * down.1 != 0 && right.0 * right.1 != 0;
    let apart = down != right && !opposite(down, right);
    (opposite(up, down) && opposite(left, right) && diagonal && apart).then_some((right, down))
}

/// What the pieces tell about the board: chess is played on squares of two colours, stones are put on
/// crossings.
fn style(declarations: &Declarations, hints: &Hints, lines: &Lines) -> Style {
    let looks = looks(declarations, hints);
    let figures: Vec<&str> = looks.iter().filter_map(|look| look.figure.as_deref()).collect();
    let shown = looks.iter().filter(|look| look.kind != Kind::None).count();
    let smallest = lines.len().min(lines.iter().map(Vec::len).max().unwrap_or(0));
    let stones =
        figures.len() == shown && figures.iter().all(|f| ["stone", "territory"].contains(f));
    let discs = looks.iter().all(|look| matches!(look.kind, Kind::None | Kind::Disc));
    if stones && smallest >= 7 || discs && smallest >= 13 {
        return Style::Points;
    }
    const CHEQUERED: [&str; 9] =
        ["pawn", "knight", "bishop", "rook", "queen", "king", "crowned", "fox", "hound"];
    if figures.iter().any(|figure| CHEQUERED.contains(figure)) {
        Style::Squares
    } else {
        Style::Plain
    }
}
