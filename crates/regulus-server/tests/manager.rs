//! The manager and players who behave and who do not, on real sockets.

mod network;

use std::net::TcpStream;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use network::{Peer, ROUND, let_pass, settings, settings_of, start, two};
use regulus_server::manager::{AfterFault, ManagerSettings, Notice};
use regulus_server::{Manager, ManagerError};

const SHORT: Duration = Duration::from_millis(30);

/// Long enough for the manager to notice a silence.
const LONG: Duration = Duration::from_millis(300);

/// One game that some fault of a player ends, and one that is played to its end by the same players.
fn fault_then_game(settings: ManagerSettings, fault: impl FnOnce(&mut Peer)) -> network::Ended {
    let manager = start(ManagerSettings { games: Some(2), ..settings });
    let (mut white, mut black) = two(manager.address);
    white.hear();
    fault(&mut white);
    assert_eq!(white.hear(), "reset");
    assert_eq!(black.hear(), "reset");
    let game = thread::spawn(move || white.play_white());
    black.play_black();
    game.join().expect("white has played");
    let ended = manager.end();
    assert!(ended.result.is_ok());
    ended
}

#[test]
fn segments_and_slow_writers_do_not_matter() {
    let manager = start(settings(2));
    let (mut white, mut black) = two(manager.address);
    white.hear();
    for byte in b"1 2 1 3\x00" {
        white.raw_alone(&[*byte]);
    }
    assert_eq!(black.hear(), "1 2 1 3");
    black.hear();
    black.raw_alone(b"2 4 ");
    black.raw(b"2 5\x00");
    assert_eq!((white.hear(), white.hear()), ("2 4 2 5".to_owned(), "reset".to_owned()));
    assert_eq!(black.hear(), "reset");
    // White says the move of the next game before it is asked; blanks are written as they should be.
    white.raw(b" 1  2\t1 3 \x00");
    black.play_black();
    assert_eq!(manager.end().outcomes(), ["finished", "finished"]);
}

#[test]
fn illegal_moves_lose_the_game_and_nothing_else() {
    let moves = ["1 2 1 5", "9 2 9 3", "1 2", "1 3 1 2", "2 4 2 5", "1 2 1 3 1 2 1 3"];
    let garbage =
        ["", " ", "ready", "reset", "a b", "1 2 1", "-1 2", "1.5 2", "99999999999999999999 1"];
    for message in moves.into_iter().chain(garbage) {
        let ended = fault_then_game(settings(2), |white| white.say(message));
        assert_eq!(ended.outcomes(), ["1 illegal move", "finished"], "{message}");
        assert_eq!(ended.records[0].result(1), Some(1.0));
        let line = ended.lines[0].split_once(' ').expect("words").1;
        assert_eq!(line, "0 4 0 0 forfeit=1");
    }
    let ended = fault_then_game(settings(2), |white| white.raw(b"\xff\xfe\x1b[2J\x00"));
    assert_eq!(ended.outcomes(), ["1 illegal move", "finished"]);
    assert!(!ended.notices.iter().any(|notice| notice.contains('\x1b')));
}

#[test]
fn late_moves_are_noted_or_lose() {
    let time = Duration::from_millis(1);
    let deadline = Some(time);
    // Noted only, as in the original.
    let manager = start(ManagerSettings { deadline, ..settings(1) });
    let (mut white, mut black) = two(manager.address);
    assert_eq!(white.hear(), "0.001000");
    let_pass(time);
    white.say("1 2 1 3");
    black.play_black();
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["finished"]);
    assert!(ended.lines[0].contains(" 2 7 100 0 timeouts=1,"), "{}", ended.lines[0]);
    assert!(ended.has_notice("player 1 is late"));
    // With forfeits: the move is legal, but too late.
    let forfeit = ManagerSettings { deadline, tolerance: Some(Duration::ZERO), ..settings(1) };
    let manager = start(forfeit);
    let (mut white, _black) = two(manager.address);
    white.hear();
    let_pass(time);
    white.say("1 2 1 3");
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["1 timeout"]);
    assert_eq!(ended.records[0].result(1), Some(1.0));
}

