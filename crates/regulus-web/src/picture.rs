//! How a game is drawn: what the page needs besides positions.

use regulus_rbg::{Game, Shape};
use serde::Serialize;

/// Where everything is; one unit is a cell, y grows downwards.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Scene {
    width: f64,
    height: f64,
    cells: Vec<Cell>,
    lines: Vec<Line>,
    labels: Vec<Label>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Cell {
    vertex: u16,
    x: f64,
    y: f64,
    shape: &'static str,
    size: f64,
    shade: u8,
    name: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Line {
    x1: f64,
    y1: f64,
    x2: f64,
    y2: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Label {
    x: f64,
    y: f64,
    text: String,
}

/// What a piece looks like.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Look {
    name: String,
    kind: &'static str,
    figure: Option<&'static str>,
    fill: &'static str,
    stroke: &'static str,
    letter: Option<char>,
}

/// How a game is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// The board.
    pub scene: Scene,
    /// The pieces, by their numbers.
    pub pieces: Vec<Look>,
    /// The piece on every vertex at the beginning.
    pub board: Vec<u8>,
}

impl Picture {
    /// Draws a game.
    pub fn new(game: &Game) -> Self {
        let board = &game.board;
        let mut cells = Vec::new();
        let mut add = |lines: &[Vec<Option<regulus_rbg::Vertex>>], left: f64| {
            for (y, line) in lines.iter().enumerate() {
                for (x, vertex) in line.iter().enumerate() {
                    if let Some(vertex) = vertex {
                        cells.push(Cell {
                            vertex: vertex.0,
                            x: left + x as f64 + 0.5,
                            y: y as f64 + 0.5,
                            shape: "square",
                            size: 1.0,
                            shade: ((x + y) % 2) as u8,
                            name: board.name(*vertex).to_owned(),
                        });
                    }
                }
            }
        };
        match board.shape() {
            Shape::Rectangle { lines } | Shape::Hexagon { lines } => add(lines, 0.0),
            Shape::Cuboid { layers } => {
                let width = layers.iter().flatten().map(Vec::len).max().unwrap_or(0) + 1;
                layers.iter().enumerate().for_each(|(z, lines)| add(lines, (z * width) as f64));
            }
            Shape::Graph => {
                let all: Vec<_> = board.vertices().map(Some).collect();
                let width = (all.len() as f64).sqrt().ceil().max(1.0) as usize;
                add(&all.chunks(width).map(<[_]>::to_vec).collect::<Vec<_>>(), 0.0);
            }
        }
        let most = |f: fn(&Cell) -> f64| cells.iter().map(f).fold(0.0, f64::max) + 0.5;
        let (width, height) = (most(|c| c.x), most(|c| c.y));
        let scene = Scene { width, height, cells, lines: Vec::new(), labels: Vec::new() };
        let symbols = regulus_player::symbols(&game.declarations);
        let pieces = game.declarations.pieces().iter().zip(symbols).map(|(name, symbol)| Look {
            name: name.clone(),
            kind: if symbol == '.' { "none" } else { "disc" },
            figure: None,
            fill: if symbol.is_lowercase() { "black" } else { "white" },
            stroke: "grey",
            letter: (symbol != '.').then_some(symbol),
        });
        let pieces = pieces.collect();
        Picture { scene, pieces, board: board.vertices().map(|v| board.piece(v).0).collect() }
    }
}
