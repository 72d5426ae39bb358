//! Moves as text: for other programs in the encoding of the RBG game manager, for people as names of
//! vertices.

use std::collections::BTreeMap;

use regulus_game::{Moves, Step};
use regulus_rbg::declarations::Piece;
use regulus_rbg::{Game, Vertex};
use regulus_reasoner::{Action, Program};

/// `vertex index vertex index ...`, both counted from 1.
pub fn wire(steps: &[Step]) -> String {
    let pair = |s: &Step| format!("{} {}", s.vertex, s.action);
    steps.iter().map(pair).collect::<Vec<_>>().join(" ")
}

/// Reads [`wire`]; says what is wrong with a text that cannot be a move.
pub fn parse_wire(text: &str) -> Result<Vec<Step>, String> {
    let numbers = text
        .split_whitespace()
        .map(|word| {
            let number = word.parse::<u16>().ok().filter(|n| *n > 0);
            number.ok_or_else(|| format!("`{word}` is no number from 1 to {}", u16::MAX))
        })
        .collect::<Result<Vec<u16>, String>>()?;
    if numbers.is_empty() || numbers.len() % 2 == 1 {
        return Err("a move is pairs of a vertex and a modifier, as `56 2 48 3`".to_owned());
    }
    let step = |pair: &[u16]| Step { vertex: pair[0], action: i32::from(pair[1]) };
    Ok(numbers.chunks(2).map(step).collect())
}

/// How much a word says about a step.
#[derive(Clone, Copy)]
enum Detail {
    /// The vertex: `x3y6`.
    Vertex,
    /// What is put there, too: `x0y0=whiteQueen`.
    Piece,
    /// The number of the modifier, too: `x0y0:17`.
    Modifier,
}

/// The legal moves of a position as words that people can read and type, one word for each step that
/// tells something new. Moves that would look the same get more detail.
pub fn move_words(program: &Program, moves: &Moves) -> Vec<Vec<String>> {
    let mut words: Vec<Vec<String>> =
        moves.iter().map(|m| in_words(program, m, Detail::Vertex)).collect();
    for more in [Detail::Piece, Detail::Modifier] {
        let mut same: BTreeMap<&[String], u32> = BTreeMap::new();
        words.iter().for_each(|w| *same.entry(w).or_default() += 1);
        let unclear: Vec<usize> = (0..moves.len()).filter(|i| same[&*words[*i]] > 1).collect();
        for i in unclear {
            words[i] = in_words(program, moves.get(i), more);
        }
    }
    words
}

fn in_words(program: &Program, steps: &[Step], detail: Detail) -> Vec<String> {
    let game: &Game = &program.game;
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for step in steps {
        let name = game.board.name(Vertex(step.vertex));
        let put = match program.modifier(step.action).map(|edge| &edge.action) {
            Some(Action::Off(piece)) => Some(game.declarations.piece_name(Piece(*piece))),
            _ => None,
        };
        let new = last != Some(step.vertex);
        last = Some(step.vertex);
        match (detail, put) {
            (Detail::Modifier, _) => words.push(format!("{name}:{}", step.action)),
            (Detail::Piece, Some(piece)) => words.push(format!("{name}={piece}")),
            _ if new => words.push(name.to_owned()),
            _ => {}
        }
    }
    words
}

/// True if a typed word means this word of a move. Detail may be left out, and so may the letter that
/// the language puts before the coordinates of rectangles, hexagons and cuboids: `x3y6` is `rx3y6`.
pub fn means(typed: &str, word: &str) -> bool {
    let begins = |word: &str| {
        word.strip_prefix(typed).is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', ':']))
    };
    begins(word) || word.strip_prefix(['r', 'h', 'c']).is_some_and(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_encoding_is_read_and_written() {
        let steps = parse_wire("56 2 48 3").expect("a move");
        assert_eq!(steps[0], Step { vertex: 56, action: 2 });
        assert_eq!(wire(&steps), "56 2 48 3");
        assert!(parse_wire("56 2 48").is_err());
        assert!(parse_wire("").is_err());
        assert!(parse_wire("0 1").is_err());
        assert!(parse_wire("a 1").expect_err("wrong").contains("`a`"));
    }

    #[test]
    fn detail_may_be_left_out() {
        assert!(means("x0y0", "x0y0=queen"));
        assert!(means("x0y0=queen", "rx0y0=queen"));
        assert!(means("rx0y0", "rx0y0:3"));
        assert!(!means("x0y", "x0y0"));
        assert!(!means("x1", "x10y0"));
    }
}
