//! Moves one after the other.

use regulus_game::Step;

/// A sequence of moves in two flat arrays, and the score it ends with.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Line {
    steps: Vec<Step>,
    ends: Vec<u32>,
    /// The score where the sequence ends.
    pub score: u32,
}

impl Line {
    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The steps of a move.
    pub fn get(&self, index: usize) -> Option<&[Step]> {
        let end = *self.ends.get(index)? as usize;
        Some(&self.steps[self.start(index)..end])
    }

    /// The moves, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[Step]> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |i| self.ends[i] as usize)
    }

    /// Appends a move.
    pub(super) fn push(&mut self, steps: &[Step]) {
        self.steps.extend_from_slice(steps);
        self.ends.push(self.steps.len() as u32);
    }

    /// Forgets all moves from the `length`-th on.
    pub(super) fn truncate(&mut self, length: usize) {
        if length < self.len() {
            self.steps.truncate(self.start(length));
            self.ends.truncate(length);
        }
    }

    /// Forgets everything, keeps the memory.
    pub(super) fn clear(&mut self) {
        self.truncate(0);
        self.score = 0;
    }

    /// Forgets the first move.
    pub(super) fn remove_first(&mut self) {
        let Some(&end) = self.ends.first() else { return };
        self.steps.drain(..end as usize);
        self.ends.remove(0);
        self.ends.iter_mut().for_each(|e| *e -= end);
    }

    /// Becomes a copy of another, in the memory it has.
    pub(super) fn copy(&mut self, other: &Line) {
        self.steps.clone_from(&other.steps);
        self.ends.clone_from(&other.ends);
        self.score = other.score;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_added_and_removed_at_both_ends() {
        let step = |action| Step { action, vertex: 1 };
        let mut line = Line::default();
        line.push(&[step(1), step(2)]);
        line.push(&[step(3)]);
        line.push(&[step(4), step(5)]);
        line.truncate(2);
        assert_eq!(line.len(), 2);
        line.push(&[step(7)]);
        line.remove_first();
        let moves: Vec<&[Step]> = line.iter().collect();
        assert_eq!(moves, [[step(3)], [step(7)]]);
        line.clear();
        assert_eq!(line, Line::default());
    }
}
