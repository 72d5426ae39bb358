//! Designs of trees and simulations with MAST and RAVE in all their variants (THESIS chapter 2).

use regulus_rbg::split::Strategy;
use regulus_search::config::{Config, Mast, Rave, TreeDesign, Variant};

use crate::compare::{Job, check_all};
use crate::games::{native, small_breakthrough, small_draughts};
use crate::{DECAYS, ORTHODOX, POLICIES, SELECTIONS, SEMISPLIT, VARIANTS, trees};

#[test]
fn every_tree_and_simulation_design() {
    let games = [
        ("tic-tac-toe", native("tic-tac-toe", None)),
        ("hare-and-hounds", native("hare-and-hounds", Some(Strategy::Mod))),
        ("english-draughts", native("english-draughts", Some(Strategy::ModPlus))),
        ("breakthrough", native("breakthrough", Some(Strategy::ModShift))),
        ("chess", native("chess", Some(Strategy::Mod))),
        ("rolit", native("rolit", Some(Strategy::ModPlusShift))),
        ("eight-puzzle", native("eight-puzzle", Some(Strategy::Mod))),
    ];
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (name, native) in &games {
        for tree in trees() {
            for simulation in [ORTHODOX, SEMISPLIT] {
                for final_selection in SELECTIONS {
                    let seed = jobs.len() as u64;
                    let plain = Config::default();
                    let config = Config { tree, simulation, final_selection, seed, ..plain };
                    if config.validate().is_ok() {
                        jobs.push((name, native, config, &[1000, 500, 500]));
                    }
                }
            }
        }
    }
    check_all(&jobs);
}

/// Every accepted variant of MAST and RAVE, each with its own policy, phases and decay.
#[test]
fn every_statistic() {
    let games = [
        ("hare-and-hounds", native("hare-and-hounds", Some(Strategy::Mod))),
        ("small breakthrough", small_breakthrough(Strategy::ModPlusShift)),
        ("small draughts", small_draughts(Strategy::Mod)),
    ];
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (name, native) in &games {
        for tree in trees() {
            for simulation in [ORTHODOX, SEMISPLIT] {
                for (i, variant) in VARIANTS.into_iter().enumerate() {
                    let joined = variant == Variant::Join && !tree.is_orthodox();
                    let mast = Mast {
                        variant,
                        policy: POLICIES[i % 3],
                        in_expansion: !joined,
                        in_playouts: i != 3,
                        tree_only: i == 1,
                        decay: DECAYS[(i + 1) % 6],
                    };
                    let reference = if i % 2 == 0 { 0 } else { 20 };
                    let rave = Rave { variant, equivalence: 250.0, reference };
                    let seed = jobs.len() as u64;
                    let plain =
                        Config { tree, simulation, exploration: 0.2, seed, ..Config::default() };
                    let configs = [
                        Config { mast: Some(mast), ..plain.clone() },
                        Config { rave: Some(rave), ..plain.clone() },
                        Config { mast: Some(mast), rave: Some(rave), ..plain },
                    ];
                    let accepted = configs.into_iter().filter(|c| c.validate().is_ok());
                    jobs.extend(accepted.map(|c| (*name, native, c, [1400, 600].as_slice())));
                }
            }
        }
    }
    assert!(jobs.len() > 150, "{}", jobs.len());
    check_all(&jobs);
}

/// Every policy with every decay, in every phase, for every variant of MAST.
#[test]
fn every_policy_and_decay() {
    let native = small_breakthrough(Strategy::Mod);
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let designs = [
        (TreeDesign::Orthodox, ORTHODOX),
        (TreeDesign::Semisplit { nodal: true }, SEMISPLIT),
        (trees()[4], ORTHODOX),
    ];
    for (tree, simulation) in designs {
        for variant in VARIANTS {
            for policy in POLICIES {
                for decay in DECAYS {
                    for (in_playouts, in_expansion, tree_only) in
                        [(true, true, false), (true, false, true), (false, true, false)]
                    {
                        let mast =
                            Mast { variant, policy, in_playouts, in_expansion, tree_only, decay };
                        let seed = jobs.len() as u64;
                        let plain = Config { tree, simulation, seed, ..Config::default() };
                        let config = Config { mast: Some(mast), ..plain };
                        if config.validate().is_ok() {
                            jobs.push((
                                "small breakthrough",
                                &native,
                                config,
                                &[700, 500, 400, 400],
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(jobs.len() > 350, "{}", jobs.len());
    check_all(&jobs);
}

/// RAVE with its reference count (TGRAVE) and threshold, on every tree that has it.
#[test]
fn every_reference_and_threshold() {
    let native = small_draughts(Strategy::Mod);
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let variants = VARIANTS.into_iter().chain([Variant::Mix { threshold: 30 }]);
    for variant in variants {
        for tree in trees() {
            for reference in [0, 5, 50, 500] {
                for simulation in [ORTHODOX, SEMISPLIT] {
                    let rave = Rave { variant, equivalence: 100.0, reference };
                    let seed = jobs.len() as u64;
                    let plain = Config { tree, simulation, seed, ..Config::default() };
                    let config = Config { rave: Some(rave), ..plain };
                    if config.validate().is_ok() {
                        jobs.push(("small draughts", &native, config, &[1200, 800]));
                    }
                }
            }
        }
    }
    assert!(jobs.len() > 90, "{}", jobs.len());
    check_all(&jobs);
}
