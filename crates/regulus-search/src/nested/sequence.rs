//! A game as NRPA remembers it: its moves, and everything that adaptation asks for.

use super::line::Line;

/// The moves of a game and the codes of all moves that were possible, so that adaptation need not play
/// the game again.
#[derive(Clone, Default, Debug)]
pub(super) struct Sequence {
    pub(super) line: Line,
    /// The codes of all possible moves, one position after the other.
    codes: Vec<u32>,
    /// Where the codes of a position end, and which of them was played.
    choices: Vec<(u32, u32)>,
    /// All codes are below this.
    code_count: usize,
}

impl Sequence {
    pub(super) fn clear(&mut self) {
        self.line.clear();
        self.codes.clear();
        self.choices.clear();
        self.code_count = 0;
    }

    /// Adds the code of a move that is possible in the present position.
    #[inline]
    pub(super) fn add_possible(&mut self, code: u32) {
        self.codes.push(code);
        self.code_count = self.code_count.max(code as usize + 1);
    }

    /// Adds the codes of all moves that are possible in the present position.
    #[inline]
    pub(super) fn add_all_possible(&mut self, codes: &[u32]) {
        self.codes.extend_from_slice(codes);
        let highest = codes.iter().max().map_or(0, |code| *code as usize + 1);
        self.code_count = self.code_count.max(highest);
    }

    /// The codes of the present position.
    #[inline]
    pub(super) fn possible(&self) -> &[u32] {
        &self.codes[self.begin(self.choices.len())..]
    }

    /// Notes which of the moves of the present position was played, and goes on to the next position.
    #[inline]
    pub(super) fn choose(&mut self, index: usize) {
        self.choices.push((self.codes.len() as u32, index as u32));
    }

    fn begin(&self, position: usize) -> usize {
        position.checked_sub(1).map_or(0, |before| self.choices[before].0 as usize)
    }

    /// Every position's possible codes, and the index of the one that was played.
    #[inline]
    pub(super) fn choices(&self) -> impl Iterator<Item = (&[u32], usize)> {
        let mut begin = 0;
        self.choices.iter().map(move |(end, index)| {
            let codes = &self.codes[begin..*end as usize];
            begin = *end as usize;
            (codes, *index as usize)
        })
    }

    /// All codes are below this.
    pub(super) fn code_count(&self) -> usize {
        self.code_count
    }

    #[cfg(test)]
    pub(super) fn of_codes(positions: &[(&[u32], usize)]) -> Self {
        let mut sequence = Sequence::default();
        for (codes, chosen) in positions {
            codes.iter().for_each(|code| sequence.add_possible(*code));
            sequence.choose(*chosen);
        }
        sequence
    }
}
