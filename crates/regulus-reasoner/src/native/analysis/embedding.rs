//! A numbering of the vertices in which following an edge label is one shift of a bit set
//! (pass P1).
//!
//! Labels get vectors and vertices coordinates such that every edge adds the vector of its label. The
//! coordinates are laid out in one line with strides; the smallest strides are taken for which a step
//! off the board never lands on a vertex (*padded*), unless that would need another word.

use regulus_rbg::declarations::Label;
use regulus_rbg::{Board, Vertex};

use super::bits::Bits;

/// Dimensions that boards are embedded in.
const DIMENSIONS: usize = 3;

type Coordinates = [i32; DIMENSIONS];

/// Positions of vertices in bit sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Embedding {
    /// The position of every vertex; entry 0 is not used.
    position: Vec<u16>,
    /// The vertex at every position, 0 where there is none.
    vertex: Vec<u16>,
    /// How many words a set of positions has.
    pub(crate) words: usize,
    /// The distance that following a label moves, if it is the same everywhere.
    pub(crate) delta: Vec<Option<i32>>,
    /// True if a step off the board never lands on a vertex.
    pub(crate) padded: bool,
}

impl Embedding {
    /// Finds a numbering for a board. Without any, the numbering of the declaration is used.
    pub(crate) fn new(board: &Board) -> Embedding {
        let Some((coordinates, vectors)) = coordinates(board) else { return Self::declared(board) };
        let plain = Self::laid_out(board, &coordinates, &vectors, false);
        let padded = Self::laid_out(board, &coordinates, &vectors, true);
        let declared_words = board.len().div_ceil(64);
        match (padded, plain) {
            (Some(padded), Some(plain)) if padded.words <= plain.words.max(declared_words) => {
                padded
            }
            (_, Some(plain)) if plain.words <= declared_words + 1 => plain,
            (Some(padded), None) => padded,
            _ => Self::declared(board),
        }
    }

    fn declared(board: &Board) -> Embedding {
        let position = (0..=board.len()).map(|v| v.saturating_sub(1) as u16).collect();
        let vertex = (1..=board.len() as u16).collect();
        Embedding {
            position,
            vertex,
            words: board.len().div_ceil(64),
            delta: vec![None; board.label_count()],
            padded: false,
        }
    }

    fn laid_out(
        board: &Board,
        coordinates: &[Coordinates],
        vectors: &[Coordinates],
        padded: bool,
    ) -> Option<Embedding> {
        let mut best: Option<Embedding> = None;
        let extent = |d: usize| {
            let values = coordinates[1..].iter().map(|c| c[d]);
            let (low, high) = (values.clone().min()?, values.max()?);
            Some(high - low + 1)
        };
        let (x, y) = (extent(0)?, extent(1)?);
        // The vertices farthest out are a cheap test of what is too long.
        let farthest = (0..DIMENSIONS).flat_map(|d| {
            let vertices = coordinates[1..].iter();
            [vertices.clone().min_by_key(|c| c[d]), vertices.max_by_key(|c| c[d])]
        });
        let farthest: Vec<&Coordinates> = farthest.flatten().collect();
        // The widest useful stride leaves a gap as wide as the line.
        for second in if y > 1 { 1..=(2 * x.max(y) + 2) } else { 1..=1 } {
            for third in if extent(2)? > 1 { 0..=600 } else { 0..=0 } {
                let strides = [1, second, third];
                let line = |c: &Coordinates| c.iter().zip(strides).map(|(c, s)| c * s).sum::<i32>();
                let ends = farthest.iter().map(|c| line(c));
                let length = ends.clone().max()? - ends.min()? + 1;
                if usize::try_from(length).ok()? > longest(board) {
                    continue;
                }
                let Some(found) = Self::at_lines(board, coordinates, vectors, &line, padded) else {
                    continue;
                };
                if best.as_ref().is_none_or(|b| found.vertex.len() < b.vertex.len()) {
                    best = Some(found);
                }
            }
        }
        best
    }

