//! Reports of whole directories, by values that were computed by hand, golden files, and readers that are
//! not ours.

mod directory;
mod page;
mod tables;
mod video;

use directory::{Directory, made_up, pair, random_records};
use regulus_arena::Reason;
use regulus_arena::board::{BoardContest, Outcome, SpeedRecord};
use regulus_arena::experiment::{Archive, Layout};
use regulus_arena::report::{Estimate, Measure, Severity, Standing};

const ORTHODOX: &str = "mcts_orthodox_orthodox";
const SEMISPLIT: &str = "mctsM_semisplitNodal_semisplit";

/// Two games, one agent against the baseline, eight games each.
const DECLARATION: &str = r#"
title = "Two <games> & a baseline"
source = "by hand"
games = ["tic-tac-toe", "breakthrough"]
baseline = "mcts_orthodox_orthodox"
agents = ["mctsM_semisplitNodal_semisplit"]
limits = ["sims=10"]
games_per_pair = 8

[[published]]
game = "tic-tac-toe"
agent = "mctsM_semisplitNodal_semisplit"
win_rate = 60.0

[[published]]
game = "average"
agent = "mctsM_semisplitNodal_semisplit"
win_rate = 58.5
error = 4.4
better = 1
similar = 0
worse = 1
"#;

/// Tic-tac-toe: 2, 2, 1 and 3/2 points in four pairs; breakthrough: 0, 1, 1 and 0.
fn by_hand() -> Directory {
    let directory = Directory::new(DECLARATION);
    let results = [
        [[1.0, 1.0], [1.0, 1.0], [1.0, 0.0], [1.0, 0.5]],
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
    ];
    for (index, pairs) in results.into_iter().enumerate() {
        let contest = directory.contest(index);
        for (unit, results) in pairs.into_iter().enumerate() {
            directory.append("w", &pair(&contest, unit as u64, results));
        }
    }
    directory.manifest("w", |manifest| manifest.played = 16);
    directory
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-6
}

#[test]
fn results_are_those_computed_by_hand() {
    let (report, _) = by_hand().report();
    let [toe, through] = &report.cells[..] else { panic!("{:?}", report.cells) };
    assert_eq!((toe.game.as_str(), toe.agent.as_str(), toe.games), ("tic-tac-toe", SEMISPLIT, 8));
    assert_eq!((toe.against.as_str(), toe.limit.as_str()), (ORTHODOX, "sims=10"));
    let results = toe.results.expect("two players");
    assert_eq!((results.wins, results.draws, results.losses), (6, 1, 1));
    assert_eq!(toe.pairs, Some([0, 0, 1, 1, 2]));
    // The means of the pairs are 1, 1, 1/2 and 3/4: variance 0.04296875, by four pairs.
    assert!(close(toe.rate.expect("games"), 0.8125));
    assert!(close(toe.standard_error.expect("games"), 0.103_644_46));
    assert!(close(toe.error.expect("games"), 0.203_139_41));
    // Wilson with 0.8125 0.1875 / 0.0107421875 = 14.1818 coin tosses begins at 0.553783.
    let interval = toe.interval.expect("games");
    assert!((interval.low - 0.553_783).abs() < 1e-6, "{interval:?}");
    assert_eq!(toe.standing, Some(Standing::Better));
    assert_eq!((toe.distinct_games, toe.length), (8, 1.0));
    // The means are 0, 1/2, 1/2 and 0: variance 1/16.
    assert!(close(through.rate.expect("games"), 0.25));
    assert!(close(through.standard_error.expect("games"), 0.125));
    assert_eq!(through.standing, Some(Standing::Similar));
    let [average] = &report.averages[..] else { panic!("{:?}", report.averages) };
    assert_eq!((average.games, average.expected_games), (2, 2));
    assert_eq!((average.better, average.similar, average.worse), (1, 1, 0));
    assert!(close(average.rate, 0.53125));
    // sqrt(0.0107421875 + 0.015625) / 2
    assert!(close(average.standard_error, 0.081_189_95));
    assert!(report.notices.is_empty(), "{:?}", report.notices);
}

