//! A bounded, repeatable run of fuzzing: seeded mutations of real sessions. The endless kind is the target
//! `manager_protocol` in `fuzz/`, which checks the same.

mod decoding;

use regulus_game::Random;

/// What mutations start from and insert.
const DICTIONARY: &[&[u8]] = &[
    b"ready\x00",
    b"reset\x00",
    b"0.400000\x00",
    b"300.000000\x00",
    b"56 2 48 3\x00",
    b"21 9 30 10\x000.400000\x00",
    b"\x00",
    b" ",
    b"-",
    b".",
    b"0",
    b"65535",
    b"65536",
    b"18446744073709551616",
    b"1e308",
    b"1e309",
    b"inf",
    b"nan",
    b"\xff",
    b"\xc3\xa9",
    b"\x1b[2J",
    b"#players = white(100)\n",
    b"                                                                ",
];

/// Cases in one run.
const CASES: u64 = 20_000;

fn below(random: &mut Random, bound: usize) -> usize {
    random.below(bound as u64) as usize
}

#[test]
fn mutated_sessions_are_decoded_alike_in_any_segments() {
    for case in 0..CASES {
        let mut random = Random::new(1).fork(case);
        let mut bytes = Vec::new();
        for _ in 0..=below(&mut random, 8) {
            bytes.extend_from_slice(DICTIONARY[below(&mut random, DICTIONARY.len())]);
        }
        for _ in 0..below(&mut random, 6) {
            let at = below(&mut random, bytes.len() + 1);
            match below(&mut random, 4) {
                0 if at < bytes.len() => bytes[at] = random.bits() as u8,
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 => bytes.insert(at, random.bits() as u8),
                _ => {
                    let word = DICTIONARY[below(&mut random, DICTIONARY.len())];
                    bytes.splice(at..at, word.iter().copied());
                }
            }
        }
        for cut in [1, 1 + below(&mut random, 9), usize::MAX] {
            decoding::check(&bytes, cut);
        }
    }
}

#[test]
fn the_longest_message_is_allowed_and_no_longer_one() {
    for length in [0, 1, 63, 64, 65, 1000] {
        let bytes = [vec![b'1'; length], vec![0], b"reset\x00".to_vec()].concat();
        for cut in [1, 64, 65, usize::MAX] {
            decoding::check(&bytes, cut);
        }
    }
}
