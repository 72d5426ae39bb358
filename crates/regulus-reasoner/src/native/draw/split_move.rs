//! Drawing a move semimove by semimove (THESIS, Algorithm 1; passes P7, P10 and P20).
//!
//! At every level one of the next modifiers and split points is drawn uniformly, with its vertex.
//! The code of a level follows that of the semimove that leads to it; a level that several semimoves
//! lead to has a block of its own, which finds the state in slots. A semimove that turns out dead is
//! taken out of its level, and another one is drawn from the rest. A dead end in a block of its own is left to the
//! helper, and so is everything behind many dead ends: it goes the way drawn so far once more and on from there,
//! and passes no split point twice.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};
use cranelift_frontend::Variable as Slot;
use regulus_rbg::declarations::PieceSet;
use rustc_hash::FxHashMap;

use super::level_graph::LevelGraph;
use super::live::{FAR, NEAR};
use super::playout::{PLAYOUT_STEPS, PlayoutEmitter};
use crate::error::{MAX_SEMIMOVES, MAX_WALK_MODIFIERS};
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, PositionId, Transition, TransitionId};
use crate::native::analysis::walk_length::Counted;
use crate::native::emit::{Emitter, MAX_NESTED};
use crate::native::sets::environment::{Env, Slots};
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::{Set, Word};

/// Dead ends of a turn up to which code draws again.
const MAX_REDRAWS: i64 = 64;

/// What the split moves of a playout share.
pub(crate) struct SplitMoves {
    pub(crate) graph: LevelGraph,
    /// The state at the beginning of a block of its own.
    work: Slots,
    /// The number of steps drawn before such a block, and of the modifiers among them.
    depth: Slot,
    modifiers: Slot,
    /// The split points in loops that have been passed since the last modifier.
    passed: Vec<Vec<Slot>>,
    blocks: FxHashMap<NodeId, Block>,
    pending: Vec<NodeId>,
    /// The switch behind which the turn began.
    turn: Slot,
    /// The dead ends of the turn.
    redraws: Slot,
    /// Asks the helper for a move.
    slow: Block,
    /// There is no move.
    none: Block,
    has_ends: bool,
}

/// A turn for which code is made.
pub(crate) struct SplitTurn<'t> {
    player: &'t mut PlayoutEmitter,
    split: &'t mut SplitMoves,
}

/// How a move has been drawn so far.
#[derive(Clone)]
pub(crate) struct Trail {
    /// Where a dead end leads.
    dead: Block,
    /// How many steps have been drawn, and where they are written down.
    depth: Value,
    steps: Value,
    /// How many of them are modifiers.
    modifiers: Value,
    /// How many were drawn in this block.
    nested: usize,
    /// The vertices of split points in loops that have been passed since the last modifier.
    passed: Vec<Set>,
}

impl Emitter<'_, '_> {
    fn new_split_moves(&mut self) -> Result<SplitMoves, Unsupported> {
        let graph = LevelGraph::new(self.analysis)?;
        let words = self.words();
        let passed = (0..graph.looped_dots())
            .map(|_| (0..words).map(|_| self.b.declare_var(I64)).collect())
            .collect();
        Ok(SplitMoves {
            graph,
            work: self.new_slots(),
            depth: self.b.declare_var(I64),
            modifiers: self.b.declare_var(I64),
            passed,
            blocks: FxHashMap::default(),
            pending: Vec::new(),
            turn: self.b.declare_var(I64),
            redraws: self.b.declare_var(I64),
            slow: self.b.create_block(),
            none: self.b.create_block(),
            has_ends: false,
        })
    }

