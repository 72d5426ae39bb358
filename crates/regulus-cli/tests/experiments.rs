//! Experiments through the command line: whatever happens to those who work on one, nothing that was
//! finished is lost, and nothing is played twice.

mod experiment;

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use experiment::{bad, count, err, experiment, good, record_files, records, regulus};
use regulus_game::Random;
use serde_json::Value;

/// 200 short games.
const SHORT: &str = r#"
title = "Short games"
games = ["breakthrough", "tic-tac-toe"]
baseline = "mcts_orthodox_orthodox"
agents = ["mctsM_semisplitNodal_semisplit"]
limits = ["sims=20", "states=300"]
games_per_pair = 50
opening_plies = 2
"#;

/// 48 runs of video games, one of them in a folder of its own.
const VIDEO: &str = r#"
title = "Short runs"
kind = "video"
profile = "2015"
games = ["ghosts", "vgdl/sheepdog"]
levels = [0, 1]
agents = ["vg-random", "vg-ol-mcts"]
limits = ["sims=3"]
runs = 6

[[set]]
name = "ours"
games = ["vgdl/sheepdog"]

[[published]]
game = "average"
agent = "vg-ol-mcts"
wins = 40
error = 2

[[published]]
set = "ours"
agent = "vg-random"
score = -1.5
"#;

const GHOSTS: &str = include_str!("../../regulus-vgdl/tests/data/ghosts.txt");

/// A folder with a declaration, and one with a game that it names.
fn video_folder() -> tempfile::TempDir {
    let folder = folder(VIDEO);
    let games = folder.path().join("mine");
    fs::create_dir(&games).expect("a folder");
    fs::write(games.join("ghosts.txt"), GHOSTS).expect("written");
    for (number, row) in ["wA    gw", "wA   xgw"].iter().enumerate() {
        let text = format!("wwwwwwww\n{row}\nw  xx  w\nwwwwwwww\n");
        fs::write(games.join(format!("ghosts_lvl{number}.txt")), text).expect("written");
    }
    folder
}

fn folder(declaration: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("table.toml"), declaration).expect("written");
    folder
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    regulus(folder)
        .arg("experiment")
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("regulus can be started")
}

/// Waits until there are `lines` records, or the process has ended.
fn wait_for(directory: &Path, lines: usize, child: &mut Child) {
    while count(directory) < lines && child.try_wait().expect("a process").is_none() {
        std::thread::yield_now();
    }
}

#[test]
fn killed_at_random_it_goes_on() {
    let folder = folder(SHORT);
    let path = folder.path();
    good(&experiment(path, &["run", "table.toml", "--dir", "whole"]));
    let whole = records(&path.join("whole"));
    assert_eq!(whole.len(), 200);

    let mut random = Random::new(1);
    let mut kills = 0;
    for attempt in 0.. {
        // On a fast machine everything may be played before it was killed often enough.
        let name = format!("killed{attempt}");
        let directory = path.join(&name);
        let arguments = ["run", "table.toml", "--dir", &name, "--threads", "2"];
        while kills < 50 {
            let before = count(&directory);
            let mut child = start(path, &arguments);
            wait_for(&directory, before + random.below(5) as usize, &mut child);
            // A moment that nothing in the program decides.
            let moment = Instant::now() + Duration::from_micros(random.below(20_000));
            while Instant::now() < moment && child.try_wait().expect("a process").is_none() {
                std::thread::yield_now();
            }
            let ended = child.try_wait().expect("a process").is_some();
            child.kill().expect("it is killed, or has ended");
            child.wait().expect("it ends");
            if ended {
                break;
            }
            kills += 1;
        }
        // The last line of a file is cut off, as if the machine had lost power: its game is played again.
        let torn = record_files(&directory)
            .into_iter()
            .find(|file| fs::metadata(file).is_ok_and(|file| file.len() > 0));
        if let Some(torn) = torn {
            let file = OpenOptions::new().write(true).open(torn).expect("a file");
            let length = file.metadata().expect("a file").len();
            file.set_len(length - 1 - random.below(length.min(500)) / 2).expect("cut off");
        }
        good(&experiment(path, &arguments));
        assert_eq!(records(&directory), whole);
        let again = good(&experiment(path, &arguments));
        assert!(again.contains("all 200 games are recorded, 0 of them now"), "{again}");
        if kills == 50 {
            break;
        }
    }
}

