//! What positions seem to be worth, learned from those that were solved: which piece stands where, with a weight
//! each (logistic regression by gradient steps). It is there only to put moves in order.

use regulus_game::Engine;

use crate::numeric::exp;

/// How far a step goes. From 0.003 to 0.1 it makes no difference.
const RATE: f32 = 0.03;

/// How many pieces there can be: their numbers are bytes.
const PIECES: usize = 256;

/// Weights for all pieces on all vertices, depending on who is to move.
pub(super) struct Values {
    /// Those of a piece are side by side. Memory for pieces that a game does not have is never touched.
    weights: Vec<f32>,
    /// Vertices, and one more: they are numbered from 1.
    vertices: usize,
    contents: Vec<u8>,
}

impl Values {
    pub(super) fn new<E: Engine>(engine: &E) -> Self {
        let vertices = engine.vertices() + 1;
        let weights = vec![0.0; vertices * PIECES * (engine.players() + 1)];
        Values { weights, vertices, contents: Vec::new() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.weights.len() * size_of::<f32>()
    }

    /// How good a state seems to be for the first player: the logarithm of his chances, so to say.
    pub(super) fn value<E: Engine>(&mut self, engine: &E, state: &E::State) -> f32 {
        engine.pieces(state, &mut self.contents);
        let begin = engine.player(state) * PIECES;
        let row = |piece: u8| (begin + usize::from(piece)) * self.vertices;
        let places = self.contents.iter().enumerate();
        places.map(|(vertex, piece)| self.weights[row(*piece) + vertex]).sum()
    }

    /// Learns what the answer for a state was.
    pub(super) fn learn<E: Engine>(&mut self, engine: &E, state: &E::State, answer: bool) {
        let chance = 1.0 / (1.0 + exp(-f64::from(self.value(engine, state))));
        let step = RATE * (f32::from(u8::from(answer)) - chance as f32);
        let begin = engine.player(state) * PIECES;
        for (vertex, piece) in self.contents.iter().enumerate() {
            self.weights[(begin + usize::from(*piece)) * self.vertices + vertex] += step;
        }
    }
}
