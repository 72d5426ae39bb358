//! Policies of the registry are asked for in files by their names.

use regulus_agent::{read, write};
use regulus_search::config::Policy;

#[test]
fn a_registered_policy_is_read_and_written() {
    let text = r#"{ "algorithm": { "name": "MCTS" }, "heuristics": [
        { "name": "MAST", "parameters": { "policy": "tournament", "policy_parameter": 3 } } ] }"#;
    let agent = read("mine", text).expect("valid");
    let policy = agent.search.tree_search().expect("MCTS").mast.expect("MAST").policy;
    assert_eq!(policy, Policy::Registered { name: "tournament", parameter: 3.0 });
    agent.search.validate().expect("it runs");
    let again = read("mine", &write(&agent)).expect("valid");
    assert_eq!(again.search, agent.search);
}

#[test]
fn unknown_policies_and_misplaced_parameters_are_refused() {
    let with = |parameters: &str| {
        let text = format!(
            r#"{{ "algorithm": {{ "name": "MCTS" }}, "heuristics": [
                {{ "name": "MAST", "parameters": {parameters} }} ] }}"#
        );
        read("mine", &text).expect_err("refused").to_string()
    };
    let unknown = with(r#"{ "policy": "tornament" }"#);
    assert!(unknown.contains("did you mean \"tournament\"?"), "{unknown}");
    let misplaced = with(r#"{ "policy": "gibbs", "policy_parameter": 2 }"#);
    assert!(misplaced.contains("a key of its own"), "{misplaced}");
    let statistic = with(r#"{ "statistic": "splitt" }"#);
    assert!(statistic.contains("statistic"), "{statistic}");
}
