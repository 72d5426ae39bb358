//! Collisions, in the order of the reference frameworks.
//!
//! The reference frameworks test every sprite of one type against every sprite of the other. Here the
//! contacts are known, and sorting puts them into the same order: by the rank of the type in its
//! family, then by number (2021), or by row, rank and place in the hash map (2015).

use super::Engine;
use super::contacts::Contact;
use crate::data::table_mask;
use crate::effect::Kind;
use crate::rules::NO_RANK;
use crate::sprite::Ref;

impl Engine<'_> {
    pub(super) fn collide(&mut self) {
        #[cfg(test)]
        if self.scratch.simple {
            return self.collide_simply();
        }
        let game = self.game;
        let mut from = 0;
        while let Some(number) = self.next_hot(from) {
            from = number + 1;
            let pair = &game.interactions.pairs[number];
            let mut contacts = std::mem::take(&mut self.scratch.contacts);
            let mut newest = 0;
            for &effect in &pair.effects {
                if !self.scratch.shields.is_empty() {
                    let name = game.interactions.effects[usize::from(effect)].name;
                    if self.scratch.shields.contains(&(pair.first, pair.second, name)) {
                        continue;
                    }
                }
                if self.old {
                    self.run_old(number, effect, &mut contacts);
                } else {
                    self.run(number, effect, &mut contacts, &mut newest);
                }
            }
            self.scratch.contacts = contacts;
        }
    }

    /// One effect of a pair under the rules of 2021. First sprites are taken in order; all hits of one
    /// are found before any effect. When effects bring new sprites together, those first sprites that
    /// come later in the order meet them in this effect.
    fn run(&mut self, pair: usize, effect: u16, contacts: &mut Vec<Contact>, newest: &mut u32) {
        let born_before = self.data.next_id;
        let kind = &self.game.interactions.effects[usize::from(effect)].kind;
        let batch = matches!(kind, Kind::WallBounce | Kind::WallReverse);
        self.refresh(pair, contacts, newest);
        let mut index = 0;
        while let Some(&Contact { order: (key, _), first, .. }) = contacts.get(index) {
            let same = contacts[index..].iter().take_while(|contact| contact.order.0 == key);
            let end = index + same.count();
            // The lower half of a key is the number of the sprite.
            if key as u32 >= born_before || !batch && self.is_killed(first) {
                index = end;
                continue;
            }
            let mut hits = std::mem::take(&mut self.scratch.hits);
            hits.clear();
            for contact in &contacts[index..end] {
                let born = contact.order.1 as u32;
                if born < born_before && self.overlap(first, contact.second) {
                    hits.push(contact.second);
                }
            }
            if batch && !hits.is_empty() {
                self.execute_batch(effect, first, &hits);
            } else {
                for (number, &second) in hits.iter().enumerate() {
                    // Before the first nothing can have changed.
                    if number == 0 || !self.is_killed(first) && self.overlap(first, second) {
                        self.execute_and_score(effect, first, Some(second));
                    }
                }
            }
            self.scratch.hits = hits;
            index = if self.refresh(pair, contacts, newest) {
                contacts.partition_point(|contact| contact.order.0 <= key)
            } else {
                end
            };
        }
    }

    /// One effect of a pair under the rules of 2015: rows come from the top, and every test is made
    /// when its turn comes.
    fn run_old(&mut self, pair: usize, effect: u16, contacts: &mut Vec<Contact>) {
        let born_before = self.data.next_id;
        let block = self.level.block;
        let mut rows = std::mem::take(&mut self.scratch.rows);
        rows.clear();
        rows.extend(self.data.sprites.iter().map(|sprite| sprite.row_y / block));
        self.scratch.rows = rows;
        let mut newest = 0;
        self.refresh(pair, contacts, &mut newest);
        let mut index = 0;
        // The rows of seconds are chosen when the turn of a first sprite comes, and not again.
        let mut current = None;
        let mut reachable = [0, 0];
        while let Some(&Contact { order, first, second }) = contacts.get(index) {
            index += 1;
            if current != Some(order.0) {
                current = Some(order.0);
                let row_y =
                    first.slot().map_or(self.position(first).1, |slot| self.sprite(slot).row_y);
                let row = row_y / block;
                reachable = if row_y % block == 0 { [row - 1, row] } else { [row, row + 1] };
            }
            let born = self.id_of(first).max(self.id_of(second));
            if born >= born_before
                || self.is_killed(first)
                || !self.overlap(first, second)
                || !reachable.contains(&self.start_row(second))
            {
                continue;
            }
            self.execute_and_score(effect, first, Some(second));
            if self.refresh(pair, contacts, &mut newest) {
                index = contacts.partition_point(|contact| contact.order <= order);
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

    /// Sorts all contacts of a pair, if there are new ones; says whether there were.
    #[inline]
    fn refresh(&self, pair: usize, contacts: &mut Vec<Contact>, newest: &mut u32) -> bool {
        let now = self.newest_contact(pair);
        if now == *newest {
            return false;
        }
        *newest = now;
        self.sort_contacts(pair, contacts);
        true
    }

    fn sort_contacts(&self, pair: usize, contacts: &mut Vec<Contact>) {
        contacts.clear();
        let rules = &self.rules.pairs[pair];
        self.each_contact(pair, |first, second| {
            let first_rank = rules.first_rank[usize::from(self.type_of(first))];
            let second_rank = rules.second_rank[usize::from(self.type_of(second))];
            // Types can share a bit, and then a contact can be none of this pair.
            if first_rank != NO_RANK && second_rank != NO_RANK {
                let order = (self.key(first, first_rank), self.key(second, second_rank));
                contacts.push(Contact { order, first, second });
            }
        });
        if contacts.len() > 1 {
            sort(contacts);
            contacts.dedup_by_key(|contact| contact.order);
        }
    }
}

/// The lists are almost always very short.
fn sort(list: &mut [Contact]) {
    if list.len() > 16 {
        list.sort_unstable_by_key(|contact| contact.order);
        return;
    }
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && list[at - 1].order > list[at].order {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}
