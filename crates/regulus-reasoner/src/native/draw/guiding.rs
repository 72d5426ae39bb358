//! Guided playouts: a move that was drawn uniformly is taken with a probability that its key has, else drawn again,
//! and the keys of the moves are written down (see `regulus_game::Guide`).
//!
//! The hash of a move grows with every modifier that is walked over. Where the rest of a move is not drawn but
//! determined (`Branch::rest`), its hash ends, since the move is taken before that rest is made: [`KeyRules`] knows
//! these modifiers, so that a listed move has the same key.
//!
//! Whether a move is taken is decided by the lowest eight of the random bits that the last number of its draw was made
//! of. The number is the high half of the product of all 64 bits with a bound: bits that give the same number are an
//! interval of at least 2^64 / bound, in which the lowest eight are uniform, but for 2^8 of them at its ends. Bounds
//! are below 2^48 (`MAX_WAYS` of a continuation), in practice below 2^16, and the fault below 2^-40.

use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I8;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_frontend::Variable as Slot;
use regulus_game::{KeyHash, KeyKind, PlayedKey, Step};
use regulus_rbg::Vertex;
use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::ModifierIndex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::playout::{PLAYOUT_PLAYED, PLAYOUT_SHIFT, PLAYOUT_WEIGHTS, PlayoutEmitter};
use super::walk::Draw;
use crate::native::Unsupported;
use crate::native::analysis::Analysis;
use crate::native::analysis::segments::Transition;
use crate::native::emit::Emitter;
use crate::native::keeper::stretch::Stretches;
use crate::native::sets::environment::Env;
use crate::native::sets::set::Bool;

/// Moves that are not taken count as much as one that turns out to be none: with small weights the code
/// has to draw often, and drawing is still cheaper than listing.
pub(crate) const DECLINED_OF_A_TRY: i64 = 8;

/// How keys of moves are made, besides what [`KeyHash`] says.
#[derive(Default)]
pub(crate) struct KeyRules {
    /// Modifiers behind which the rest of a move is determined: nothing behind them is in its key.
    last: FxHashSet<ModifierIndex>,
}

impl KeyRules {
    pub(crate) fn new(analysis: &Analysis) -> KeyRules {
        let (segments, stretches) = (&analysis.segments, Stretches::new(analysis));
        let leads_to_one_way = |(transition, to): &(Transition, _)| {
            matches!(transition, Transition::Off(..) | Transition::Assign(..))
                && stretches.determined(analysis, *to, &mut FxHashMap::default()).is_some()
        };
        let all = segments.nodes.iter().flatten();
        let last = all.filter(|it| leads_to_one_way(it)).map(|(t, _)| t.modifier()).collect();
        KeyRules { last }
    }

    /// The hash of a listed move in a state.
    pub(crate) fn hash(
        &self,
        analysis: &Analysis,
        words: &[u64],
        steps: &[Step],
        kind: KeyKind,
    ) -> KeyHash {
        let Some((last, before)) = steps.split_last() else { return KeyHash::BEGIN };
        let mut hash = KeyHash::BEGIN;
        for (i, step) in before.iter().enumerate() {
            let at = analysis.embedding.position(Vertex(step.vertex));
            let piece = match kind {
                KeyKind::Steps => 0,
                KeyKind::StepsOntoPieces => piece_before(analysis, words, &before[..i], *step),
            };
            hash = hash.step(step.action, piece, at);
            if self.last.contains(&ModifierIndex(step.action as u32)) {
                return hash;
            }
        }
        hash.hand_over(last.action)
    }
}

/// What stands where a step is made, after those before it.
fn piece_before(analysis: &Analysis, words: &[u64], before: &[Step], step: Step) -> u8 {
    let put = before.iter().rev().filter(|other| other.vertex == step.vertex).find_map(|other| {
        match analysis.segments.modifier(other.action) {
            Some(Transition::Off(piece, _)) => Some(piece.0),
            _ => None,
        }
    });
    put.unwrap_or_else(|| {
        let (layout, at) = (analysis.layout, analysis.embedding.position(Vertex(step.vertex)));
        let stands = |p: &usize| words[layout.set(*p, at / 64)] >> (at % 64) & 1 == 1;
        (0..layout.pieces).find(stands).unwrap_or(0) as u8
    })
}

/// What the code of a guided playout shares.
pub(crate) struct Guiding {
    kind: KeyKind,
    rules: Arc<KeyRules>,
    /// The hash of the steps so far.
    hash: Slot,
    /// The random bits of the last draw.
    pub(crate) bits: Slot,
    /// Who is to move.
    pub(crate) player: u8,
}

impl Guiding {
    pub(crate) fn new(kind: KeyKind, rules: Arc<KeyRules>, hash: Slot, bits: Slot) -> Guiding {
        Guiding { kind, rules, hash, bits, player: 0 }
    }
}