/// Whoever says nothing is disconnected, and the next who comes takes the seat.
#[test]
fn silent_players_are_replaced() {
    let manager = start(ManagerSettings { move_timeout: SHORT, ..settings(2) });
    let (white, mut black) = two(manager.address);
    assert_eq!(black.hear(), "reset");
    assert!(white.rest().ends_with(".000000\0"));
    let mut third = Peer::connect(manager.address);
    assert_eq!(third.prepare(), "1");
    // It says nothing, either.
    assert_eq!(black.hear(), "reset");
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["1 timeout", "1 timeout"]);
    assert!(ended.has_notice("player 1 is gone: no message for"));
}

#[test]
fn players_who_are_not_ready_are_disconnected() {
    let preparation = Some(Duration::from_millis(1));
    let manager = start(ManagerSettings { ready_timeout: SHORT, preparation, ..settings(1) });
    let (silent, mut talking) = (Peer::connect(manager.address), Peer::connect(manager.address));
    talking.raw(b"rea");
    assert!(silent.rest().ends_with("\x001\0"));
    assert!(talking.rest().ends_with("\x002\0"));
    manager.interrupt();
    let ended = manager.end();
    assert!(matches!(ended.result, Err(ManagerError::Interrupted)));
    assert!(ended.has_notice("player 1 is gone: no message for"));
    assert!(ended.has_notice("player 2 is gone: no message for"));
}

#[test]
fn a_game_can_be_interrupted() {
    let manager = start(settings(1));
    let (mut white, black) = two(manager.address);
    white.hear();
    manager.interrupt();
    assert_eq!((white.rest(), black.rest()), (String::new(), String::new()));
    let ended = manager.end();
    assert!(matches!(ended.result, Err(ManagerError::Interrupted)));
    assert!(ended.records.is_empty());
}

#[test]
fn ready_is_what_the_original_takes_for_it() {
    let preparation = Some(Duration::from_millis(1));
    let manager = start(ManagerSettings { preparation, ..settings(1) });
    let mut white = Peer::connect(manager.address);
    let mut black = Peer::connect(manager.address);
    assert_eq!((white.hear(), white.hear().len()), ("0.001000".into(), network::GAME.len()));
    white.hear();
    let_pass(LONG);
    for wrong in ["", "READY!", "not ready", "read"] {
        white.say(wrong);
    }
    white.say("READY");
    let_pass(LONG);
    black.prepare();
    white.raw(b"1 2 1 3\x00");
    black.play_black();
    let ended = manager.end();
    assert!(ended.lines[0].ends_with(" timeouts=0(lateready),0(lateready)"), "{}", ended.lines[0]);
    assert!(ended.has_notice("`not ready` instead of `ready`, and is waited for"));
    assert!(ended.has_notice("`READY` instead of `ready`, which is taken for it"));
}

#[test]
fn nobody_says_so_much() {
    let manager = start(settings(1));
    let (mut white, mut black) = two(manager.address);
    white.hear();
    // More than fits into any buffer on the way: the writer finds out that nobody reads.
    let flood = thread::spawn(move || white.raw(&vec![b'1'; 8 << 20]));
    assert_eq!(black.hear(), "reset");
    flood.join().expect("the writer ends");
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["1 illegal move"]);
    assert!(ended.has_notice("a message of more than"));
}

