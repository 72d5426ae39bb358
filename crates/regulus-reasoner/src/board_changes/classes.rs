//! Pieces that no rule tells apart.
//!
//! PPA section 3 takes the cells next to a domino as "either empty or occupied": the rules of Domineering never ask
//! whose domino it is. That is seen from their tests: two pieces are the same to the rules if every test for pieces
//! has both or neither, and nothing counts one of them.

use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Piece, PieceSet};
use rustc_hash::FxHashSet;

use crate::program::{Action, Program};

/// For every piece the first of its class.
pub(super) fn classes(program: &Program) -> Vec<u8> {
    let tests = tests(program);
    let pieces = program.game.declarations.pieces().len();
    let same = |a: u8, b: u8| tests.iter().all(|t| t.contains(Piece(a)) == t.contains(Piece(b)));
    let first = |piece: u8| (0..piece).find(|other| same(*other, piece)).unwrap_or(piece);
    (0..pieces).map(|piece| first(piece as u8)).collect()
}

/// The sets of pieces that rules ask for.
fn tests(program: &Program) -> FxHashSet<PieceSet> {
    let mut tests = FxHashSet::default();
    for edge in &program.edges {
        let mut count = |expression: &Arithmetic| {
            expression.visit(&mut |part| {
                if let Arithmetic::Count(piece) = part {
                    tests.insert(PieceSet::from_iter([*piece]));
                }
            });
        };
        match &edge.action {
            Action::Compare(_, sides) => [&sides.0, &sides.1].into_iter().for_each(&mut count),
            Action::Assign(_, value) => count(value),
            Action::On(pieces) => drop(tests.insert(*pieces)),
            _ => {}
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use regulus_rbg::Source;

    use super::*;

    fn of(text: &str) -> Vec<u8> {
        let game = regulus_rbg::load(&Source::new("test", text)).game.expect("valid");
        classes(&Program::new(&game))
    }

    fn built_in(name: &str) -> Vec<u8> {
        of(regulus_games::find(name).expect("built in").text)
    }

    /// Pieces are numbered by name.
    #[test]
    fn dominoes_are_all_the_same_and_pawns_are_not() {
        // empty, horizontalDomino, verticalDomino
        assert_eq!(built_in("domineering"), [0, 1, 1]);
        assert_eq!(built_in("misere-domineering"), [0, 1, 1]);
        assert_eq!(built_in("breakthrough"), [0, 1, 2]);
        assert_eq!(built_in("atarigo"), [0, 1, 2]);
    }

    #[test]
    fn what_tells_pieces_apart() {
        let game = |rules: &str| {
            of(&format!(
                "#players = a(9), b(9) #pieces = w, x, y, z #variables = \
                 #board = rectangle(up, down, left, right, [w, x, y, z]) \
                 #rules = ->a right {rules} [w] ->b left ->> {{}}"
            ))
        };
        assert_eq!(game(""), [0, 0, 0, 0]);
        assert_eq!(game("{w, x}"), [0, 0, 2, 2]);
        assert_eq!(game("{w, x} {x, y}"), [0, 1, 2, 3]);
        assert_eq!(game("{! {w, x} {z}}"), [0, 0, 2, 3]);
        assert_eq!(game("{$ y == 1}"), [0, 0, 2, 0]);
        assert_eq!(game("[$ a = z]"), [0, 0, 0, 3]);
    }
}
