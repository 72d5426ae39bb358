//! Playout policies that are learned, and last good replies.

use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_search::config::{
    Config, Features, Learning, Mast, Method, Policy, Rave, Replies, Untried,
};

use crate::compare::{Job, check_all};
use crate::games::{game, native, on_board, small_breakthrough, small_draughts};
use crate::{DECAYS, ORTHODOX, SEMISPLIT, trees};

/// Domineering on 5 x 4 squares.
fn small_domineering() -> Native {
    let row = "[empty, empty, empty, empty, empty]";
    let board = format!("#board = rectangle(up, down, left, right, {row} {row} {row} {row})");
    let text = on_board("domineering", &board);
    Native::new(&game("domineering", &text, Some(Strategy::Mod))).expect("supported")
}

/// Learned playout policies with every kind of features, on every tree, against the pseudocode of PPA: draughts has
/// moves of several steps, and listed moves; dominoes have two halves, and nobody asks whose they are; discs fall as far
/// as the board says.
#[test]
fn every_learned_policy() {
    let games = [
        ("hare-and-hounds", native("hare-and-hounds", Some(Strategy::Mod))),
        ("small breakthrough", small_breakthrough(Strategy::ModPlusShift)),
        ("small draughts", small_draughts(Strategy::Mod)),
        ("small domineering", small_domineering()),
        ("connect-four", native("connect-four", Some(Strategy::Mod))),
    ];
    let methods = [
        Method::Ppa { alpha: 0.04 },
        Method::Ppa { alpha: 1.28 },
        Method::Mast { k: 4.0 },
        Method::Mast { k: 256.0 },
    ];
    let features = [Features::None, Features::Cells, Features::Neighbours];
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (name, native) in &games {
        for tree in trees() {
            for method in methods {
                for (i, features) in features.into_iter().enumerate() {
                    let learning = Some(Learning { method, features, keep: i == 1 });
                    let seed = jobs.len() as u64;
                    let rave = (i == 2 && tree.is_orthodox()).then(Rave::default);
                    let config = Config { tree, learning, rave, seed, ..Config::default() };
                    jobs.push((name, native, config, &[160, 80]));
                }
            }
        }
    }
    check_all(&jobs);
}

/// PPA Algorithm 7 with what is learned: untried moves in the order of the list, ties to the first, a first simulation from
/// the root, with fresh trees and with trees that are kept.
#[test]
fn moves_in_the_order_of_the_list() {
    let games = games();
    let (mut jobs, mut number): (Vec<Job<'_>>, usize) = (Vec::new(), 0);
    let nst = Method::Nst { length: 3, threshold: 2, policy: CHOICES[0], decay: DECAYS[5] };
    let methods = [Method::Ppa { alpha: 0.32 }, Method::Mast { k: 4.0 }, nst];
    for (name, native) in &games {
        for method in methods {
            let features = match (method, number % 2) {
                (Method::Ppa { .. } | Method::Mast { .. }, 1) => Features::Cells,
                _ => Features::None,
            };
            for keep_tree in [false, true] {
                let learning = Some(Learning { method, features, keep: keep_tree });
                let (untried, seed) = (Untried::Listed, number as u64);
                let config = Config { learning, untried, keep_tree, seed, ..Config::default() };
                number += 1;
                jobs.push((name, native, config, &[120, 80, 3, 2]));
            }
        }
    }
    check_all(&jobs);
}

/// Two and three players, captures of several steps, moves that are dead in the middle.
fn games() -> Vec<(&'static str, Native)> {
    vec![
        ("tic-tac-toe", native("tic-tac-toe", Some(Strategy::Mod))),
        ("small breakthrough", small_breakthrough(Strategy::ModPlusShift)),
        ("small draughts", small_draughts(Strategy::Mod)),
        ("knightthrough", native("knightthrough", Some(Strategy::Mod))),
        ("rolit", native("rolit", Some(Strategy::ModPlus))),
    ]
}

const CHOICES: [Policy; 2] =
    [Policy::EpsilonGreedy { epsilon: 0.3 }, Policy::Gibbs { temperature: 0.25 }];

/// Replies to one and to two actions, with and without forgetting, in playouts and in expansion.
fn replies() -> Vec<Replies> {
    let mut all = Vec::new();
    for length in [1, 2] {
        for forgetting in [false, true] {
            for (in_playouts, in_expansion) in [(true, true), (true, false), (false, true)] {
                let keep = length == 2 || forgetting;
                all.push(Replies { length, forgetting, in_playouts, in_expansion, keep });
            }
        }
    }
    all
}

#[test]
fn every_length_and_threshold_of_nst() {
    let games = games();
    let (mut jobs, mut number): (Vec<Job<'_>>, usize) = (Vec::new(), 0);
    for (name, native) in &games {
        for tree in trees() {
            for simulation in [ORTHODOX, SEMISPLIT] {
                for (length, threshold) in [(2, 1), (3, 2), (3, 7), (5, 3)] {
                    let (policy, decay) = (CHOICES[number % 2], DECAYS[number / 2 % 6]);
                    let method = Method::Nst { length, threshold, policy, decay };
                    let keep = number % 3 > 0;
                    let learning = Some(Learning { method, features: Features::None, keep });
                    let seed = number as u64;
                    let config = Config { tree, simulation, learning, seed, ..Config::default() };
                    number += 1;
                    if config.validate().is_ok() {
                        jobs.push((name, native, config, &[90, 50, 5, 2]));
                    }
                }
            }
        }
    }
    assert!(jobs.len() > 120, "{}", jobs.len());
    check_all(&jobs);
}

/// Replies, and what chooses where there are none: chance, MAST, NST, a policy that is learned.
#[test]
fn every_kind_of_replies() {
    let games = games();
    let (mut jobs, mut number): (Vec<Job<'_>>, usize) = (Vec::new(), 0);
    for (name, native) in &games {
        for tree in trees() {
            for simulation in [ORTHODOX, SEMISPLIT] {
                for replies in replies() {
                    let (policy, decay) = (CHOICES[number / 4 % 2], DECAYS[number / 2 % 6]);
                    let mast =
                        Mast { policy, decay, in_expansion: number % 3 > 0, ..Mast::default() };
                    let nst = Method::Nst { length: 3, threshold: 2, policy, decay };
                    let method = if number % 8 == 3 { Method::Ppa { alpha: 0.32 } } else { nst };
                    let learning = Learning { method, features: Features::None, keep: true };
                    let plain = Config {
                        tree,
                        simulation,
                        replies: Some(replies),
                        seed: number as u64,
                        ..Config::default()
                    };
                    let config = match number % 4 {
                        0 => plain,
                        1 => Config { mast: Some(mast), ..plain },
                        2 => Config { learning: Some(learning), ..plain },
                        _ if simulation == ORTHODOX => {
                            let mast = Mast { in_playouts: false, in_expansion: true, ..mast };
                            Config { mast: Some(mast), learning: Some(learning), ..plain }
                        }
                        _ => Config { rave: Some(Rave::default()), ..plain },
                    };
                    number += 1;
                    if config.validate().is_ok() {
                        jobs.push((name, native, config, &[80, 40, 5, 2]));
                    }
                }
            }
        }
    }
    assert!(jobs.len() > 200, "{}", jobs.len());
    check_all(&jobs);
}
