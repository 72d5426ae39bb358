//! Who touches whom: an index of sprites by cell, made once per tick and only added to.
//!
//! A sprite is entered in every cell that it reaches into, and compared with those that are there. Two
//! sprites that overlap are a contact of every pair of interactions that their types belong to; pairs
//! with contacts are *hot*, and only they are looked at. When a sprite moves or appears during the
//! effects it is entered again. So the contacts of a tick are all that existed at some time of the
//! effects; whether one still exists is tested when its turn comes.

use std::cell::Cell as Counter;

use super::Engine;
use crate::data::Data;
use crate::level::{LayerCell, LayerItem, Level};
use crate::limits::{MAX_CONTACTS, MAX_STEPS};
use crate::rules::{Meeting, Rules, TypeBits};
use crate::sprite::{Ref, Sprite, flag, span};
use crate::sprite_type::TypeId;

/// Memory that ticks reuse. It holds nothing between ticks.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Collide without the index; see `oracle.rs`.
    #[cfg(test)]
    pub simple: bool,
    /// Counts ticks, whatever game they are of: a cell of another tick is empty.
    now: u32,
    cells: Vec<Cell>,
    links: Vec<Link>,
    /// Effects of this tick have moved sprites: contacts that were found may be none any more.
    pub moved: bool,
    /// The pair at work, 0 before the first: pairs before it are done in this tick.
    pub pair: usize,
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
    /// By place: the last effect that moved the sprite there, and the y its row came from before that
    /// effect; for the buckets of 2015.
    moved_rows: Vec<(u64, i32)>,
    /// The number of the effect at work.
    effect: u64,
    /// Steps of this tick so far. Who looks at sprites without changing them counts, too.
    steps: Counter<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    bits: TypeBits,
    /// 1 + the position of the first link.
    head: u32,
    /// When it was written.
    tick: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    slot: u16,
}

/// Two sprites of a pair that touch each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub first: Ref,
    pub second: Ref,
    /// 1 + the position of the contact of the same pair that was found before it, 0 for none.
    pub older: u32,
    /// The avatar or a sprite that comes from it takes part.
    pub is_event: bool,
}

/// The same with the places of both in the order of an effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub order: (u64, u64),
    pub first: Ref,
    pub second: Ref,
}

/// A sprite that meets another.
#[derive(Clone, Copy)]
struct Party {
    sprite: Ref,
    stype: TypeId,
    bit: u8,
    flags: u8,
}

impl Party {
    fn new(slot: u16, sprite: &Sprite) -> Party {
        let Sprite { stype, bit, flags, .. } = *sprite;
        Party { sprite: Ref::own(slot), stype, bit, flags }
    }
}

/// Types can share a bit; then a meeting of bits need not be one of types.
#[inline(never)]
fn is_met(rules: &Rules, pair: usize, reversed: bool, a: Party, b: Party) -> bool {
    let (first, second) = if reversed { (b.stype, a.stype) } else { (a.stype, b.stype) };
    rules.ranks(pair, first, second).is_some()
}

impl Scratch {
    /// A tick begins.
    pub fn begin(&mut self) {
        self.steps.set(0);
    }

