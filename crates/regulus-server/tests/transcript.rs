//! The exact bytes of whole sessions, written down from the protocol.

mod network;

use std::net::TcpListener;
use std::time::Duration;

use network::{GAME, Peer, agent, join_settings, settings, start, start_join};

#[test]
fn a_manager_says_exactly_this() {
    let mut settings = settings(2);
    settings.deadline = Some(Duration::from_secs(40));
    settings.preparation = Some(Duration::from_secs(300));
    let manager = start(settings);
    let mut white = Peer::connect(manager.address);
    let mut black = Peer::connect(manager.address);
    // Nobody has to wait for what he knows: everything is said at once.
    white.raw(b"ready\x001 2 1 3\x004 2 4 3\x00");
    black.raw(b"ready\x003 4 3 5\x001 4 1 5\x00");
    let expected = format!(
        "300.000000\0{GAME}\x001\x0040.000000\x003 4 3 5\0reset\x0040.000000\x001 4 1 5\0reset\0"
    );
    assert_eq!(white.rest(), expected);
    let expected = format!(
        "300.000000\0{GAME}\x002\x001 2 1 3\x0040.000000\0reset\x004 2 4 3\x0040.000000\0reset\0"
    );
    assert_eq!(black.rest(), expected);
    let ended = manager.end();
    ended.result.expect("two games");
    // 4 moves, 3 moves, none.
    for line in &ended.lines {
        assert_eq!(line.split_once(' ').expect("words").1, "2 7 100 0");
    }
}

/// Without options times are the highest number there is.
#[test]
fn no_limit_is_a_number_of_309_digits() {
    let manager = start(settings(1));
    let mut white = Peer::connect(manager.address);
    let mut black = Peer::connect(manager.address);
    let none = white.hear();
    assert_eq!((none.len(), &none[309..]), (316, ".000000"));
    assert!(none.starts_with("17976931348623157"));
    assert_eq!((white.hear(), white.hear()), (GAME.to_owned(), "1".to_owned()));
    white.say("ready");
    black.prepare();
    assert_eq!(white.hear(), none);
    white.say("1 2 1 3");
    black.play_black();
    assert_eq!(white.rest(), "2 4 2 5\0reset\0");
    manager.end().result.expect("a game");
}

/// Only one move is legal for each side, so it is known what an agent says.
#[test]
fn an_agent_says_exactly_this() {
    let forced = GAME.replace("[e, e, e, e]", "[e, e]");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let joined = start_join(join_settings(listener.local_addr().expect("bound")), agent());
    let mut player = Peer::accept(&listener);
    // Moves of the other side and deadlines in one segment.
    let rules = format!("300.000000\0{forced}\x002\x001 2 1 3\x000.400000\x00");
    player.raw(rules.as_bytes());
    assert_eq!(player.hear(), "ready");
    assert_eq!(player.hear(), "2 4 2 5");
    player.raw(b"reset\x002 2 2 3\x000.400000\x00");
    assert_eq!(player.hear(), "1 4 1 5");
    player.raw(b"reset\x00");
    drop(listener);
    player.close_writing();
    assert_eq!(player.rest(), "");
    let joined = joined.join().expect("no crash");
    assert_eq!(joined.result.expect("played to the end"), 2);
}