/// Runs of video games: killed, cut off, shared; the games need not be there any more.
#[test]
fn video_games_go_on_after_anything() {
    let folder = video_folder();
    let path = folder.path();
    let message = bad(&experiment(path, &["run", "table.toml"]));
    assert!(message.contains("--games-from DIR"), "{message}");
    good(&experiment(path, &["run", "table.toml", "--games-from", "mine", "--dir", "whole"]));
    let whole = records(&path.join("whole"));
    assert_eq!(whole.len(), 48);

    let directory = path.join("killed");
    good(&experiment(path, &["plan", "table.toml", "--games-from", "mine", "--dir", "killed"]));
    fs::remove_dir_all(path.join("mine")).expect("removed");
    let mut random = Random::new(2);
    // Without --games-from those of the directory are taken.
    let arguments = ["run", "table.toml", "--dir", "killed", "--threads", "2"];
    for _ in 0..10 {
        let before = count(&directory);
        let mut child = start(path, &arguments);
        wait_for(&directory, before + 1 + random.below(3) as usize, &mut child);
        child.kill().expect("it is killed, or has ended");
        child.wait().expect("it ends");
    }
    let torn = record_files(&directory)
        .into_iter()
        .find(|file| fs::metadata(file).is_ok_and(|file| file.len() > 0))
        .expect("a run was recorded");
    let file = OpenOptions::new().write(true).open(torn).expect("a file");
    let length = file.metadata().expect("a file").len();
    file.set_len(length - 1 - random.below(200)).expect("cut off");
    good(&experiment(path, &arguments));
    assert_eq!(records(&directory), whole);
    let again = good(&experiment(path, &arguments));
    assert!(again.contains("all 48 runs are recorded, 0 of them now"), "{again}");

    // Another one, by two shares.
    fs::create_dir(path.join("shared")).expect("a folder");
    let games = path.join("whole/games");
    let games = games.to_str().expect("a name");
    let plan = ["plan", "table.toml", "--dir", "shared", "--games-from", games];
    let plan = good(&experiment(path, &plan));
    assert!(plan.contains("\n4 contests, 48 runs\n"), "{plan}");
    let first = start(path, &["work", "shared", "--shard", "0/2"]);
    good(&experiment(path, &["work", "shared", "--shard", "1/2"]));
    good(&first.wait_with_output().expect("it ends"));
    assert_eq!(records(&path.join("shared")), whole);

    // Every run can be played again from what is in the directory.
    for file in record_files(&path.join("whole")) {
        let mut replay = regulus(path);
        let checked = replay.arg("replay").arg(file).arg("--check").output().expect("regulus");
        assert_eq!(good(&checked), "48 games checked, 0 wrong\n");
    }
    let report = good(&experiment(path, &["report", "whole"]));
    assert!(report.starts_with("Short runs\n48 of 48 runs\n"), "{report}");
    for part in ["all games, sims=3", "vg-ol-mcts, sims=3", "40.0 ±  2.0", "F1 points"] {
        assert!(report.contains(part), "{part} in\n{report}");
    }
    let json = good(&experiment(path, &["report", "whole", "--json"]));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let points = json["video"]["rankings"][0]["agents"].as_array().expect("a ranking");
    let points: f64 = points.iter().filter_map(|agent| agent["points"].as_f64()).sum();
    assert_eq!(points, 2.0 * (25.0 + 18.0));
    let page = fs::read_to_string(path.join("whole/report/report.html")).expect("a page");
    assert!(page.contains("<section id=\"ranking\">"));
}

