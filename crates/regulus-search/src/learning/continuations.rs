//! What came after a sequence of moves, and how well that went: a small table for every sequence, so that all moves
//! that could go on with it are looked up side by side in memory.

use crate::statistic::table::{Average, Decays};

/// No move.
const EMPTY: u32 = u32::MAX;

/// The moves that went on with one sequence: open addressing, at most three quarters full.
#[derive(Clone, Default, Debug)]
pub(super) struct Continuations {
    slots: Vec<Slot>,
    len: u32,
    /// Whether a move has ever been seen often enough to be asked for.
    frequent: bool,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    code: u32,
    average: Average,
}

const FREE: Slot = Slot { code: EMPTY, average: Average::EMPTY };

impl Continuations {
    #[inline(always)]
    fn slot(&self, code: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (code.wrapping_mul(0x9e37_79b1) >> 12) as usize & mask;
        loop {
            let found = self.slots[at].code;
            if (found == code) | (found == EMPTY) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The average of a move; one without samples if it never came here.
    #[inline(always)]
    pub(super) fn get(&self, code: u32) -> &Average {
        &self.slots[self.slot(code)].average
    }

    /// Whether it is worth looking for moves.
    #[inline]
    pub(super) fn is_frequent(&self) -> bool {
        self.frequent
    }

    /// Adds a sample; gives the bytes that this took. Moves that are seen with a weight of at least `enough` can be
    /// looked up. Without `room` no new moves are kept.
    pub(super) fn add(
        &mut self,
        code: u32,
        value: f64,
        decays: Decays,
        enough: f64,
        room: bool,
    ) -> usize {
        let mut taken = 0;
        if self.len as usize * 4 >= self.slots.len() * 3 {
            if !room && (self.slots.is_empty() || self.slots[self.slot(code)].code == EMPTY) {
                return 0;
            }
            if room {
                taken = self.grow();
            }
        }
        let at = self.slot(code);
        let slot = &mut self.slots[at];
        if slot.code == EMPTY {
            slot.code = code;
            self.len += 1;
        }
        slot.average.add(value, decays);
        self.frequent |= slot.average.weight(decays.count, decays.factor) >= enough;
        taken
    }

    fn grow(&mut self) -> usize {
        let size = (self.slots.len() * 2).max(4);
        let before = std::mem::replace(&mut self.slots, vec![FREE; size]);
        for slot in before.iter().filter(|slot| slot.code != EMPTY) {
            let at = self.slot(slot.code);
            self.slots[at] = *slot;
        }
        (size - before.len()) * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found() {
        let decays = Decays { count: 0, factor: 1.0 };
        let mut after = Continuations::default();
        assert!(after.add(3, 1.0, decays, 2.0, false) == 0 && after.slots.is_empty());
        let mut bytes = 0;
        for round in 0..2 {
            for code in 0..1000 {
                assert_eq!(after.is_frequent(), round > 0 && code > 0);
                bytes += after.add(code * 7, f64::from(code % 2), decays, 2.0, true);
            }
        }
        assert_eq!(bytes, after.slots.len() * size_of::<Slot>());
        for code in 0..1000 {
            assert_eq!(after.get(code * 7).mean(), Some(f64::from(code % 2)));
            assert_eq!(after.get(code * 7 + 1).mean(), None);
        }
        // Without room there are always free slots.
        (0..9000).for_each(|code| {
            after.add(code, 1.0, decays, 2.0, false);
        });
        assert_eq!(after.get(7777).mean(), None);
        assert_eq!(bytes, after.slots.len() * size_of::<Slot>());
    }
}
