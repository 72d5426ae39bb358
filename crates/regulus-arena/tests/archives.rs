//! What is read back from the directory of an experiment, also if some of it is damaged or there twice.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use regulus_arena::board::BoardRecord;
use regulus_arena::experiment::{
    Archive, Damage, Event, Experiment, Layout, Options, Patience, RepairedFile, Shard, Work,
    repair, work,
};
use regulus_arena::{Flaw, MAX_LINE};

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
    let files = entries.map(|entry| entry.expect("a file").path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).collect();
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
    assert_eq!((archive.repeated, &archive.damage), (0, &Damage::default()));
    assert_eq!((archive.played(), archive.manifests.len()), (12, 2));
    for contest in &archive.contests {
        let numbers = contest.records.iter().map(|r| (r.number().unit, r.number().seating));
        let numbers: Vec<_> = numbers.collect();
        assert_eq!(numbers, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
        assert!(contest.records.iter().all(|r| r.origin().budget == contest.planned.budget));
    }
    let all = lines(&archive);

    // The same games again, one of another experiment, and one that was cut off.
    let first = fs::read_to_string(&files(&layout)[0]).expect("records");
    let line = first.lines().next().expect("a record");
    let foreign = line.replace("mctsM_orthodox_semisplit", "somebody_else");
    let (half, _) = line.split_at(line.len() / 2);
    let zzz = layout.records("zzz");
    fs::write(&zzz, format!("{first}{foreign}\n{half}")).expect("written");
    let archive = Archive::read(&layout).expect("an archive");
    assert_eq!((archive.repeated, archive.damage.count), (first.lines().count(), 1));
    let foreign = &archive.damage.lines[0];
    assert_eq!((foreign.line as usize, &foreign.file), (first.lines().count() + 1, &zzz));
    let why = "tic-tac-toe, somebody_else against mcts_orthodox_orthodox, sims=5 is not planned";
    assert_eq!(foreign.why, Flaw::Foreign(why.to_owned()));
    assert_eq!(archive.damage.torn, std::slice::from_ref(&zzz));
    assert_eq!(lines(&archive), all);
    assert_eq!(play(&layout, &experiment, Shard::ALL), 0);

    // A line in the middle that is no record is named, and the rest is there.
    let mut file = OpenOptions::new().append(true).open(&zzz).expect("a file");
    file.write_all(b"\n").expect("written");
    let archive = Archive::read(&layout).expect("an archive");
    assert_eq!((archive.damage.count, archive.damage.torn.len()), (2, 0));
    assert!(matches!(&archive.damage.lines[1].why, Flaw::NoRecord(why) if why.starts_with("EOF ")));
    assert_eq!(lines(&archive), all);
}

/// The records of every contest, as they are written.
fn lines(archive: &Archive) -> Vec<Vec<Vec<u8>>> {
    let contests = archive.contests.iter().map(|contest| contest.records.iter());
    contests.map(|records| records.map(|record| record.line().expect("JSON")).collect()).collect()
}

/// An experiment that was played, with two files of records.
fn played() -> (tempfile::TempDir, Experiment, Layout) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("small.toml");
    fs::write(&file, DECLARATION).expect("written");
    let (experiment, text) = Experiment::declare(&file, Options::default()).expect("an experiment");
    let layout = Layout::new(folder.path().join("results"));
    experiment.settle(&layout, &text).expect("a directory");
    assert_eq!(play(&layout, &experiment, Shard { index: 0, count: 2 }), 6);
    assert_eq!(play(&layout, &experiment, Shard::ALL), 6);
    (folder, experiment, layout)
}