/// A single pair has no variance of its own: 2 points in one game and 1 in the other.
#[test]
fn averages_of_single_pairs_have_the_error_of_all_games() {
    let directory = Directory::new(DECLARATION);
    for (index, results) in [[1.0, 1.0], [1.0, 0.0]].into_iter().enumerate() {
        directory.append("w", &pair(&directory.contest(index), 0, results));
    }
    directory.manifest("w", |manifest| manifest.played = 4);
    let (report, _) = directory.report();
    let [average] = &report.averages[..] else { panic!("{:?}", report.averages) };
    assert!(close(average.rate, 0.75));
    // Three of four games are won, 0.1875 for a game: sqrt(0.1875 / 2 + 0.1875 / 2) / 2
    assert!(close(average.standard_error, 0.216_506_35));
}

#[test]
fn published_figures_are_beside_ours() {
    let (report, _) = by_hand().report();
    let [toe, average] = &report.published[..] else { panic!("{:?}", report.published) };
    assert_eq!((toe.measure, toe.ours), (Measure::WinRate, Some(81.25)));
    assert!(close(toe.difference.expect("ours"), 21.25));
    // Without an error it counts as exact: 21.25 / 10.364446.
    assert!((toe.deviation.expect("ours") - 2.050_278).abs() < 1e-5);
    assert_eq!((average.game.as_deref(), average.coverage), (None, Some([2, 2])));
    assert_eq!(average.published_counts, Some([1, 0, 1]));
    assert!(close(average.difference.expect("ours"), -5.375));
    // 4.4 / 1.959964 = 2.244939 and 8.118995 together are 8.423643.
    assert!((average.deviation.expect("ours") + 0.638_085).abs() < 1e-5);
}

/// In both games together the agent has 8.5 of 16 points.
#[test]
fn ratings_pool_the_games() {
    let (report, _) = by_hand().report();
    let [list] = &report.ratings[..] else { panic!("{:?}", report.ratings) };
    let names: Vec<&str> = list.ratings.iter().map(|r| r.agent.as_str()).collect();
    assert_eq!(names, [SEMISPLIT, ORTHODOX]);
    let Estimate::Difference { elo, error } = list.ratings[0].estimate else { panic!("{list:?}") };
    // 400 log10(8.5 / 7.5), and 1.959964 0.0811899 400 / (ln 10 0.53125 0.46875).
    assert!((elo - 21.743).abs() < 1e-2, "{elo}");
    assert!((error - 111.01).abs() < 0.1, "{error}");
    assert_eq!((list.ratings[0].games, list.ratings[1].estimate), (16, Estimate::Anchor));
}

#[test]
fn speeds_are_compared_with_the_baseline() {
    let directory = Directory::new(DECLARATION);
    let contest = directory.contest(0);
    let mut records = pair(&contest, 0, [1.0, 0.0]);
    for record in &mut records {
        let seat = record.seats.iter().position(|agent| *agent == 0).expect("it plays");
        record.turns.nodal_states[seat] = 300;
    }
    directory.append("w", &records);
    let (report, _) = directory.report();
    let speeds: Vec<(&str, f64, f64, Option<f64>)> = report
        .speeds
        .iter()
        .map(|s| (s.agent.as_str(), s.states_per_s, s.simulations_per_s, s.speed_up))
        .collect();
    assert_eq!(speeds, [(ORTHODOX, 200.0, 20.0, Some(1.0)), (SEMISPLIT, 600.0, 20.0, Some(3.0))]);
}

#[test]
fn faults_and_void_games_are_told() {
    let directory = Directory::new(DECLARATION);
    let contest = directory.contest(0);
    let [mut first, mut second] = pair(&contest, 0, [1.0, 1.0]);
    let message = "it slept".to_owned();
    first.outcome = Outcome::Forfeit { seat: 1, reason: Reason::Timeout, message };
    let message = "x0y0 is taken".to_owned();
    second.outcome = Outcome::Forfeit { seat: 1, reason: Reason::Illegal, message };
    let [mut third, _] = pair(&contest, 1, [1.0, 1.0]);
    third.outcome = Outcome::Void { message: "endless".to_owned() };
    directory.append("w", &[first, second, third]);
    let (report, _) = directory.report();
    let cell = &report.cells[0];
    // The agent sat on seat 1 in the first game, the baseline in the second.
    assert_eq!((cell.faults.timeouts, cell.faults.failures), (1, 0));
    assert_eq!((cell.faults_against.timeouts, cell.faults_against.failures), (0, 1));
    assert_eq!((cell.games, cell.void), (2, 1));
    let texts: Vec<&str> = report.notices.iter().map(|n| n.text.as_str()).collect();
    assert!(texts.contains(&"1 game lost by timeout"), "{texts:?}");
    assert!(texts.iter().any(|t| t.contains("illegal move: x0y0 is taken")), "{texts:?}");
    assert!(texts.iter().any(|t| t.starts_with("1 game for nobody")), "{texts:?}");
    assert!(texts.contains(&"3 of 16 games are played so far"), "{texts:?}");
}

