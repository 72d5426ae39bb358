//! All parts of agents for video games, and how they are put together.

use regulus_search::config::Decay;
use regulus_search::video::{
    ActionChoice, Algorithm, Chosen, Config, Evolution, EvolutionKind, Expansion, Generation, Mcts,
    Modifications, Ngrams, Playout, Score, Selection, Span, Stgp, Tree,
};

pub const SELECTIONS: [Selection; 11] = [
    Selection::Uct { c: 0.6 },
    Selection::AdaptiveC { c: 0.6, global: false },
    Selection::AdaptiveC { c: 0.6, global: true },
    Selection::Ucb1Tuned,
    Selection::ProgressiveHistory { c: 0.6, w: 1.0 },
    Selection::SinglePlayer { c: 0.6, d: 1.0 },
    Selection::EpsilonGreedy { epsilon: 0.6 },
    Selection::DecreasingEpsilon,
    Selection::Random,
    Selection::Evo { epsilon: 0.4 },
    Selection::Registered(Chosen::new("progressive_bias", &[("c", 0.6), ("w", 1.0)])),
];

pub const EXPANSIONS: [Expansion; 6] = [
    Expansion::Random,
    Expansion::EpsilonGreedy { epsilon: 0.5 },
    Expansion::ActionBased { epsilon: 0.4 },
    Expansion::AllChildren,
    Expansion::Registered(Chosen::new("roulette_wheel", &[("floor", 0.1)])),
    Expansion::Registered(Chosen::new(
        "weighted_wheel",
        &[("nil", 1.0), ("up", 2.0), ("left", 3.0), ("down", 0.5), ("right", 1.0), ("use", 1.0)],
    )),
];

pub fn playouts() -> [Playout; 6] {
    let stgp = Stgp {
        population: 10,
        initial_depth: 3,
        max_depth: 5,
        generation: Generation::Full,
        ..Stgp::default()
    };
    [
        Playout::Random,
        Playout::Mast { epsilon: 0.5 },
        Playout::Nst { epsilon: 0.5 },
        Playout::one_plus_one(0.4),
        Playout::OnePlusOne { epsilon: 0.1, choice: ActionChoice::Softmax, fitness: Span::Tick },
        Playout::Stgp(stgp),
    ]
}

const fn quality_based(separated: bool) -> Score {
    let (relative, qualitative, estimated) = (0.25, 0.25, separated);
    Score::QualityBased { relative, qualitative, k: 1.0, separated, delta: 1.0, estimated }
}

pub const SCORES: [Score; 6] = [
    Score::WinLoss,
    Score::Gvgai { bonus: 1e7, depth: 0.0 },
    Score::Gvgai { bonus: 1e3, depth: 0.1 },
    Score::Normalised { k: 0.1 },
    quality_based(false),
    quality_based(true),
];

/// All combinations of parts that go together.
pub fn combinations() -> Vec<Mcts> {
    let mut all = Vec::new();
    for selection in SELECTIONS {
        for expansion in EXPANSIONS {
            for playout in playouts() {
                let learns = matches!(playout, Playout::OnePlusOne { .. } | Playout::Stgp(_));
                if matches!(selection, Selection::Evo { .. }) && !learns {
                    continue;
                }
                for score in SCORES {
                    for tree in [Tree::Open, Tree::Closed] {
                        all.push(Mcts {
                            tree,
                            selection,
                            expansion,
                            playout: playout.clone(),
                            score,
                            ngrams: Ngrams {
                                length: 3,
                                threshold: 2,
                                decay: Decay::Move { factor: 0.15 },
                            },
                            ..Mcts::thesis()
                        });
                    }
                }
            }
        }
    }
    all
}

