//! A connection on which nothing is waited for: there may be hundreds of them, and any of them may never say anything.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::connection::{Connection, Lost, acknowledge, is_pause};
use super::framing::Decoder;

/// How many pieces of 4 KiB are read at a time. Whoever sends more has to wait, as everybody else does.
const PIECES: usize = 4;

/// A connection on which nothing is waited for.
pub struct PendingConnection {
    stream: TcpStream,
    decoder: Decoder,
    address: SocketAddr,
    unsent: VecDeque<Arc<[u8]>>,
    /// How much of the first one was sent.
    sent: usize,
    /// Since when nothing of it could be sent.
    stuck: Option<Instant>,
    /// Nothing more will come.
    ended: bool,
}

impl PendingConnection {
    /// A connection on a stream, for messages of at most `longest_message` bytes.
    pub fn new(stream: TcpStream, longest_message: usize) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        // Messages are short and waited for.
        stream.set_nodelay(true)?;
        Ok(PendingConnection {
            address: stream.peer_addr()?,
            decoder: Decoder::new(longest_message),
            stream,
            unsent: VecDeque::new(),
            sent: 0,
            stuck: None,
            ended: false,
        })
    }

    /// The other side.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Has a message sent, which is encoded already, as soon as the other side reads.
    pub fn queue(&mut self, encoded: Arc<[u8]>) {
        self.unsent.push_back(encoded);
    }

    /// Sends and reads as much as is possible without waiting. Gives the next message if it has come.
    pub fn look(&mut self, patience: Duration) -> Result<Option<Vec<u8>>, Lost> {
        self.send_some(patience)?;
        let mut bytes = [0; 4096];
        for _ in 0..PIECES {
            if let Some(message) = self.decoder.message().map_err(Lost::TooLong)? {
                return Ok(Some(message));
            }
            if self.ended {
                return Err(Lost::Closed);
            }
            match self.stream.read(&mut bytes) {
                Ok(0) => self.ended = true,
                Ok(count) => {
                    self.decoder.push(&bytes[..count]);
                    acknowledge(&self.stream);
                }
                Err(error) if is_pause(&error) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        self.decoder.message().map_err(Lost::TooLong)
    }

    fn send_some(&mut self, patience: Duration) -> Result<(), Lost> {
        while let Some(first) = self.unsent.front() {
            match self.stream.write(&first[self.sent..]) {
                Ok(0) => return Err(Lost::Closed),
                Ok(count) => {
                    (self.sent, self.stuck) = (self.sent + count, None);
                    if self.sent == first.len() {
                        self.unsent.pop_front();
                        self.sent = 0;
                    }
                }
                Err(error) if is_pause(&error) => {
                    let stuck = *self.stuck.get_or_insert_with(Instant::now);
                    return if stuck.elapsed() < patience { Ok(()) } else { Err(Lost::Deaf) };
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// True if the other side has closed the connection and nothing of what it said is left. Messages are kept.
    pub fn is_over(&mut self) -> bool {
        let mut bytes = [0; 4096];
        // Whoever says more than this has to wait.
        while !self.ended && self.decoder.waiting() < bytes.len() {
            match self.stream.read(&mut bytes) {
                Ok(0) => self.ended = true,
                Ok(count) => self.decoder.push(&bytes[..count]),
                Err(error) if is_pause(&error) => break,
                Err(_) => return true,
            }
        }
        self.ended && self.decoder.waiting() == 0
    }

    /// True if a part of a message has come.
    pub fn has_begun(&self) -> bool {
        self.decoder.waiting() > 0
    }

    /// The same connection for whoever waits for its messages.
    pub fn into_connection(self) -> io::Result<Connection> {
        Connection::with(self.stream, self.decoder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::encode;
    use std::net::TcpListener;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn pair(longest: usize) -> (PendingConnection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let stream = TcpStream::connect(listener.local_addr().expect("bound")).expect("connected");
        let other = listener.accept().expect("somebody comes").0;
        (PendingConnection::new(stream, longest).expect("a connection"), other)
    }

    fn next(pending: &mut PendingConnection) -> Result<Vec<u8>, Lost> {
        loop {
            if let Some(message) = pending.look(PATIENCE)? {
                return Ok(message);
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn what_was_said_early_is_not_lost() {
        let (mut pending, mut other) = pair(100);
        assert!(matches!(pending.look(PATIENCE), Ok(None)));
        other.write_all(b"ready\x001 2\x003 ").expect("sent");
        assert_eq!(next(&mut pending).expect("there"), b"ready");
        assert!(pending.has_begun());
        let mut connection = pending.into_connection().expect("a connection");
        assert_eq!(connection.poll(PATIENCE).expect("there"), Some(b"1 2".to_vec()));
        other.write_all(b"4\x00").expect("sent");
        assert_eq!(connection.poll(PATIENCE).expect("there"), Some(b"3 4".to_vec()));
    }

    #[test]
    fn nobody_is_waited_for() {
        // More than fits into the buffers of both sides: sending takes no time all the same.
        let (mut pending, mut other) = pair(100);
        pending.queue(encode(&vec![b'1'; 64 << 20]).into());
        pending.queue(encode(b"end").into());
        assert!(matches!(pending.look(PATIENCE), Ok(None)));
        assert!(matches!(pending.look(Duration::ZERO), Err(Lost::Deaf)));
        let reading = std::thread::spawn(move || {
            let (mut heard, mut bytes) = (Vec::new(), vec![0; 1 << 16]);
            while !heard.ends_with(b"end\x00") {
                let count = other.read(&mut bytes).expect("there");
                heard.extend_from_slice(&bytes[..count]);
            }
            heard.len()
        });
        assert!(matches!(next(&mut pending), Err(Lost::Closed)));
        assert_eq!(reading.join().expect("read"), (64 << 20) + 5);
    }

    #[test]
    fn the_end_comes_after_the_last_message() {
        let (mut pending, mut other) = pair(4);
        other.write_all(b"1\x00").expect("sent");
        drop(other);
        assert_eq!(next(&mut pending).expect("there"), b"1");
        assert!(matches!(next(&mut pending), Err(Lost::Closed)));
        let (mut pending, mut other) = pair(4);
        other.write_all(b"12345").expect("sent");
        assert!(matches!(next(&mut pending), Err(Lost::TooLong(_))));
    }
}
