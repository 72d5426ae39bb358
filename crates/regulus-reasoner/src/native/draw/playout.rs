//! Code that plays whole random games (passes P9, P10, P20): one function in which the state
//! lives in values and players and keeper hand over to each other by jumps.
//!
//! A move is drawn uniformly from all legal moves: its first choices are counted once, as sets of
//! vertices with upper bounds of the number of ways behind them; one is selected, and the rest of the
//! move is drawn within its bounds. What turns out not to be a move is drawn again from the start,
//! which keeps the distribution uniform. When that happens too often, and where no such code can be
//! made, a helper lists all moves and draws one.
//!
//! Split moves are drawn semimove by semimove instead (`split_move`).

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, Value};
use cranelift_frontend::{Switch, Variable as Slot};

use regulus_game::MAX_GAME_MOVES;
use regulus_rbg::rule::ModifierIndex;

use super::full_move::Ends;
use super::split_move::SplitMoves;
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, PositionId, Transition};
use crate::native::emit::{Emitter, HEADER};
use crate::native::keeper::Keeper;
use crate::native::remarks::Left;
use crate::native::sets::set::Set;

/// Draws that may fail before the helper is asked.
pub(crate) const MAX_TRIES: i64 = 64;

/// What a playout returns: that a game is over, that the keeper or the game does not come to an end.
pub(crate) const OVER: i64 = 0;
pub(crate) const ENDLESS_KEEPER: i64 = 1;
pub(crate) const TOO_LONG: i64 = 2;

/// Words of the context: the address of the steps of a split move, the state of the random generator, how many
/// moves were made, and the memory of the keeper.
pub(crate) const PLAYOUT_STEPS: usize = HEADER;
pub(crate) const PLAYOUT_RANDOM: usize = HEADER + 1;
const PLAYOUT_LENGTH: usize = HEADER + 2;
pub(crate) const PLAYOUT_SCRATCH: usize = HEADER + 3;

/// And of chains: where the way that is kept is written, and how many there were.
pub(crate) const PLAYOUT_KEPT: usize = HEADER + 4;
pub(crate) const PLAYOUT_WAYS: usize = HEADER + 5;

/// Sets of up to this many vertices are searched bit by bit.
const SMALL: u64 = 4;

/// How moves are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Uniformly from the legal moves.
    Full,
    /// One semimove after the other.
    Split,
}

/// What the code of a playout shares.
pub(crate) struct PlayoutEmitter {
    pub(crate) mode: Mode,
    /// True if the helper draws every move, because code for drawing would be too large.
    pub(crate) by_helper: bool,
    pub(crate) keeper: Keeper,
    /// The state in memory, for the helper.
    pub(crate) state: Value,
    /// `choose(context, state, steps) -> moved`: draws a player's move.
    pub(crate) choose: FuncRef,
    /// `keeper(context, state, turn) -> moved`: makes a move of the keeper.
    pub(crate) keeper_helper: FuncRef,
    /// `select(word, n) -> position of the n-th bit`
    pub(crate) select: FuncRef,
    pub(crate) random: Slot,
    pub(crate) length: Slot,
    pub(crate) over: Block,
    /// The game does not come to an end.
    pub(crate) too_long: Block,
    /// What split moves share.
    pub(crate) split: Option<Box<SplitMoves>>,
}

