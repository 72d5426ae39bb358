//! Games in which a vertex is chosen by a walk in any direction, split at every step: a move has as many
//! names as there are ways to its vertex, and walks can be longer than a move may be.

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::Source;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::{Native, NativeState};
use regulus_search::config::{Config, Limits, SimulationDesign, TreeDesign};
use regulus_search::{Search, Searcher};

fn native(name: &str, strategy: Strategy) -> Native {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    Native::new(&game.split(strategy)).expect("supported")
}

fn legal(native: &Native, state: &NativeState) -> Vec<Vec<Step>> {
    let mut moves = Moves::new();
    native.worker().list(&mut state.clone(), &mut moves).expect("runs");
    moves.iter().map(<[Step]>::to_vec).collect()
}

fn designs() -> Vec<Config> {
    let rollup =
        |nodal| TreeDesign::Rollup { nodal, min_simulations_factor: 1.0, min_score_diff: 0.0 };
    let semisplit = |nodal| TreeDesign::Semisplit { nodal };
    let mut all = Vec::new();
    for tree in [semisplit(false), semisplit(true), rollup(false), rollup(true)] {
        for simulation in [SimulationDesign::Orthodox, SimulationDesign::Semisplit] {
            all.push(Config { tree, simulation, ..Config::default() });
        }
    }
    all
}

#[test]
fn moves_are_legal() {
    for name in ["hexxagon", "yavalath", "fox-and-hounds", "the-mill-game", "hare-and-hounds"] {
        for strategy in [Strategy::ModShift, Strategy::ModPlusShift] {
            let native = native(name, strategy);
            for config in designs() {
                let mut search = Search::new(native.worker(), config.clone()).expect("runs");
                for turn in 0..20 {
                    let what = format!("{name} {strategy:?} turn {turn} {config:?}");
                    let legal = legal(&native, search.position());
                    let thought = search.think(&Limits::simulations(20)).expect("runs");
                    assert_eq!(thought.chosen.is_none(), legal.is_empty(), "{what}");
                    let Some(chosen) = thought.chosen else { break };
                    assert!(legal.contains(&chosen), "{what}: {chosen:?}");
                    search.advance(&chosen).expect("runs");
                }
            }
        }
    }
}

/// Where a raw tree ends before the move does, the rest of the move is drawn at random.
#[test]
fn a_move_that_ends_outside_the_tree_is_whole() {
    let native = native("hexxagon", Strategy::ModPlusShift);
    let (mut engine, mut random) = (native.worker(), Random::new(0));
    let mut state = engine.initial();
    assert!(engine.run_keeper(&mut state).expect("runs"));
    // To a late position by random moves.
    let moves = loop {
        let moves = legal(&native, &state);
        if moves.len() < 9 {
            break moves;
        }
        engine.apply(&mut state, &moves[random.below(moves.len() as u64) as usize]);
        assert!(engine.run_keeper(&mut state).expect("runs"));
    };
    let config = Config {
        tree: TreeDesign::Semisplit { nodal: false },
        simulation: SimulationDesign::Semisplit,
        ..Config::default()
    };
    let mut search = Search::from_position(native.worker(), state, config).expect("runs");
    let chosen = search.think(&Limits::simulations(3000)).expect("runs").chosen.expect("a move");
    assert!(moves.contains(&chosen), "{chosen:?} is none of {moves:?}");
}
