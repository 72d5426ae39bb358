//! Players among hundreds of connections that never become one.
//!
//! Nothing here depends on time: bad connections stay until the end of a test, so that whoever waits for one of them
//! waits for ever.

mod network;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use network::{GAME, Peer, settings, settings_of, start};
use regulus_server::manager::ManagerSettings;

/// How many bad ones there are.
const BAD: usize = 500;

/// Lets the test and the manager, which are one process, have as many connections as the system allows.
fn allow_many_connections() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

/// Connects and behaves badly: silent, garbage with and without an end, half a greeting, gone. Those who stay are given.
fn bad(address: SocketAddr, number: usize) -> Option<Peer> {
    let mut peer = Peer::try_connect(address)?;
    match number % 5 {
        0 => {}
        1 => peer.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        2 => peer.raw(b"who is there?\0\xff\xfe\0\0"),
        3 => peer.raw(b"rea"),
        _ => return None,
    }
    Some(peer)
}

/// Plays a game as any player does who comes again when it is disconnected before the game begins. Gives how often it came.
fn honest(address: SocketAddr) -> usize {
    for attempt in 1.. {
        let mut peer = Peer::connect(address);
        let Some([_time, rules, seat]) = peer.introduction() else { continue };
        assert_eq!(rules, GAME);
        peer.say("ready");
        let Some(first) = peer.next() else { continue };
        if seat == "1" {
            peer.say("1 2 1 3");
            peer.expect(&["2 4 2 5", "reset"]);
        } else {
            assert_eq!(first, "1 2 1 3");
            peer.hear();
            peer.say("2 4 2 5");
            peer.expect(&["reset"]);
        }
        return attempt;
    }
    unreachable!("nobody counts so far");
}

/// Who comes after all the bad ones, one right after the other, plays at once.
#[test]
fn two_players_after_500_bad_connections() {
    allow_many_connections();
    let manager = start(settings(1));
    let bad: Vec<Peer> = (0..BAD).filter_map(|i| bad(manager.address, i)).collect();
    let (mut one, mut two) = (Peer::connect(manager.address), Peer::connect(manager.address));
    let seats = [one.prepare(), two.prepare()];
    let (mut white, mut black) = if seats == ["1", "2"] { (one, two) } else { (two, one) };
    let playing = thread::spawn(move || white.play_white());
    black.play_black();
    playing.join().expect("played");
    let ended = manager.end();
    ended.result.as_ref().expect("a game");
    assert_eq!(ended.outcomes(), ["finished"]);
    // Whoever watches is not told about everybody.
    assert!(ended.notices.len() < 50, "{} notices", ended.notices.len());
    assert!(ended.has_notice("connections wait for a seat"), "{:?}", ended.notices);
    drop(bad);
}

/// Who comes among them may be told the seat of somebody else, and plays when it comes again.
#[test]
fn two_players_among_bad_connections() {
    allow_many_connections();
    let manager = start(settings(1));
    let address = manager.address;
    let over = AtomicBool::new(false);
    let attempts = thread::scope(|scope| {
        for worker in 0..4 {
            let over = &over;
            scope.spawn(move || {
                let mut stay = std::collections::VecDeque::new();
                for number in worker.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    stay.extend(bad(address, number));
                    // As many at a time as one address may have.
                    if stay.len() > 100 {
                        stay.pop_front();
                    }
                }
            });
        }
        let players = [0, 1].map(|_| scope.spawn(move || honest(address)));
        let attempts = players.map(|player| player.join().expect("played"));
        over.store(true, Ordering::Relaxed);
        attempts
    });
    assert!(attempts.iter().all(|attempts| *attempts > 0));
    assert_eq!(manager.end().outcomes(), ["finished"]);
}

/// Two are told the same seat. The first who is ready has it, the other is asked to come again for the one that is free.
#[test]
fn a_seat_belongs_to_the_first_who_is_ready() {
    let manager = start(settings(1));
    // Told in this order: seats 1, 2, 1, 2, 1.
    let [_silent, _silent_too, mut one, _silent_again, mut two] =
        [0; 5].map(|_| Peer::connect(manager.address));
    let seat = |peer: &mut Peer| peer.introduction().expect("told")[2].clone();
    assert_eq!([seat(&mut one), seat(&mut two)], ["1", "1"]);
    let finishing = [one, two].map(|mut peer| {
        let address = manager.address;
        thread::spawn(move || {
            peer.say("ready");
            if peer.next().is_none() {
                drop(peer);
                let mut peer = Peer::connect(address);
                assert_eq!(peer.introduction().expect("told")[2], "2");
                peer.say("ready");
                peer.play_black();
                return true;
            }
            peer.say("1 2 1 3");
            peer.expect(&["2 4 2 5", "reset"]);
            false
        })
    });
    let again = finishing.map(|thread| thread.join().expect("played"));
    assert_eq!(again.iter().filter(|again| **again).count(), 1, "one has come again");
    let ended = manager.end();
    assert_eq!(ended.outcomes(), ["finished"]);
    assert!(ended.has_notice("was ready for a seat that is taken"), "{:?}", ended.notices);
}

