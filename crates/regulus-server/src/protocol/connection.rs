//! A connection: messages over TCP, with an end by the clock for everything.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::framing::{Decoder, TooLong, encode};

/// How long the other side may take to read what it is sent.
const SEND_TIME: Duration = Duration::from_secs(10);

/// How often a wait looks whether it is to be given up.
const LOOK: Duration = Duration::from_millis(50);

/// Why there are no more messages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Lost {
    /// The other side has closed the connection.
    Closed,
    /// Nothing was said for this long.
    Silent(Duration),
    /// The other side does not read.
    Deaf,
    /// The other side says what it cannot mean, again and again.
    Garbled,
    /// The other side says too much at once.
    TooLong(TooLong),
    /// The network has failed.
    Broken(String),
    /// We were told to stop waiting.
    Interrupted,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Closed => f.write_str("the connection was closed"),
            Lost::Silent(time) => write!(f, "no message for {:.3} s", time.as_secs_f64()),
            Lost::Deaf => f.write_str("messages are not read"),
            Lost::Garbled => f.write_str("it says anything but what it is asked for"),
            Lost::TooLong(too_long) => too_long.fmt(f),
            Lost::Broken(error) => write!(f, "the connection is broken: {error}"),
            Lost::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        match error.kind() {
            // How closing looks like for whoever has still something to send.
            BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof => Lost::Closed,
            _ => Lost::Broken(error.to_string()),
        }
    }
}

/// A connection to a player or to a manager.
pub struct Connection {
    stream: TcpStream,
    decoder: Decoder,
    address: SocketAddr,
    /// The wait that reads of the stream are set to.
    read_wait: Option<Duration>,
}

impl Connection {
    /// A connection on a stream, for messages of at most `longest_message` bytes.
    pub fn new(stream: TcpStream, longest_message: usize) -> io::Result<Self> {
        Connection::with(stream, Decoder::new(longest_message))
    }

    /// A connection on a stream of which something was read already.
    pub(super) fn with(stream: TcpStream, decoder: Decoder) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        // Messages are short and waited for.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(LOOK))?;
        let address = stream.peer_addr()?;
        Ok(Connection { stream, decoder, address, read_wait: None })
    }

    /// The other side.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends a message, which must not contain a NUL byte.
    pub fn send(&mut self, message: &[u8]) -> Result<(), Lost> {
        send(&self.stream, message, SEND_TIME)
    }

    /// Something that sends on this connection from another thread. Two must not send at the same time.
    pub fn sender(&self) -> io::Result<Sender> {
        Ok(Sender(self.stream.try_clone()?))
    }

    /// The next message if it comes within a time, however slowly it is written.
    pub fn poll(&mut self, wait: Duration) -> Result<Option<Vec<u8>>, Lost> {
        let start = Instant::now();
        let mut bytes = [0; 4096];
        loop {
            if let Some(message) = self.decoder.message().map_err(Lost::TooLong)? {
                return Ok(Some(message));
            }
            let left = wait.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(None);
            }
            // Zero would mean for ever.
            let left = left.clamp(Duration::from_millis(1), LOOK);
            if self.read_wait != Some(left) {
                self.stream.set_read_timeout(Some(left))?;
                self.read_wait = Some(left);
            }
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Lost::Closed),
                Ok(count) => {
                    self.decoder.push(&bytes[..count]);
                    acknowledge(&self.stream);
                }
                Err(error) if is_pause(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The next message, waited for until it comes, the time is over or we are interrupted.
    pub fn receive(&mut self, wait: Duration, interrupted: &AtomicBool) -> Result<Vec<u8>, Lost> {
        let start = Instant::now();
        loop {
            let left = wait.saturating_sub(start.elapsed());
            if let Some(message) = self.poll(left.min(LOOK))? {
                return Ok(message);
            }
            if interrupted.load(Ordering::Relaxed) {
                return Err(Lost::Interrupted);
            }
            if left.is_zero() {
                return Err(Lost::Silent(wait));
            }
        }
    }

    /// True if the other side has closed the connection and nothing of what it said is left.
    pub fn is_over(&self) -> bool {
        self.decoder.waiting() == 0
            && self.glance().is_ok_and(|seen| match seen {
                Ok(count) => count == 0,
                Err(error) => !is_pause(&error),
            })
    }

    /// True if something has arrived that was not asked for yet, be it the end of the connection.
    pub fn has_more(&self) -> bool {
        self.decoder.waiting() > 0
            || self.glance().is_ok_and(|seen| !seen.is_err_and(|error| is_pause(&error)))
    }

    /// Looks for a byte without waiting. The outer error says that this cannot be done.
    fn glance(&self) -> io::Result<io::Result<usize>> {
        self.stream.set_nonblocking(true)?;
        let seen = self.stream.peek(&mut [0]);
        self.stream.set_nonblocking(false)?;
        Ok(seen)
    }
}

