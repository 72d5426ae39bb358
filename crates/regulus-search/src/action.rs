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

/// The key of an ending behind an action that is `distance` positions before it.
#[inline]
pub fn lead_key(action: i32, distance: i32, ending: u64) -> u64 {
    extended(ending, Step { action: action ^ (distance << 16), vertex: distance as u16 })
}

/// The key of a semimove whatever its context.
#[inline]
pub fn split_key(step: Step) -> u64 {
    extended(0, step)
}

/// Numbers for keys, from 0 on.
#[derive(Clone, Debug)]
pub struct Actions {
    /// Open addressing, at most half full: key (0 if the slot is empty) and number.
    slots: Vec<(u64, u32)>,
    keys: Vec<u64>,
}

impl Default for Actions {
    fn default() -> Self {
        Actions { slots: vec![(0, 0); 64], keys: Vec::new() }
    }
}

impl Actions {
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (key >> 16) as usize & mask;
        loop {
            let found = self.slots[at].0;
            if (found == key) | (found == 0) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of a key, if it has one.
    #[inline]
    pub fn find(&self, key: u64) -> Option<u32> {
        let (found, number) = self.slots[self.slot(key | 1)];
        (found != 0).then_some(number)
    }

    /// The number of a key, perhaps a new one.
    pub fn number(&mut self, key: u64) -> u32 {
        let key = key | 1;
        let at = self.slot(key);
        if self.slots[at].0 == key {
            return self.slots[at].1;
        }
        let number = self.keys.len() as u32;
        self.keys.push(key);
        self.slots[at] = (key, number);
        if self.keys.len() * 2 > self.slots.len() {
            self.slots = vec![(0, 0); self.slots.len() * 2];
            for number in 0..self.keys.len() {
                let at = self.slot(self.keys[number]);
                self.slots[at] = (self.keys[number], number as u32);
            }
        }
        number
    }

    /// The key of a number.
    pub fn key(&self, number: u32) -> u64 {
        self.keys[number as usize]
    }

    /// How many keys have numbers.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// True if none has.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u64, u32)>() + self.keys.capacity() * 8
    }
}

/// A set of actions by their numbers; emptied in the time it took to fill it.
#[derive(Clone, Default, Debug)]
pub struct ActionSet {
    bits: Vec<u64>,
    filled: Vec<u32>,
}

impl ActionSet {
    /// Removes everything and makes room for numbers below `len`.
    pub fn clear(&mut self, len: usize) {
        self.filled.drain(..).for_each(|word| self.bits[word as usize] = 0);
        let words = len.div_ceil(64);
        if self.bits.len() < words {
            self.bits.resize(words.next_power_of_two(), 0);
        }
    }

    /// Inserts a number.
    #[inline]
    pub fn insert(&mut self, number: u32) {
        let word = number / 64;
        let bits = &mut self.bits[word as usize];
        if *bits == 0 {
            self.filled.push(word);
        }
        *bits |= 1 << (number % 64);
    }

    /// 1 if a number is in the set, or else 0.
    #[inline(always)]
    pub fn count(&self, number: u32) -> u32 {
        (self.bits[number as usize / 64] >> (number % 64)) as u32 & 1
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
        let (mut actions, mut set) = (Actions::default(), ActionSet::default());
        for round in 0..3u64 {
            let key = |i| split_key(Step { action: i, vertex: round as u16 });
            let numbers: Vec<u32> = (0..2000).map(|i| actions.number(key(i))).collect();
            assert!(numbers.iter().zip(0..).all(|(n, i)| actions.find(key(i)) == Some(*n)));
            assert_eq!(actions.find(key(2000)), None);
            assert_eq!(actions.len(), 2000 * (round as usize + 1));
            set.clear(actions.len());
            numbers.iter().for_each(|n| assert_eq!(set.count(*n), 0));
            numbers[..1000].iter().for_each(|n| set.insert(*n));
            assert!(numbers.iter().zip(0..).all(|(n, i)| set.count(*n) == u32::from(i < 1000)));
        }
    }
}
