//! What a playout's own code does not do: drawing some moves, and moves of the keeper that are the interpreter's.

#![allow(unsafe_code)]

use std::sync::Arc;

use regulus_game::{Engine, Guide, Moves, PlayedKey, Random};
use regulus_rbg::Vertex;

use super::lanes::Queue;
use super::walker::{Course, Walker};
use crate::error::RunError;
use crate::interpreter::Worker;
use crate::native::Mode;
use crate::native::emit::{FAILED, Header};
use crate::native::enumerate::listing::Sink;
use crate::native::game::CompiledGame;
use crate::native::keeper::interpreted::InterpretedMoves;
use crate::native::runtime::room::SEMIMOVES;
use crate::native::runtime::runner::Runner;
use crate::state::State;

/// Makes moves for the code of a playout.
pub(crate) struct Helper {
    native: Arc<CompiledGame>,
    runner: Runner,
    /// The move that is drawn.
    drawn: Vec<u64>,
    /// The moves that it is drawn from, if they have weights.
    moves: Moves,
    walker: Walker,
    /// Makes moves that code leaves to the interpreter.
    interpreter: Option<InterpretedMoves>,
    /// The turn of the playout: its work is limited.
    turn: u64,
}

impl Helper {
    pub(crate) fn new(native: &Arc<CompiledGame>) -> Self {
        Helper {
            native: native.clone(),
            runner: Runner::default(),
            drawn: Vec::new(),
            moves: Moves::new(),
            walker: Walker::default(),
            interpreter: None,
            turn: 0,
        }
    }

    /// Allows the interpreter as much work as it may have between two moves of players.
    pub(crate) fn begin_turn(&mut self, turn: u64) {
        self.turn = turn;
        self.runner.begin();
        if let Some(interpreter) = &mut self.interpreter {
            interpreter.begin();
        }
    }

    /// Draws one of all legal moves and makes it; false if there is none.
    fn draw(&mut self, words: &mut [u64], random: &mut Random) -> Result<bool, RunError> {
        if self.native.list_code().is_err() {
            return self.interpreter().draw(words, random);
        }
        let native = &*self.native;
        self.drawn.clear();
        let sink = Sink::One { chosen: &mut self.drawn, random };
        self.runner.list(native, words, sink)?;
        for raw in &self.drawn {
            let (action, at) = (*raw as u32 as i32, (*raw >> 32) as usize);
            if let Some(transition) = native.plain.segments.modifier(action) {
                native.plain.apply(transition, at, words);
            }
        }
        Ok(!self.drawn.is_empty())
    }

    /// Draws one of all legal moves by the weights of a guide and makes it; gives its key, or nothing if there is none.
    fn draw_guided(
        &mut self,
        words: &mut [u64],
        guide: &Guide,
        random: &mut Random,
    ) -> Result<Option<u32>, RunError> {
        let native = self.native.clone();
        let (analysis, mut moves) = (&native.plain, std::mem::take(&mut self.moves));
        if native.list_code().is_err() {
            self.ask(words, |engine, state| engine.list(state, &mut moves))?;
        } else {
            moves.clear();
            let vertices = analysis.embedding.vertices();
            self.runner.list(&native, words, Sink::All { moves: &mut moves, vertices })?;
        }
        let rules = native.key_rules();
        let keys = moves.iter().map(|m| guide.key(rules.hash(analysis, words, m, guide.kind())));
        let drawn = guide.draw(keys, random);
        for step in drawn.map_or(&[][..], |(number, _)| moves.get(number)) {
            if let Some(transition) = analysis.segments.modifier(step.action) {
                let at = analysis.embedding.position(Vertex(step.vertex));
                analysis.apply(transition, at, words);
            }
        }
        self.moves = moves;
        Ok(drawn.map(|(_, key)| key))
    }

    /// Completes a move that was begun semimove by semimove; false if there is none.
    fn draw_split(
        &mut self,
        words: &mut [u64],
        drawn: &[u64],
        random: &mut Random,
    ) -> Result<bool, RunError> {
        let (native, runner) = (&*self.native, &mut self.runner);
        let mut copy = Vec::new();
        let mut course = Course {
            analysis: native.split_analysis(),
            levels: &native.levels,
            exits: &mut |level, state, sets| {
                copy.clear();
                copy.extend_from_slice(state);
                runner.exits(native, level, &mut copy, sets)
            },
            drawn,
        };
        self.walker.draw(&mut course, words, random)
    }

    /// Makes a move of the keeper by the interpreter; false if there is none.
    pub(crate) fn keeper_move(&mut self, words: &mut [u64]) -> Result<bool, RunError> {
        self.interpreter().keeper_move(words)
    }

    /// True if the last question of a playout was given up because it took too long.
    pub(crate) fn is_out_of_work(&self) -> bool {
        self.runner.is_out_of_work()
    }

    /// Asks the interpreter about a state.
    pub(crate) fn ask<T>(
        &mut self,
        words: &[u64],
        question: impl FnOnce(&mut Worker, &mut State) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        self.interpreter().ask(words, question)
    }

