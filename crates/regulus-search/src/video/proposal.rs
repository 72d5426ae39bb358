//! What an agent would do if it had to decide at once.
//!
//! On a machine with too much to do a thread that computes is stopped now and then, for longer than the patience
//! of the competition. So a search says what it would do after every iteration, where somebody who watches the
//! clock can read it without waiting for the search.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a decision that is not finished has come to. One thread decides, any thread may read.
#[derive(Debug, Default)]
pub struct Proposal {
    /// The number of the decision in the upper half, 1 + the number of the action in the lower one; 0 for none.
    action: AtomicU64,
    iterations: AtomicU64,
    ticks: AtomicU64,
}

/// A proposal, as it was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proposed {
    /// The number of the action.
    pub action: usize,
    /// Iterations so far.
    pub iterations: u64,
    /// Ticks of the forward model so far.
    pub ticks: u64,
}

impl Proposal {
    /// What the search would do in a decision; searches count their decisions from 1.
    pub fn of(&self, decision: u32) -> Option<Proposed> {
        let word = self.action.load(Ordering::Acquire);
        let action = (word as u32 as usize).checked_sub(1)?;
        (word >> 32 == u64::from(decision)).then(|| Proposed {
            action,
            iterations: self.iterations.load(Ordering::Relaxed),
            ticks: self.ticks.load(Ordering::Relaxed),
        })
    }

    pub(super) fn propose(&self, decision: u32, action: usize, iterations: u64, ticks: u64) {
        self.iterations.store(iterations, Ordering::Relaxed);
        self.ticks.store(ticks, Ordering::Relaxed);
        let word = u64::from(decision) << 32 | (action as u64 + 1);
        self.action.store(word, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals_belong_to_a_decision() {
        let proposal = Proposal::default();
        assert_eq!(proposal.of(0), None);
        assert_eq!(proposal.of(1), None);
        proposal.propose(1, 0, 7, 70);
        assert_eq!(proposal.of(1), Some(Proposed { action: 0, iterations: 7, ticks: 70 }));
        assert_eq!(proposal.of(2), None);
        proposal.propose(2, 4, 1, 10);
        assert_eq!(proposal.of(2), Some(Proposed { action: 4, iterations: 1, ticks: 10 }));
        assert_eq!(proposal.of(1), None);
    }
}
