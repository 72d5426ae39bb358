//! What could be played and what was played in an iteration, by codes: enough to learn from without playing it
//! again.

use std::ops::Range;

use super::rows::{Chosen, Rows};

/// A choice that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ply {
    /// Who made it.
    pub(crate) player: u8,
    /// Where the codes of what could be chosen begin.
    pub(crate) begin: u32,
    /// Where the rows begin of what could be chosen, if it is there.
    pub(crate) first_row: u32,
    /// The place of what was chosen among all codes; [`UNKNOWN`] while a move of the tree is not complete, if
    /// nobody asked what else could be chosen, and if that is in rows.
    pub(crate) chosen: u32,
    /// The sum of the weights by which it was drawn; 0 if it was not drawn.
    pub(crate) total: f64,
}

pub(crate) const UNKNOWN: u32 = u32::MAX;

/// The choices of an iteration, from the root on.
#[derive(Clone, Default, Debug)]
pub(crate) struct Played {
    pub(crate) plies: Vec<Ply>,
    /// The codes of all that could be chosen, choice after choice.
    pub(crate) codes: Vec<u32>,
    /// The same without features; empty if there are none.
    pub(crate) moves: Vec<u32>,
    /// What could be chosen where that is not in `codes`.
    pub(crate) rows: Rows,
    /// What was chosen so far, without features.
    pub(crate) history: Vec<u32>,
}

impl Played {
    pub(crate) fn clear(&mut self) {
        self.plies.clear();
        self.codes.clear();
        self.moves.clear();
        self.rows.truncate(0);
        self.history.clear();
    }

    /// A player has a choice: its codes or rows follow.
    pub(crate) fn begin(&mut self, player: usize) {
        let (begin, first_row) = (self.codes.len() as u32, self.rows.len() as u32);
        let (player, chosen, total) = (player as u8, UNKNOWN, 0.0);
        self.plies.push(Ply { player, begin, first_row, chosen, total });
    }

    /// The rows of a choice.
    #[inline]
    pub(crate) fn rows_of(&self, ply: usize) -> Range<usize> {
        let end = self.plies.get(ply + 1).map_or(self.rows.len(), |next| next.first_row as usize);
        self.plies[ply].first_row as usize..end
    }

    /// The codes of a choice.
    #[inline]
    pub(crate) fn offered(&self, ply: usize) -> Range<usize> {
        let end = self.plies.get(ply + 1).map_or(self.codes.len(), |next| next.begin as usize);
        self.plies[ply].begin as usize..end
    }

    /// The codes of a choice without features.
    pub(crate) fn moves(&self, ply: usize) -> &[u32] {
        let range = self.offered(ply);
        if self.moves.is_empty() { &self.codes[range] } else { &self.moves[range] }
    }

    /// The last choice is the `index`-th that was offered.
    pub(crate) fn choose(&mut self, index: usize, total: f64) {
        let code = self.moves(self.plies.len() - 1)[index];
        if let Some(ply) = self.plies.last_mut() {
            ply.chosen = ply.begin + index as u32;
            ply.total = total;
            self.history.push(code);
        }
    }

    /// The last choice is this move of its rows.
    pub(crate) fn choose_row(&mut self, chosen: Chosen, total: f64) {
        if let Some(ply) = self.plies.last_mut() {
            ply.total = total;
            self.history.push(chosen.code);
        }
    }

    /// The last choice is a move with this code; nobody asked for others.
    pub(crate) fn choose_blindly(&mut self, code: u32) {
        self.history.push(code);
    }

    /// The code of what was chosen, with features if there are any.
    #[inline]
    pub(crate) fn chosen(&self, ply: usize) -> Option<u32> {
        match self.plies[ply].chosen {
            UNKNOWN if self.moves.is_empty() => self.history.get(ply).copied(),
            UNKNOWN => None,
            chosen => Some(self.codes[chosen as usize]),
        }
    }

    /// Takes back choices from the end on, until `plies` are left.
    pub(crate) fn truncate(&mut self, plies: usize) {
        let Some(first) = self.plies.get(plies) else { return };
        let (begin, first_row) = (first.begin as usize, first.first_row as usize);
        self.codes.truncate(begin);
        self.moves.truncate(begin);
        self.rows.truncate(first_row);
        self.plies.truncate(plies);
        self.history.truncate(plies);
    }
}