/// A game of another text is another experiment.
#[test]
fn texts_of_video_games_are_part_of_an_experiment() {
    let folder = video_folder();
    let path = folder.path();
    let plan = || experiment(path, &["plan", "table.toml", "--games-from", "mine"]);
    good(&plan());
    let level = path.join("mine/ghosts_lvl1.txt");
    let text = fs::read_to_string(&level).expect("a level");
    fs::write(&level, text.replace("wA ", "w A")).expect("written");
    let message = bad(&plan());
    assert!(message.contains("(the levels of ghosts)"), "{message}");
    fs::write(&level, text).expect("written");
    fs::write(path.join("mine/ghosts.txt"), GHOSTS.replace("=3", "=4")).expect("written");
    let message = bad(&plan());
    assert!(message.contains("(the rules of ghosts)"), "{message}");
    fs::write(path.join("mine/ghosts.txt"), GHOSTS.replace("Door", "Dor")).expect("written");
    let message = bad(&plan());
    assert!(message.contains("mine/ghosts.txt: "), "{message}");
    // What is in the directory must be what was planned.
    fs::write(path.join("results/table/games/ghosts.txt"), GHOSTS.replace("=3", "=4"))
        .expect("written");
    let message = bad(&experiment(path, &["work", "results/table", "--shard", "0/1"]));
    assert!(message.contains("not the text that the experiment was planned with"), "{message}");
}

#[test]
fn threads_and_shards_change_nothing() {
    let folder = folder(SHORT);
    let path = folder.path();
    good(&experiment(path, &["run", "table.toml", "--scale", "0.2", "--threads", "1"]));
    let one = records(&path.join("results/table"));
    assert_eq!(one.len(), 40);
    let arguments = ["run", "table.toml", "--scale", "0.2", "--dir", "two", "--threads", "2"];
    good(&experiment(path, &arguments));
    assert_eq!(records(&path.join("two")), one);

    // Another one, by three who work at the same time, one of them told by Kubernetes which share is his.
    let plan = good(&experiment(path, &["plan", "table.toml", "--scale", "0.2", "--dir", "three"]));
    assert!(plan.contains("\n4 contests, 20 units, 40 games\n"), "{plan}");
    let first = start(path, &["work", "three", "--shard", "0/3"]);
    let second = start(path, &["work", "three", "--shard", "1/3"]);
    let mut third = regulus(path);
    third.args(["experiment", "work", "three", "--shards", "3"]).env("JOB_COMPLETION_INDEX", "2");
    good(&third.output().expect("regulus can be started"));
    for child in [first, second] {
        good(&child.wait_with_output().expect("it ends"));
    }
    let shards: Vec<Value> = manifests(&path.join("three"));
    assert_eq!(shards.len(), 3);
    assert_eq!(records(&path.join("three")), one);
    // Who comes late has nothing to do.
    let late = good(&experiment(path, &["work", "three", "--shard", "3/8"]));
    assert!(late.contains("of share 3/8 are recorded, 0 of them now"), "{late}");
    assert_eq!(manifests(&path.join("three")).len(), 3);
}

fn manifests(directory: &Path) -> Vec<Value> {
    let entries = fs::read_dir(directory.join("manifest")).expect("manifests");
    let read = |path| serde_json::from_slice(&fs::read(path).expect("a manifest"));
    entries.map(|entry| read(entry.expect("a file").path()).expect("JSON")).collect()
}

#[test]
fn manifests_say_who_and_how() {
    let folder = folder(SHORT);
    let path = folder.path();
    let arguments = ["run", "table.toml", "--scale", "0.05", "--threads", "2", "--seed", "9"];
    good(&experiment(path, &arguments));
    let all = manifests(&path.join("results/table"));
    let [manifest] = &all[..] else { panic!("one manifest, not {}", all.len()) };
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["shard"], serde_json::json!([0, 1]));
    assert_eq!((&manifest["threads"], &manifest["seed"]), (&2.into(), &9.into()));
    assert_eq!(manifest["agents"][0]["name"], "mcts_orthodox_orthodox");
    assert_eq!(manifest["games"][0]["sha256"].as_str().map(str::len), Some(64));
    assert!(manifest["machine"]["processors"].as_u64() > Some(0));
    assert!(manifest["ended"].as_f64() >= manifest["started"].as_f64());
    let games = records(&path.join("results/table"));
    assert_eq!(manifest["played"].as_u64(), Some(games.len() as u64));
    assert!(games.values().all(|record| record["seed"] == 9));
}

