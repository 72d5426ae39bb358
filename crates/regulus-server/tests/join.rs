//! An agent and managers who behave and who do not, on real sockets.

mod network;

use std::net::TcpListener;
use std::thread::JoinHandle;
use std::time::Duration;

use network::{GAME, Joined, Peer, agent, join_settings, start_join};
use regulus_server::{JoinError, JoinSettings};

/// An agent that has connected to us.
fn joined() -> (TcpListener, Peer, JoinHandle<Joined>) {
    joined_with(|settings| settings)
}

fn joined_with(
    change: impl FnOnce(JoinSettings) -> JoinSettings,
) -> (TcpListener, Peer, JoinHandle<Joined>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound");
    let thread = start_join(change(join_settings(address)), agent());
    let peer = Peer::accept(&listener);
    (listener, peer, thread)
}

/// The seat of black, and a game up to its turn.
fn hello(peer: &mut Peer) {
    peer.raw(format!("300.000000\0{GAME}\x002\x00").as_bytes());
    assert_eq!(peer.hear(), "ready");
}

fn error(thread: JoinHandle<Joined>) -> String {
    let joined = thread.join().expect("no crash");
    joined.result.expect_err("something is wrong").to_string()
}

#[test]
fn one_byte_after_the_other() {
    let (_listener, mut peer, thread) = joined();
    for byte in format!("300.000000\0{GAME}\x002\x00").bytes() {
        peer.raw(&[byte]);
    }
    assert_eq!(peer.hear(), "ready");
    for byte in b"1 2 1 3\x000.400000\x00" {
        peer.raw(&[*byte]);
    }
    assert!(["2 4 2 5", "3 4 3 5", "4 4 4 5"].contains(&peer.hear().as_str()));
    peer.say("reset");
    drop(peer);
    let joined = thread.join().expect("no crash");
    assert_eq!(joined.result.expect("a game"), 1);
    assert_eq!(joined.notices[0], "mcts_orthodox_orthodox plays as black, seat 2 of 2");
    assert!(joined.notices.iter().any(|n| n == "game 1: 100 : 0 after 2 moves, seat 2"));
}

#[test]
fn managers_who_say_something_else() {
    let wrong = |messages: &[u8]| {
        let (_listener, mut peer, thread) = joined();
        peer.raw(messages);
        error(thread)
    };
    assert!(wrong(b"soon\x00").contains("`soon` is no time in seconds"));
    assert!(wrong(b"\xff\x00").contains("no text"));
    let game = |seat: &str| format!("1.0\0{GAME}\0{seat}\0").into_bytes();
    for seat in ["0", "3", "", "white", "-1"] {
        assert!(wrong(&game(seat)).contains(&format!("there is no seat `{seat}`")), "{seat}");
    }
    let rules = wrong(b"1.0\x00#players = \x001\x00");
    assert!(rules.starts_with("the rules of the manager have errors\nerror"), "{rules}");
    assert!(wrong(&vec![b'1'; 5 << 20]).contains("a message of more than"));

    let wrong = |messages: &[u8]| {
        let (_listener, mut peer, thread) = joined();
        hello(&mut peer);
        peer.raw(messages);
        error(thread)
    };
    assert!(wrong(b"1 2 1 9\x00").contains("`1 2 1 9`, which is illegal"));
    assert!(wrong(b"hello\x00").contains("does not keep to the protocol"));
    assert!(wrong(b"\x00").contains("does not keep to the protocol"));
    assert!(wrong(b"1 2 1\x00").contains("does not keep to the protocol"));
    let over = wrong(b"1 2 1 3\x002 4 2 5\x000.400000\x00");
    assert!(over.contains("it asks for a move, but there is none"), "{over}");
}

