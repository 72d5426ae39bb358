//! The connection to the manager as a player has it: somebody else holds it.

use std::cell::RefCell;
use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::Duration;

use super::words::{Frames, Heard, Setup, Speaker, Word, read_heard};
use crate::protocol::{Lost, MAX_MANAGER_MESSAGE};

/// Messages from and for the manager.
pub(super) struct Link {
    heard: Receiver<Heard>,
    /// What was looked at before it was asked for.
    next: RefCell<Option<Heard>>,
    speaker: Speaker,
}

impl Link {
    /// Reads the setup, and messages from then on on a thread of its own. `ended` is called there when nothing more can
    /// be read.
    pub(super) fn new(
        input: impl Read + Send + 'static,
        speaker: Speaker,
        ended: impl FnOnce() + Send + 'static,
    ) -> io::Result<(Self, Setup)> {
        let mut frames = Frames::new(input, MAX_MANAGER_MESSAGE + 1);
        let first = frames.next()?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let setup = serde_json::from_slice(&first)?;
        let (sender, heard) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            while let Ok(Some(frame)) = frames.next() {
                let Ok(heard) = read_heard(&frame) else { break };
                if sender.send(heard).is_err() {
                    break;
                }
            }
            ended();
        })?;
        Ok((Link { heard, next: RefCell::default(), speaker }, setup))
    }

    /// Whoever else has to say something.
    pub(super) fn speaker(&self) -> &Speaker {
        &self.speaker
    }

    /// Sends a message to the manager.
    pub(super) fn send(&self, message: &str) -> Result<(), Lost> {
        self.speaker.say(&Word::Say(message.to_owned()))
    }

    /// True if something has come that was not asked for yet.
    pub(super) fn has_more(&self) -> bool {
        let mut next = self.next.borrow_mut();
        if next.is_none() {
            *next = match self.heard.try_recv() {
                Ok(heard) => Some(heard),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => Some(Heard::Lost(Lost::Closed)),
            };
        }
        next.is_some()
    }

    /// The next message, waited for until it comes or the time is over.
    pub(super) fn receive(&self, wait: Duration) -> Result<Vec<u8>, Lost> {
        let next = self.next.borrow_mut().take();
        let heard = match next {
            Some(heard) => heard,
            None => self.heard.recv_timeout(wait).map_err(|error| match error {
                RecvTimeoutError::Timeout => Lost::Silent(wait),
                RecvTimeoutError::Disconnected => Lost::Closed,
            })?,
        };
        match heard {
            Heard::Message(message) => Ok(message),
            Heard::Lost(lost) => Err(lost),
        }
    }
}
