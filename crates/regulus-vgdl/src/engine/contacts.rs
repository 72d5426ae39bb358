//! Who touches whom: an index of sprites by cell, made once per tick and only added to.
//!
//! A sprite is entered in every cell that it reaches into. Types that are in the same cell may be in
//! contact; the pairs of such types are *hot*, and only they are looked at. When a sprite moves or
//! appears during the effects it is entered again; its old entries stay, since everything found in the
//! index is tested again by position. What is found while entering is recorded per pair.

use super::Engine;
use crate::rules::TypeBits;
use crate::sprite::{Ref, flag, span};

/// Memory that ticks reuse. It holds nothing between ticks.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    cells: Vec<Cell>,
    links: Vec<Link>,
    touched: Vec<u32>,
    /// A bit per pair of types.
    hot: Vec<u64>,
    /// Who was entered where when types of a pair were already there.
    records: Vec<Record>,
    /// By pair: 1 + the position of its newest record.
    newest: Vec<u32>,
    /// The kill list; sprites may be on it more than once.
    pub killed: Vec<Ref>,
    /// Changes of position during effects.
    pub moves: u64,
    pub targets: Vec<Ref>,
    pub firsts: Vec<(u64, Ref)>,
    pub hits: Vec<(u64, Ref)>,
    pub members: Vec<Ref>,
    /// Shields: the types of both sides and the effect.
    pub shields: Vec<(u16, u16, u16)>,
    /// Sprites that an effect with a memory has acted on: the memory, the sprite's number.
    pub pulled: Vec<(u16, u32)>,
    /// By place: the row at the beginning of an effect, for the buckets of 2015.
    pub rows: Vec<i32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    bits: TypeBits,
    /// 1 + the position of the first link.
    head: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    slot: u16,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    cell: u32,
    /// Of the same pair, 0 for none.
    older: u32,
    slot: u16,
}

/// The up to four cells of a sprite.
pub(super) fn reach(cell: u32, reach: u8, stride: u32) -> impl Iterator<Item = u32> {
    // The offsets of a sprite that reaches to the right and down are 0, 1, stride and stride + 1.
    let columns = u32::from(reach & span::RIGHT);
    let rows = u32::from(reach & span::DOWN) >> 1;
    (0..=rows).flat_map(move |row| {
        let start = cell + row * stride;
        start..=start + columns
    })
}

impl Engine<'_> {
    /// Enters all sprites.
    pub(super) fn make_index(&mut self) {
        let cells = (self.level.stride() * (self.level.height + 2)) as usize;
        if self.scratch.cells.len() < cells {
            self.scratch.cells.resize(cells, Cell::default());
        }
        let words = self.rules.pairs.len().div_ceil(64);
        self.scratch.hot.clear();
        self.scratch.hot.resize(words, 0);
        if self.scratch.newest.len() < self.rules.pairs.len() {
            self.scratch.newest.resize(self.rules.pairs.len(), 0);
        }
        for slot in 0..self.data.sprites.len() {
            if self.data.sprites[slot].has(flag::ALIVE) {
                self.link(slot as u16);
            }
        }
    }

    /// Enters one sprite.
    pub(super) fn link(&mut self, slot: u16) {
        let sprite = &self.data.sprites[usize::from(slot)];
        let rules = self.rules;
        let bit = rules.bit(sprite.stype);
        let partners = rules.partners(bit);
        if partners == 0 {
            return;
        }
        let layers = &self.level.layers.bits;
        let scratch = &mut *self.scratch;
        for index in reach(sprite.cell, sprite.span, self.level.stride() as u32) {
            let cell = &mut scratch.cells[index as usize];
            let mut met = (cell.bits | layers[index as usize]) & partners;
            if cell.head == 0 {
                scratch.touched.push(index);
            }
            cell.bits |= 1 << bit;
            scratch.links.push(Link { next: cell.head, slot });
            cell.head = scratch.links.len() as u32;
            while met != 0 {
                let other = met.trailing_zeros() as usize;
                met &= met - 1;
                for &pair in rules.meetings(bit, other) {
                    let pair = usize::from(pair);
                    scratch.hot[pair / 64] |= 1 << (pair % 64);
                    scratch.records.push(Record { cell: index, older: scratch.newest[pair], slot });
                    scratch.newest[pair] = scratch.records.len() as u32;
                }
            }
        }
    }

    /// Forgets everything.
    pub(super) fn clear_index(&mut self) {
        let scratch = &mut *self.scratch;
        for index in scratch.touched.drain(..) {
            scratch.cells[index as usize] = Cell::default();
        }
        scratch.links.clear();
        scratch.records.clear();
        for (word, &bits) in scratch.hot.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                scratch.newest[word * 64 + bits.trailing_zeros() as usize] = 0;
                bits &= bits - 1;
            }
        }
    }

    /// How many records there are: newer ones have larger numbers.
    pub(super) fn record_count(&self) -> u32 {
        self.scratch.records.len() as u32
    }

    /// Calls for every record of a pair that is newer than a number, with its sprite and cell.
    pub(super) fn each_record(&self, pair: usize, after: u32, mut action: impl FnMut(u16, u32)) {
        let mut record = self.scratch.newest[pair];
        while record > after {
            let Record { cell, older, slot } = self.scratch.records[record as usize - 1];
            action(slot, cell);
            record = older;
        }
    }

    /// The first hot pair from a number on.
    pub(super) fn next_hot(&self, from: usize) -> Option<usize> {
        let hot = &self.scratch.hot;
        let mut word = from / 64;
        let mut bits = hot.get(word)? & (!0 << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *hot.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// The types entered in a cell, and those of the layers there.
    pub(super) fn types_at(&self, cell: u32) -> TypeBits {
        self.scratch.cells[cell as usize].bits | self.level.layers.bits[cell as usize]
    }

    /// Calls for every sprite of the state that was entered in a cell.
    pub(super) fn each_at(&self, cell: u32, mut action: impl FnMut(u16)) {
        let mut link = self.scratch.cells[cell as usize].head;
        while link != 0 {
            let Link { next, slot } = self.scratch.links[link as usize - 1];
            action(slot);
            link = next;
        }
    }
}