#[test]
fn managers_can_go_at_every_step() {
    let messages = ["300.000000".to_owned(), GAME.to_owned(), "1".to_owned()];
    for step in 0..=3 {
        let (_listener, mut peer, thread) = joined();
        messages.iter().take(step).for_each(|message| peer.say(message));
        if step == 3 {
            assert_eq!(peer.hear(), "ready");
        }
        drop(peer);
        let expected = [
            "before the preparation time: the connection was closed",
            "before the rules: the connection was closed",
            "before the seat: the connection was closed",
            "in game 1, after 0 moves: the connection was closed",
        ];
        assert_eq!(error(thread), expected[step]);
    }
    // In the middle of a game, and in the middle of a message.
    for last in [&b""[..], b"0.4000"] {
        let (_listener, mut peer, thread) = joined();
        hello(&mut peer);
        peer.raw(b"1 2 1 3\x00");
        peer.raw(last);
        drop(peer);
        assert_eq!(error(thread), "in game 1, after 1 moves: the connection was closed");
    }
    // Where it is no fault: after a game, with and without the message that says so.
    for last in [&b"reset\x00"[..], b""] {
        let (_listener, mut peer, thread) = joined();
        hello(&mut peer);
        peer.raw(b"1 2 1 3\x002 4 2 5\x00");
        peer.raw(last);
        drop(peer);
        assert_eq!(thread.join().expect("no crash").result.expect("a game"), 1);
    }
}

/// With a limit in simulations the time of the manager is ignored (THESIS 4.3), which is said once; every legal move is told
/// with what the search knows about it, if that is asked for.
#[test]
fn limits_in_simulations_ignore_the_deadline() {
    let limits = regulus_search::Limits::simulations(50);
    let (_listener, mut peer, thread) =
        joined_with(|settings| JoinSettings { limits, show_moves: true, ..settings });
    hello(&mut peer);
    // A tenth of a microsecond is over before a single simulation is.
    peer.raw(b"1 2 1 3\x000.0000001\x00");
    let played = peer.hear();
    peer.say("reset");
    drop(peer);
    let joined = thread.join().expect("no crash");
    assert_eq!(joined.result.expect("a game"), 1);
    let warnings = joined.notices.iter().filter(|n| n.starts_with("warning: the limit in sim"));
    assert_eq!(warnings.count(), 1, "{:?}", joined.notices);
    let turn = joined.notices.iter().find(|n| n.starts_with("move 2: 50 simulations, "));
    let turn = turn.unwrap_or_else(|| panic!("{:?}", joined.notices));
    let rows: Vec<&str> = turn.lines().skip(2).collect();
    assert_eq!(rows.len(), 3, "black has three moves: {turn}");
    let visits = rows.iter().map(|row| {
        let words: Vec<&str> = row.trim_start_matches('>').split_whitespace().collect();
        words[0].parse::<u64>().expect("a number")
    });
    assert_eq!(visits.sum::<u64>(), 50, "{turn}");
    let chosen: Vec<&&str> = rows.iter().filter(|row| row.starts_with('>')).collect();
    assert!(chosen.len() == 1 && chosen[0].ends_with(&played), "{turn}");
}

/// With a limit in time the deadline counts, and nothing is said about moves.
#[test]
fn limits_in_time_keep_to_the_deadline() {
    let limits = regulus_search::Limits::time(Duration::from_secs(3600));
    let (_listener, mut peer, thread) = joined_with(|settings| JoinSettings { limits, ..settings });
    hello(&mut peer);
    peer.raw(b"1 2 1 3\x000.200000\x00");
    peer.hear();
    peer.say("reset");
    drop(peer);
    let joined = thread.join().expect("no crash");
    assert_eq!(joined.result.expect("a game"), 1);
    let told = |start: &str| joined.notices.iter().any(|notice| notice.starts_with(start));
    assert!(!told("warning") && !told("move "), "{:?}", joined.notices);
}

#[test]
fn silent_managers() {
    let silence_timeout = Duration::from_millis(20);
    let (_listener, _peer, thread) =
        joined_with(|settings| JoinSettings { silence_timeout, ..settings });
    assert_eq!(error(thread), "before the preparation time: no message for 0.020 s");
}

#[test]
fn nobody_there() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound");
    drop(listener);
    let connect_timeout = Duration::from_millis(250);
    let settings = JoinSettings { connect_timeout, ..join_settings(address) };
    let joined = start_join(settings.clone(), agent()).join().expect("no crash");
    let error = joined.result.expect_err("nobody listens");
    assert!(matches!(error, JoinError::Connect { .. }));
    let start = format!("cannot connect to {address} (tried for 250ms): ");
    assert!(error.to_string().starts_with(&start), "{error}");
    let settings = JoinSettings { address: "no address".to_owned(), ..settings };
    let joined = start_join(settings, agent()).join().expect("no crash");
    assert!(matches!(joined.result, Err(JoinError::Connect { .. })));
}

