//! Any bytes as the choices of which a description is made: native code does what the interpreter does.
#![no_main]

#[path = "../../crates/regulus-reasoner/tests/comparison/mod.rs"]
mod comparison;
#[path = "../../crates/regulus-reasoner/tests/descriptions/mod.rs"]
mod descriptions;
#[path = "../../crates/regulus-reasoner/tests/engine/mod.rs"]
mod engine;

use std::sync::OnceLock;

use comparison::{Compared, Limits};
use descriptions::{Choices, Kind, Originals};

static ORIGINALS: OnceLock<Originals> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [kind, seed, rest @ ..] = bytes else { return };
    let originals = ORIGINALS.get_or_init(Originals::built_in);
    let kind = Kind::ALL[usize::from(*kind) % Kind::ALL.len()];
    let choices = &mut Choices::of_bytes(rest);
    let Some(described) = descriptions::describe(kind, originals, choices) else { return };
    comparison::compare(&described.game, u64::from(*seed), &Limits::QUICK, &mut Compared::default());
});
