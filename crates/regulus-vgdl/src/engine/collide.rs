//! Collisions, in the order of the reference frameworks.
//!
//! The reference frameworks test every sprite of one type against every sprite of the other. Here the
//! contacts are known, and sorting puts them into the same order: by the rank of the type in its
//! family, then by number (2021), or by row, rank and place in the hash map (2015).

use super::contacts::{Contact, Found};
use super::{Engine, SCANNED_PER_STEP};
use crate::data::table_mask;
use crate::interaction::Pair;
use crate::sprite::{Ref, flag};

impl Engine<'_> {
    pub(super) fn collide(&mut self) {
        #[cfg(test)]
        if self.scratch.simple {
            return self.collide_simply();
        }
        while let Some(number) = self.scratch.next_hot() {
            self.scratch.pair = number;
            self.run_pair(number);
            self.scratch.cool(number);
        }
    }

    fn run_pair(&mut self, number: usize) {
        let game = self.game;
        let pair = &game.interactions.pairs[number];
        let mut newest = 0;
        for &effect in &pair.effects {
            if self.scratch.is_exhausted() {
                return;
            }
            if !self.scratch.shields.is_empty() && self.is_shielded(pair, effect) {
                continue;
            }
            if self.old {
                self.run_old(number, effect);
                continue;
            }
            let last = self.scratch.newest_contact(number);
            let Found { first, second, older, is_event } = self.scratch.contact(last);
            if older != 0 || pair.batch {
                self.run(number, effect, &mut newest, None, self.data.next_id);
                continue;
            }
            // A lone contact needs no order.
            let born_before = self.data.next_id;
            if self.is_killed(first) || self.scratch.moved && !self.overlap(first, second) {
                continue;
            }
            self.execute_meeting(effect, first, second);
            if is_event {
                self.record_event(first, second);
            }
            if self.scratch.newest_contact(number) != last {
                let key = self.order(number, first, second).0;
                self.run(number, effect, &mut newest, Some(key), born_before);
            }
        }
    }

    #[cold]
    fn is_shielded(&self, pair: &Pair, effect: u16) -> bool {
        self.scratch.count(self.scratch.shields.len() / SCANNED_PER_STEP);
        let name = self.game.interactions.effects[usize::from(effect)].name;
        self.scratch.shields.contains(&(pair.first, pair.second, name))
    }

    /// Executes an effect on two sprites if they touch and the first was not killed; says whether.
    #[inline(always)]
    fn try_effect(&mut self, effect: u16, first: Ref, second: Ref) -> bool {
        let (a, b) = (self.at(first), self.at(second));
        let killed = a.has(flag::KILLED) || first.slot().is_none() && self.is_killed(first);
        if killed || !self.near(a, b) {
            return false;
        }
        let is_event = (a.flags | b.flags) & (flag::AVATAR | flag::FROM_AVATAR) != 0;
        self.execute_meeting(effect, first, second);
        if is_event {
            self.record_event(first, second);
        }
        true
    }

    /// One effect of a pair under the rules of 2021. First sprites are taken in order, from the one
    /// after a given one on; all hits of one are found before any effect. When effects bring new sprites
    /// together, those first sprites that come later in the order meet them in this effect.
    #[inline(never)]
    fn run(
        &mut self,
        pair: usize,
        effect: u16,
        newest: &mut u32,
        after: Option<u64>,
        born_before: u32,
    ) {
        let batch = self.game.interactions.effects[usize::from(effect)].kind.is_batch();
        self.refresh(pair, newest);
        self.scratch.count(self.scratch.contacts.len());
        let mut index = after.map_or(0, |key| self.place_after(key));
        while let Some(&Contact { order: (key, second_key), first, second }) =
            self.scratch.contacts.get(index)
        {
            index += 1;
            let several = self.scratch.contacts.get(index).is_some_and(|next| next.order.0 == key);
            if batch || several {
                index = self.run_hits(effect, index - 1, born_before, batch);
            } else if (key as u32).max(second_key as u32) < born_before {
                // The lower half of a key is the number of the sprite.
                self.try_effect(effect, first, second);
            }
            if self.refresh(pair, newest) {
                index = self.place_after(key);
                if self.scratch.is_exhausted() {
                    return;
                }
            }
        }
    }

    fn place_after(&self, key: u64) -> usize {
        self.scratch.contacts.partition_point(|contact| contact.order.0 <= key)
    }

    /// One effect on one sprite and all that it hits, from a place in the list of contacts on; gives the
    /// place after them.
    fn run_hits(&mut self, effect: u16, start: usize, born_before: u32, batch: bool) -> usize {
        let contacts = &self.scratch.contacts[start..];
        let (key, first) = (contacts[0].order.0, contacts[0].first);
        let count = contacts.iter().take_while(|contact| contact.order.0 == key).count();
        if key as u32 >= born_before || !batch && self.is_killed(first) {
            return start + count;
        }
        let mut hits = std::mem::take(&mut self.scratch.hits);
        hits.clear();
        for contact in &self.scratch.contacts[start..start + count] {
            let born = contact.order.1 as u32;
            if born < born_before && self.overlap(first, contact.second) {
                hits.push(contact.second);
            }
        }
        if batch && !hits.is_empty() {
            self.execute_batch(effect, first, &hits);
        } else {
            for &second in &hits {
                self.try_effect(effect, first, second);
            }
        }
        self.scratch.hits = hits;
        start + count
    }

    /// One effect of a pair under the rules of 2015: rows come from the top, and every test is made
    /// when its turn comes.
    fn run_old(&mut self, pair: usize, effect: u16) {
        let born_before = self.data.next_id;
        let block = self.level.block;
        self.scratch.begin_rows();
        let mut newest = 0;
        self.refresh(pair, &mut newest);
        self.scratch.count(self.scratch.contacts.len());
        let mut index = 0;
        // The rows of seconds are chosen when the turn of a first sprite comes, and not again.
        let mut current = None;
        let mut reachable = [0, 0];
        while let Some(&Contact { order, first, second }) = self.scratch.contacts.get(index) {
            index += 1;
            if current != Some(order.0) {
                current = Some(order.0);
                let row_y =
                    first.slot().map_or(self.position(first).1, |slot| self.sprite(slot).row_y);
                let row = row_y / block;
                reachable = if row_y % block == 0 { [row - 1, row] } else { [row, row + 1] };
            }
            let born = self.at(first).id.max(self.at(second).id);
            if born >= born_before
                || !reachable.contains(&self.start_row(second))
                || !self.try_effect(effect, first, second)
            {
                continue;
            }
            if self.refresh(pair, &mut newest) {
                if self.scratch.is_exhausted() {
                    return;
                }
                index = self.scratch.contacts.partition_point(|contact| contact.order <= order);
            }
        }
    }

    /// The row of a sprite at the beginning of the effect at work.
    fn start_row(&self, sprite: Ref) -> i32 {
        let row_y = match sprite.slot() {
            Some(slot) => self.scratch.kept_row(slot).unwrap_or(self.sprite(slot).row_y),
            None => self.position(sprite).1,
        };
        row_y / self.level.block
    }

    /// The places of two sprites in the order of an effect.
    fn order(&self, pair: usize, first: Ref, second: Ref) -> (u64, u64) {
        let types = (self.type_of(first), self.type_of(second));
        let ranks = self.rules.ranks(pair, types.0, types.1).unwrap_or_default();
        (self.key(first, ranks.0), self.key(second, ranks.1))
    }

    /// The place of a sprite in the order of an effect.
    #[inline]
    fn key(&self, sprite: Ref, rank: u16) -> u64 {
        let id = self.at(sprite).id;
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
    fn refresh(&mut self, pair: usize, newest: &mut u32) -> bool {
        let now = self.scratch.newest_contact(pair);
        if now == *newest {
            return false;
        }
        *newest = now;
        self.sort_contacts(pair);
        true
    }

    #[inline(never)]
    fn sort_contacts(&mut self, pair: usize) {
        self.scratch.contacts.clear();
        let is_plain = self.rules.pairs[pair].is_plain && !self.old;
        let mut number = self.scratch.newest_contact(pair);
        while number != 0 {
            let Found { first, second, older, .. } = self.scratch.contact(number);
            number = older;
            let order = if is_plain {
                (u64::from(self.at(first).id), u64::from(self.at(second).id))
            } else {
                self.order(pair, first, second)
            };
            self.scratch.contacts.push(Contact { order, first, second });
        }
        let count = self.scratch.contacts.len();
        self.scratch.count(count * (count | 1).ilog2() as usize);
        let contacts = &mut self.scratch.contacts;
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
