//! Moves as text for people: names of vertices.

use std::collections::BTreeMap;

use regulus_game::{Moves, Step};
use regulus_rbg::Vertex;
use regulus_rbg::declarations::Piece;
use regulus_reasoner::{Action, Program};

/// The legal moves of a position as words that people can read and type: the vertices, each where it is
/// new. Moves that would look the same say which pieces they put (`x0y0=whiteQueen`); of those that still
/// do, the one that leaves the board as it is (`changes`) is a `pass`, and the others name the modifiers
/// in which they differ (`x0y0:17`).
pub fn move_words<E>(
    program: &Program,
    moves: &Moves,
    mut changes: impl FnMut(&[Step]) -> Result<bool, E>,
) -> Result<Vec<Vec<String>>, E> {
    let mut words: Vec<Vec<String>> = moves.iter().map(|m| vertices(program, m)).collect();
    for i in alike(&words).into_iter().flatten() {
        words[i] = with_pieces(program, moves.get(i));
    }
    for group in alike(&words) {
        let mut idle = Vec::new();
        for i in &group {
            if !changes(moves.get(*i))? {
                idle.push(*i);
            }
        }
        if let [pass] = idle[..] {
            words[pass] = vec!["pass".to_owned()];
        }
    }
    for group in alike(&words) {
        let longest = group.iter().map(|i| moves.get(*i).len()).max().unwrap_or(0);
        let action = |m: usize, k: usize| moves.get(m).get(k).map(|step| step.action);
        let is_same = |k: usize| group.iter().all(|i| action(*i, k) == action(group[0], k));
        let differs: Vec<bool> = (0..longest).map(|k| !is_same(k)).collect();
        for i in &group {
            words[*i] = with_modifiers(program, moves.get(*i), |k| differs[k]);
        }
    }
    Ok(words)
}

/// The groups of moves with the same words.
fn alike(words: &[Vec<String>]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
    for (i, one) in words.iter().enumerate() {
        groups.entry(one).or_default().push(i);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// A word for every step: what is added to the name of its vertex. Steps that add nothing and stay where
/// they are have none.
fn in_words(
    program: &Program,
    steps: &[Step],
    mut addition: impl FnMut(usize, &Step) -> String,
) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for (k, step) in steps.iter().enumerate() {
        let added = addition(k, step);
        let new = last.replace(step.vertex) != Some(step.vertex);
        if new || !added.is_empty() {
            words.push(format!("{}{added}", program.game.board.name(Vertex(step.vertex))));
        }
    }
    words
}

fn vertices(program: &Program, steps: &[Step]) -> Vec<String> {
    in_words(program, steps, |_, _| String::new())
}

fn with_pieces(program: &Program, steps: &[Step]) -> Vec<String> {
    let declarations = &program.game.declarations;
    in_words(program, steps, |_, step| {
        match program.modifier(step.action).map(|edge| &edge.action) {
            Some(Action::Off(piece)) => format!("={}", declarations.piece_name(Piece(*piece))),
            _ => String::new(),
        }
    })
}

fn with_modifiers(
    program: &Program,
    steps: &[Step],
    differs: impl Fn(usize) -> bool,
) -> Vec<String> {
    in_words(
        program,
        steps,
        |k, step| {
            if differs(k) { format!(":{}", step.action) } else { String::new() }
        },
    )
}

/// True if a typed word means this word of a move. Detail may be left out, and so may the letter that
/// the language puts before the coordinates of rectangles, hexagons and cuboids: `x3y6` is `rx3y6`.
pub(crate) fn means(typed: &str, word: &str) -> bool {
    let begins = |word: &str| {
        word.strip_prefix(typed).is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', ':']))
    };
    begins(word) || word.strip_prefix(['r', 'h', 'c']).is_some_and(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detail_may_be_left_out() {
        assert!(means("x0y0", "x0y0=queen"));
        assert!(means("x0y0=queen", "rx0y0=queen"));
        assert!(means("rx0y0", "rx0y0:3"));
        assert!(!means("x0y", "x0y0"));
        assert!(!means("x1", "x10y0"));
    }
}