#[test]
fn two_at_once_do_not_play_twice() {
    let folder = folder(SHORT);
    let path = folder.path();
    good(&experiment(path, &["plan", "table.toml"]));
    let work = || start(path, &["work", "results/table", "--shard", "0/1"]);
    let children = [work(), work(), work()];
    let played: Vec<String> = children
        .into_iter()
        .map(|child| good(&child.wait_with_output().expect("it ends")))
        .collect();
    assert!(played.iter().all(|out| out.contains("all 200 games are recorded")), "{played:?}");
    assert_eq!(records(&path.join("results/table")).len(), 200);
    assert_eq!(record_files(&path.join("results/table")).len(), 1);
}

/// Ctrl-C: what is finished is kept, and the command that is printed does the rest. Before that, another
/// one is refused.
#[test]
fn interrupted_it_says_how_to_go_on() {
    let folder = folder(&SHORT.replace("sims=20", "sims=400"));
    let path = folder.path();
    for attempt in 0.. {
        let name = format!("a results {attempt}");
        let directory = path.join(&name);
        let arguments = ["run", "table.toml", "--dir", &name, "--scale", "0.4", "--threads", "1"];
        let mut child = start(path, &arguments);
        wait_for(&directory, 1, &mut child);
        let other = experiment(path, &arguments);
        let process = child.id();
        let killed = Command::new("sh").args(["-c", &format!("kill -INT {process}")]).status();
        assert!(killed.expect("a shell can be started").success());
        let output = child.wait_with_output().expect("it ends");
        if output.status.success() {
            // It was over before it could be interrupted.
            continue;
        }
        let message = bad(&other);
        let expected = format!("{name} is being worked on by process {process} on ");
        assert!(message.contains(&expected), "{message}");
        let message = bad(&output);
        let there = count(&directory);
        let expected = format!("{there} of 80 are recorded in {name}\n");
        assert!(message.contains(&expected), "{message}");
        let command = message.lines().find_map(|line| line.strip_prefix("continue with: "));
        let command = command.expect("a command").to_owned();
        assert!(command.ends_with(&format!(
            "experiment run table.toml --dir '{name}' --scale 0.4 --threads 1"
        )));
        let mut shell = Command::new("sh");
        let rest = shell.args(["-c", &command]).current_dir(path).output().expect("a shell");
        let expected = format!("all 80 games are recorded, {} of them now", 80 - there);
        assert!(good(&rest).contains(&expected), "{}", good(&rest));
        assert_eq!(records(&directory).len(), 80);
        break;
    }
}

#[test]
fn plans_are_shown() {
    let folder = folder(SHORT);
    let agents = "mctsM_semisplitNodal_semisplit against mcts_orthodox_orthodox";
    let expected = format!(
        "table: results/table\n\
         breakthrough     26 games  sims=20  {agents}\n\
         breakthrough     26 games  states=300  {agents}\n\
         tic-tac-toe      26 games  sims=20  {agents}\n\
         tic-tac-toe      26 games  states=300  {agents}\n\
         4 contests, 52 units, 104 games\n\
         size cluster: 26 instead of 50 games of every pair\n\
         with 26 games a win rate is known to ± 19.2 points (95 %, at one half), that of the average over 2 games to \
         ± 13.6; smaller differences between agents, or from published figures, may be chance\n\
         about 2 s on two processors, by a rough guess\n"
    );
    let plan = experiment(folder.path(), &["plan", "table.toml", "--scale", "0.5"]);
    assert_eq!(good(&plan), expected);
}

#[test]
fn another_experiment_is_refused() {
    let folder = folder(SHORT);
    let path = folder.path();
    let run = |more: &[&str]| experiment(path, &[&["plan", "table.toml"], more].concat());
    good(&run(&[]));
    good(&run(&[]));
    let message = bad(&run(&["--scale", "0.2"]));
    assert!(message.contains("(scale: 1 there, 0.2 now)"), "{message}");
    let message = bad(&run(&["--seed", "5"]));
    assert!(message.contains("results/table holds another experiment (seed: 1 there, 5 now)"));
    let change = |from: &str, to: &str| {
        fs::write(path.join("table.toml"), SHORT.replace(from, to)).expect("written");
        run(&[])
    };
    let message = bad(&change("opening_plies = 2", "opening_plies = 3"));
    assert!(message.contains("(opening_plies: 2 there, 3 now)"), "{message}");
    let message = bad(&change("\"states=300\"", "\"states=301\""));
    assert!(message.contains("(pairs, limits or numbers of games)"), "{message}");
    // What results do not depend on may change.
    good(&change("Short games", "Games that are short"));
    let kept = fs::read_to_string(path.join("results/table/experiment.toml")).expect("a copy");
    assert!(kept.contains("Games that are short"), "{kept}");
    let message = bad(&change("breakthrough", "brakethrough"));
    assert!(message.contains("table.toml, line 3: there is no built-in game"), "{message}");
}

