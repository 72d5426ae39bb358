//! What is read back from the directory of an experiment, also if some of it is damaged or there twice.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use regulus_arena::experiment::{
    Archive, Event, Experiment, Layout, Options, Patience, Shard, Work, work,
};

const DECLARATION: &str = r#"
title = "Small"
games = ["tic-tac-toe"]
baseline = "mcts_orthodox_orthodox"
agents = ["mctsM_orthodox_semisplit"]
limits = ["sims=5", "sims=6"]
games_per_pair = 6
"#;

/// Plays a share; gives how many games it had to play.
fn play(layout: &Layout, experiment: &Experiment, shard: Shard) -> u64 {
    let task = Work { shard, threads: Some(2), patience: Patience::None };
    let mut seen = 0;
    let mut watch = |event: Event<'_>| seen += u64::from(matches!(event, Event::Recorded(_)));
    let worked = work(layout, experiment, task, &AtomicBool::new(false), &mut watch);
    let worked = worked.expect("it works");
    assert_eq!((worked.played, worked.faults, worked.interrupted), (seen, 0, false));
    assert_eq!(worked.before + worked.played, worked.total);
    worked.played
}

fn files(layout: &Layout) -> Vec<PathBuf> {
    let entries = fs::read_dir(layout.all_records()).expect("records");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

#[test]
fn records_are_sorted_and_counted_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("small.toml");
    fs::write(&file, DECLARATION).expect("written");
    let options = Options::default();
    let (experiment, text) = Experiment::declare(&file, options).expect("an experiment");
    let layout = Layout::new(folder.path().join("results"));
    experiment.settle(&layout, &text).expect("a directory");
    // Six units in all.
    assert_eq!(play(&layout, &experiment, Shard { index: 1, count: 3 }), 4);
    assert_eq!(play(&layout, &experiment, Shard::ALL), 8);
    assert_eq!(play(&layout, &experiment, Shard::ALL), 0);
    let archive = Archive::read(&layout).expect("an archive");
    assert_eq!((archive.repeated, archive.foreign, archive.torn.len()), (0, 0, 0));
    assert_eq!((archive.played(), archive.manifests.len()), (12, 2));
    for contest in &archive.contests {
        let numbers = contest.records().iter().map(|r| (r.unit, r.seating)).collect::<Vec<_>>();
        assert_eq!(numbers, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
        assert!(contest.records().iter().all(|r| r.budget == contest.planned.budget));
    }
    let all = archive.contests.clone();

    // The same games again, one of another experiment, and one that was cut off.
    let first = fs::read_to_string(&files(&layout)[0]).expect("records");
    let line = first.lines().next().expect("a record");
    let foreign = line.replace("mctsM_orthodox_semisplit", "somebody_else");
    let (half, _) = line.split_at(line.len() / 2);
    fs::write(layout.records("zzz"), format!("{first}{foreign}\n{half}")).expect("written");
    let archive = Archive::read(&layout).expect("an archive");
    assert_eq!((archive.repeated, archive.foreign), (first.lines().count(), 1));
    assert_eq!(archive.torn, [layout.records("zzz")]);
    assert_eq!(archive.contests, all);
    assert_eq!(play(&layout, &experiment, Shard::ALL), 0);

    // A line in the middle that is no record is an error that names it.
    let mut file = OpenOptions::new().append(true).open(layout.records("zzz")).expect("a file");
    file.write_all(b"\n").expect("written");
    let error = Archive::read(&layout).expect_err("a damaged line").to_string();
    assert!(error.contains("zzz.jsonl, line "), "{error}");
}
