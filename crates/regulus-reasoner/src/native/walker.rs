//! Drawing a split move semimove by semimove with everything at hand: drawing without replacement,
//! and going back where all semimoves of a level are dead (THESIS, Algorithm 1). Fast code comes here
//! when it has run into a dead end that it cannot leave by itself.

use regulus_game::Random;
use regulus_rbg::declarations::{Piece, Variable};

use super::analysis::Analysis;
use super::levels::{Exit, Levels};
use super::segments::Arc;
use crate::error::{MAX_NATIVE_STEPS, RunError};

/// Memory for drawing moves.
#[derive(Default)]
pub(crate) struct Walker {
    /// States to come back to, one after the other.
    saved: Vec<u64>,
    /// The semimoves left at every level on the way.
    sets: Vec<u64>,
    /// The split points passed, as steps; those since the last modifier are not passed again.
    passed: Vec<u64>,
    /// How many of the steps drawn before are still followed: none after a dead end.
    follows: usize,
}

/// Writes where every semimove of a level is possible in a state.
pub(crate) type ExitsOf<'c> = dyn Fn(usize, &[u64], &mut [u64]) -> Result<(), RunError> + 'c;

/// What a walk goes by.
pub(crate) struct Course<'c> {
    pub(crate) analysis: &'c Analysis,
    pub(crate) levels: &'c Levels,
    pub(crate) exits: &'c ExitsOf<'c>,
    /// What has been drawn already: the position in the high half, the step in the low half.
    pub(crate) drawn: &'c [u64],
}

impl Analysis {
    /// Does in a state what an arc does; false if that is impossible.
    pub(crate) fn apply(&self, arc: &Arc, at: usize, words: &mut [u64]) -> bool {
        let layout = self.layout;
        words[layout.pointer()] = at as u64;
        match arc {
            Arc::Off(piece, _) => {
                let (word, bit) = (at / 64, 1u64 << (at % 64));
                for p in 0..layout.pieces {
                    words[layout.set(p, word)] &= !bit;
                }
                words[layout.set(usize::from(piece.0), word)] |= bit;
            }
            Arc::Assign(variable, value, _) => {
                let count = |p: Piece| -> i64 {
                    let of = |w| words[layout.set(usize::from(p.0), w)].count_ones();
                    (0..layout.words_per_set).map(|w| i64::from(of(w))).sum()
                };
                let of = |v: Variable| words[layout.variable(usize::from(v.0))] as i64;
                let bound = i64::from(self.game.declarations.bound(*variable));
                match value.evaluate(&of, &count) {
                    Some(value) if (0..=bound).contains(&value) => {
                        words[layout.variable(usize::from(variable.0))] = value as u64;
                    }
                    _ => return false,
                }
            }
            Arc::Switch(player, number) => {
                words[layout.node()] = u64::from(*number);
                words[layout.player()] = u64::from(player.0);
            }
            _ => {}
        }
        true
    }
}

impl Walker {
    /// Draws a move and makes it; false, with the state as before, if there is none.
    pub(crate) fn draw(
        &mut self,
        course: &Course<'_>,
        state: &mut [u64],
        random: &mut Random,
    ) -> Result<bool, RunError> {
        let number = state[course.analysis.layout.node()] as u32;
        let Some(level) = course.levels.behind_switch(number) else { return Ok(false) };
        self.saved.clear();
        self.sets.clear();
        self.passed.clear();
        self.follows = course.drawn.len();
        self.level(course, level, state, random, 0, 0)
    }

    /// Completes a move from a level. Split points from `since` on count as passed.
    fn level(
        &mut self,
        course: &Course<'_>,
        level: usize,
        state: &mut [u64],
        random: &mut Random,
        depth: usize,
        since: usize,
    ) -> Result<bool, RunError> {
        if depth >= MAX_NATIVE_STEPS {
            return Err(RunError::WalkTooLong { limit: MAX_NATIVE_STEPS });
        }
        let (analysis, words) = (course.analysis, course.analysis.words());
        let exits = &course.levels.levels[level].exits;
        let (sets, saved) = (self.sets.len(), self.saved.len());
        self.sets.resize(sets + exits.len() * words, 0);
        self.saved.extend_from_slice(state);
        (course.exits)(level, state, &mut self.sets[sets..])?;
        loop {
            let left: u64 = self.sets[sets..].iter().map(|w| u64::from(w.count_ones())).sum();
            if left == 0 {
                self.follows = 0;
                self.sets.truncate(sets);
                self.saved.truncate(saved);
                return Ok(false);
            }
            let (exit, at) = match course.drawn[..self.follows].get(depth) {
                Some(step) => {
                    let at = (step >> 32) as usize;
                    let exit = exits.iter().position(|e| e.step == *step as u32);
                    (exit.expect("steps drawn are of their level"), at)
                }
                None => nth(&self.sets[sets..], words, random.below(left)),
            };
            self.sets[sets + exit * words + at / 64] &= !(1 << (at % 64));
            let Exit { from, step, to } = &exits[exit];
            let arc = &analysis.segments.nodes[from.0 as usize][from.1].0;
            let is_dot = matches!(arc, Arc::Dot(_));
            let passed = self.passed.len();
            if is_dot {
                let step = u64::from(*step) | (at as u64) << 32;
                if self.passed[since..].contains(&step) {
                    continue;
                }
                self.passed.push(step);
            }
            let mut done = analysis.apply(arc, at, state);
            if let (true, Some(to)) = (done, to) {
                let since = if is_dot { since } else { passed };
                done = self.level(course, *to, state, random, depth + 1, since)?;
            }
            if done {
                return Ok(true);
            }
            if !is_dot {
                self.passed.truncate(passed);
            }
            self.follows = 0;
            let length = state.len();
            state.copy_from_slice(&self.saved[saved..saved + length]);
        }
    }
}

/// The semimove of a number among those left at a level: which exit, and the position.
fn nth(sets: &[u64], words: usize, mut n: u64) -> (usize, usize) {
    for (i, word) in sets.iter().enumerate() {
        let count = u64::from(word.count_ones());
        if n < count {
            let rest = (0..n).fold(*word, |w, _| w & (w - 1));
            return (i / words, i % words * 64 + rest.trailing_zeros() as usize);
        }
        n -= count;
    }
    unreachable!("numbers are below the count")
}