#[test]
fn warnings_say_why_results_may_be_wrong() {
    let timed = DECLARATION.replace("sims=10", "time=10ms");
    let directory = Directory::new(&timed);
    let contest = directory.contest(0);
    directory.append("a", &pair(&contest, 0, [1.0, 0.0]));
    let mut later = pair(&contest, 1, [1.0, 0.0]);
    later.iter_mut().for_each(|record| record.version = "0.2.0".to_owned());
    directory.append("b", &later);
    directory.manifest("a", |_| ());
    directory.manifest("b", |manifest| {
        manifest.version = "0.2.0".to_owned();
        manifest.commit = Some("abc123".to_owned());
        manifest.load_highest = Some(9.5);
        manifest.machine.processor = "Pocket Calculator".to_owned();
    });
    let (report, _) = directory.report();
    let warnings: Vec<&str> = report
        .notices
        .iter()
        .filter(|notice| notice.severity == Severity::Warning)
        .map(|notice| notice.text.as_str())
        .collect();
    assert_eq!(
        warnings,
        [
            "results come from different versions: 0.1.0, 0.2.0 (abc123)",
            "b: the machine was overloaded during timed games: 9.5 threads on 4 processors",
            "timed games were played on different processors: Pocket Calculator, Slide Rule 3000",
        ]
    );
}

/// Where no clock decides, a busy machine is nobody's business.
#[test]
fn load_does_not_matter_without_a_clock() {
    let directory = by_hand();
    directory.manifest("w", |manifest| manifest.load_highest = Some(50.0));
    assert!(directory.report().0.notices.is_empty());
}

#[test]
fn repeated_games_are_told() {
    let directory = Directory::new(DECLARATION);
    let contest = directory.contest(0);
    for unit in 0..4 {
        let mut records = pair(&contest, unit, [1.0, 0.0]);
        for record in &mut records {
            record.moves = vec![format!("1 {}", record.seating + 1)];
        }
        directory.append("w", &records);
    }
    let (report, _) = directory.report();
    let told = |text: &str| report.notices.iter().any(|notice| notice.text.contains(text));
    assert!(told("games repeat each other in 1 result"), "{:?}", report.notices);
    assert!(told("sims=10: 1 distinct of 4 pairs") && !told("play alike"));
}

/// Agents that do the same have the same games from both seats; that is no fault of the games.
#[test]
fn agents_that_play_alike_are_told() {
    let directory = Directory::new(DECLARATION);
    let contest = directory.contest(0);
    for unit in 0..4 {
        let mut records = pair(&contest, unit, [1.0, 0.0]);
        records.iter_mut().for_each(|record| record.moves = vec![format!("{} 1", unit + 1)]);
        directory.append("w", &records);
    }
    let (report, _) = directory.report();
    let told = |text: &str| report.notices.iter().any(|notice| notice.text.contains(text));
    assert!(told("agents play alike in tic-tac-toe") && !told("repeat"), "{:?}", report.notices);
}

#[test]
fn a_directory_without_an_experiment_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = Archive::read(&Layout::new(folder.path())).expect_err("nothing is there");
    assert!(error.to_string().contains("there is no experiment in"), "{error}");
}

#[test]
fn nothing_played_is_a_report_too() {
    let directory = Directory::new(DECLARATION);
    let (report, written) = directory.report();
    assert_eq!((report.played, report.planned, report.cells.len()), (0, 16, 0));
    assert_eq!(report.notices[0].text, "no game of 16 was played yet");
    let page = std::fs::read_to_string(written.page).expect("a page");
    page::check(&page);
    let csv = std::fs::read_to_string(written.csv).expect("a table");
    assert_eq!(csv.lines().count(), 1);
    assert_eq!(tables::read_back(&written.parquet).len(), 0);
}