    /// A player's turn by split moves.
    pub(crate) fn split_turn(
        &mut self,
        player: &mut PlayoutEmitter,
        node: NodeId,
        dispatch: Block,
    ) -> Result<(), Unsupported> {
        let mut split = match player.split.take() {
            Some(split) => split,
            None => Box::new(self.new_split_moves()?),
        };
        self.count_turn(player, node);
        let turn = self.constant(PositionId::of(self.switch_to(node)).word() as i64);
        self.b.def_var(split.turn, turn);
        let zero = self.constant(0);
        self.b.def_var(split.redraws, zero);
        if player.by_helper {
            self.b.def_var(split.depth, zero);
            self.b.ins().jump(split.slow, &[]);
        } else {
            let env = self.env_of(&player.keeper.slots);
            let pointer = self.b.use_var(player.keeper.slots.pointer);
            let here = self.at(pointer);
            let steps = self.load_word(self.context, PLAYOUT_STEPS);
            let passed = vec![Set::empty(self.words()); split.passed.len()];
            let (dead, depth, modifiers) = (split.none, zero, zero);
            let trail = Trail { dead, depth, steps, modifiers, nested: 0, passed };
            let mut turn = SplitTurn { player, split: &mut split };
            self.split_level(&mut turn, node, &here, &env, &trail)?;
            while let Some(node) = turn.split.pending.pop() {
                self.split_block(&mut turn, node)?;
            }
        }
        if !split.has_ends {
            split.has_ends = true;
            self.split_ends(player, &split, dispatch);
        }
        player.split = Some(split);
        Ok(())
    }

    /// Where a turn ends that the code of the levels does not complete.
    fn split_ends(&mut self, player: &PlayoutEmitter, split: &SplitMoves, dispatch: Block) {
        let layout = self.analysis.layout;
        self.b.switch_to_block(split.slow);
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        self.store_state(&env, pointer, player.state);
        let number = self.b.use_var(split.turn);
        self.store_word(player.state, layout.node(), number);
        let steps = self.b.use_var(split.depth);
        let moved = self.ask_helper(player, player.choose, steps);
        let go = self.b.create_block();
        self.b.ins().brif(moved, go, &[], split.none, &[]);
        self.b.switch_to_block(split.none);
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        self.store_state(&env, pointer, player.state);
        let number = self.b.use_var(split.turn);
        self.store_word(player.state, layout.node(), number);
        let to_move = self.player_behind(number);
        self.store_word(player.state, layout.player(), to_move);
        self.end_without_move(player);
        self.b.switch_to_block(go);
        self.keeper_move_begun(&player.keeper);
        self.play_on(player, dispatch);
    }

    /// Who is to move behind a switch of this number, from a table.
    fn player_behind(&mut self, number: Value) -> Value {
        let segments = &self.analysis.segments;
        let modifiers = self.analysis.game.modifier_count as i32;
        let players = (0..=modifiers).map(|number| match segments.modifier(number) {
            Some(Transition::Switch(player, _)) => u64::from(player.0),
            _ => 0,
        });
        let table = self.table(players.collect());
        let offset = self.b.ins().ishl_imm_s(number, 3);
        let address = self.b.ins().iadd(table, offset);
        self.load_word(address, 0)
    }

    /// The block of a level that several semimoves lead to.
    fn split_block(&mut self, turn: &mut SplitTurn<'_>, node: NodeId) -> Result<(), Unsupported> {
        self.b.switch_to_block(turn.split.blocks[&node]);
        let env = self.env_of(&turn.split.work);
        let pointer = self.b.use_var(turn.split.work.pointer);
        let mut here = self.at(pointer);
        here.under = turn.split.graph.under(node).unwrap_or(here.under);
        let depth = self.b.use_var(turn.split.depth);
        let modifiers = self.b.use_var(turn.split.modifiers);
        let steps = self.load_word(self.context, PLAYOUT_STEPS);
        let words = |this: &mut Self, slots: &Vec<Slot>| {
            Set(slots.iter().map(|s| Word::Value(this.b.use_var(*s))).collect())
        };
        let passed = turn.split.passed.iter().map(|slots| words(self, slots)).collect();
        let dead = self.b.create_block();
        let trail = Trail { dead, depth, steps, modifiers, nested: 0, passed };
        self.split_level(turn, node, &here, &env, &trail)?;
        self.b.switch_to_block(dead);
        self.b.def_var(turn.split.depth, depth);
        self.b.ins().jump(turn.split.slow, &[]);
        Ok(())
    }

