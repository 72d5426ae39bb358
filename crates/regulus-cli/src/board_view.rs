//! Boards as text: rectangles and hexagons drawn, cuboids layer by layer, graphs listed.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use regulus_player::{Position, belongs_to};
use regulus_rbg::declarations::{Declarations, Label, Piece};
use regulus_rbg::{Board, Shape, Vertex};

/// How pieces of the players look, in their order.
const OWNERS: [Style; 5] = [
    Style::new().bold(),
    AnsiColor::Cyan.on_default().bold(),
    AnsiColor::Red.on_default().bold(),
    AnsiColor::Green.on_default().bold(),
    AnsiColor::Magenta.on_default().bold(),
];

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

/// Draws a position; the last move is pointed out.
pub fn draw_position(position: &Position, symbols: &[char]) -> String {
    let game = position.game().rules();
    let view = BoardView {
        board: &game.board,
        declarations: &game.declarations,
        symbols,
        pieces: &position.pieces(),
        marked: &position.last_vertices(),
    };
    view.draw()
}

/// A board with pieces on it, as it is to be drawn.
pub struct BoardView<'b> {
    /// The board.
    pub board: &'b Board,
    /// The names of pieces and labels.
    pub declarations: &'b Declarations,
    /// One character for every piece.
    pub symbols: &'b [char],
    /// The piece on every vertex.
    pub pieces: &'b [Piece],
    /// The vertices to point out: those of the last move.
    pub marked: &'b [u16],
}

impl BoardView<'_> {
    /// The board as text, with colours that whoever prints it may leave out.
    pub fn draw(&self) -> String {
        match self.board.shape() {
            Shape::Rectangle { lines } => self.rectangle(lines),
            Shape::Hexagon { lines } => self.hexagon(lines),
            Shape::Cuboid { layers } => {
                let layers = layers.iter().enumerate();
                layers.map(|(z, lines)| format!("layer z{z}\n{}", self.rectangle(lines))).collect()
            }
            Shape::Graph => self.graph(),
        }
    }

    fn piece(&self, vertex: Vertex) -> Piece {
        self.pieces[usize::from(vertex.0) - 1]
    }

    /// A cell, right-aligned.
    fn cell(&self, cell: &Option<Vertex>, width: usize) -> String {
        let Some(vertex) = cell else { return " ".repeat(width) };
        let piece = usize::from(self.piece(*vertex).0);
        let symbol = self.symbols.get(piece).copied().unwrap_or('?').to_string();
        format!("{}{}", " ".repeat(width.saturating_sub(1)), self.styled(*vertex, &symbol))
    }

    /// A text about the piece on a vertex: in the colour of its owner, inverted if the vertex is marked.
    fn styled(&self, vertex: Vertex, text: &str) -> String {
        let name = self.declarations.piece_name(self.piece(vertex));
        let owner = self.declarations.players().iter().position(|p| belongs_to(name, p));
        let symbol = self.symbols.get(usize::from(self.piece(vertex).0));
        let style = match owner {
            _ if symbol == Some(&'.') => Style::new().dimmed(),
            Some(owner) => OWNERS[owner % OWNERS.len()],
            None => AnsiColor::Yellow.on_default(),
        };
        let marked = self.marked.contains(&vertex.0);
        let style = if marked { style.invert() } else { style };
        format!("{style}{text}{style:#}")
    }

    /// A grid with the column numbers on top and the row numbers at the left, as in vertex names.
    fn rectangle(&self, lines: &[Vec<Option<Vertex>>]) -> String {
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
                let _ = write!(row, " {}", self.cell(c, width));
            }
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }

    /// Lines of hexagonal cells, each shifted by half a cell against its neighbours.
    fn hexagon(&self, lines: &[Vec<Option<Vertex>>]) -> String {
        let widest = lines.iter().map(Vec::len).max().unwrap_or(0);
        let margin = lines.len().saturating_sub(1).to_string().len() + 1;
        let mut text = String::new();
        for (y, line) in lines.iter().enumerate() {
            let label = if y == 0 { "y0".to_owned() } else { y.to_string() };
            let cells: Vec<String> = line.iter().map(|c| self.cell(c, 1)).collect();
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

    fn graph(&self) -> String {
        let (board, d) = (self.board, self.declarations);
        let names = board.vertices().map(|v| board.name(v).len()).max().unwrap_or(0);
        let pieces = d.pieces().iter().map(String::len).max().unwrap_or(0);
        let mut text = String::new();
        for v in board.vertices() {
            let edges: Vec<String> = (0..d.labels().len())
                .map(|l| Label(l as u8))
                .filter(|l| board.next(v, *l).is_some())
                .map(|l| format!("{}: {}", d.label_name(l), board.name(board.next(v, l))))
                .collect();
            let piece = self.styled(v, &format!("{:pieces$}", d.piece_name(self.piece(v))));
            let row = format!("{:names$}  {piece}  {}", board.name(v), edges.join(", "));
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }
}
