//! `regulus experiment repair`, and experiments that go on without what is damaged.

#[allow(dead_code, reason = "shared with tests that need more of it")]
mod experiment;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use experiment::{bad, err, experiment, good, record_files, records, regulus};
use serde_json::Value;

const BOARD: &str = r#"
title = "Short games"
games = ["tic-tac-toe"]
baseline = "mcts_orthodox_orthodox"
agents = ["mctsM_orthodox_semisplit"]
limits = ["sims=4"]
games_per_pair = 12
opening_plies = 2
"#;

const SPEED: &str = r#"
title = "Short searches"
kind = "speed"
games = ["tic-tac-toe"]
agents = ["mcts_orthodox_orthodox", "mctsM_orthodox_semisplit"]
limits = ["sims=4"]
searches = 6
"#;

const VIDEO: &str = r#"
title = "Short runs"
kind = "video"
games = ["vgdl/sheepdog"]
levels = [0]
agents = ["vg-random", "vg-one-step"]
limits = ["sims=3"]
runs = 6
"#;

fn played(declaration: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("table.toml"), declaration).expect("written");
    good(&experiment(folder.path(), &["run", "table.toml", "--dir", "run"]));
    folder
}

/// Damages two lines of the only file and adds one of another experiment; gives the file and its name.
fn damage(folder: &Path) -> (PathBuf, String) {
    let file = record_files(&folder.join("run")).remove(0);
    let text = fs::read_to_string(&file).expect("records");
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let foreign = text.lines().nth(1).expect("a line").replacen("\"table\"", "\"chair\"", 1);
    lines[1].truncate(80);
    lines[3][0] = 0xff;
    lines.push(foreign.into_bytes());
    lines.push(Vec::new());
    fs::write(&file, lines.join(&b'\n')).expect("written");
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    (file, name)
}

#[test]
fn experiments_go_on_without_damaged_lines() {
    for (declaration, what) in [(BOARD, "games"), (SPEED, "searches"), (VIDEO, "runs")] {
        let folder = played(declaration);
        let path = folder.path();
        let whole = record_files(&path.join("run")).remove(0);
        let whole = fs::read_to_string(whole).expect("records").lines().count();
        let (file, name) = damage(path);

        let report = good(&experiment(path, &["report", "run"]));
        for part in [
            format!("{} of {whole} {what}\n", whole - 2),
            format!(
                "warning: records/{name}, line 2 is left out: it is no record: EOF while parsing"
            ),
            format!(
                "warning: records/{name}, line 4 is left out: it is no record: expected value at column 1\n"
            ),
            format!("line {} is left out: it is of another experiment: `chair`\n", whole + 1),
            "note: `regulus experiment repair run` moves what is damaged out of the way".to_owned(),
        ] {
            assert!(report.contains(&part), "{part} in\n{report}");
        }

        let before = fs::read(&file).expect("records");
        let looked = good(&experiment(path, &["repair", "run", "--dry-run"]));
        let moved =
            format!("run/records/{name}: 3 lines to be moved to run/records/{name}.damaged, ");
        assert!(looked.starts_with(&moved), "{looked}");
        assert_eq!(fs::read(&file).expect("records"), before);

        let output = experiment(path, &["run", "table.toml", "--dir", "run"]);
        assert!(good(&output).contains(&format!("all {whole} {what} are recorded, 2 of them now")));
        let told = err(&output);
        assert!(
            told.contains(&format!("warning: run/records/{name}, line 2 is left out: ")),
            "{told}"
        );
        assert!(
            told.contains("`regulus experiment repair run` moves such lines out of the way"),
            "{told}"
        );

        let json = good(&experiment(path, &["repair", "run", "--json"]));
        let json: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!((&json["dry_run"], &json["interrupted"]), (&false.into(), &false.into()));
        let repaired = &json["files"][0];
        assert_eq!((&repaired["moved"], &repaired["kept"]), (&3.into(), &(whole - 2).into()));
        assert_eq!(
            (&repaired["lines"][0]["line"], &repaired["lines"][1]["line"]),
            (&2.into(), &4.into())
        );
        assert_eq!(repaired["lines"][2]["why"], "it is of another experiment: `chair`");
        let kept =
            fs::read(path.join("run/records").join(format!("{name}.damaged"))).expect("kept");
        assert_eq!(kept.iter().filter(|byte| **byte == b'\n').count(), 3);

        let again = good(&experiment(path, &["repair", "run"]));
        assert_eq!(again, "nothing is damaged in run\n");
        let output = experiment(path, &["run", "table.toml", "--dir", "run"]);
        assert!(good(&output).contains("0 of them now"));
        assert!(!err(&output).contains("warning"), "{}", err(&output));
        let report = good(&experiment(path, &["report", "run"]));
        assert!(report.contains(&format!("{whole} of {whole} {what}\n")), "{report}");
        assert!(!report.contains("left out"), "{report}");
    }
}

/// What was played again is what was lost.
#[test]
fn repaired_experiments_are_what_they_were() {
    let folder = played(BOARD);
    let path = folder.path();
    let whole = records(&path.join("run"));
    damage(path);
    good(&experiment(path, &["repair", "run"]));
    good(&experiment(path, &["work", "run", "--shard", "0/1"]));
    assert_eq!(records(&path.join("run")), whole);
    let message = bad(&experiment(path, &["repair", "nothing"]));
    assert_eq!(message, "error: there is no experiment in nothing\n");
}