impl Emitter<'_, '_> {
    /// The body of `playout(state, context) -> outcome`.
    pub(crate) fn playout_function(
        &mut self,
        player: &mut PlayoutEmitter,
    ) -> Result<(), Unsupported> {
        let layout = self.analysis.layout;
        let zero = self.constant(0);
        self.b.def_var(player.length, zero);
        let seed = self.load_word(self.context, PLAYOUT_RANDOM);
        self.b.def_var(player.random, seed);
        self.store_word(self.context, PLAYOUT_KEPT, player.state);
        player.keeper.players = Some(Default::default());
        let dispatch = self.b.create_block();
        self.b.append_block_param(dispatch, I64);
        let position = self.load_word(player.state, layout.node());
        self.b.ins().jump(dispatch, &[position.into()]);
        self.b.switch_to_block(dispatch);
        let position = self.b.block_params(dispatch)[0];
        let mut switch = Switch::new();
        for (position, node) in self.keeper_positions() {
            let block = player.keeper.block(self, node);
            switch.set_entry(u128::from(position.word()), block);
        }
        for (transition, to) in self.analysis.segments.nodes.iter().flatten() {
            if let Transition::Switch(p, modifier) = transition
                && p.0 != 0
            {
                let block = player.keeper.player_block(self, *to);
                switch.set_entry(u128::from(modifier.0), block);
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
        self.keeper_exhausted(&player.keeper);
        self.b.switch_to_block(stuck);
        self.b.ins().jump(player.over, &[]);
        self.b.switch_to_block(player.over);
        let random = self.b.use_var(player.random);
        self.store_word(self.context, PLAYOUT_RANDOM, random);
        let length = self.b.use_var(player.length);
        self.store_word(self.context, PLAYOUT_LENGTH, length);
        let outcome = self.constant(OVER);
        self.b.ins().return_(&[outcome]);
        self.playout_asks(player, dispatch);
        self.b.switch_to_block(player.keeper.endless());
        let outcome = self.constant(ENDLESS_KEEPER);
        self.b.ins().return_(&[outcome]);
        self.b.set_cold_block(player.too_long);
        self.b.switch_to_block(player.too_long);
        let outcome = self.constant(TOO_LONG);
        self.b.ins().return_(&[outcome]);
        // A block of the keeper's that nothing jumps to in a playout.
        self.b.switch_to_block(player.keeper.unused());
        self.b.ins().return_(&[outcome]);
        Ok(())
    }

    /// The helper makes a move of the keeper's.
    fn playout_asks(&mut self, player: &PlayoutEmitter, dispatch: Block) {
        self.b.set_cold_block(player.keeper.ask);
        self.b.switch_to_block(player.keeper.ask);
        self.keeper_move_was_asked_for(&player.keeper);
        self.keeper_move_begun(&player.keeper);
        let turn = self.b.use_var(player.length);
        let moved = self.ask_helper(player, player.keeper_helper, turn);
        let go = self.b.create_block();
        self.b.ins().brif(moved, go, &[], player.over, &[]);
        self.b.switch_to_block(go);
        self.play_on(player, dispatch);
    }

    /// Asks a helper of the playout; gives up if that fails.
    pub(crate) fn ask_helper(
        &mut self,
        player: &PlayoutEmitter,
        helper: FuncRef,
        steps: Value,
    ) -> Value {
        let random = self.b.use_var(player.random);
        self.store_word(self.context, PLAYOUT_RANDOM, random);
        let call = self.b.ins().call(helper, &[self.context, player.state, steps]);
        let moved = self.b.inst_results(call)[0];
        let gave_up = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, moved, 0);
        self.fail_if(gave_up);
        let random = self.load_word(self.context, PLAYOUT_RANDOM);
        self.b.def_var(player.random, random);
        moved
    }

    /// Counts a player's move; gives the game up when there are too many.
    pub(crate) fn count_turn(&mut self, player: &PlayoutEmitter) {
        if self.analysis.condition_depth > 0 {
            self.allow_work();
        }
        let length = self.b.use_var(player.length);
        let length = self.b.ins().iadd_imm_s(length, 1);
        self.b.def_var(player.length, length);
        let most = MAX_GAME_MOVES as i64;
        let many = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, length, most);
        let go = self.b.create_block();
        self.b.ins().brif(many, player.too_long, &[], go, &[]);
        self.b.switch_to_block(go);
    }

    /// A random number below a bound.
    pub(crate) fn below(&mut self, player: &PlayoutEmitter, bound: Value) -> Value {
        let state = self.b.use_var(player.random);
        let (state, number) = self.random_below(state, bound);
        self.b.def_var(player.random, state);
        number
    }

    /// The next state of a random generator, and a number below a bound.
    pub(crate) fn random_below(&mut self, state: Value, bound: Value) -> (Value, Value) {
        let add = self.constant(0xa076_1d64_78bd_642f_u64 as i64);
        let xor = self.constant(0xe703_7ed1_a0b4_28db_u64 as i64);
        let state = self.b.ins().iadd(state, add);
        let other = self.b.ins().bxor(state, xor);
        let high = self.b.ins().umulhi(state, other);
        let low = self.b.ins().imul(state, other);
        let bits = self.b.ins().bxor(high, low);
        (state, self.b.ins().umulhi(bits, bound))
    }