/// Files may have a certain size and no more: like a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_nothing_is_lost() {
    let folder = folder(SHORT);
    let path = folder.path();
    good(&experiment(path, &["plan", "table.toml"]));
    // In blocks of 512 bytes. A process that ignores the signal is told by an error.
    let program = env!("CARGO_BIN_EXE_regulus");
    let script = format!(
        "trap '' XFSZ; ulimit -f 40; exec {program} experiment work results/table --shard 0/1"
    );
    let full = || {
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(path).output().expect("a shell")
    };
    let directory = path.join("results/table");
    let mut before = 0;
    for _ in 0..2 {
        let message = bad(&full());
        assert!(message.contains("error: cannot write results/table/records/"), "{message}");
        assert!(message.contains("continue with: "), "{message}");
        let now = records(&directory).len();
        assert!(now > before && now < 200, "{before}, then {now}");
        before = now;
    }
    good(&experiment(path, &["work", "results/table", "--shard", "0/1"]));
    assert_eq!(records(&directory).len(), 200);
}

#[cfg(unix)]
#[test]
fn directories_that_cannot_be_written_are_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(SHORT);
    let path = folder.path();
    let closed = path.join("closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).expect("no writing");
    // For the administrator permissions do not count; nobody can make files in /proc.
    let place = match fs::write(closed.join("try"), "") {
        Ok(()) => "/proc/results",
        Err(_) => "closed/results",
    };
    let message = bad(&experiment(path, &["run", "table.toml", "--dir", place]));
    assert!(message.contains(&format!("error: cannot make {place}")), "{message}");
    let message = bad(&experiment(path, &["run", "table.toml", "--dir", "table.toml"]));
    assert!(message.contains("error: cannot make table.toml"), "{message}");
    let message = bad(&experiment(path, &["work", "nothing", "--shard", "0/1"]));
    assert!(message.contains("there is no experiment in nothing"), "{message}");
}

/// Two begin at once: one measures, and both play with what it has found.
#[test]
fn limits_are_measured_once() {
    let folder = folder(&SHORT.replace("\"sims=20\", \"states=300\"", "\"fs0=1ms\", \"fm0=1ms\""));
    let path = folder.path();
    good(&experiment(path, &["plan", "table.toml", "--scale", "0.1"]));
    let work = |shard| start(path, &["work", "results/table", "--shard", shard]);
    let outputs = [work("0/2"), work("1/2")].map(|c| c.wait_with_output().expect("it ends"));
    let measured: usize =
        outputs.iter().map(|output| err(output).matches("measuring ").count()).sum();
    assert_eq!(measured, 2, "two games, one baseline, one time");
    outputs.iter().for_each(|output| {
        good(output);
    });
    let directory = path.join("results/table");
    let text = fs::read_to_string(directory.join("calibration.json")).expect("a file");
    let calibration: Value = serde_json::from_str(&text).expect("JSON");
    let all = calibration["all"].as_array().expect("a list");
    for record in records(&directory).values() {
        let one = all.iter().find(|one| one["game"] == record["game"]).expect("a measurement");
        let number = |key: &str| one[key].as_f64().expect("a number");
        let expected = match record["budget"].as_str() {
            Some("fs0=1ms") => format!("states={}", number("nodal_states")),
            _ => format!("sims={}", number("simulations")),
        };
        assert_eq!(record["limits"], expected);
    }
}

