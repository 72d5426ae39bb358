//! What the name of a piece says: whose it is and what it is.

use regulus_player::belongs_to;

use crate::palette::{self, Paint};

/// A name taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceName {
    /// The words after the owner or the colour, in lower case: `unmoved`, `king`.
    pub words: Vec<String>,
    /// The seat of the player it is named after.
    pub owner: Option<usize>,
    /// The colour it is named after, or that of its owner.
    pub paint: Option<Paint>,
}

impl PieceName {
    /// Takes the name of a piece apart.
    pub fn new(name: &str, players: &[String]) -> Self {
        let mut words = words(name);
        let owner = players.iter().position(|player| owns(player, name, &words));
        let player_words = owner.map(|seat| self::words(&players[seat])).unwrap_or_default();
        let named = words.first().and_then(|word| palette::named(word));
        // A piece `redFox` is red and somebody's, though no player is called so.
        let paint = named.clone().or_else(|| {
            let seat = owner?;
            let by_name = player_words.first().and_then(|word| palette::named(word));
            Some(by_name.unwrap_or_else(|| palette::seat(seat, players.len())))
        });
        if named.is_some() || owner.is_some() && words.first().is_some_and(|w| w.len() == 1) {
            words.remove(0);
        } else if !player_words.is_empty() && words.starts_with(&player_words) {
            words.drain(..player_words.len());
        }
        PieceName { words, owner, paint }
    }
}

/// `whitePawn`, `wPawn` and `w` are white's, `cross` is the one of `crosses`, `redFox` that of `fox`,
/// `northPiece` is `northPlayer`'s.
fn owns(player: &str, name: &str, words: &[String]) -> bool {
    if belongs_to(name, player) {
        return true;
    }
    let Some(first) = words.first() else { return false };
    let lower = player.to_ascii_lowercase();
    let initial = words.len() > 1 && first.len() == 1 && lower.starts_with(first.as_str());
    let named = words
        .iter()
        .any(|word| lower == *word || lower == format!("{word}s") || lower == format!("{word}es"));
    let stem = player.strip_suffix("Player").is_some_and(|stem| {
        name.strip_prefix(stem)
            .is_some_and(|rest| rest == "Piece" || rest == "Stone" || rest == "Man")
    });
    initial || named || stem
}

/// The words of a name, in lower case: `white_unmovedKing2` is white, unmoved, king, 2.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = '_';
    for c in name.chars() {
        let begins = c.is_ascii_uppercase() && !last.is_ascii_uppercase()
            || c.is_ascii_digit() != last.is_ascii_digit()
            || last == '_';
        if c != '_' {
            if begins || words.is_empty() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(c.to_ascii_lowercase());
            }
        }
        last = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let players = ["white".to_owned(), "black".to_owned()];
        let apart = |name: &str| {
            let name = PieceName::new(name, &players);
            (name.words.join(" "), name.owner)
        };
        assert_eq!(apart("whiteUnmovedKing"), ("unmoved king".to_owned(), Some(0)));
        assert_eq!(apart("blackRookUnmoved"), ("rook unmoved".to_owned(), Some(1)));
        assert_eq!(apart("b"), (String::new(), Some(1)));
        assert_eq!(apart("wPawn"), ("pawn".to_owned(), Some(0)));
        assert_eq!(apart("redFox"), ("fox".to_owned(), None));
        assert_eq!(apart("tile12"), ("tile 12".to_owned(), None));
        let players =
            ["crosses".to_owned(), "northPlayer".to_owned(), "northEastPlayer".to_owned()];
        assert_eq!(PieceName::new("cross", &players).owner, Some(0));
        assert_eq!(PieceName::new("redCross", &players).owner, Some(0));
        assert_eq!(PieceName::new("northEastPiece", &players).owner, Some(2));
        assert_eq!(PieceName::new("arrow", &players).owner, None);
    }
}