impl Emitter<'_, '_> {
    /// Begins the hash of a move.
    pub(crate) fn begin_hash(&mut self, player: &PlayoutEmitter) {
        if let Some(guiding) = &player.guiding {
            let begin = self.constant(KeyHash::BEGIN.0 as i64);
            self.b.def_var(guiding.hash, begin);
        }
    }

    /// Adds a modifier that is about to be made to the hash of the move; `is_last` if the rest is determined.
    pub(crate) fn add_to_hash(
        &mut self,
        player: &PlayoutEmitter,
        transition: &Transition,
        (at, under): (Value, PieceSet),
        env: &Env,
        is_last: bool,
    ) -> Result<(), Unsupported> {
        let Some(guiding) = &player.guiding else { return Ok(()) };
        if matches!(transition, Transition::Switch(..)) {
            let step = KeyHash::of_hand_over(transition.modifier().0 as i32);
            let hash = self.b.use_var(guiding.hash);
            let step = self.constant(step as i64);
            let hash = self.b.ins().iadd(hash, step);
            self.b.def_var(guiding.hash, hash);
            return Ok(());
        }
        if is_last != guiding.rules.last.contains(&transition.modifier()) {
            return Err(Unsupported("keys of moves that end in different ways".to_owned()));
        }
        let mut step = u64::from(transition.modifier().0) << KeyHash::ACTION_SHIFT;
        let mut hash = self.b.use_var(guiding.hash);
        if guiding.kind == KeyKind::StepsOntoPieces {
            let (least, more) = self.piece_at(at, under, env);
            step += u64::from(least) << KeyHash::PIECE_SHIFT;
            if let Some(more) = more {
                let more = self.b.ins().ishl_imm_s(more, i64::from(KeyHash::PIECE_SHIFT));
                hash = self.b.ins().iadd(hash, more);
            }
        }
        let hash = self.b.ins().iadd(hash, at);
        let step = self.constant(step as i64);
        let hash = self.b.ins().iadd(hash, step);
        let factor = self.constant(KeyHash::FACTOR as i64);
        let hash = self.b.ins().imul(hash, factor);
        self.b.def_var(guiding.hash, hash);
        Ok(())
    }

    /// The number of the piece at a position, of those that can be there: a number and what is to be added to it.
    fn piece_at(&mut self, at: Value, under: PieceSet, env: &Env) -> (u8, Option<Value>) {
        let mut pieces = under.iter();
        let Some(first) = pieces.next() else { return (0, None) };
        let mut sum = None;
        for piece in pieces {
            let set = self.set(env, piece);
            let mut word = set.0[0].value(&mut self.b);
            if set.0.len() > 1 {
                let index = self.b.ins().ushr_imm_s(at, 6);
                for (i, other) in set.0.iter().enumerate().skip(1) {
                    let other = other.value(&mut self.b);
                    let here = self.b.ins().icmp_imm_s(IntCC::Equal, index, i as i64);
                    word = self.b.ins().select(here, other, word);
                }
            }
            // Shifts are modulo 64.
            let bit = self.b.ins().ushr(word, at);
            let bit = self.b.ins().band_imm_u(bit, 1);
            let difference = self.constant(i64::from(piece.0) - i64::from(first.0));
            let more = self.b.ins().imul(bit, difference);
            sum = Some(sum.map_or(more, |sum| self.b.ins().iadd(sum, more)));
        }
        (first.0, sum)
    }

    /// Takes the move that was drawn with the probability of its key, and writes that down; else goes back to draw
    /// again.
    pub(crate) fn accept(&mut self, draw: &Draw<'_>) {
        let length = draw.player.length;
        let Some(guiding) = &draw.player.guiding else { return };
        let hash = self.b.use_var(guiding.hash);
        let shift = self.load_word(self.context, PLAYOUT_SHIFT);
        let key = self.b.ins().ushr(hash, shift);
        let weights = self.load_word(self.context, PLAYOUT_WEIGHTS);
        let address = self.b.ins().iadd(weights, key);
        let weight = self.b.ins().load(I8, MemFlagsData::trusted(), address, 0);
        let bits = self.b.use_var(guiding.bits);
        let bits = self.b.ins().ireduce(I8, bits);
        let taken = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, bits, weight);
        let player = PlayedKey { key: 0, player: u32::from(guiding.player) }.word();
        self.require(Bool::Value(taken), draw.declined);
        let played = self.load_word(self.context, PLAYOUT_PLAYED);
        // Moves are counted before they are drawn, and there is room for as many as a game may have.
        let turn = self.b.use_var(length);
        let offset = self.b.ins().ishl_imm_s(turn, 3);
        let address = self.b.ins().iadd(played, offset);
        let player = self.constant(player as i64);
        let made = self.b.ins().bor(key, player);
        self.b.ins().store(MemFlagsData::trusted(), made, address, -8);
    }
}
