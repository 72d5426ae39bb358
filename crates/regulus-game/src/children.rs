//! What the moves of a position lead to, for whoever evaluates positions: sums over what stands on vertices can be
//! brought up to date by what a move changes, instead of being computed again.

use crate::{Engine, Moves, Step};

/// A vertex whose piece is another one than before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Change(u32);

impl Change {
    /// A change of the piece `old` to the piece `new`.
    pub fn new(vertex: u16, old: u8, new: u8) -> Change {
        Change(u32::from(vertex) | u32::from(old) << 16 | u32::from(new) << 24)
    }

    /// The vertex.
    #[inline]
    pub fn vertex(self) -> u16 {
        self.0 as u16
    }

    /// The piece that stood there.
    #[inline]
    pub fn old(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The piece that stands there now.
    #[inline]
    pub fn new_piece(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// All of it as a number: the vertex in the low half, then the old piece, then the new one.
    #[inline]
    pub fn bits(self) -> u32 {
        self.0
    }
}

/// What is known of one child; how the lists of [`Children`] are divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Child {
    /// Where its steps end, and those of the next one begin.
    pub steps_end: u32,
    /// Where its changes begin.
    pub changes_start: u32,
    /// Where they end.
    pub changes_end: u32,
    /// Who is to move, 0 if the keeper is stuck.
    pub player: u32,
    /// Not 0 if the number of some piece on the board is another one than before.
    pub loud: u32,
}

/// All moves of a position with what they lead to, once the keeper has run. Lists that have grown to their size are
/// filled again without allocating.
#[derive(Clone, Default, Debug)]
pub struct Children {
    /// The steps of all moves, one move after the other.
    pub steps: Vec<Step>,
    /// What all moves change.
    pub changes: Vec<Change>,
    /// The moves, in the order of [`Engine::list`].
    pub children: Vec<Child>,
    /// Of every move the values that [`Engine::values`] gives behind it.
    pub values: Vec<u32>,
    /// How many of them every move has.
    pub values_each: usize,
}

impl Children {
    /// An empty list.
    pub fn new() -> Self {
        Children::default()
    }

    /// Forgets all moves but keeps the memory.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.changes.clear();
        self.children.clear();
        self.values.clear();
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.children.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// The steps of a move.
    pub fn steps(&self, index: usize) -> &[Step] {
        let start = index.checked_sub(1).map_or(0, |before| self.children[before].steps_end);
        &self.steps[start as usize..self.children[index].steps_end as usize]
    }

    /// What a move and the keeper behind it change, every vertex once, in any order.
    #[inline]
    pub fn changes(&self, index: usize) -> &[Change] {
        let child = &self.children[index];
        &self.changes[child.changes_start as usize..child.changes_end as usize]
    }

    /// The values behind a move, those of [`Engine::values`]; the first are the scores of the players.
    #[inline]
    pub fn values(&self, index: usize) -> &[u32] {
        &self.values[index * self.values_each..(index + 1) * self.values_each]
    }

    /// Who is to move behind a move.
    #[inline]
    pub fn player(&self, index: usize) -> usize {
        self.children[index].player as usize
    }

    /// True if the keeper is stuck behind a move, which ends the game with the scores in [`Children::values`]. A game
    /// ends as well where a player has no move ([`Engine::has_move`]), which is not looked for.
    #[inline]
    pub fn is_over(&self, index: usize) -> bool {
        self.player(index) == 0
    }

    /// True if a move and the keeper behind it change how many there are of some piece.
    #[inline]
    pub fn is_loud(&self, index: usize) -> bool {
        self.children[index].loud != 0
    }

