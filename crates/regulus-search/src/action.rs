//! Names of actions: 64-bit keys of semimoves and of submoves, and sets of them.
//!
//! A submove is named by its *context key*: the key of the submove without its last step, mixed with
//! that step (THESIS 3.3 stores pairs of context and semimove; a well-mixed key stands for the pair).
//! Split points change nothing, so a key forgets those in the middle: only the last step of a submove
//! can be one (THESIS 3.1). The key of a whole move is therefore the same whether the move was made at
//! once or semimove by semimove.

use regulus_game::Step;

/// The key of the empty submove, the context of a nodal state.
pub const NODAL: u64 = 0x9e37_79b9_7f4a_7c15;

/// The key of a context and one more step.
#[inline]
pub fn extended(context: u64, step: Step) -> u64 {
    let bits = u64::from(step.action as u32) << 16 | u64::from(step.vertex);
    let mixed =
        (context ^ bits.wrapping_mul(0xff51_afd7_ed55_8ccd)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    mixed ^ (mixed >> 29)
}

/// The context behind a step: split points do not count.
#[inline]
pub fn context_behind(context: u64, step: Step) -> u64 {
    if step.is_modifier() { extended(context, step) } else { context }
}

/// The key of a context and a submove.
#[inline]
pub fn submove_key(context: u64, submove: &[Step]) -> u64 {
    let Some((last, before)) = submove.split_last() else { return context };
    extended(before.iter().fold(context, |key, step| context_behind(key, *step)), *last)
}

/// The key of moves that begin with the steps of a context and end with certain actions, but for the
/// vertex of these actions.
#[inline]
pub fn group_key(context: u64, ending: u64) -> u64 {
    let mixed = (context ^ ending).wrapping_mul(0x9fb2_1c65_1e98_df25);
    mixed ^ (mixed >> 32)
}

/// The key of the actions that end a move, behind others that have a key (0 if there are none).
#[inline]
pub fn ending_key(before: u64, actions: &[i32]) -> u64 {
    actions.iter().fold(before, |key, action| extended(key, Step { action: *action, vertex: 0 }))
}

/// The key of a move of a group. The keys of a group lie side by side in a table.
#[inline]
pub fn grouped_key(group: u64, vertex: u16) -> u64 {
    group.wrapping_add(u64::from(vertex) << VERTEX_SHIFT)
}

/// The bits of a key above these are its place in a table.
pub const VERTEX_SHIFT: u32 = 24;

/// The key of an ending behind an action so many positions before it.
#[inline]
pub fn lead_key(action: i32, distance: i32, ending: u64) -> u64 {
    extended(ending, Step { action: action ^ (distance << 16), vertex: distance as u16 })
}

/// The key of a semimove whatever its context.
#[inline]
pub fn split_key(step: Step) -> u64 {
    extended(0, step)
}

/// A set of keys that is emptied in no time. It holds the actions of one iteration, so it stays in the
/// first-level cache.
#[derive(Clone, Debug)]
pub struct KeySet {
    /// Key and the round in which it was inserted.
    slots: Vec<(u64, u32)>,
    round: u32,
    len: usize,
}

impl Default for KeySet {
    fn default() -> Self {
        KeySet { slots: vec![(0, 0); 256], round: 1, len: 0 }
    }
}

impl KeySet {
    /// Removes everything.
    pub fn clear(&mut self) {
        self.len = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill((0, 0));
            self.round = 1;
        }
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (key >> 32) as usize & mask;
        loop {
            let (found, round) = self.slots[at];
            // One branch that is nearly always taken: lookups of several keys overlap.
            if (found == key) | (round != self.round) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// True if the key was inserted since the set was emptied.
    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        self.slots[self.slot(key)] == (key, self.round)
    }

    /// Inserts a key.
    pub fn insert(&mut self, key: u64) {
        let at = self.slot(key);
        if self.slots[at] == (key, self.round) {
            return;
        }
        self.slots[at] = (key, self.round);
        self.len += 1;
        if self.len * 4 > self.slots.len() {
            let larger = vec![(0, 0); self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, larger);
            let keys = old.into_iter().filter(|slot| slot.1 == self.round);
            for (key, round) in keys {
                let at = self.slot(key);
                self.slots[at] = (key, round);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_points_in_the_middle_do_not_count() {
        let step = |action, vertex| Step { action, vertex };
        let (a, b, dot) = (step(3, 7), step(4, 9), step(-12, 8));
        assert_eq!(submove_key(NODAL, &[a, dot, b]), submove_key(NODAL, &[a, b]));
        assert_ne!(submove_key(NODAL, &[a, dot]), submove_key(NODAL, &[a]));
        let context = context_behind(context_behind(NODAL, a), dot);
        assert_eq!(extended(context, b), submove_key(NODAL, &[a, b]));
        assert_ne!(submove_key(NODAL, &[a, b]), submove_key(NODAL, &[b, a]));
    }

    #[test]
    fn sets_forget_and_grow() {
        let mut set = KeySet::default();
        for round in 0..3u64 {
            for i in 0..1000 {
                set.insert(split_key(Step { action: i, vertex: round as u16 }));
            }
            for i in 0..2000 {
                let key = split_key(Step { action: i, vertex: round as u16 });
                assert_eq!(set.contains(key), i < 1000);
            }
            set.clear();
            assert!(!set.contains(split_key(Step { action: 1, vertex: round as u16 })));
        }
    }
}
