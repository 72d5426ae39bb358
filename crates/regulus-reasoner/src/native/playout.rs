//! Code that plays whole random games (passes P9, P10, P20): one function in which the state
//! lives in values and players and keeper hand over to each other by jumps.
//!
//! A move is drawn uniformly from all legal moves. Choices are counted level by level: a level whose
//! choices all have the same number of continuations is counted by population count, any other one by
//! a loop. What can only fail after the last choice (such as being in check) is tested when a move has
//! been drawn, and the draw is repeated if it fails, which keeps the distribution uniform. When that
//! happens too often, and where no such code can be made, a helper lists all moves and draws one.
//!
//! Split moves are drawn semimove by semimove instead (`split_move`).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, Value};
use cranelift_frontend::{Switch, Variable as Slot};

use super::emit::{Emitter, Unsupported};
use super::keeper::Keeper;
use super::segments::Arc;
use super::set::Set;
use super::split_move::SplitMoves;

/// Draws that may fail before the helper is asked.
pub(super) const MAX_TRIES: i64 = 64;

/// How moves are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Uniformly from the legal moves.
    Full,
    /// One semimove after the other.
    Split,
}

/// What the code of a playout shares.
pub(crate) struct Player {
    pub(crate) mode: Mode,
    /// True if the helper draws every move, because code for drawing would be too large.
    pub(crate) by_helper: bool,
    pub(crate) keeper: Keeper,
    /// The state in memory, for the helper.
    pub(crate) state: Value,
    /// The context of the helper; its first word is the address of the steps, its second the state of
    /// the random generator, its third the number of moves made.
    pub(crate) context: Value,
    /// `choose(context, state, steps) -> moved`
    pub(crate) choose: FuncRef,
    /// `select(word, n) -> position of the n-th bit`
    pub(crate) select: FuncRef,
    pub(crate) random: Slot,
    pub(crate) length: Slot,
    pub(crate) over: Block,
    /// What split moves share.
    pub(crate) split: Option<Box<SplitMoves>>,
}

/// A move that is being looked for by its number.
#[derive(Clone, Copy)]
pub(super) struct Draw {
    /// The number that is left when all moves before are passed.
    pub(super) rest: Slot,
    /// Draws again.
    pub(super) reject: Block,
}

impl Emitter<'_, '_> {
    /// The body of `playout(state, context, choices, limit) -> outcome`.
    pub(crate) fn playout_function(&mut self, player: &mut Player) -> Result<(), Unsupported> {
        let layout = self.analysis.layout;
        let zero = self.constant(0);
        self.b.def_var(player.length, zero);
        let seed = self.load_word(player.context, 1);
        self.b.def_var(player.random, seed);
        player.keeper.players = Some(Default::default());
        let dispatch = self.b.create_block();
        self.b.append_block_param(dispatch, I64);
        let position = self.load_word(player.state, layout.node());
        self.b.ins().jump(dispatch, &[position.into()]);
        self.b.switch_to_block(dispatch);
        let position = self.b.block_params(dispatch)[0];
        let mut switch = Switch::new();
        for (number, node) in self.keeper_positions() {
            let block = player.keeper.block(self, node);
            switch.set_entry(u128::from(number), block);
        }
        for (arc, to) in self.analysis.segments.nodes.iter().flatten() {
            if let Arc::Switch(p, number) = arc
                && p.0 != 0
            {
                let block = player.keeper.player_block(self, *to);
                switch.set_entry(u128::from(*number), block);
            }
        }
        switch.emit(&mut self.b, position, player.over);
        loop {
            self.keeper_blocks(&mut player.keeper)?;
            let players = player.keeper.players.get_or_insert_default();
            let Some(node) = players.pending.pop() else { break };
            let block = player.keeper.player_block(self, node);
            self.b.switch_to_block(block);
            self.player_node(player, node, dispatch)?;
        }
        let stuck = self.keeper_stuck(&player.keeper);
        self.b.switch_to_block(stuck);
        let env = self.env_of(&player.keeper.complete);
        let pointer = self.b.use_var(player.keeper.complete.pointer);
        self.store_state(&env, pointer, player.state);
        self.b.ins().jump(player.over, &[]);
        self.b.switch_to_block(player.over);
        let random = self.b.use_var(player.random);
        self.store_word(player.context, 1, random);
        let length = self.b.use_var(player.length);
        self.store_word(player.context, 2, length);
        let zero = self.constant(0);
        self.b.ins().return_(&[zero]);
        self.b.switch_to_block(player.keeper.endless());
        let one = self.constant(1);
        self.b.ins().return_(&[one]);
        // A block of the keeper's that nothing jumps to in a playout.
        self.b.switch_to_block(player.keeper.unused());
        self.b.ins().return_(&[one]);
        Ok(())
    }