#[test]
fn a_damaged_line_is_named() {
    let directory = by_hand();
    let path = directory.records("w");
    let text = std::fs::read_to_string(&path).expect("records");
    let mut lines: Vec<&str> = text.lines().collect();
    lines[4] = "{\"experiment\":\"sample\"}";
    std::fs::write(&path, lines.join("\n") + "\n").expect("written");
    let (report, _) = directory.report();
    assert_eq!(report.played, 15);
    let texts: Vec<&str> = report.notices.iter().map(|notice| notice.text.as_str()).collect();
    let named = "records/w.jsonl, line 5 is left out: it is no record: missing field `contest` at column 23";
    assert!(texts.contains(&named), "{texts:#?}");
    let root = directory.layout.root().display();
    let offered =
        format!("`regulus experiment repair {root}` moves what is damaged out of the way");
    assert!(texts.iter().any(|text| text.starts_with(&offered)), "{texts:#?}");
}

#[test]
fn a_cut_off_line_is_told() {
    let directory = by_hand();
    let path = directory.records("w");
    let text = std::fs::read_to_string(&path).expect("records");
    std::fs::write(&path, &text[..text.len() - 100]).expect("written");
    let (report, _) = directory.report();
    assert_eq!(report.played, 15);
    let torn = "the last line of records/w.jsonl was cut off and is left out";
    assert!(report.notices.iter().any(|notice| notice.text == torn), "{:?}", report.notices);
}

/// A record that is JSON and yet cannot be: it is named, left out, and does no harm.
#[test]
fn unsound_records_are_named_and_left_out() {
    let directory = Directory::new(DECLARATION);
    let contest = directory.contest(0);
    directory.append("w", &pair(&contest, 0, [1.0, 1.0]));
    let [mut one, mut two] = pair(&contest, 1, [0.0, 0.0]);
    one.turns.seconds.pop();
    two.seats = vec![0, 7];
    let [mut three, mut four] = pair(&contest, 2, [0.0, 0.0]);
    three.scores.pop();
    four.turns.seat[0] = 3;
    let [mut five, _] = pair(&contest, 3, [0.0, 0.0]);
    five.outcome = Outcome::Forfeit { seat: 0, reason: Reason::Crashed, message: String::new() };
    directory.append("w", &[one, two, three, four, five]);
    let (report, _) = directory.report();
    assert_eq!((report.cells[0].games, report.cells[0].rate), (2, Some(1.0)));
    let damaged: Vec<&str> = report
        .notices
        .iter()
        .map(|notice| notice.text.as_str())
        .filter(|text| text.contains("is left out: the record is damaged: "))
        .collect();
    assert_eq!(damaged.len(), 5, "{:?}", report.notices);
    assert!(damaged[0].starts_with("records/w.jsonl, line 3 "), "{}", damaged[0]);
    assert!(damaged[1].ends_with("seats [0, 7] of 2 agents in seating 1"), "{}", damaged[1]);
}

/// An illegal move in a record is found when its game is prepared for the page.
#[test]
fn illegal_games_are_named() {
    let directory = Directory::new(DECLARATION);
    let mut records = pair(&directory.contest(0), 0, [1.0, 0.0]);
    records[1].moves = vec!["1 77".to_owned()];
    directory.append("w", &records);
    let (report, _) = directory.report();
    let texts: Vec<&str> = report.notices.iter().map(|n| n.text.as_str()).collect();
    assert!(
        texts.iter().any(|t| t.contains("seating 1: move 1 (`1 77`): it is illegal")),
        "{texts:?}"
    );
}

