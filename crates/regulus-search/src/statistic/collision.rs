//! Whether a key of 64 bits stands for two actions. Nobody looks in a release build: keys are taken to be different, as
//! THESIS 3.3 need not do, whose tables have the actions themselves. Debug builds keep these, too, and count.

use regulus_game::Step;
#[cfg(debug_assertions)]
use rustc_hash::FxHashMap;

/// The actions of one table that are known, and how often a key was another's.
#[derive(Default)]
pub(super) struct Collisions {
    #[cfg(debug_assertions)]
    actions: FxHashMap<u64, Box<[Step]>>,
    #[cfg(debug_assertions)]
    count: u64,
}

/// No more actions are kept: they take more memory than what is counted for them.
#[cfg(debug_assertions)]
const MOST: usize = 1 << 18;

impl Collisions {
    /// An action has this key.
    #[cfg(debug_assertions)]
    pub(super) fn note(&mut self, key: u64, action: impl Iterator<Item = Step>) {
        match self.actions.get(&key) {
            Some(known) => self.count += u64::from(!known.iter().copied().eq(action)),
            None if self.actions.len() < MOST => {
                self.actions.insert(key, action.collect());
            }
            None => {}
        }
    }

    /// An action has this key.
    #[cfg(not(debug_assertions))]
    #[inline(always)]
    pub(super) fn note(&mut self, _key: u64, _action: impl Iterator<Item = Step>) {}

    /// How often a key was that of another action.
    pub(super) fn count(&self) -> u64 {
        #[cfg(debug_assertions)]
        return self.count;
        #[cfg(not(debug_assertions))]
        0
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;
    use crate::action::{NODAL, extended};

    fn steps(number: u16) -> [Step; 2] {
        [Step { action: 1, vertex: number }, Step { action: 2, vertex: number }]
    }

    /// A hash of two bits: 96 of 100 actions come to a key that is taken, and again.
    #[test]
    fn a_weak_hash_is_found_out() {
        let mut weak = Collisions::default();
        for number in (0..100).chain(0..100) {
            weak.note(u64::from(number % 4), steps(number).into_iter());
        }
        assert_eq!(weak.count(), 2 * 96);
    }

    #[test]
    fn the_keys_of_contexts_are_different() {
        let mut keys = Collisions::default();
        for number in (0..1000).chain(0..1000) {
            let key = steps(number).into_iter().fold(NODAL, extended);
            keys.note(key | 1, steps(number).into_iter());
        }
        assert_eq!(keys.count(), 0);
    }
}
