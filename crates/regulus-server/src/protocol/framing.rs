//! Messages in a stream of bytes: each ends with a NUL byte.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A message is longer than it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TooLong {
    /// At most this number of bytes is allowed.
    pub limit: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message of more than {} bytes", self.limit)
    }
}

impl std::error::Error for TooLong {}

/// A message as it is sent. It must not contain a NUL byte.
pub fn encode(message: &[u8]) -> Vec<u8> {
    debug_assert!(!message.contains(&0), "messages are ended by a NUL byte");
    [message, &[0]].concat()
}

/// Finds messages in bytes, however these are cut into pieces. Never keeps more than the pieces of one
/// message that is allowed, and what was pushed after it.
#[derive(Clone, Debug)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// Where the next message begins.
    start: usize,
    /// Up to here there is no NUL byte from `start` on.
    searched: usize,
    limit: usize,
}

impl Decoder {
    /// A decoder for messages of at most `limit` bytes, the NUL byte not counted.
    pub fn new(limit: usize) -> Self {
        Decoder { bytes: Vec::new(), start: 0, searched: 0, limit }
    }

    /// Takes in bytes that have arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        // What is read already goes when it is at least half, so that every byte is moved once on average.
        if self.start > 0 && self.start * 2 >= self.bytes.len() {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next message without its NUL byte; nothing if it is not complete. After an error there are no
    /// more messages, since nobody knows where the next one begins.
    pub fn message(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        let end = self.bytes[self.searched..].iter().position(|byte| *byte == 0);
        let end = end.map(|end| self.searched + end);
        let length = end.unwrap_or(self.bytes.len()) - self.start;
        if length > self.limit {
            return Err(TooLong { limit: self.limit });
        }
        match end {
            Some(end) => {
                let message = self.bytes[self.start..end].to_vec();
                (self.start, self.searched) = (end + 1, end + 1);
                Ok(Some(message))
            }
            None => {
                self.searched = self.bytes.len();
                Ok(None)
            }
        }
    }

    /// How many bytes have arrived that are no part of a message that was read.
    pub fn waiting(&self) -> usize {
        self.bytes.len() - self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(decoder: &mut Decoder) -> Vec<String> {
        let next =
            || decoder.message().expect("short").map(|m| String::from_utf8(m).expect("text"));
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn segments_do_not_matter() {
        let sent = b"21 9 30 10\x000.400000\x00\x00reset\x00";
        let expected = ["21 9 30 10", "0.400000", "", "reset"];
        let mut decoder = Decoder::new(20);
        decoder.push(sent);
        assert_eq!(all(&mut decoder), expected);
        let mut slow = Decoder::new(20);
        let mut found = Vec::new();
        for byte in sent {
            slow.push(&[*byte]);
            found.extend(all(&mut slow));
        }
        assert_eq!(found, expected);
        assert_eq!((decoder.waiting(), slow.waiting()), (0, 0));
    }

    #[test]
    fn long_messages_are_refused_with_or_without_an_end() {
        for sent in [&b"12345\x00"[..], b"12345"] {
            let mut decoder = Decoder::new(4);
            decoder.push(b"1234\x00");
            assert_eq!(decoder.message(), Ok(Some(b"1234".to_vec())));
            decoder.push(sent);
            assert_eq!(decoder.message(), Err(TooLong { limit: 4 }));
            decoder.push(b"\x00ready\x00");
            assert_eq!(decoder.message(), Err(TooLong { limit: 4 }));
        }
    }

    #[test]
    fn memory_does_not_grow_with_messages() {
        let mut decoder = Decoder::new(10);
        for _ in 0..10_000 {
            decoder.push(b"12 3\x0045");
            assert!(decoder.message().is_ok_and(|m| m.is_some()));
            decoder.push(b"\x00");
            assert!(decoder.message().is_ok_and(|m| m.is_some()));
        }
        assert!(decoder.bytes.capacity() < 1000);
    }
}