    fn at_lines(
        board: &Board,
        coordinates: &[Coordinates],
        vectors: &[Coordinates],
        line: &impl Fn(&Coordinates) -> i32,
        padded: bool,
    ) -> Option<Embedding> {
        let lowest = coordinates[1..].iter().map(line).min()?;
        let highest = coordinates[1..].iter().map(line).max()?;
        let length = usize::try_from(highest - lowest + 1).ok()?;
        if length > longest(board) {
            return None;
        }
        let mut vertex = vec![0u16; length];
        let mut position = vec![0u16; board.len() + 1];
        for v in board.vertices() {
            let at = (line(&coordinates[usize::from(v.0)]) - lowest) as usize;
            if std::mem::replace(&mut vertex[at], v.0) != 0 {
                return None;
            }
            position[usize::from(v.0)] = at as u16;
        }
        let delta: Vec<i32> = vectors.iter().map(line).collect();
        if padded {
            let lands = |v: Vertex, d: i32| {
                let at = i32::from(position[usize::from(v.0)]) + d;
                usize::try_from(at).ok().and_then(|at| vertex.get(at)).is_some_and(|v| *v != 0)
            };
            let safe = board.vertices().all(|v| {
                delta
                    .iter()
                    .enumerate()
                    .all(|(l, d)| board.next(v, Label(l as u8)).is_some() || !lands(v, *d))
            });
            if !safe {
                return None;
            }
        }
        let words = length.div_ceil(64);
        let delta = delta.into_iter().map(Some).collect();
        Some(Embedding { position, vertex, words, delta, padded })
    }

    /// The position of a vertex.
    pub(crate) fn position(&self, vertex: Vertex) -> usize {
        usize::from(self.position[usize::from(vertex.0)])
    }

    /// The vertex at a position.
    pub(crate) fn vertex(&self, position: usize) -> Vertex {
        Vertex(self.vertex.get(position).copied().unwrap_or(0))
    }

    /// The table from positions to vertices.
    pub(crate) fn vertices(&self) -> &[u16] {
        &self.vertex
    }

    /// How many positions there are, holes included.
    pub(crate) fn len(&self) -> usize {
        self.vertex.len()
    }

    /// All vertices of the board.
    pub(crate) fn full(&self) -> Bits {
        let mut full = Bits::empty(self.words);
        (0..self.len()).filter(|p| self.vertex[*p] != 0).for_each(|p| full.insert(p));
        full
    }
}

/// How many positions a board may have: a word more than it needs.
fn longest(board: &Board) -> usize {
    (64 * (board.len().div_ceil(64) + 1)).min(usize::from(u16::MAX))
}

/// Coordinates of all vertices and vectors of all labels, if there are consistent ones.
fn coordinates(board: &Board) -> Option<(Vec<Coordinates>, Vec<Coordinates>)> {
    let labels = board.label_count();
    let mut vectors: Vec<Option<Coordinates>> = vec![None; labels];
    let mut found: Vec<Option<Coordinates>> = vec![None; board.len() + 1];
    let mut dimensions = 0;
    let add = |a: Coordinates, b: Coordinates, sign: i32| -> Coordinates {
        std::array::from_fn(|i| a[i] + sign * b[i])
    };
    found[1] = Some([0; DIMENSIONS]);
    loop {
        // Follow known labels in both directions, and learn labels between known vertices.
        let mut changed = true;
        while changed {
            changed = false;
            for v in board.vertices() {
                for (l, vector) in vectors.iter_mut().enumerate() {
                    let to = board.next(v, Label(l as u8));
                    if !to.is_some() {
                        continue;
                    }
                    let (from, to) = (usize::from(v.0), usize::from(to.0));
                    changed |= match (found[from], *vector, found[to]) {
                        (Some(a), Some(d), None) => found[to].replace(add(a, d, 1)).is_none(),
                        (None, Some(d), Some(b)) => found[from].replace(add(b, d, -1)).is_none(),
                        (Some(a), None, Some(b)) => vector.replace(add(b, a, -1)).is_none(),
                        (Some(a), Some(d), Some(b)) if add(a, d, 1) != b => return None,
                        _ => false,
                    };
                }
            }
        }
        // A label of which nothing is known begins a new dimension.
        let next = board.vertices().filter(|v| found[usize::from(v.0)].is_some()).find_map(|v| {
            (0..labels).find(|l| vectors[*l].is_none() && board.next(v, Label(*l as u8)).is_some())
        });
        match next {
            Some(label) if dimensions < DIMENSIONS => {
                vectors[label] = Some(std::array::from_fn(|i| i32::from(i == dimensions)));
                dimensions += 1;
            }
            Some(_) => return None,
            None => break,
        }
    }
    let coordinates: Option<Vec<Coordinates>> = found
        .into_iter()
        .enumerate()
        .map(|(v, c)| if v == 0 { Some([0; DIMENSIONS]) } else { c })
        .collect();
    let vectors = vectors.into_iter().map(|v| v.unwrap_or([0; DIMENSIONS])).collect();
    Some((coordinates?, vectors))
}