    fn interpreter(&mut self) -> &mut InterpretedMoves {
        self.interpreter.get_or_insert_with(|| InterpretedMoves::new(&self.native))
    }
}

/// What the code of a playout, its caller and its helpers share. The code uses all before the helper.
#[repr(C)]
pub(crate) struct PlayoutContext<'c> {
    pub(crate) header: Header,
    pub(crate) steps: *mut u64,
    pub(crate) random: u64,
    pub(crate) length: u64,
    pub(crate) scratch: *mut u64,
    /// The state, how many ways chains have, and what conditions answered: for the code alone.
    pub(crate) own: [u64; 3],
    pub(crate) most: u64,
    pub(crate) weights: *const u8,
    pub(crate) key_shift: u64,
    /// Room for the keys of as many moves as a game may have.
    pub(crate) played: *mut u64,
    /// Games that are played together.
    pub(crate) queue: Queue,
    pub(crate) guide: Option<&'c Guide>,
    pub(crate) helper: &'c mut Helper,
    pub(crate) mode: Mode,
    pub(crate) error: Option<RunError>,
}

/// What code hands to a helper.
///
/// # Safety
/// `context` and `state` are those of the running playout, and nobody else uses them until the helper is done.
unsafe fn shared<'h, 'c>(
    context: *mut PlayoutContext<'c>,
    state: *mut u64,
) -> (&'h mut PlayoutContext<'c>, &'h mut [u64]) {
    // SAFETY: the caller's promise.
    let context = unsafe { &mut *context };
    let length = context.helper.native.plain.layout.len();
    // SAFETY: the state has the layout the code was compiled for.
    (context, unsafe { std::slice::from_raw_parts_mut(state, length) })
}

/// Called by a playout when its own way of drawing a move does not come to an end: draws one as the
/// mode says. A split move begins with the steps drawn so far, as far as these are not dead. The key of a guided move is
/// written down: for these, `steps` is the number of the turn, from 1.
///
/// # Safety
/// `context` and `state` are those of the running playout; the first `steps` entries of the step
/// buffer are written, or the turn is one for which there is room.
pub(crate) unsafe extern "C" fn choose(
    context: *mut PlayoutContext<'_>,
    state: *mut u64,
    steps: i64,
) -> i64 {
    // SAFETY: the code passes on the context and the state it was called with.
    let (context, words) = unsafe { shared(context, state) };
    let mut random = Random::from_state(context.random);
    let moved = match context.mode {
        Mode::Full => context.helper.draw(words, &mut random),
        Mode::Split => {
            let steps = (steps as usize).min(SEMIMOVES);
            // SAFETY: the buffer has room for `SEMIMOVES` steps, and the code has written the first `steps`.
            let drawn = unsafe { std::slice::from_raw_parts(context.steps, steps) };
            context.helper.draw_split(words, drawn, &mut random)
        }
        Mode::Guided(_) => {
            let guide = context.guide.expect("guided playouts have a guide");
            let player = words[context.helper.native.plain.layout.player()];
            let key = context.helper.draw_guided(words, guide, &mut random);
            if let (Ok(Some(key)), Some(before)) = (&key, (steps as usize).checked_sub(1)) {
                let played = PlayedKey { key: *key, player: player as u32 };
                // SAFETY: turns are counted up to what there is room for.
                unsafe { context.played.add(before).write(played.word()) };
            }
            key.map(|key| key.is_some())
        }
    };
    context.random = random.state();
    answer(context, moved)
}

/// Called by a playout to have a move of the keeper made.
///
/// # Safety
/// `context` and `state` are those of the running playout; the state is what the last complete move left.
pub(crate) unsafe extern "C" fn keeper_move(
    context: *mut PlayoutContext<'_>,
    state: *mut u64,
    turn: i64,
) -> i64 {
    // SAFETY: the code passes on the context and the state it was called with.
    let (context, words) = unsafe { shared(context, state) };
    let helper = &mut *context.helper;
    if helper.turn != turn as u64 {
        helper.begin_turn(turn as u64);
    }
    let moved = helper.keeper_move(words);
    answer(context, moved)
}

fn answer(context: &mut PlayoutContext<'_>, moved: Result<bool, RunError>) -> i64 {
    moved.map_or_else(
        |error| {
            context.error = Some(error);
            FAILED
        },
        i64::from,
    )
}

/// The position of the n-th bit (from 0) of a word that has it.
extern "C" fn select(word: u64, n: u64) -> u64 {
    let mut word = word;
    for _ in 0..n {
        word &= word - 1;
    }
    u64::from(word.trailing_zeros())
}

/// The fastest way to find the n-th bit on this machine: a function of a word and n.
pub(crate) fn fast_select() -> *const u8 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("bmi2") {
        /// Not a function that calls another one: code calls it for every move.
        #[target_feature(enable = "bmi1,bmi2")]
        extern "C" fn select_bmi2(word: u64, n: u64) -> u64 {
            let bit = std::arch::x86_64::_pdep_u64(1 << (n % 64), word);
            u64::from(bit.trailing_zeros())
        }
        let select: unsafe extern "C" fn(u64, u64) -> u64 = select_bmi2;
        return select as *const u8;
    }
    select as *const u8
}