#[test]
fn a_lost_connection_can_be_made_again() {
    let (listener, mut peer, thread) =
        joined_with(|settings| JoinSettings { reconnect: true, ..settings });
    hello(&mut peer);
    peer.say("1 2 1 3");
    drop(peer);
    let mut peer = Peer::accept(&listener);
    hello(&mut peer);
    peer.raw(b"1 2 1 3\x00400.0\x00");
    peer.hear();
    peer.say("reset");
    drop(peer);
    let joined = thread.join().expect("no crash");
    assert_eq!(joined.result.expect("a game"), 1);
    let lost = "in game 1, after 1 moves: the connection was closed; joining again";
    assert!(joined.notices.iter().any(|notice| notice == lost), "{:?}", joined.notices);
}

/// Somebody else was faster with the seat that we were told: we come again for another one, but not for ever.
#[test]
fn a_seat_that_is_taken_is_asked_for_again() {
    let (listener, mut peer, thread) =
        joined_with(|settings| JoinSettings { seat_attempts: 2, ..settings });
    hello(&mut peer);
    drop(peer);
    let mut peer = Peer::accept(&listener);
    hello(&mut peer);
    drop(peer);
    let joined = thread.join().expect("no crash");
    let lost = "in game 1, after 0 moves: the connection was closed";
    assert_eq!(joined.result.expect_err("no seat").to_string(), lost);
    let again: Vec<&String> = joined.notices.iter().filter(|n| n.contains("again")).collect();
    assert_eq!(again, [&format!("{lost}; joining again")]);
}

/// A game that the manager ends early is no reason to stop, and seats may change without a word.
#[test]
fn resets_and_swaps_are_understood() {
    let (_listener, mut peer, thread) = joined();
    hello(&mut peer);
    peer.raw(b"1 2 1 3\x00reset\x000.400000\x00");
    let chosen = peer.hear();
    assert!(chosen.ends_with(" 3"), "{chosen}");
    let square = chosen.split(' ').next().expect("a vertex");
    let answer = if square == "1" { "2 4 2 5" } else { "1 4 1 5" };
    peer.raw(format!("{answer}\0reset\0").as_bytes());
    drop(peer);
    let joined = thread.join().expect("no crash");
    assert_eq!(joined.result.expect("games"), 2);
    let has = |part: &str| joined.notices.iter().any(|notice| notice == part);
    assert!(has("game 1: 0 : 0 after 1 moves, ended by the manager"), "{:?}", joined.notices);
    assert!(has("game 2: 100 : 0 after 2 moves, seat 1"), "{:?}", joined.notices);
}

/// Times that no clock can show are no times at all.
#[test]
fn extreme_times() {
    for time in ["0", "0.000001", "1e9", "1e15", "1e19", "1e300", "inf"] {
        let (_listener, mut peer, thread) = joined();
        peer.raw(format!("{time}\0{GAME}\x002\x00").as_bytes());
        assert_eq!(peer.hear(), "ready");
        peer.raw(format!("1 2 1 3\0{time}\0").as_bytes());
        assert!(peer.hear().ends_with(" 5"), "{time}");
        drop(peer);
        assert_eq!(thread.join().expect("no crash").result.expect("a game"), 1);
    }
}

/// Searching on the time of others does not change what is said, and when.
#[test]
fn agents_think_on_the_time_of_others() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let settings = join_settings(listener.local_addr().expect("bound"));
    let mut thinking = agent();
    thinking.thinks_on_others_time = true;
    let thread = start_join(settings, thinking);
    let mut peer = Peer::accept(&listener);
    hello(&mut peer);
    for _ in 0..20 {
        peer.say("1 2 1 3");
        peer.say("10.000000");
        assert!(["2 4 2 5", "3 4 3 5", "4 4 4 5"].contains(&peer.hear().as_str()));
        peer.say("reset");
    }
    drop(peer);
    assert_eq!(thread.join().expect("no crash").result.expect("games"), 20);
}
