//! Files with the keys of the original agent (THESIS 4.1 and its collection) mean what they meant there.

use regulus_agent::{by_name, read};

/// A file in the layout of the original collection; `parameters` and `heuristics` are what differs.
fn file(tree: &str, simulation: &str, split: &str, parameters: &str, heuristics: &str) -> String {
    format!(
        r#"{{
            "general": {{
                "buffer_time": 100,
                "simulate_during_opp_turn": false,
                "reasoning_overhead": 1
            }},
            "algorithm": {{
                "name": "MCTS",
                "tree_strategy": "{tree}",
                "simulation_strategy": "{simulation}",
                {split}
                "parameters": {{ {parameters} }}
            }},
            "heuristics": [{heuristics}]
        }}"#
    )
}

fn check(name: &str, text: &str) {
    let agent = read(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(agent, by_name(name).unwrap_or_else(|e| panic!("{e}")));
}

const MAST: &str = r#""epsilon": 0.4, "decay_factor": 0.2, "tree_only": false"#;

fn heuristic(name: &str, parameters: &str) -> String {
    format!(r#"{{ "name": "{name}", "parameters": {{ {parameters} }} }}"#)
}

#[test]
fn orthodox_files() {
    let plain = r#""exploration_constant": 0.4"#;
    check("mcts_orthodox_orthodox", &file("orthodox", "orthodox", "", plain, ""));
    let seven = r#""exploration_constant": 0.7"#;
    check("mcts_orthodox07_orthodox", &file("orthodox", "orthodox", "", seven, ""));
    let less = r#""exploration_constant": 0.2"#;
    let both =
        [heuristic("MAST", MAST), heuristic("TGRAVE", r#""ref": 0, "equivalence_parameter": 250"#)]
            .join(",");
    check("mcts_orthodox_orthodox_mast_rave", &file("orthodox", "orthodox", "", less, &both));
    let reference = heuristic("TGRAVE", r#""ref": 50, "equivalence_parameter": 250"#);
    check("mcts_orthodox_orthodox_tgrave", &file("orthodox", "orthodox", "", less, &reference));
    let mix = heuristic("MASTMIX", &format!(r#"{MAST}, "mastmix_threshold": 15"#));
    check("mcts_orthodox_orthodox_mastmix15", &file("orthodox", "orthodox", "", plain, &mix));
}

#[test]
fn semisplit_files() {
    let parameters = |exploration: &str, rest: &str| {
        format!(r#""exploration_constant": {exploration}, "max_semidepth": 50{rest}"#)
    };
    let greedy = r#", "is_nodal": true, "greedy_choice": true, "final_rollup_factor": 1.0"#;
    let (modifier, plus) = (r#""split_strategy": "","#, r#""split_strategy": "ModPlusShift","#);
    let plain = parameters("0.4", greedy);
    check("mctsM_semisplitNodal_semisplit", &file("semisplit", "semisplit", modifier, &plain, ""));
    check("mctsMPS_semisplitNodal_orthodox", &file("semisplit", "orthodox", plus, &plain, ""));
    let raw = parameters("0.4", &greedy.replace("\"is_nodal\": true", "\"is_nodal\": false"));
    check("mctsM_semisplit_semisplit", &file("semisplit", "semisplit", modifier, &raw, ""));
    let last = parameters("0.4", &greedy.replace("choice\": true", "choice\": false"));
    check(
        "mctsM_semisplitNodal_semisplit_finalRollup",
        &file("semisplit", "semisplit", modifier, &last, ""),
    );
    let mixes = [
        heuristic("MASTMIX", &format!(r#"{MAST}, "mastmix_threshold": 7"#)),
        heuristic("RAVEMIX", r#""equivalence_parameter": 250, "ravemix_threshold": 7"#),
    ]
    .join(",");
    check(
        "mctsM_semisplitNodal_semisplit_mastmix7_ravemix7",
        &file("semisplit", "semisplit", modifier, &parameters("0.2", greedy), &mixes),
    );
    let orthodox_tree = parameters("0.4", "");
    check(
        "mctsM_orthodox_semisplit_mastcontext",
        &file("orthodox", "semisplit", modifier, &orthodox_tree, &heuristic("MASTCONTEXT", MAST)),
    );
}

#[test]
fn rollup_files() {
    let parameters = r#""exploration_constant": 0.2, "max_semidepth": 50, "is_nodal": true,
        "min_simulations_factor": 1.0, "min_score_diff": 0.0"#;
    let both =
        [heuristic("MASTSPLIT", MAST), heuristic("RAVECONTEXT", r#""equivalence_parameter": 250"#)]
            .join(",");
    check(
        "mctsM_rollupNodal_semisplit_mastsplit_ravecontext",
        &file("rollup", "semisplit", r#""split_strategy": "","#, parameters, &both),
    );
    let plain = parameters.replace("0.2", "0.4");
    check(
        "mctsMS_rollupNodal_orthodox",
        &file("rollup", "orthodox", r#""split_strategy": "ModShift","#, &plain, ""),
    );
}

/// THESIS 2.2.4 and the starred cells of Table 2.1: MAST-join beside a tree of semimoves is not applied for expansion,
/// which the thesis has no key for.
#[test]
fn join_beside_a_tree_of_semimoves() {
    let rollup = r#""exploration_constant": 0.4, "max_semidepth": 50, "is_nodal": true,
        "min_simulations_factor": 1.0, "min_score_diff": 0.0"#;
    let semisplit = r#""exploration_constant": 0.4, "max_semidepth": 50, "is_nodal": true"#;
    let split = r#""split_strategy": "","#;
    for (tree, parameters) in [("semisplit", semisplit), ("rollup", rollup)] {
        let name = format!("mctsM_{tree}Nodal_orthodox_mastjoin");
        let text = file(tree, "orthodox", split, parameters, &heuristic("MASTJOIN", MAST));
        check(&name, &text);
        let agent = read(&name, &text).expect("of the thesis");
        let again = read(&name, &regulus_agent::write(&agent)).expect("what was written");
        assert_eq!(again, agent);
        let words = regulus_agent::explain(&agent);
        assert!(words.contains("Simulations prefer actions that did well (MAST over whole moves)"));
        let asked = heuristic("MASTJOIN", &format!(r#"{MAST}, "in_expansion": true"#));
        let refusal = read(&name, &file(tree, "orthodox", split, parameters, &asked));
        let message = refusal.expect_err("there is nothing to choose by").to_string();
        assert!(message.contains("join has scores for whole moves only"), "{message}");
    }
}
