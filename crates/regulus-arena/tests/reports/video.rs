//! Reports of video games: values by hand, golden tables, the page, and what is told of bad records.

use regulus_arena::report::{Severity, VideoMeasure};
use regulus_arena::video::{Iterations, Scope, VideoContest, VideoOutcome, VideoRecord};
use regulus_arena::{Reason, RecordFile, Stop};
use regulus_player::video::DISQUALIFIED_SCORE;

use crate::close;
use crate::directory::Directory;
use crate::page::check;
use crate::tables::{golden, read_back};

/// Two games with two levels, two runs of each; two agents.
const DECLARATION: &str = r#"
title = "Two <video> games & two agents"
kind = "video"
games = ["vgdl/sheepdog", "vgdl/firefly"]
levels = [0, 1]
agents = ["vg-random", "vg-ol-mcts"]
limits = ["sims=20"]
runs = 2

[[set]]
name = "dogs <and> sheep"
games = ["vgdl/sheepdog"]

[[published]]
game = "average"
agent = "vg-ol-mcts"
wins = 50.0
error = 10.0
iterations = 20.5
score = -3.5

[[published]]
set = "dogs <and> sheep"
agent = "vg-random"
wins = 25.0

[[published]]
game = "vgdl/firefly"
agent = "vg-ol-mcts"
wins = 100.0
error = 0.0
"#;

/// A run that was not played like this: `won`, its score and its ticks.
fn made_up(
    contest: &VideoContest,
    unit: u64,
    (won, score, ticks): (bool, i32, u64),
) -> VideoRecord {
    let played = contest.play(unit, Stop::default()).expect("not stopped");
    VideoRecord {
        contest: "0123456789abcdef".to_owned(),
        outcome: VideoOutcome::Finished,
        won,
        score,
        breakdown: None,
        raw_score: score,
        ticks,
        actions: "N".repeat(ticks as usize),
        iterations: Iterations::of(&vec![20; ticks as usize]),
        model_ticks: 200 * ticks,
        thinking_seconds: 0.01 * ticks as f64,
        slowest_ms: 12.5,
        started: 1_700_000_000.0 + unit as f64,
        seconds: 1.0,
        processor: "Slide Rule 3000".to_owned(),
        version: "0.1.0".to_owned(),
        ..played
    }
}

/// The four runs of a contest: run by run, both levels of each.
type Runs = [(bool, i32, u64); 4];

fn append(directory: &Directory, records: &[VideoRecord]) {
    let mut file = RecordFile::open(&directory.records("w")).expect("a file");
    records.iter().for_each(|record| file.append(record).expect("written"));
}

/// Sheepdog: the random agent wins 1 of 4, the search 3; firefly: 0 and 0, the search has more points.
fn by_hand() -> Directory {
    let directory = Directory::new(DECLARATION);
    let results: [Runs; 4] = [
        [(true, 5, 100), (false, 1, 50), (false, 0, 50), (false, 2, 200)],
        [(true, 5, 60), (true, 7, 80), (true, 4, 60), (false, 0, 200)],
        [(false, 0, 40), (false, -1, 40), (false, 0, 40), (false, -3, 40)],
        [(false, 0, 40), (false, 1, 40), (false, 0, 40), (false, 3, 40)],
    ];
    for (index, runs) in results.into_iter().enumerate() {
        let contest = directory.contest(index);
        let records: Vec<VideoRecord> =
            (0..).zip(runs).map(|(unit, run)| made_up(&contest, unit, run)).collect();
        append(&directory, &records);
    }
    directory.manifest("w", |manifest| manifest.played = 16);
    directory
}

