//! Drawing moves where a playout's own code does not do it.

#![allow(unsafe_code)]

use regulus_game::{Engine, Moves, Random, Step};

use super::listing::read_step;
use super::state::NativeState;
use super::worker::NativeWorker;
use crate::error::RunError;

/// What the code of a playout and its helpers share. The code reads and writes the first three.
#[repr(C)]
pub(super) struct PlayoutContext<'c, 'n> {
    pub(super) steps: *mut u64,
    pub(super) random: u64,
    pub(super) length: u64,
    pub(super) worker: &'c mut NativeWorker<'n>,
    pub(super) mode: super::Mode,
    pub(super) moves: Moves,
    pub(super) error: Option<RunError>,
}

/// Called by a playout when its own way of drawing a move does not come to an end: lists all moves
/// that begin with the steps drawn so far and draws one of them as the mode says.
///
/// # Safety
/// `context` and `state` are those of the running playout; the first `steps` entries of the step
/// buffer are written.
pub(super) unsafe extern "C" fn choose(
    context: *mut PlayoutContext<'_, '_>,
    state: *mut u64,
    steps: i64,
) -> i64 {
    // SAFETY: the code passes on the context it was called with.
    let context = unsafe { &mut *context };
    let length = context.worker.native.plain.layout.len();
    // SAFETY: the state has the layout the code was compiled for.
    let words = unsafe { std::slice::from_raw_parts_mut(state, length) };
    let mut current = NativeState::new(words.to_vec().into());
    let vertices = context.worker.native.plain.embedding.vertices();
    // SAFETY: the code has written this many steps.
    let prefix: Vec<Step> = unsafe { std::slice::from_raw_parts(context.steps, steps as usize) }
        .iter()
        .map(|s| read_step(*s, vertices))
        .collect();
    let mut moves = std::mem::take(&mut context.moves);
    let listed = context.worker.list(&mut current, &mut moves);
    let mut random = Random::from_state(context.random);
    let chosen = match listed {
        Ok(()) => match context.mode {
            super::Mode::Full if moves.is_empty() => None,
            super::Mode::Full => {
                Some(moves.get(random.below(moves.len() as u64) as usize).to_vec())
            }
            super::Mode::Split => split_choice(&moves, prefix, &mut random),
        },
        Err(error) => {
            context.error = Some(error);
            None
        }
    };
    context.random = random.state();
    context.moves = moves;
    let Some(chosen) = chosen else { return 0 };
    context.worker.apply(&mut current, &chosen);
    words.copy_from_slice(&current.words);
    1
}

/// Draws a move step by step: at each level uniformly from the steps that lead to a move at all.
fn split_choice(moves: &Moves, mut prefix: Vec<Step>, random: &mut Random) -> Option<Vec<Step>> {
    let begins = |steps: &[Step], prefix: &[Step]| steps.starts_with(prefix);
    while !moves.iter().any(|m| begins(m, &prefix)) {
        // The last step drawn is dead after all: it is drawn again.
        prefix.pop()?;
    }
    loop {
        let mut next: Vec<Step> = moves
            .iter()
            .filter(|m| begins(m, &prefix))
            .filter_map(|m| m.get(prefix.len()).copied())
            .collect();
        if next.is_empty() {
            return Some(prefix);
        }
        next.sort_unstable();
        next.dedup();
        prefix.push(next[random.below(next.len() as u64) as usize]);
    }
}

/// The position of the n-th bit (from 0) of a word that has it.
extern "C" fn select(word: u64, n: u64) -> u64 {
    let mut word = word;
    for _ in 0..n {
        word &= word - 1;
    }
    u64::from(word.trailing_zeros())
}

/// The fastest way to find the n-th bit on this machine.
pub(super) fn fast_select() -> extern "C" fn(u64, u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        extern "C" fn select_bmi2(word: u64, n: u64) -> u64 {
            // SAFETY: only reached on machines with this instruction.
            let bit = unsafe { deposit(1 << n, word) };
            u64::from(bit.trailing_zeros())
        }
        #[target_feature(enable = "bmi2")]
        fn deposit(bits: u64, mask: u64) -> u64 {
            std::arch::x86_64::_pdep_u64(bits, mask)
        }
        return select_bmi2;
    }
    select
}
