//! What must hold of any bytes that arrive, shared by the seeded test and the fuzz target.

use regulus_player::wire;
use regulus_server::protocol::{Decoder, Told, encode, parse_seconds, seconds};

/// Longest message here.
const LIMIT: usize = 64;

/// Checks bytes, cut into segments of `cut` bytes.
pub fn check(bytes: &[u8], cut: usize) {
    let expected = model(bytes);
    let (mut decoder, mut found) = (Decoder::new(LIMIT), Vec::new());
    let mut fine = true;
    for segment in bytes.chunks(cut.max(1)) {
        decoder.push(segment);
        loop {
            match decoder.message() {
                Ok(Some(message)) => found.push(message),
                Ok(None) => break,
                Err(_) => {
                    fine = false;
                    break;
                }
            }
        }
    }
    assert_eq!((&found, fine), (&expected.0, expected.1), "cut into {cut}");
    for message in &found {
        check_message(message);
        let mut decoder = Decoder::new(LIMIT);
        decoder.push(&encode(message));
        assert_eq!(decoder.message(), Ok(Some(message.clone())));
        assert_eq!(decoder.waiting(), 0);
    }
}

/// All messages up to the first that is too long, and whether there is none.
fn model(bytes: &[u8]) -> (Vec<Vec<u8>>, bool) {
    let mut parts: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
    let rest = parts.pop().unwrap_or_default();
    let good = parts.iter().take_while(|part| part.len() <= LIMIT);
    let good: Vec<Vec<u8>> = good.map(|part| part.to_vec()).collect();
    let fine = good.len() == parts.len() && rest.len() <= LIMIT;
    (good, fine)
}

/// What is understood of a message means the same when it is said again.
fn check_message(message: &[u8]) {
    match Told::read(message) {
        Ok(Told::Moved(steps)) => {
            let text = wire::text(&steps);
            assert!(!steps.is_empty());
            assert_eq!(Told::read(text.as_bytes()), Ok(Told::Moved(steps)));
        }
        Ok(Told::Deadline(time)) => {
            let again = parse_seconds(&seconds(time)).expect("a time");
            let micros = |time: Option<std::time::Duration>| time.map(|t| t.as_secs_f64());
            match (micros(time), micros(again)) {
                (Some(time), Some(again)) => assert!((time - again).abs() <= 1e-6 * time.max(1.0)),
                (time, again) => assert_eq!(time, again),
            }
        }
        Ok(Told::Reset) => assert_eq!(message, b"reset"),
        Err(why) => {
            assert!(why.len() < 2000 && !why.contains(char::is_control), "{why:?}");
        }
    }
}