#[test]
fn results_are_those_computed_by_hand() {
    let (report, _) = by_hand().report();
    assert_eq!((report.played, report.planned), (16, 16));
    assert!(report.notices.is_empty(), "{:?}", report.notices);
    assert!(report.cells.is_empty() && report.ratings.is_empty());
    let video = report.video.expect("video games");
    let result = |scope: Scope, agent: &str| video.result(&scope, agent, "sims=20").expect("one");
    let dogs = result(Scope::Game("vgdl/sheepdog".to_owned()), "vg-ol-mcts");
    assert_eq!((dogs.runs, dogs.wins, dogs.rate), (4, 3, 0.75));
    assert_eq!((dogs.score, dogs.ticks, dogs.iterations), (4.0, 100.0, 20.0));
    assert!(close(dogs.model_ticks_per_s, 20_000.0));
    let levels: Vec<(u64, u64)> = dogs.levels.iter().map(|l| (l.wins, l.runs)).collect();
    assert_eq!(levels, [(2, 2), (1, 2)]);
    let all = result(Scope::All, "vg-random");
    assert_eq!((all.runs, all.wins, all.games), (8, 1, 2));
    // 1.96 sqrt(1/8 7/8 / 8)
    assert!(close(all.error, 1.959_963_984_540_054 * (7.0_f64 / 64.0 / 8.0).sqrt()));
    // (5 + 1 + 0 + 2 + 0 - 1 + 0 - 3) / 8
    assert_eq!(all.score, 0.5);
    // Both games go to the search: by wins, and by score.
    let ranking = &video.rankings[0];
    let points: Vec<(&str, f64)> =
        ranking.agents.iter().map(|r| (r.agent.as_str(), r.points)).collect();
    assert_eq!(points, [("vg-ol-mcts", 50.0), ("vg-random", 36.0)]);
}

#[test]
fn published_figures_are_beside_ours() {
    let (report, _) = by_hand().report();
    let published = report.video.expect("video games").published;
    let figure = |measure, scope: &Scope| {
        let found = published.iter().find(|c| c.measure == measure && c.scope == *scope);
        found.expect("a figure").clone()
    };
    assert_eq!(published.len(), 5);
    let wins = figure(VideoMeasure::Wins, &Scope::All);
    // Ours are 3 of 8: 37.5 %, 12.5 below; its standard error is sqrt(3/8 5/8 / 8) = 17.1 %, theirs 10 / 1.96.
    assert_eq!((wins.ours, wins.difference, wins.coverage), (Some(37.5), Some(-12.5), [2, 2]));
    let ours = 100.0 * (15.0_f64 / 64.0 / 8.0).sqrt();
    let error = (ours * ours + (10.0_f64 / 1.959_963_984_540_054).powi(2)).sqrt();
    assert!(close(wins.deviation.expect("errors"), -12.5 / error));
    let score = figure(VideoMeasure::Score, &Scope::All);
    assert_eq!((score.published, score.ours), (-3.5, Some(2.5)));
    let iterations = figure(VideoMeasure::Iterations, &Scope::All);
    assert_eq!((iterations.ours, iterations.difference), (Some(20.0), Some(-0.5)));
    // All runs ended alike: the error is half of Wilson's interval, 0 to 0.4899 for 4 runs.
    let none = figure(VideoMeasure::Wins, &Scope::Game("vgdl/firefly".to_owned()));
    assert!((none.our_error.expect("an error") - 24.49).abs() < 0.01);
}

#[test]
fn tables_are_the_golden_ones() {
    let directory = by_hand();
    let (_, written) = directory.report();
    let table = std::fs::read_to_string(written.table).expect("a table");
    golden("video-table.csv", &table);
    let csv = std::fs::read_to_string(&written.csv).expect("a table");
    golden("video-results.csv", &csv);
    let rows = read_back(&written.parquet);
    assert_eq!(rows.len(), 16);
    for (row, line) in rows.iter().zip(csv.lines().skip(1)) {
        let number = |text: &str| text.parse::<f64>().ok();
        for ((name, value), cell) in row.iter().zip(line.split(',')) {
            assert!(value == cell || number(value) == number(cell), "{name}: {value}, {cell}");
        }
    }
}