/// A player who goes at any step ends at most a game. Somebody else takes the seat.
#[test]
fn players_can_go_at_every_step() {
    for step in 0..=4 {
        let manager = start(settings(2));
        let mut leaving = Peer::connect(manager.address);
        let mut black = Peer::connect(manager.address);
        if step >= 1 {
            leaving.hear();
        }
        if step >= 2 {
            let _rules_and_seat = (leaving.hear(), leaving.hear());
            leaving.say("ready");
        }
        if step >= 3 {
            assert_eq!(black.prepare(), "2");
            leaving.hear();
        }
        match step {
            // In the middle of a message.
            3 => leaving.raw(b"1 2 1"),
            // When the others are to move.
            4 => {
                leaving.say("1 2 1 3");
                assert_eq!(black.hear(), "1 2 1 3");
                black.hear();
            }
            _ => {}
        }
        drop(leaving);
        let mut white = Peer::connect(manager.address);
        if step < 3 {
            assert_eq!(black.prepare(), "2");
        }
        let lost = match step {
            // It is replaced before the game begins.
            0..=2 => false,
            3 => {
                assert_eq!(black.hear(), "reset");
                true
            }
            // It has nothing to do in this game any more.
            _ => {
                black.say("2 4 2 5");
                assert_eq!(black.hear(), "reset");
                false
            }
        };
        assert_eq!(white.prepare(), "1");
        let rest = if lost || step == 4 { 1 } else { 2 };
        let playing = thread::spawn(move || (0..rest).for_each(|_| white.play_white()));
        (0..rest).for_each(|_| black.play_black());
        playing.join().expect("white has played");
        let ended = manager.end();
        assert!(ended.result.is_ok(), "step {step}");
        let first = if lost { "1 crash" } else { "finished" };
        assert_eq!(ended.outcomes(), [first, "finished"], "step {step}");
        assert!(ended.has_notice("player 1 is gone"), "step {step}: {:?}", ended.notices);
    }
}

/// Whoever goes between two moves of his own has lost when the second one is asked for.
#[test]
fn players_who_go_are_missed_in_their_turn() {
    let manager = start(settings_of(ROUND, 1));
    let [mut red, mut green, mut blue] = [0, 1, 2].map(|_| Peer::connect(manager.address));
    for peer in [&mut red, &mut green, &mut blue] {
        let _time_rules_seat = (peer.hear(), peer.hear(), peer.hear());
        peer.say("ready");
    }
    red.hear();
    red.say("2 5 2 6 2 7");
    assert_eq!(green.hear(), "2 5 2 6 2 7");
    green.hear();
    green.say("5 8 5 9");
    drop(green);
    assert_eq!(red.rest(), "5 8 5 9\0reset\0");
    assert_eq!(blue.rest(), "2 5 2 6 2 7\x005 8 5 9\0reset\0");
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["2 crash"]);
    // The others share what the loser has lost.
    let results: Vec<_> = (0..3).map(|seat| ended.records[0].result(seat)).collect();
    assert_eq!(results[1], Some(0.0), "{results:?}");
    assert!(results[0] > Some(0.0) && results[2] > Some(0.0), "{results:?}");
}

/// Nobody is left, and everything begins again.
#[test]
fn all_players_can_go() {
    let manager = start(settings(2));
    let (mut white, black) = two(manager.address);
    white.hear();
    drop((white, black));
    let (mut white, mut black) = two(manager.address);
    let playing = thread::spawn(move || white.play_white());
    black.play_black();
    playing.join().expect("played");
    assert_eq!(manager.end().outcomes(), ["1 crash", "finished"]);
}

/// What else comes to a port than players: it is sent away, and the seat is given to the next.
#[test]
fn strangers_before_the_first_game() {
    let manager = start(settings(1));
    let mut flooding = Peer::connect(manager.address);
    let mut web = Peer::connect(manager.address);
    web.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    drop(web);
    let flood = thread::spawn(move || flooding.raw(&vec![b'r'; 8 << 20]));
    flood.join().expect("the writer ends");
    let mut half = Peer::connect(manager.address);
    half.raw(b"rea");
    drop(half);
    let (mut one, mut two) = (Peer::connect(manager.address), Peer::connect(manager.address));
    let seats = [one.prepare(), two.prepare()];
    let (mut white, mut black) = if seats == ["1", "2"] { (one, two) } else { (two, one) };
    let playing = thread::spawn(move || white.play_white());
    black.play_black();
    playing.join().expect("played");
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["finished"]);
    assert!(ended.has_notice("a message of more than 65536 bytes"), "{:?}", ended.notices);
    assert!(ended.has_notice("player 2 is gone: the connection was closed"), "{:?}", ended.notices);
}

