//! What the tests on real sockets share: a small game, a manager in a thread, and peers that say exactly what
//! they are told to.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use regulus_agent::Agent;
use regulus_arena::board::{BoardRecord, Verifier};
use regulus_player::LoadedGame;
use regulus_rbg::Source;
use regulus_server::manager::{ManagerSettings, Notice};
use regulus_server::{JoinError, JoinNotice, JoinSettings, Manager, ManagerError, join};

/// White takes one of four squares, black takes another one, white wins. The modifiers are
/// 1 `->white`, 2 `[w]`, 3 `->black`, 4 `[b]`, 5 `->>`, 6 `[$ white = 100]`, 7 `->>`.
pub const GAME: &str = include_str!("../transcripts/taking.rbg");

/// A game for three, in which the second player moves twice in a row; the modifiers are told in `transcripts/round.txt`.
pub const ROUND: &str = include_str!("../transcripts/round.rbg");

/// A test that waits longer than this has failed. It says nothing about speed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something is true.
pub fn wait_until(mut is_true: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_true() {
        assert!(begin.elapsed() < PATIENCE, "waited too long");
        thread::yield_now();
    }
}

/// Waits until this time is over, for what goes by the clock of the other side.
pub fn let_pass(time: Duration) {
    let begin = Instant::now();
    wait_until(|| begin.elapsed() > time);
}

pub fn game(text: &str) -> Arc<LoadedGame> {
    Arc::new(LoadedGame::read("test", Source::new("test", text)).expect("the rules are right"))
}

pub fn settings(games: u64) -> ManagerSettings {
    settings_of(GAME, games)
}

pub fn settings_of(text: &str, games: u64) -> ManagerSettings {
    let game = game(text);
    ManagerSettings {
        games: Some(games),
        connect_timeout: Some(PATIENCE),
        ..ManagerSettings::new(game, text)
    }
}

/// What a manager has done.
pub struct Ended {
    pub result: Result<(), ManagerError>,
    pub records: Vec<BoardRecord>,
    pub lines: Vec<String>,
    pub notices: Vec<String>,
}

impl Ended {
    /// How every game has ended: `finished`, or the seat and the reason of a forfeit.
    pub fn outcomes(&self) -> Vec<String> {
        use regulus_arena::board::Outcome::{Finished, Forfeit, Void};
        let outcome = |record: &BoardRecord| match &record.outcome {
            Finished => "finished".to_owned(),
            Forfeit { seat, reason, .. } => format!("{seat} {}", reason.word()),
            Void { message } => format!("void: {message}"),
        };
        self.records.iter().map(outcome).collect()
    }

    pub fn has_notice(&self, part: &str) -> bool {
        self.notices.iter().any(|notice| notice.contains(part))
    }
}

/// A manager in a thread.
pub struct Running {
    pub address: SocketAddr,
    interrupted: Arc<AtomicBool>,
    thread: JoinHandle<Ended>,
}

pub fn start(settings: ManagerSettings) -> Running {
    let rules = Arc::clone(&settings.game);
    let manager = Manager::bind(settings, "127.0.0.1", 0).expect("a free port");
    let address = manager.address();
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    let thread = thread::spawn(move || {
        let (mut records, mut lines, mut notices) = (Vec::new(), Vec::new(), Vec::new());
        let result = manager.run(&flag, &mut |notice| {
            if let Notice::GameResult { record, line, .. } = notice {
                records.push((*record).clone());
                lines.push(line.to_string());
            }
            notices.push(notice.to_string());
            Ok(())
        });
        let verifier = Verifier::new(&rules);
        for record in &records {
            verifier.verify(record).expect("a record is true");
        }
        Ended { result, records, lines, notices }
    });
    Running { address, interrupted, thread }
}

impl Running {
    /// What Ctrl-C does.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    pub fn end(self) -> Ended {
        self.thread.join().expect("the manager does not crash")
    }
}

/// A peer that says exactly what it is told to.
pub struct Peer {
    stream: TcpStream,
    heard: Vec<u8>,
}

impl Peer {
    pub fn connect(address: SocketAddr) -> Self {
        Peer::new(TcpStream::connect(address).expect("somebody listens"))
    }

    /// Nothing if nobody listens any more.
    pub fn try_connect(address: SocketAddr) -> Option<Self> {
        TcpStream::connect(address).ok().map(Peer::new)
    }

