//! Any bytes as a video game and a level: they are read without panic, and what could be read is played.
#![no_main]

#[path = "../../crates/regulus-vgdl/tests/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    invariants::check_bytes(bytes);
});
