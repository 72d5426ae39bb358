//! Games that are played together are the games that would be played alone, with the same random numbers.

mod engine;

use engine::built_in;
use regulus_game::{Engine, Random};
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::native::Native;
use regulus_reasoner::{Interpreter, RunError};

/// Plays so many games together and alone, from positions that follow each other in a random game.
fn compare<E: Engine<Error = RunError>>(name: &str, engine: &mut E, split: bool, games: usize)
where
    E::State: PartialEq + std::fmt::Debug,
{
    let (mut states, mut state) = (Vec::new(), engine.initial());
    let (mut random, mut steps) = (Random::new(3), Vec::new());
    for _ in 0..games {
        states.push(state.clone());
        let goes_on = engine.run_keeper(&mut state).expect("runs");
        // The last ones begin where a game is over.
        if goes_on && engine.sample(&mut state, &mut random, &mut steps).expect("runs") {
            engine.apply(&mut state, &steps);
        }
    }
    let mut randoms: Vec<Random> = (0..games as u64).map(Random::new).collect();
    let (mut together, mut others, mut lengths) = (states.clone(), randoms.clone(), Vec::new());
    engine.playouts(&mut together, split, &mut others, &mut lengths).expect("games end");
    assert_eq!(lengths.len(), games, "{name}");
    for (i, (state, random)) in states.iter_mut().zip(&mut randoms).enumerate() {
        let length = engine.playout(state, split, random).expect("games end");
        assert_eq!(length, lengths[i], "{name}: game {i}");
        assert_eq!(*random, others[i], "{name}: game {i}");
        assert_eq!(*state, together[i], "{name}: game {i}");
        assert_eq!(engine.hash(state), engine.hash(&together[i]), "{name}: game {i}");
    }
}

fn native(game: &Game) -> Native {
    Native::guarded(game).unwrap_or_else(|why| panic!("{}", why.0))
}

#[test]
fn games_together_are_games_alone() {
    for game in regulus_games::GAMES {
        let (rules, name) = (built_in(game.name), game.name);
        compare(name, &mut native(&rules).worker(), false, 4);
        compare(name, &mut native(&rules.split(Strategy::Mod)).worker(), true, 4);
    }
}

/// Many games of the smallest kind, so that lanes get out of step with each other.
#[test]
fn lanes_that_are_out_of_step() {
    for name in ["breakthrough", "knightthrough", "fox-and-hounds"] {
        let game = built_in(name);
        for games in [0, 1, 2, 3, 11, 300] {
            compare(name, &mut native(&game).worker(), false, games);
        }
        compare(name, &mut native(&game.split(Strategy::ModPlus)).worker(), true, 300);
        compare(name, &mut Interpreter::new(&game).worker(), false, 5);
    }
}

/// A game without end is the same error as alone, and other games before it have been played.
#[test]
fn games_without_end() {
    let text = "#players = a(1), b(1) #pieces = x, o #variables = \
        #board = rectangle(up, down, left, right, [x, o]) \
        #rules = (->a (left + right) ->b (left + right))*";
    let game = regulus_rbg::load(&Source::new("endless", text)).game.expect("valid");
    let mut engine = native(&game).worker();
    let mut states = vec![engine.initial(); 3];
    let mut randoms: Vec<Random> = (0..3).map(Random::new).collect();
    let together = engine.playouts(&mut states, false, &mut randoms, &mut Vec::new());
    let alone = engine.playout(&mut engine.initial(), false, &mut Random::new(0));
    assert_eq!(together, Err(RunError::EndlessGame));
    assert_eq!(alone, Err(RunError::EndlessGame));
}
