//! The optimised search against the pseudocode: the same tree, node by node, for the same random
//! numbers, over thousands of iterations and several turns.
//!
//! | file | what |
//! |---|---|
//! | `paper/` | the pseudocode |
//! | `compare.rs`, `games.rs` | trees beside trees; on which games |
//! | this one | what is tested with what |
//! | `designs.rs` | designs of trees and simulations, MAST, RAVE |
//! | `parts.rs` | parts that change selection and expansion |
//! | `learning.rs` | policies that are learned, replies |
//! | `kinds.rs` | pieces that no rule tells apart |
//! | `transpositions.rs` | positions with one node for all ways to them |
//! | `ppa_algorithm_7.rs` | a table that is fresh every turn, moves in the order of the list |

mod compare;
mod components;
mod designs;
mod games;
mod kinds;
mod learning;
mod paper;
mod ppa_algorithm_7;
mod transpositions;

use compare::check;
use games::{built_in, game, native};
use regulus_reasoner::Interpreter;
use regulus_search::config::{
    Config, Decay, FinalSelection, Limits, Mast, Policy, Rave, SimulationDesign, TreeDesign,
    Variant,
};
use regulus_search::{Search, Searcher, action};

const SEMISPLIT: SimulationDesign = SimulationDesign::Semisplit;
const ORTHODOX: SimulationDesign = SimulationDesign::Orthodox;

fn trees() -> Vec<TreeDesign> {
    let rollup = |nodal, min_simulations_factor, min_score_diff| TreeDesign::Rollup {
        nodal,
        min_simulations_factor,
        min_score_diff,
    };
    vec![
        TreeDesign::Orthodox,
        TreeDesign::Semisplit { nodal: false },
        TreeDesign::Semisplit { nodal: true },
        rollup(false, 1.0, 0.0),
        rollup(true, 1.0, 0.0),
        rollup(true, 3.0, 10.0),
    ]
}

const VARIANTS: [Variant; 5] = [
    Variant::Standard,
    Variant::Split,
    Variant::Join,
    Variant::Context,
    Variant::Mix { threshold: 7 },
];

const POLICIES: [Policy; 3] =
    [Policy::EpsilonGreedy { epsilon: 0.4 }, Policy::Gibbs { temperature: 0.3 }, Policy::Roulette];

/// The factor is a power of two: whether it is multiplied once or many times, nothing is rounded.
const DECAYS: [Decay; 6] = [
    Decay::None,
    Decay::Move { factor: 0.25 },
    Decay::Batch { factor: 0.5, simulations: 20 },
    Decay::Simulation { factor: 0.5 },
    Decay::SimulatedMove { factor: 0.5 },
    Decay::Played { factor: 0.5 },
];

const SELECTIONS: [FinalSelection; 4] = [
    FinalSelection::Greedy,
    FinalSelection::Rollup { factor: 0.3 },
    FinalSelection::Rollup { factor: 1.0 },
    FinalSelection::MostVisited,
];

#[test]
fn the_interpreter_gives_the_same_kind_of_tree() {
    let interpreter = Interpreter::new(&game("tic-tac-toe", built_in("tic-tac-toe"), None));
    let config =
        Config { rave: Some(Rave::default()), mast: Some(Mast::default()), ..Config::default() };
    check(|| interpreter.worker(), Vec::new(), &config, &[400, 200], "tic-tac-toe");
}

#[test]
fn keys_tell_submoves_apart() {
    let native = native("breakthrough", None);
    let mut search = Search::new(native.worker(), Config::default()).expect("runs");
    search.think(&Limits::simulations(2000)).expect("runs");
    let tree = search.tree();
    let mut keys = std::collections::HashMap::new();
    for e in 0..tree.edges.len() as u32 {
        let submove = tree.submove(e);
        let known = keys.entry(action::submove_key(action::NODAL, submove)).or_insert(submove);
        assert_eq!(*known, submove);
    }
    assert!(keys.len() > 100);
}
