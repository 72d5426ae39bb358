//! Several random games in one function, a turn of each after the other (pass P17): what a game's next turn waits for
//! (random choices that depend on each other) is found out while the turns of the others are under way.
//!
//! Every *lane* is the code of a playout. Where a player's turn begins, a lane writes its state to memory and hands over
//! to the next one, which goes on where it has stopped: only one state is in registers, but processors look further
//! ahead than a turn. A lane whose game is over takes the next one that waits. Each game has its own random numbers, so
//! that it is the game that would be played alone.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::{Switch, Variable as Slot};

use super::playout::{OVER, PLAYOUT_PLAYED, PlayoutEmitter};
use crate::native::Unsupported;
use crate::native::analysis::Analysis;
use crate::native::emit::Emitter;

/// Games that are under way at a time. More do not fit into what a processor looks ahead.
pub(crate) const LANES: usize = 3;

/// Words of a state up to which handing over costs less than it brings.
const MAX_WORDS: usize = 16;

/// The games to play, as code and its caller share them.
#[repr(C)]
pub(crate) struct Queue {
    /// The memory of lanes: a state for each.
    pub(crate) lanes: *mut u64,
    /// The states, one after the other: where games begin, and afterwards how they have ended.
    pub(crate) states: *mut u64,
    /// The random generators, before and afterwards.
    pub(crate) randoms: *mut u64,
    /// How many moves were made.
    pub(crate) lengths: *mut u64,
    /// How many games have begun, and how many there are.
    pub(crate) begun: u64,
    pub(crate) count: u64,
}

impl Queue {
    /// For a playout alone.
    pub(crate) const NONE: Queue = Queue {
        lanes: std::ptr::null_mut(),
        states: std::ptr::null_mut(),
        randoms: std::ptr::null_mut(),
        lengths: std::ptr::null_mut(),
        begun: 0,
        count: 0,
    };
}

/// Words of the context behind those of a playout.
pub(crate) const QUEUE_LANES: usize = PLAYOUT_PLAYED + 1;
const STATES: usize = QUEUE_LANES + 1;
const RANDOMS: usize = QUEUE_LANES + 2;
const LENGTHS: usize = QUEUE_LANES + 3;
const BEGUN: usize = QUEUE_LANES + 4;
const COUNT: usize = QUEUE_LANES + 5;

/// Where a lane goes on that plays no game yet, and one that will play no more; otherwise the number of a turn.
const TO_BEGIN: i64 = 1 << 16;
const DONE: i64 = TO_BEGIN + 1;

/// True if several games at once are worth it: states are small, and no condition limits the work.
pub(crate) fn are_worthwhile(analysis: &Analysis) -> bool {
    analysis.layout.len() <= MAX_WORDS && analysis.condition_depth == 0
}

/// Words of a lane's memory behind the state: where it goes on, the number of its game, its random generator, and how
/// many moves were made.
const AT: usize = 0;
const INDEX: usize = 1;
const RANDOM: usize = 2;
const LENGTH: usize = 3;

/// Words of a lane's memory.
pub(crate) fn lane_words(analysis: &Analysis) -> usize {
    analysis.layout.len() + 4
}

/// What the code of a lane shares with that of the others.
struct Lane {
    /// Goes on with it.
    resume: Block,
    /// Begins the next game.
    begin: Block,
    /// The turns of players.
    turns: Vec<Block>,
}

impl Emitter<'_, '_> {
    /// The body of `playouts(state, context) -> outcome`. The state is not used.
    pub(crate) fn lanes_function(
        &mut self,
        players: &mut [PlayoutEmitter],
    ) -> Result<(), Unsupported> {
        self.clear_memos();
        let to_begin = self.constant(TO_BEGIN);
        let active = self.b.declare_var(I64);
        let all = self.constant(players.len() as i64);
        self.b.def_var(active, all);
        let behind = self.analysis.layout.len();
        let mut lanes = Vec::new();
        for player in players.iter_mut() {
            self.store_word(player.state, behind + AT, to_begin);
            player.keeper.players = Some(Default::default());
            let (resume, begin) = (self.b.create_block(), self.b.create_block());
            lanes.push(Lane { resume, begin, turns: Vec::new() });
        }
        let finish = self.b.create_block();
        self.b.ins().jump(lanes[0].resume, &[]);
        for (i, player) in players.iter_mut().enumerate() {
            let next = lanes[(i + 1) % lanes.len()].resume;
            self.lane(player, &mut lanes[i], next, (active, finish))?;
        }
        for (i, (lane, player)) in lanes.iter().zip(players).enumerate() {
            self.b.switch_to_block(lane.resume);
            let at = self.load_word(player.state, behind + AT);
            let mut switch = Switch::new();
            for (number, turn) in lane.turns.iter().enumerate() {
                switch.set_entry(number as u128, *turn);
            }
            switch.set_entry(TO_BEGIN as u128, lane.begin);
            switch.emit(&mut self.b, at, lanes[(i + 1) % lanes.len()].resume);
        }
        self.b.switch_to_block(finish);
        let outcome = self.constant(OVER);
        self.b.ins().return_(&[outcome]);
        Ok(())
    }

