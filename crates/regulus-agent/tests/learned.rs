//! Learned playout policies in files.

use regulus_agent::{read, write};
use regulus_search::config::{Decay, Features, Method, Policy};

fn file(heuristics: &str) -> String {
    format!(r#"{{ "algorithm": {{ "name": "MCTS" }}, "heuristics": [{heuristics}] }}"#)
}

fn heuristic(name: &str, parameters: &str) -> String {
    format!(r#"{{ "name": "{name}", "parameters": {{ {parameters} }} }}"#)
}

#[test]
fn files_are_read_and_written() {
    let lgr = heuristic("LGR", r#""length": 1, "forgetting": false, "in_expansion": false"#);
    for heuristics in [
        heuristic("PPA", ""),
        heuristic("PPAF", r#""alpha": 0.16, "features": "neighbours", "keep": true"#),
        heuristic("MASTK", r#""k": 256"#),
        heuristic("MASTKF", "") + "," + &lgr,
        heuristic("NST", r#""policy": "gibbs", "temperature": 0.5, "decay": "none""#),
        heuristic("NST", r#""length": 2, "threshold": 1, "decay": "batch""#),
        heuristic("MAST", "") + "," + &heuristic("LGR", ""),
    ] {
        let agent = read("mine", &file(&heuristics)).unwrap_or_else(|e| panic!("{e}"));
        let again = read("mine", &write(&agent)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(again, agent);
    }
    let nst = read("mine", &file(&heuristic("NST", ""))).expect("valid").search;
    let nst = nst.tree_search().and_then(|config| config.learning).expect("NST");
    let published = Method::Nst {
        length: 3,
        threshold: 7,
        policy: Policy::EpsilonGreedy { epsilon: 0.4 },
        decay: Decay::Move { factor: 0.2 },
    };
    assert_eq!((nst.method, nst.features), (published, Features::None));
}

#[test]
fn wrong_files_say_what_is_possible() {
    let two = |a: &str, b: &str| heuristic(a, "") + "," + &heuristic(b, "");
    for (heuristics, expected) in [
        (heuristic("PPA", r#""alpha": 0"#), "alpha = 0: must be a number from 0.000001 to 100"),
        (heuristic("PPA", r#""k": 2"#), "PPA has k = 1; only MASTK and MASTKF have another"),
        (heuristic("PPA", r#""features": "cells""#), "PPA looks at moves only: use PPAF"),
        (heuristic("PPA", r#""epsilon": 0.2"#), "PPA does not use it, only MAST and NST"),
        (two("PPA", "PPAF"), "there is a learned playout policy already"),
        (two("PPA", "NST"), "there is a learned playout policy already"),
        (two("PPA", "MAST"), "simulations follow MAST already"),
        (two("LGR", "LGR"), "there is an LGR already"),
        (heuristic("PPB", ""), "did you mean PPA?"),
        (heuristic("MASTKF", r#""alpha": 1"#), "only PPA and PPAF have it"),
        (heuristic("MASTKF", r#""features": "all""#), r#"must be one of "cells", "neighbours""#),
        (heuristic("NST", r#""length": 1"#), "must be a whole number from 2 to 10"),
        (heuristic("NST", r#""temperature": 1"#), "only the policy gibbs has a temperature"),
        (
            heuristic("NST", r#""policy": "gibbs", "epsilon": 1"#),
            "only the policy epsilon_greedy has an epsilon",
        ),
        (heuristic("NST", r#""batch_size": 5"#), "only decay in batches has a batch size"),
        (heuristic("LGR", r#""length": 3"#), "must be a whole number from 1 to 2"),
        (
            heuristic("LGR", r#""in_playouts": false, "in_expansion": false"#),
            "neither in playouts nor in expansion",
        ),
    ] {
        let found = read("mine", &file(&heuristics)).expect_err("wrong").to_string();
        assert!(found.contains(expected), "{heuristics}: {found}");
    }
}