/// Whoever connects when all seats are taken gets the next one that becomes free.
#[test]
fn those_who_wait_get_a_seat() {
    let manager = start(settings(2));
    let (mut white, mut black) = two(manager.address);
    let mut waiting = Peer::connect(manager.address);
    white.hear();
    drop(white);
    assert_eq!(black.hear(), "reset");
    assert_eq!(waiting.prepare(), "1");
    let playing = thread::spawn(move || waiting.play_white());
    black.play_black();
    playing.join().expect("played");
    assert_eq!(manager.end().outcomes(), ["1 crash", "finished"]);
}

#[test]
fn after_a_fault_all_can_be_asked_to_connect_again() {
    let manager = start(ManagerSettings { after_fault: AfterFault::Reconnect, ..settings(2) });
    let (mut white, black) = two(manager.address);
    white.hear();
    white.say("4 4 4 4");
    assert_eq!((white.rest(), black.rest()), (String::new(), String::new()));
    let (mut white, mut black) = two(manager.address);
    let playing = thread::spawn(move || white.play_white());
    black.play_black();
    playing.join().expect("played");
    assert_eq!(manager.end().outcomes(), ["1 illegal move", "finished"]);
}

#[test]
fn a_fault_can_be_the_end_as_in_the_original() {
    let manager = start(ManagerSettings { after_fault: AfterFault::End, ..settings(2) });
    let (mut white, black) = two(manager.address);
    white.hear();
    white.say("4 4 4 4");
    assert_eq!((white.rest(), black.rest()), (String::new(), String::new()));
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["1 illegal move"]);
    let error = ended.result.expect_err("ended").to_string();
    assert!(error.contains("`4 4 4 4` is illegal"), "{error}");
}

#[test]
fn faults_without_end_are_an_end() {
    let manager = start(ManagerSettings { games: None, max_faults: 7, ..settings(1) });
    let (mut white, black) = two(manager.address);
    white.raw(b"x\x00x\x00x\x00x\x00x\x00x\x00x\x00x\x00x\x00");
    assert_eq!(black.rest(), "reset\0".repeat(7));
    let ended = manager.end();
    assert!(matches!(ended.result, Err(ManagerError::Faults(7))));
    assert_eq!(ended.records.len(), 7);
}

#[test]
fn seats_are_swapped() {
    let names = vec!["one".to_owned(), "two".to_owned()];
    let manager = start(ManagerSettings { swap: true, names, ..settings(4) });
    let (mut one, mut two) = two(manager.address);
    let playing = thread::spawn(move || {
        for _ in 0..2 {
            one.play_white();
            one.play_black();
        }
    });
    for _ in 0..2 {
        two.play_black();
        two.play_white();
    }
    playing.join().expect("played");
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["finished"; 4]);
    let seats: Vec<_> =
        ended.records.iter().map(|r| (r.unit, r.seating, r.seats.clone())).collect();
    let (first, second) = (vec![0, 1], vec![1, 0]);
    assert_eq!(
        seats,
        [(0, 0, first.clone()), (0, 1, second.clone()), (1, 0, first), (1, 1, second)]
    );
    let record = &ended.records[1];
    assert_eq!((record.agents[0].name.as_str(), record.agents[1].name.as_str()), ("one", "two"));
    assert_eq!(record.scores, [100, 0]);
    assert_eq!(record.moves, ["1 2 1 3", "2 4 2 5"]);
    assert_eq!(record.turns.seat, [1, 2]);
    assert!(ended.records.iter().all(|r| r.contest == record.contest));
}

