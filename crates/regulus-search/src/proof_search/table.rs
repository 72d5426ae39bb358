//! Answers that are known, by position: eight bytes each, in groups as large as a line of the processor's cache.

/// Entries of a group.
const GROUP: usize = 8;

/// The bits of an entry that do not belong to the key: the answer, and above it how much work it was. The place of
/// the group says what the key has there.
const OWN_BITS: u32 = 7;

/// The fewest groups: the bits of a key that an entry has no room for must follow from its group.
const LEAST: usize = 1 << OWN_BITS;

/// A table of answers to yes-or-no questions.
pub(super) struct Table {
    /// 0 where there is nothing.
    entries: Vec<u64>,
    groups: usize,
}

impl Table {
    /// The largest table that has at most `bytes` bytes, if they suffice for the smallest.
    pub(super) fn new(bytes: usize) -> Self {
        let mut groups = LEAST;
        while 2 * groups * GROUP * size_of::<u64>() <= bytes {
            groups *= 2;
        }
        Table { entries: vec![0; groups * GROUP], groups }
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<u64>()
    }

    fn group(&self, key: u64) -> std::ops::Range<usize> {
        let first = (key as usize & (self.groups - 1)) * GROUP;
        first..first + GROUP
    }

    /// The answer for a key.
    #[inline]
    pub(super) fn answer(&self, key: u64) -> Option<bool> {
        let group = &self.entries[self.group(key)];
        let found = group.iter().find(|entry| (**entry ^ key) >> OWN_BITS == 0)?;
        (*found != 0).then_some(found & 1 == 1)
    }

    /// Keeps an answer that took `states` states. It takes the place of the one that was least work.
    pub(super) fn keep(&mut self, key: u64, answer: bool, states: u64) {
        // Never 0: work is counted from 1.
        let work = u64::from((states | 1).ilog2()) + 1;
        let entry = key >> OWN_BITS << OWN_BITS | work.min(63) << 1 | u64::from(answer);
        let group = self.group(key);
        let group = &mut self.entries[group];
        let same = group.iter().position(|old| *old == 0 || (*old ^ key) >> OWN_BITS == 0);
        let least = || (0..GROUP).min_by_key(|i| group[*i] >> 1 & 63).unwrap_or(0);
        let place = same.unwrap_or_else(least);
        group[place] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_were_most_work_stay() {
        let mut table = Table::new(0);
        assert_eq!(table.bytes(), 8192);
        // All of one group.
        let key = |i: u64| (i + 1) << 40 | 5;
        for i in 0..100 {
            table.keep(key(i), i % 3 == 0, 1 << (i % 50));
        }
        let known: Vec<u64> = (0..100).filter(|i| table.answer(key(*i)).is_some()).collect();
        assert_eq!(known, [46, 47, 48, 49, 96, 97, 98, 99]);
        assert!(known.iter().all(|i| table.answer(key(*i)) == Some(i % 3 == 0)));
        assert_eq!(table.answer(0), None);
        assert_eq!(Table::new(1 << 20).bytes(), 1 << 20);
    }
}
