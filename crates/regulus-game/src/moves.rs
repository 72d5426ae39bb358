//! Moves as lists of steps.

/// One step of a move: a modifier and the vertex it acts on. In semimoves a step can also be a split
/// point, which has the negative number of the automaton state behind it.
///
/// The layout is fixed: machine code writes steps, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(C)]
pub struct Step {
    /// The number of the modifier, or the negative number of a split point's state.
    pub action: i32,
    /// The vertex, from 1.
    pub vertex: u16,
}

impl Step {
    /// True for a modifier, false for a split point.
    pub fn is_modifier(self) -> bool {
        self.action > 0
    }
}

/// A list of moves in two flat arrays: once it has grown to its size, refilling it allocates
/// nothing.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Moves {
    steps: Vec<Step>,
    ends: Vec<u32>,
}

impl Moves {
    /// An empty list.
    pub fn new() -> Self {
        Moves::default()
    }

    /// Forgets all moves but keeps the memory.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.ends.clear();
    }

    /// Appends a move.
    pub fn push(&mut self, steps: &[Step]) {
        self.push_steps(steps.iter().copied());
    }

    /// Appends a move, step by step: moves are short, so this beats a call that copies.
    #[inline]
    pub fn push_steps(&mut self, steps: impl ExactSizeIterator<Item = Step>) {
        self.steps.extend(steps);
        self.ends.push(self.steps.len() as u32);
    }

    /// All steps, and where each move ends.
    #[inline]
    pub fn parts(&self) -> (&[Step], &[u32]) {
        (&self.steps, &self.ends)
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many steps all moves have together.
    pub fn total_steps(&self) -> usize {
        self.steps.len()
    }

    /// The steps of the `index`-th move.
    pub fn get(&self, index: usize) -> &[Step] {
        let start = index.checked_sub(1).map_or(0, |i| self.ends[i]);
        &self.steps[start as usize..self.ends[index] as usize]
    }

    /// All moves, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Step]> + Clone {
        (0..self.len()).map(|i| self.get(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_keep_their_steps() {
        let step = |action, vertex| Step { action, vertex };
        let mut moves = Moves::new();
        moves.push(&[step(2, 56), step(3, 48)]);
        moves.push(&[]);
        moves.push(&[step(-7, 1)]);
        assert_eq!(moves.len(), 3);
        assert_eq!(moves.get(0), [step(2, 56), step(3, 48)]);
        assert!(moves.get(1).is_empty());
        assert!(!moves.get(2)[0].is_modifier());
        moves.clear();
        assert!(moves.is_empty());
    }
}
