//! Whole games at a table, without a network.

use super::*;
use crate::catalogue::Catalogue;
use crate::command::Command;
use crate::thinking;
use crate::view::Status;

fn limits() -> Arc<Limits> {
    Arc::new(Limits { search_memory: 8 << 20, ..Limits::default() })
}

fn agent(limit: &str) -> Seat {
    Seat::Agent { agent: "auto".to_owned(), limit: limit.to_owned() }
}

fn table(game: &str, seats: &[Seat]) -> Table {
    let setting = Catalogue::default().setting(game).expect("a built-in game");
    let opening = Opening { seats: Some(seats.to_vec()), seed: 1, moves: Vec::new() };
    Table::new("id".to_owned(), setting, limits(), opening).expect("a table")
}

fn humans(game: &str, count: usize) -> Table {
    table(game, &vec![Seat::Human {}; count])
}

/// Makes the searches that the table waits for.
fn think(table: &mut Table) -> usize {
    let mut count = 0;
    while let Some(wanted) = table.wanted() {
        let order = table.search_order(wanted.ticket).expect("it is wanted");
        let found = thinking::search(&order, 8 << 20, &mut |_| true);
        assert!(table.finish(wanted.ticket, Ok(found.unwrap().unwrap())));
        count += 1;
    }
    count
}

fn choose(table: &mut Table, choice: usize) {
    let revision = table.revision;
    table.perform(Command::Choose { revision, choice }).expect("a choice");
    assert_eq!(table.revision, revision + 1);
}

/// Plays first choices until a move is complete.
fn first_move(table: &mut Table) {
    let plies = table.view(false).plies;
    while table.view(false).plies == plies {
        choose(table, 0);
    }
}

#[test]
fn humans_play_whole_games() {
    for game in ["tic-tac-toe", "connect-four", "hex", "reversi", "the-mill-game"] {
        let mut table = humans(game, 2);
        let mut turn = 0;
        while table.status() != Status::Over {
            let view = table.view(false);
            assert!(!view.choices.is_empty(), "{game}: {}", view.text);
            assert!(view.text.contains(" to move: choose "), "{}", view.text);
            let choice = turn % view.choices.len();
            choose(&mut table, choice);
            turn += 7;
        }
        let view = table.view(false);
        assert_eq!(view.scores.map(|scores| scores.len()), Some(2));
        assert!(view.choices.is_empty() && view.player.is_none());
        assert!(view.text.starts_with("the game is over: "), "{}", view.text);
        assert_eq!(view.moves.len(), view.plies);
    }
}

#[test]
fn steps_of_a_move_are_taken_back() {
    let mut table = humans("breakthrough", 2);
    let before = table.view(false).board;
    choose(&mut table, 0);
    let view = table.view(false);
    assert_eq!((view.chosen.len(), view.plies), (1, 0));
    assert_ne!(view.board, before, "the piece is lifted");
    table.perform(Command::Back { revision: 2 }).unwrap();
    assert_eq!(table.view(false).board, before);
    let refused = table.perform(Command::Back { revision: 3 }).unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (409, "impossible"));
}

#[test]
fn old_revisions_are_refused() {
    let mut table = humans("tic-tac-toe", 2);
    choose(&mut table, 0);
    for order in [
        Command::Choose { revision: 1, choice: 0 },
        Command::Undo { revision: 1 },
        Command::Resign { revision: 3 },
    ] {
        let refused = table.perform(order).unwrap_err();
        assert_eq!((refused.status, refused.code.as_str()), (409, "stale"));
    }
    assert_eq!(table.revision, 2);
}

#[test]
fn agents_answer_and_can_be_stopped() {
    let mut table = table("tic-tac-toe", &[Seat::Human {}, agent("sims=20")]);
    assert_eq!(table.wanted(), None);
    choose(&mut table, 4);
    assert_eq!(table.status(), Status::Thinking);
    let ticket = table.wanted().unwrap().ticket;
    table.perform(Command::Pause { paused: true }).unwrap();
    assert_eq!((table.wanted(), table.status()), (None, Status::Paused));
    // A search that was under way comes too late.
    assert!(!table.finish(ticket, Ok(Found { text: "1 1".to_owned(), share: 1.0 })));
    let refused = table.perform(Command::Choose { revision: 3, choice: 0 }).unwrap_err();
    assert!(refused.message.contains("an agent plays there"), "{}", refused.message);
    table.perform(Command::Step {}).unwrap();
    assert_eq!(think(&mut table), 1);
    let view = table.view(false);
    assert_eq!((view.plies, view.status, view.paused), (2, Status::Choosing, true));
    table.perform(Command::Pause { paused: false }).unwrap();
    choose(&mut table, 0);
    assert_eq!(think(&mut table), 1);
    assert_eq!(table.view(false).plies, 4);
}

#[test]
fn moves_are_taken_back_to_the_last_human() {
    let mut table = table("tic-tac-toe", &[Seat::Human {}, agent("sims=5")]);
    choose(&mut table, 0);
    think(&mut table);
    choose(&mut table, 0);
    think(&mut table);
    let undo = |table: &mut Table| table.perform(Command::Undo { revision: table.revision });
    undo(&mut table).unwrap();
    assert_eq!(table.view(false).plies, 2);
    table.perform(Command::Resign { revision: table.revision }).unwrap();
    let view = table.view(false);
    assert_eq!((view.status, view.resigned, view.scores), (Status::Over, Some(0), None));
    assert!(view.outcome.unwrap().contains("has resigned"));
    undo(&mut table).unwrap();
    assert_eq!((table.status(), table.view(false).plies), (Status::Choosing, 2));
    undo(&mut table).unwrap();
    assert_eq!(table.view(false).plies, 0);
    assert_eq!(undo(&mut table).unwrap_err().code, "impossible");
}