#[test]
fn speed_is_measured() {
    let declaration = r#"
title = "Speed"
kind = "speed"
games = ["breakthrough", "tic-tac-toe"]
agents = ["mcts_orthodox_orthodox", "mctsM_orthodox_semisplit"]
limits = ["sims=50", "time=5ms"]
searches = 2
"#;
    let folder = folder(declaration);
    let path = folder.path();
    let out = good(&experiment(path, &["run", "table.toml"]));
    assert!(out.contains("all 16 searches are recorded, 16 of them now"), "{out}");
    let out = good(&experiment(path, &["run", "table.toml"]));
    assert!(out.contains("all 16 searches are recorded, 0 of them now"), "{out}");
    let files = record_files(&path.join("results/table"));
    let text = fs::read_to_string(&files[0]).expect("records");
    let mut found = Vec::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        assert!(record["nodal_states"].as_u64() > Some(0), "{line}");
        assert!(record["seconds"].as_f64() > Some(0.0), "{line}");
        assert!(record["bytes"].as_u64() > record["nodes"].as_u64(), "{line}");
        let (game, agent) = (&record["game"]["name"], &record["agents"][0]["name"]);
        found.push(format!("{game} {agent} {} {}", record["budget"], record["search"]));
        assert!(record["budget"] != "sims=50" || record["iterations"] == 50, "{line}");
    }
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 16);
}

/// A game and an agent from files: records can be replayed although the files are gone.
#[test]
fn a_directory_needs_nothing_else() {
    let folder = folder(
        &SHORT
            .replace("\"tic-tac-toe\"", "\"rules/mine.rbg\"")
            .replace("\"mctsM_semisplitNodal_semisplit\"", "\"./my.json\""),
    );
    let path = folder.path();
    fs::create_dir(path.join("rules")).expect("a folder");
    let rules = regulus_games::find("tic-tac-toe").expect("a game").text;
    fs::write(path.join("rules/mine.rbg"), rules).expect("written");
    let agent = regulus_agent::by_name("mctsM_orthodox_semisplit").expect("an agent");
    fs::write(path.join("my.json"), regulus_agent::write(&agent)).expect("written");
    good(&experiment(path, &["plan", "table.toml", "--scale", "0.1"]));
    fs::remove_dir_all(path.join("rules")).expect("removed");
    fs::remove_file(path.join("my.json")).expect("removed");
    good(&experiment(path, &["work", "results/table", "--shard", "0/1"]));
    let directory = path.join("results/table");
    assert_eq!(records(&directory).len(), 24);
    let file = record_files(&directory).remove(0);
    let mut replay = regulus(path);
    let checked = replay.arg("replay").arg(file).arg("--check").output().expect("regulus");
    assert_eq!(good(&checked), "24 games checked, 0 wrong\n");
}

#[test]
fn jobs_for_slurm_are_written() {
    let folder = folder(SHORT);
    let path = folder.path();
    good(&experiment(path, &["plan", "table.toml", "--dir", "it's mine"]));
    let arguments = ["submit", "it's mine", "--slurm", "--partition", "long", "--time", "12:00:00"];
    let more = ["--cores", "4", "--shards", "16", "--option=--account=games", "--print"];
    let script = good(&experiment(path, &[&arguments[..], &more].concat()));
    for line in [
        "#SBATCH --array=0-15",
        "#SBATCH --cpus-per-task=4",
        "#SBATCH --requeue",
        "#SBATCH --partition=long",
        "#SBATCH --time=12:00:00",
        "#SBATCH --account=games",
    ] {
        assert!(script.lines().any(|other| other == line), "{line} in\n{script}");
    }
    assert!(script.contains("it'\\''s mine' --shards 16 --threads 4 &"), "{script}");
    let kept = fs::read_to_string(path.join("it's mine/submit.sbatch")).expect("a script");
    assert_eq!(kept, script);
    let arguments = ["submit", "it's mine", "--slurm", "--option", "rm -r", "--print"];
    assert!(bad(&experiment(path, &arguments)).contains("no option of sbatch"));
    // Where there is no Slurm, the script is there all the same.
    let mut lonely = regulus(path);
    lonely.args(["experiment", "submit", "it's mine", "--slurm"]).env("PATH", "");
    let message = bad(&lonely.output().expect("regulus can be started"));
    assert!(message.contains("cannot start sbatch: "), "{message}");
    let message = bad(&experiment(path, &["work", "it's mine"]));
    assert!(message.contains("give --shard I/N"), "{message}");
}

