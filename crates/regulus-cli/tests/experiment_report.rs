//! `regulus experiment report`, after an experiment was played for real.

#[allow(dead_code, reason = "shared with tests that need more of it")]
mod experiment;

use std::fs;

use experiment::{experiment, good};
use serde_json::Value;

const DECLARATION: &str = r#"
title = "A small one"
games = ["tic-tac-toe", "breakthrough"]
baseline = "mcts_orthodox_orthodox"
agents = ["mctsM_semisplitNodal_semisplit", "mctsM_orthodox_semisplit"]
limits = ["sims=4", "sims=8"]
games_per_pair = 4
opening_plies = 2

[[published]]
game = "average"
agent = "mctsM_orthodox_semisplit"
limit = "sims=8"
win_rate = 50.21
"#;

#[test]
fn an_experiment_is_played_and_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("small.toml"), DECLARATION).expect("written");
    good(&experiment(folder.path(), &["plan", "small.toml", "--dir", "run"]));
    // Before anything was played there is a report, too.
    let before = good(&experiment(folder.path(), &["report", "run"]));
    assert!(before.contains("warning: no game of 32 was played yet"), "{before}");
    good(&experiment(folder.path(), &["run", "small.toml", "--dir", "run"]));
    let text = good(&experiment(folder.path(), &["report", "run"]));
    assert!(text.starts_with("A small one\n32 of 32 games\n"), "{text}");
    assert!(!text.contains('\x1b'), "colours are for terminals");
    assert!(!text.contains("illegal") && !text.contains("damaged"), "{text}");
    // A table for two agents and two limits, each with two games and an average; a list for each limit.
    assert_eq!(text.matches(" against mcts_orthodox_orthodox, sims=").count(), 4, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  average  ")).count(), 4, "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("50.2")).count(), 1, "{text}");
    assert_eq!(text.matches("Elo, sims=").count(), 2, "{text}");
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.path().join("run/report").join(name));
        text.expect("a file").lines().count()
    };
    assert_eq!((lines("table.csv"), lines("results.csv")), (9, 33));
    let parquet = fs::read(folder.path().join("run/report/results.parquet")).expect("a file");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let page = fs::read_to_string(folder.path().join("run/report/report.html")).expect("a page");
    assert!(
        page.contains("<section id=\"budgets\">") && page.contains("the newest 16 of 16 games")
    );
    let json = good(&experiment(folder.path(), &["report", "run", "--json"]));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(8));
    assert_eq!(json["published"][0]["published"], 50.21);
    let mut notices = json["notices"].as_array().expect("notices").iter();
    assert!(notices.all(|notice| notice["severity"] == "note"), "{}", json["notices"]);
}
