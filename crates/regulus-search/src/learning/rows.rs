//! What could be chosen, as sets of places in rows of codes: moves of a group are not looked at one by one before
//! somebody needs to.

use std::ops::Range;

/// Codes with the same number of places above this are in one word of a set: rows have a multiple of `WORD` places.
pub(crate) const WORD: usize = 64;

/// Moves in one row of codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    /// The code of the first place.
    pub(crate) first: u32,
    /// The number of the group they come from.
    pub(crate) group: u32,
    /// Their places, at least one; these are the positions of the moves in the group too.
    pub(crate) set: &'r [u64],
}

/// Hands over the places of a word, from the lowest.
#[inline(always)]
pub(crate) fn for_each(places: u64, mut each: impl FnMut(usize)) {
    let mut rest = places;
    while rest != 0 {
        each(rest.trailing_zeros() as usize % WORD);
        rest &= rest - 1;
    }
}

/// A move of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chosen {
    pub(crate) code: u32,
    pub(crate) group: u32,
    pub(crate) position: u32,
}

impl Row<'_> {
    /// The move at a place.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> Chosen {
        Chosen { code: self.first + place as u32, group: self.group, position: place as u32 }
    }
}

/// The rows of choices, choice after choice.
#[derive(Clone, Default, Debug)]
pub(crate) struct Rows {
    /// First codes and groups.
    heads: Vec<(u32, u32)>,
    sets: Vec<u64>,
    /// How many words a set has.
    words: usize,
}

impl Rows {
    /// For sets of `words` words.
    pub(crate) fn new(words: usize) -> Self {
        Rows { words, ..Rows::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.heads.truncate(len);
        self.sets.truncate(len * self.words);
    }

    /// Appends a row, unless its set is empty.
    #[inline]
    pub(crate) fn push(&mut self, first: u32, group: usize, set: &[u64]) {
        if set.iter().all(|word| *word == 0) {
            return;
        }
        self.heads.push((first, group as u32));
        // A call that copies a few words takes longer than this.
        set.iter().for_each(|word| self.sets.push(*word));
        (set.len()..self.words).for_each(|_| self.sets.push(0));
    }

    /// The same for the moves of a group of which one is in another row, in the order of their positions.
    pub(crate) fn push_parted(
        &mut self,
        first: u32,
        group: usize,
        set: &[u64],
        special: (usize, u32),
    ) {
        let (word, bit) = (special.0 / WORD, 1u64 << (special.0 % WORD));
        let part = |keep: &dyn Fn(usize) -> u64| -> Vec<u64> {
            set.iter().enumerate().map(|(w, places)| places & keep(w)).collect()
        };
        let below = |w: usize| match w.cmp(&word) {
            std::cmp::Ordering::Less => u64::MAX,
            std::cmp::Ordering::Equal => bit - 1,
            std::cmp::Ordering::Greater => 0,
        };
        let it = |w: usize| if w == word { bit } else { 0 };
        self.push(first, group, &part(&below));
        self.push(special.1, group, &part(&it));
        self.push(first, group, &part(&|w| !below(w) & !it(w)));
    }

    /// Some of the rows.
    #[inline]
    pub(crate) fn iter(&self, range: Range<usize>) -> impl Iterator<Item = Row<'_>> {
        let words = self.words.max(1);
        let sets = &self.sets[range.start * self.words..range.end * self.words];
        let heads = self.heads[range].iter().zip(sets.chunks_exact(words));
        heads.map(|((first, group), set)| Row { first: *first, group: *group, set })
    }

    /// One of the rows.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> Row<'_> {
        let (first, group) = self.heads[number];
        Row { first, group, set: &self.sets[number * self.words..(number + 1) * self.words] }
    }

    /// The only move of some rows, if there is only one.
    #[inline]
    pub(crate) fn only(&self, range: Range<usize>) -> Option<Chosen> {
        if range.len() != 1 {
            return None;
        }
        let row = self.iter(range).next()?;
        let word = row.set.iter().position(|word| *word != 0)?;
        let others = row.set[word] & (row.set[word] - 1);
        if others != 0 || row.set[word + 1..].iter().any(|word| *word != 0) {
            return None;
        }
        Some(row.at(word * WORD + row.set[word].trailing_zeros() as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(rows: &Rows) -> Vec<(u32, u32, u32)> {
        let mut codes = Vec::new();
        for row in rows.iter(0..rows.len()) {
            for (w, word) in row.set.iter().enumerate() {
                for_each(*word, |place| {
                    let chosen = row.at(w * WORD + place);
                    codes.push((chosen.code, chosen.group, chosen.position));
                });
            }
        }
        codes
    }

    #[test]
    fn moves_stay_in_order() {
        let mut rows = Rows::new(2);
        rows.push(256, 0, &[0, 0]);
        rows.push(128, 3, &[1 << 5 | 1 << 63, 1]);
        let first = [(133, 3, 5), (191, 3, 63), (192, 3, 64)];
        assert_eq!(codes(&rows), first);
        rows.truncate(0);
        rows.push_parted(128, 3, &[1 << 5 | 1 << 63, 1], (63, 512));
        assert_eq!(codes(&rows), [first[0], (575, 3, 63), first[2]]);
        assert_eq!(rows.only(0..3), None);
        assert_eq!(rows.only(1..2), Some(Chosen { code: 575, group: 3, position: 63 }));
        rows.push(0, 1, &[3]);
        assert_eq!(rows.only(3..4), None);
    }
}
