//! Running several random games together (`draw/lanes.rs`).

#![allow(unsafe_code)]

use regulus_game::{MAX_GAME_MOVES, Random};

use super::room::{self, LazyBuffer};
use super::state::NativeState;
use super::worker::NativeWorker;
use crate::error::RunError;
use crate::native::Mode;
use crate::native::draw::drawing::PlayoutContext;
use crate::native::draw::lanes::{LANES, Queue, lane_words};
use crate::native::draw::playout;
use crate::native::emit::Header;

/// The memory for games that are played together.
#[derive(Default)]
pub(crate) struct LanesMemory {
    /// A state for every lane, and one that code is called with.
    lanes: LazyBuffer,
    /// All states, one after the other.
    states: LazyBuffer,
    /// Random generators, and behind them lengths.
    others: LazyBuffer,
}

impl NativeWorker {
    /// Plays games together; false, with nothing changed, if there is no code for that or a game does not come to its
    /// end.
    pub(super) fn play_lanes(
        &mut self,
        states: &mut [NativeState],
        split: bool,
        randoms: &mut [Random],
        lengths: &mut Vec<u64>,
    ) -> Result<bool, RunError> {
        let mode = if split { Mode::Split } else { Mode::Full };
        let native = &*self.native;
        let Ok(code) = native.lanes_code(split) else { return Ok(false) };
        let (words, count) = (native.plain.layout.len(), states.len());
        let memory = self.lanes.states.get(words * count)?;
        for (state, copy) in states.iter().zip(memory.chunks_exact_mut(words)) {
            copy.copy_from_slice(&state.words);
        }
        let others = self.lanes.others.get(2 * count)?;
        for (random, copy) in randoms.iter().zip(others.iter_mut()) {
            *copy = random.state();
        }
        let lanes = self.lanes.lanes.get(words + LANES * lane_words(&native.plain))?;
        // Code is called with a state that it does not use.
        let (any, lanes) = lanes.split_at_mut(words);
        any.copy_from_slice(&states[0].words);
        self.helper.begin_turn(0);
        let mut context = PlayoutContext {
            header: Header::new(),
            steps: self.playout_steps.get(room::SEMIMOVES)?.as_mut_ptr(),
            random: 0,
            length: 0,
            scratch: self.scratch.get(room::scratch_words(&native.plain))?.as_mut_ptr(),
            own: [0; 3],
            most: MAX_GAME_MOVES,
            weights: std::ptr::null(),
            key_shift: 0,
            played: std::ptr::null_mut(),
            guide: None,
            queue: Queue {
                lanes: lanes.as_mut_ptr(),
                states: memory.as_mut_ptr(),
                randoms: others.as_mut_ptr(),
                lengths: others[count..].as_mut_ptr(),
                begun: 0,
                count: count as u64,
            },
            helper: &mut self.helper,
            mode,
            error: None,
        };
        // SAFETY: the context is the one of playouts, its memory has its room, and the queue has a state, a random
        // generator and a length for every game, and a state for every lane.
        let outcome = unsafe { self.runner.run(native, code, any, &mut context) }?;
        if outcome != playout::OVER || context.error.is_some() {
            return Ok(false);
        }
        for (state, end) in states.iter_mut().zip(memory.chunks_exact(words)) {
            state.words.copy_from_slice(end);
            state.changed_from(None);
        }
        for (random, end) in randoms.iter_mut().zip(others.iter()) {
            *random = Random::from_state(*end);
        }
        lengths.clear();
        lengths.extend_from_slice(&others[count..2 * count]);
        Ok(true)
    }
}