/// Sends on a connection that somebody else listens on.
pub struct Sender(TcpStream);

impl Sender {
    /// Sends a message, which must not contain a NUL byte.
    pub fn send(&self, message: &[u8]) -> Result<(), Lost> {
        send(&self.0, message, SEND_TIME)
    }

    /// Ends the connection for both sides.
    pub fn close(&self) {
        // It may be over already.
        let _ = self.0.shutdown(std::net::Shutdown::Both);
    }
}

fn send(mut stream: &TcpStream, message: &[u8], patience: Duration) -> Result<(), Lost> {
    let bytes = encode(message);
    let (mut rest, end) = (&bytes[..], Instant::now() + patience);
    while !rest.is_empty() {
        match stream.write(rest) {
            Ok(0) => return Err(Lost::Closed),
            Ok(written) => rest = &rest[written..],
            Err(error) if is_pause(&error) => {}
            Err(error) => return Err(error.into()),
        }
        if !rest.is_empty() && Instant::now() >= end {
            return Err(Lost::Deaf);
        }
    }
    Ok(())
}

/// Lets the system say at once that bytes have arrived. Whoever writes a message in several pieces and has left
/// his socket as it was waits for that before he sends the second one, up to 40 ms of his time for the
/// move. It does not last, so it is said again after every read.
pub(super) fn acknowledge(stream: &TcpStream) {
    // It is only faster with it.
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_quickack(stream, true);
    #[cfg(not(target_os = "linux"))]
    let _ = stream;
}

/// True for errors that only say that a wait was over.
pub(super) fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Both ends of a connection.
    fn pair() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let stream = TcpStream::connect(listener.local_addr().expect("bound")).expect("connected");
        let other = listener.accept().expect("somebody comes").0;
        (Connection::new(stream, 100).expect("a connection"), other)
    }

    #[test]
    fn whoever_does_not_read_is_deaf() {
        let (connection, _other) = pair();
        // More than fits into the buffers of both sides.
        let lost = send(&connection.stream, &vec![b'1'; 64 << 20], Duration::from_millis(100));
        assert!(matches!(lost, Err(Lost::Deaf)), "{lost:?}");
    }

    #[test]
    fn what_has_arrived_is_seen_without_waiting() {
        let (mut connection, mut other) = pair();
        assert!(!connection.has_more() && !connection.is_over());
        other.write_all(b"one\0two\0").expect("sent");
        let wait = Duration::from_secs(60);
        assert_eq!(connection.poll(wait).expect("there"), Some(b"one".to_vec()));
        assert!(connection.has_more() && !connection.is_over());
        assert_eq!(connection.poll(wait).expect("there"), Some(b"two".to_vec()));
        assert!(!connection.has_more());
        drop(other);
        assert!(matches!(connection.poll(wait), Err(Lost::Closed)));
        assert!(connection.has_more() && connection.is_over());
    }
}
