//! From bytes of a terminal to keys.

use regulus_vgdl::Action;

/// A key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// An arrow.
    Arrow(Action),
    /// A character.
    Char(char),
    /// Ctrl-C or Ctrl-D.
    Interrupt,
}

/// Puts sequences together that arrive in pieces.
#[derive(Default)]
pub struct Decoder {
    pending: Vec<u8>,
}

const ESCAPE: u8 = 0x1b;

impl Decoder {
    /// The keys of further bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Key> {
        let mut keys = Vec::new();
        for &byte in bytes {
            self.pending.push(byte);
            match self.pending.as_slice() {
                [ESCAPE] | [ESCAPE, b'[' | b'O'] => {}
                [ESCAPE, b'[' | b'O', .., last] => {
                    let arrow = match last {
                        b'A' => Some(Action::Up),
                        b'B' => Some(Action::Down),
                        b'C' => Some(Action::Right),
                        b'D' => Some(Action::Left),
                        _ => None,
                    };
                    keys.extend(arrow.map(Key::Arrow));
                    // Numbers and semicolons are parameters: the sequence goes on.
                    if !matches!(last, b'0'..=b'?') {
                        self.pending.clear();
                    }
                }
                [.., last] => {
                    match last {
                        0x03 | 0x04 => keys.push(Key::Interrupt),
                        b' '..=b'~' => keys.push(Key::Char(char::from(*last))),
                        _ => {}
                    }
                    self.pending.clear();
                }
                [] => {}
            }
        }
        keys
    }
}

/// The action of a key: arrows, WASD, HJKL, and the space bar.
pub fn action(key: Key) -> Option<Action> {
    match key {
        Key::Arrow(action) => Some(action),
        Key::Char(' ') => Some(Action::Use),
        Key::Char('w' | 'k') => Some(Action::Up),
        Key::Char('a' | 'h') => Some(Action::Left),
        Key::Char('s' | 'j') => Some(Action::Down),
        Key::Char('d' | 'l') => Some(Action::Right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_may_come_in_pieces() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.feed(b"\x1b"), []);
        assert_eq!(
            decoder.feed(b"[A\x1bOCq"),
            [Key::Arrow(Action::Up), Key::Arrow(Action::Right), Key::Char('q')]
        );
        // Escape alone, a function key, an arrow with Ctrl, and letters that are no keys.
        assert_eq!(
            decoder.feed(b"\x1bp\x1b[15~\x1b[1;5D\xc3\xa4\x03"),
            [Key::Char('p'), Key::Arrow(Action::Left), Key::Interrupt]
        );
    }
}
