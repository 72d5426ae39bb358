//! Boards as text: rectangles and hexagons drawn, cuboids layer by layer, graphs listed.

use std::fmt::Write as _;

use regulus_rbg::declarations::{Declarations, Label, Piece};
use regulus_rbg::{Board, Shape, Vertex};

/// One letter for every piece. A dot stands for an empty vertex; pieces named after the first player
/// are upper case, those named after the second lower case. A kind of piece that is named after
/// another, as `whiteUnmovedKing` after `whiteKing`, looks like it.
pub fn symbols(declarations: &Declarations) -> Vec<char> {
    let pieces = declarations.pieces();
    let players = declarations.players();
    let mut symbols: Vec<Option<char>> = vec![None; pieces.len()];
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    // Plain names choose their letter first.
    order.sort_by_key(|i| pieces[*i].chars().filter(char::is_ascii_uppercase).count());
    for i in order {
        let name = &pieces[i];
        if matches!(name.as_str(), "e" | "empty" | "none") && !symbols.contains(&Some('.')) {
            symbols[i] = Some('.');
            continue;
        }
        let owner = players.iter().position(|p| belongs_to(name, p));
        let prefix =
            owner.map(|o| players[o].as_str()).filter(|p| name.starts_with(p)).unwrap_or("");
        let kind = if name.len() > prefix.len() { &name[prefix.len()..] } else { name };
        let word = last_word(kind);
        let plain = pieces.iter().position(|p| *p == format!("{prefix}{word}") && p != name);
        if let Some(symbol) = plain.and_then(|p| symbols[p]).filter(|_| !prefix.is_empty()) {
            symbols[i] = Some(symbol);
            continue;
        }
        let lower = owner == Some(1);
        let cased = |c: char| if lower { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        // `tile7` is best known by its number.
        let digit = name.chars().next_back().filter(char::is_ascii_digit);
        symbols[i] = digit
            .into_iter()
            .chain(word.chars())
            .chain(kind.chars())
            .map(cased)
            .chain(('A'..='Z').map(cased))
            .chain('a'..='z')
            .chain('A'..='Z')
            .chain('!'..='~')
            .find(|c| *c != '.' && !symbols.contains(&Some(*c)));
    }
    symbols.into_iter().map(|s| s.unwrap_or('?')).collect()
}

/// `whitePawn` and `w` belong to `white`.
fn belongs_to(piece: &str, player: &str) -> bool {
    piece.starts_with(player) || (piece.len() == 1 && player.starts_with(piece))
}

/// `King` of `UnmovedKing`.
fn last_word(name: &str) -> &str {
    &name[name.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0)..]
}

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
