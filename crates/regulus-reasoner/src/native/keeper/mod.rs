//! Code for the keeper: from his position until a player is to move (pass P12).
//!
//! Every node becomes one block of straight code. Where the alternatives of a node exclude each other
//! the walk is determined. Where they may not, taking one leaves a *choice point* behind: the state
//! and the next alternative, to which a walk that gets stuck comes back. A switch completes a move and
//! forgets them.
//!
//! Which move he takes when there are several: alternatives are tried in the order of the text. Where a stretch
//! without modifiers leads to several vertices, and anything depends on which is taken, it is the first one to which
//! the interpreter would come (`order.rs`). Where code does not know that one, or gets stuck behind it, it leaves the
//! whole move to the interpreter (`ask`).

pub(crate) mod bulk;
pub(crate) mod choice;
pub(crate) mod closure;
pub(crate) mod confluence;
pub(crate) mod flood;
pub(crate) mod interpreted;
pub(crate) mod order;
pub(crate) mod selection;
pub(crate) mod stretch;
pub(crate) mod vertex;

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::{Switch, Variable as Slot};
use regulus_rbg::rule::Rule;
use rustc_hash::FxHashMap;

use crate::error::{MAX_KEEPER_MOVES, MAX_NATIVE_WORK, MAX_WALK_MODIFIERS};
use crate::native::Unsupported;
use crate::native::analysis::guard::are_exclusive;
use crate::native::analysis::segments::{NodeId, PositionId, Transition, TransitionId};
use crate::native::emit::{Emitter, HEADER, Header};
use crate::native::remarks::Left;
use crate::native::runtime::room::scratch_words;
use crate::native::sets::environment::{Env, Slots};
use crate::native::sets::pointer_set::PointerSet;
use choice::Resume;
use confluence::Remembered;
use selection::Selection;
use stretch::{Chain, Stretches, follows};
use vertex::Way;

/// What the keeper's function returns.
pub(crate) const STUCK: i64 = 0;
pub(crate) const HANDED_OVER: i64 = 1;
pub(crate) const ENDLESS: i64 = 2;
/// The next move is left to the interpreter. The state is what the last complete move left.
pub(crate) const ASK: i64 = 3;

/// The word of the context with the address of the memory for choice points.
const KEEPER_SCRATCH: usize = HEADER;

/// What the keeper's code and its caller share.
#[repr(C)]
pub(crate) struct KeeperContext {
    pub(crate) header: Header,
    pub(crate) scratch: *mut u64,
}

/// Makes the code of a whole stretch of keepers' moves.
pub(crate) struct Keeper {
    pub(crate) slots: Slots,
    /// The state in memory. Where the keeper may get stuck after he has changed something, it is what
    /// the last complete move left, which then remains.
    pub(crate) state: Value,
    pub(crate) stretches: Rc<Stretches>,
    /// Switches behind which it shows where the pointer stands, although whole moves do not tell.
    pub(crate) remembered: Remembered,
    /// Blocks entered so far, against searches without end.
    pub(crate) entered: Slot,
    /// A bit for every node that was passed in this move and that walks can come back to without a modifier.
    passed: Slot,
    /// Moves made so far.
    pub(crate) moves: Slot,
    /// Modifiers in the move that is being made, and whether a walk was given up because of them. They are only
    /// counted where there may be too many.
    pub(crate) made: Slot,
    pub(crate) gave_up: Slot,
    blocks: FxHashMap<NodeId, Block>,
    pending: Vec<NodeId>,
    /// Jumped to with the number of a switch to a player.
    done: Block,
    /// No way on: back to the last choice point.
    pub(crate) stuck: Block,
    /// No way on, and nothing has changed since the last complete move.
    pub(crate) stuck_unchanged: Block,
    pub(crate) endless: Block,
    /// Leaves the move to the interpreter.
    pub(crate) ask: Block,
    /// Too many blocks were entered: the interpreter finds out whether there is a way on.
    exhausted: Block,
    /// Not 0 if the state in memory is the one at the beginning of the move, as the interpreter needs it.
    pub(crate) begun: Slot,
    /// The top of the choice points, their bottom and their limit.
    pub(crate) top: Slot,
    pub(crate) bottom: Value,
    pub(crate) limit: Value,
    /// Where choice points go on, by number.
    pub(crate) resumes: Vec<(Block, Resume)>,
    done_resumes: usize,
    /// In a playout: the blocks of players' nodes, and those whose code is still to be made.
    pub(crate) players: Option<Players>,
}

