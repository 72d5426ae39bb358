//! What moves change on the board, as far as the rules alone tell, and what was seen of a board.

/// Vertices and the pieces that are put there, in order.
pub type Puts = Box<[(u16, u8)]>;

/// What an action of a step changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActionChanges {
    /// No cell.
    Nothing,
    /// A piece is put on the vertex of the step.
    Put(u8),
    /// It completes a move. For each vertex of the step what the keeper then puts where; nothing where
    /// that depends on more than the vertex.
    Complete(Vec<Option<Puts>>),
}

/// What the rules tell of the cells that moves change, whatever stands on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardChanges {
    /// For every piece the first of those that no rule ever tells apart from it.
    pub classes: Vec<u8>,
    /// By the number of the action.
    pub actions: Vec<ActionChanges>,
}

impl BoardChanges {
    fn of(&self, action: i32) -> &ActionChanges {
        let number = usize::try_from(action).ok();
        number.and_then(|n| self.actions.get(n)).unwrap_or(&ActionChanges::Nothing)
    }

    /// The piece that an action puts on the vertex of its step.
    pub fn piece_put(&self, action: i32) -> Option<u8> {
        match self.of(action) {
            ActionChanges::Put(piece) => Some(*piece),
            _ => None,
        }
    }

    /// What the keeper puts where behind a step, in order; `None` if that depends on the state.
    pub fn behind(&self, action: i32, vertex: u16) -> Option<&[(u16, u8)]> {
        match self.of(action) {
            ActionChanges::Complete(puts) => puts.get(usize::from(vertex))?.as_deref(),
            _ => Some(&[]),
        }
    }
}

/// The board of the state that [`Engine::look`](crate::Engine::look) looked at last.
#[derive(Clone, Default, Debug)]
pub struct BoardView {
    /// The number of the piece on every vertex; entry 0 is not used. Before the first look all are 0.
    pub contents: Vec<u8>,
    /// Where something else stood at the look before, and what.
    pub changed: Vec<(u16, u8)>,
    /// What the engine remembers of it.
    pub words: Vec<u64>,
}
