//! Whole contests: the same games for any number of threads, swapped seats, records that can be checked.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use regulus_arena::board::{
    BoardContest, BoardRecord, CompiledBoardContest, Outcome, Summary, Verifier,
};
use regulus_arena::parallel::{Order, Threads, run};
use regulus_arena::{
    Baseline, Budget, Calibration, Calibrations, Contest, GameNumber, GameRecord, Reason, Record,
    Stop,
};
use regulus_player::LoadedGame;
use regulus_player::catalogue::Catalogue;
use regulus_player::wire;
use regulus_search::config::Limits;

const ORTHODOX: &str = "mcts_orthodox_orthodox";
const SEMISPLIT: &str = "mctsM_semisplitNodal_semisplit_mastsplit";

fn loaded(name: &str) -> Arc<LoadedGame> {
    Catalogue::default().game(name).expect("a built-in game")
}

fn contest(game: &str, agents: &[&str], simulations: u64) -> BoardContest {
    let agents = agents.iter().map(|name| regulus_agent::by_name(name).expect("an agent"));
    let limits = Limits::simulations(simulations);
    let budget = Budget::Limits(limits.clone());
    BoardContest::new(loaded(game), agents.collect(), budget, limits, 7).expect("a contest")
}

fn play(contest: &BoardContest, games: u64, threads: usize) -> Vec<BoardRecord> {
    let compiled = CompiledBoardContest::new(contest);
    let (stop, mut records) = (AtomicBool::new(false), Vec::new());
    run(
        (0..games).map(|index| contest.number(index)),
        Threads { count: threads, pinned: true },
        Order::Jobs,
        &stop,
        |number, stop| compiled.play(number, stop),
        |record| {
            records.push(record);
            ControlFlow::Continue(())
        },
    );
    records
}

fn timeless(records: &[BoardRecord]) -> Vec<BoardRecord> {
    records.iter().map(BoardRecord::timeless).collect()
}

#[test]
fn records_are_the_same_for_one_and_two_threads() {
    let mut contest = contest("breakthrough", &[ORTHODOX, SEMISPLIT], 40);
    contest.opening_plies = 3;
    let one = play(&contest, 8, 1);
    assert_eq!(timeless(&one), timeless(&play(&contest, 8, 2)));
    assert!((0..8).zip(&one).all(|(index, record)| record.number() == contest.number(index)));
    // One game alone is the same as among others, too.
    let compiled = CompiledBoardContest::new(&contest);
    let alone = compiled.play(GameNumber { unit: 2, seating: 1 }, Stop::default());
    assert_eq!(alone.expect("not stopped").timeless(), one[5].timeless());
    // Another seed gives other games.
    contest.seed = 8;
    assert_ne!(play(&contest, 1, 1)[0].moves, one[0].moves);
}

#[test]
fn pairs_have_the_same_opening_and_swapped_seats() {
    let mut contest = contest("breakthrough", &[ORTHODOX, SEMISPLIT], 10);
    contest.opening_plies = 4;
    let records = play(&contest, 6, 1);
    for pair in records.chunks(2) {
        assert_eq!((&pair[0].seats, &pair[1].seats), (&vec![0, 1], &vec![1, 0]));
        assert_eq!(pair[0].moves[..4], pair[1].moves[..4]);
        assert_eq!((pair[0].opening, pair[0].unit), (4, pair[1].unit));
    }
    assert_ne!(records[0].moves[..4], records[2].moves[..4]);
}

/// The games of a pair differ by the agents and by nothing else: with one agent twice they are the same.
#[test]
fn random_numbers_are_common() {
    let contest = contest("breakthrough", &[SEMISPLIT, SEMISPLIT], 30);
    let records = play(&contest, 4, 1);
    assert_eq!(records[0].moves, records[1].moves);
    assert_eq!(records[2].moves, records[3].moves);
    assert_ne!(records[0].moves, records[2].moves);
    let mut summary = Summary::default();
    records.iter().for_each(|record| summary.add(record));
    assert_eq!(summary.pairs().pairs, [0, 0, 2, 0, 0]);
    assert_eq!(summary.report(None).distinct_games, 2);
}