/// What is left out is what is played again, whatever was done to a line, and repairing changes nothing but files.
#[test]
fn damaged_lines_are_played_again() {
    let (_folder, experiment, layout) = played();
    let whole = Archive::read(&layout).expect("an archive");
    let timeless = |archive: &Archive| -> Vec<_> {
        let records = archive.contests.iter().flat_map(|contest| contest.records::<BoardRecord>());
        records.map(|record| record.timeless()).collect()
    };
    let both = files(&layout);
    let file = both[0].clone();
    let good = fs::read(&file).expect("records");
    let lines: Vec<&[u8]> = good.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), 6);
    let text = |line: usize| String::from_utf8(lines[line].to_vec()).expect("a record");
    let changed = |from: &str, to: &str| {
        let line = text(2).replacen(from, to, 1);
        assert_ne!(line, text(2), "{from}");
        line.into_bytes()
    };
    let mut flipped = lines[2].to_vec();
    flipped[1] ^= 4;
    let mut invalid = lines[2].to_vec();
    invalid[40] = 0xff;
    let no_record = "it is no record: ";
    let foreign = "it is of another experiment: ";
    let damaged = "the record is damaged: ";
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (lines[2][..lines[2].len() / 2].iter().chain(b"\n").copied().collect(), no_record),
        (flipped, no_record),
        (invalid, no_record),
        (b"\0\x01\xfe\n".to_vec(), no_record),
        (b"{}\n".to_vec(), no_record),
        (b"null\n".to_vec(), no_record),
        (changed("\"small\"", "\"large\""), foreign),
        (changed("\"budget\":\"sims=", "\"budget\":\"sims=9"), foreign),
        (changed("\"seed\":1", "\"seed\":2"), foreign),
        (changed("\"unit\":", "\"unit\":1"), foreign),
        (changed("\"sha256\":\"", "\"sha256\":\"0"), foreign),
        (changed("\"seats\":[", "\"seats\":[5,"), damaged),
        (changed("\"scores\":[", "\"scores\":[5,"), damaged),
        (changed("\"seconds\":[", "\"seconds\":[0.5,"), damaged),
    ];
    let never = AtomicBool::new(false);
    for (line, why) in cases {
        let parts = [lines[..2].concat(), line.clone(), lines[3..].concat()];
        fs::write(&file, parts.concat()).expect("written");
        let archive = Archive::read(&layout).expect("an archive");
        assert_eq!((archive.played(), archive.damage.count), (11, 1), "{why}");
        let found = &archive.damage.lines[0];
        assert_eq!((&found.file, found.line), (&file, 3));
        assert!(found.why.to_string().starts_with(why), "{} is not {why}", found.why);

        // Nothing is changed by looking.
        let plan = repair(&layout, true, &never).expect("a look");
        assert_eq!(plan.files.len(), 1);
        assert_eq!(fs::read(&file).expect("records"), parts.concat());
        let done = repair(&layout, false, &never).expect("a repair");
        assert_eq!(done, plan);
        let RepairedFile { moved_to, moved, kept, .. } = &done.files[0];
        assert_eq!((*moved, *kept), (1, 5));
        assert_eq!(fs::read(moved_to).expect("what was moved"), line);
        let left = [lines[..2].concat(), lines[3..].concat()].concat();
        assert_eq!(fs::read(&file).expect("records"), left);
        assert!(repair(&layout, false, &never).expect("another").is_empty());
        assert_eq!(Archive::read(&layout).expect("an archive").damage, Damage::default());

        // Only that game is missing.
        assert_eq!(play(&layout, &experiment, Shard::ALL), 1);
        let archive = Archive::read(&layout).expect("an archive");
        assert_eq!(timeless(&archive), timeless(&whole));
        fs::remove_file(moved_to).expect("removed");
        for newer in files(&layout).iter().filter(|path| !both.contains(path)) {
            fs::remove_file(newer).expect("removed");
        }
    }
}

/// What was moved by one repair stays when the next one moves more; a line without an end gets one.
#[test]
fn nothing_is_lost_by_repairing() {
    let (_folder, _, layout) = played();
    let [file, other] = <[PathBuf; 2]>::try_from(files(&layout)).expect("two files");
    let good = fs::read(&file).expect("records");
    let never = AtomicBool::new(false);
    let long = vec![b'x'; MAX_LINE as usize + 100];
    fs::write(&file, [b"first\n", &good[..], b"\n\nsecond\n", &long, b"\n{\"exp"].concat())
        .expect("written");
    let done = repair(&layout, false, &never).expect("a repair");
    assert_eq!((done.files[0].moved, done.files[0].kept), (4, 6));
    assert_eq!(done.files[0].lines[2].why, Flaw::TooLong);
    assert_eq!(done.files[0].lines[3].why, Flaw::Torn);
    fs::write(&file, [&good[..], b"third\n"].concat()).expect("written");
    repair(&layout, false, &never).expect("a repair");
    assert_eq!(fs::read(&file).expect("records"), good);
    let moved = fs::read(&done.files[0].moved_to).expect("what was moved");
    assert_eq!(moved, [b"first\nsecond\n", &long[..], b"\n{\"exp\nthird\n"].concat());
    assert_eq!(done.files.len(), 1, "{}", other.display());
    // Nothing else is left in the folder.
    let entries = fs::read_dir(layout.all_records()).expect("records");
    assert_eq!(entries.count(), 3);
    assert_eq!(fs::read_dir(layout.locks()).expect("locks").count(), 0);
}

