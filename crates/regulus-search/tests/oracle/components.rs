//! Parts that change selection and expansion: alone and several together, on whole trees of moves and of semimoves.

use regulus_game::Random;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_search::config::{
    Config, Decisive, FinalSelection, Mast, Policy, Rave, TreeDesign, TreePolicy, Variant,
};
use regulus_search::video::{Chosen, Selection};

use crate::compare::{Job, check_all};
use crate::games::{native, small_breakthrough, small_draughts};
use crate::{DECAYS, ORTHODOX, SEMISPLIT};

/// Scores that change before the end, moves that can be taken back, one player, three players.
fn games() -> Vec<(&'static str, Native)> {
    vec![
        ("tic-tac-toe", native("tic-tac-toe", Some(Strategy::Mod))),
        ("hare-and-hounds", native("hare-and-hounds", Some(Strategy::Mod))),
        ("small breakthrough", small_breakthrough(Strategy::ModPlusShift)),
        ("small draughts", small_draughts(Strategy::Mod)),
        ("knightthrough", native("knightthrough", Some(Strategy::Mod))),
        ("rolit", native("rolit", Some(Strategy::ModPlus))),
        ("eight-puzzle", native("eight-puzzle", Some(Strategy::Mod))),
    ]
}

const C: f64 = 0.4;

const SELECTIONS: [Selection; 9] = [
    Selection::Uct { c: C },
    Selection::AdaptiveC { c: C, global: false },
    Selection::Ucb1Tuned,
    Selection::SinglePlayer { c: C, d: 0.5 },
    Selection::ProgressiveHistory { c: C, w: 2.0 },
    Selection::Registered(Chosen::new("progressive_bias", &[("c", C), ("w", 3.0)])),
    Selection::EpsilonGreedy { epsilon: 0.3 },
    Selection::DecreasingEpsilon,
    Selection::Random,
];

