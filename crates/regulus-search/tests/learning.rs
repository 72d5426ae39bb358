//! Searches with learned playout policies and replies.

use regulus_rbg::Source;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_search::config::{
    Config, Decay, Features, Learning, Limits, Method, Policy, Replies, SimulationDesign,
    TreeDesign,
};
use regulus_search::{Search, Searcher};

fn split_native(name: &str) -> Native {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    let game = game.split(Strategy::Mod);
    Native::new(&game).expect("supported")
}

/// Every learned policy on every design that it exists for: the same search twice, and games to the end.
#[test]
fn learned_policies_are_reproducible() {
    let policy = Policy::Gibbs { temperature: 0.5 };
    let decay = Decay::Batch { factor: 0.5, simulations: 50 };
    let methods = [
        Method::Ppa { alpha: 0.32 },
        Method::Mast { k: 8.0 },
        Method::Nst { length: 3, threshold: 3, policy, decay },
    ];
    let native = split_native("breakthrough");
    let mut tried = 0;
    for tree in [TreeDesign::Orthodox, TreeDesign::Semisplit { nodal: true }] {
        for simulation in [SimulationDesign::Orthodox, SimulationDesign::Semisplit] {
            for (i, method) in methods.into_iter().enumerate() {
                let features = if i == 0 { Features::Neighbours } else { Features::None };
                for replies in [false, true] {
                    let in_expansion =
                        tree.is_orthodox() || simulation == SimulationDesign::Semisplit;
                    let config = Config {
                        tree,
                        simulation,
                        learning: Some(Learning { method, features, keep: i == 2 }),
                        replies: replies.then(|| Replies { in_expansion, ..Replies::default() }),
                        ..Config::default()
                    };
                    if config.validate().is_err() {
                        continue;
                    }
                    let play = || {
                        let mut search =
                            Search::new(native.worker(), config.clone()).expect("runs");
                        let mut moves = Vec::new();
                        while let Some(chosen) =
                            search.think(&Limits::simulations(60)).expect("runs").chosen
                        {
                            search.advance(&chosen).expect("legal");
                            moves.push(chosen);
                        }
                        moves
                    };
                    let moves = play();
                    assert!(moves.len() > 10, "{config:?}");
                    assert_eq!(moves, play(), "{config:?}");
                    tried += 1;
                }
            }
        }
    }
    assert_eq!(tried, 18);
}

/// A pawn that runs wins if nobody stops it: PPA finds that out, and simulations become shorter.
#[test]
fn simulations_follow_what_was_learned() {
    let native = split_native("breakthrough");
    let length = |learning| {
        let config = Config { learning, ..Config::default() };
        let mut search = Search::new(native.worker(), config).expect("runs");
        let totals = search.think(&Limits::simulations(3000)).expect("runs").totals;
        totals.nodal_states as f64 / totals.iterations as f64
    };
    let uniform = length(None);
    let method = Method::Ppa { alpha: 0.32 };
    let ppa = Some(Learning { method, features: Features::None, keep: false });
    assert!(length(ppa) < 0.6 * uniform);
}

#[test]
fn nobody_learns_alone() {
    let native = split_native("eight-puzzle");
    let method = Method::Ppa { alpha: 1.0 };
    let learning = Some(Learning { method, features: Features::None, keep: false });
    let refused = Search::new(native.worker(), Config { learning, ..Config::default() });
    let message = refused.err().expect("refused").to_string();
    assert!(message.contains("a single player"), "{message}");
}

/// Features tell moves apart in all games that PPA was tried on: the keeper, not the player, puts the pieces there.
#[test]
fn features_make_a_difference_in_the_games_of_ppa() {
    // What PPA section 3 uses for each.
    let games = [
        ("atarigo", Features::Neighbours),
        ("breakthrough", Features::Cells),
        ("misere-breakthrough", Features::Cells),
        ("domineering", Features::Neighbours),
        ("misere-domineering", Features::Neighbours),
        ("knightthrough", Features::Cells),
        ("misere-knightthrough", Features::Cells),
        ("nogo", Features::Neighbours),
    ];
    for (name, features) in games {
        let native = split_native(name);
        for (tree, simulation) in [
            (TreeDesign::Orthodox, SimulationDesign::Orthodox),
            (TreeDesign::Semisplit { nodal: true }, SimulationDesign::Semisplit),
        ] {
            for method in [Method::Ppa { alpha: 0.32 }, Method::Mast { k: 8.0 }] {
                let states = |features| {
                    let learning = Some(Learning { method, features, keep: false });
                    let config = Config { tree, simulation, learning, ..Config::default() };
                    let mut search = Search::new(native.worker(), config).expect("runs");
                    search.think(&Limits::simulations(400)).expect("runs").totals.nodal_states
                };
                let found = (states(features), states(Features::None));
                assert_ne!(found.0, found.1, "{name}, {simulation:?}, {method:?}");
            }
        }
    }
}
