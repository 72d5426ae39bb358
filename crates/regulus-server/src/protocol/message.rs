//! What messages say.

use std::time::Duration;

use regulus_game::Step;
use regulus_player::wire;

/// What a player says who is prepared.
pub const READY: &str = "ready";

/// What a manager says when a game is over.
pub const RESET: &str = "reset";

/// A time in seconds with six decimals. No limit is the highest number there is, as the original says it.
pub fn seconds(time: Option<Duration>) -> String {
    format!("{:.6}", time.map_or(f64::MAX, |time| time.as_secs_f64()))
}

/// Longer than this nobody can wait: a century.
const FOREVER: Duration = Duration::from_secs(100 * 366 * 86_400);

/// Reads a time in seconds; nothing if it is longer than anybody can wait.
pub fn parse_seconds(text: &str) -> Result<Option<Duration>, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| *number >= 0.0);
    match number {
        Some(number) => {
            Ok(Duration::try_from_secs_f64(number).ok().filter(|time| *time <= FOREVER))
        }
        None => Err(format!("`{}` is no time in seconds", shortened(text))),
    }
}

/// What a manager tells a player during games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// Make a move within this time.
    Deadline(Option<Duration>),
    /// Somebody else has made a move.
    Moved(Vec<Step>),
    /// The game is over, the next one begins.
    Reset,
}

impl Told {
    /// Reads a message; says what is wrong with one that cannot be meant. A time is one word, a move at
    /// least two.
    pub fn read(message: &[u8]) -> Result<Told, String> {
        let Ok(text) = str::from_utf8(message) else {
            return Err(format!("a message that is no text: `{}`", message_text(message)));
        };
        if text == RESET {
            return Ok(Told::Reset);
        }
        if text.split_whitespace().nth(1).is_none() {
            return parse_seconds(text).map(Told::Deadline);
        }
        let steps = wire::parse(text);
        steps.map(Told::Moved).map_err(|why| format!("`{}`: {}", shortened(text), shortened(&why)))
    }
}

/// A message for people, whatever it is.
pub(crate) fn message_text(message: &[u8]) -> String {
    shortened(&String::from_utf8_lossy(&message[..message.len().min(400)]))
}

/// At most this number of characters of a message is shown.
const SHOWN: usize = 80;

/// The beginning of a text, without what could disturb a terminal.
fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_original_does() {
        assert_eq!(seconds(Some(Duration::from_millis(400))), "0.400000");
        assert_eq!(seconds(Some(Duration::from_secs(300))), "300.000000");
        let none = seconds(None);
        assert_eq!(
            none.split_once('.').map(|(whole, part)| (whole.len(), part)),
            Some((309, "000000"))
        );
        assert!(none.starts_with("179769313486231570814527423731704356798"));
        for forever in [&none, "1e18", "inf"] {
            assert_eq!(parse_seconds(forever), Ok(None), "{forever}");
        }
        assert_eq!(parse_seconds("0.400000"), Ok(Some(Duration::from_millis(400))));
        for wrong in ["", "-1", "nan", "soon", "1 2", "0x10"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_told_can_be_told_apart() {
        assert_eq!(Told::read(b"reset"), Ok(Told::Reset));
        assert_eq!(Told::read(b"0.400000"), Ok(Told::Deadline(Some(Duration::from_millis(400)))));
        let steps = wire::parse("56 2 48 3").expect("a move");
        assert_eq!(Told::read(b"56 2 48 3"), Ok(Told::Moved(steps)));
        assert!(Told::read(b"56 2 48").expect_err("odd").contains("`56 2 48`"));
        assert!(Told::read(b"\xff\xfe").expect_err("no text").contains("no text"));
        assert!(Told::read(b"").is_err());
        let long = Told::read("\u{1b}[2J".repeat(1000).as_bytes()).expect_err("nonsense");
        assert!(long.len() < 800 && !long.contains('\u{1b}'), "{long}");
    }
}