/// With three players seats rotate: every player has every seat once.
#[test]
fn seats_of_three_rotate() {
    let manager = start(ManagerSettings { swap: true, ..settings_of(ROUND, 3) });
    let peers = [0, 1, 2].map(|_| Peer::connect(manager.address));
    let playing = peers.map(|mut peer| {
        let seat: usize = {
            let (_time, rules, seat) = (peer.hear(), peer.hear(), peer.hear());
            assert_eq!(rules, ROUND);
            seat.parse().expect("a seat")
        };
        peer.say("ready");
        thread::spawn(move || {
            for game in 0..3 {
                let no_limit = regulus_server::protocol::seconds(None);
                let (red, green) = ("2 5 2 6 2 7", ["5 8 5 9", "3 10 3 11"]);
                let blue = "4 14 4 15 4 16";
                match (seat + 2 - game) % 3 + 1 {
                    1 => {
                        peer.expect(&[&no_limit]);
                        peer.say(red);
                        peer.expect(&[green[0], green[1], blue]);
                    }
                    2 => {
                        peer.expect(&[red]);
                        for text in green {
                            peer.expect(&[&no_limit]);
                            peer.say(text);
                        }
                        peer.expect(&[blue]);
                    }
                    _ => {
                        peer.expect(&[red, green[0], green[1], &no_limit]);
                        peer.say(blue);
                    }
                }
                peer.expect(&["reset"]);
            }
        })
    });
    for thread in playing {
        thread.join().expect("played");
    }
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["finished"; 3]);
    let seats: Vec<_> = ended.records.iter().map(|r| (r.unit, r.seating, &r.seats[..])).collect();
    assert_eq!(seats, [(0, 0, &[0, 1, 2][..]), (0, 1, &[1, 2, 0]), (0, 2, &[2, 0, 1])]);
    assert!(ended.records.iter().all(|record| record.scores == [100, 25, 7]));
}

#[test]
fn a_game_that_does_not_end_is_given_up() {
    let manager = start(ManagerSettings { max_plies: 1, ..settings(1) });
    let (mut white, black) = two(manager.address);
    white.say("1 2 1 3");
    assert_eq!(black.rest(), "1 2 1 3\0reset\0");
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["void: not over after 1 moves"]);
    assert_eq!(ended.records[0].result(0), None);
}

#[test]
fn players_who_do_not_come() {
    let settings = ManagerSettings { connect_timeout: Some(SHORT), ..settings(1) };
    let manager = Manager::bind(settings, "127.0.0.1", 0).expect("a free port");
    let _only = TcpStream::connect(manager.address()).expect("a manager");
    let error = manager.run(&AtomicBool::new(false), &mut |_| Ok(())).expect_err("one is missing");
    assert_eq!(error.to_string(), "1 player has not come within 30ms");
}

#[test]
fn a_watcher_can_end_it() {
    let manager = Manager::bind(settings(1), "127.0.0.1", 0).expect("a free port");
    let full = &mut |_: &Notice<'_>| Err("the disk is full".to_owned());
    let error = manager.run(&AtomicBool::new(false), full).expect_err("ended");
    assert_eq!(error.to_string(), "the disk is full");
}

#[test]
fn no_game_begins_after_the_shutdown() {
    let time = Duration::from_millis(1);
    let manager = start(ManagerSettings { games: None, shutdown: Some(time), ..settings(1) });
    let (mut white, mut black) = two(manager.address);
    white.hear();
    let_pass(time);
    white.say("1 2 1 3");
    black.play_black();
    assert_eq!(white.rest(), "2 4 2 5\0reset\0");
    assert_eq!(manager.end().outcomes(), ["finished"]);
}

#[test]
fn settings_that_cannot_be_obeyed() {
    let bind = |settings| Manager::bind(settings, "127.0.0.1", 0).err();
    let mut nul = settings(1);
    nul.text.push('\0');
    assert!(bind(nul).expect("wrong").to_string().contains("NUL byte"));
    let names = vec![String::new(); 3];
    let three = bind(ManagerSettings { names, ..settings(1) }).expect("wrong").to_string();
    assert_eq!(three, "there are 3 names for 2 players");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("bound").port();
    let error = Manager::bind(settings(1), "127.0.0.1", port).err();
    let error = error.expect("taken").to_string();
    assert!(error.starts_with(&format!("cannot listen on 127.0.0.1:{port}: ")), "{error}");
}
