//! Drawing a split move semimove by semimove with everything at hand: drawing without replacement,
//! and going back where all semimoves of a level are dead (THESIS, Algorithm 1). Fast code comes here
//! when it has run into a dead end that it cannot leave by itself.

use regulus_game::Random;
use regulus_rbg::declarations::{Piece, Variable};

use super::levels::{Exit, LevelId, Levels};
use crate::error::{MAX_DEAD_SEMIMOVES, MAX_SEMIMOVES, MAX_WALK_MODIFIERS, RunError};
use crate::native::analysis::Analysis;
use crate::native::analysis::segments::{PositionId, Transition};

/// Words of states to come back to: a quarter of a gigabyte.
const MAX_SAVED: usize = 1 << 25;

/// Memory for drawing moves.
#[derive(Default)]
pub(crate) struct Walker {
    /// States to come back to, one after the other.
    saved: Vec<u64>,
    /// The semimoves left at every level on the way.
    sets: Vec<u64>,
    /// The split points passed, as steps; those since the last modifier are not passed again.
    passed: Vec<u64>,
    way: Vec<Level>,
}

/// A level on the way.
struct Level {
    /// Which level it is.
    level: LevelId,
    /// Where its sets begin.
    sets: usize,
    /// Split points from here on count as passed.
    since: usize,
    /// How many split points had been passed before the semimove that led here, if that was a modifier.
    passed_before: Option<usize>,
    /// How many modifiers led here.
    modifiers: usize,
}

/// Writes where every semimove of a level is possible in a state.
pub(crate) type ExitsOf<'c> = dyn FnMut(LevelId, &[u64], &mut [u64]) -> Result<(), RunError> + 'c;

/// What a walk goes by.
pub(crate) struct Course<'c> {
    pub(crate) analysis: &'c Analysis,
    pub(crate) levels: &'c Levels,
    pub(crate) exits: &'c mut ExitsOf<'c>,
    /// What has been drawn already: the position in the high half, the step in the low half.
    pub(crate) drawn: &'c [u64],
}

impl Analysis {
    /// Does in a state what a transition does; false if that is impossible.
    pub(crate) fn apply(&self, transition: &Transition, at: usize, words: &mut [u64]) -> bool {
        let layout = self.layout;
        words[layout.pointer()] = at as u64;
        match transition {
            Transition::Off(piece, _) => {
                let (word, bit) = (at / 64, 1u64 << (at % 64));
                for p in 0..layout.pieces {
                    words[layout.set(p, word)] &= !bit;
                }
                words[layout.set(usize::from(piece.0), word)] |= bit;
            }
            Transition::Assign(variable, value, _) => {
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
            Transition::Switch(player, number) => {
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
        course: &mut Course<'_>,
        state: &mut [u64],
        random: &mut Random,
    ) -> Result<bool, RunError> {
        let (analysis, words) = (course.analysis, course.analysis.words());
        let position = PositionId::from_word(state[analysis.layout.node()]);
        let Some(first) = course.levels.behind_switch(position) else { return Ok(false) };
        self.saved.clear();
        self.sets.clear();
        self.passed.clear();
        self.way.clear();
        // How many of the steps drawn before are still followed: none after a dead end.
        let mut follows = course.drawn.len();
        let mut next = Level { level: first, sets: 0, since: 0, passed_before: None, modifiers: 0 };
        for _ in 0..MAX_DEAD_SEMIMOVES {
            let exits = &course.levels.levels[next.level].exits;
            next.sets = self.sets.len();
            self.sets.resize(next.sets + exits.len() * words, 0);
            self.saved.extend_from_slice(state);
            (course.exits)(next.level, state, &mut self.sets[next.sets..])?;
            self.way.push(next);
            let Some(deeper) = self.step(course, state, random, &mut follows) else {
                return Ok(!self.way.is_empty());
            };
            if self.way.len() >= MAX_SEMIMOVES
                || deeper.modifiers > MAX_WALK_MODIFIERS
                || self.saved.len() > MAX_SAVED
            {
                break;
            }
            next = deeper;
        }
        Err(RunError::TooManyMoves)
    }

    /// Takes a semimove that is left at the last level, or at one before it. Gives the level behind it;
    /// nothing if it hands over, or if there is none: then the way is empty.
    fn step(
        &mut self,
        course: &Course<'_>,
        state: &mut [u64],
        random: &mut Random,
        follows: &mut usize,
    ) -> Option<Level> {
        let (analysis, words) = (course.analysis, course.analysis.words());
        while let Some(here) = self.way.last() {
            let exits = &course.levels.levels[here.level].exits;
            let (sets, since, depth) = (here.sets, here.since, self.way.len() - 1);
            let modifiers = here.modifiers;
            let left: u64 = self.sets[sets..].iter().map(|w| u64::from(w.count_ones())).sum();
            if left == 0 {
                *follows = 0;
                self.sets.truncate(sets);
                self.saved.truncate(depth * state.len());
                if let Some(Level { passed_before: Some(passed), .. }) = self.way.pop() {
                    self.passed.truncate(passed);
                }
                if let Some(depth) = self.way.len().checked_sub(1) {
                    let length = state.len();
                    state.copy_from_slice(&self.saved[depth * length..][..length]);
                }
                continue;
            }
            let (exit, at) = match course.drawn[..*follows].get(depth) {
                Some(step) => {
                    let at = (step >> 32) as usize;
                    let behind = PositionId::from_word(*step);
                    let exit = exits.iter().position(|exit| exit.behind == behind);
                    (exit.expect("steps drawn are of their level"), at)
                }
                None => nth(&self.sets[sets..], words, random.below(left)),
            };
            self.sets[sets + exit * words + at / 64] &= !(1 << (at % 64));
            let Exit { from, behind, to } = &exits[exit];
            let transition = &analysis.segments[*from].0;
            let is_dot = matches!(transition, Transition::Dot(_));
            let passed = self.passed.len();
            if is_dot {
                let step = behind.word() | (at as u64) << 32;
                if self.passed[since..].contains(&step) {
                    continue;
                }
                self.passed.push(step);
            }
            if analysis.apply(transition, at, state) {
                let to = (*to)?;
                let since = if is_dot { since } else { passed };
                let passed_before = (!is_dot).then_some(passed);
                let modifiers = modifiers + usize::from(!is_dot);
                return Some(Level { level: to, sets: 0, since, passed_before, modifiers });
            }
            *follows = 0;
            let length = state.len();
            state.copy_from_slice(&self.saved[depth * length..][..length]);
        }
        None
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
