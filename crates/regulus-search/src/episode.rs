//! What belongs to one iteration: where it is, how it came there, what was played, the scores in the end.

use regulus_game::{Engine, MoveGroups, Moves, Step};

use crate::record::Record;
use crate::simulation::Level;

/// The most modifiers of a move that memory is set aside for before there is such a move.
const MOST_ROOM: u32 = 4096;

/// One level of the way down the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    pub(crate) node: u32,
    pub(crate) edge: u32,
    /// The iterations of the node before this one.
    pub(crate) visits: u32,
    /// How many steps of the iteration were made before the edge.
    pub(crate) steps: u32,
}

/// One iteration; its memory is used again by the next one.
pub(crate) struct Episode<E: Engine> {
    /// Where it is.
    pub(crate) state: E::State,
    /// Its way through the tree.
    pub(crate) path: Vec<Passed>,
    /// The game ended where the iteration left the tree.
    pub(crate) ended: bool,
    pub(crate) record: Record,
    /// The points of all players in the end; 0 for the keeper.
    pub(crate) points: Vec<f64>,
    /// What was listed last: moves, moves in groups, or semimoves.
    pub(crate) moves: Moves,
    pub(crate) groups: MoveGroups,
    pub(crate) steps: Vec<Step>,
    /// What MAST says about candidates.
    pub(crate) scores: Vec<f64>,
    /// The move that is being completed: its intermediate states, what takes it back, the split points passed.
    pub(crate) levels: Vec<Level>,
    pub(crate) undos: Vec<E::Undo>,
    pub(crate) split_points: Vec<Step>,
}

impl<E: Engine> Episode<E> {
    /// The memory for iterations whose moves have at most `max_semidepth` modifiers. Groups may have been filled
    /// before: the numbers that they give to endings stay the same.
    pub(crate) fn new(state: E::State, groups: MoveGroups, max_semidepth: u32) -> Self {
        // What the configuration says, but no memory is taken for moves that no engine can make.
        let room = max_semidepth.min(MOST_ROOM) as usize;
        Episode {
            state,
            path: Vec::new(),
            ended: false,
            record: Record::default(),
            points: Vec::new(),
            moves: Moves::new(),
            groups,
            steps: Vec::new(),
            scores: Vec::new(),
            levels: Vec::with_capacity(room),
            undos: Vec::with_capacity(room),
            split_points: Vec::new(),
        }
    }

    /// An iteration begins in a position, where this player is to move.
    #[inline]
    pub(crate) fn begin(&mut self, position: &E::State, player: usize) {
        self.state.clone_from(position);
        self.ended = false;
        self.record.clear();
        self.record.begin(player);
    }

    /// An edge of a node with `visits` iterations is passed, behind `steps` steps.
    #[inline]
    pub(crate) fn pass(&mut self, node: u32, edge: u32, visits: u32, steps: usize) {
        self.path.push(Passed { node, edge, visits, steps: steps as u32 });
    }

    /// The last edge of the path.
    #[inline]
    pub(crate) fn last_edge(&self) -> Option<u32> {
        self.path.last().map(|passed| passed.edge)
    }
}
