//! What the rules tell of the cells that moves change, whatever stands on the board: for features of moves (PPA
//! section 3).
//!
//! A player's own steps say which pieces they put. Behind the switch that ends the move, the keeper goes on from its
//! vertex, and as long as he has no choice what he puts is known as well (`keeper.rs`). Pieces that no rule tells
//! apart are one class (`classes.rs`).

mod classes;
mod keeper;
mod totality;

use regulus_game::{ActionChanges, BoardChanges};

use crate::program::{Action, Program};
use keeper::KeeperPuts;

/// What a program tells.
pub(crate) fn board_changes(program: &Program) -> BoardChanges {
    let keeper = KeeperPuts::new(program);
    let of = |number: usize| {
        let Some(edge) = program.modifier(number as i32) else { return ActionChanges::Nothing };
        match edge.action {
            Action::Off(piece) => ActionChanges::Put(piece),
            Action::Switch(0) => {
                let vertices = program.game.board.vertices();
                let puts = vertices.map(|v| keeper.behind(edge.target, v.0));
                ActionChanges::Complete(std::iter::once(None).chain(puts).collect())
            }
            _ => ActionChanges::Nothing,
        }
    };
    let actions = (0..program.modifiers.len()).map(of).collect();
    BoardChanges { classes: classes::classes(program), actions }
}

#[cfg(test)]
mod tests {
    use regulus_rbg::Source;

    use super::*;

    fn changes(text: &str) -> BoardChanges {
        let game = regulus_rbg::load(&Source::new("test", text)).game.expect("valid");
        board_changes(&Program::new(&game))
    }

    fn built_in(name: &str) -> BoardChanges {
        changes(regulus_games::find(name).expect("built in").text)
    }

    /// What is put behind the first switch of a rule, begun at the middle of x y z.
    fn behind(rules: &str) -> Option<Vec<(u16, u8)>> {
        let all = changes(&format!(
            "#players = a(1), b(1) #pieces = x, y, z #variables = v(9) \
             #board = rectangle(up, down, left, right, [x, y, z]) \
             #any = (left* + right*) #rules = ->a any {rules} ->b any ->> {{}}"
        ));
        // The first modifier is the switch to a, the second the one to the keeper.
        all.behind(2, 2).map(<[(u16, u8)]>::to_vec)
    }

    #[test]
    fn puts_without_a_choice() {
        assert_eq!(behind("->>"), Some(vec![]));
        assert_eq!(behind("->> [x]"), Some(vec![(2, 0)]));
        assert_eq!(behind("->> [x] right [y] left [z]"), Some(vec![(2, 0), (3, 1), (2, 2)]));
        assert_eq!(behind("->> [x] ->> right [y]"), Some(vec![(2, 0), (3, 1)]));
        // A bound that is kept, one that may not be, and one that is not.
        assert_eq!(behind("->> [x] [$ v = 9]"), Some(vec![(2, 0)]));
        assert_eq!(behind("->> [x] [$ v = v + 1]"), None);
        assert_eq!(behind("->> [x] [$ v = 9 / v]"), None);
    }

    /// A move of the keeper that cannot be completed is not made.
    #[test]
    fn moves_that_get_stuck() {
        assert_eq!(behind("->> [x] right right [y]"), Some(vec![]));
        assert_eq!(behind("->> [x] ->> right right [y]"), Some(vec![(2, 0)]));
        assert_eq!(behind("->> [x] {y}"), Some(vec![]));
        assert_eq!(behind("->> [x] ({? right right} + up)"), Some(vec![]));
    }

    #[test]
    fn tests_that_the_rules_answer() {
        assert_eq!(behind("->> [x] {x}"), Some(vec![(2, 0)]));
        assert_eq!(behind("->> [x] ({y} [z] + {x} [y])"), Some(vec![(2, 0), (2, 1)]));
        assert_eq!(behind("->> [x] ({? up} [y] + {! up} [z])"), Some(vec![(2, 0), (2, 2)]));
        assert_eq!(behind("->> [x] {? left* {x}}"), Some(vec![(2, 0)]));
        // Of several moves the keeper makes the first in the order of the text.
        assert_eq!(behind("->> [x] any [y]"), Some(vec![(2, 0), (1, 1)]));
    }

    /// Whatever stands beside the cell, one of the alternatives goes on.
    #[test]
    fn tests_behind_everything_that_is_put() {
        let known = Some(vec![(2, 0)]);
        assert_eq!(behind("->> [x] ({? right {x}} + {! right {x}} ->> {})"), known);
        assert_eq!(behind("->> [x] ({! right {x}} + {? right {x}} ->> {})"), known);
        assert_eq!(behind("->> [x] right ({x} + {y, z})"), known);
        assert_eq!(behind("->> [x] ({$ v == 1} + {$ v != 1})"), known);
        assert_eq!(behind("->> [x] ({$ v == 0} + {$ v > 0})"), known);
        assert_eq!(behind("->> [x] ({$ v < 4} + {$ v > 7} + {$ v >= 4} {$ v <= 7})"), None);
        assert_eq!(behind("->> [x] ({$ v + 1 < 4} + {$ v + 1 > 7} + {$ v + 1 >= 4})"), known);
        assert_eq!(behind("->> [x] ->> right {x}"), known);
        assert_eq!(behind("->> [x] ({? right {x}} + {! right {y}})"), None);
        assert_eq!(behind("->> [x] right ({x} + {z})"), None);
        assert_eq!(behind("->> [x] ({$ v == 1} + {$ v > 1})"), None);
        assert_eq!(behind("->> [x] right {x}"), None);
        assert_eq!(behind("->> [x] ({? right {x}} [y] + {! right {x}})"), None);
        assert_eq!(behind("->> [x] ({? right {x}} + {! right {x}} ->> [y])"), None);
    }

    /// Where the upper or left cell of a domino is, the other one is known: the board is numbered by rows, the pieces
    /// by their names (empty, horizontalDomino, verticalDomino).
    #[test]
    fn dominoes() {
        let all = built_in("domineering");
        let switches: Vec<i32> = (0..all.actions.len() as i32)
            .filter(|a| matches!(all.actions[*a as usize], ActionChanges::Complete(_)))
            .collect();
        let [vertical, horizontal] = switches[..] else { panic!("{switches:?}") };
        assert_eq!(all.behind(vertical, 10), Some(&[(10, 2), (18, 2)][..]));
        assert_eq!(all.behind(horizontal, 10), Some(&[(10, 1), (11, 1)][..]));
        // At the edge there is no room, so the keeper cannot move.
        assert_eq!(all.behind(horizontal, 8), Some(&[][..]));
    }

    /// In the eight games of PPA everything is known.
    #[test]
    fn games_of_ppa() {
        let misere = ["misere-breakthrough", "misere-domineering", "misere-knightthrough"];
        let others = ["atarigo", "breakthrough", "domineering", "knightthrough", "nogo"];
        for name in misere.into_iter().chain(others) {
            for changes in &built_in(name).actions {
                if let ActionChanges::Complete(puts) = changes {
                    assert!(puts[1..].iter().all(Option::is_some), "{name}");
                }
            }
        }
    }
}