    pub fn accept(listener: &TcpListener) -> Self {
        Peer::new(listener.accept().expect("somebody connects").0)
    }

    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        stream.set_write_timeout(Some(PATIENCE)).expect("a socket");
        stream.set_nodelay(true).expect("a socket");
        Peer { stream, heard: Vec::new() }
    }

    /// Sends bytes as they are; the other side may be gone already.
    pub fn raw(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
    }

    /// Sends bytes and waits until the other side has read them, so that they come by themselves. Where the system does
    /// not tell, they are a segment of their own.
    pub fn raw_alone(&mut self, bytes: &[u8]) {
        self.raw(bytes);
        let port = |address: std::io::Result<SocketAddr>| address.expect("connected").port();
        let (own, other) = (port(self.stream.local_addr()), port(self.stream.peer_addr()));
        wait_until(|| {
            let sockets = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
            !sockets.lines().any(|line| {
                // Number, local address, remote address, state, queues for sending and receiving.
                let words: Vec<&str> = line.split_whitespace().collect();
                words.len() > 4
                    && words[1].ends_with(&format!(":{other:04X}"))
                    && words[2].ends_with(&format!(":{own:04X}"))
                    && !words[4].ends_with(":00000000")
            })
        });
    }

    /// Sends a message.
    pub fn say(&mut self, message: &str) {
        self.raw(format!("{message}\0").as_bytes());
    }

    /// The next message.
    pub fn hear(&mut self) -> String {
        let next = self.next();
        next.unwrap_or_else(|| panic!("closed after {:?}", String::from_utf8_lossy(&self.heard)))
    }

    /// The next message; nothing if the connection is closed before.
    pub fn next(&mut self) -> Option<String> {
        let mut searched = 0;
        loop {
            if let Some(end) = self.heard[searched..].iter().position(|byte| *byte == 0) {
                let rest = self.heard.split_off(searched + end + 1);
                let mut message = std::mem::replace(&mut self.heard, rest);
                message.pop();
                return Some(String::from_utf8(message).expect("text"));
            }
            searched = self.heard.len();
            let mut bytes = [0; 4096];
            match self.stream.read(&mut bytes) {
                Ok(0) => return None,
                Ok(count) => self.heard.extend_from_slice(&bytes[..count]),
                // Closed while something of ours was not read.
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("no message: {error}"),
            }
        }
    }

    /// Preparation time, rules and seat; nothing if the connection is closed before.
    pub fn introduction(&mut self) -> Option<[String; 3]> {
        Some([self.next()?, self.next()?, self.next()?])
    }

    /// Everything until the connection is closed.
    pub fn rest(mut self) -> String {
        let mut bytes = [0; 4096];
        loop {
            match self.stream.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => self.heard.extend_from_slice(&bytes[..count]),
                // Closed while something of ours was not read.
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
                Err(error) => panic!("never closed: {error}"),
            }
        }
        String::from_utf8(self.heard).expect("text")
    }

    /// Says that nothing will follow.
    pub fn close_writing(&self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
    }

    /// Hears the rules and says `ready`; gives the seat.
    pub fn prepare(&mut self) -> String {
        let (_time, rules, seat) = (self.hear(), self.hear(), self.hear());
        assert_eq!(rules, GAME);
        self.say("ready");
        seat
    }

    /// Hears exactly these messages.
    pub fn expect(&mut self, messages: &[&str]) {
        for message in messages {
            assert_eq!(self.hear(), *message);
        }
    }

    /// Plays the part of white in a game.
    pub fn play_white(&mut self) {
        self.hear();
        self.say("1 2 1 3");
        assert_eq!(self.hear(), "2 4 2 5");
        assert_eq!(self.hear(), "reset");
    }

    /// Plays the part of black in a game.
    pub fn play_black(&mut self) {
        assert_eq!(self.hear(), "1 2 1 3");
        self.hear();
        self.say("2 4 2 5");
        assert_eq!(self.hear(), "reset");
    }
}

/// Two peers who are ready.
pub fn two(address: SocketAddr) -> (Peer, Peer) {
    let mut white = Peer::connect(address);
    let mut black = Peer::connect(address);
    assert_eq!(white.prepare(), "1");
    assert_eq!(black.prepare(), "2");
    (white, black)
}

/// What an agent has to say when it has played with a manager.
pub struct Joined {
    pub result: Result<u64, JoinError>,
    pub notices: Vec<String>,
}

/// An agent that joins from a thread.
pub fn start_join(settings: JoinSettings, agent: Agent) -> JoinHandle<Joined> {
    thread::spawn(move || {
        let mut notices = Vec::new();
        let watch = &mut |notice: &JoinNotice| notices.push(notice.to_string());
        let settings = JoinSettings { agent: Some(agent), ..settings };
        let result = join(&settings, &AtomicBool::new(false), watch);
        Joined { result, notices }
    })
}

/// How agents of the tests join: with one simulation for a move.
pub fn join_settings(address: SocketAddr) -> JoinSettings {
    let limits = regulus_search::Limits::simulations(1);
    JoinSettings {
        limits,
        silence_timeout: PATIENCE,
        seat_attempts: 1,
        ..JoinSettings::new(address.to_string())
    }
}

pub fn agent() -> Agent {
    regulus_agent::by_name("mcts_orthodox_orthodox").expect("built in")
}
