//! Moves that generated code leaves to the interpreter: the keeper's where it does not know the order in which the
//! rules try vertices, and where a loop may pass no modifier; players' where no code could be made to list them.

use std::sync::Arc;

use regulus_game::{Engine, Random};
use regulus_rbg::declarations::{Piece, Variable};
use regulus_rbg::{Game, Vertex};
use rustc_hash::FxHashMap;

use crate::error::RunError;
use crate::id::Key;
use crate::interpreter::{Interpreter, Worker};
use crate::native::analysis::segments::PositionId;
use crate::native::game::CompiledGame;
use crate::program::{Action, ProgramNodeId};
use crate::state::{Stand, State};

/// The interpreter of a native game.
pub(crate) struct Interpreted {
    rules: Interpreter,
    /// Where a walk stands behind the switch that leads to a state of the automaton.
    switches: FxHashMap<ProgramNodeId, PositionId>,
}

impl Interpreted {
    pub(crate) fn new(game: &Game) -> Interpreted {
        let rules = Interpreter::new(game);
        let edges = rules.program().edges.iter();
        let switches = edges.filter(|edge| matches!(edge.action, Action::Switch(_)));
        let switches = switches.map(|edge| (edge.target, PositionId::of(edge.modifier))).collect();
        Interpreted { rules, switches }
    }
}

/// Makes moves on native states.
pub(crate) struct InterpretedMoves {
    native: Arc<CompiledGame>,
    worker: Worker,
    state: State,
}

impl InterpretedMoves {
    pub(crate) fn new(native: &Arc<CompiledGame>) -> Self {
        let worker = native.interpreted().rules.worker();
        InterpretedMoves { native: native.clone(), state: worker.initial(), worker }
    }

    /// Begins with new work.
    pub(crate) fn begin(&mut self) {
        self.worker.begin();
    }

    /// Makes one move of the keeper; false if there is none.
    pub(crate) fn keeper_move(&mut self, words: &mut [u64]) -> Result<bool, RunError> {
        self.read(words);
        if !self.worker.keeper_move(&mut self.state)? {
            return Ok(false);
        }
        self.write(words);
        Ok(true)
    }

    /// Draws one of all legal moves of a player and makes it; false if there is none.
    pub(crate) fn draw(
        &mut self,
        words: &mut [u64],
        random: &mut Random,
    ) -> Result<bool, RunError> {
        self.read(words);
        let mut steps = Vec::new();
        if !self.worker.sample(&mut self.state, random, &mut steps)? {
            return Ok(false);
        }
        self.worker.apply(&mut self.state, &steps);
        self.write(words);
        Ok(true)
    }

    /// Asks about a state, which may be one inside a move.
    pub(crate) fn ask<T>(
        &mut self,
        words: &[u64],
        question: impl FnOnce(&mut Worker, &mut State) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        self.read(words);
        question(&mut self.worker, &mut self.state)
    }

    fn read(&mut self, words: &[u64]) {
        let (analysis, state) = (&self.native.plain, &mut self.state);
        let (layout, embedding) = (analysis.layout, &analysis.embedding);
        for piece in 0..layout.pieces {
            for word in 0..layout.words_per_set {
                let mut rest = words[layout.set(piece, word)];
                while rest != 0 {
                    let vertex = embedding.vertex(word * 64 + rest.trailing_zeros() as usize);
                    if state.piece(vertex) != Piece(piece as u8) {
                        state.put(vertex.0, piece as u8);
                    }
                    rest &= rest - 1;
                }
            }
        }
        for variable in 0..layout.variables {
            state.assign(variable as u16, words[layout.variable(variable)] as u32);
        }
        let program = self.native.interpreted().rules.program();
        let place = PositionId::from_word(words[layout.node()]);
        let position = match self.native.action_of(place) {
            // Behind a split point: its action is the state of the automaton there.
            dot @ ..0 => ProgramNodeId::new(dot.unsigned_abs() as usize),
            modifier => program.modifier(modifier).map_or(program.start, |edge| edge.target),
        };
        state.set_stand(Stand {
            position,
            vertex: embedding.vertex(words[layout.pointer()] as usize).0,
            player: words[layout.player()] as u8,
            nodal: self.native.hands_over(place),
        });
    }

    fn write(&self, words: &mut [u64]) {
        let (analysis, state) = (&self.native.plain, &self.state);
        let (layout, embedding) = (analysis.layout, &analysis.embedding);
        words[..layout.variable(0)].fill(0);
        for vertex in (1..=self.native.game().board.len() as u16).map(Vertex) {
            let at = embedding.position(vertex);
            words[layout.set(usize::from(state.piece(vertex).0), at / 64)] |= 1 << (at % 64);
        }
        for variable in 0..layout.variables {
            let value = state.variable(Variable(variable as u16));
            words[layout.variable(variable)] = u64::from(value);
        }
        let switch = self.native.interpreted().switches.get(&state.position());
        words[layout.node()] = switch.copied().unwrap_or(PositionId::FIRST).word();
        words[layout.pointer()] = embedding.position(state.vertex()) as u64;
        words[layout.player()] = u64::from(state.player().0);
    }
}