    /// Draws one of the semimoves of a level and goes on with it. Ends the block.
    fn split_level(
        &mut self,
        turn: &mut SplitTurn<'_>,
        node: NodeId,
        here: &PointerSet,
        env: &Env,
        trail: &Trail,
    ) -> Result<(), Unsupported> {
        self.check_size()?;
        let mut exits = self.exits(node, here, env)?;
        for (id, place) in &mut exits {
            let (transition, _) = &self.analysis.segments[*id];
            if let Some(dot) = turn.split.graph.looped_dot(transition)
                && !trail.passed[dot].is_empty_constant()
            {
                place.set = self.clean(place).and_not(&trail.passed[dot], &mut self.b);
                (place.certain, place.dirty) = (false, false);
            }
        }
        exits.retain(|(_, place)| !place.set.is_empty_constant());
        match exits.as_slice() {
            [] => {
                self.b.ins().jump(trail.dead, &[]);
                Ok(())
            }
            [(id, place)] if place.at.is_some() => {
                // One way only: no choice, and a dead end is one of the level above.
                let some = self.nonempty(place);
                self.require(some, trail.dead);
                let at = place.at.expect("checked above");
                self.split_take(turn, *id, (at, place.under), env, trail)
            }
            exits => self.split_draw(turn, exits, env, trail),
        }
    }

    fn split_draw(
        &mut self,
        turn: &mut SplitTurn<'_>,
        exits: &[(TransitionId, PointerSet)],
        env: &Env,
        trail: &Trail,
    ) -> Result<(), Unsupported> {
        let mut sets = Vec::new();
        for (id, place) in exits {
            let (transition, to) = &self.analysis.segments[*id];
            let mut set = self.clean(place);
            if !turn.split.graph.surely_ends(self.analysis, *id) {
                let shared = turn.split.graph.is_shared(self.analysis.segments.canonical(*to));
                let far = shared || matches!(transition, Transition::Dot(_));
                set = self.live(transition, *to, &set, env, if far { FAR } else { NEAR });
            }
            sets.push(set);
        }
        let (sets, draw) = self.split_draw_block(turn.split, exits, &sets);
        let mut total: Option<Value> = None;
        let mut bounds = Vec::new();
        for set in &sets {
            let count = set.count(&mut self.b);
            let sum = total.map_or(count, |t| self.b.ins().iadd(t, count));
            total = Some(sum);
            bounds.push(sum);
        }
        let total = total.expect("a level has exits");
        let go = self.b.create_block();
        self.b.ins().brif(total, go, &[], trail.dead, &[]);
        self.b.switch_to_block(go);
        let r = self.below(turn.player, total);
        for (k, (id, place)) in exits.iter().enumerate() {
            let next = self.b.create_block();
            if k + 1 < exits.len() {
                let take = self.b.create_block();
                let mine = self.b.ins().icmp(IntCC::UnsignedLessThan, r, bounds[k]);
                self.b.ins().brif(mine, take, &[], next, &[]);
                self.b.switch_to_block(take);
            }
            let at = match place.at {
                Some(at) => at,
                None => {
                    let index = if k == 0 { r } else { self.b.ins().isub(r, bounds[k - 1]) };
                    self.nth(turn.player, &sets[k], index)
                }
            };
            match draw {
                None => self.split_take(turn, *id, (at, place.under), env, trail)?,
                Some(draw) => {
                    let redraw = self.b.create_block();
                    let inner = Trail { dead: redraw, ..trail.clone() };
                    self.split_take(turn, *id, (at, place.under), env, &inner)?;
                    self.b.switch_to_block(redraw);
                    self.count_redraw(turn.split, trail);
                    let mut left = sets.clone();
                    left[k] = match place.at {
                        Some(_) => Set::empty(self.words()),
                        None => {
                            let drawn = self.one(at);
                            sets[k].and_not(&drawn, &mut self.b)
                        }
                    };
                    let left = self.split_words(&left);
                    self.b.ins().jump(draw, &left);
                }
            }
            if k + 1 < exits.len() {
                self.b.switch_to_block(next);
            }
        }
        Ok(())
    }

