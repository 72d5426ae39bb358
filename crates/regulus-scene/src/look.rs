//! What pieces look like: what they are says a figure, whose they are says a colour.

use regulus_player::symbols;
use regulus_rbg::declarations::Declarations;
use serde::Serialize;

use crate::hints::{Hints, PieceHint};
use crate::palette;
use crate::piece_name::{PieceName, words};

/// How a piece is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Not at all: an empty vertex.
    None,
    /// A figure, one of [`FIGURES`].
    Figure,
    /// A plain disc: the only kind of its colour.
    Disc,
    /// A disc with a letter.
    Lettered,
    /// A square with a letter.
    Tile,
}

/// The figures that whoever draws pieces must know.
pub const FIGURES: [&str; 24] = [
    "pawn",
    "knight",
    "bishop",
    "rook",
    "queen",
    "king",
    "stone",
    "man",
    "crowned",
    "ball",
    "cross",
    "nought",
    "block",
    "fox",
    "hound",
    "hare",
    "ship",
    "flagship",
    "vertical",
    "horizontal",
    "peg",
    "territory",
    "goal",
    "trace",
];

/// Words of names and their figures.
const WORDS: [(&str, &str); 46] = [
    ("pawn", "pawn"),
    ("knight", "knight"),
    ("horse", "knight"),
    ("bishop", "bishop"),
    ("rook", "rook"),
    ("tower", "rook"),
    ("castle", "rook"),
    ("queen", "queen"),
    ("amazon", "queen"),
    ("king", "king"),
    ("stone", "stone"),
    ("marble", "stone"),
    ("disc", "man"),
    ("disk", "man"),
    ("man", "man"),
    ("checker", "man"),
    ("counter", "man"),
    ("ball", "ball"),
    ("cross", "cross"),
    ("x", "cross"),
    ("nought", "nought"),
    ("o", "nought"),
    ("arrow", "block"),
    ("wall", "block"),
    ("block", "block"),
    ("blocked", "block"),
    ("blocker", "block"),
    ("barrier", "block"),
    ("fox", "fox"),
    ("hound", "hound"),
    ("dog", "hound"),
    ("wolf", "hound"),
    ("hare", "hare"),
    ("rabbit", "hare"),
    ("ship", "ship"),
    ("boat", "ship"),
    ("flagship", "flagship"),
    ("vertical", "vertical"),
    ("horizontal", "horizontal"),
    ("peg", "peg"),
    ("pin", "peg"),
    ("territory", "territory"),
    ("area", "territory"),
    ("goal", "goal"),
    ("visited", "trace"),
    ("trace", "trace"),
];

/// What a piece looks like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Look {
    /// Its name.
    pub name: String,
    /// How it is drawn.
    pub kind: Kind,
    /// Which figure, if it is one.
    pub figure: Option<String>,
    /// Its colour, `#rrggbb`.
    pub fill: String,
    /// The colour of its outline.
    pub stroke: String,
    /// The colour of what is written on it.
    pub ink: String,
    /// One or two characters that stand for it; nothing for an empty vertex.
    pub letter: Option<String>,
    /// The seat of the player whose it is by its name, from 0.
    pub owner: Option<usize>,
    /// 0, or the number of a small mark that tells it from others that look the same, as an unmoved king
    /// from a king.
    pub badge: usize,
}