/// Every modification alone.
pub fn modifications() -> Vec<Modifications> {
    let none = Modifications::NONE;
    let urgency = |name, values: &[(&'static str, f64)]| Modifications {
        urgency: Chosen::new(name, values),
        ..none
    };
    let widening = |name, values: &[(&'static str, f64)]| Modifications {
        widening: Chosen::new(name, values),
        ..none
    };
    let replies = |name, values: &[(&'static str, f64)]| Modifications {
        replies: Chosen::new(name, values),
        ..none
    };
    let allocation = |name| Modifications { allocation: Chosen::new(name, &[]), ..none };
    vec![
        Modifications { mixmax: 0.1, ..none },
        Modifications { mixmax: 1.0, ..none },
        Modifications { macro_length: 3, ..none },
        Modifications { macro_length: 4, macro_fallback: true, ..none },
        Modifications { reversal: Chosen::new("forbidden", &[("positions", 1.0)]), ..none },
        urgency("partial_expansion", &[("k", 0.5), ("c", 0.4)]),
        urgency("first_play", &[("value", 1.1)]),
        widening("unpruning", &[("threshold", 6.0), ("k_init", 1.0), ("a", 6.0), ("b", 1.3)]),
        widening("widening", &[("a", 2.0), ("b", 1.4)]),
        Modifications {
            reversal: Chosen::new("last_positions", &[("positions", 5.0), ("factor", 0.95)]),
            ..none
        },
        Modifications { reversal: Chosen::new("forbidden", &[("positions", 3.0)]), ..none },
        replies("lgr1", &[("forgetting", 1.0), ("playout", 1.0), ("expansion", 1.0)]),
        replies("lgr2", &[("forgetting", 0.0), ("playout", 1.0), ("expansion", 0.0)]),
        replies("lgr2", &[("forgetting", 1.0), ("playout", 0.0), ("expansion", 1.0)]),
        allocation("sequential_halving"),
        allocation("anytime_halving"),
    ]
}

/// Two modifications; where both say something the second counts.
fn both(first: Modifications, second: Modifications) -> Modifications {
    let chosen = |a: Chosen, b: Chosen| if b.is_none() { a } else { b };
    Modifications {
        mixmax: if second.mixmax > 0.0 { second.mixmax } else { first.mixmax },
        macro_length: first.macro_length.max(second.macro_length),
        macro_fallback: first.macro_fallback || second.macro_fallback,
        urgency: chosen(first.urgency, second.urgency),
        widening: chosen(first.widening, second.widening),
        reversal: chosen(first.reversal, second.reversal),
        replies: chosen(first.replies, second.replies),
        allocation: chosen(first.allocation, second.allocation),
    }
}

/// What the documentation says about modifications that go together with each other and with parts.
fn goes_together(mcts: &Mcts) -> bool {
    let added = &mcts.modifications;
    let by_mean = !matches!(mcts.selection, Selection::Random | Selection::Evo { .. });
    let bounds = by_mean
        && !matches!(
            mcts.selection,
            Selection::EpsilonGreedy { .. } | Selection::DecreasingEpsilon
        );
    let changes_values = added.mixmax > 0.0 || !added.reversal.is_none();
    let says_when = !added.urgency.is_none() || !added.widening.is_none();
    let adds_one = added.urgency.name == "partial_expansion" || added.widening.name == "widening";
    let evolves = matches!(mcts.playout, Playout::OnePlusOne { .. } | Playout::Stgp(_));
    let replies = !added.replies.is_none() && added.replies.flag("playout");
    (by_mean || !changes_values)
        && (bounds || !says_when)
        && (added.urgency.is_none() || added.widening.is_none())
        && !(adds_one && mcts.expansion == Expansion::AllChildren)
        && !(replies && evolves)
        && (evolves || !matches!(mcts.selection, Selection::Evo { .. }))
}

/// Modifications with every selection, expansion and play-out, and every two of them; those that do not go
/// together are refused.
pub fn modified() -> Vec<Mcts> {
    let base = || Mcts { score: SCORES[2], ..Mcts::thesis() };
    let mut all = Vec::new();
    for modifications in modifications() {
        for expansion in EXPANSIONS {
            for selection in SELECTIONS {
                let playout = match selection {
                    Selection::Evo { epsilon } => Playout::one_plus_one(epsilon),
                    _ => Playout::Random,
                };
                all.push(Mcts { selection, expansion, playout, modifications, ..base() });
            }
            for playout in playouts() {
                all.push(Mcts { expansion, playout, modifications, ..base() });
            }
        }
        for second in self::modifications() {
            all.push(Mcts { modifications: both(modifications, second), ..base() });
        }
    }
    let mut possible = Vec::new();
    for mcts in all {
        let valid =
            Config { algorithm: Algorithm::Mcts(Box::new(mcts.clone())), seed: 0 }.validate();
        assert_eq!(valid.is_ok(), goes_together(&mcts), "{mcts:?}: {valid:?}");
        if valid.is_ok() {
            possible.push(Mcts { tree: Tree::Closed, ..mcts.clone() });
            possible.push(mcts);
        }
    }
    possible
}

/// Agents that are not tree searches.
pub fn others() -> Vec<Algorithm> {
    let score = SCORES[1];
    let rolling = Evolution::sample_rolling_horizon();
    vec![
        Algorithm::Random,
        Algorithm::OneStep { score },
        Algorithm::Evolution(rolling),
        Algorithm::Evolution(Evolution { shift: true, trials: 2, ..rolling }),
        Algorithm::Evolution(Evolution {
            kind: EvolutionKind::RollingHorizon { elite: 0, tournament: 1 },
            population: 1,
            ..rolling
        }),
        Algorithm::Evolution(Evolution::sample_microbial()),
        Algorithm::Evolution(Evolution { shift: false, ..Evolution::sample_microbial() }),
    ]
}
