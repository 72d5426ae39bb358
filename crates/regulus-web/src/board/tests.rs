//! Whole board games, without a network.

use regulus_player::catalogue::Catalogue;

use super::commands::Command;
use super::loading::built_in;
use super::view::Status;
use super::*;

fn limits() -> Arc<Limits> {
    Arc::new(Limits { search_memory: 8 << 20, ..Limits::default() })
}

fn agent(limit: &str) -> Seat {
    Seat::Agent { agent: "auto".to_owned(), limit: limit.to_owned() }
}

fn begin(name: &str, seats: &[Seat]) -> BoardGame {
    let loaded = built_in(&Catalogue::default(), name).expect("a built-in game");
    let opening =
        Opening { seats: Some(seats.to_vec()), seed: 1, moves: Vec::new(), is_uploaded: false };
    BoardGame::new("id".to_owned(), loaded, limits(), opening).expect("a game")
}

fn humans(name: &str, count: usize) -> BoardGame {
    begin(name, &vec![Seat::Human {}; count])
}

/// Makes the searches that the game waits for.
fn think(game: &mut BoardGame) -> usize {
    let mut count = 0;
    while let Some(wanted) = game.wanted() {
        let job = game.job(wanted.ticket).expect("it is wanted");
        let found = Box::new(job).work(8 << 20, &mut |_| true);
        assert!(game.finish(wanted.ticket, Ok(found.unwrap().unwrap())));
        count += 1;
    }
    count
}

fn choose(game: &mut BoardGame, choice: usize) {
    let revision = game.revision;
    game.perform(Command::Choose { revision, choice }).expect("a choice");
    assert_eq!(game.revision, revision + 1);
}

/// Plays first choices until a move is complete.
fn first_move(game: &mut BoardGame) {
    let plies = game.view(false).plies;
    while game.view(false).plies == plies {
        choose(game, 0);
    }
}

#[test]
fn humans_play_whole_games() {
    for name in ["tic-tac-toe", "connect-four", "hex", "reversi", "the-mill-game"] {
        let mut game = humans(name, 2);
        let mut turn = 0;
        while game.status() != Status::Over {
            let view = game.view(false);
            assert!(!view.choices.is_empty(), "{name}: {}", view.text);
            assert!(view.text.contains(" to move: choose "), "{}", view.text);
            let choice = turn % view.choices.len();
            choose(&mut game, choice);
            turn += 7;
        }
        let view = game.view(false);
        assert_eq!(view.scores.map(|scores| scores.len()), Some(2));
        assert!(view.choices.is_empty() && view.player.is_none());
        assert!(view.text.starts_with("the game is over: "), "{}", view.text);
        assert_eq!(view.moves.len(), view.plies);
    }
}

#[test]
fn steps_of_a_move_are_taken_back() {
    let mut game = humans("breakthrough", 2);
    let before = game.view(false).board;
    choose(&mut game, 0);
    let view = game.view(false);
    assert_eq!((view.chosen.len(), view.plies), (1, 0));
    assert_ne!(view.board, before, "the piece is lifted");
    game.perform(Command::Back { revision: 2 }).unwrap();
    assert_eq!(game.view(false).board, before);
    let refused = game.perform(Command::Back { revision: 3 }).unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (409, "impossible"));
}

#[test]
fn old_revisions_are_refused() {
    let mut game = humans("tic-tac-toe", 2);
    choose(&mut game, 0);
    for command in [
        Command::Choose { revision: 1, choice: 0 },
        Command::Undo { revision: 1 },
        Command::Resign { revision: 3 },
    ] {
        let refused = game.perform(command).unwrap_err();
        assert_eq!((refused.status, refused.code.as_str()), (409, "stale"));
    }
    assert_eq!(game.revision, 2);
}

#[test]
fn agents_answer_and_can_be_stopped() {
    let mut game = begin("tic-tac-toe", &[Seat::Human {}, agent("sims=20")]);
    assert_eq!(game.wanted(), None);
    choose(&mut game, 4);
    assert_eq!(game.status(), Status::Thinking);
    let ticket = game.wanted().unwrap().ticket;
    game.perform(Command::Pause { paused: true }).unwrap();
    assert_eq!((game.wanted(), game.status()), (None, Status::Paused));
    // A search that was under way comes too late.
    assert!(!game.finish(ticket, Ok(Found { text: "1 1".to_owned(), share: 1.0 })));
    let refused = game.perform(Command::Choose { revision: 3, choice: 0 }).unwrap_err();
    assert!(refused.message.contains("an agent plays there"), "{}", refused.message);
    game.perform(Command::Step {}).unwrap();
    assert_eq!(think(&mut game), 1);
    let view = game.view(false);
    assert_eq!((view.plies, view.status, view.paused), (2, Status::Choosing, true));
    game.perform(Command::Pause { paused: false }).unwrap();
    choose(&mut game, 0);
    assert_eq!(think(&mut game), 1);
    assert_eq!(game.view(false).plies, 4);
}

#[test]
fn moves_are_taken_back_to_the_last_human() {
    let mut game = begin("tic-tac-toe", &[Seat::Human {}, agent("sims=5")]);
    choose(&mut game, 0);
    think(&mut game);
    choose(&mut game, 0);
    think(&mut game);
    let undo = |game: &mut BoardGame| game.perform(Command::Undo { revision: game.revision });
    undo(&mut game).unwrap();
    assert_eq!(game.view(false).plies, 2);
    game.perform(Command::Resign { revision: game.revision }).unwrap();
    let view = game.view(false);
    assert_eq!((view.status, view.resigned, view.scores), (Status::Over, Some(0), None));
    assert!(view.outcome.unwrap().contains("has resigned"));
    undo(&mut game).unwrap();
    assert_eq!((game.status(), game.view(false).plies), (Status::Choosing, 2));
    undo(&mut game).unwrap();
    assert_eq!(game.view(false).plies, 0);
    assert_eq!(undo(&mut game).unwrap_err().code, "impossible");
}

