//! Which (state, vertex) pairs a walk has been to since its last modifier.

use rustc_hash::FxHashSet;

/// Words of all sets with a bit for every pair; sets beyond have only the pairs that were visited.
const MAX_DENSE_WORDS: usize = 1 << 22;

/// Pairs in all sets of the other kind.
const MAX_SPARSE: usize = 1 << 23;

/// A set that has grown beyond this gives its memory back when it is closed.
const KEPT_CAPACITY: usize = 1 << 10;

/// One set per modifier on the walk; sets are reused, so nothing is allocated once they have grown.
pub(super) struct Visited {
    row: usize,
    pairs: usize,
    levels: Vec<Level>,
    depth: usize,
    /// Pairs in sparse sets.
    sparse: usize,
}

enum Level {
    Dense { bits: Vec<u64>, touched: Vec<u32> },
    Sparse(FxHashSet<u64>),
}

impl Visited {
    pub(super) fn new(joins: u32, vertices: usize) -> Self {
        let row = vertices + 1;
        Visited {
            row,
            pairs: row.saturating_mul(joins as usize),
            levels: Vec::new(),
            depth: 0,
            sparse: 0,
        }
    }

    /// How many levels are open.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Opens an empty set.
    pub(super) fn enter(&mut self) {
        if self.depth == self.levels.len() {
            let words = self.pairs.div_ceil(64);
            let all = words.saturating_mul(self.levels.len() + 1);
            self.levels.push(if all <= MAX_DENSE_WORDS {
                Level::Dense { bits: vec![0; words], touched: Vec::new() }
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
            Level::Sparse(set) => {
                self.sparse -= set.len();
                set.clear();
                set.shrink_to(KEPT_CAPACITY);
            }
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
            Level::Sparse(set) => {
                let new = set.insert(pair as u64);
                self.sparse += usize::from(new);
                new
            }
        }
    }

    /// True if there is no memory for more.
    pub(super) fn is_full(&self) -> bool {
        self.sparse >= MAX_SPARSE
    }
}
