//! Sizes of experiments: what is played, what stands beside it, and what a directory remembers.

use regulus_arena::experiment::{
    Archive, Declaration, Experiment, Extent, Layout, Options, Size, Status,
};
use regulus_arena::report::ExperimentReport;

const TABLE: &str = r#"
title = "A table"
notes = ["a note for the reader"]
games = ["breakthrough", "chess"]
baseline = "mcts_orthodox_orthodox"
agents = ["mctsM_orthodox_semisplit", "mctsM_semisplitNodal_semisplit"]
limits = ["time=500ms", "fs0=500ms"]
games_per_pair = 240

[[published]]
game = "breakthrough"
agent = "mctsM_orthodox_semisplit"
limit = "time=500ms"
win_rate = 62.5

[[published]]
game = "chess"
agent = "mctsM_semisplitNodal_semisplit"
limit = "time=500ms"
win_rate = 96.0

[[published]]
game = "average"
agent = "mctsM_orthodox_semisplit"
limit = "fs0=500ms"
win_rate = 50.2
"#;

const SIZES: &str = r#"
[size.coffee]
games = ["breakthrough"]
agents = ["mctsM_orthodox_semisplit"]
limits = { "time=500ms" = "time=10ms" }
games_per_pair = 20
"#;

fn parse(text: &str) -> Declaration {
    Declaration::parse(text).expect("it is right")
}

fn extent(size: Size, limits: &[&str], games: Option<u64>) -> Extent {
    Extent { size, limits: limits.iter().map(|limit| (*limit).to_owned()).collect(), games }
}

fn limits(declaration: &Declaration) -> Vec<String> {
    declaration.limits.iter().map(ToString::to_string).collect()
}

/// What is declared of a size is what is played, with the figures that belong to it.
#[test]
fn declared_sizes_are_played() {
    let whole = parse(&format!("{TABLE}{SIZES}"));
    let coffee = whole.sized(&extent(Size::Coffee, &[], None)).expect("a size");
    assert_eq!(coffee.games, ["breakthrough"]);
    assert_eq!(coffee.agents, ["mctsM_orthodox_semisplit"]);
    assert_eq!(limits(&coffee), ["time=10ms"]);
    assert_eq!(coffee.games_per_pair, 20);
    // The figure for half a second stands beside ours for less; others are about what is not played.
    let [figure] = &coffee.published[..] else { panic!("{:?}", coffee.published) };
    assert_eq!((figure.limit.as_str(), figure.win_rate), ("time=10ms", Some(62.5)));
    assert_eq!(whole.sized(&Extent::default()).as_ref(), Ok(&whole));
}

/// Four cells with limits of 20 ms take 4 x 100 x 2 x 20 ms = 16 s for every game of each; four minutes of two processors
/// have room for 30.
#[test]
fn what_is_not_declared_is_fitted_to_the_time() {
    let coffee = parse(TABLE).sized(&extent(Size::Coffee, &[], None)).expect("a size");
    assert_eq!(limits(&coffee), ["time=20ms", "fs0=20ms"]);
    assert_eq!(coffee.games_per_pair, 30);
    assert_eq!(coffee.published.len(), 3);
    // Nine hours: 8 cells at half a second are 400 s, 162 of each.
    let night = parse(TABLE).sized(&extent(Size::Night, &[], None)).expect("a size");
    assert_eq!(limits(&night), ["time=500ms", "fs0=500ms"]);
    assert_eq!(night.games_per_pair, 162);
}

/// What is asked for counts before what a size says. A limit takes the place of those of its sort; others are not played.
#[test]
fn what_is_asked_for_counts_first() {
    let whole = parse(TABLE);
    let asked = |limits: &[&str], games| whole.sized(&extent(Size::Coffee, limits, games));
    let one = asked(&["time=5ms"], Some(6)).expect("a size");
    assert_eq!((limits(&one), one.games_per_pair), (vec!["time=5ms".to_owned()], 6));
    let both = asked(&["time=5ms", "fs0=7ms"], None).expect("a size");
    assert_eq!(limits(&both), ["time=5ms", "fs0=7ms"]);
    // One of a sort that nobody declares is played instead of all; a figure of the first stands beside it.
    let other = asked(&["sims=100"], None).expect("a size");
    assert_eq!((limits(&other), other.published.len()), (vec!["sims=100".to_owned()], 3));
    for wrong in [&["time=5ms", "time=6ms"][..], &["sims=5", "time=6ms"], &["time=5"]] {
        assert!(asked(wrong, None).is_err(), "{wrong:?}");
    }
}

#[test]
fn errors_of_sizes_name_the_line() {
    let why = |sizes: &str| {
        Declaration::parse(&format!("{TABLE}{sizes}")).expect_err("wrong").to_string()
    };
    let last = TABLE.lines().count();
    assert_eq!(
        why("[size.coffee]\ngames = ['ches']"),
        format!(
            "line {}: game `ches` is not part of this experiment; did you mean `chess`?",
            last + 2
        )
    );
    assert!(why("[size.espresso]\n").contains("there is no key `espresso`"));
    assert!(why("[size.coffee]\nruns = 2\n").contains("there is no key `runs`"));
    let limit = why("[size.coffee]\nlimits = { 'time=1s' = 'time=2ms' }\n");
    assert!(limit.contains("limit `time=1s` is not part of this experiment"), "{limit}");
}

/// A directory remembers its size: reports and status are about it, and another size is another experiment.
#[test]
fn a_directory_remembers_its_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table.toml");
    std::fs::write(&file, format!("{TABLE}{SIZES}")).expect("written");
    let layout = Layout::new(folder.path().join("run"));
    let declare = |extent: Extent| {
        Experiment::declare(&file, Options { extent, ..Options::default() }).expect("an experiment")
    };
    let (coffee, text) = declare(extent(Size::Coffee, &[], Some(4)));
    coffee.settle(&layout, &text).expect("a directory");
    let (night, text) = declare(extent(Size::Night, &[], None));
    let why = night.settle(&layout, &text).expect_err("another size").to_string();
    assert!(why.contains("size: coffee --games 4 there, night now"), "{why}");
    let archive = Archive::read(&layout).expect("an archive");
    assert_eq!((archive.declared.games.len(), archive.declaration.games.len()), (2, 1));
    let (report, _) = ExperimentReport::new(&archive);
    assert_eq!((report.planned, report.games.len()), (4, 1));
    assert_eq!(
        report.about[0],
        "size coffee: 1 of 2 games, 1 of 2 agents, 4 instead of 240 games of every pair, time=10ms instead of \
         time=500ms and fs0=500ms"
    );
    assert!(report.about[1].starts_with("with 4 games a win rate is known to ± 49.0 points"));
    assert!(report.about.iter().any(|text| text == "a note for the reader"));
    let status = Status::read(&layout).expect("a status");
    assert_eq!((status.played, status.planned, status.size.as_str()), (0, 4, "coffee --games 4"));
    assert_eq!((status.thread_seconds_left, status.workers.len()), (None, 0));
    assert_eq!(status.contests.len(), 1);
}