/// No room for the new file: the old one is as it was, and nothing else is left.
#[cfg(unix)]
#[test]
fn a_full_disk_changes_nothing() {
    let folder = played(BOARD);
    let path = folder.path();
    let (file, _) = damage(path);
    let before = fs::read(&file).expect("records");
    let program = env!("CARGO_BIN_EXE_regulus");
    // A process that ignores the signal is told by an error.
    let script = format!("trap '' XFSZ; ulimit -f 4; exec {program} experiment repair run");
    let output = Command::new("sh").args(["-c", &script]).current_dir(path).output();
    let message = bad(&output.expect("a shell"));
    assert!(message.starts_with("error: cannot write run/records/"), "{message}");
    assert_eq!(fs::read(&file).expect("records"), before);
    let hidden = fs::read_dir(path.join("run/records")).expect("records");
    let hidden = hidden.map(|entry| entry.expect("a file").file_name());
    assert_eq!(hidden.filter(|name| name.to_string_lossy().starts_with('.')).count(), 0);
    good(&experiment(path, &["repair", "run"]));
}

/// A worker plays while somebody repairs again and again: no game is lost, none is played twice.
#[test]
fn repairing_while_others_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let declaration =
        BOARD.replace("sims=4", "sims=200").replace("games_per_pair = 12", "games_per_pair = 100");
    fs::write(path.join("table.toml"), declaration).expect("written");
    good(&experiment(path, &["plan", "table.toml", "--dir", "shared"]));
    let mut worker = regulus(path);
    worker.args(["experiment", "work", "shared", "--shard", "0/1", "--threads", "2"]);
    let mut worker = worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("regulus");
    let mut repairs = 0;
    while worker.try_wait().expect("a process").is_none() {
        // A file of somebody who is gone: it is repaired.
        let gone = path.join(format!("shared/records/gone{repairs}.jsonl"));
        fs::write(&gone, "garbage\n").expect("written");
        let told = good(&experiment(path, &["repair", "shared"]));
        assert!(told.contains(&format!("gone{repairs}.jsonl: 1 line moved to ")), "{told}");
        repairs += 1;
    }
    assert!(repairs > 0);
    let played = good(&experiment(path, &["work", "shared", "--shard", "0/1"]));
    assert!(played.contains("all 100 games are recorded, 0 of them now"), "{played}");
    assert_eq!(records(&path.join("shared")).len(), 100);
}

/// The plan, the measurements and the manifests.
#[test]
fn other_files_are_set_aside() {
    let folder = played(BOARD);
    let path = folder.path();
    let plan = path.join("run/plan.json");
    let text = fs::read_to_string(&plan).expect("a plan");
    fs::write(&plan, &text[..100]).expect("written");
    for command in [
        &["report", "run"][..],
        &["work", "run", "--shard", "0/1"],
        &["run", "table.toml", "--dir", "run"],
    ] {
        let message = bad(&experiment(path, command));
        assert!(
            message.starts_with("error: run/plan.json: the plan is damaged: EOF while parsing"),
            "{message}"
        );
        assert!(message.contains("`regulus experiment repair run` sets it aside"), "{message}");
    }
    let told = good(&experiment(path, &["repair", "run"]));
    assert!(told.starts_with("run/plan.json: set aside as run/plan.json.damaged\n"), "{told}");
    assert!(told.contains("`regulus experiment plan FILE.toml --dir run`"), "{told}");
    good(&experiment(path, &["plan", "table.toml", "--dir", "run"]));
    assert_eq!(fs::read_to_string(&plan).expect("a plan"), text);

    let manifest = fs::read_dir(path.join("run/manifest")).expect("manifests").next();
    let manifest = manifest.expect("one").expect("a file").path();
    fs::write(&manifest, "[]").expect("written");
    let report = good(&experiment(path, &["report", "run"]));
    assert!(report.contains(".json is damaged and left out: invalid length 0"), "{report}");
    fs::write(path.join("run/calibration.json"), "{").expect("written");
    let message = bad(&experiment(path, &["report", "run"]));
    assert!(message.contains("run/calibration.json: the measurements are damaged: "), "{message}");
    let told = good(&experiment(path, &["repair", "run"]));
    assert!(
        told.contains("run/calibration.json: set aside as run/calibration.json.damaged\n"),
        "{told}"
    );
    assert!(told.contains("limits are measured again"), "{told}");
    assert!(!manifest.exists());
    let report = good(&experiment(path, &["report", "run"]));
    assert!(report.contains("12 of 12 games") && !report.contains("damaged"), "{report}");

    // A pipe among the records would never end.
    let made = Command::new("mkfifo").arg(path.join("run/records/pipe.jsonl")).status();
    assert!(made.expect("mkfifo").success());
    let message = bad(&experiment(path, &["report", "run"]));
    assert!(
        message.starts_with("error: run/records/pipe.jsonl: it is no regular file"),
        "{message}"
    );
}