/// The players' part of a playout.
#[derive(Default)]
pub(crate) struct Players {
    blocks: FxHashMap<NodeId, Block>,
    pub(crate) pending: Vec<NodeId>,
}

/// Where the keeper's code ends; the state is in memory.
pub(crate) struct Ends {
    /// A player is to move.
    pub(crate) handed_over: Block,
    /// The keeper is stuck.
    pub(crate) stuck: Block,
    /// He does not come to an end.
    pub(crate) endless: Block,
    /// The next move is left to the interpreter. The state is what the last complete move left.
    pub(crate) ask: Block,
}

/// A way from a node.
pub(crate) struct Branch<'w> {
    pub(crate) transition: TransitionId,
    /// What is known not to be walkable from the node.
    pub(crate) refuted: &'w [Vec<&'w Rule>],
    /// What is left behind if the way is taken.
    pub(crate) choice: Option<Resume>,
}

impl Emitter<'_, '_> {
    /// The body of `keeper(state, context) -> outcome`.
    pub(crate) fn keeper_function(
        &mut self,
        state: Value,
        remembered: Remembered,
    ) -> Result<(), Unsupported> {
        let scratch = self.load_word(self.context, KEEPER_SCRATCH);
        let ends = self.keeper_code(state, scratch, remembered)?;
        for (end, outcome) in [
            (ends.handed_over, HANDED_OVER),
            (ends.stuck, STUCK),
            (ends.endless, ENDLESS),
            (ends.ask, ASK),
        ] {
            self.b.switch_to_block(end);
            let outcome = self.constant(outcome);
            self.b.ins().return_(&[outcome]);
        }
        Ok(())
    }

    /// The keeper's code for a state in memory, where the keeper is to move; it changes the state. Where it ends is left
    /// to the caller.
    pub(crate) fn keeper_code(
        &mut self,
        state: Value,
        scratch: Value,
        remembered: Remembered,
    ) -> Result<Ends, Unsupported> {
        let layout = self.analysis.layout;
        let mut keeper = Keeper { remembered, ..self.new_keeper(state, scratch) };
        let position = self.load_word(state, layout.node());
        let mut switch = Switch::new();
        for (position, node) in self.keeper_positions() {
            let block = keeper.block(self, node);
            switch.set_entry(u128::from(position.word()), block);
        }
        switch.emit(&mut self.b, position, keeper.stuck);
        self.keeper_blocks(&mut keeper)?;
        let (done, handed_over) = (keeper.done, self.b.create_block());
        self.b.switch_to_block(done);
        let (position, player) = (self.b.block_params(done)[0], self.b.block_params(done)[1]);
        let env = self.env_of(&keeper.slots);
        let pointer = self.b.use_var(keeper.slots.pointer);
        self.store_state(&env, pointer, state);
        self.store_word(state, layout.node(), position);
        self.store_word(state, layout.player(), player);
        self.b.ins().jump(handed_over, &[]);
        let stuck = self.keeper_stuck(&keeper);
        self.keeper_exhausted(&keeper);
        Ok(Ends { handed_over, stuck, endless: keeper.endless, ask: keeper.ask })
    }

