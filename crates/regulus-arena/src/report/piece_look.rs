//! What pieces look like: a symbol, and a colour that says whose they are.

use regulus_player::{belongs_to, symbols};
use regulus_rbg::declarations::Declarations;
use serde::Serialize;

/// Colours that pieces and players are named after, with those of the picture: of the piece and of what is
/// written on it.
const COLOURS: [(&str, &str, &str); 14] = [
    ("white", "#f7f5ef", "#1d1d1f"),
    ("black", "#26272b", "#f2f2f2"),
    ("red", "#c8372d", "#ffffff"),
    ("blue", "#2f66c4", "#ffffff"),
    ("green", "#2f8f4e", "#ffffff"),
    ("yellow", "#e6bf2b", "#1d1d1f"),
    ("gold", "#d2a32c", "#1d1d1f"),
    ("silver", "#b9bec6", "#1d1d1f"),
    ("orange", "#e07b28", "#1d1d1f"),
    ("purple", "#7d4ab0", "#ffffff"),
    ("brown", "#8a5a36", "#ffffff"),
    ("pink", "#dd7fa5", "#1d1d1f"),
    ("grey", "#8b9099", "#ffffff"),
    ("gray", "#8b9099", "#ffffff"),
];

/// Colours of players that are not named after one, in order of seats.
const SEATS: [(&str, &str); 6] = [
    ("#f7f5ef", "#1d1d1f"),
    ("#26272b", "#f2f2f2"),
    ("#c8372d", "#ffffff"),
    ("#2f66c4", "#ffffff"),
    ("#2f8f4e", "#ffffff"),
    ("#e6bf2b", "#1d1d1f"),
];

/// The colour of pieces that are nobody's.
const NOBODY: (&str, &str) = ("#9aa3ad", "#1d1d1f");

/// What a piece looks like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceLook {
    /// Its name.
    pub name: String,
    /// What is written on it; nothing if nothing stands there.
    pub symbol: Option<char>,
    /// Its colour.
    pub fill: &'static str,
    /// The colour of its symbol.
    pub ink: &'static str,
    /// True if it is somebody's, and round.
    pub round: bool,
}

/// Looks of all pieces, in order.
pub fn looks(declarations: &Declarations) -> Vec<PieceLook> {
    let players = declarations.players();
    let look = |(name, symbol): (&String, char)| {
        let lower = name.to_ascii_lowercase();
        let named = COLOURS.iter().find(|(word, _, _)| lower.starts_with(word));
        let owner = players.iter().position(|player| belongs_to(name, player));
        // A piece `redFox` is red and somebody's, though no player is called so.
        let (fill, ink) = match (named, owner) {
            (Some((_, fill, ink)), _) => (*fill, *ink),
            (None, Some(owner)) => owned(&players[owner], owner),
            (None, None) => NOBODY,
        };
        let round = named.is_some() || owner.is_some();
        PieceLook {
            name: name.clone(),
            symbol: (symbol != '.').then_some(symbol),
            fill,
            ink,
            round,
        }
    };
    declarations.pieces().iter().zip(symbols(declarations)).map(look).collect()
}

fn owned(player: &str, seat: usize) -> (&'static str, &'static str) {
    let lower = player.to_ascii_lowercase();
    let named = COLOURS.iter().find(|(word, _, _)| lower.starts_with(word));
    named.map_or(SEATS[seat % SEATS.len()], |(_, fill, ink)| (fill, ink))
}