    /// A random number below a bound.
    pub(super) fn below(&mut self, player: &Player, bound: Value) -> Value {
        let state = self.b.use_var(player.random);
        let add = self.constant(0xa076_1d64_78bd_642f_u64 as i64);
        let xor = self.constant(0xe703_7ed1_a0b4_28db_u64 as i64);
        let state = self.b.ins().iadd(state, add);
        self.b.def_var(player.random, state);
        let other = self.b.ins().bxor(state, xor);
        let high = self.b.ins().umulhi(state, other);
        let low = self.b.ins().imul(state, other);
        let bits = self.b.ins().bxor(high, low);
        self.b.ins().umulhi(bits, bound)
    }

    /// The position of the n-th bit of a set.
    pub(super) fn nth(&mut self, player: &Player, set: &Set, n: Value) -> Value {
        let mut word = set.0[0].value(&mut self.b);
        let mut base = self.constant(0);
        let mut rest = n;
        let mut before = self.constant(0);
        for (i, w) in set.0.iter().enumerate() {
            let value = w.value(&mut self.b);
            if i > 0 {
                let here = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, n, before);
                word = self.b.ins().select(here, value, word);
                let less = self.b.ins().isub(n, before);
                rest = self.b.ins().select(here, less, rest);
                let start = self.constant(i as i64 * 64);
                base = self.b.ins().select(here, start, base);
            }
            if i + 1 < set.0.len() {
                let count = self.b.ins().popcnt(value);
                before = self.b.ins().iadd(before, count);
            }
        }
        let call = self.b.ins().call(player.select, &[word, rest]);
        let at = self.b.inst_results(call)[0];
        self.b.ins().iadd(at, base)
    }

    /// A player's turn.
    pub(super) fn player_node(
        &mut self,
        player: &mut Player,
        node: u32,
        dispatch: Block,
    ) -> Result<(), Unsupported> {
        if player.mode == Mode::Split {
            return self.split_turn(player, node, dispatch);
        }
        let length = self.b.use_var(player.length);
        let length = self.b.ins().iadd_imm_s(length, 1);
        self.b.def_var(player.length, length);
        let slow = self.b.create_block();
        let steps = self.b.append_block_param(slow, I64);
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        let here = self.at(pointer);
        let zero = self.constant(0);
        if player.by_helper || !self.is_countable(node, &mut Vec::new()) {
            self.b.ins().jump(slow, &[zero.into()]);
        } else {
            self.full_move(player, node, &here, &env, slow)?;
        }
        self.b.switch_to_block(slow);
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        self.store_state(&env, pointer, player.state);
        let number = self.number_behind(node);
        let number = self.constant(i64::from(number));
        let layout = self.analysis.layout;
        self.store_word(player.state, layout.node(), number);
        let random = self.b.use_var(player.random);
        self.store_word(player.context, 1, random);
        let call = self.b.ins().call(player.choose, &[player.context, player.state, steps]);
        let moved = self.b.inst_results(call)[0];
        let random = self.load_word(player.context, 1);
        self.b.def_var(player.random, random);
        let (go, none) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(moved, go, &[], none, &[]);
        self.b.switch_to_block(none);
        // The turn was counted, but no move was made.
        let length = self.b.use_var(player.length);
        let length = self.b.ins().iadd_imm_s(length, -1);
        self.b.def_var(player.length, length);
        self.b.ins().jump(player.over, &[]);
        self.b.switch_to_block(go);
        let slots = player.keeper.slots.clone();
        self.load_slots(&slots, player.state);
        let complete = player.keeper.complete.clone();
        self.load_slots(&complete, player.state);
        let position = self.load_word(player.state, layout.node());
        self.b.ins().jump(dispatch, &[position.into()]);
        Ok(())
    }

    /// A switch that leads to a node.
    pub(super) fn number_behind(&self, node: u32) -> u32 {
        let segments = &self.analysis.segments;
        let arcs = segments.nodes.iter().flatten();
        arcs.into_iter()
            .find_map(|(arc, to)| match arc {
                Arc::Switch(_, number) if segments.canonical(*to) == node => Some(*number),
                _ => None,
            })
            .unwrap_or(0)
    }

    /// True if code can be made for the choices from a node: no loops through modifiers, no split
    /// points, and not too much of it.
    pub(super) fn is_countable(&self, node: u32, inside: &mut Vec<u32>) -> bool {
        let segments = &self.analysis.segments;
        if inside.contains(&node) || inside.len() > 12 {
            return false;
        }
        let Some(order) = segments.topological(node) else { return false };
        inside.push(node);
        let fine = order.iter().all(|n| {
            segments.nodes[*n as usize].iter().all(|(arc, to)| match arc {
                Arc::Off(..) | Arc::Assign(..) => {
                    self.is_countable(segments.canonical(*to), inside)
                }
                Arc::Dot(_) => false,
                _ => true,
            })
        });
        inside.pop();
        fine
    }
}