#[test]
fn agents_play_each_other_and_are_looked_at() {
    let mut table = table("tic-tac-toe", &[agent("sims=10"), agent("sims=10")]);
    table.perform(Command::Speed { ms: 300 }).unwrap();
    assert_eq!(table.wanted().unwrap().delay_ms, 0, "the first move is made at once");
    let moves = think(&mut table);
    assert!((5..=9).contains(&moves));
    assert_eq!(table.status(), Status::Over);
    let last = table.view(false).board;
    table.perform(Command::Goto { ply: 2 }).unwrap();
    let view = table.view(false);
    assert_eq!((view.ply, view.plies, view.status), (2, moves, Status::Looking));
    assert_ne!(view.board, last);
    // Playing on from here cuts the rest.
    table.perform(Command::Step {}).unwrap();
    assert_eq!(table.view(false).plies, 2);
    assert_eq!(think(&mut table), 1);
    assert_eq!(table.view(false).plies, 3);
    assert!(table.perform(Command::Goto { ply: 4 }).is_err());
    table.perform(Command::Undo { revision: table.revision }).unwrap();
    assert_eq!((table.view(false).plies, table.wanted()), (2, None));
    table.perform(Command::Pause { paused: false }).unwrap();
    assert_eq!(table.wanted().unwrap().delay_ms, 300);
}

#[test]
fn an_earlier_position_is_played_on() {
    let mut table = humans("tic-tac-toe", 2);
    for _ in 0..4 {
        first_move(&mut table);
    }
    table.perform(Command::Goto { ply: 1 }).unwrap();
    assert!(table.view(false).text.starts_with("after move 1 of 4; "));
    choose(&mut table, 7);
    let view = table.view(false);
    assert_eq!((view.ply, view.plies, view.status), (2, 2, Status::Choosing));
}

#[test]
fn hints_are_for_the_position_that_is_shown() {
    let mut table = humans("tic-tac-toe", 2);
    table.perform(Command::Hint { limit: Some("sims=50".to_owned()) }).unwrap();
    assert!(table.view(false).hinting);
    assert_eq!(think(&mut table), 1);
    let hint = table.view(false).hint.cloned().expect("a hint");
    assert!(hint.share > 0.0 && hint.share <= 1.0 && hint.vertices.len() == 1);
    first_move(&mut table);
    assert!(table.view(false).hint.is_none());
    table.perform(Command::Hint { limit: None }).unwrap();
    let ticket = table.wanted().unwrap().ticket;
    first_move(&mut table);
    assert_eq!((table.wanted(), table.search_order(ticket).is_none()), (None, true));
    assert!(table.perform(Command::Hint { limit: Some("time=1h".to_owned()) }).is_err());
}

#[test]
fn records_are_loaded_again() {
    let mut table = humans("breakthrough", 2);
    (0..5).for_each(|_| first_move(&mut table));
    let saved = serde_json::to_value(table.record()).unwrap();
    let moves: Vec<String> = serde_json::from_value(saved["moves"].clone()).unwrap();
    assert_eq!((moves.len(), &saved["game"]), (5, &"breakthrough".into()));
    let open = |moves| {
        let setting = Arc::clone(&table.setting);
        let opening = Opening { seats: None, seed: 1, moves };
        Table::new("id".to_owned(), setting, limits(), opening)
    };
    let Ok(again) = open(moves.clone()) else { panic!("the moves are legal") };
    assert_eq!(again.view(false).board, table.view(false).board);
    let mut wrong = moves;
    wrong[3] = "1 1".to_owned();
    let refusal = open(wrong).err().expect("an illegal move");
    assert!(refusal.message.contains("illegal"), "{}", refusal.message);
}

#[test]
fn games_have_a_limit() {
    let setting = Catalogue::default().setting("hex").unwrap();
    let limits = Arc::new(Limits { plies: 3, ..Limits::default() });
    let seats = Some(vec![Seat::Human {}; 2]);
    let opening = Opening { seats, seed: 1, moves: Vec::new() };
    let mut table = Table::new("id".to_owned(), setting, limits, opening).ok().unwrap();
    (0..3).for_each(|_| first_move(&mut table));
    let view = table.view(false);
    assert_eq!((view.status, view.scores), (Status::Over, None));
    assert!(view.text.contains("games end after 3 moves"), "{}", view.text);
}

#[test]
fn wrong_seats_say_why() {
    let why = |seats: &[Seat]| {
        let mut table = humans("hex", 2);
        let seats = seats.to_vec();
        table.perform(Command::Seats { revision: 1, seats }).unwrap_err().message
    };
    assert!(why(&[Seat::Human {}]).contains("2 seats"));
    assert!(why(&[Seat::Human {}, agent("time=1h")]).contains("time=1h"));
    let nobody = Seat::Agent { agent: "nobody".to_owned(), limit: "sims=1".to_owned() };
    assert!(why(&[Seat::Human {}, nobody]).contains("no agent `nobody`"));
}
