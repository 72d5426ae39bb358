//! Files and names of agents for video games.

use std::sync::Arc;

use std::time::Duration;

use regulus_agent::{
    Described, Games, VIDEO_COLLECTION, VideoAgent, any_by_name, by_name, explain, read, read_any,
    read_video, video_by_name, write,
};
use regulus_search::config::Decay;
use regulus_search::video::{
    ActionChoice, Algorithm, Chosen, Config, Evolution, Expansion, FinalChoice, Mcts,
    Modifications, Ngrams, Playout, Score, Selection, Span,
};

/// The file of an algorithm with parameters.
fn file(algorithm: &str, parameters: &str) -> String {
    format!(r#"{{ "algorithm": {{ "name": "{algorithm}", "parameters": {parameters} }} }}"#)
}

fn named(name: &str) -> VideoAgent {
    video_by_name(name).unwrap_or_else(|e| panic!("{e}"))
}

fn search(name: &str) -> Mcts {
    match named(name).config.algorithm {
        Algorithm::Mcts(search) => *search,
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn what_is_written_is_read_again() {
    for name in VIDEO_COLLECTION {
        let agent = named(name);
        assert_eq!(agent.name, *name);
        let text = write(&agent);
        assert_eq!(read_video(name, &text).unwrap_or_else(|e| panic!("{name}: {e}")), agent);
        assert_eq!(agent.games(), Games::Video);
        let any: Arc<dyn Described> = Arc::new(agent);
        assert_eq!(read_any(name, &text), Ok(any.clone()));
        assert_eq!(any_by_name(name), Ok(any.clone()));
        assert_eq!(write(&*any), text);
    }
}

#[test]
fn no_two_names_of_the_collection_are_the_same_agent() {
    for (i, first) in VIDEO_COLLECTION.iter().enumerate() {
        for second in &VIDEO_COLLECTION[..i] {
            assert_ne!(named(first).config, named(second).config, "{first} {second}");
        }
    }
}

#[test]
fn known_agents_have_names() {
    assert_eq!(search("vg-ol-mcts"), Mcts::sample_open_loop());
    assert_eq!(search("vg-mcts"), Mcts::sample_closed_loop());
    assert_eq!(search("vg-ol-mcts_uct"), Mcts::thesis());
    assert_eq!(search("vg-ol-mcts_ph_nst_decay0.15"), Mcts::thesis_nst());
    assert_eq!(search("vg-ol-mcts_uct_qb"), Mcts::thesis_quality_based());
    assert_eq!(search("vg-mcts_uct").max_nodes, search("vg-mcts").max_nodes);
    let rhea = Algorithm::Evolution(Evolution::sample_rolling_horizon());
    assert_eq!(named("vg-rhea").config.algorithm, rhea);
    let microbial = Algorithm::Evolution(Evolution::sample_microbial());
    assert_eq!(named("vg-microbial").config.algorithm, microbial);
    // TIME_BUFFER_MILLISEC of GVGAI-THESIS 3.4.2.
    assert_eq!(named("vg-ol-mcts").buffer, Duration::from_millis(5));
    assert_eq!(named("vg-random").config, Config { algorithm: Algorithm::Random, seed: 0 });
}

/// Parameters of GVGAI-THESIS 5.2.2 to 5.2.6.
#[test]
fn agents_of_the_tables() {
    let plain = search("vg-ol-mcts_uct");
    assert_eq!(plain.selection, Selection::Uct { c: 0.6 });
    assert_eq!(plain.final_choice, FinalChoice::Mean);
    let nst = search("vg-ol-mcts_ph_nst_qb_decay0.15");
    assert_eq!(nst.selection, Selection::ProgressiveHistory { c: 0.6, w: 1.0 });
    assert_eq!(nst.playout, Playout::Nst { epsilon: 0.5 });
    assert_eq!(nst.ngrams, Ngrams { length: 3, threshold: 7, decay: Decay::Move { factor: 0.15 } });
    let of_table = search("vg-ol-mcts_uct_nst_qb");
    assert_eq!(
        of_table.ngrams,
        Ngrams { length: 3, threshold: 7, decay: Decay::Move { factor: 0.0 } }
    );
    let quality = |name: &str| match search(name).score {
        Score::QualityBased { relative, qualitative, separated, .. } => {
            (relative, qualitative, separated)
        }
        other => panic!("{name} has {other:?}"),
    };
    assert_eq!(quality("vg-ol-mcts_uct_qb"), (0.9, 0.6, false));
    assert_eq!(quality("vg-ol-mcts_uct_qbseparated"), (0.25, 0.25, true));
    assert_eq!(quality("vg-ol-mcts_uct_qbnone"), (0.0, 0.0, false));
    assert_eq!(quality("vg-ol-mcts_uct_qbrelative"), (0.25, 0.0, false));
    assert_eq!(quality("vg-ol-mcts_uct_qbquality"), (0.0, 0.25, false));
    let mast = search("vg-ol-mcts_uct_mast_qb");
    assert_eq!(mast.playout, Playout::Mast { epsilon: 0.5 });
    assert_eq!(mast.ngrams, Ngrams { length: 1, threshold: 7, decay: Decay::Move { factor: 0.1 } });
    assert_eq!(search("vg-ol-mcts_uct_ea_qb").playout, Playout::one_plus_one(0.4));
    let fast_evo = search("vg-fast-evo");
    assert_eq!(fast_evo, Mcts::fast_evo());
    let softmax =
        Playout::OnePlusOne { epsilon: 0.0, choice: ActionChoice::Softmax, fitness: Span::Game };
    assert_eq!((&fast_evo.playout, fast_evo.final_choice), (&softmax, FinalChoice::MostVisited));
    assert_eq!(search("vg-ol-mcts_uct_easoftmax").playout, softmax);
    assert_eq!(
        search("vg-ol-mcts_adaptiveglobal").selection,
        Selection::AdaptiveC { c: 0.6, global: true }
    );
    assert!(matches!(
        search("vg-ol-mcts_uct_qbestimated").score,
        Score::QualityBased { estimated: true, .. }
    ));
    assert_eq!(search("vg-ol-mcts_uct_stgp").playout, Playout::Stgp(Default::default()));
    let action_based = search("vg-ol-mcts_uct_actionexpand");
    assert_eq!(action_based.expansion, Expansion::ActionBased { epsilon: 0.4 });
    assert_eq!(action_based.ngrams, Ngrams::default());
    let greedy = search("vg-ol-mcts_uct_greedyexpand");
    assert_eq!(greedy.expansion, Expansion::EpsilonGreedy { epsilon: 0.5 });
    assert_eq!(search("vg-ol-mcts_greedy").selection, Selection::EpsilonGreedy { epsilon: 0.6 });
    assert_eq!(search("vg-ol-mcts_uct1.4").selection, Selection::Uct { c: 1.4 });
}

#[test]
fn numbers_and_options_of_names() {
    assert_eq!(search("vg-ol-mcts_uct0").selection, Selection::Uct { c: 0.0 });
    assert_eq!(search("vg-mcts_mast0.25").playout, Playout::Mast { epsilon: 0.25 });
    let both = search("vg-ol-mcts_actionexpand_nst_grams2_decay0.5");
    assert_eq!(both.ngrams, Ngrams { length: 2, threshold: 7, decay: Decay::Move { factor: 0.5 } });
    let expansion = search("vg-ol-mcts_nst_actionexpand");
    assert_eq!(
        expansion.ngrams,
        Ngrams { length: 3, threshold: 7, decay: Decay::Move { factor: 0.0 } }
    );
    let Algorithm::OneStep { score } = named("vg-one-step_winloss").config.algorithm else {
        panic!("one step");
    };
    assert_eq!(score, Score::WinLoss);
}

/// Published parameters, where there are any, and those of names.
#[test]
fn modifications_have_words_and_keys() {
    let none = Modifications::NONE;
    let added = |name: &str| search(name).modifications;
    assert_eq!(added("vg-ol-mcts_uct"), none);
    assert_eq!(added("vg-ol-mcts_mixmax0.1"), Modifications { mixmax: 0.1, ..none });
    assert_eq!(added("vg-mcts_mixmax0.25"), Modifications { mixmax: 0.25, ..none });
    assert_eq!(added("vg-ol-mcts_macro3"), Modifications { macro_length: 3, ..none });
    // C = 0.6 of equation 3.1 divided by the root of 2.
    let partial = added("vg-ol-mcts_partial").urgency;
    assert_eq!((partial.name, partial.number("k")), ("partial_expansion", 0.5));
    assert!((partial.number("c") - 0.424_264).abs() < 1e-6);
    let file = file(
        "OPEN_LOOP_MCTS",
        r#"{ "urgency": "partial_expansion", "widening": "none", "reversal": "last_positions",
             "replies": "lgr2", "allocation": "anytime_halving", "mixmax": 0.1, "macro_length": 2 }"#,
    );
    let Algorithm::Mcts(read) = read_video("mine", &file).expect("valid").config.algorithm else {
        panic!("a search");
    };
    let expected = Modifications {
        macro_fallback: false,
        mixmax: 0.1,
        macro_length: 2,
        urgency: Chosen::new("partial_expansion", &[("k", 0.5), ("c", 1.0)]),
        widening: Chosen::NONE,
        reversal: Chosen::new("last_positions", &[("positions", 5.0), ("factor", 0.95)]),
        replies: Chosen::new("lgr2", &[("forgetting", 1.0), ("playout", 1.0), ("expansion", 1.0)]),
        allocation: Chosen::new("anytime_halving", &[]),
    };
    assert_eq!(read.modifications, expected);
    let widening = |name: &str| {
        let text = self::file("OPEN_LOOP_MCTS", &format!(r#"{{ "widening": "{name}" }}"#));
        match read_video("mine", &text).expect("valid").config.algorithm {
            Algorithm::Mcts(search) => search.modifications.widening,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        widening("unpruning"),
        Chosen::new("unpruning", &[("threshold", 50.0), ("k_init", 5.0), ("a", 50.0), ("b", 1.3)])
    );
    assert_eq!(widening("widening"), Chosen::new("widening", &[("a", 40.0), ("b", 1.4)]));
    assert_eq!(
        added("vg-ol-mcts_lgrf2").replies,
        Chosen::new("lgr2", &[("forgetting", 1.0), ("playout", 1.0), ("expansion", 1.0)])
    );
    assert_eq!(
        added("vg-ol-mcts_lgr1").replies,
        Chosen::new("lgr1", &[("forgetting", 0.0), ("playout", 1.0), ("expansion", 1.0)])
    );
    assert_eq!(
        added("vg-ol-mcts_reversal0.5").reversal,
        Chosen::new("last_positions", &[("positions", 5.0), ("factor", 0.5)])
    );
    assert_eq!(added("vg-ol-mcts_halving").allocation.name, "sequential_halving");
    let words = explain(&named("vg-ol-mcts_mixmax0.1_macro3_partial_reversal_roulette"));
    for expected in [
        "mixmax = 0.1: q of MixMax backups",
        "macro_length = 3: how often an action is repeated",
        "urgency = partial_expansion: a child is added when",
        "reversal = last_positions: ",
        "positions = 5, factor = 0.95",
        "expansion = roulette_wheel: ",
    ] {
        assert!(words.contains(expected), "{words}");
    }
    assert!(!explain(&named("vg-ol-mcts")).contains("urgency"));
}

#[test]
fn wrong_names_say_why() {
    for (name, why) in [
        ("vg-ol-mcts_mixmax2", "mixmax = 2: must be a number from 0 to 1"),
        ("vg-ol-mcts_macro2.5", "macro_length = 2.5: must be a whole number from 1 to 1000"),
        ("vg-ol-mcts_partial_fpu", "it says twice what the urgency is"),
        ("vg-ol-mcts_halving2", "`halving` has no number"),
        ("vg-rhea_macro3", "ROLLING_HORIZON does not use it, only OPEN_LOOP_MCTS and"),
        ("vg-mtcs", "there is no algorithm `vg-mtcs`"),
        ("vg-ol-mcts_", "`` means nothing"),
        ("vg-ol-mcts_nstt", "`nstt` means nothing"),
        ("vg-ol-mcts_mast_nst", "it says twice what the playout is"),
        ("vg-ol-mcts_mast_decay0.1_decay0.2", "it says twice what the decay is"),
        ("vg-ol-mcts_ucb1t2", "`ucb1t` has no number"),
        ("vg-ol-mcts_uct1.2.3", "`1.2.3` is no number"),
        ("vg-ol-mcts_greedy2", "selection.epsilon = 2: must be a number from 0 to 1"),
        ("vg-ol-mcts_uct_decay0.1", "no part uses them"),
        ("vg-ol-mcts_mast_grams2", "only the play-out nst"),
        ("vg-random_winloss", "RANDOM does not use it, only ONE_STEP, OPEN_LOOP_MCTS"),
        ("vg-rhea_mast", "ROLLING_HORIZON does not use it, only OPEN_LOOP_MCTS and"),
        ("mcts_orthodox_orthodox", "plays board games, not video games"),
        ("minimax", "it does not begin with `vg-`"),
    ] {
        let said = video_by_name(name).expect_err(name);
        assert!(said.contains(why), "{said}");
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn agents_for_other_games_are_refused() {
    assert_eq!(
        by_name("vg-random"),
        Err("`vg-random` plays video games, not board games".to_owned())
    );
    let video = file("RANDOM", "{}");
    let said = read("mine", &video).expect_err("video").to_string();
    assert_eq!(said, "algorithm.name = \"RANDOM\": plays video games, not board games");
    let board = write(&by_name("mcts_orthodox_orthodox").expect("built in"));
    let said = read_video("mine", &board).expect_err("board").to_string();
    assert_eq!(said, "algorithm.name = \"MCTS\": plays board games, not video games");
    assert_eq!(read_any("mine", &board).expect("valid").games(), Games::Board);
    let said = any_by_name("minimax").expect_err("no name");
    assert!(
        said.contains("neither with `mcts`, `shot`, `nmcs` or `nrpa` nor with `vg-`"),
        "{said}"
    );
}

/// What is said of a file for the open-loop search with these parameters.
fn said(parameters: &str) -> String {
    let text = file("OPEN_LOOP_MCTS", parameters);
    read_video("mine", &text).expect_err(parameters).to_string()
}

#[test]
fn wrong_files_say_what_is_possible() {
    for (parameters, expected) in [
        (r#"{ "selektion": "uct" }"#, "selektion: unknown key; did you mean `selection`?"),
        (
            r#"{ "selection": "utc" }"#,
            "selection = \"utc\": must be one of \"uct\", \"adaptive_c\", \"ucb1_tuned\", \
             \"progressive_history\", \"single_player\", \"epsilon_greedy\", \"decreasing_epsilon\", \
             \"random\", \"evo\", \"progressive_bias\", or an object with its name and keys; did you mean \"uct\"?",
        ),
        (
            r#"{ "playout": { "name": "nts" } }"#,
            "playout.name = \"nts\": must be one of \"random\", \"mast\", \"nst\", \"one_plus_one\", \
             \"stgp\", or an object with its name and keys; did you mean \"nst\"?",
        ),
        (
            r#"{ "score": { "k": 1 } }"#,
            "score.name: is missing; it can be win_loss, gvgai, normalised, quality_based",
        ),
        (r#"{ "score": ["gvgai"] }"#, "score = [\"gvgai\"]: must be one of \"win_loss\","),
        (
            r#"{ "selection": { "name": "uct", "epsilon": 0.1 } }"#,
            "selection.epsilon = 0.1: uct does not use it, only epsilon_greedy and evo",
        ),
        (
            r#"{ "selection": { "name": "ucb1_tuned", "q": 1 } }"#,
            "selection.q: unknown key; the keys here are name",
        ),
        (
            r#"{ "epsilon": 0.1 }"#,
            "epsilon: unknown key here; it belongs into selection, expansion or playout",
        ),
        (r#"{ "decay": 0.1 }"#, "decay: unknown key here; it belongs into ngrams"),
        (r#"{ "elite": 2 }"#, "elite = 2: OPEN_LOOP_MCTS does not use it, only ROLLING_HORIZON"),
        (
            r#"{ "selection": { "name": "uct", "c": -1 } }"#,
            "selection.c = -1: must be a number from 0 to 100",
        ),
        (
            r#"{ "selection": { "name": "uct", "c": "0.6" } }"#,
            "selection.c = \"0.6\": must be a number from 0 to 100",
        ),
        (
            r#"{ "selection": { "name": "uct", "c": null } }"#,
            "selection.c = null: must be a number from 0 to 100",
        ),
        (r#"{ "depth": 0 }"#, "depth = 0: must be a whole number from 1 to 10000"),
        (r#"{ "depth": 2.5 }"#, "depth = 2.5: must be a whole number from 1 to 10000"),
        (
            r#"{ "final_choice": "visits" }"#,
            "final_choice = \"visits\": must be one of \"mean\", \"most_visited\"",
        ),
        (
            r#"{ "score": { "name": "quality_based", "separated": 1 } }"#,
            "score.separated = 1: must be true or false",
        ),
        (
            r#"{ "ngrams": { "decay": 0.1 } }"#,
            "ngrams = {\"decay\":0.1}: no part uses them: only the play-outs mast and nst, the selections \
             progressive_history and progressive_bias and the expansions action_based and roulette_wheel do",
        ),
        (
            r#"{ "playout": "mast", "ngrams": { "length": 3 } }"#,
            "ngrams.length = 3: only the play-out nst and the expansions action_based and roulette_wheel use \
             more than single actions",
        ),
        (
            r#"{ "playout": "nst", "ngrams": { "length": 1, "threshold": 3 } }"#,
            "ngrams.threshold = 3: single actions have none: it is for a length of 2 or more",
        ),
        (
            r#"{ "playout": "nst", "ngrams": { "lenght": 2 } }"#,
            "ngrams.lenght: unknown key; did you mean `length`?",
        ),
        (r#"{ "playout": "nst", "ngrams": 3 }"#, "ngrams = 3: must be an object"),
        (r#"{ "selection": "evo" }"#, "selection = evo: it asks what an evolutionary play-out"),
        (
            r#"{ "playout": { "name": "stgp", "winners": 3 } }"#,
            "playout.winners = 3: must lie between 1 and 2",
        ),
        (r#"{ "mixmax": 1.5 }"#, "mixmax = 1.5: must be a number from 0 to 1"),
        (
            r#"{ "mixmax": 0.1, "selection": "random" }"#,
            "mixmax = 0.1: the selection random does not go by the mean values of children",
        ),
        (r#"{ "macro_length": 0 }"#, "macro_length = 0: must be a whole number from 1 to 1000"),
        (
            r#"{ "macro_length": 11 }"#,
            "macro_length = 11: an edge would be longer than an iteration of 10 ticks",
        ),
        (
            r#"{ "urgency": "partial" }"#,
            "urgency = \"partial\": must be one of \"none\", \"partial_expansion\", \"first_play\"",
        ),
        (
            r#"{ "urgency": { "name": "first_play", "k": 1 } }"#,
            "urgency.k = 1: first_play does not use it, only partial_expansion",
        ),
        (
            r#"{ "urgency": "partial_expansion", "selection": "epsilon_greedy" }"#,
            "urgency = partial_expansion: the selection epsilon_greedy has a rule of its own",
        ),
        (
            r#"{ "urgency": "partial_expansion", "expansion": "all_children" }"#,
            "urgency = partial_expansion: an expansion of all children leaves nothing to add",
        ),
        (
            r#"{ "urgency": "first_play", "widening": "widening" }"#,
            "urgency = first_play: the widening widening says when children are added",
        ),
        (
            r#"{ "widening": { "name": "unpruning", "k_init": 1.5 } }"#,
            "widening.k_init = 1.5: must be a whole number from 1 to 64",
        ),
        (
            r#"{ "reversal": { "name": "last_positions", "factor": 2 } }"#,
            "reversal.factor = 2: must be a number from 0 to 1",
        ),
        (
            r#"{ "reversal": "last_positions", "selection": "evo", "playout": "stgp" }"#,
            "reversal = last_positions: the selection evo does not go by the mean values of children",
        ),
        (
            r#"{ "replies": { "name": "lgr2", "playout": false, "expansion": false } }"#,
            "replies = lgr2: neither play-outs nor expansion use them",
        ),
        (
            r#"{ "replies": "lgr1", "playout": "one_plus_one" }"#,
            "replies.playout = true: an evolutionary play-out learns from the actions that it chose",
        ),
        (
            r#"{ "allocation": "sequential_halving", "final_choice": "most_visited" }"#,
            "allocation = sequential_halving: it plays the action that is left, by its mean",
        ),
        (
            r#"{ "expansion": { "name": "weighted_wheel", "up": -1 } }"#,
            "expansion.up = -1: must be a number from 0 to 1000000",
        ),
        (
            r#"{ "expansion": "weighted_wheel", "ngrams": { "decay": 0.1 } }"#,
            "ngrams = {\"decay\":0.1}: no part uses them",
        ),
        ("[]", " = []: must be an object"),
    ] {
        let said = said(parameters);
        let rest = said.strip_prefix("algorithm.parameters").unwrap_or_else(|| panic!("{said}"));
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        assert!(rest.starts_with(expected), "{said}");
    }
}

#[test]
fn wrong_layouts_say_what_is_possible() {
    for (text, expected) in [
        (
            r#"{ "algorithm": { "name": "OPEN_LOOP_MTCS" } }"#,
            "algorithm.name = \"OPEN_LOOP_MTCS\": must be one of \"MCTS\", \"SHOT\", \"NMCS\", \"NRPA\", \
             \"RANDOM\", \"ONE_STEP\", \"OPEN_LOOP_MCTS\", \"CLOSED_LOOP_MCTS\", \"ROLLING_HORIZON\", \
             \"MICROBIAL_GA\"; did you mean \"OPEN_LOOP_MCTS\"?",
        ),
        (r#"{ "algorithm": { "name": 7 } }"#, "algorithm.name = 7: must be one of \"MCTS\""),
        (r#"{ "algorithm": 7 }"#, "algorithm = 7: must be an object"),
        (
            r#"{ "algorithm": { "name": "RANDOM" }, "heuristics": [] }"#,
            "heuristics = []: agents for video games have none",
        ),
        (
            r#"{ "algorithm": { "name": "RANDOM", "tree_strategy": "orthodox" } }"#,
            "algorithm.tree_strategy = \"orthodox\": RANDOM does not use it, only MCTS and SHOT",
        ),
        (
            r#"{ "algorithm": { "name": "RANDOM" }, "general": { "memory_mb": 9 } }"#,
            "general.memory_mb = 9: RANDOM does not use it, only agents for board games",
        ),
        (
            r#"{ "algorithm": { "parameters": { "playout": "nst" } } }"#,
            "algorithm.parameters.playout = \"nst\": MCTS does not use it, only OPEN_LOOP_MCTS and \
             CLOSED_LOOP_MCTS",
        ),
        (
            r#"{ "algorithm": { "name": "OPEN_LOOP_MCTS", "parameters": { "depth": 1e999 } } }"#,
            "the file: is not JSON: number out of range",
        ),
        (
            r#"{ "algorithm": { "name": "OPEN_LOOP_MCTS", "parameters": { "depth": NaN } } }"#,
            "the file: is not JSON: expected value",
        ),
    ] {
        let said = read_any("mine", text).expect_err(text).to_string();
        assert!(said.starts_with(expected), "{said}");
    }
}

/// A word stands for a part with its defaults.
#[test]
fn words_and_objects() {
    let short = r#"{ "selection": "progressive_history", "playout": "nst" }"#;
    let long = r#"{
        "selection": { "name": "progressive_history", "c": 1.4142135623730951, "w": 1 },
        "playout": { "name": "nst", "epsilon": 0.5 },
        "ngrams": { "length": 3, "threshold": 7, "decay": 0 },
        "score": { "name": "gvgai", "bonus": 10000000, "depth": 0 },
        "expansion": { "name": "random" },
        "normalisation": "game", "depth": 10, "final_choice": "mean", "max_nodes": 100000
    }"#;
    let read = |parameters| read_video("mine", &file("OPEN_LOOP_MCTS", parameters));
    assert_eq!(read(short), read(long));
    assert!(read(short).is_ok());
}

/// Every part and value of an agent is in its explanation, by the keys of files.
#[test]
fn explanations_are_complete() {
    let words = explain(&named("vg-ol-mcts_ph_nst_qb_decay0.15"));
    for expected in [
        "selection = progressive_history: UCT, and the mean",
        "c = 0.6, w = 1",
        "epsilon = 0.5",
        "length = 3, threshold = 7, decay = 0.15",
        "relative = 0.9, qualitative = 0.6",
        "- depth = 10: how many ticks an iteration looks ahead",
        "It keeps 5 ms",
    ] {
        assert!(words.contains(expected), "{words}");
    }
    for name in VIDEO_COLLECTION {
        let words = explain(&named(name));
        assert!(words.starts_with(&format!("{name}, for video games: ")), "{words}");
        assert!(words.lines().skip(1).all(|line| line.starts_with("- ") && line.ends_with('.')));
    }
}

/// The example of the documentation is the agent that it is said to be.
#[test]
fn the_documented_file() {
    let text = include_str!("../../../docs/agents.md");
    let parameters = text.split("    \"parameters\": ").nth(1).expect("an example");
    let parameters = parameters.split("\n    }").next().expect("its end").to_owned() + "}";
    let name = "vg-ol-mcts_ph_nst_qb_decay0.15";
    assert!(text.contains(name));
    let read = read_video(name, &file("OPEN_LOOP_MCTS", &parameters));
    assert_eq!(read.unwrap_or_else(|e| panic!("{e}")), named(name));
}
