//! What a game says about its looks, in comments.
//!
//! A hint is a line comment that begins with `@`:
//!
//! ```text
//! // @board points
//! // @piece goldRabbit figure=hare colour=gold letter=R
//! // @place centre 3 2.5
//! ```
//!
//! - `@board STYLE`: `squares` (chequered), `plain` (squares of one colour) or `points` (crossings of lines,
//!   as in Go); for rectangles and cuboids.
//! - `@piece NAME KEY=VALUE...`: `figure` is one of [`FIGURES`](crate::FIGURES), or `disc`, `tile` or `none`;
//!   `colour` a word such as `red`, or `#rrggbb`; `letter` one or two characters that are written on it.
//! - `@place NAME X Y`: where a vertex of a graph is, in units of a cell, from the left and from above.
//!   Obeyed if every vertex has one, all different.
//!
//! Hints never change what a game means. What cannot be understood is reported in [`Hints::problems`] and
//! left out.

use std::collections::BTreeMap;

use crate::look::FIGURES;
use crate::palette::{self, Paint};

/// How the cells of a rectangle are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Squares in two shades.
    Squares,
    /// Squares in one shade.
    Plain,
    /// Crossings of lines.
    Points,
}

/// What is said about a piece.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PieceHint {
    pub(crate) figure: Option<String>,
    pub(crate) paint: Option<Paint>,
    pub(crate) letter: Option<String>,
}

/// A hint that says nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HintProblem {
    /// The line it is on, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// Everything a game says about its looks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hints {
    pub(crate) style: Option<Style>,
    pub(crate) pieces: BTreeMap<String, PieceHint>,
    pub(crate) places: BTreeMap<String, (f64, f64)>,
    /// Hints that were not understood.
    pub problems: Vec<HintProblem>,
}

impl Hints {
    /// The hints in the text of a game.
    pub fn read(text: &str) -> Self {
        let mut hints = Hints::default();
        for (i, line) in text.lines().enumerate() {
            let Some(hint) = line.trim().strip_prefix("//").map(str::trim) else { continue };
            let Some(hint) = hint.strip_prefix('@') else { continue };
            if let Err(message) = hints.take(hint) {
                hints.problems.push(HintProblem { line: i + 1, message });
            }
        }
        hints
    }

    fn take(&mut self, hint: &str) -> Result<(), String> {
        let words: Vec<&str> = hint.split_whitespace().collect();
        match words[..] {
            ["board", style] => {
                self.style = Some(match style {
                    "squares" => Style::Squares,
                    "plain" => Style::Plain,
                    "points" => Style::Points,
                    _ => return Err(format!("`{style}` is not squares, plain or points")),
                });
            }
            ["piece", name, ref rest @ ..] if !rest.is_empty() => {
                let mut hint = self.pieces.get(name).cloned().unwrap_or_default();
                for word in rest {
                    hint.set(word)?;
                }
                self.pieces.insert(name.to_owned(), hint);
            }
            ["place", name, x, y] => {
                let number = |text: &str| {
                    let number = text.parse::<f64>().ok();
                    let inside = number.filter(|n| n.is_finite() && n.abs() <= 1000.0);
                    inside.ok_or_else(|| format!("`{text}` is not a number from -1000 to 1000"))
                };
                self.places.insert(name.to_owned(), (number(x)?, number(y)?));
            }
            _ => {
                return Err("a hint is `@board STYLE`, `@piece NAME KEY=VALUE...` or \
                            `@place NAME X Y`"
                    .to_owned());
            }
        }
        Ok(())
    }
}

impl PieceHint {
    fn set(&mut self, word: &str) -> Result<(), String> {
        match word.split_once('=') {
            Some(("figure", figure)) => {
                let known = FIGURES.contains(&figure) || ["disc", "tile", "none"].contains(&figure);
                if !known {
                    let all = FIGURES.join(", ");
                    return Err(format!("`{figure}` is not disc, tile, none, {all}"));
                }
                self.figure = Some(figure.to_owned());
            }
            Some(("colour" | "color", text)) => {
                let paint = palette::written(text);
                self.paint = Some(paint.ok_or_else(|| {
                    format!("`{text}` is neither a colour that is known nor #rrggbb")
                })?);
            }
            Some(("letter", text)) if (1..=2).contains(&text.chars().count()) => {
                self.letter = Some(text.to_owned());
            }
            Some(("letter", text)) => return Err(format!("`{text}` is not one or two characters")),
            _ => return Err(format!("`{word}` is not figure=, colour= or letter=")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_read_and_mistakes_told() {
        let hints = Hints::read(
            "// @board points\n#players = a(1) // @board plain\n// @piece x figure=king colour=#00ff00\n\
             // @piece x letter=K\n// @piece x figure=unicorn\n  // @place c 1 2.5\n// @place d 1 inf\n// @nothing",
        );
        assert_eq!(hints.style, Some(Style::Points));
        let piece = &hints.pieces["x"];
        assert_eq!((piece.figure.as_deref(), piece.letter.as_deref()), (Some("king"), Some("K")));
        assert_eq!(piece.paint.as_ref().map(|p| p.fill.as_str()), Some("#00ff00"));
        assert_eq!(hints.places["c"], (1.0, 2.5));
        let lines: Vec<usize> = hints.problems.iter().map(|p| p.line).collect();
        assert_eq!(lines, [5, 7, 8]);
    }
}
