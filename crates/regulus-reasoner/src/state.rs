//! The state of a game: board, variables, and where the walk through the rules stands.

use regulus_rbg::Game;
use regulus_rbg::Vertex;
use regulus_rbg::declarations::{Piece, Player, Variable};

use crate::id::Key;
use crate::program::ProgramNodeId;

/// A state of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The piece on every vertex; entry 0 is not used.
    pieces: Box<[u8]>,
    variables: Box<[u32]>,
    /// How many there are of every piece.
    counts: Box<[u32]>,
    hash: u64,
    position: ProgramNodeId,
    vertex: u16,
    player: u8,
    nodal: bool,
}

/// How to take one change back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    Piece { vertex: u16, old: u8 },
    Variable { variable: u16, old: u32 },
}

/// Where a walk stands: what a move changes besides board and variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stand {
    pub position: ProgramNodeId,
    pub vertex: u16,
    pub player: u8,
    pub nodal: bool,
}

/// A well-mixed number for every fact that a state can have; the hash is their sum in GF(2).
fn fact(kind: u64, which: u64, value: u64) -> u64 {
    let mut z = (kind << 56 | which << 32 | value).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn piece_fact(vertex: u16, piece: u8) -> u64 {
    fact(1, u64::from(vertex), u64::from(piece))
}

fn variable_fact(variable: u16, value: u32) -> u64 {
    fact(2, u64::from(variable), u64::from(value))
}

fn stand_fact(stand: Stand) -> u64 {
    fact(3, u64::from(stand.vertex), stand.position.index() as u64)
        ^ fact(4, u64::from(stand.player), u64::from(stand.nodal))
}

impl State {
    /// The state in which a game begins: nobody has moved, not even the keeper.
    pub(crate) fn initial(game: &Game, position: ProgramNodeId) -> State {
        let mut pieces = vec![0u8; game.board.len() + 1];
        let mut counts = vec![0u32; game.declarations.pieces().len()];
        for vertex in game.board.vertices() {
            let piece = game.board.piece(vertex);
            pieces[usize::from(vertex.0)] = piece.0;
            counts[usize::from(piece.0)] += 1;
        }
        let mut state = State {
            pieces: pieces.into(),
            variables: vec![0; game.declarations.variables().len()].into(),
            counts: counts.into(),
            hash: 0,
            position,
            vertex: 1,
            player: 0,
            nodal: true,
        };
        state.hash = state.recomputed_hash();
        state
    }

    /// Who is to move; the keeper only before [`regulus_game::Engine::run_keeper`] has run, or when he is stuck.
    pub fn player(&self) -> Player {
        Player(self.player)
    }

    /// The piece on a vertex.
    pub fn piece(&self, vertex: Vertex) -> Piece {
        Piece(self.pieces[usize::from(vertex.0)])
    }

    /// The value of a variable.
    pub fn variable(&self, variable: Variable) -> u32 {
        self.variables[usize::from(variable.0)]
    }

    /// A player's score.
    pub fn score(&self, player: Player) -> u32 {
        player.score().map_or(0, |v| self.variable(v))
    }

    /// How many of a piece are on the board.
    pub fn count(&self, piece: Piece) -> u32 {
        self.counts[usize::from(piece.0)]
    }

    /// Where the pointer stands.
    pub fn vertex(&self) -> Vertex {
        Vertex(self.vertex)
    }

    /// The state of the automaton.
    pub fn position(&self) -> ProgramNodeId {
        self.position
    }

    /// True between moves, false inside a move that is made of semimoves.
    pub fn is_nodal(&self) -> bool {
        self.nodal
    }

    /// A hash of everything, kept up to date with every change.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash computed from scratch.
    pub fn recomputed_hash(&self) -> u64 {
        let pieces = self.pieces.iter().enumerate().skip(1);
        let pieces = pieces.fold(0, |h, (v, p)| h ^ piece_fact(v as u16, *p));
        let variables = self.variables.iter().enumerate();
        let variables = variables.fold(0, |h, (i, v)| h ^ variable_fact(i as u16, *v));
        pieces ^ variables ^ stand_fact(self.stand())
    }

    pub(crate) fn stand(&self) -> Stand {
        Stand {
            position: self.position,
            vertex: self.vertex,
            player: self.player,
            nodal: self.nodal,
        }
    }

    pub(crate) fn set_stand(&mut self, stand: Stand) {
        self.hash ^= stand_fact(self.stand()) ^ stand_fact(stand);
        self.position = stand.position;
        self.vertex = stand.vertex;
        self.player = stand.player;
        self.nodal = stand.nodal;
    }

    pub(crate) fn put(&mut self, vertex: u16, piece: u8) -> Change {
        let old = std::mem::replace(&mut self.pieces[usize::from(vertex)], piece);
        self.counts[usize::from(old)] -= 1;
        self.counts[usize::from(piece)] += 1;
        self.hash ^= piece_fact(vertex, old) ^ piece_fact(vertex, piece);
        Change::Piece { vertex, old }
    }

    pub(crate) fn assign(&mut self, variable: u16, value: u32) -> Change {
        let old = std::mem::replace(&mut self.variables[usize::from(variable)], value);
        self.hash ^= variable_fact(variable, old) ^ variable_fact(variable, value);
        Change::Variable { variable, old }
    }

    pub(crate) fn take_back(&mut self, change: Change) {
        match change {
            Change::Piece { vertex, old } => self.put(vertex, old),
            Change::Variable { variable, old } => self.assign(variable, old),
        };
    }
}
