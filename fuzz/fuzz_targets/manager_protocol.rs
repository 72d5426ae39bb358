//! Any bytes as what arrives on a connection, cut into segments: whatever they are, they are decoded alike.
#![no_main]

#[path = "../../crates/regulus-server/tests/decoding/mod.rs"]
mod decoding;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (cut, bytes) = bytes.split_first().map_or((1, bytes), |(cut, rest)| (usize::from(*cut), rest));
    decoding::check(bytes, cut);
});
