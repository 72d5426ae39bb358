//! States of a native game: words that machine code works on, and their hash.

use crate::native::analysis::Layout;

/// A state of a native game: the set of every piece, the variables, and where the walk stands.
#[derive(Debug)]
pub struct NativeState {
    pub(crate) words: Box<[u64]>,
    /// The hash of the words, if it is known: code that rewrites the whole state does not keep it.
    hash: Option<u64>,
}

impl Clone for NativeState {
    fn clone(&self) -> Self {
        NativeState { words: self.words.clone(), hash: self.hash }
    }

    /// Without allocating.
    fn clone_from(&mut self, other: &Self) {
        if self.words.len() == other.words.len() {
            self.words.copy_from_slice(&other.words);
        } else {
            self.words = other.words.clone();
        }
        self.hash = other.hash;
    }
}

impl PartialEq for NativeState {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Eq for NativeState {}

/// A well-mixed number for a word at an index; the hash is their sum in GF(2), so that a word that
/// changes changes the hash by two of them.
fn fact(index: usize, word: u64) -> u64 {
    let mut z = word.wrapping_add((index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl NativeState {
    pub(crate) fn new(words: Box<[u64]>) -> Self {
        let mut state = NativeState { words, hash: None };
        state.hash = Some(state.recomputed_hash());
        state
    }

    /// The hash computed from scratch.
    pub fn recomputed_hash(&self) -> u64 {
        self.words.iter().enumerate().fold(0, |hash, (i, w)| hash ^ fact(i, *w))
    }

    /// A hash of everything; kept up to date while moves are applied, computed after a playout.
    pub fn hash(&self) -> u64 {
        self.hash.unwrap_or_else(|| self.recomputed_hash())
    }

    /// The hash without one of the words.
    pub(crate) fn hash_without(&self, index: usize) -> u64 {
        self.hash() ^ fact(index, self.words[index])
    }

    /// True if the hash is kept up to date.
    pub(crate) fn keeps_hash(&self) -> bool {
        self.hash.is_some()
    }

    pub(crate) fn write(&mut self, index: usize, word: u64) {
        let old = std::mem::replace(&mut self.words[index], word);
        if let Some(hash) = &mut self.hash {
            *hash ^= fact(index, old) ^ fact(index, word);
        }
    }

    /// Says that code has changed the words, which were these before (if that is known).
    pub(crate) fn changed_from(&mut self, before: Option<&[u64]>) {
        let Some(before) = before else {
            self.hash = None;
            return;
        };
        if let Some(hash) = &mut self.hash {
            for (i, (old, new)) in before.iter().zip(&self.words).enumerate() {
                if old != new {
                    *hash ^= fact(i, *old) ^ fact(i, *new);
                }
            }
        }
    }

    /// Puts a piece on a position.
    pub(crate) fn put(&mut self, layout: Layout, piece: usize, at: usize) {
        let (word, bit) = (at / 64, 1u64 << (at % 64));
        for p in 0..layout.pieces {
            let index = layout.set(p, word);
            let old = self.words[index];
            let new = if p == piece { old | bit } else { old & !bit };
            if old != new {
                self.write(index, new);
            }
        }
    }

    /// Copies everything to a stack.
    pub(crate) fn save(&self, stack: &mut Vec<u64>) {
        stack.extend_from_slice(&self.words);
        stack.push(u64::from(self.hash.is_some()));
        stack.push(self.hash.unwrap_or(0));
    }

    /// Takes everything from where [`NativeState::save`] put it.
    pub(crate) fn restore(&mut self, saved: &[u64]) {
        let (words, hash) = saved.split_at(self.words.len());
        self.words.copy_from_slice(words);
        self.hash = (hash[0] != 0).then_some(hash[1]);
    }
}
