//! Code that is made quickly and code that is made well are the same code: same games, moves and counts.

#![cfg(feature = "native")]

use regulus_game::{Engine, Moves, Random};
use regulus_rbg::{load, source::Source};
use regulus_reasoner::native::{Native, NativeWorker, Operation};

/// Built-in games whose code is large enough to be made quickly first.
const LARGE: [&str; 2] = ["chess", "go"];

const OPERATIONS: [Operation; 4] =
    [Operation::Keeper, Operation::List, Operation::Count, Operation::Playout];

fn native(name: &str) -> Native {
    let text = regulus_games::find(name).expect("a built-in game").text;
    let game = load(&Source::new(name, text)).game.expect("built-in games are right");
    Native::new(&game).unwrap_or_else(|why| panic!("{}", why.0))
}

/// What some games from a seed come to, and the moves of the positions on the way of another.
fn told(engine: &mut NativeWorker, games: usize) -> Vec<(u64, Vec<u32>, u64)> {
    let mut random = Random::new(5);
    let mut told = Vec::new();
    for _ in 0..games {
        let mut state = engine.initial();
        let length = engine.playout(&mut state, false, &mut random).expect("the game ends");
        let scores = (1..=engine.players()).map(|player| engine.score(&state, player)).collect();
        told.push((length, scores, random.state()));
    }
    let (mut state, mut moves) = (engine.initial(), Moves::new());
    for _ in 0..20 {
        if !engine.run_keeper(&mut state).expect("a short turn") {
            break;
        }
        engine.list(&mut state, &mut moves).expect("few moves");
        let count = engine.count(&mut state).expect("few moves");
        assert_eq!(count, moves.len() as u64);
        let chosen = moves.get(random.below(count) as usize).to_vec();
        told.push((count, chosen.iter().map(|step| u32::from(step.vertex)).collect(), 0));
        engine.apply(&mut state, &chosen);
    }
    told
}

#[test]
fn quick_code_and_good_code_do_the_same() {
    for name in LARGE {
        let (first, better) = (native(name), native(name));
        for operation in OPERATIONS {
            better.optimize(operation).unwrap_or_else(|why| panic!("{name}: {}", why.0));
        }
        let (mut first, mut better) = (first.worker(), better.worker());
        // Some games are played with code that is still quick, some with what replaces it.
        assert_eq!(told(&mut first, 100), told(&mut better, 100), "{name}");
        assert_eq!(told(&mut first, 10), told(&mut better, 10), "{name}");
    }
}
