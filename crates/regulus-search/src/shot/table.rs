//! Entries of positions: t of the pseudocode.

use rustc_hash::FxHashMap;

/// No move yet.
pub(super) const NONE: u32 = u32::MAX;

/// The playouts of a semimove that leads to no move.
const DEAD: u32 = u32::MAX;

/// What is known about a move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Stat {
    /// The scores of the player who makes it, summed over playouts.
    pub(super) sum: f64,
    pub(super) playouts: u32,
    /// How many moves deep the search has come behind it, this one included.
    pub(super) depth: u32,
}

impl Stat {
    /// The mean score; nothing is worse than what was never played out.
    pub(super) fn mean(&self) -> f64 {
        match self.playouts {
            0 | DEAD => f64::NEG_INFINITY,
            playouts => self.sum / f64::from(playouts),
        }
    }

    pub(super) fn is_dead(&self) -> bool {
        self.playouts == DEAD
    }

    pub(super) fn add(&mut self, playouts: u64, sum: f64, depth: u32) {
        // Counts of more than four thousand millions stay what they are, and so do the means.
        let more = self.playouts.saturating_add(playouts.min(u64::from(DEAD)) as u32);
        if more < DEAD {
            self.playouts = more;
            self.sum += sum;
        }
        self.depth = self.depth.max(depth);
    }

    pub(super) fn kill(&mut self) {
        *self = Stat { playouts: DEAD, ..Stat::default() };
    }
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Entry {
    first: u32,
    count: u32,
    /// budgetNode of the pseudocode: the budget that was used here in all visits.
    pub(super) budget: u64,
    /// The first move of S after the last visit.
    pub(super) best: u32,
}

/// Bytes per entry: the entry itself, and its place in the index.
const ENTRY_BYTES: usize = size_of::<Entry>();
const INDEX_BYTES: usize = size_of::<(u64, u32)>() + 1;

/// All entries, in flat arenas.
pub(super) struct Table {
    index: FxHashMap<u64, u32>,
    entries: Vec<Entry>,
    stats: Vec<Stat>,
    limit: usize,
}

impl Table {
    /// No entries, and at most `limit` bytes for them.
    pub(super) fn new(limit: usize) -> Self {
        Table { index: FxHashMap::default(), entries: Vec::new(), stats: Vec::new(), limit }
    }

    pub(super) fn bytes(&self) -> usize {
        self.index.capacity() * INDEX_BYTES
            + self.entries.capacity() * ENTRY_BYTES
            + self.stats.capacity() * size_of::<Stat>()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Table::new(self.limit);
    }

    /// True if more than half of the memory is taken.
    pub(super) fn is_half_full(&self) -> bool {
        self.bytes() > self.limit / 2
    }

    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.index.get(&key).copied()
    }

    pub(super) fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    pub(super) fn entry_mut(&mut self, number: u32) -> &mut Entry {
        &mut self.entries[number as usize]
    }

    /// What is known about the moves of an entry.
    pub(super) fn stats(&self, number: u32) -> &[Stat] {
        let Entry { first, count, .. } = self.entries[number as usize];
        &self.stats[first as usize..(first + count) as usize]
    }

    pub(super) fn stat(&self, number: u32, chosen: u32) -> &Stat {
        &self.stats[(self.entries[number as usize].first + chosen) as usize]
    }

    pub(super) fn stat_mut(&mut self, number: u32, chosen: u32) -> &mut Stat {
        &mut self.stats[(self.entries[number as usize].first + chosen) as usize]
    }

    /// The entry of a position with `count` moves, perhaps a new one; nothing if there is no room, or if another
    /// position has the same name.
    pub(super) fn get(&mut self, key: u64, count: usize, reserved: usize) -> Option<u32> {
        if let Some(known) = self.find(key) {
            return (self.entries[known as usize].count as usize == count).then_some(known);
        }
        if !self.has_room(count, reserved) {
            return None;
        }
        grow(&mut self.entries, 1);
        grow(&mut self.stats, count);
        let number = self.entries.len() as u32;
        let first = self.stats.len() as u32;
        self.entries.push(Entry { first, count: count as u32, budget: 0, best: NONE });
        self.stats.resize(first as usize + count, Stat::default());
        self.index.insert(key, number);
        Some(number)
    }

    fn has_room(&self, count: usize, reserved: usize) -> bool {
        // While the index grows, its old and new memory are taken: three times as much as before.
        let grows = self.index.len() == self.index.capacity();
        let index = self.index.capacity() * INDEX_BYTES * if grows { 3 } else { 1 };
        let eighth = |len: usize, more: usize| (len + more) * 9 / 8;
        let entries = self.entries.capacity().max(eighth(self.entries.len(), 1)) * ENTRY_BYTES;
        let stats = self.stats.capacity().max(eighth(self.stats.len(), count)) * size_of::<Stat>();
        index + entries + stats + reserved <= self.limit && self.stats.len() + count < NONE as usize
    }
}

/// Grows an arena by an eighth at a time, so that little is taken in vain.
fn grow<T>(arena: &mut Vec<T>, more: usize) {
    if arena.capacity() - arena.len() < more {
        arena.reserve_exact(more.max(arena.len() / 8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_again() {
        let mut table = Table::new(1 << 20);
        let first = table.get(7, 3, 0).expect("room");
        table.stat_mut(first, 1).add(2, 150.0, 1);
        table.stat_mut(first, 1).add(1, 0.0, 4);
        assert_eq!(*table.stat(first, 1), Stat { sum: 150.0, playouts: 3, depth: 4 });
        assert_eq!(table.stat(first, 1).mean(), 50.0);
        assert_eq!(table.stat(first, 0).mean(), f64::NEG_INFINITY);
        let second = table.get(8, 2, 0).expect("room");
        table.stat_mut(second, 0).kill();
        assert!(table.stat(second, 0).is_dead() && !table.stat(second, 1).is_dead());
        assert_eq!(table.get(7, 3, 0), Some(first));
        assert_eq!(table.get(7, 4, 0), None, "another position with the same name");
        assert_eq!(table.stats(first).len(), 3);
    }

    #[test]
    fn counts_that_are_too_great_stay() {
        let mut stat = Stat::default();
        stat.add(u64::from(DEAD) - 1, 5.0, 1);
        stat.add(u64::MAX, 1e9, 1);
        assert_eq!((stat.playouts, stat.sum), (DEAD - 1, 5.0));
    }

    #[test]
    fn memory_is_limited() {
        let mut table = Table::new(1 << 20);
        let mut key = 0u64;
        while table.get(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), 20, 0).is_some() {
            key += 1;
        }
        let bytes = table.bytes();
        assert!(bytes <= 1 << 20 && bytes > (1 << 20) * 3 / 4, "{bytes}");
        assert!(table.is_half_full());
        table.clear();
        assert_eq!((table.bytes(), table.len()), (0, 0));
    }
}
