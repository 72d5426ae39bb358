//! Colours, by name and by seat.

/// A colour with the one of what is written on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paint {
    /// The colour.
    pub fill: String,
    /// The colour of letters on it.
    pub ink: &'static str,
}

const DARK: &str = "#1d1d1f";
const LIGHT: &str = "#ffffff";

/// Colours that pieces and players are named after.
const NAMED: [(&str, &str, &str); 18] = [
    ("white", "#f7f5ef", DARK),
    ("black", "#26272b", "#f2f2f2"),
    ("red", "#c8372d", LIGHT),
    ("blue", "#2f66c4", LIGHT),
    ("green", "#2f8f4e", LIGHT),
    ("yellow", "#e6bf2b", DARK),
    ("gold", "#d2a32c", DARK),
    ("silver", "#b9bec6", DARK),
    ("orange", "#e07b28", DARK),
    ("purple", "#7d4ab0", LIGHT),
    ("violet", "#7d4ab0", LIGHT),
    ("brown", "#8a5a36", LIGHT),
    ("pink", "#dd7fa5", DARK),
    ("cyan", "#2fa9bd", DARK),
    ("grey", "#8b9099", LIGHT),
    ("gray", "#8b9099", LIGHT),
    ("light", "#f7f5ef", DARK),
    ("dark", "#26272b", "#f2f2f2"),
];

/// Colours of players that are not named after one, in order of seats.
const SEATS: [&str; 8] = ["white", "black", "red", "blue", "green", "yellow", "purple", "orange"];

/// Colours of players in a game for more than two: black and white are hard to tell from empty.
const MANY_SEATS: [&str; 8] =
    ["red", "blue", "green", "yellow", "purple", "orange", "white", "black"];

/// Colours of pieces that are nobody's, in order.
const NOBODY: [(&str, &str); 8] = [
    ("#8f99a5", DARK),
    ("#b08d57", DARK),
    ("#5f8f8b", LIGHT),
    ("#a56a8a", LIGHT),
    ("#7f8f4f", DARK),
    ("#6a72a8", LIGHT),
    ("#c29a8a", DARK),
    ("#56616d", LIGHT),
];

/// The colour of a word such as `red`, as `#rrggbb`.
pub fn colour(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    NAMED.iter().find(|(name, _, _)| *name == lower).map(|(_, fill, _)| *fill)
}

/// The paint of a word such as `red`.
pub fn named(word: &str) -> Option<Paint> {
    let lower = word.to_ascii_lowercase();
    let found = NAMED.iter().find(|(name, _, _)| *name == lower);
    found.map(|(_, fill, ink)| Paint { fill: (*fill).to_owned(), ink })
}

/// The paint of a seat whose player is not named after a colour.
pub fn seat(seat: usize, players: usize) -> Paint {
    let names = if players > 2 { MANY_SEATS } else { SEATS };
    named(names[seat % names.len()]).unwrap_or_else(|| nobody(0))
}

/// The paint of a piece that is nobody's.
pub fn nobody(index: usize) -> Paint {
    let (fill, ink) = NOBODY[index % NOBODY.len()];
    Paint { fill: fill.to_owned(), ink }
}

/// A colour as it is written in a hint: a word or `#rrggbb`.
pub fn written(text: &str) -> Option<Paint> {
    if let Some(digits) = text.strip_prefix('#') {
        let value = (digits.len() == 6).then(|| u32::from_str_radix(digits, 16).ok())??;
        return Some(Paint {
            fill: format!("#{value:06x}"),
            ink: if luminance(value) > 0.4 { DARK } else { LIGHT },
        });
    }
    named(text)
}

/// Colours of types of sprites whose rules name none, in order.
const SPRITES: [(&str, &str); 12] = [
    ("#3f7fd0", LIGHT),
    ("#d9742b", DARK),
    ("#4fa35a", LIGHT),
    ("#b0468f", LIGHT),
    ("#d8b83a", DARK),
    ("#3aa6a0", DARK),
    ("#8a63c7", LIGHT),
    ("#c9534a", LIGHT),
    ("#8f9c3c", DARK),
    ("#c58ba8", DARK),
    ("#9c7350", LIGHT),
    ("#5d87a1", LIGHT),
];

/// Darker or lighter than they are named.
const SHADES: [(&str, u32, f64); 2] = [("light", 0xff_ff_ff, 0.45), ("dark", 0, 0.45)];

/// The paint of a colour of VGDL, as in `RED` or `LIGHTBLUE`.
pub fn vgdl(name: &str) -> Option<Paint> {
    let lower = name.to_ascii_lowercase();
    if let Some(paint) = named(&lower).filter(|_| !SHADES.iter().any(|(word, ..)| *word == lower)) {
        return Some(paint);
    }
    SHADES.iter().find_map(|(word, towards, part)| {
        let value = u32::from_str_radix(&colour(lower.strip_prefix(word)?)?[1..], 16).ok()?;
        written(&format!("#{:06x}", mixed(value, *towards, *part)))
    })
}

/// The paint of walls whose rules name no colour.
pub fn of_wall() -> Paint {
    Paint { fill: "#7d838d".to_owned(), ink: LIGHT }
}

/// The paint of what is only scenery if its rules name no colour.
pub fn of_floor() -> Paint {
    Paint { fill: "#c9c4b6".to_owned(), ink: DARK }
}

/// The paint of a type of sprites whose rules name no colour.
pub fn sprite(index: usize) -> Paint {
    let (fill, ink) = SPRITES[index % SPRITES.len()];
    Paint { fill: fill.to_owned(), ink }
}

/// A colour with a part of another one.
fn mixed(value: u32, other: u32, part: f64) -> u32 {
    [16, 8, 0].into_iter().fold(0, |all, shift| {
        let of = |colour: u32| f64::from((colour >> shift) & 0xff);
        all | ((of(value) + (of(other) - of(value)) * part).round() as u32) << shift
    })
}

/// The outline of a colour: darker than light ones, lighter than dark ones, so that pieces are seen on any
/// board.
pub fn outline(fill: &str) -> String {
    let value = u32::from_str_radix(fill.trim_start_matches('#'), 16).unwrap_or(0);
    let (towards, part) = if luminance(value) > 0.12 { (0, 0.55) } else { (0xff_ff_ff, 0.45) };
    format!("#{:06x}", mixed(value, towards, part))
}

/// Relative luminance of a colour, as the Web Content Accessibility Guidelines define it.
fn luminance(value: u32) -> f64 {
    let part = |shift: u32| {
        let c = f64::from((value >> shift) & 0xff) / 255.0;
        if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
}
