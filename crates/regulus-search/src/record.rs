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
    /// For moves from [`Record::drawn_from`] on that consist of an ending alone: that ending and its vertex.
    pub endings: Vec<Option<(u32, u16)>>,
    /// The number of the first move that was drawn from groups.
    pub drawn_from: usize,
}

impl Record {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.moves.clear();
        self.in_tree = 0;
        self.endings.clear();
        self.drawn_from = 0;
    }

    /// A player begins a move.
    #[inline]
    pub fn begin(&mut self, player: usize) {
        self.moves.push((player as u8, self.steps.len() as u32));
    }

    /// The current move was drawn from groups: notes its ending.
    #[inline]
    pub fn note_ending(&mut self, ending: Option<(u32, u16)>) {
        if self.endings.is_empty() {
            self.drawn_from = self.moves.len() - 1;
        }
        self.endings.push(ending);
    }

    /// The ending of a move, if it consists of nothing else and that was noted.
    #[inline]
    pub fn ending(&self, number: usize) -> Option<(u32, u16)> {
        let drawn = number.checked_sub(self.drawn_from)?;
        self.endings.get(drawn).copied().flatten()
    }

    /// How many modifiers the current move has. Split points do not count, since those between two modifiers are
    /// all different.
    pub fn modifiers(&self) -> usize {
        let begin = self.moves.last().map_or(0, |m| m.1 as usize);
        self.steps[begin..].iter().filter(|step| step.is_modifier()).count()
    }

    /// Where the `index`-th move ends.
    pub fn end(&self, index: usize) -> usize {
        self.moves.get(index + 1).map_or(self.steps.len(), |m| m.1 as usize)
    }
}