#[test]
fn games_for_one_and_for_three_are_reported() {
    let declaration = DECLARATION
        .replace("\"tic-tac-toe\", \"breakthrough\"", "\"eight-puzzle\", \"rolit\"")
        .split("[[published]]")
        .next()
        .expect("the first part")
        .to_owned();
    let directory = Directory::new(&declaration);
    let puzzle = directory.contest(0);
    for unit in 0..4 {
        let score = 10 * unit as u32;
        directory.append("w", &[made_up(&puzzle, unit, 0, &[50 + score])]);
        directory.append("w", &[made_up(&puzzle, unit, 1, &[score])]);
    }
    let rolit: BoardContest = directory.contest(1);
    for unit in 0..2 {
        for seating in 0..3 {
            let mut scores = [0, 0, 0];
            let agent = rolit.seatings()[seating].iter().position(|a| *a == 0).expect("it plays");
            scores[agent] = if unit == 0 { 100 } else { 0 };
            directory.append("w", &[made_up(&rolit, unit, seating, &scores)]);
        }
    }
    let (report, _) = directory.report();
    let [puzzle, rolit] = &report.cells[..] else { panic!("{:?}", report.cells) };
    assert_eq!((puzzle.players, puzzle.games, puzzle.rate), (1, 8, Some(0.65)));
    assert_eq!(puzzle.standing, Some(Standing::Better));
    assert_eq!((rolit.players, rolit.games, rolit.rate), (3, 6, Some(0.5)));
    assert_eq!((rolit.against.as_str(), rolit.standing), (ORTHODOX, Some(Standing::Similar)));
    assert!(report.averages.is_empty() && report.ratings.is_empty());
}

#[test]
fn speed_experiments_are_reported() {
    let declaration = r#"
title = "Speed"
kind = "speed"
games = ["breakthrough"]
baseline = "mcts_orthodox_orthodox"
agents = ["mctsM_semisplitNodal_semisplit"]
limits = ["time=10ms"]
searches = 2

[[published]]
game = "breakthrough"
agent = "mctsM_semisplitNodal_semisplit"
speed_up = 2.5
memory_mib = 6.0
"#;
    let directory = Directory::new(declaration);
    let mut lines = String::new();
    for agent in &directory.experiment.plan.agents {
        for search in 0..2 {
            let states = if agent.name == ORTHODOX { 100 } else { 500 };
            let record = SpeedRecord {
                experiment: "sample".to_owned(),
                search,
                game: directory.experiment.plan.games[0].clone(),
                agents: vec![agent.clone()],
                seed: 1,
                budget: "time=10ms".to_owned(),
                limits: "time=10ms".to_owned(),
                iterations: 10,
                nodal_states: states,
                states,
                nodes: 10,
                bytes: 3 << 20,
                flat: None,
                seconds: 0.01,
                failure: None,
                processor: "Slide Rule 3000".to_owned(),
                started: 1_700_000_000.0,
                version: "0.1.0".to_owned(),
            };
            lines += &(serde_json::to_string(&record).expect("JSON") + "\n");
        }
    }
    std::fs::write(directory.records("w"), lines).expect("written");
    directory.manifest("w", |_| ());
    let (report, written) = directory.report();
    let speeds: Vec<(f64, Option<f64>)> =
        report.speeds.iter().map(|s| (s.states_per_s, s.speed_up)).collect();
    assert_eq!(speeds, [(10_000.0, Some(1.0)), (50_000.0, Some(5.0))]);
    let [speed_up, memory] = &report.published[..] else { panic!("{:?}", report.published) };
    assert_eq!((speed_up.measure, speed_up.ours), (Measure::SpeedUp, Some(5.0)));
    assert_eq!((memory.measure, memory.ours), (Measure::MemoryMib, Some(3.0)));
    assert_eq!((speed_up.ratio, memory.ratio), (Some(2.0), Some(0.5)));
    let page = std::fs::read_to_string(written.page).expect("a page");
    page::check(&page);
    assert!(page.contains("id=\"speed\"") && !page.contains("id=\"win-rates\""));
    let csv = std::fs::read_to_string(written.csv).expect("a table");
    assert_eq!(csv.lines().count(), 5);
}

/// Whatever was played, sums are what they must be: a seed for everything, games at random.
#[test]
fn random_games_add_up() {
    let directory = Directory::new(DECLARATION);
    let records = random_records(&directory);
    directory.append("w", &records);
    directory.append("again", &records[..3]);
    let (report, _) = directory.report();
    assert_eq!((report.played, report.planned), (16, 16));
    for cell in &report.cells {
        let own: Vec<f64> = records
            .iter()
            .filter(|r| r.game.name == cell.game)
            .filter_map(|r| r.result(r.seats.iter().position(|agent| *agent == 0)?))
            .collect();
        assert_eq!(own.len(), 8);
        assert!(close(cell.rate.expect("games"), own.iter().sum::<f64>() / 8.0));
    }
    assert!(report.notices.iter().any(|n| n.text.starts_with("3 records more than once")));
    assert!(!report.notices.iter().any(|n| n.text.contains("illegal")), "{:?}", report.notices);
}
