//! Agents for video games in a corridor: every combination of parts plays, by the rules, reproducibly and to
//! win; limits are kept; what cannot work is refused.

mod components;
mod toy;

use std::time::{Duration, Instant};

use components::{
    EXPANSIONS, SCORES, SELECTIONS, combinations, modifications, modified, others, playouts,
};
use regulus_game::{Sight, World};
use regulus_search::config::Decay;
use regulus_search::video::{
    Algorithm, Chosen, Config, Decision, Evolution, EvolutionKind, Expansion, FinalChoice, Mcts,
    Modifications, Ngrams, Normalisation, Player, Playout, Score, Selection, Stgp, Tree,
};
use regulus_search::{Limits, Refusal};
use toy::{Corridor, Step};

fn config(mcts: Mcts, seed: u64) -> Config {
    Config { algorithm: Algorithm::Mcts(Box::new(mcts)), seed }
}

fn player(config: &Config) -> Player<Corridor> {
    Player::new(config).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn all_configurations(seed: u64) -> impl Iterator<Item = Config> {
    let searches = combinations().into_iter().chain(modified());
    let searches = searches.map(move |mcts| config(mcts, seed));
    searches.chain(others().into_iter().map(move |algorithm| Config { algorithm, seed }))
}

/// A game to its end: all decisions, and the last state.
fn game(config: &Config, mut world: Corridor, limits: &Limits) -> (Vec<Decision<Step>>, Corridor) {
    let mut player = player(config);
    player.begin(&world, limits);
    let mut decisions = Vec::new();
    while !world.is_over() {
        let decision = player.act(&world, limits);
        world.advance(decision.action);
        decisions.push(decision);
    }
    (decisions, world)
}

fn wins(config: impl Fn(u64) -> Config, slips: u64, limits: &Limits) -> usize {
    let play = |seed| game(&config(seed), Corridor::new(3, 7, 16, slips, seed), limits);
    (0..50).filter(|seed| play(*seed).1.won() == Some(true)).count()
}

#[test]
fn all_combinations_play_by_the_rules_and_reproducibly() {
    let limits = Limits::simulations(12);
    for config in all_configurations(7) {
        let corridor = Corridor::new(3, 7, 8, 20, 1);
        let (decisions, last) = game(&config, corridor.clone(), &limits);
        let mut world = corridor.clone();
        for decision in &decisions {
            assert!(world.actions().contains(&decision.action), "{config:?}");
            world.advance(decision.action);
            match config.algorithm {
                Algorithm::Random => assert_eq!((decision.iterations, decision.ticks), (0, 0)),
                Algorithm::OneStep { .. } => assert!((2..=3).contains(&decision.iterations)),
                _ => {
                    assert_eq!(decision.iterations, 12, "{config:?}");
                    // Every iteration goes through a child of the root.
                    let visits: u64 = decision.known.iter().map(|known| known.visits).sum();
                    if takes_children_out(&config) {
                        assert!(visits <= 12, "{config:?}");
                    } else {
                        assert_eq!(visits, 12, "{config:?}");
                        assert_eq!(decision.known[0].action, decision.action);
                    }
                }
            }
        }
        let (again, same) = game(&config, corridor, &limits);
        assert_eq!((again, same.position), (decisions, last.position), "{config:?}");
    }
}

/// Whether iterations can have gone through a child of the root that is not there any more.
fn takes_children_out(config: &Config) -> bool {
    matches!(&config.algorithm, Algorithm::Mcts(mcts) if mcts.modifications.macro_fallback)
}

#[test]
fn nobody_knows_what_chance_will_do() {
    let limits = Limits::simulations(12);
    for config in all_configurations(3) {
        let decide = |seed| player(&config).act(&Corridor::new(3, 7, 16, 50, seed), &limits);
        assert_eq!(decide(1), decide(2), "{config:?}");
    }
}

#[test]
fn decisions_do_not_depend_on_the_clock() {
    let hour = Duration::from_secs(3600);
    for config in all_configurations(5).step_by(7) {
        for limits in [Limits::simulations(20), Limits::states(150)] {
            let timed = Limits { time: Some(hour), ..limits.clone() };
            let corridor = Corridor::new(3, 7, 5, 20, 1);
            let (without, with) =
                (game(&config, corridor.clone(), &limits), game(&config, corridor, &timed));
            assert_eq!(without.0, with.0, "{config:?}");
        }
    }
}

#[test]
fn agents_reach_the_goal_more_often_than_chance() {
    let limits = Limits::simulations(60);
    for slips in [0, 10] {
        let by_chance = wins(|seed| Config { algorithm: Algorithm::Random, seed }, slips, &limits);
        assert!((1..20).contains(&by_chance), "{by_chance}");
        let check = |what: &str, least: usize, make: &dyn Fn(u64) -> Config| {
            let count = wins(make, slips, &limits);
            assert!(count >= least, "{what}, {slips} slips: {count} of 50, by chance {by_chance}");
        };
        let base = || Mcts { score: SCORES[2], ..Mcts::thesis() };
        let mut variants: Vec<Mcts> = Vec::new();
        variants.extend(EXPANSIONS.map(|expansion| Mcts { expansion, ..base() }));
        variants.extend(playouts().map(|playout| Mcts { playout, ..base() }));
        variants.extend(SCORES.map(|score| Mcts { score, ..base() }));
        variants.extend(
            [Normalisation::Game, Normalisation::Tick, Normalisation::Node]
                .map(|normalisation| Mcts { normalisation, ..base() }),
        );
        variants.extend(
            [FinalChoice::Mean, FinalChoice::MostVisited]
                .map(|final_choice| Mcts { final_choice, ..base() }),
        );
        variants.extend([
            Mcts::sample_open_loop(),
            Mcts::sample_closed_loop(),
            Mcts::thesis(),
            Mcts::thesis_nst(),
            Mcts::thesis_quality_based(),
        ]);
        variants.extend(
            modifications().into_iter().map(|modifications| Mcts { modifications, ..base() }),
        );
        for selection in SELECTIONS {
            let playout = match selection {
                Selection::Evo { epsilon } => Playout::one_plus_one(epsilon),
                _ => Playout::Random,
            };
            variants.push(Mcts { selection, playout, ..base() });
        }
        for mcts in variants {
            for tree in [Tree::Open, Tree::Closed] {
                let mcts = Mcts { tree, ..mcts.clone() };
                let what = format!("{mcts:?}");
                check(&what, by_chance + 15, &|seed| config(mcts.clone(), seed));
            }
        }
        for algorithm in others().into_iter().skip(1) {
            if matches!(algorithm, Algorithm::Evolution(Evolution { population: 1, .. })) {
                // The last plan counts, whatever it is.
                continue;
            }
            let what = format!("{algorithm:?}");
            check(&what, by_chance + 8, &|seed| Config { algorithm: algorithm.clone(), seed });
        }
    }
}

#[test]
fn limits_of_ticks_are_kept() {
    let limits = Limits::states(73);
    for config in all_configurations(2) {
        let decision = player(&config).act(&Corridor::new(20, 40, 99, 20, 1), &limits);
        let searches = !matches!(config.algorithm, Algorithm::Random | Algorithm::OneStep { .. });
        if searches {
            // An expansion of all children is not interrupted; an iteration without any tick counts as one.
            assert!(decision.ticks < 73 + 4, "{config:?}: {}", decision.ticks);
            // Modifications can make a closed loop deep: then there are many such iterations.
            let modified = matches!(&config.algorithm, Algorithm::Mcts(mcts)
                if mcts.modifications != Modifications::NONE);
            let idle = if modified { decision.iterations } else { 0 };
            let spent = decision.ticks + idle;
            assert!(spent >= 60, "{config:?}: {} {}", decision.ticks, decision.iterations);
        }
    }
}

#[test]
fn a_full_tree_goes_on_without_expansion_or_stops() {
    for tree in [Tree::Open, Tree::Closed] {
        for expansion in EXPANSIONS {
            let mcts = Mcts { tree, expansion, max_nodes: 16, ..Mcts::thesis() };
            let corridor = Corridor::new(3, 40, 99, 20, 1);
            let decision =
                player(&config(mcts.clone(), 1)).act(&corridor, &Limits::simulations(500));
            assert_eq!(decision.iterations, 500);
            let limits = Limits { memory: true, ..Limits::simulations(500) };
            let decision = player(&config(mcts, 1)).act(&corridor, &limits);
            assert!((4..20).contains(&decision.iterations), "{}", decision.iterations);
        }
    }
}

/// A corridor in which a tick takes two milliseconds, and that says of its actions that they cannot be repeated.
#[derive(Clone)]
struct Slow(Corridor);

impl World for Slow {
    type Action = Step;

    const NIL: Step = Step::Stay;
    const ACTIONS: usize = 4;
    const REPEATS: bool = false;

    fn number(action: Step) -> usize {
        Corridor::number(action)
    }

    fn actions(&self) -> &[Step] {
        self.0.actions()
    }

    fn advance(&mut self, action: Step) {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(2) {
            std::hint::spin_loop();
        }
        self.0.advance(action);
    }

    fn won(&self) -> Option<bool> {
        self.0.won()
    }

    fn score(&self) -> f64 {
        self.0.score()
    }

    fn reseed(&mut self, seed: u64) {
        self.0.reseed(seed);
    }

    fn avatar(&self) -> Option<(f64, f64)> {
        self.0.avatar()
    }

    fn look(&self, see: &mut dyn FnMut(Sight)) {
        self.0.look(see);
    }
}

#[test]
fn a_slow_game_is_interrupted_within_an_iteration() {
    let limits =
        Limits { buffer: Duration::from_millis(5), ..Limits::time(Duration::from_millis(40)) };
    let world = Slow(Corridor::new(500, 1000, 10_000, 20, 1));
    let deep = Mcts { depth: 1000, ..Mcts::thesis() };
    let greedy = Mcts { expansion: Expansion::EpsilonGreedy { epsilon: 0.0 }, ..deep.clone() };
    let closed = Mcts { tree: Tree::Closed, ..deep.clone() };
    let plans = Evolution { horizon: 1000, ..Evolution::sample_rolling_horizon() };
    let algorithms = [deep, greedy, closed].map(|mcts| Algorithm::Mcts(Box::new(mcts)));
    for algorithm in algorithms.into_iter().chain([Algorithm::Evolution(plans)]) {
        let config = Config { algorithm, seed: 1 };
        let mut player: Player<Slow> = Player::new(&config).expect("valid");
        let decision = player.act(&world, &limits);
        // However slow this machine is: in 35 milliseconds there are 17 ticks at most, and a tick or two to
        // notice it.
        assert!((1..=20).contains(&decision.ticks), "{}", decision.ticks);
        assert!(world.actions().contains(&decision.action));
    }
}

#[test]
fn no_time_and_no_limits_still_give_an_action() {
    let corridor = Corridor::new(3, 7, 16, 20, 1);
    let none = [Limits::default(), Limits::simulations(0), Limits::time(Duration::ZERO)];
    for config in all_configurations(1).step_by(3) {
        for limits in &none {
            let mut player = player(&config);
            player.begin(&corridor, limits);
            assert!(corridor.actions().contains(&player.act(&corridor, limits).action));
        }
    }
}

#[test]
fn after_the_end_nothing_is_done() {
    let over = Corridor::new(7, 7, 16, 20, 1);
    for config in all_configurations(1).step_by(3) {
        let mut player = player(&config);
        player.begin(&over, &Limits::simulations(10));
        let decision = player.act(&over, &Limits::simulations(10));
        assert_eq!((decision.action, decision.iterations), (Step::Stay, 0));
    }
}

#[test]
fn the_time_before_the_game_is_used_to_learn() {
    let mcts = || Mcts { playout: Playout::Mast { epsilon: 0.0 }, ..Mcts::thesis_nst() };
    let corridor = Corridor::new(3, 7, 16, 0, 1);
    let mut prepared = player(&config(mcts(), 1));
    prepared.begin(&corridor, &Limits::simulations(2000));
    let decision = prepared.act(&corridor, &Limits::simulations(2));
    // The tree was thrown away.
    assert_eq!(decision.iterations, 2);
    assert_eq!(decision.known.iter().map(|known| known.visits).sum::<u64>(), 2);
    // What was learned was not: in greedy play-outs everybody walks to the goal.
    assert!(decision.known.iter().all(|known| known.mean > 1e6), "{:?}", decision.known);
}

fn refusal(config: &Config) -> Refusal {
    match Player::<Corridor>::new(config) {
        Ok(_) => panic!("accepted: {config:?}"),
        Err(refusal) => refusal,
    }
}

#[test]
fn what_cannot_work_is_refused_with_a_reason() {
    let base = Mcts::thesis;
    let stgp = |change: fn(&mut Stgp)| {
        let mut stgp = Stgp::default();
        change(&mut stgp);
        Mcts { playout: Playout::Stgp(stgp), ..base() }
    };
    let ngrams = Ngrams::default();
    let no_such = Selection::Registered(Chosen::new("uctt", &[]));
    let registered = Selection::Registered(Chosen::new("uct", &[("c", -1.0)]));
    let cases = [
        ("selection.c", Mcts { selection: Selection::Uct { c: f64::NAN }, ..base() }),
        (
            "selection.c",
            Mcts { selection: Selection::AdaptiveC { c: -0.1, global: false }, ..base() },
        ),
        ("selection.c", Mcts { selection: registered, ..base() }),
        ("selection", Mcts { selection: no_such, ..base() }),
        ("selection", Mcts { selection: Selection::Evo { epsilon: 0.4 }, ..base() }),
        (
            "selection.epsilon",
            Mcts { selection: Selection::EpsilonGreedy { epsilon: 1.1 }, ..base() },
        ),
        (
            "selection.w",
            Mcts {
                selection: Selection::ProgressiveHistory { c: 1.0, w: f64::INFINITY },
                ..base()
            },
        ),
        ("selection.d", Mcts { selection: Selection::SinglePlayer { c: 1.0, d: -1.0 }, ..base() }),
        (
            "expansion.epsilon",
            Mcts { expansion: Expansion::EpsilonGreedy { epsilon: -0.1 }, ..base() },
        ),
        (
            "expansion.epsilon",
            Mcts { expansion: Expansion::ActionBased { epsilon: 2.0 }, ..base() },
        ),
        ("playout.epsilon", Mcts { playout: Playout::Mast { epsilon: f64::NAN }, ..base() }),
        ("playout.population", stgp(|stgp| stgp.population = 1)),
        ("playout.initial_depth", stgp(|stgp| stgp.initial_depth = 11)),
        ("playout.winners", stgp(|stgp| stgp.winners = 3)),
        ("playout.tournament", stgp(|stgp| stgp.tournament = 101)),
        ("ngrams.length", Mcts { ngrams: Ngrams { length: 0, ..ngrams }, ..base() }),
        ("ngrams.length", Mcts { ngrams: Ngrams { length: 7, ..ngrams }, ..base() }),
        (
            "ngrams.decay",
            Mcts { ngrams: Ngrams { decay: Decay::Move { factor: 1.5 }, ..ngrams }, ..base() },
        ),
        ("score.k", Mcts { score: Score::Normalised { k: -1.0 }, ..base() }),
        ("score.bonus", Mcts { score: Score::Gvgai { bonus: f64::NAN, depth: 0.0 }, ..base() }),
        ("depth", Mcts { depth: 0, ..base() }),
        ("max_nodes", Mcts { max_nodes: 3, ..base() }),
    ];
    let with = |change: fn(&mut Modifications)| {
        let mut modifications = Modifications::NONE;
        change(&mut modifications);
        Mcts { modifications, ..base() }
    };
    let modified = [
        ("mixmax", with(|m| m.mixmax = 1.1)),
        ("mixmax", Mcts { selection: Selection::Random, ..with(|m| m.mixmax = 0.1) }),
        ("macro_length", with(|m| m.macro_length = 0)),
        ("macro_length", with(|m| m.macro_length = 11)),
        ("urgency", with(|m| m.urgency = Chosen::new("partial", &[]))),
        (
            "urgency.k",
            with(|m| m.urgency = Chosen::new("partial_expansion", &[("k", 1.5), ("c", 1.0)])),
        ),
        ("urgency.value", with(|m| m.urgency = Chosen::new("first_play", &[("value", f64::NAN)]))),
        (
            "widening.k_init",
            with(|m| {
                m.widening = Chosen::new(
                    "unpruning",
                    &[("threshold", 9.0), ("k_init", 1.5), ("a", 9.0), ("b", 2.0)],
                )
            }),
        ),
        ("widening.b", with(|m| m.widening = Chosen::new("widening", &[("a", 9.0), ("b", 0.5)]))),
        (
            "reversal.positions",
            with(|m| {
                m.reversal = Chosen::new("last_positions", &[("positions", 0.0), ("factor", 0.9)])
            }),
        ),
        (
            "reversal.factor",
            with(|m| {
                m.reversal = Chosen::new("last_positions", &[("positions", 5.0), ("factor", 1.1)])
            }),
        ),
        (
            "replies",
            with(|m| {
                m.replies = Chosen::new(
                    "lgr2",
                    &[("forgetting", 1.0), ("playout", 0.0), ("expansion", 0.0)],
                )
            }),
        ),
        (
            "replies.forgetting",
            with(|m| {
                m.replies = Chosen::new(
                    "lgr2",
                    &[("forgetting", 2.0), ("playout", 1.0), ("expansion", 1.0)],
                )
            }),
        ),
        (
            "allocation",
            Mcts {
                final_choice: FinalChoice::MostVisited,
                ..with(|m| m.allocation = Chosen::new("sequential_halving", &[]))
            },
        ),
    ];
    for (parameter, mcts) in cases.into_iter().chain(modified) {
        let refusal = refusal(&config(mcts, 0));
        assert_eq!(refusal.parameter, parameter, "{refusal}");
        assert!(!refusal.reason.is_empty());
    }
    let rolling = Evolution::sample_rolling_horizon();
    let microbial = Evolution::sample_microbial();
    let all_elite = EvolutionKind::RollingHorizon { elite: 10, tournament: 2 };
    let cases = [
        ("elite", Evolution { kind: all_elite, ..rolling }),
        (
            "tournament",
            Evolution {
                population: 2,
                kind: EvolutionKind::RollingHorizon { elite: 1, tournament: 3 },
                ..rolling
            },
        ),
        ("population", Evolution { population: 1, ..microbial }),
        ("horizon", Evolution { horizon: 0, ..rolling }),
        ("trials", Evolution { trials: 0, ..rolling }),
        ("mutation", Evolution { mutation: 1.5, ..microbial }),
    ];
    for (parameter, evolution) in cases {
        let refusal = refusal(&Config { algorithm: Algorithm::Evolution(evolution), seed: 0 });
        assert_eq!(refusal.parameter, parameter, "{refusal}");
    }
    let repeating = config(with(|m| m.macro_length = 2), 0);
    assert!(Player::<Corridor>::new(&repeating).is_ok());
    let refusal = Player::<Slow>::new(&repeating).err().expect("actions that cannot be repeated");
    assert_eq!(refusal.parameter, "macro_length");
    let searching = config(base(), 0);
    assert!(searching.validate_limits(&Limits::default()).is_err());
    assert!(searching.validate_limits(&Limits::simulations(1)).is_ok());
}
