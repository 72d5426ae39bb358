//! Which (state, vertex) pairs a walk has been to since its last modifier.

use rustc_hash::FxHashSet;

/// Up to this many pairs a bit for each is kept; beyond, only those that were visited.
const DENSE_LIMIT: usize = 1 << 22;

/// One set per modifier on the walk; sets are reused, so nothing is allocated once they have grown.
pub(super) struct Visited {
    row: usize,
    pairs: usize,
    levels: Vec<Level>,
    depth: usize,
}

enum Level {
    Dense { bits: Vec<u64>, touched: Vec<u32> },
    Sparse(FxHashSet<u64>),
}

impl Visited {
    pub(super) fn new(joins: u32, vertices: usize) -> Self {
        let row = vertices + 1;
        Visited { row, pairs: row.saturating_mul(joins as usize), levels: Vec::new(), depth: 0 }
    }

    /// How many levels are open.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Opens an empty set.
    pub(super) fn enter(&mut self) {
        if self.depth == self.levels.len() {
            self.levels.push(if self.pairs <= DENSE_LIMIT {
                Level::Dense { bits: vec![0; self.pairs.div_ceil(64)], touched: Vec::new() }
            } else {
                Level::Sparse(FxHashSet::default())
            });
        }
        self.depth += 1;
    }

    /// Closes the innermost set.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
        match &mut self.levels[self.depth] {
            Level::Dense { bits, touched } => touched.drain(..).for_each(|w| bits[w as usize] = 0),
            Level::Sparse(set) => set.clear(),
        }
    }

    /// Adds a pair to the innermost set; false if it was there already.
    pub(super) fn insert(&mut self, join: u32, vertex: u16) -> bool {
        let pair = join as usize * self.row + usize::from(vertex);
        match &mut self.levels[self.depth - 1] {
            Level::Dense { bits, touched } => {
                let (word, bit) = (pair / 64, 1u64 << (pair % 64));
                let new = bits[word] & bit == 0;
                if bits[word] == 0 {
                    touched.push(word as u32);
                }
                bits[word] |= bit;
                new
            }
            Level::Sparse(set) => set.insert(pair as u64),
        }
    }
}
