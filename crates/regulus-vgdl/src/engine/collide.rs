//! Collisions, in the order of the reference frameworks.
//!
//! The reference frameworks test every sprite of one type against every sprite of the other. Here the
//! index gives the few that can meet, and sorting puts them back into the same order: by the rank of
//! the type in its family, then by number (2021), or by row, rank and place in the hash map (2015).

use super::Engine;
use super::contacts::reach;
use crate::data::table_mask;
use crate::effect::Kind;
use crate::rules::{NO_RANK, PairRules};
use crate::sprite::{Ref, flag};

impl Engine<'_> {
    pub(super) fn collide(&mut self) {
        let game = self.game;
        let mut from = 0;
        while let Some(number) = self.next_hot(from) {
            from = number + 1;
            let pair = &game.interactions.pairs[number];
            for &effect in &pair.effects {
                let name = game.interactions.effects[usize::from(effect)].name;
                let shield = (pair.first, pair.second, name);
                if self.scratch.shields.contains(&shield) {
                    continue;
                }
                self.run(number, effect);
            }
        }
    }

    /// One effect of a pair. First sprites are taken in order; when effects brought new sprites
    /// together, those that come later in the order are added.
    fn run(&mut self, pair: usize, effect: u16) {
        let born_before = self.data.next_id;
        if self.old {
            self.note_rows();
        }
        let mut firsts = std::mem::take(&mut self.scratch.firsts);
        firsts.clear();
        let mut seen = self.record_count();
        self.find_firsts(pair, 0, born_before, 0, &mut firsts);
        let mut index = 0;
        let mut done = None;
        while let Some(&(key, first)) = firsts.get(index) {
            index += 1;
            if done.is_some_and(|done| key <= done) {
                continue;
            }
            done = Some(key);
            if self.old {
                self.run_first_old(pair, effect, first, born_before);
            } else {
                self.run_first(pair, effect, first, born_before);
            }
            if self.record_count() != seen {
                self.find_firsts(pair, seen, born_before, index, &mut firsts);
                seen = self.record_count();
            }
        }
        self.scratch.firsts = firsts;
    }

    /// Under the rules of 2021 all hits of a first sprite are found before any effect.
    fn run_first(&mut self, pair: usize, effect: u16, first: Ref, born_before: u32) {
        let rules = &self.rules.pairs[pair];
        let kind = &self.game.interactions.effects[usize::from(effect)].kind;
        let batch = matches!(kind, Kind::WallBounce | Kind::WallReverse);
        let mut hits = std::mem::take(&mut self.scratch.hits);
        self.find_hits(rules, first, born_before, &mut hits);
        if batch && !hits.is_empty() {
            self.execute_batch(effect, first, &hits);
        } else {
            for &(_, second) in &hits {
                if !self.is_killed(first) && self.overlap(first, second) {
                    self.execute_and_score(effect, first, Some(second));
                }
            }
        }
        self.scratch.hits = hits;
    }

    /// The rules of 2015 sort by row: rows as they are when an effect begins.
    fn note_rows(&mut self) {
        let mut rows = std::mem::take(&mut self.scratch.rows);
        rows.clear();
        rows.extend(self.data.sprites.iter().map(|sprite| sprite.row_y / self.level.block));
        self.scratch.rows = rows;
    }

    /// Under the rules of 2015 rows come from the top, and every test is made when its turn comes.
    fn run_first_old(&mut self, pair: usize, effect: u16, first: Ref, born_before: u32) {
        let rules = &self.rules.pairs[pair];
        let block = self.level.block;
        let row_y = first.slot().map_or(self.position(first).1, |slot| self.sprite(slot).row_y);
        // The rows are chosen when the turn of the first sprite comes, and not again when it moves.
        let row = row_y / block;
        let rows = if row_y % block == 0 { [row - 1, row] } else { [row, row + 1] };
        let mut done = None;
        loop {
            let mut hits = std::mem::take(&mut self.scratch.hits);
            self.find_hits(rules, first, born_before, &mut hits);
            let moves = self.scratch.moves;
            let mut stale = false;
            for &(key, second) in &hits {
                let row = self.start_row(second);
                let late = done.is_some_and(|done| key <= done);
                if late || !rows.contains(&row) {
                    continue;
                }
                if self.is_killed(first) {
                    break;
                }
                done = Some(key);
                self.execute_and_score(effect, first, Some(second));
                if self.scratch.moves != moves {
                    stale = true;
                    break;
                }
            }
            self.scratch.hits = hits;
            if !stale {
                return;
            }
        }
    }

    fn start_row(&self, sprite: Ref) -> i32 {
        match sprite.slot() {
            Some(slot) => self.scratch.rows.get(usize::from(slot)).copied().unwrap_or(0),
            None => self.position(sprite).1 / self.level.block,
        }
    }

    /// The place of a sprite in the order of an effect.
    fn key(&self, sprite: Ref, rank: u16) -> u64 {
        let id = self.id_of(sprite);
        let rank = u64::from(rank) << 32;
        if !self.old {
            return rank | u64::from(id);
        }
        // First the place in the table, then the number; rotated, both fit into 32 bits.
        let mask = table_mask(self.data.groups[usize::from(self.type_of(sprite))].peak);
        let row = self.start_row(sprite).clamp(-0x8_0000, 0x7_ffff) + 0x8_0000;
        (row as u64) << 44 | rank | u64::from(id.rotate_right(mask.trailing_ones()))
    }

    /// Adds sprites that could be the first of the pair by records after a number, and sorts the list
    /// from `start` on. A sprite can be in it more than once.
    fn find_firsts(
        &self,
        pair: usize,
        after: u32,
        born_before: u32,
        start: usize,
        list: &mut Vec<(u64, Ref)>,
    ) {
        let level = self.level;
        let rules = &self.rules.pairs[pair];
        let mut add = |sprite: Ref, rank: u16| list.push((self.key(sprite, rank), sprite));
        self.each_record(pair, after, |slot, cell| {
            let sprite = self.sprite(slot);
            let stype = usize::from(sprite.stype);
            if rules.first_rank[stype] != NO_RANK && sprite.id < born_before {
                add(Ref::own(slot), rules.first_rank[stype]);
            }
            if rules.second_rank[stype] == NO_RANK {
                return;
            }
            // It may be the second: then the first is one of those that are there already.
            if level.layers.bits[cell as usize] & rules.first_bits != 0 {
                for &index in level.layers.at(cell) {
                    let stype = level.layers.sprites[index as usize].stype;
                    let rank = rules.first_rank[usize::from(stype)];
                    if rank != NO_RANK && self.data.is_left(index as usize) {
                        add(Ref::shared(index), rank);
                    }
                }
            }
            self.each_at(cell, |other| {
                let sprite = self.sprite(other);
                let rank = rules.first_rank[usize::from(sprite.stype)];
                if rank != NO_RANK && sprite.id < born_before {
                    add(Ref::own(other), rank);
                }
            });
        });
        if list.len() > start + 1 {
            list[start..].sort_unstable_by_key(|&(key, _)| key);
        }
    }

    /// Sprites that overlap the first and could be the second of the pair, in order.
    fn find_hits(
        &self,
        rules: &PairRules,
        first: Ref,
        born_before: u32,
        list: &mut Vec<(u64, Ref)>,
    ) {
        list.clear();
        let level = self.level;
        let stride = level.stride() as u32;
        let (cell, span) = match first.slot() {
            Some(slot) => (self.sprite(slot).cell, self.sprite(slot).span),
            None => (self.layer(first).cell, 0),
        };
        for cell in reach(cell, span, stride) {
            if self.types_at(cell) & rules.second_bits == 0 {
                continue;
            }
            if first.slot().is_some() {
                for &index in level.layers.at(cell) {
                    let stype = level.layers.sprites[index as usize].stype;
                    let rank = rules.second_rank[usize::from(stype)];
                    let shared = Ref::shared(index);
                    if rank != NO_RANK
                        && self.data.is_left(index as usize)
                        && self.overlap(first, shared)
                    {
                        list.push((self.key(shared, rank), shared));
                    }
                }
            }
            self.each_at(cell, |slot| {
                let sprite = self.sprite(slot);
                let rank = rules.second_rank[usize::from(sprite.stype)];
                let own = Ref::own(slot);
                if rank != NO_RANK
                    && own != first
                    && sprite.id < born_before
                    && sprite.has(flag::ALIVE)
                    && self.overlap(first, own)
                {
                    list.push((self.key(own, rank), own));
                }
            });
        }
        if list.len() > 1 {
            list.sort_unstable_by_key(|&(key, _)| key);
            list.dedup_by_key(|entry| entry.0);
        }
    }
}
