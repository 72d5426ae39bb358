//! Moves in groups, however many groups there are and whichever game filled the memory before.

#![allow(clippy::unwrap_used)]

use regulus_game::{Engine, MoveGroups, Moves, Step};
use regulus_rbg::{Source, load};
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::Native;

/// A game whose only turn is described by `turn`, on a board of `width` columns.
fn description(width: usize, turn: &str) -> String {
    let row = vec!["w"; width].join(",");
    format!(
        "#players = white(1), black(1)\n#pieces = e, w\n#variables = n(9999)\n\
         #board = rectangle(up,down,left,right, [{row}] [{row}])\n\
         #any = (left* + right*) (up* + down*)\n\
         #rules = ->white {turn} ->black ->>\n"
    )
}

fn sum(count: usize, rule: impl Fn(usize) -> String) -> String {
    (0..count).map(rule).collect::<Vec<_>>().join(" + ")
}

/// Lists the moves of the first position and takes all moves of its groups; both must be the same.
fn check<E: Engine>(engine: &mut E, state: &mut E::State, groups: &mut MoveGroups) -> usize
where
    E::Error: std::fmt::Debug,
{
    let mut moves = Moves::new();
    engine.list(state, &mut moves).unwrap();
    let mut listed: Vec<Vec<Step>> = moves.iter().map(<[Step]>::to_vec).collect();
    engine.groups(state, groups).unwrap();
    let mut taken = Vec::new();
    for number in 0..groups.len() {
        let (mut after, mut steps) = (state.clone(), Vec::new());
        let it = groups.nth(number).unwrap();
        if engine.apply_grouped(&mut after, groups, it, &mut steps).unwrap() {
            taken.push(steps);
        }
    }
    listed.sort();
    taken.sort();
    assert_eq!(taken, listed);
    taken.len()
}

#[test]
fn any_number_of_groups_finds_room() {
    // The same memory for all: of other games, of larger and smaller boards, of both engines.
    let mut groups = MoveGroups::default();
    for width in [2, 40, 3] {
        for count in [1, 2, 31, 63, 64, 65, 66, 130, 200] {
            let assigned = sum(count, |i| format!("[$ n={i}]"));
            let turns = [
                // Groups without a beginning, behind one, and behind two.
                format!("any ({assigned})"),
                format!("any {{w}} [e] ({assigned})"),
                // Trailing groups of every level of a move that goes on.
                format!("any [e] (right [e] ([$ n=0] + [$ n=1]))* ({assigned})"),
                // Several distances for every ending.
                format!("any [e] (right + right right + right right right) ({assigned})"),
            ];
            for turn in &turns[..if width > 3 { 2 } else { 4 }] {
                let text = description(width, turn);
                let game = load(&Source::new("groups", &text)).game.unwrap();
                let native = Native::new(&game).unwrap();
                let (mut worker, mut state) = (native.worker(), native.initial());
                assert!(worker.run_keeper(&mut state).unwrap());
                let found = check(&mut worker, &mut state, &mut groups);
                assert!(found >= count, "{turn}");
                if found < 500 {
                    let interpreter = Interpreter::new(&game);
                    let (mut worker, mut state) = (interpreter.worker(), interpreter.initial());
                    assert!(worker.run_keeper(&mut state).unwrap());
                    assert_eq!(check(&mut worker, &mut state, &mut groups), found, "{turn}");
                }
            }
        }
    }
}