#[test]
fn agents_play_each_other_and_are_looked_at() {
    let mut game = begin("tic-tac-toe", &[agent("sims=10"), agent("sims=10")]);
    game.perform(Command::Speed { ms: 300 }).unwrap();
    assert_eq!(game.wanted().unwrap().delay_ms, 0, "the first move is made at once");
    let moves = think(&mut game);
    assert!((5..=9).contains(&moves));
    assert_eq!(game.status(), Status::Over);
    let last = game.view(false).board;
    game.perform(Command::Goto { ply: 2 }).unwrap();
    let view = game.view(false);
    assert_eq!((view.ply, view.plies, view.status), (2, moves, Status::Looking));
    assert_ne!(view.board, last);
    // Playing on from here cuts the rest.
    game.perform(Command::Step {}).unwrap();
    assert_eq!(game.view(false).plies, 2);
    assert_eq!(think(&mut game), 1);
    assert_eq!(game.view(false).plies, 3);
    assert!(game.perform(Command::Goto { ply: 4 }).is_err());
    game.perform(Command::Undo { revision: game.revision }).unwrap();
    assert_eq!((game.view(false).plies, game.wanted()), (2, None));
    game.perform(Command::Pause { paused: false }).unwrap();
    assert_eq!(game.wanted().unwrap().delay_ms, 300);
}

#[test]
fn an_earlier_position_is_played_on() {
    let mut game = humans("tic-tac-toe", 2);
    for _ in 0..4 {
        first_move(&mut game);
    }
    game.perform(Command::Goto { ply: 1 }).unwrap();
    assert!(game.view(false).text.starts_with("after move 1 of 4; "));
    choose(&mut game, 7);
    let view = game.view(false);
    assert_eq!((view.ply, view.plies, view.status), (2, 2, Status::Choosing));
}

#[test]
fn hints_are_for_the_position_that_is_shown() {
    let mut game = humans("tic-tac-toe", 2);
    game.perform(Command::Hint { limit: Some("sims=50".to_owned()) }).unwrap();
    assert!(game.view(false).hinting);
    assert_eq!(think(&mut game), 1);
    let hint = game.view(false).hint.cloned().expect("a hint");
    assert!(hint.share > 0.0 && hint.share <= 1.0 && hint.vertices.len() == 1);
    first_move(&mut game);
    assert!(game.view(false).hint.is_none());
    game.perform(Command::Hint { limit: None }).unwrap();
    let ticket = game.wanted().unwrap().ticket;
    first_move(&mut game);
    assert_eq!((game.wanted(), game.job(ticket).is_none()), (None, true));
    assert!(game.perform(Command::Hint { limit: Some("time=1h".to_owned()) }).is_err());
}

#[test]
fn records_are_loaded_again() {
    let mut game = humans("breakthrough", 2);
    (0..5).for_each(|_| first_move(&mut game));
    let saved = serde_json::to_value(game.record()).unwrap();
    let moves: Vec<String> = serde_json::from_value(saved["moves"].clone()).unwrap();
    assert_eq!((moves.len(), &saved["game"]), (5, &"breakthrough".into()));
    let open = |moves| {
        let loaded = Arc::clone(&game.game);
        let opening = Opening { seats: None, seed: 1, moves, is_uploaded: false };
        BoardGame::new("id".to_owned(), loaded, limits(), opening)
    };
    let Ok(again) = open(moves.clone()) else { panic!("the moves are legal") };
    assert_eq!(again.view(false).board, game.view(false).board);
    let mut wrong = moves;
    wrong[3] = "1 1".to_owned();
    let refusal = open(wrong).err().expect("an illegal move");
    assert!(refusal.message.contains("illegal"), "{}", refusal.message);
}

#[test]
fn games_have_a_limit() {
    let loaded = built_in(&Catalogue::default(), "hex").unwrap();
    let limits = Arc::new(Limits { plies: 3, ..Limits::default() });
    let seats = Some(vec![Seat::Human {}; 2]);
    let opening = Opening { seats, seed: 1, moves: Vec::new(), is_uploaded: false };
    let mut game = BoardGame::new("id".to_owned(), loaded, limits, opening).ok().unwrap();
    (0..3).for_each(|_| first_move(&mut game));
    let view = game.view(false);
    assert_eq!((view.status, view.scores), (Status::Over, None));
    assert!(view.text.contains("games end after 3 moves"), "{}", view.text);
}

#[test]
fn wrong_seats_say_why() {
    let why = |seats: &[Seat]| {
        let mut game = humans("hex", 2);
        let seats = seats.to_vec();
        game.perform(Command::Seats { revision: 1, seats }).unwrap_err().message
    };
    assert!(why(&[Seat::Human {}]).contains("2 seats"));
    assert!(why(&[Seat::Human {}, agent("time=1h")]).contains("time=1h"));
    let nobody = Seat::Agent { agent: "nobody".to_owned(), limit: "sims=1".to_owned() };
    assert!(why(&[Seat::Human {}, nobody]).contains("no agent `nobody`"));
}
