//! Moves entered semimove by semimove, in positions of all built-in games.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use regulus_game::{Random, Step};
use regulus_player::catalogue::Catalogue;
use regulus_player::{Entry, LoadedGame, Position};

fn game(name: &str) -> Arc<LoadedGame> {
    Catalogue::default().game(name).unwrap()
}

/// All moves that can be entered from here; every step can be taken back.
fn entered(position: &Position, entry: &Entry, found: &mut BTreeSet<Vec<Step>>) {
    let choices = entry.choices(position);
    assert!(!choices.is_empty(), "a move that cannot be finished");
    assert!(entry.prompt(position).starts_with("choose "));
    let names: BTreeSet<_> = choices.iter().map(|c| (c.vertex, &c.text)).collect();
    assert_eq!(names.len(), choices.len(), "choices that look the same: {choices:?}");
    for choice in &choices {
        let mut next = entry.clone();
        match next.choose(position, choice) {
            Some(steps) => assert!(found.insert(steps), "two ways to the same move"),
            None => entered(position, &next, found),
        }
        let mut back = next.clone();
        assert!(back.back());
        assert_eq!(back.choices(position), choices, "after taking a choice back");
        assert_eq!(back.pieces(position), entry.pieces(position));
    }
}

#[test]
fn every_legal_move_can_be_entered() {
    for built_in in regulus_games::GAMES {
        let mut position = Position::new(&game(built_in.name)).unwrap();
        let mut random = Random::new(7);
        for ply in 0..40 {
            let legal: BTreeSet<Vec<Step>> = position.legal().iter().map(<[_]>::to_vec).collect();
            if legal.is_empty() {
                assert!(Entry::default().choices(&position).is_empty());
                break;
            }
            if legal.len() < 600 && (ply < 4 || ply % 5 == 0) {
                let mut found = BTreeSet::new();
                entered(&position, &Entry::default(), &mut found);
                assert_eq!(found, legal, "{} at {ply}", built_in.name);
            }
            let chosen = legal.iter().nth(random.below(legal.len() as u64) as usize).unwrap();
            position.play(chosen).unwrap();
        }
    }
}

#[test]
fn a_piece_is_lifted_and_put_down() {
    let position = Position::new(&game("breakthrough")).unwrap();
    let ground = position.game().ground();
    let mut entry = Entry::default();
    assert_eq!(entry.prompt(&position), "choose a piece");
    let from = entry.choices(&position)[0].clone();
    assert_eq!(entry.choose(&position, &from), None, "the destination is open");
    assert_eq!(entry.pieces(&position)[usize::from(from.vertex.unwrap()) - 1], ground);
    assert_eq!(entry.prompt(&position), "choose a destination");
    let to = entry.choices(&position)[0].clone();
    let steps = entry.choose(&position, &to).expect("a whole move");
    assert!(position.legal().iter().any(|legal| legal == steps));
}

#[test]
fn a_stone_is_put_with_one_choice() {
    for name in ["hex", "tic-tac-toe", "gomoku"] {
        let position = Position::new(&game(name)).unwrap();
        let mut entry = Entry::default();
        let choice = entry.choices(&position)[0].clone();
        assert!(entry.choose(&position, &choice).is_some(), "{name}");
    }
}