#[test]
fn the_page_has_everything() {
    let directory = by_hand();
    let (_, written) = directory.report();
    let page = std::fs::read_to_string(written.page).expect("a page");
    check(&page);
    for id in ["agents", "ranking", "win-rates-by-game", "published-runs", "runs", "manifest"] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert!(!page.contains("<section id=\"win-rates\">"), "nobody has played against anybody");
    for text in [
        "dogs &lt;and&gt; sheep",
        "Two &lt;video&gt; games &amp; two agents",
        "2 of 3 win rates agree",
        "runs played",
        "rules of 2021, 2 runs of every level",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn faults_are_told_and_bad_records_left_out() {
    let directory = by_hand();
    let contest = directory.contest(0);
    let path = directory.records("w");
    let text = std::fs::read_to_string(&path).expect("records");
    let mut lines: Vec<VideoRecord> =
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    lines[0].outcome = VideoOutcome::Disqualified { tick: 7, milliseconds: 61.5 };
    (lines[0].won, lines[0].score) = (false, DISQUALIFIED_SCORE);
    let message = "no <idea>".to_owned();
    lines[1].outcome = VideoOutcome::Failed { reason: Reason::Crashed, message };
    lines[1].score = DISQUALIFIED_SCORE;
    // These do not hold together.
    lines[2].score += 1;
    lines[3].ticks += 1;
    std::fs::write(&path, "").expect("written");
    append(&directory, &lines);
    // One is there twice, one is of another plan.
    let repeated = lines[5].clone();
    let mut foreign = made_up(&contest, 0, (true, 1, 1));
    foreign.agents[0].name = "vg-one-step".to_owned();
    append(&directory, &[repeated, foreign]);
    let (report, written) = directory.report();
    let text: Vec<&str> = report.notices.iter().map(|notice| notice.text.as_str()).collect();
    let told = |part: &str| {
        assert!(text.iter().any(|notice| notice.contains(part)), "{part} in {text:#?}");
    };
    told(
        "1 run disqualified for taking too long; vgdl/sheepdog, level 0, vg-random, sims=20, run 0: 61.5 ms",
    );
    told(
        "1 run lost by a failure; vgdl/sheepdog, level 1, vg-random, sims=20, run 0: crash: no <idea>",
    );
    told("line 3 is left out: the record is damaged: the score that counts is 0, not 1");
    told("line 4 is left out: the record is damaged: 200 actions in 201 ticks");
    told(
        "is left out: it is of another experiment: vgdl/sheepdog, vg-one-step, sims=20 is not planned",
    );
    told("1 record more than once");
    let warnings = report.notices.iter().filter(|n| n.severity == Severity::Warning).count();
    assert_eq!(warnings, 5, "{text:#?}");
    let video = report.video.expect("video games");
    let result = video.result(&Scope::All, "vg-random", "sims=20").expect("a result");
    assert_eq!((result.runs, result.disqualified, result.failed, result.wins), (6, 1, 1, 0));
    check(&std::fs::read_to_string(written.page).expect("a page"));
    // A line that is no record is named.
    std::fs::write(&path, "{\"experiment\": 1}\n").expect("written");
    let (report, _) = directory.report();
    let named = "records/w.jsonl, line 1 is left out: it is no record: ";
    assert!(report.notices.iter().any(|n| n.text.starts_with(named)), "{:?}", report.notices);
}

#[test]
fn reports_are_made_of_parts_too() {
    let directory = Directory::new(DECLARATION);
    let (report, _) = directory.report();
    assert!(report.notices.iter().any(|n| n.text == "no run of 16 was played yet"));
    let contest = directory.contest(0);
    append(&directory, &[made_up(&contest, 0, (true, 1, 5))]);
    directory.manifest("w", |manifest| manifest.played = 1);
    let (report, written) = directory.report();
    assert!(report.notices.iter().any(|n| n.text == "1 of 16 runs are played so far"));
    let video = report.video.expect("video games");
    let total = video.total("vg-random", "sims=20").expect("a result");
    assert_eq!((total.runs, total.games, total.score_error), (1, 1, None));
    assert!(video.rankings.is_empty(), "nobody to compare with");
    let average = video.published.iter().find(|c| c.scope == Scope::All).expect("a figure");
    assert_eq!((average.ours, average.coverage), (None, [0, 2]));
    check(&std::fs::read_to_string(written.page).expect("a page"));
}