    /// Counts steps.
    #[inline(always)]
    pub fn count(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    /// Whether a tick has had more steps than it may have: then nothing else happens in it.
    #[inline(always)]
    pub fn is_exhausted(&self) -> bool {
        self.steps.get() > MAX_STEPS
    }

    /// Enters one sprite of a type that has partners.
    #[inline(always)]
    fn enter(&mut self, level: &Level, data: &Data, slot: u16, sprite: &Sprite, partners: u64) {
        self.enter_cell(level, data, slot, sprite, partners, sprite.cell);
        let reach = sprite.span & (span::RIGHT | span::DOWN);
        if reach != 0 {
            self.enter_neighbours(level, data, slot, sprite, partners);
        }
    }

    fn enter_neighbours(
        &mut self,
        level: &Level,
        data: &Data,
        slot: u16,
        sprite: &Sprite,
        partners: TypeBits,
    ) {
        let (cell, below) = (sprite.cell, sprite.cell + level.stride() as u32);
        let (right, down) = (sprite.span & span::RIGHT != 0, sprite.span & span::DOWN != 0);
        if right {
            self.enter_cell(level, data, slot, sprite, partners, cell + 1);
        }
        if down {
            self.enter_cell(level, data, slot, sprite, partners, below);
        }
        if right && down {
            self.enter_cell(level, data, slot, sprite, partners, below + 1);
        }
    }

    #[inline(always)]
    fn enter_cell(
        &mut self,
        level: &Level,
        data: &Data,
        slot: u16,
        sprite: &Sprite,
        partners: TypeBits,
        index: u32,
    ) {
        let cell = &mut self.cells[index as usize];
        if cell.tick != self.now {
            *cell = Cell { bits: 0, head: 0, tick: self.now };
        }
        let (bits, head) = (cell.bits, cell.head);
        cell.bits |= 1 << (sprite.bit & 63);
        cell.head = self.links.len() as u32 + 1;
        self.links.push(Link { next: head, slot });
        let shared = &level.layers.cells[index as usize];
        if shared.bits & partners != 0 {
            self.meet_shared(level, data, slot, sprite, partners, shared);
        }
        if bits & partners != 0 {
            self.meet_own(level, data, slot, sprite, partners, head);
        }
    }

    /// A sprite meets the shared ones of a cell.
    fn meet_shared(
        &mut self,
        level: &Level,
        data: &Data,
        slot: u16,
        sprite: &Sprite,
        partners: TypeBits,
        cell: &LayerCell,
    ) {
        let own = Party::new(slot, sprite);
        self.count(level.layers.at(cell).len());
        for &LayerItem { index, stype, bit } in level.layers.at(cell) {
            if partners >> (bit & 63) & 1 != 0 && data.is_left(index as usize) {
                let shared = Party { sprite: Ref::shared(index), stype, bit, flags: 0 };
                self.meet(&level.game.rules, own, shared);
            }
        }
    }

    /// A sprite meets those of a list of links.
    fn meet_own(
        &mut self,
        level: &Level,
        data: &Data,
        slot: u16,
        sprite: &Sprite,
        partners: TypeBits,
        mut link: u32,
    ) {
        let own = Party::new(slot, sprite);
        let block = level.block;
        let mut walked = 0;
        while link != 0 {
            walked += 1;
            let Link { next, slot: other } = self.links[link as usize - 1];
            link = next;
            let met = &data.sprites[usize::from(other)];
            let near = (met.x - sprite.x).abs() < block && (met.y - sprite.y).abs() < block;
            if near && other != slot && partners >> (met.bit & 63) & 1 != 0 {
                self.meet(&level.game.rules, own, Party::new(other, met));
            }
        }
        self.count(walked);
    }

    #[inline(always)]
    fn meet(&mut self, rules: &Rules, a: Party, b: Party) {
        let is_event = (a.flags | b.flags) & (flag::AVATAR | flag::FROM_AVATAR) != 0;
        let meetings = rules.meetings(a.bit, b.bit);
        self.count(meetings.len());
        for &Meeting { pair, reversed } in meetings {
            let pair = usize::from(pair);
            if pair < self.pair || rules.bits_are_shared && !is_met(rules, pair, reversed, a, b) {
                continue;
            }
            if self.found.len() >= MAX_CONTACTS {
                return self.count(MAX_STEPS as usize + 1);
            }
            let (first, second) =
                if reversed { (b.sprite, a.sprite) } else { (a.sprite, b.sprite) };
            self.hot[pair / 64] |= 1 << (pair % 64);
            let newest = &mut self.newest[pair];
            let older = *newest;
            self.found.push(Found { first, second, older, is_event });
            *newest = self.found.len() as u32;
        }
    }

    /// The first hot pair. New ones do not come before the pair at work.
    #[inline]
    pub fn next_hot(&self) -> Option<usize> {
        let word = self.hot.iter().position(|&bits| bits != 0)?;
        Some(word * 64 + self.hot[word].trailing_zeros() as usize)
    }

    /// A pair is done.
    #[inline]
    pub fn cool(&mut self, pair: usize) {
        self.hot[pair / 64] &= !(1 << (pair % 64));
        self.newest[pair] = 0;
    }

    /// Another effect of 2015 begins: rows are looked at anew.
    pub fn begin_rows(&mut self) {
        self.effect += 1;
    }

    /// The effect at work moves a sprite from a row.
    pub fn keep_row(&mut self, slot: u16, row_y: i32) {
        let slot = usize::from(slot);
        if self.moved_rows.len() <= slot {
            self.moved_rows.resize(slot + 1, (0, 0));
        }
        let moved = &mut self.moved_rows[slot];
        if moved.0 != self.effect {
            *moved = (self.effect, row_y);
        }
    }

    /// The y of a row before the effect at work, if that moved the sprite.
    pub fn kept_row(&self, slot: u16) -> Option<i32> {
        let moved = self.moved_rows.get(usize::from(slot));
        moved.filter(|moved| moved.0 == self.effect).map(|moved| moved.1)
    }

    /// The number of the newest contact of a pair: it changes when there are new ones.
    #[inline]
    pub fn newest_contact(&self, pair: usize) -> u32 {
        self.newest[pair]
    }

    /// A contact by its number, which is not 0.
    #[inline]
    pub fn contact(&self, number: u32) -> Found {
        self.found[number as usize - 1]
    }
}

impl Engine<'_> {
    /// Enters all sprites.
    pub(super) fn make_index(&mut self) {
        let cells = (self.level.stride() * (self.level.height + 2)) as usize;
        let (data, level, rules) = (&*self.data, self.level, self.rules);
        let scratch = &mut *self.scratch;
        scratch.pair = 0;
        scratch.moved = false;
        scratch.now = scratch.now.wrapping_add(1);
        if scratch.now == 0 {
            // After 2^32 ticks the count begins again: no cell may seem to be of a tick to come.
            scratch.cells.clear();
            scratch.now = 1;
        }
        if scratch.cells.len() < cells {
            scratch.cells.resize(cells, Cell::default());
        }
        let pairs = rules.pairs.len();
        if scratch.newest.len() < pairs {
            scratch.newest.resize(pairs, 0);
            scratch.hot.resize(pairs.div_ceil(64), 0);
        }
        for (slot, sprite) in data.sprites.iter().enumerate() {
            let partners = rules.partners(sprite.bit);
            if partners != 0 && sprite.has(flag::ALIVE) {
                scratch.enter(level, data, slot as u16, sprite, partners);
                if scratch.is_exhausted() {
                    return;
                }
            }
        }
    }

    /// Enters one sprite.
    pub(super) fn link(&mut self, slot: u16) {
        let sprite = &self.data.sprites[usize::from(slot)];
        let partners = self.rules.partners_from(self.scratch.pair, sprite.bit);
        if partners != 0 && !self.scratch.is_exhausted() {
            self.scratch.count(1);
            self.scratch.enter(self.level, self.data, slot, sprite, partners);
        }
    }

    /// Forgets everything.
    pub(super) fn clear_index(&mut self) {
        self.scratch.links.clear();
        self.scratch.found.clear();
        while let Some(number) = self.scratch.next_hot() {
            self.scratch.cool(number);
        }
    }
}