/// Files of living processes are left alone, two cannot repair at once, and who is asked to stop stops.
#[test]
fn repairing_disturbs_nobody() {
    let (_folder, _, layout) = played();
    let file = files(&layout).remove(0);
    let good = fs::read(&file).expect("records");
    fs::write(&file, [&good[..], b"garbage\n{\"exp"].concat()).expect("written");
    let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
    let process = std::process::id();
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("a process");
    let start = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(19));
    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
    let holder = |purpose: &str| {
        let (host, start) = (host.trim(), start.expect("a time"));
        format!(
            "{{\"purpose\":{purpose},\"host\":\"{host}\",\"process\":{process},\"process_start\":{start}}}"
        )
    };
    let lock = layout.locks().join(format!("{name}.json"));
    fs::write(&lock, holder("{\"shard\":[0,1]}")).expect("written");
    let never = AtomicBool::new(false);
    let done = repair(&layout, false, &never).expect("a look");
    assert_eq!((done.files.len(), done.in_use.len()), (0, 1));
    assert_eq!(done.in_use[0].holder.as_ref().map(|holder| holder.process), Some(process));
    fs::remove_file(&lock).expect("removed");

    let lock = layout.locks().join("somebody.json");
    fs::write(&lock, holder("\"repair\"")).expect("written");
    let why = repair(&layout, false, &never).expect_err("two at once").to_string();
    assert!(why.contains(&format!("is being repaired by process {process} on ")), "{why}");
    fs::remove_file(&lock).expect("removed");

    let done = repair(&layout, false, &AtomicBool::new(true)).expect("a look");
    assert!(done.interrupted && done.files.is_empty());
    assert_eq!(repair(&layout, false, &never).expect("a repair").files[0].moved, 2);
}

/// Other files of a directory: what can be done without is set aside, what cannot is an error that says what to do.
#[test]
fn other_damaged_files() {
    let (_folder, experiment, layout) = played();
    let never = AtomicBool::new(false);
    let manifest = fs::read_dir(layout.manifests()).expect("manifests").next();
    let manifest = manifest.expect("one").expect("a file").path();
    fs::write(&manifest, "{\"worker\": ").expect("written");
    let archive = Archive::read(&layout).expect("an archive");
    assert_eq!((archive.manifests.len(), archive.damage.manifests.len()), (1, 1));
    let done = repair(&layout, false, &never).expect("a repair");
    assert_eq!(done.set_aside[0].file, manifest);
    assert_eq!(fs::read_to_string(&done.set_aside[0].moved_to).expect("kept"), "{\"worker\": ");
    assert!(Archive::read(&layout).expect("an archive").damage.manifests.is_empty());

    fs::write(layout.calibration(), "\0\0").expect("written");
    let why = Archive::read(&layout).expect_err("a damaged file").to_string();
    assert!(why.contains("calibration.json: the measurements are damaged"), "{why}");
    assert_eq!(repair(&layout, false, &never).expect("a repair").set_aside.len(), 1);

    let plan = fs::read_to_string(layout.plan()).expect("a plan");
    fs::write(layout.plan(), &plan[..plan.len() / 2]).expect("written");
    let why = Archive::read(&layout).expect_err("a damaged plan").to_string();
    assert!(why.contains("the plan is damaged: ") && why.contains("experiment repair"), "{why}");
    let done = repair(&layout, false, &never).expect("a repair");
    assert_eq!(done.set_aside[0].file, layout.plan());
    assert!(repair(&layout, false, &never).is_err(), "there is no experiment any more");
    experiment.settle(&layout, DECLARATION).expect("the plan is written again");
    assert_eq!(fs::read_to_string(layout.plan()).expect("a plan"), plan);
    assert_eq!(play(&layout, &experiment, Shard::ALL), 0, "no record was lost");
}