/// Every part alone.
fn parts() -> Vec<TreePolicy> {
    let none = TreePolicy::default();
    let urgency = |name, values: &[(&'static str, f64)]| TreePolicy {
        urgency: Chosen::new(name, values),
        ..none
    };
    let widening = |name, values: &[(&'static str, f64)]| TreePolicy {
        widening: Chosen::new(name, values),
        ..none
    };
    let reversal = |values: &[(&'static str, f64)]| TreePolicy {
        reversal: Chosen::new("last_positions", values),
        ..none
    };
    let mut all = vec![
        TreePolicy { mixmax: 0.125, ..none },
        TreePolicy { mixmax: 1.0, ..none },
        TreePolicy { score_bias: 2.0, ..none },
        TreePolicy { score_bias: 2.0, score_bias_from: 4, ..none },
        urgency("first_play", &[("value", 0.9)]),
        urgency("first_play", &[("value", 1.1)]),
        urgency("partial_expansion", &[("k", 0.5), ("c", 0.3)]),
        // Sums and powers of these are exact, so that they are reached at the same visit by either way to them.
        widening("widening", &[("a", 4.0), ("b", 1.5)]),
        widening("unpruning", &[("threshold", 20.0), ("k_init", 2.0), ("a", 16.0), ("b", 1.5)]),
        reversal(&[("positions", 5.0), ("factor", 0.5)]),
        reversal(&[("positions", 2.0), ("factor", 0.9)]),
        TreePolicy { reversal: Chosen::new("forbidden", &[("positions", 2.0)]), ..none },
        TreePolicy { reversal: Chosen::new("forbidden", &[("positions", 5.0)]), ..none },
        TreePolicy { decisive: Decisive::Wins, ..none },
        TreePolicy { decisive: Decisive::WinsAndBlocks, ..none },
    ];
    let selections = SELECTIONS.iter();
    all.extend(selections.map(|selection| TreePolicy { selection: Some(*selection), ..none }));
    all
}

/// Parts and those of another, where it has any.
fn with(a: TreePolicy, b: TreePolicy) -> TreePolicy {
    let either = |a: Chosen, b: Chosen| if b.is_none() { a } else { b };
    TreePolicy {
        selection: b.selection.or(a.selection),
        score_bias: a.score_bias.max(b.score_bias),
        score_bias_from: a.score_bias_from.max(b.score_bias_from),
        mixmax: a.mixmax.max(b.mixmax),
        reversal: either(a.reversal, b.reversal),
        urgency: either(a.urgency, b.urgency),
        widening: either(a.widening, b.widening),
        decisive: if b.decisive == Decisive::Off { a.decisive } else { b.decisive },
        ..a
    }
}

const TREES: [TreeDesign; 3] = [
    TreeDesign::Orthodox,
    TreeDesign::Semisplit { nodal: false },
    TreeDesign::Semisplit { nodal: true },
];

/// With MAST for the parts that ask for it, and roulette-wheel expansion.
fn config(tree: TreeDesign, tree_policy: TreePolicy, number: usize) -> Config {
    let simulation = if tree.is_orthodox() { ORTHODOX } else { SEMISPLIT };
    let by_mast = matches!(
        tree_policy.selection,
        Some(Selection::ProgressiveHistory { .. } | Selection::Registered(_))
    );
    let policy = if number.is_multiple_of(2) {
        Policy::Roulette
    } else {
        Policy::EpsilonGreedy { epsilon: 0.4 }
    };
    let mast =
        Mast { variant: Variant::Split, policy, decay: DECAYS[number % 6], ..Mast::default() };
    Config {
        tree,
        simulation,
        tree_policy,
        mast: (by_mast || number.is_multiple_of(3)).then_some(mast),
        seed: number as u64,
        exploration: C,
        ..Config::default()
    }
}

#[test]
fn every_part() {
    let games = games();
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (name, native) in &games {
        for tree in TREES {
            for part in parts() {
                let config = config(tree, part, jobs.len());
                config.validate().expect("it exists");
                jobs.push((name, native, config, &[300, 150, 5, 100]));
            }
        }
    }
    check_all(&jobs);
}

/// Halving at the root, below it every part or none; turns with fewer iterations than moves, and with many for each.
#[test]
fn halving_at_the_root() {
    let games = games();
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for allocation in ["sequential_halving", "anytime_halving"] {
        for (name, native) in &games {
            for tree in TREES {
                for part in parts().into_iter().step_by(3).chain([TreePolicy::default()]) {
                    let mut config = config(tree, part, jobs.len());
                    config.allocation = Chosen::new(allocation, &[]);
                    if allocation == "anytime_halving" && jobs.len().is_multiple_of(2) {
                        config.final_selection = FinalSelection::MostVisited;
                    }
                    config.validate().expect("it exists");
                    jobs.push((name, native, config, &[300, 700, 5, 100]));
                }
            }
        }
    }
    check_all(&jobs);
}

/// Two or three parts at random, some with RAVE.
#[test]
fn parts_together() {
    let (games, parts) = (games(), parts());
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let mut random = Random::new(5);
    while jobs.len() < 250 {
        let mut any = |count: usize| random.below(count as u64) as usize;
        let (name, native) = &games[any(games.len())];
        let mut policy = with(parts[any(parts.len())], parts[any(parts.len())]);
        if any(2) == 0 {
            policy = with(policy, parts[any(parts.len())]);
        }
        let mut config = config(TREES[any(TREES.len())], policy, jobs.len());
        if any(3) == 0 {
            let reference = [0, 30][any(2)];
            config.rave = Some(Rave { reference, ..Rave::default() });
        }
        if any(3) == 0 {
            let name = ["sequential_halving", "anytime_halving"][any(2)];
            config.allocation = Chosen::new(name, &[]);
        }
        if config.validate().is_ok() {
            jobs.push((name, native, config, &[300, 150, 5, 100]));
        }
    }
    check_all(&jobs);
}