    /// The code of one lane.
    fn lane(
        &mut self,
        player: &mut PlayoutEmitter,
        lane: &mut Lane,
        next: Block,
        (active, finish): (Slot, Block),
    ) -> Result<(), Unsupported> {
        let dispatch = self.b.create_block();
        self.b.append_block_param(dispatch, I64);
        self.begin_game(player, lane, dispatch);
        let behind = self.analysis.layout.len();
        let done = self.constant(DONE);
        self.store_word(player.state, behind + AT, done);
        let left = self.b.use_var(active);
        let left = self.b.ins().iadd_imm_s(left, -1);
        self.b.def_var(active, left);
        self.b.ins().brif(left, next, &[], finish, &[]);
        self.playout_dispatch(player, dispatch);
        loop {
            self.keeper_blocks(&mut player.keeper)?;
            let players = player.keeper.players.get_or_insert_default();
            let Some(node) = players.pending.pop() else { break };
            let arrival = player.keeper.player_block(self, node);
            self.b.switch_to_block(arrival);
            let number = self.constant(lane.turns.len() as i64);
            self.leave_lane(player, number);
            self.b.ins().jump(next, &[]);
            let turn = self.b.create_block();
            lane.turns.push(turn);
            self.b.switch_to_block(turn);
            self.enter_lane(player);
            self.player_node(player, node, dispatch)?;
        }
        self.playout_ends(player, dispatch);
        self.end_game(player, lane);
        Ok(())
    }

    /// Writes a game to memory, where a player's turn begins.
    fn leave_lane(&mut self, player: &PlayoutEmitter, turn: Value) {
        let behind = self.analysis.layout.len();
        let env = self.env_of(&player.keeper.slots);
        let pointer = self.b.use_var(player.keeper.slots.pointer);
        self.store_state(&env, pointer, player.state);
        let (random, length) = (self.b.use_var(player.random), self.b.use_var(player.length));
        for (word, value) in [(AT, turn), (RANDOM, random), (LENGTH, length)] {
            self.store_word(player.state, behind + word, value);
        }
    }

    /// Goes on with a game in memory.
    fn enter_lane(&mut self, player: &PlayoutEmitter) {
        let behind = self.analysis.layout.len();
        let slots = player.keeper.slots.clone();
        self.load_slots(&slots, player.state);
        for (slot, word) in [(player.random, RANDOM), (player.length, LENGTH)] {
            let value = self.load_word(player.state, behind + word);
            self.b.def_var(slot, value);
        }
        self.keeper_begins(&player.keeper);
    }

    /// Takes the next game, if there is one; what is to be done if there is none follows.
    fn begin_game(&mut self, player: &PlayoutEmitter, lane: &Lane, dispatch: Block) {
        let (take, none) = (self.b.create_block(), self.b.create_block());
        self.b.switch_to_block(lane.begin);
        let begun = self.load_word(self.context, BEGUN);
        let count = self.load_word(self.context, COUNT);
        let some = self.b.ins().icmp(IntCC::UnsignedLessThan, begun, count);
        self.b.ins().brif(some, take, &[], none, &[]);
        self.b.switch_to_block(take);
        let next = self.b.ins().iadd_imm_s(begun, 1);
        self.store_word(self.context, BEGUN, next);
        self.store_word(player.state, self.analysis.layout.len() + INDEX, begun);
        let from = self.game_entry(STATES, begun, self.analysis.layout.len());
        self.copy_state(from, player.state);
        let random = self.game_entry(RANDOMS, begun, 1);
        let random = self.load_word(random, 0);
        self.b.def_var(player.random, random);
        let zero = self.constant(0);
        self.b.def_var(player.length, zero);
        self.keeper_begins(&player.keeper);
        let slots = player.keeper.slots.clone();
        self.load_slots(&slots, player.state);
        let position = self.load_word(player.state, self.analysis.layout.node());
        self.b.ins().jump(dispatch, &[position.into()]);
        self.b.switch_to_block(none);
    }

    /// Writes down how a game has ended.
    fn end_game(&mut self, player: &PlayoutEmitter, lane: &Lane) {
        self.b.switch_to_block(player.over);
        let index = self.load_word(player.state, self.analysis.layout.len() + INDEX);
        let to = self.game_entry(STATES, index, self.analysis.layout.len());
        self.copy_state(player.state, to);
        for (list, slot) in [(RANDOMS, player.random), (LENGTHS, player.length)] {
            let entry = self.game_entry(list, index, 1);
            let value = self.b.use_var(slot);
            self.store_word(entry, 0, value);
        }
        self.b.ins().jump(lane.begin, &[]);
    }

    /// The address of what belongs to a game.
    fn game_entry(&mut self, list: usize, index: Value, words: usize) -> Value {
        let list = self.load_word(self.context, list);
        let offset = self.b.ins().imul_imm_s(index, 8 * words as i64);
        self.b.ins().iadd(list, offset)
    }

    fn copy_state(&mut self, from: Value, to: Value) {
        for word in 0..self.analysis.layout.len() {
            let offset = (word * 8) as i32;
            let value = self.b.ins().load(I64, MemFlagsData::trusted(), from, offset);
            self.b.ins().store(MemFlagsData::trusted(), value, to, offset);
        }
    }
}
