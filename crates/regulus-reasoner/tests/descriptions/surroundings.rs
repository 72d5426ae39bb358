//! Changes of what rules are about: the board, its size, shape and edges; players, pieces, variables and
//! their bounds.

use super::choices::Choices;
use super::draft::{Board, Cell, Draft, Expression, Line};

use Expression::{Off, On, Switch};

/// Vertices beyond which boards do not grow.
const MOST_VERTICES: usize = 400;

/// Cuts a board down to a few lines and columns.
pub fn crop(draft: &mut Draft, choices: &mut Choices<'_>) {
    let (width, height) = (2 + choices.below(4), 2 + choices.below(4));
    let cut = |lines: &mut Vec<Line>, x: usize, y: usize| {
        let (x, y) = (x % lines[0].len(), y % lines.len());
        lines.drain(..y.min(lines.len().saturating_sub(height)));
        lines.truncate(height);
        for line in lines {
            line.drain(..x.min(line.len().saturating_sub(width)));
            line.truncate(width);
        }
    };
    let (x, y) = (choices.below(30), choices.below(30));
    match &mut draft.board {
        Board::Rectangle(_, lines) => cut(lines, x, y),
        Board::Cuboid(_, layers) => {
            layers.truncate(1 + choices.below(3));
            layers.iter_mut().for_each(|lines| cut(lines, x, y));
        }
        Board::Hexagon(_, lines) => {
            // From the top line on, so that the lines still grow and shrink one by one.
            let keep = 1 + choices.below(lines.len());
            lines.truncate(keep);
            let widest = lines.iter().map(Vec::len).max().unwrap_or(1);
            let fewer =
                choices.below(widest).min(lines.iter().map(Vec::len).min().unwrap_or(1) - 1);
            lines.iter_mut().for_each(|line| line.truncate(line.len() - fewer));
        }
        Board::Graph(cells) => keep_cells(cells, 3 + choices.below(12)),
    }
    keep_edges(draft);
}

/// Keeps the first vertices and the edges among them.
fn keep_cells(cells: &mut Vec<Cell>, number: usize) {
    cells.truncate(number.max(1));
    let number = cells.len();
    cells.iter_mut().for_each(|cell| cell.edges.retain(|(_, to)| *to < number));
}

/// Every label of a graph has an edge, since labels are declared by use; where there is none, one leads
/// from the last vertex to itself.
fn keep_edges(draft: &mut Draft) {
    let Board::Graph(cells) = &mut draft.board else { return };
    for label in 0..draft.labels.len() {
        let used = cells.iter().any(|cell| cell.edges.iter().any(|(l, _)| *l == label));
        let last = cells.len() - 1;
        if !used {
            cells[last].edges.push((label, last));
        }
    }
}

/// Changes size, shape, pieces or edges of the board.
pub fn change_board(draft: &mut Draft, choices: &mut Choices<'_>) {
    let pieces = draft.pieces.len();
    let roomy = draft.vertices() < MOST_VERTICES;
    match choices.below(8) {
        0 => crop(draft, choices),
        1 | 2 => each_cell(draft, &mut |cell| {
            if choices.one_in(6) {
                *cell = Some(choices.below(pieces));
            }
        }),
        // Holes; the first vertex stays.
        3 => {
            let mut first = true;
            each_cell(draft, &mut |cell| {
                if cell.is_some() && !std::mem::take(&mut first) && choices.one_in(8) {
                    *cell = None;
                }
            });
        }
        4 if roomy => grow(draft, choices),
        _ => {
            if !matches!(draft.board, Board::Graph(_)) && draft.vertices() <= MOST_VERTICES {
                draft.make_graph();
            }
            change_graph(draft, choices);
        }
    }
    keep_edges(draft);
}

fn each_cell(draft: &mut Draft, f: &mut dyn FnMut(&mut Option<usize>)) {
    match &mut draft.board {
        Board::Rectangle(_, lines) | Board::Hexagon(_, lines) => {
            lines.iter_mut().flatten().for_each(f);
        }
        Board::Cuboid(_, layers) => layers.iter_mut().flatten().flatten().for_each(f),
        Board::Graph(cells) => {
            for cell in cells {
                let mut piece = Some(cell.piece);
                f(&mut piece);
                match piece {
                    Some(piece) => cell.piece = piece,
                    // A hole of a graph is a vertex without edges.
                    None => cell.edges.clear(),
                }
            }
        }
    }
}