    /// The position of the n-th bit of a set.
    pub(crate) fn nth(&mut self, player: &PlayoutEmitter, set: &Set, n: Value) -> Value {
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
        if set.0.len() == 1 { at } else { self.b.ins().iadd(at, base) }
    }

    /// The position of the n-th bit of a set that has no more than `most`.
    pub(crate) fn nth_of(
        &mut self,
        player: &PlayoutEmitter,
        set: &Set,
        n: Value,
        most: u64,
    ) -> Value {
        if most > SMALL {
            return self.nth(player, set, n);
        }
        if most == 1 {
            return self.lowest_or_end(set);
        }
        if set.0.len() > 1 {
            return self.nth(player, set, n);
        }
        // Few bits: taking the lowest away is cheaper than a call (pass P20).
        let first = set.0[0].value(&mut self.b);
        let (mut rest, mut word) = (first, first);
        for i in 1..most {
            let less = self.b.ins().iadd_imm_s(rest, -1);
            rest = self.b.ins().band(rest, less);
            let reached = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, n, i as i64);
            word = self.b.ins().select(reached, rest, word);
        }
        self.b.ins().ctz(word)
    }

    /// A player's turn.
    pub(crate) fn player_node(
        &mut self,
        player: &mut PlayoutEmitter,
        node: NodeId,
        dispatch: Block,
    ) -> Result<(), Unsupported> {
        if player.mode == Mode::Split {
            return self.split_turn(player, node, dispatch);
        }
        self.analysis.notes.begin(node);
        self.count_turn(player);
        let slow = self.b.create_block();
        let steps = self.b.append_block_param(slow, I64);
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        let here = self.at(pointer);
        let zero = self.constant(0);
        let (nothing, none) = (self.b.create_block(), self.b.create_block());
        if player.by_helper {
            self.analysis.notes.leave(Left::Listed, node);
            self.b.ins().jump(slow, &[zero.into()]);
        } else {
            self.full_move(player, node, &here, &env, Ends { slow, none: nothing, dispatch })?;
        }
        self.b.switch_to_block(nothing);
        self.store_turn(player, node);
        self.b.ins().jump(none, &[]);
        self.b.switch_to_block(slow);
        self.store_turn(player, node);
        let moved = self.ask_helper(player, player.choose, steps);
        let go = self.b.create_block();
        self.b.ins().brif(moved, go, &[], none, &[]);
        self.b.switch_to_block(none);
        // The turn was counted, but no move was made.
        let length = self.b.use_var(player.length);
        let length = self.b.ins().iadd_imm_s(length, -1);
        self.b.def_var(player.length, length);
        self.b.ins().jump(player.over, &[]);
        self.b.switch_to_block(go);
        self.keeper_move_begun(&player.keeper);
        self.play_on(player, dispatch);
        Ok(())
    }

    /// Goes on from the state in memory, in which a helper has made a move.
    pub(crate) fn play_on(&mut self, player: &PlayoutEmitter, dispatch: Block) {
        let slots = player.keeper.slots.clone();
        self.load_slots(&slots, player.state);
        let position = self.load_word(player.state, self.analysis.layout.node());
        self.b.ins().jump(dispatch, &[position.into()]);
    }

    /// Writes the state at a player's turn to memory.
    fn store_turn(&mut self, player: &PlayoutEmitter, node: NodeId) {
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        self.store_state(&env, pointer, player.state);
        let modifier = self.switch_to(node);
        let to_move = match self.analysis.segments.modifier(modifier.0 as i32) {
            Some(Transition::Switch(to_move, _)) => to_move.0,
            _ => 0,
        };
        let position = self.constant(PositionId::of(modifier).word() as i64);
        self.store_word(player.state, self.analysis.layout.node(), position);
        let to_move = self.constant(i64::from(to_move));
        self.store_word(player.state, self.analysis.layout.player(), to_move);
    }

    /// A switch that leads to a node.
    pub(crate) fn switch_to(&self, node: NodeId) -> ModifierIndex {
        let segments = &self.analysis.segments;
        let transitions = segments.nodes.iter().flatten();
        transitions
            .into_iter()
            .find_map(|(transition, to)| match transition {
                Transition::Switch(_, modifier) if segments.canonical(*to) == node => {
                    Some(*modifier)
                }
                _ => None,
            })
            .unwrap_or(ModifierIndex::NONE)
    }
}