    /// Counts a dead end; after too many of them the helper goes on from here.
    fn count_redraw(&mut self, split: &SplitMoves, trail: &Trail) {
        let redraws = self.b.use_var(split.redraws);
        let redraws = self.b.ins().iadd_imm_s(redraws, 1);
        self.b.def_var(split.redraws, redraws);
        let many = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, redraws, MAX_REDRAWS);
        let (give_up, go) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(many, give_up, &[], go, &[]);
        self.b.set_cold_block(give_up);
        self.b.switch_to_block(give_up);
        self.b.def_var(split.depth, trail.depth);
        self.b.ins().jump(split.slow, &[]);
        self.b.switch_to_block(go);
    }

    /// The block in which a level is drawn again with what is left of its semimoves, if that can
    /// be necessary.
    fn split_draw_block(
        &mut self,
        split: &SplitMoves,
        exits: &[(TransitionId, PointerSet)],
        sets: &[Set],
    ) -> (Vec<Set>, Option<Block>) {
        if exits.iter().all(|(id, _)| split.graph.surely_ends(self.analysis, *id)) {
            return (sets.to_vec(), None);
        }
        let draw = self.b.create_block();
        let words = self.words();
        let mut parameter = |_| Word::Value(self.b.append_block_param(draw, I64));
        let parameters =
            sets.iter().map(|_| Set((0..words).map(&mut parameter).collect())).collect();
        let values = self.split_words(sets);
        self.b.ins().jump(draw, &values);
        self.b.switch_to_block(draw);
        (parameters, Some(draw))
    }

    fn split_words(&mut self, sets: &[Set]) -> Vec<BlockArg> {
        sets.iter().flat_map(|s| &s.0).map(|w| BlockArg::from(w.value(&mut self.b))).collect()
    }

    /// Takes a semimove at one vertex and goes on behind it. Ends the block.
    fn split_take(
        &mut self,
        turn: &mut SplitTurn<'_>,
        id: TransitionId,
        (at, under): (Value, PieceSet),
        env: &Env,
        trail: &Trail,
    ) -> Result<(), Unsupported> {
        let analysis = self.analysis;
        let (transition, to) = &analysis.segments[id];
        let mut env = env.clone();
        let mut here = self.at(at);
        here.under = under;
        let ok = self.modify(&mut env, &mut here, transition);
        self.require(ok, trail.dead);
        if let Transition::Switch(p, _) = transition {
            return self.commit(turn.player, p.0, *to, &here, &env);
        }
        let is_dot = matches!(transition, Transition::Dot(_));
        if analysis.may_overrun(id.node, Counted::Semimoves) {
            self.fail_at_limit(trail.depth, MAX_SEMIMOVES - 1);
        }
        if !is_dot && analysis.may_overrun(id.node, Counted::Modifiers) {
            self.fail_at_limit(trail.modifiers, MAX_WALK_MODIFIERS);
        }
        let mut trail = trail.clone();
        if !is_dot {
            trail.modifiers = self.b.ins().iadd_imm_s(trail.modifiers, 1);
        }
        if !turn.split.graph.surely_ends(analysis, id) {
            let offset = self.b.ins().ishl_imm_s(trail.depth, 3);
            let address = self.b.ins().iadd(trail.steps, offset);
            let high = self.b.ins().ishl_imm_s(at, 32);
            let step =
                self.b.ins().bor_imm_s(high, analysis.segments.behind(transition).word() as i64);
            self.store_word(address, 0, step);
        }
        trail.depth = self.b.ins().iadd_imm_s(trail.depth, 1);
        match (transition, turn.split.graph.looped_dot(transition)) {
            (Transition::Dot(_), None) => {}
            (_, Some(dot)) => {
                trail.passed[dot] = trail.passed[dot].or(&here.set, &mut self.b);
            }
            _ => trail.passed.fill(Set::empty(self.words())),
        }
        let to = analysis.segments.canonical(*to);
        trail.nested += 1;
        if !turn.split.graph.is_shared(to) && trail.nested < MAX_NESTED {
            return self.split_level(turn, to, &here, &env, &trail);
        }
        let block = match turn.split.blocks.get(&to) {
            Some(block) => *block,
            None => {
                let block = self.b.create_block();
                turn.split.blocks.insert(to, block);
                turn.split.pending.push(to);
                block
            }
        };
        self.fill_slots(&turn.split.work.clone(), &env, at);
        self.b.def_var(turn.split.depth, trail.depth);
        self.b.def_var(turn.split.modifiers, trail.modifiers);
        for (slots, set) in turn.split.passed.iter().zip(&trail.passed) {
            for (slot, word) in slots.iter().zip(&set.0) {
                let value = word.value(&mut self.b);
                self.b.def_var(*slot, value);
            }
        }
        self.b.ins().jump(block, &[]);
        Ok(())
    }
}