fn grow(draft: &mut Draft, choices: &mut Choices<'_>) {
    let times = if choices.one_in(6) { 30 } else { 1 + choices.below(3) };
    let vertices = draft.vertices().max(1);
    let times = times.min(MOST_VERTICES / vertices + 1);
    match &mut draft.board {
        Board::Rectangle(_, lines) if choices.one_in(2) => {
            let at = choices.below(lines.len());
            let line = lines[at].clone();
            (0..times).for_each(|_| lines.insert(at, line.clone()));
        }
        Board::Rectangle(_, lines) => {
            let at = choices.below(lines[0].len());
            for line in lines {
                let cell = line[at];
                (0..times).for_each(|_| line.insert(at, cell));
            }
        }
        Board::Hexagon(_, lines) => {
            for line in lines {
                let cell = line[line.len() - 1];
                line.push(cell);
            }
        }
        Board::Cuboid(_, layers) => {
            let layer = layers[choices.below(layers.len())].clone();
            layers.push(layer);
        }
        Board::Graph(cells) => {
            let copies = cells.len();
            let more: Vec<Cell> = cells.iter().take(20).cloned().collect();
            cells.extend(more);
            // A way to the new vertices, which lead back to the old ones.
            let at = choices.below(copies);
            let to = copies + choices.below(cells.len() - copies);
            if let Some(edge) = cells[at].edges.first_mut() {
                edge.1 = to;
            }
        }
    }
}

/// One-way edges, edges to the vertex itself, several edges to one vertex, vertices that nothing leads to.
fn change_graph(draft: &mut Draft, choices: &mut Choices<'_>) {
    let Board::Graph(cells) = &mut draft.board else { return };
    let number = cells.len();
    for _ in 0..1 + choices.below(6) {
        let (at, to) = (choices.below(number), choices.below(number));
        let label = choices.below(draft.labels.len());
        match choices.below(6) {
            0 => cells[at].edges.retain(|(l, _)| *l != label),
            1 => cells[at].edges.clear(),
            2 => cells.iter_mut().for_each(|cell| cell.edges.retain(|(_, v)| *v != to)),
            3 => {
                let edges = &mut cells[at].edges;
                edges.retain(|(l, _)| *l != label);
                edges.push((label, at));
            }
            _ => {
                let edges = &mut cells[at].edges;
                edges.retain(|(l, _)| *l != label);
                edges.push((label, to));
            }
        }
    }
    if choices.one_in(4) {
        cells.swap(0, choices.below(number));
    }
}

/// Bounds that matter: tiny ones, those around the limits of engines, the largest.
const BOUNDS: [u32; 14] =
    [1, 1, 2, 3, 7, 100, 255, 256, 1000, 1001, 4096, 65_536, u32::MAX / 2, u32::MAX - 1];

/// Changes bounds; adds names or makes two of them one.
pub fn change_names(draft: &mut Draft, choices: &mut Choices<'_>) {
    match choices.below(6) {
        0 | 1 => {
            let at = choices.below(draft.variables.len());
            draft.variables[at].1 = choices.pick(&BOUNDS);
        }
        2 => {
            let more = if choices.one_in(6) { 60 } else { 1 };
            let from = draft.pieces.len();
            draft.pieces.extend((from..from + more).map(|i| format!("zp{i}")));
            add_pieces(draft, choices);
        }
        3 => {
            let (from, to) = (choices.below(draft.pieces.len()), choices.below(draft.pieces.len()));
            draft.rules.for_each(&mut |e| match e {
                On(pieces) => {
                    pieces.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
                    pieces.sort_unstable();
                    pieces.dedup();
                }
                Off(piece) if *piece == from => *piece = to,
                _ => {}
            });
        }
        4 => {
            let more = if choices.one_in(6) { 40 } else { 1 };
            let from = draft.variables.len();
            let bound = choices.pick(&BOUNDS);
            draft.variables.extend((from..from + more).map(|i| (format!("zv{i}"), bound)));
        }
        _ => {
            let (from, to) = (choices.below(draft.players) + 1, choices.below(draft.players) + 1);
            draft.rules.for_each(&mut |e| match e {
                Switch(player) if *player == from => *player = to,
                _ => {}
            });
        }
    }
}

/// Puts pieces that are new into tests and offs.
fn add_pieces(draft: &mut Draft, choices: &mut Choices<'_>) {
    let pieces = draft.pieces.len();
    draft.rules.for_each(&mut |e| match e {
        On(on) if choices.one_in(4) => {
            on.push(pieces - 1 - choices.below(pieces.min(8)));
            on.sort_unstable();
            on.dedup();
        }
        Off(piece) if choices.one_in(6) => *piece = pieces - 1 - choices.below(pieces.min(8)),
        _ => {}
    });
}
