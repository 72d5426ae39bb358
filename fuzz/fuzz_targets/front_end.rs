//! Any bytes as a description: whatever they are, the invariants hold.
#![no_main]

#[path = "../../crates/regulus-rbg/tests/invariants/mod.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    invariants::check(bytes.to_vec());
});