/// With swapped seats nobody goes by what he was told, so nobody has to come again.
#[test]
fn any_seat_will_do_where_seats_are_swapped() {
    let manager = start(ManagerSettings { swap: true, ..settings(2) });
    let [_silent, _silent_too, mut one, _silent_again, mut two] =
        [0; 5].map(|_| Peer::connect(manager.address));
    assert_eq!([one.prepare(), two.prepare()], ["1", "1"]);
    // Both are asked for a move in one of the games.
    let playing = [one, two].map(|mut peer| {
        thread::spawn(move || {
            for _ in 0..2 {
                if peer.hear() == "1 2 1 3" {
                    peer.hear();
                    peer.say("2 4 2 5");
                } else {
                    peer.say("1 2 1 3");
                    peer.expect(&["2 4 2 5"]);
                }
                peer.expect(&["reset"]);
            }
        })
    });
    for thread in playing {
        thread.join().expect("played");
    }
    assert_eq!(manager.end().outcomes(), ["finished", "finished"]);
}

/// Those who are ready and have no seat wait for it.
#[test]
fn whoever_is_ready_takes_a_seat_that_becomes_free() {
    let manager = start(settings(2));
    let [mut white, _silent, mut waiting, mut black] =
        [0; 4].map(|_| Peer::connect(manager.address));
    let seats = [&mut white, &mut waiting, &mut black].map(|peer| {
        let [_, _, seat] = peer.introduction().expect("told");
        seat
    });
    assert_eq!(seats, ["1", "1", "2"]);
    white.say("ready");
    black.say("ready");
    // The first game has begun: nobody else is listened to until it is over.
    white.hear();
    waiting.say("ready");
    drop(white);
    assert_eq!(black.hear(), "reset");
    let playing = thread::spawn(move || waiting.play_white());
    black.play_black();
    playing.join().expect("played");
    assert_eq!(manager.end().outcomes(), ["1 crash", "finished"]);
}

/// One address cannot have all places: who has waited longest goes.
#[test]
fn connections_of_an_address_are_limited() {
    let manager = start(ManagerSettings { max_per_address: 3, ..settings(1) });
    let mut silent: Vec<Peer> = (0..8).map(|_| Peer::connect(manager.address)).collect();
    for peer in silent.drain(..5) {
        // Closed, whatever it was told before.
        peer.rest();
    }
    let (mut one, mut two) = (Peer::connect(manager.address), Peer::connect(manager.address));
    let seats = [one.prepare(), two.prepare()];
    assert!(seats == ["1", "2"] || seats == ["2", "1"], "{seats:?}");
    let (mut white, mut black) = if seats == ["1", "2"] { (one, two) } else { (two, one) };
    let playing = thread::spawn(move || white.play_white());
    black.play_black();
    playing.join().expect("played");
    assert_eq!(manager.end().outcomes(), ["finished"]);
}

/// Rules that do not fit into the buffers of the system, for some who do not read them.
#[test]
fn nobody_waits_for_those_who_do_not_read() {
    let rules = format!("{GAME}// {}\n", "-".repeat(3 << 20));
    let manager = start(settings_of(&rules, 1));
    let deaf: Vec<Peer> = (0..20).map(|_| Peer::connect(manager.address)).collect();
    let (mut one, mut two) = (Peer::connect(manager.address), Peer::connect(manager.address));
    let told = [one.introduction(), two.introduction()].map(|told| told.expect("told"));
    assert!(told.iter().all(|told| told[1] == rules));
    let (mut white, mut black) = if told[0][2] == "1" { (one, two) } else { (two, one) };
    white.say("ready");
    black.say("ready");
    let playing = thread::spawn(move || white.play_white());
    black.play_black();
    playing.join().expect("played");
    assert_eq!(manager.end().outcomes(), ["finished"]);
    drop(deaf);
}

#[test]
fn garbage_without_end_is_an_end() {
    let manager = start(settings(1));
    let (mut one, _two) = (Peer::connect(manager.address), Peer::connect(manager.address));
    one.raw("not ready\0".repeat(10).as_bytes());
    assert!(one.rest().ends_with("\x001\0"));
    manager.interrupt();
    let ended = manager.end();
    assert!(ended.has_notice("player 1 is gone: it says anything but"), "{:?}", ended.notices);
}
