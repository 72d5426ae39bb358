//! Players who come, prepare and go.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::notice::Notice;
use super::{Manager, ManagerError, Watched};
use crate::protocol::{Connection, Lost, MAX_PLAYER_MESSAGE, READY, message_text, seconds};

/// How long the manager sleeps between looks at several things.
const LOOK: Duration = Duration::from_millis(5);

/// The place of a player, numbered in the order of connections.
#[derive(Default)]
pub(super) struct Slot {
    /// The player, if there is one.
    pub(super) connection: Option<Connection>,
    /// Where the last one came from.
    pub(super) address: Option<SocketAddr>,
    /// Why the last one is gone.
    pub(super) gone: Option<String>,
    /// Whether it was ready too late.
    pub(super) late_ready: bool,
}

impl Manager {
    /// Waits until every place is taken by a player who is ready for the game with this seating.
    pub(super) fn fill(
        &mut self,
        seating: &[usize],
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        let (begin, mut wrong) = (Instant::now(), false);
        loop {
            watched.check()?;
            self.find_gone(watched)?;
            let vacant: Vec<usize> =
                (0..self.slots.len()).filter(|p| self.slots[*p].connection.is_none()).collect();
            if vacant.is_empty() {
                return Ok(());
            }
            if wrong {
                // Whoever comes and goes all the time must not keep us busy.
                thread::sleep(LOOK);
            }
            for (i, player) in vacant.iter().enumerate() {
                let missing = vacant.len() - i;
                let connection = self.accept(begin, missing, watched)?;
                let address = connection.address();
                let seat = seat_of(*player, seating);
                self.slots[*player] = Slot {
                    connection: Some(connection),
                    address: Some(address),
                    ..Slot::default()
                };
                watched.tell(&Notice::Connected { player: player + 1, address, seat })?;
            }
            for player in &vacant {
                let preparation = seconds(self.settings.preparation).into_bytes();
                let text = self.settings.text.clone().into_bytes();
                let seat = seat_of(*player, seating).to_string().into_bytes();
                for message in [preparation, text, seat] {
                    self.tell(*player, &message, watched)?;
                }
            }
            self.wait_for_ready(vacant, watched)?;
            wrong = true;
        }
    }

    /// Looks who is gone while nobody asked for anything.
    fn find_gone(&mut self, watched: &mut Watched<'_>) -> Result<(), ManagerError> {
        for player in 0..self.slots.len() {
            if self.slots[player].connection.as_ref().is_some_and(Connection::is_over) {
                self.drop_player(player, &Lost::Closed, watched)?;
            }
        }
        Ok(())
    }

    fn accept(
        &self,
        begin: Instant,
        missing: usize,
        watched: &Watched<'_>,
    ) -> Result<Connection, ManagerError> {
        loop {
            watched.check()?;
            match self.listener.accept().and_then(|(stream, _)| connection(stream)) {
                Ok(connection) => return Ok(connection),
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(ManagerError::Accept(error)),
            }
            if let Some(waited) = self.settings.connect_timeout.filter(|t| begin.elapsed() >= *t) {
                return Err(ManagerError::Missing { count: missing, waited });
            }
            thread::sleep(LOOK);
        }
    }

    /// Waits for `ready` from some players. Whoever does not say it in time is disconnected.
    fn wait_for_ready(
        &mut self,
        mut waiting: Vec<usize>,
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        let begin = Instant::now();
        let given = self.settings.preparation;
        let patience = given.unwrap_or_default().saturating_add(self.settings.ready_timeout);
        while !waiting.is_empty() {
            watched.check()?;
            let mut still = Vec::new();
            for player in waiting {
                let slot = &mut self.slots[player];
                let Some(connection) = &mut slot.connection else { continue };
                let heard = connection.poll(LOOK);
                let after = begin.elapsed();
                match heard {
                    Ok(Some(message)) => {
                        // As in the original: what is as long as `ready` is taken for it.
                        let accepted = message.len() == READY.len();
                        if message != READY.as_bytes() {
                            let message = message_text(&message);
                            let player = player + 1;
                            watched.tell(&Notice::BadReady { player, message, accepted })?;
                        }
                        if accepted {
                            let late = given.is_some_and(|given| after >= given);
                            slot.late_ready = late;
                            watched.tell(&Notice::Ready { player: player + 1, after, late })?;
                        } else {
                            still.push(player);
                        }
                    }
                    Ok(None) if after < patience => still.push(player),
                    Ok(None) => self.drop_player(player, &Lost::Silent(after), watched)?,
                    Err(lost) => self.drop_player(player, &lost, watched)?,
                }
            }
            waiting = still;
        }
        Ok(())
    }

    /// Sends a message to a player, who is gone if that is impossible.
    pub(super) fn tell(
        &mut self,
        player: usize,
        message: &[u8],
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        let Some(connection) = &mut self.slots[player].connection else { return Ok(()) };
        match connection.send(message) {
            Ok(()) => Ok(()),
            Err(lost) => self.drop_player(player, &lost, watched),
        }
    }

    /// Sends a message to everybody who is there.
    pub(super) fn tell_all(
        &mut self,
        message: &[u8],
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        (0..self.slots.len()).try_for_each(|player| self.tell(player, message, watched))
    }

    /// Closes the connection of a player.
    pub(super) fn drop_player(
        &mut self,
        player: usize,
        lost: &Lost,
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        let (slot, why) = (&mut self.slots[player], lost.to_string());
        slot.connection = None;
        slot.gone = Some(why.clone());
        watched.tell(&Notice::Gone { player: player + 1, why })
    }
}

fn connection(stream: TcpStream) -> io::Result<Connection> {
    Connection::new(stream, MAX_PLAYER_MESSAGE)
}

/// The seat of a player, from 1.
fn seat_of(player: usize, seating: &[usize]) -> usize {
    seating.iter().position(|p| *p == player).map_or(0, |seat| seat + 1)
}

/// True for what says that nobody has come, or that somebody is gone already.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{
        ConnectionAborted, ConnectionReset, Interrupted, InvalidInput, NotConnected, TimedOut,
        WouldBlock,
    };
    matches!(
        error.kind(),
        ConnectionAborted
            | ConnectionReset
            | Interrupted
            | InvalidInput
            | NotConnected
            | TimedOut
            | WouldBlock
    )
}
