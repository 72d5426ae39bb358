//! Boards as text: rectangles and hexagons drawn, cuboids layer by layer, graphs listed.

use std::fmt::Write as _;

use regulus_rbg::declarations::{Declarations, Label, Piece};
use regulus_rbg::{Board, Shape, Vertex};

/// The legend of the symbols: `K whiteKing, whiteUnmovedKing`.
pub fn legend(declarations: &Declarations, symbols: &[char]) -> String {
    let mut lines: Vec<(char, Vec<&str>)> = Vec::new();
    for (name, symbol) in declarations.pieces().iter().zip(symbols) {
        match lines.iter_mut().find(|(s, _)| s == symbol) {
            Some((_, names)) => names.push(name),
            None => lines.push((*symbol, vec![name])),
        }
    }
    let lines: Vec<String> =
        lines.iter().map(|(s, names)| format!("{s} {}", names.join(", "))).collect();
    lines.join("\n")
}

/// Draws a board with the given pieces on it.
pub fn draw(
    board: &Board,
    declarations: &Declarations,
    symbols: &[char],
    piece: impl Fn(Vertex) -> Piece,
) -> String {
    let symbol = |cell: &Option<Vertex>| {
        cell.map_or(' ', |v| symbols.get(usize::from(piece(v).0)).copied().unwrap_or('?'))
    };
    match board.shape() {
        Shape::Rectangle { lines } => rectangle(lines, symbol),
        Shape::Hexagon { lines } => hexagon(lines, symbol),
        Shape::Cuboid { layers } => {
            let layers = layers.iter().enumerate();
            layers.map(|(z, lines)| format!("layer z{z}\n{}", rectangle(lines, symbol))).collect()
        }
        Shape::Graph => graph(board, declarations, piece),
    }
}

/// A grid with the column numbers on top and the row numbers at the left, as in vertex names.
fn rectangle(lines: &[Vec<Option<Vertex>>], symbol: impl Fn(&Option<Vertex>) -> char) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let cell = columns.saturating_sub(1).to_string().len();
    let margin = lines.len().saturating_sub(1).to_string().len() + 1;
    let mut text = format!("{:margin$}", "");
    for x in 0..columns {
        let label = if x == 0 { format!("x{x}") } else { x.to_string() };
        let _ = write!(text, " {label:>cell$}");
    }
    text.push('\n');
    for (y, line) in lines.iter().enumerate() {
        let label = if y == 0 { "y0".to_owned() } else { y.to_string() };
        let mut row = format!("{label:>margin$}");
        for (x, c) in line.iter().enumerate() {
            // The heading of the first column is one wider than the others.
            let width = if x == 0 { cell.max(2) } else { cell };
            let _ = write!(row, " {:>width$}", symbol(c));
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// Lines of hexagonal cells, each shifted by half a cell against its neighbours.
fn hexagon(lines: &[Vec<Option<Vertex>>], symbol: impl Fn(&Option<Vertex>) -> char) -> String {
    let widest = lines.iter().map(Vec::len).max().unwrap_or(0);
    let margin = lines.len().saturating_sub(1).to_string().len() + 1;
    let mut text = String::new();
    for (y, line) in lines.iter().enumerate() {
        let label = if y == 0 { "y0".to_owned() } else { y.to_string() };
        let cells: Vec<String> = line.iter().map(|c| symbol(c).to_string()).collect();
        let row = format!(
            "{label:>margin$}  {:indent$}{}",
            "",
            cells.join(" "),
            indent = widest - line.len()
        );
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

fn graph(board: &Board, d: &Declarations, piece: impl Fn(Vertex) -> Piece) -> String {
    let names = board.vertices().map(|v| board.name(v).len()).max().unwrap_or(0);
    let pieces = d.pieces().iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for v in board.vertices() {
        let edges: Vec<String> = (0..d.labels().len())
            .map(|l| Label(l as u8))
            .filter(|l| board.next(v, *l).is_some())
            .map(|l| format!("{}: {}", d.label_name(l), board.name(board.next(v, l))))
            .collect();
        let row = format!(
            "{:names$}  {:pieces$}  {}",
            board.name(v),
            d.piece_name(piece(v)),
            edges.join(", ")
        );
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}