#[test]
fn an_opening_never_ends_the_game() {
    let mut contest = contest("tic-tac-toe", &[ORTHODOX, ORTHODOX], 10);
    contest.opening_plies = 50;
    for record in play(&contest, 20, 2) {
        assert!(record.opening < record.moves.len());
        Verifier::new(&contest.game).verify(&record).expect("a right record");
    }
}

#[test]
fn three_players_rotate() {
    let contest = contest("rolit", &[ORTHODOX, SEMISPLIT, ORTHODOX], 10);
    assert_eq!(contest.seatings(), [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    let records = play(&contest, 6, 2);
    let mut summary = Summary::default();
    for record in &records {
        Verifier::new(&contest.game).verify(record).expect("a right record");
        summary.add(record);
    }
    let report = summary.report(None);
    assert_eq!((report.games, report.win_rate), (6, None));
    for agent in &report.agents {
        assert_eq!((agent.total.score.count, agent.units.count), (6, 2));
        assert!(agent.seats.iter().all(|seat| seat.score.count == 2));
    }
}

#[test]
fn one_player_is_alone() {
    let contest = contest("eight-puzzle", &[ORTHODOX, SEMISPLIT], 10);
    let records = play(&contest, 4, 1);
    let mut summary = Summary::default();
    for record in &records {
        Verifier::new(&contest.game).verify(record).expect("a right record");
        summary.add(record);
    }
    let report = summary.report(None);
    assert_eq!(report.agents[1].total.score.count, 2);
    assert!(report.win_rate.is_none() && report.pairs.is_none());
}

#[test]
fn agents_must_fit_the_game() {
    let agent = regulus_agent::by_name(ORTHODOX).expect("an agent");
    let make = |count: usize, limits: Limits| {
        let budget = Budget::Limits(limits.clone());
        BoardContest::new(loaded("reversi"), vec![agent.clone(); count], budget, limits, 1)
    };
    let why = make(3, Limits::simulations(1)).expect_err("too many");
    assert_eq!(why, "reversi is a game for 2: give 2 agents, not 3");
    assert!(make(2, Limits::default()).is_err(), "without limits a search does not end");
}

#[test]
fn contests_have_names() {
    let one = contest("reversi", &[ORTHODOX, SEMISPLIT], 10);
    assert_eq!(one.id(), contest("reversi", &[ORTHODOX, SEMISPLIT], 10).id());
    let others = [
        contest("reversi", &[SEMISPLIT, ORTHODOX], 10),
        contest("reversi", &[ORTHODOX, SEMISPLIT], 11),
        contest("hex", &[ORTHODOX, SEMISPLIT], 10),
        BoardContest { seed: 8, ..one.clone() },
        BoardContest { opening_plies: 2, ..one.clone() },
    ];
    assert!(others.iter().all(|other| other.id() != one.id()));
}

/// Every kind of damage to a record is found, with the move where there is one.
#[test]
fn damaged_records_are_found() {
    let contest = contest("breakthrough", &[ORTHODOX, SEMISPLIT], 20);
    let good = &play(&contest, 1, 1)[0];
    let verifier = Verifier::new(&contest.game);
    let check = |record: &BoardRecord| verifier.verify(record);
    assert_eq!(check(good), Ok(()));
    let damaged = |damage: fn(&mut BoardRecord)| {
        let mut record = good.clone();
        damage(&mut record);
        check(&record).expect_err("damaged").to_string()
    };
    let found = damaged(|r| r.moves.swap(2, 4));
    assert!(found.starts_with("move 3: `") || found.starts_with("move 5: `"), "{found}");
    assert!(damaged(|r| r.moves[6] = "1 2 3".to_owned()).starts_with("move 7: `1 2 3`: a move is"));
    assert!(
        damaged(|r| r.moves[0] = "1 2 9 3".to_owned()).starts_with("move 1: `1 2 9 3` is illegal")
    );
    assert!(damaged(|r| r.scores.swap(0, 1)).starts_with("the scores are ["));
    assert!(damaged(|r| r.turns.seat[3] = 1).starts_with("move 4: seat 2 is to move, not seat 1"));
    assert!(damaged(|r| r.turns.seconds.truncate(1)).contains("turns do not fit"));
    assert!(damaged(|r| r.seats = vec![0]).contains("for 2 players"));
    let cut = damaged(|r| {
        r.moves.pop();
        r.scores = vec![0, 0];
    });
    assert!(cut.contains("not over after the last move") || cut.contains("the scores"), "{cut}");
    let more = damaged(|r| {
        let last = r.moves.last().cloned().unwrap_or_default();
        r.moves.push(last);
        r.turns.seat.push(1);
        r.turns.iterations.push(1);
        r.turns.nodal_states.push(1);
        r.turns.states.push(1);
        r.turns.seconds.push(1.0);
    });
    assert!(more.contains("the game is over before it"), "{more}");
}

/// Whoever is said to have lost by a fault must have been to move.
#[test]
fn faults_are_those_of_who_was_to_move() {
    let contest = contest("breakthrough", &[ORTHODOX, SEMISPLIT], 20);
    let compiled = CompiledBoardContest::new(&contest);
    let mut record = compiled.play(contest.number(0), Stop::default()).expect("not stopped");
    let mut table = compiled.table().expect("a game begins");
    record.moves.truncate(5);
    for text in &record.moves {
        table.play(&wire::parse(text).expect("a move")).expect("the rules go on");
    }
    record.scores = table.scores();
    let turns = &mut record.turns;
    turns.seat.truncate(5);
    turns.seconds.truncate(5);
    for column in [&mut turns.iterations, &mut turns.nodal_states, &mut turns.states] {
        column.truncate(5);
    }
    let outcome = |seat| Outcome::Forfeit { seat, reason: Reason::Timeout, message: String::new() };
    record.outcome = outcome(2);
    assert_eq!(Verifier::new(&contest.game).verify(&record), Ok(()));
    record.outcome = outcome(1);
    let found = Verifier::new(&contest.game).verify(&record).expect_err("not his turn").to_string();
    assert_eq!(found, "seat 2 was to move, not seat 1, who has lost");
}

#[test]
fn measurements_are_kept() {
    let game = loaded("tic-tac-toe");
    let time = Duration::from_millis(2);
    let measured = Calibration::measure(&game, Baseline::States, time, time).expect("measured");
    assert!(measured.positions >= 5 && measured.nodal_states >= measured.simulations);
    assert!(measured.simulations >= 1.0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("calibration.jsonl");
    assert_eq!(Calibrations::read(&path).expect("none"), Calibrations::default());
    Calibrations::append(&path, &measured).expect("written");
    let known = Calibrations::read(&path).expect("read");
    assert_eq!(known.find(&GameRecord::of(&game), Baseline::States, time), Some(&measured));
    // The same agent, measured in simulations.
    assert!(known.find(&GameRecord::of(&game), Baseline::Simulations, time).is_some());
    assert!(known.find(&GameRecord::of(&game), Baseline::StatesMastRave, time).is_none());
    assert!(known.find(&GameRecord::of(&loaded("hex")), Baseline::States, time).is_none());
    assert!(known.find(&GameRecord::of(&game), Baseline::States, time * 2).is_none());
    assert_eq!(measured.limits(Baseline::States).states, Some(measured.nodal_states as u64));
    let simulations = measured.limits(Baseline::Simulations).simulations;
    assert_eq!(simulations, Some(measured.simulations as u64));
    // Another measurement of the same: THESIS 5.1.2.
    assert!(known.find(&GameRecord::of(&game), Baseline::FirstTurnStates, time).is_none());
    let first = Calibration::measure(&game, Baseline::FirstTurnStates, time, time * 10);
    let first = first.expect("measured");
    assert!(first.first_turn && first.positions == 1 && first.simulations >= 1.0);
    assert_eq!(first.milliseconds, 2.0);
    // At the beginning every simulation of Tic-Tac-Toe has at least five moves.
    assert!(first.nodal_states >= 4.0 * first.simulations, "{first:?}");
    Calibrations::append(&path, &first).expect("written");
    let known = Calibrations::read(&path).expect("read");
    let found = known.find(&GameRecord::of(&game), Baseline::FirstTurnStates, time);
    assert_eq!(found, Some(&first));
    assert_eq!(known.find(&GameRecord::of(&game), Baseline::States, time), Some(&measured));
    assert_eq!(Calibration::time(Baseline::FirstTurnStates), Duration::from_secs(10));
    std::fs::write(&path, "{}\n").expect("written");
    assert!(Calibrations::read(&path).is_err());
}