    /// Sets what is known of a child, from the state it leads to.
    pub fn set<E: Engine>(&mut self, index: usize, engine: &E, state: &E::State, goes_on: bool) {
        let mut values = Vec::new();
        engine.values(state, &mut values);
        self.values[index * self.values_each..][..self.values_each].copy_from_slice(&values);
        let loud = self.changes(index);
        let loud = changes_counts(loud);
        let child = &mut self.children[index];
        child.player = if goes_on { engine.player(state) as u32 } else { 0 };
        child.loud = u32::from(loud);
    }
}

/// True if changes make more or fewer of some piece.
pub fn changes_counts(changes: &[Change]) -> bool {
    let more = |piece: u8| changes.iter().filter(|change| change.new_piece() == piece).count();
    let less = |piece: u8| changes.iter().filter(|change| change.old() == piece).count();
    changes.iter().any(|change| more(change.old()) != less(change.old()))
}

/// What stands elsewhere on the second board, from the lowest vertex.
pub(crate) fn differences(before: &[u8], after: &[u8], changes: &mut Vec<Change>) {
    changes.clear();
    let pairs = before.iter().zip(after).enumerate().skip(1);
    let differ = pairs.filter(|(_, (old, new))| old != new);
    changes.extend(differ.map(|(vertex, (old, new))| Change::new(vertex as u16, *old, *new)));
}

/// [`Engine::children`], move by move.
pub fn children_one_by_one<E: Engine>(
    engine: &mut E,
    state: &mut E::State,
    children: &mut Children,
) -> Result<(), E::Error> {
    let (mut moves, mut changes) = (Moves::new(), Vec::new());
    engine.list(state, &mut moves)?;
    children.clear();
    let mut values = Vec::new();
    engine.values(state, &mut values);
    children.values_each = values.len();
    let mut next = state.clone();
    engine.forget_hash(&mut next);
    let start = next.clone();
    for (index, steps) in moves.iter().enumerate() {
        next.clone_from(&start);
        let goes_on = engine.advance(&mut next, steps, &mut changes)?;
        children.steps.extend_from_slice(steps);
        let changes_start = children.changes.len() as u32;
        children.changes.extend_from_slice(&changes);
        children.values.resize((index + 1) * values.len(), 0);
        children.children.push(Child {
            steps_end: children.steps.len() as u32,
            changes_start,
            changes_end: children.changes.len() as u32,
            player: 0,
            loud: 0,
        });
        children.set(index, engine, &next, goes_on);
    }
    Ok(())
}

/// Which moves are listed: those first that are most likely to matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Moves that, with what the keeper does behind them, change how many there are of some piece: captures,
    /// promotions, pieces that are put.
    Loud,
    /// The others.
    Quiet,
}

/// [`Engine::list_stage`], move by move.
pub fn list_stage_one_by_one<E: Engine>(
    engine: &mut E,
    state: &mut E::State,
    stage: Stage,
    moves: &mut Moves,
) -> Result<(), E::Error> {
    let (mut all, mut changes) = (Moves::new(), Vec::new());
    engine.list(state, &mut all)?;
    let mut next = state.clone();
    engine.forget_hash(&mut next);
    let start = next.clone();
    moves.clear();
    for steps in all.iter() {
        next.clone_from(&start);
        engine.advance(&mut next, steps, &mut changes)?;
        if changes_counts(&changes) == (stage == Stage::Loud) {
            moves.push(steps);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_keep_their_parts() {
        let change = Change::new(361, 30, 255);
        assert_eq!((change.vertex(), change.old(), change.new_piece()), (361, 30, 255));
        assert_eq!(change.bits(), 361 | 30 << 16 | 255 << 24);
    }

    #[test]
    fn counts_change_where_pieces_come_or_go() {
        let change = Change::new;
        assert!(!changes_counts(&[]));
        assert!(!changes_counts(&[change(1, 2, 0), change(2, 0, 2)]));
        assert!(!changes_counts(&[change(1, 2, 0), change(2, 1, 2), change(3, 0, 1)]));
        assert!(changes_counts(&[change(1, 2, 0), change(2, 1, 2)]));
        assert!(changes_counts(&[change(7, 0, 1)]));
    }
}
