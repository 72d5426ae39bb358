//! Native code against the interpreter on one game: positions of random games, moves in every way of asking
//! for them, semimoves, the keeper, hashes, undo, errors, and how random games end. What is too much work is
//! left out; how much that is, is counted in steps ([`walks`]), never in time.

#![allow(dead_code, reason = "each user needs its part")]

mod playouts;
mod positions;
mod semimoves;
pub mod walks;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use regulus_game::KeyKind;
use regulus_rbg::Game;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::{Native, Operation};
use regulus_reasoner::{Interpreter, RunError};

use crate::engine::{self, Compiled, Interpreted};

/// How much of a game is compared.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Steps to find the moves of a position.
    pub steps: u64,
    /// Steps to find the leaves of a tree, or the ends of a game.
    pub tree_steps: u64,
    /// Positions of a random game.
    pub plies: usize,
    /// Playouts whose ends are compared with their probabilities.
    pub playouts: u64,
    /// Games whose ends are not known are played out, too; rules can make that take long.
    pub blind_playouts: bool,
    /// Parts of rules up to which all ways of splitting moves are tried, not just one.
    pub all_splits: usize,
}

impl Limits {
    /// For every test: some milliseconds for a game.
    pub const QUICK: Limits = Limits {
        steps: 20_000,
        tree_steps: 20_000,
        plies: 5,
        playouts: 200,
        blind_playouts: false,
        all_splits: 0,
    };

    /// For runs that take hours.
    pub const THOROUGH: Limits = Limits {
        steps: 300_000,
        tree_steps: 300_000,
        plies: 24,
        playouts: 400,
        blind_playouts: true,
        all_splits: 250,
    };
}

/// How far games were compared.
#[derive(Clone, Default, Debug)]
pub struct Compared {
    pub positions: usize,
    pub moves: usize,
    pub semimoves: usize,
    /// Leaves of trees that were counted.
    pub leaves: u64,
    /// Positions at which both engines gave the same error.
    pub errors: usize,
    pub distributions: usize,
    pub playouts: u64,
    /// Positions that are too much work.
    pub skipped: usize,
    /// Games, or questions, without native code, by reason.
    pub refused: BTreeMap<String, usize>,
}

/// Everything that code is made for.
const OPERATIONS: [Operation; 12] = [
    Operation::Keeper,
    Operation::List,
    Operation::Count,
    Operation::Nth,
    Operation::Groups,
    Operation::HasMove,
    Operation::ListStage,
    Operation::Children,
    Operation::Playout,
    Operation::SplitPlayout,
    Operation::GuidedPlayout(KeyKind::Steps),
    Operation::GuidedPlayout(KeyKind::StepsOntoPieces),
];

impl Compared {
    fn refuse(&mut self, why: impl Into<String>) {
        *self.refused.entry(why.into()).or_default() += 1;
    }

    /// Puts reasons in the place of an error that has none.
    fn explain(&mut self, native: &Native) {
        if self.refused.remove(&RunError::NoNativeCode.to_string()).is_some() {
            for operation in OPERATIONS {
                if let Err(why) = native.prepare(operation) {
                    self.refuse(format!("{operation:?}: {}", why.0));
                }
            }
        }
    }

    /// The answer of both engines; nothing if it is an error, or if there is no code for the question.
    fn alike<T: PartialEq + Debug>(
        &mut self,
        what: &str,
        interpreted: Result<T, RunError>,
        native: Result<T, RunError>,
    ) -> Option<T> {
        if let Err(why @ (RunError::NoNativeCode | RunError::NoMemory)) = &native {
            self.refuse(why.to_string());
            return None;
        }
        assert_eq!(interpreted, native, "{what}: the interpreter and native code");
        self.errors += usize::from(interpreted.is_err());
        interpreted.ok()
    }
}

/// Compares a game on both engines. Panics at a difference.
pub fn compare(game: &Game, seed: u64, limits: &Limits, compared: &mut Compared) {
    let Some(native) = native_code(game, compared) else { return };
    let interpreter = Interpreter::new(game);
    let mut slow = Interpreted::new(&interpreter);
    let mut fast = Compiled::new(&native);
    let played = positions::random_game(&mut slow, &mut fast, seed, limits, compared);
    positions::count_leaves(&mut slow, &mut fast, limits, compared);
    if !played.too_much {
        playouts::whole_moves(&mut slow, &mut fast, seed, limits, compared);
    }
    compared.explain(&native);
    let all = game.rules.size() <= limits.all_splits;
    for (i, strategy) in Strategy::ALL.into_iter().enumerate() {
        if !all && i != (seed % 4) as usize {
            continue;
        }
        let split_game = game.split(strategy);
        let Some(native) = native_code(&split_game, compared) else { continue };
        let split = Interpreter::new(&split_game);
        let mut halves = Interpreted::new(&split);
        let mut fast = Compiled::new(&native);
        semimoves::along(&mut halves, &mut fast, strategy, &played, seed, compared);
        if !played.too_much {
            playouts::split_moves(
                &mut slow,
                &mut halves,
                &mut fast,
                strategy,
                seed,
                limits,
                compared,
            );
        }
        compared.explain(&native);
    }
}

/// Plays a game on the interpreter and another one as native code: for testing the comparison itself.
pub fn compare_engines(interpreted: &Game, native: &Game, seed: u64) {
    let interpreter = Interpreter::new(interpreted);
    let native = engine::native(native).expect("there is code for it");
    let (slow, fast) = (&mut Interpreted::new(&interpreter), &mut Compiled::new(&native));
    positions::random_game(slow, fast, seed, &Limits::QUICK, &mut Compared::default());
}

fn native_code(game: &Game, compared: &mut Compared) -> Option<Native> {
    engine::native(game).map_err(|why| compared.refuse(why)).ok()
}

/// The longest text of a difference: lists of moves can fill a disk.
const MOST_TEXT: usize = 3_000;

/// What is wrong with a game, if anything.
pub fn difference(
    game: &Game,
    seed: u64,
    limits: &Limits,
    compared: &mut Compared,
) -> Option<String> {
    let result = catch_unwind(AssertUnwindSafe(|| compare(game, seed, limits, compared)));
    let panic = result.err()?;
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).to_owned()));
    let text = text.unwrap_or_else(|| "a panic without a text".to_owned());
    Some(text.chars().take(MOST_TEXT).collect())
}
