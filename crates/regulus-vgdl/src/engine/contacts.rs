//! Who touches whom: an index of sprites by cell, made once per tick and only added to.
//!
//! A sprite is entered in every cell that it reaches into, and compared with those that are there. Two
//! sprites that overlap are a contact of every pair of interactions that their types belong to; pairs
//! with contacts are *hot*, and only they are looked at. When a sprite moves or appears during the
//! effects it is entered again. So the contacts of a tick are all that existed at some time of the
//! effects; whether one still exists is tested when its turn comes.

use super::Engine;
use crate::rules::TypeBits;
use crate::sprite::{Ref, flag, span};

/// Memory that ticks reuse. It holds nothing between ticks.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Collide without the index; see `oracle.rs`.
    #[cfg(test)]
    pub simple: bool,
    cells: Vec<Cell>,
    links: Vec<Link>,
    touched: Vec<u32>,
    /// A bit per pair of types.
    hot: Vec<u64>,
    found: Vec<Found>,
    /// By pair: 1 + the position of its newest contact.
    newest: Vec<u32>,
    /// The contacts of the pair at work, sorted.
    pub contacts: Vec<Contact>,
    pub hits: Vec<Ref>,
    /// The kill list; sprites may be on it more than once.
    pub killed: Vec<Ref>,
    pub targets: Vec<Ref>,
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

/// A contact as it was found.
#[derive(Clone, Copy, Debug)]
struct Found {
    first: Ref,
    second: Ref,
    /// Of the same pair, 0 for none.
    older: u32,
}

/// A contact with its place in the order of an effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub order: (u64, u64),
    pub first: Ref,
    pub second: Ref,
}

/// The up to four cells of a sprite.
struct Reach {
    cells: [u32; 4],
    count: usize,
}

impl Reach {
    fn new(cell: u32, reach: u8, stride: u32) -> Reach {
        let (right, down) = (reach & span::RIGHT != 0, reach & span::DOWN != 0);
        match (right, down) {
            (false, false) => Reach { cells: [cell; 4], count: 1 },
            (true, false) => Reach { cells: [cell, cell + 1, cell, cell], count: 2 },
            (false, true) => Reach { cells: [cell, cell + stride, cell, cell], count: 2 },
            (true, true) => {
                let below = cell + stride;
                Reach { cells: [cell, cell + 1, below, below + 1], count: 4 }
            }
        }
    }
}

impl Scratch {
    fn contact(&mut self, pairs: &[u16], first: Ref, second: Ref) {
        for &pair in pairs {
            let pair = usize::from(pair);
            let newest = &mut self.newest[pair];
            self.hot[pair / 64] |= 1 << (pair % 64);
            self.found.push(Found { first, second, older: *newest });
            *newest = self.found.len() as u32;
        }
    }
}

impl Engine<'_> {
    /// Enters all sprites.
    pub(super) fn make_index(&mut self) {
        let cells = (self.level.stride() * (self.level.height + 2)) as usize;
        let pairs = self.rules.pairs.len();
        if self.scratch.cells.len() < cells {
            self.scratch.cells.resize(cells, Cell::default());
        }
        if self.scratch.newest.len() < pairs {
            self.scratch.newest.resize(pairs, 0);
        }
        self.scratch.hot.clear();
        self.scratch.hot.resize(pairs.div_ceil(64), 0);
        for slot in 0..self.data.sprites.len() {
            if self.data.sprites[slot].has(flag::ALIVE) {
                self.link(slot as u16);
            }
        }
    }

    /// Enters one sprite.
    pub(super) fn link(&mut self, slot: u16) {
        let data = &*self.data;
        let sprite = &data.sprites[usize::from(slot)];
        let rules = self.rules;
        let bit = rules.bit(sprite.stype);
        let partners = rules.partners(bit);
        if partners == 0 {
            return;
        }
        let own = Ref::own(slot);
        let level = self.level;
        let (layers, block) = (&level.layers, level.block);
        let scratch = &mut *self.scratch;
        let reach = Reach::new(sprite.cell, sprite.span, level.stride() as u32);
        for &index in &reach.cells[..reach.count] {
            let cell = &mut scratch.cells[index as usize];
            let there = cell.bits & partners;
            let mut link = cell.head;
            cell.bits |= 1 << bit;
            scratch.links.push(Link { next: link, slot });
            cell.head = scratch.links.len() as u32;
            if link == 0 {
                scratch.touched.push(index);
            }
            if layers.bits[index as usize] & partners != 0 {
                for &other in layers.at(index) {
                    let other_bit = usize::from(layers.sprites[other as usize].bit);
                    if partners >> other_bit & 1 != 0 && data.is_left(other as usize) {
                        let shared = Ref::shared(other);
                        scratch.contact(rules.meetings(bit, other_bit), own, shared);
                        scratch.contact(rules.meetings(other_bit, bit), shared, own);
                    }
                }
            }
            while there != 0 && link != 0 {
                let Link { next, slot: other } = scratch.links[link as usize - 1];
                link = next;
                let met = &data.sprites[usize::from(other)];
                let other_bit = rules.bit(met.stype);
                let near = (met.x - sprite.x).abs() < block && (met.y - sprite.y).abs() < block;
                if near && other != slot && partners >> other_bit & 1 != 0 {
                    let met = Ref::own(other);
                    scratch.contact(rules.meetings(bit, other_bit), own, met);
                    scratch.contact(rules.meetings(other_bit, bit), met, own);
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
        scratch.found.clear();
        for (word, &bits) in scratch.hot.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                scratch.newest[word * 64 + bits.trailing_zeros() as usize] = 0;
                bits &= bits - 1;
            }
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

    /// The number of the newest contact of a pair: it changes when there are new ones.
    pub(super) fn newest_contact(&self, pair: usize) -> u32 {
        self.scratch.newest[pair]
    }

    /// Calls for every contact of a pair.
    pub(super) fn each_contact(&self, pair: usize, mut action: impl FnMut(Ref, Ref)) {
        let mut number = self.scratch.newest[pair];
        while number != 0 {
            let Found { first, second, older } = self.scratch.found[number as usize - 1];
            action(first, second);
            number = older;
        }
    }
}
