//! The exact bytes of whole sessions.
//!
//! The files in `transcripts/` were recorded from the original: rbggamemanager at commit 3dc8ffd, with its random
//! players or with peers that say what is written there. `1 < text` was said to the first player, `1 > text`
//! by it; `result` is a line of the results log without its time. Between players there is no
//! order. Our manager has to say the same to whoever says the same.

mod network;

use std::net::TcpListener;
use std::time::Duration;

use network::{GAME, Peer, ROUND, agent, join_settings, settings_of, start, start_join};
use regulus_server::manager::ManagerSettings;

/// What a player says, and what it is told.
#[derive(Default)]
struct Talk {
    says: String,
    hears: String,
}

struct Transcript {
    settings: ManagerSettings,
    results: Vec<String>,
    talks: Vec<Talk>,
}

fn read(text: &str) -> Transcript {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    let name = value("game ").expect("a game");
    let rules = match name {
        "taking.rbg" => GAME,
        "round.rbg" => ROUND,
        name => regulus_games::find(name).expect("a built-in game").text,
    };
    let time = |key| {
        let ms = value(key).map(|ms| ms.parse().expect("milliseconds"));
        ms.map(Duration::from_millis)
    };
    let results: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("result ")).map(str::to_owned).collect();
    let settings = ManagerSettings {
        deadline: time("deadline "),
        preparation: time("preparation ").or(time("deadline ")),
        ..settings_of(rules, results.len() as u64)
    };
    let mut talks: Vec<Talk> =
        (0..settings.game.players().len()).map(|_| Talk::default()).collect();
    for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        let (player, message) = line.split_at(4);
        let talk = &mut talks[player[..1].parse::<usize>().expect("a player") - 1];
        let message = format!("{}\0", message.replace("{game}", rules));
        match &player[1..] {
            " < " => talk.hears.push_str(&message),
            " > " => talk.says.push_str(&message),
            _ => panic!("{line}"),
        }
    }
    Transcript { settings, results, talks }
}

#[test]
fn the_manager_says_what_the_original_says() {
    for text in [
        include_str!("transcripts/taking.txt"),
        include_str!("transcripts/unlimited.txt"),
        include_str!("transcripts/blanks.txt"),
        include_str!("transcripts/round.txt"),
        include_str!("transcripts/eight-puzzle.txt"),
        include_str!("transcripts/breakthrough.txt"),
        include_str!("transcripts/chess-king-capture.txt"),
    ] {
        let transcript = read(text);
        let manager = start(transcript.settings);
        let mut peers: Vec<Peer> =
            transcript.talks.iter().map(|_| Peer::connect(manager.address)).collect();
        // Nobody has to wait for what he knows: everything is said at once.
        for (peer, talk) in peers.iter_mut().zip(&transcript.talks) {
            peer.raw(talk.says.as_bytes());
        }
        for (peer, talk) in peers.into_iter().zip(&transcript.talks) {
            assert_eq!(peer.rest(), talk.hears, "{}", text.lines().next().expect("a line"));
        }
        let ended = manager.end();
        ended.result.as_ref().expect("all games");
        let without_time = |line: &String| line.split_once(' ').expect("words").1.to_owned();
        let results: Vec<String> = ended.lines.iter().map(without_time).collect();
        assert_eq!(results, transcript.results);
    }
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
