//! What was played in an iteration.

use regulus_game::Step;

/// The moves of an iteration, step by step; the last may be incomplete while the iteration runs.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// All steps, split points included.
    pub steps: Vec<Step>,
    /// Who made each move, and where it begins.
    pub moves: Vec<(u8, u32)>,
    /// How many steps were made in the tree; the others belong to the simulation.
    pub in_tree: usize,
}

impl Record {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.moves.clear();
        self.in_tree = 0;
    }

    /// A player begins a move.
    #[inline]
    pub fn begin(&mut self, player: usize) {
        self.moves.push((player as u8, self.steps.len() as u32));
    }

    /// How many modifiers the current move has. Split points do not count: those since the last modifier are
    /// all different, and a limit that one way to a state exceeds and another does not would make it seem dead.
    pub fn semidepth(&self) -> usize {
        let begin = self.moves.last().map_or(0, |m| m.1 as usize);
        self.steps[begin..].iter().filter(|step| step.is_modifier()).count()
    }

    /// Where the `index`-th move ends.
    pub fn end(&self, index: usize) -> usize {
        self.moves.get(index + 1).map_or(self.steps.len(), |m| m.1 as usize)
    }
}
