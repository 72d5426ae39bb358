//! Players who have a seat, and the time until all seats have one.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use super::notice::Notice;
use super::{Manager, ManagerError, Watched};
use crate::protocol::{Connection, Lost};

/// How long the manager sleeps between looks at several things.
const LOOK: Duration = Duration::from_millis(5);

/// How long it sleeps when more want to be told something than there are seats.
const MOMENT: Duration = Duration::from_millis(1);

/// The place of a player, numbered as the seats of the first game are.
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
        let begin = Instant::now();
        loop {
            watched.check()?;
            self.find_gone(watched)?;
            let vacant = self.vacant();
            if vacant.is_empty() {
                return Ok(());
            }
            self.let_in(&vacant, watched)?;
            self.offer_seats(&vacant, seating, watched)?;
            self.hear_candidates(seating, watched)?;
            let (vacant, untold) = (self.vacant(), self.candidates.untold());
            let missing = self.candidates.missing(&vacant);
            if let Some(waited) = self.settings.connect_timeout
                && missing > 0
                && begin.elapsed() >= waited
            {
                return Err(ManagerError::Missing { count: missing, waited });
            }
            if !vacant.is_empty() {
                // Those who have just been told get a moment to answer before the next are told the same.
                thread::sleep(if untold > 0 { MOMENT } else { LOOK });
            }
        }
    }

    /// The places without a player.
    fn vacant(&self) -> Vec<usize> {
        let vacant = |player: &usize| self.slots[*player].connection.is_none();
        (0..self.slots.len()).filter(vacant).collect()
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

/// The seat of a player, from 1.
pub(super) fn seat_of(player: usize, seating: &[usize]) -> usize {
    seating.iter().position(|p| *p == player).map_or(0, |seat| seat + 1)
}
