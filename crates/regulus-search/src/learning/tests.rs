//! Codes against what they stand for, over random games.

use std::collections::HashMap;

use regulus_game::{Engine, GroupedMove, MoveGroups, Moves, Random, Step};
use regulus_rbg::Source;
use regulus_reasoner::native::Native;

use super::Learner;
use crate::config::{Features, Learning, Method};

/// A move of a player, and what stood on the cells it changes and around them.
type Meaning = (usize, Vec<Step>, Vec<Vec<u16>>);

fn meaning<E: Engine>(engine: &E, state: &E::State, steps: &[Step], features: Features) -> Meaning {
    let mut contents = Vec::new();
    engine.pieces(state, &mut contents);
    let mut seen = Vec::new();
    for step in steps.iter().filter(|step| engine.puts_piece(step.action)) {
        let mut cell = Vec::new();
        if features != Features::None {
            cell.push(u16::from(contents[usize::from(step.vertex)]));
        }
        if features == Features::Neighbours {
            let next = (0..engine.labels()).map(|label| engine.next(step.vertex, label));
            cell.extend(next.map(|v| match v {
                0 => 256,
                v => u16::from(contents[usize::from(v)]),
            }));
        }
        seen.push(cell);
    }
    (engine.player(state), steps.to_vec(), seen)
}

fn check(name: &str, features: Features) {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    let native = Native::new(&game).expect("supported");
    let mut engine = native.worker();
    let (mut groups, mut moves) = (MoveGroups::default(), Moves::new());
    let mut first = engine.initial();
    engine.run_keeper(&mut first).expect("runs");
    engine.groups(&mut first, &mut groups).expect("runs");
    let settings = Learning { method: Method::Ppa { alpha: 1.0 }, features, keep: false };
    let mut learner = Learner::new(&engine, Some(settings), None, &groups);
    let (mut meanings, mut codes) = (HashMap::new(), HashMap::new());
    let mut random = Random::new(1);
    for _ in 0..6 {
        let mut state = first.clone();
        for _ in 0..150 {
            let player = engine.player(&state);
            engine.groups(&mut state, &mut groups).expect("runs");
            engine.list(&mut state, &mut moves).expect("runs");
            let steps_of = |i: usize| {
                let mut steps = Vec::new();
                groups.push_steps(groups.nth(i).expect("a move") as GroupedMove, &mut steps);
                steps
            };
            let grouped: Vec<Vec<Step>> = (0..groups.len()).map(steps_of).collect();
            let listed: Vec<Vec<Step>> = moves.iter().map(<[Step]>::to_vec).collect();
            learner.begin();
            learner.offer_groups(&engine, &state, player, &groups);
            learner.offer_list(&engine, &state, player, moves.iter(), true);
            for (ply, all) in [(0, &grouped), (1, &listed)] {
                let range = learner.played.offered(ply);
                assert_eq!(range.len(), all.len(), "{name}");
                for (code, steps) in learner.played.codes[range].iter().zip(all) {
                    let meaning = meaning(&engine, &state, steps, features);
                    let known = codes.entry(meaning.clone()).or_insert(*code);
                    assert_eq!(known, code, "{name}: two codes of {meaning:?}");
                    let known = meanings.entry(*code).or_insert_with(|| meaning.clone());
                    assert_eq!(*known, meaning, "{name}: one code for both");
                }
            }
            if listed.is_empty() {
                break;
            }
            let chosen = &listed[random.below(listed.len() as u64) as usize];
            engine.apply(&mut state, chosen);
            if !engine.run_keeper(&mut state).expect("runs") {
                break;
            }
        }
    }
    assert!(codes.len() > 15, "{name}: {}", codes.len());
}

#[test]
fn codes_are_the_same_for_the_same_moves_only() {
    for name in ["breakthrough", "english-draughts", "chess", "hare-and-hounds", "reversi", "go"] {
        for features in [Features::None, Features::Cells, Features::Neighbours] {
            check(name, features);
        }
    }
}