    /// What a keeper's code needs; loads the state.
    pub(crate) fn new_keeper(&mut self, state: Value, bottom: Value) -> Keeper {
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let zero = self.constant(0);
        let mut counter = || {
            let counter = self.b.declare_var(I64);
            self.b.def_var(counter, zero);
            counter
        };
        let (entered, moves, made, gave_up) = (counter(), counter(), counter(), counter());
        let passed = counter();
        // The state was handed over there.
        let begun = self.b.declare_var(I64);
        let one = self.constant(1);
        self.b.def_var(begun, one);
        let limit = self.b.ins().iadd_imm_s(bottom, 8 * scratch_words(self.analysis) as i64);
        let top = self.b.declare_var(I64);
        self.b.def_var(top, bottom);
        let (done, stuck) = (self.b.create_block(), self.b.create_block());
        let (endless, stuck_unchanged) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, I64);
        self.b.append_block_param(done, I64);
        Keeper {
            slots,
            state,
            stretches: Rc::new(Stretches::new(self.analysis)),
            remembered: Remembered::default(),
            entered,
            passed,
            moves,
            made,
            gave_up,
            ask: self.b.create_block(),
            exhausted: self.b.create_block(),
            begun,
            blocks: FxHashMap::default(),
            pending: Vec::new(),
            done,
            stuck,
            stuck_unchanged,
            endless,
            top,
            bottom,
            limit,
            resumes: Vec::new(),
            done_resumes: 0,
            players: None,
        }
    }

    /// The code of all blocks that are asked for, until no more are.
    pub(crate) fn keeper_blocks(&mut self, keeper: &mut Keeper) -> Result<(), Unsupported> {
        let failed = std::mem::replace(&mut self.failed, keeper.exhausted);
        let made = self.all_keeper_blocks(keeper);
        self.failed = failed;
        made
    }

    fn all_keeper_blocks(&mut self, keeper: &mut Keeper) -> Result<(), Unsupported> {
        loop {
            if let Some(node) = keeper.pending.pop() {
                let block = keeper.blocks[&node];
                self.b.switch_to_block(block);
                self.count_entry(keeper, node);
                self.keeper_node(keeper, node, 0)?;
            } else if let Some((block, resume)) = keeper.resumes.get(keeper.done_resumes).copied() {
                keeper.done_resumes += 1;
                self.b.switch_to_block(block);
                self.resume(keeper, resume)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Counts how often blocks are entered that can be part of a loop.
    fn count_entry(&mut self, keeper: &Keeper, node: NodeId) {
        let transitions = self.analysis.segments.nodes.iter().flatten();
        if transitions.filter(|(_, to)| self.analysis.segments.canonical(*to) == node).count() < 2 {
            return;
        }
        self.count_entered(keeper);
    }

    /// Counts a block that is entered, or a choice that is taken back, against searches without end.
    pub(crate) fn count_entered(&mut self, keeper: &Keeper) {
        // Each may look at the whole state a few times.
        let most = MAX_NATIVE_WORK / (4 * self.analysis.layout.len() as u64);
        self.count_up(keeper.entered, most.max(1 << 16) as i64, keeper.exhausted);
    }

    /// What becomes of a search that takes too long.
    pub(crate) fn keeper_exhausted(&mut self, keeper: &Keeper) {
        self.b.set_cold_block(keeper.exhausted);
        self.b.switch_to_block(keeper.exhausted);
        let zero = self.constant(0);
        self.b.def_var(keeper.entered, zero);
        self.allow_work();
        let begun = self.b.use_var(keeper.begun);
        self.b.ins().brif(begun, keeper.ask, &[], keeper.endless, &[]);
    }

    /// Says that the state in memory is the one at the beginning of a move.
    pub(crate) fn keeper_move_begun(&mut self, keeper: &Keeper) {
        let one = self.constant(1);
        self.b.def_var(keeper.begun, one);
    }

    /// Counts one more of something; `limit` of them are too much.
    fn count_up(&mut self, counter: Slot, limit: i64, too_much: Block) {
        let count = self.b.use_var(counter);
        let count = self.b.ins().iadd_imm_s(count, 1);
        self.b.def_var(counter, count);
        let too_many = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, count, limit);
        let go = self.b.create_block();
        self.b.ins().brif(too_many, too_much, &[], go, &[]);
        self.b.switch_to_block(go);
    }

    /// Counts modifiers of a move, where that is necessary; a walk with too many is stuck.
    pub(crate) fn count_made(&mut self, keeper: &Keeper, node: NodeId, more: Value) {
        if !self.analysis.leads_to_overrun(node) {
            return;
        }
        let made = self.b.use_var(keeper.made);
        let made = self.b.ins().iadd(made, more);
        self.b.def_var(keeper.made, made);
        let limit = MAX_WALK_MODIFIERS as i64;
        let over = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, made, limit);
        let (too_many, go) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(over, too_many, &[], go, &[]);
        self.b.switch_to_block(too_many);
        let yes = self.constant(1);
        self.b.def_var(keeper.gave_up, yes);
        self.b.ins().jump(keeper.stuck, &[]);
        self.b.switch_to_block(go);
    }

    /// Counts a move that the interpreter is about to make.
    pub(crate) fn keeper_move_was_asked_for(&mut self, keeper: &Keeper) {
        self.new_move(keeper);
        self.count_up(keeper.moves, MAX_KEEPER_MOVES as i64, keeper.endless);
    }

    /// Forgets what was counted in another game.
    pub(crate) fn keeper_begins(&mut self, keeper: &Keeper) {
        let zero = self.constant(0);
        self.b.def_var(keeper.moves, zero);
        self.new_move(keeper);
        self.keeper_move_begun(keeper);
    }

    /// Goes on if the keeper is at a node for the first time in this move that walks can come back to without a
    /// modifier. Going round leads nowhere, which only the interpreter notices: he makes the whole move if the node was
    /// passed before. False if no code follows.
    fn pass_once(&mut self, keeper: &Keeper, node: NodeId) -> bool {
        let Some(number) = self.analysis.inner_loop_number(node).filter(|number| *number < 64)
        else {
            self.analysis.notes.leave(Left::GoesRound, node);
            self.b.ins().jump(keeper.ask, &[]);
            return false;
        };
        let bit = self.constant(1 << number);
        let passed = self.b.use_var(keeper.passed);
        let before = self.b.ins().band(passed, bit);
        let passed = self.b.ins().bor(passed, bit);
        self.b.def_var(keeper.passed, passed);
        let go = self.b.create_block();
        self.b.ins().brif(before, keeper.ask, &[], go, &[]);
        self.b.switch_to_block(go);
        true
    }

    /// Begins a new move of the keeper.
    fn new_move(&mut self, keeper: &Keeper) {
        let zero = self.constant(0);
        self.b.def_var(keeper.made, zero);
        self.b.def_var(keeper.gave_up, zero);
        self.b.def_var(keeper.passed, zero);
        // A move that was found is no search without end; too many moves are counted by themselves.
        self.b.def_var(keeper.entered, zero);
        self.b.def_var(keeper.top, keeper.bottom);
    }

    /// The switches to the keeper, with the nodes behind them.
    pub(crate) fn keeper_positions(&self) -> Vec<(PositionId, NodeId)> {
        let segments = &self.analysis.segments;
        let transitions = segments.nodes.iter().flatten();
        let start = (PositionId::FIRST, segments.start);
        let behind = transitions.filter_map(|(transition, to)| match transition {
            Transition::Switch(player, modifier) if player.0 == 0 => {
                Some((PositionId::of(*modifier), *to))
            }
            _ => None,
        });
        std::iter::once(start).chain(behind).collect()
    }

    /// Code for the walk at a node, from one of its alternatives on. Ends in jumps.
    pub(crate) fn keeper_node(
        &mut self,
        keeper: &mut Keeper,
        node: NodeId,
        from: usize,
    ) -> Result<(), Unsupported> {
        self.analysis.notes.begin(node);
        self.check_size()?;
        let analysis = self.analysis;
        let env = self.env_of(&keeper.slots);
        let pointer = self.b.use_var(keeper.slots.pointer);
        let here = PointerSet { under: analysis.standing(node), ..self.at(pointer) };
        let transitions = &analysis.segments[node];
        if analysis.inner_loop(node) && from == 0 && !self.pass_once(keeper, node) {
            return Ok(());
        }
        if let Some(run) = self.run_loop(node).filter(|_| from == 0) {
            // The loop is done all at once; then only the way out of it is left.
            let (env, stop, taken) = self.take_run(&run, &here, &env);
            if self.analysis.leads_to_overrun(node) {
                let count = taken.count(&mut self.b);
                self.count_made(keeper, node, count);
            }
            let none = self.b.create_block();
            let way = Branch { transition: node.transition(1), refuted: &[], choice: None };
            self.keeper_way(keeper, way, &stop, &env, none)?;
            self.b.switch_to_block(none);
            self.b.ins().jump(keeper.stuck, &[]);
            return Ok(());
        }
        let selection = Selection::at(analysis, &keeper.stretches, node);
        let counts = self.analysis.leads_to_overrun(node);
        if let Some(selection) = selection.filter(|_| from == 0 && !counts) {
            let (env, place) = self.select_one(&selection, &here, &env);
            return self.keeper_continue(keeper, selection.join, &place, &env);
        }
        // What cannot be walked from here, as alternatives before have shown.
        let mut refuted: Vec<Vec<&Rule>> = Vec::new();
        for i in from..transitions.len() {
            let next = self.b.create_block();
            let alone = (i + 1..transitions.len()).all(|j| are_exclusive(analysis, node, i, j));
            let choice = (!alone).then_some(Resume::Node { node, from: i + 1 });
            let way = Branch { transition: node.transition(i), refuted: &refuted, choice };
            self.keeper_way(keeper, way, &here, &env, next)?;
            self.b.switch_to_block(next);
            refuted.extend(Chain::of(analysis, node.transition(i)).tests(analysis));
        }
        let resumed = from > 0;
        let changed = resumed || keeper.stretches.may_have_changed(node);
        let stuck = if changed { keeper.stuck } else { keeper.stuck_unchanged };
        self.b.ins().jump(stuck, &[]);
        Ok(())
    }

    /// Follows a way as far as its tests go, and on if they hold; otherwise jumps to `next`. A choice
    /// point is left behind if another way may be possible, too.
    pub(crate) fn keeper_way(
        &mut self,
        keeper: &mut Keeper,
        way: Branch<'_>,
        here: &PointerSet,
        env: &Env,
        next: Block,
    ) -> Result<(), Unsupported> {
        let analysis = self.analysis;
        let Branch { transition: way_start, refuted, choice } = way;
        let whole = Way { start: way_start, here, env };
        let mut id = way_start;
        let mut place = here.clone();
        let mut moved = false;
        loop {
            let (transition, to) = &analysis.segments[id];
            if !transition.is_inner() {
                break;
            }
            place = match transition {
                Transition::Pure(rules) => {
                    let is_known = |rule: &&Rule| !moved && follows(rule, refuted);
                    let known = rules.iter().take_while(is_known).count();
                    moved |= known < rules.len();
                    self.forward(&rules[known..], &place, env)
                }
                Transition::Check { negated, start, end } => {
                    self.check(*negated, *start, *end, &place, env)?
                }
                _ => place,
            };
            if let Transition::Pure(rules) = transition
                && keeper.stretches.is_sure(analysis, rules, id.node)
            {
                place.certain = true;
            }
            if place.set.is_empty_constant() {
                self.b.ins().jump(next, &[]);
                return Ok(());
            }
            if !place.certain {
                let set = self.clean(&place);
                let reached = set.is_nonempty(&mut self.b).value(&mut self.b);
                let go = self.b.create_block();
                self.b.ins().brif(reached, go, &[], next, &[]);
                self.b.switch_to_block(go);
                place.certain = true;
            }
            let single = analysis.segments[*to].len() == 1;
            id = to.transition(0);
            if !single || analysis.incoming[*to] > 1 {
                if let Some(choice) = choice {
                    self.leave_choice(keeper, choice, env, here);
                }
                // The node has its own block, which begins at one vertex.
                self.one_vertex(keeper, whole, &mut place, false);
                return self.keeper_continue(keeper, *to, &place, env);
            }
        }
        if let Some(choice) = choice {
            self.leave_choice(keeper, choice, env, here);
        }
        if let Some(flooded) = self.take_flood(keeper, whole, id, &place) {
            return self.leave_flood(keeper, flooded);
        }
        if self.takes_closure(keeper, way_start, id, &mut place) {
            let fails = keeper.stuck;
            return self.keeper_modifier(keeper, id, place, env, fails);
        }
        let any = self.any_vertex_will_do(keeper, way_start, id);
        self.one_vertex(keeper, whole, &mut place, any);
        self.keeper_modifier(
            keeper,
            id,
            place,
            env,
            if choice.is_some() { keeper.stuck } else { next },
        )
    }

    /// Takes a modifier at one vertex and goes on behind it.
    pub(crate) fn keeper_modifier(
        &mut self,
        keeper: &mut Keeper,
        id: TransitionId,
        mut place: PointerSet,
        env: &Env,
        fails: Block,
    ) -> Result<(), Unsupported> {
        let (transition, to) = &self.analysis.segments[id];
        let mut env = env.clone();
        let ok = self.modify(&mut env, &mut place, transition);
        if let crate::native::sets::set::Bool::Value(ok) = ok {
            let go = self.b.create_block();
            self.b.ins().brif(ok, go, &[], fails, &[]);
            self.b.switch_to_block(go);
        }
        let pointer = place.at.expect("the keeper's pointer is on one vertex");
        match transition {
            Transition::Switch(player, _) if player.0 != 0 && keeper.players.is_some() => {
                self.fill_slots(&keeper.slots.clone(), &env, pointer);
                self.new_move(keeper);
                let zero = self.constant(0);
                self.b.def_var(keeper.moves, zero);
                let block = keeper.player_block(self, *to);
                self.b.ins().jump(block, &[]);
                Ok(())
            }
            Transition::Switch(player, modifier) if player.0 != 0 => {
                self.fill_slots(&keeper.slots.clone(), &env, pointer);
                let position = self.constant(PositionId::of(*modifier).word() as i64);
                let player = self.constant(i64::from(player.0));
                self.b.ins().jump(keeper.done, &[position.into(), player.into()]);
                Ok(())
            }
            Transition::Switch(..) => {
                self.new_move(keeper);
                if keeper.stretches.repeats(self.analysis.segments.canonical(*to)) {
                    self.count_up(keeper.moves, MAX_KEEPER_MOVES as i64, keeper.endless);
                }
                self.keeper_enter(keeper, *to, &place, &env)
            }
            Transition::Off(..) | Transition::Assign(..) => {
                let one = self.constant(1);
                self.count_made(keeper, id.node, one);
                self.keeper_continue(keeper, *to, &place, &env)
            }
            _ => self.keeper_continue(keeper, *to, &place, &env),
        }
    }

    /// Goes on behind a switch to the keeper, which completes a move.
    pub(crate) fn keeper_enter(
        &mut self,
        keeper: &mut Keeper,
        to: NodeId,
        place: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let node = self.analysis.segments.canonical(to);
        let pointer = place.at.expect("the keeper's pointer is on one vertex");
        let asks = keeper.stretches.may_ask(node);
        let begun = self.constant(i64::from(asks));
        self.b.def_var(keeper.begun, begun);
        let zero = self.constant(0);
        self.b.def_var(keeper.passed, zero);
        if asks {
            self.store_move_begun(keeper, node, pointer, env);
        } else if keeper.stretches.may_fail_late(node) {
            self.store_state(env, pointer, keeper.state);
        }
        self.keeper_continue(keeper, to, place, env)
    }

    /// Writes the state at the beginning of a keeper's move, as the interpreter needs it.
    pub(crate) fn store_move_begun(
        &mut self,
        keeper: &Keeper,
        node: NodeId,
        pointer: Value,
        env: &Env,
    ) {
        let layout = self.analysis.layout;
        self.store_state(env, pointer, keeper.state);
        let position = self.constant(PositionId::of(self.switch_to(node)).word() as i64);
        self.store_word(keeper.state, layout.node(), position);
        let zero = self.constant(0);
        self.store_word(keeper.state, layout.player(), zero);
    }

    /// Leaves the rest of a player's move to the keeper's code, which goes the only way that is open.
    pub(crate) fn determined_rest(
        &mut self,
        keeper: &mut Keeper,
        to: NodeId,
        place: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        // The state in memory is not that of a move of the keeper's.
        let zero = self.constant(0);
        self.b.def_var(keeper.begun, zero);
        self.keeper_continue(keeper, to, place, env)
    }

    /// Goes on in the block of a node.
    pub(crate) fn keeper_continue(
        &mut self,
        keeper: &mut Keeper,
        to: NodeId,
        place: &PointerSet,
        env: &Env,
    ) -> Result<(), Unsupported> {
        let to = self.analysis.segments.canonical(to);
        let pointer = place.at.expect("the keeper's pointer is on one vertex");
        let block = keeper.block(self, to);
        self.fill_slots(&keeper.slots.clone(), env, pointer);
        self.b.ins().jump(block, &[]);
        Ok(())
    }
}

impl Keeper {
    /// The block of a player's node.
    pub(crate) fn player_block(&mut self, emitter: &mut Emitter<'_, '_>, node: NodeId) -> Block {
        let node = emitter.analysis.segments.canonical(node);
        let players = self.players.get_or_insert_default();
        *players.blocks.entry(node).or_insert_with(|| {
            players.pending.push(node);
            emitter.b.create_block()
        })
    }

    /// Where too many moves lead.
    pub(crate) fn endless(&self) -> Block {
        self.endless
    }

    /// The block that ends the keeper's function; a playout does not use it.
    pub(crate) fn unused(&self) -> Block {
        self.done
    }

    /// The block of a keeper's node.
    pub(crate) fn block(&mut self, emitter: &mut Emitter<'_, '_>, node: NodeId) -> Block {
        let node = emitter.analysis.segments.canonical(node);
        let pending = &mut self.pending;
        *self.blocks.entry(node).or_insert_with(|| {
            pending.push(node);
            emitter.b.create_block()
        })
    }
}