/// A small version ends with its table and says what it can show; the directory remembers its size, and how far it is can be
/// asked at any time. Several files are played one after the other; one that cannot be played is named at the end.
#[test]
fn sizes_end_with_their_table() {
    let published = "[[published]]\ngame = \"tic-tac-toe\"\nagent = \"mctsM_semisplitNodal_semisplit\"\n\
                     limit = \"sims=20\"\nwin_rate = 61.5\n\
                     [size.coffee]\ngames = [\"tic-tac-toe\"]\nlimits = { \"sims=20\" = \"sims=10\" }\n\
                     games_per_pair = 4\n";
    let folder = folder(&format!("{SHORT}{published}"));
    let path = folder.path();
    let plan = good(&experiment(path, &["plan", "table.toml", "--size", "coffee"]));
    assert!(plan.contains("size coffee: 1 of 2 games, 4 instead of 50 games"), "{plan}");
    let text = good(&experiment(path, &["run", "table.toml", "--size", "coffee"]));
    assert!(text.contains("4 instead of 50 games of every pair"), "{text}");
    assert!(text.contains("with 4 games a win rate is known to ± 49.0 points"), "{text}");
    assert!(text.contains("61.5") && text.contains("sims=10"), "{text}");
    let status = good(&experiment(path, &["status", "results/table-coffee"]));
    assert!(status.contains("4 of 4 games") && status.contains("nothing is left"), "{status}");
    let status = experiment(path, &["status", "results/table-coffee", "--json"]);
    let status: Value = serde_json::from_slice(&status.stdout).expect("JSON");
    assert_eq!((&status["size"], &status["played"]), (&"coffee".into(), &4.into()));
    let again = ["run", "table.toml", "--size", "night", "--dir", "results/table-coffee"];
    let message = bad(&experiment(path, &again));
    assert!(message.contains("size: coffee there, night now"), "{message}");

    fs::write(path.join("wrong.toml"), "title = 5\n").expect("written");
    let smallest = ["--size", "coffee", "--games", "2", "--limit", "sims=3"];
    let files = ["run", "wrong.toml", "table.toml", "--dir", "one"];
    assert!(bad(&experiment(path, &files)).contains("--dir is the directory of one experiment"));
    fs::remove_dir_all(path.join("results")).expect("removed");
    let output = experiment(path, &[&["run", "wrong.toml", "table.toml"][..], &smallest].concat());
    assert!(bad(&output).contains("1 of 2 experiments could not be played: wrong.toml"));
    assert_eq!(count(&path.join("results/table-coffee")), 2);
}

/// Flat Monte Carlo: simulations alone. With a limit in simulations the counts do not depend on the machine.
#[test]
fn flat_monte_carlo_is_counted() {
    let folder = folder(
        "title = \"Flat\"\nkind = \"speed\"\nflat = true\ngames = [\"breakthrough\"]\n\
         baseline = \"mcts_orthodox_orthodox\"\nagents = [\"mctsM_orthodox_semisplit\"]\nlimits = [\"sims=2000\"]\n",
    );
    let path = folder.path();
    good(&experiment(path, &["run", "table.toml"]));
    let report = experiment(path, &["report", "results/table", "--json"]);
    let report: Value = serde_json::from_slice(&report.stdout).expect("JSON");
    let figure = |agent: usize, key: &str| report["speeds"][agent][key].as_f64().expect(key);
    // AAAI22 Table 1: 64 states and 25.69 moves for each; with Mod 73, 157 in all, 7.71 semimoves.
    for (agent, key, published, tolerance) in [
        (0, "nodal_states_per_simulation", 64.0, 0.02),
        (0, "states_per_simulation", 64.0, 0.03),
        (0, "branching", 25.69, 0.03),
        (1, "nodal_states_per_simulation", 73.0, 0.03),
        (1, "states_per_simulation", 157.0, 0.04),
        (1, "branching", 7.71, 0.04),
    ] {
        let ours = figure(agent, key);
        assert!((ours / published - 1.0).abs() < tolerance, "{agent} {key}: {ours} {published}");
    }
}
