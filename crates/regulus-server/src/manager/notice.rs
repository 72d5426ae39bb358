//! What a manager tells whoever watches it.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use regulus_arena::board::{BoardRecord, Outcome};

use super::result_line::ResultLine;

/// Something has happened. Players are numbered from 1, as the seats of the first game are.
#[derive(Clone, Debug)]
pub enum Notice<'n> {
    /// Players can connect.
    Listening(SocketAddr),
    /// Somebody has connected, and nobody is told anything before others have.
    Came {
        /// From where.
        address: SocketAddr,
        /// How many others.
        missing: usize,
    },
    /// Somebody was told the rules and may become a player.
    Connected {
        /// The player.
        player: usize,
        /// From where.
        address: SocketAddr,
        /// The seat it was told.
        seat: usize,
    },
    /// How many connections have no seat, since they are not ready or there are too few seats.
    Waiting(usize),
    /// Somebody was ready for a seat that was taken, and is to come again for one that is free.
    SentAway(SocketAddr),
    /// A player is ready to play.
    Ready {
        /// The player.
        player: usize,
        /// After how much time.
        after: Duration,
        /// True if that was more than it was given.
        late: bool,
    },
    /// A player has said something else than `ready`.
    BadReady {
        /// The player.
        player: usize,
        /// What it said.
        message: String,
        /// True if it counts all the same.
        accepted: bool,
    },
    /// A player is gone.
    Gone {
        /// The player.
        player: usize,
        /// Why.
        why: String,
    },
    /// A move came late.
    Late {
        /// The player.
        player: usize,
        /// After how much time.
        after: Duration,
    },
    /// The manager itself has taken longer than a player may.
    ManagerLate(Duration),
    /// A legal move, in the wire encoding.
    Moved(&'n str),
    /// A game has ended.
    GameResult {
        /// Its number, from 1.
        number: u64,
        /// Its record.
        record: &'n BoardRecord,
        /// The same as the original logs it.
        line: &'n ResultLine,
    },
}

impl fmt::Display for Notice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Listening(address) => write!(f, "listening on {address}"),
            Notice::Came { address, missing } => {
                write!(f, "{address} has connected, {missing} more must come")
            }
            Notice::Connected { player, address, seat } => {
                write!(f, "player {player} has connected from {address} and is offered seat {seat}")
            }
            Notice::Waiting(count) => write!(f, "{count} connections wait for a seat"),
            Notice::SentAway(address) => {
                write!(f, "{address} was ready for a seat that is taken, and can come again")
            }
            Notice::Ready { player, after, late } => {
                let late = if *late { ", too late" } else { "" };
                write!(f, "player {player} is ready after {:.3} s{late}", after.as_secs_f64())
            }
            Notice::BadReady { player, message, accepted } => {
                let then = if *accepted { "which is taken for it" } else { "and is waited for" };
                write!(f, "player {player} has said `{message}` instead of `ready`, {then}")
            }
            Notice::Gone { player, why } => write!(f, "player {player} is gone: {why}"),
            Notice::Late { player, after } => {
                write!(f, "player {player} is late: {:.3} s for a move", after.as_secs_f64())
            }
            Notice::ManagerLate(time) => {
                write!(f, "the manager is late: {:.3} s for listing moves", time.as_secs_f64())
            }
            Notice::Moved(text) => write!(f, "move {text}"),
            Notice::GameResult { number, record, .. } => {
                let scores: Vec<String> = record.scores.iter().map(u32::to_string).collect();
                let moves = record.moves.len();
                write!(f, "game {number}: {} after {moves} moves", scores.join(" : "))?;
                match &record.outcome {
                    Outcome::Finished => Ok(()),
                    Outcome::Forfeit { seat, reason, message } => {
                        write!(f, ", lost by seat {seat}: {}, {message}", reason.word())
                    }
                    Outcome::Void { message } => write!(f, ", void: {message}"),
                }
            }
        }
    }
}