/// Looks of all pieces, in order.
pub fn looks(declarations: &Declarations, hints: &Hints) -> Vec<Look> {
    let players = declarations.players();
    let names: Vec<PieceName> =
        declarations.pieces().iter().map(|name| PieceName::new(name, players)).collect();
    // A king among men is a man with a crown.
    let has = |word: &str| names.iter().any(|name| name.words.iter().any(|w| w == word));
    let draughts = has("man") && !has("queen") && !has("rook");
    // Pieces that are nobody's and differ by a number only, as `tile7`, have one colour.
    let mut nobodies: Vec<Vec<&String>> = Vec::new();
    let mut looks: Vec<Look> = Vec::new();
    for ((text, symbol), name) in
        declarations.pieces().iter().zip(symbols(declarations)).zip(&names)
    {
        let hint = hints.pieces.get(text).cloned().unwrap_or_default();
        let empty = symbol == '.' && hint == PieceHint::default();
        let owned = name.paint.is_some();
        let figure = hint.figure.clone().or_else(|| {
            let figure = figure(&name.words, text)?;
            Some(if draughts && figure == "king" { "crowned" } else { figure }.to_owned())
        });
        let paint = hint.paint.clone().or_else(|| name.paint.clone()).unwrap_or_else(|| {
            let stem: Vec<&String> =
                name.words.iter().filter(|word| word.parse::<u32>().is_err()).collect();
            let known = nobodies.iter().position(|other| *other == stem);
            if known.is_none() && !empty {
                nobodies.push(stem);
            }
            palette::nobody(known.unwrap_or(nobodies.len().max(1) - 1))
        });
        let kind = match figure.as_deref() {
            _ if empty => Kind::None,
            Some("none") => Kind::None,
            Some("disc") => Kind::Lettered,
            Some("tile") => Kind::Tile,
            Some(_) => Kind::Figure,
            None if owned => Kind::Lettered,
            None => Kind::Tile,
        };
        let letter = hint.letter.or_else(|| {
            let number = name.words.last().filter(|w| w.len() == 2 && w.parse::<u8>().is_ok());
            // Small letters say whose a piece is, which its colour says here.
            let symbol = if owned { symbol.to_ascii_uppercase() } else { symbol };
            Some(number.cloned().unwrap_or_else(|| symbol.to_string()))
        });
        looks.push(Look {
            name: text.clone(),
            kind,
            figure: figure.filter(|_| kind == Kind::Figure),
            stroke: palette::outline(&paint.fill),
            fill: paint.fill,
            ink: paint.ink.to_owned(),
            letter: letter.filter(|_| kind != Kind::None),
            owner: name.owner,
            badge: 0,
        });
    }
    plain_discs(&mut looks, &names, hints);
    badges(&mut looks);
    looks
}

/// The figure of the last word that has one. A name that is one letter says who, not what.
fn figure(words: &[String], name: &str) -> Option<&'static str> {
    let found = |word: &String| WORDS.iter().find(|(w, _)| w == word).map(|(_, figure)| *figure);
    if name.len() == 1 && !matches!(name, "x" | "o" | "X" | "O") {
        return None;
    }
    // `verticalDomino` says it with the name of its player.
    words.iter().rev().find_map(found).or_else(|| self::words(name).iter().rev().find_map(found))
}

/// A letter is only needed where pieces of one colour differ.
fn plain_discs(looks: &mut [Look], names: &[PieceName], hints: &Hints) {
    for i in 0..looks.len() {
        let alone = looks[i].kind == Kind::Lettered
            && looks.iter().enumerate().all(|(j, other)| {
                j == i || other.kind != Kind::Lettered || other.fill != looks[i].fill
            });
        // Words that say nothing: `whitePiece`, `w`.
        let said = names[i].words.iter().any(|word| word != "piece");
        let hinted = hints.pieces.get(&looks[i].name).is_some_and(|hint| hint.letter.is_some());
        if alone && !said && !hinted {
            looks[i].kind = Kind::Disc;
        }
    }
}

/// Numbers those that would look the same.
fn badges(looks: &mut [Look]) {
    // The plain one is the one with the shortest name.
    let mut order: Vec<usize> = (0..looks.len()).collect();
    order.sort_by_key(|i| looks[*i].name.len());
    for (k, i) in order.iter().enumerate() {
        let alike = |j: &&usize| {
            let (a, b) = (&looks[*i], &looks[**j]);
            let letters = !matches!(a.kind, Kind::Lettered | Kind::Tile) || a.letter == b.letter;
            a.kind != Kind::None
                && (a.kind, &a.figure, &a.fill) == (b.kind, &b.figure, &b.fill)
                && letters
        };
        looks[*i].badge = order[..k].iter().filter(alike).count();
    }
}
