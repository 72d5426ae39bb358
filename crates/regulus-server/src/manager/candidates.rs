//! Connections that have no seat yet.
//!
//! In this protocol a player is told the rules and the number of its seat before it has said anything. Its first message is
//! `ready`, and may come minutes later, when it has compiled the rules: until then nobody can tell a player from
//! somebody who will never say anything. So nobody holds a seat. All who come are told the rules and a seat, several
//! of them the same one if there are more than seats, and a seat belongs to the first of those who says `ready`.
//!
//! Two players must not be told the same seat while another one is free. A seat is therefore offered to the next who
//! comes if it was not offered to anybody who is still there, or else if that was the longest time ago: two who come
//! one after the other are told different ones. Between others there can be a clash. Whoever is ready for a
//! seat that is taken, while another one is free, is disconnected: if he comes again, he is told that one.

use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::notice::Notice;
use super::seats::{Slot, seat_of};
use super::{Manager, ManagerError, Watched};
use crate::protocol::{
    Connection, Lost, MAX_PLAYER_MESSAGE, PendingConnection, READY, encode, message_text, seconds,
};

/// At most this number of connections waits. The one that has waited longest goes for the next, among those of the address that has
/// most.
const MOST_WAITING: usize = 768;

/// At most this number is let in and told something before the others are listened to, so that nobody is told a seat that somebody has
/// taken long ago. Those who come faster wait in the queue of the system.
const AT_ONCE: usize = 16;

/// How long the rest of a message that has begun may take, and how long what we say may not be read.
const MESSAGE_TIME: Duration = Duration::from_secs(10);

/// At most this number of messages that are not `ready` is ignored, as the original does without end.
const MOST_WRONG: usize = 10;

/// It is said how many wait when there is this number of them, and whenever they have become twice as many.
const MANY: usize = 16;

/// How often somebody is disconnected so that he comes again for another seat.
const SENDING_AWAY: Duration = Duration::from_secs(2);

/// A connection that has no seat yet.
struct Candidate {
    connection: PendingConnection,
    offer: Option<Offer>,
}

/// What a connection was told.
struct Offer {
    /// The player it would be.
    player: usize,
    /// How many offers were made before.
    number: u64,
    made: Instant,
    /// How long it was known to say nothing.
    silent: Duration,
    /// Since when a message is incomplete.
    begun: Option<Instant>,
    wrong: usize,
    /// Nobody else was offered the same, so that whoever watches was told.
    shown: bool,
    /// After how much time it has said `ready`, and whether that was too much.
    ready: Option<(Duration, bool)>,
}

/// Connections that have no seat yet, in the order in which they have come.
#[derive(Default)]
pub(super) struct Candidates {
    list: Vec<Candidate>,
    /// How many offers were made.
    offers: u64,
    /// The number of those who wait that was told last.
    told: usize,
    sent_away: Option<Instant>,
}

/// What comes from one place: a single machine can have any number of addresses of the newer kind.
fn network(address: SocketAddr) -> IpAddr {
    match address.ip().to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)).into(),
        ip => ip,
    }
}

impl Candidate {
    fn network(&self) -> IpAddr {
        network(self.connection.address())
    }

    fn is_ready(&self) -> bool {
        self.offer.as_ref().is_some_and(|offer| offer.ready.is_some())
    }

    /// True if it was offered to be this player, and has not answered.
    fn may_be(&self, player: usize) -> bool {
        !self.is_ready() && self.offer.as_ref().is_some_and(|offer| offer.player == player)
    }
}

impl Candidates {
    /// How many were not told anything yet.
    pub(super) fn untold(&self) -> usize {
        self.list.iter().filter(|candidate| candidate.offer.is_none()).count()
    }

    /// How many must come until somebody can be told something for every vacant place.
    pub(super) fn missing(&self, vacant: &[usize]) -> usize {
        let without = vacant.iter().filter(|player| !self.has_offer(**player)).count();
        without.saturating_sub(self.untold())
    }

    /// True if somebody was offered to be this player, and has not answered.
    fn has_offer(&self, player: usize) -> bool {
        self.list.iter().any(|candidate| candidate.may_be(player))
    }

    /// The player among some that the next one is to be.
    fn next_player(&self, vacant: &[usize]) -> Option<usize> {
        let last = |player: usize| {
            let offers = self.list.iter().filter(|candidate| candidate.may_be(player));
            offers.filter_map(|candidate| candidate.offer.as_ref()).map(|offer| offer.number).max()
        };
        vacant.iter().copied().min_by_key(|player| last(*player))
    }

    /// Takes out the one that has waited longest of those who are not ready, from a network if one is given.
    fn longest(&mut self, from: Option<IpAddr>) -> Option<Candidate> {
        let one = |candidate: &Candidate| {
            !candidate.is_ready() && from.is_none_or(|from| candidate.network() == from)
        };
        let index = self.list.iter().position(one)?;
        Some(self.list.remove(index))
    }

    /// The network that most of those come from who are not ready.
    fn most_common_network(&self) -> Option<IpAddr> {
        let mut networks: Vec<IpAddr> =
            self.list.iter().filter(|c| !c.is_ready()).map(Candidate::network).collect();
        networks.sort_unstable();
        let groups = networks.chunk_by(|a, b| a == b);
        groups.max_by_key(|group| group.len()).map(|group| group[0])
    }
}

impl Manager {
    /// Lets in who has connected, while some places are vacant.
    pub(super) fn let_in(
        &mut self,
        vacant: &[usize],
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        for _ in 0..AT_ONCE {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if is_passing(&error) => continue,
                // Most likely there are too many.
                Err(error) => match self.candidates.longest(None) {
                    Some(candidate) => {
                        self.let_go(&candidate, "there are too many connections", watched)?;
                        continue;
                    }
                    None => return Err(ManagerError::Accept(error)),
                },
            };
            // Whoever cannot be listened to is gone already.
            let Ok(connection) = PendingConnection::new(stream, MAX_PLAYER_MESSAGE) else {
                continue;
            };
            let address = connection.address();
            if !self.make_room(network(address), watched)? {
                continue;
            }
            self.candidates.list.push(Candidate { connection, offer: None });
            let missing = self.candidates.missing(vacant);
            if missing > 0 {
                watched.tell(&Notice::Came { address, missing })?;
            }
        }
        let waiting = self.candidates.list.len();
        if waiting >= MANY.max(2 * self.candidates.told) {
            self.candidates.told = waiting;
            watched.tell(&Notice::Waiting(waiting))?;
        }
        Ok(())
    }

    /// Makes room for somebody from a network; false if there is none.
    fn make_room(&mut self, from: IpAddr, watched: &mut Watched<'_>) -> Result<bool, ManagerError> {
        let seated = |slot: &&Slot| {
            slot.connection.as_ref().is_some_and(|connection| network(connection.address()) == from)
        };
        let seated = self.slots.iter().filter(seated).count();
        let waiting = self.candidates.list.iter().filter(|c| c.network() == from).count();
        let goes = if seated + waiting >= self.settings.max_per_address {
            self.candidates.longest(Some(from))
        } else if self.candidates.list.len() >= MOST_WAITING {
            let from = self.candidates.most_common_network();
            self.candidates.longest(from)
        } else {
            return Ok(true);
        };
        let Some(candidate) = goes else { return Ok(false) };
        self.let_go(&candidate, "there are too many connections from its address", watched)?;
        Ok(true)
    }

    /// Notes that a candidate goes; its connection is closed when it is dropped.
    fn let_go(
        &self,
        candidate: &Candidate,
        why: &str,
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        match &candidate.offer {
            Some(offer) if offer.shown && self.slots[offer.player].connection.is_none() => {
                watched.tell(&Notice::Gone { player: offer.player + 1, why: why.to_owned() })
            }
            // There can be any number of others.
            _ => Ok(()),
        }
    }

    /// Tells the next ones the rules and a seat, when enough have come for all vacant places.
    pub(super) fn offer_seats(
        &mut self,
        vacant: &[usize],
        seating: &[usize],
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        if self.candidates.missing(vacant) > 0 {
            return Ok(());
        }
        for _ in 0..AT_ONCE.max(vacant.len()) {
            let Some(player) = self.candidates.next_player(vacant) else { break };
            let shown = !self.candidates.has_offer(player);
            let untold = self.candidates.list.iter_mut().find(|c| c.offer.is_none());
            let Some(candidate) = untold else { break };
            let seat = seat_of(player, seating);
            for message in [&self.introduction[0], &self.introduction[1]] {
                candidate.connection.queue(Arc::clone(message));
            }
            candidate.connection.queue(encode(seat.to_string().as_bytes()).into());
            candidate.offer = Some(Offer {
                player,
                number: self.candidates.offers,
                made: Instant::now(),
                silent: Duration::ZERO,
                begun: None,
                wrong: 0,
                shown,
                ready: None,
            });
            self.candidates.offers += 1;
            if shown {
                let address = candidate.connection.address();
                watched.tell(&Notice::Connected { player: player + 1, address, seat })?;
            }
        }
        Ok(())
    }

    /// Hears who is ready, and seats whoever is the first to be.
    pub(super) fn hear_candidates(
        &mut self,
        seating: &[usize],
        watched: &mut Watched<'_>,
    ) -> Result<(), ManagerError> {
        let given = self.settings.preparation;
        let patience = given.unwrap_or_default().saturating_add(self.settings.ready_timeout);
        for mut candidate in std::mem::take(&mut self.candidates.list) {
            let lost = match &mut candidate.offer {
                None => None,
                Some(Offer { ready: Some(_), .. }) => {
                    candidate.connection.is_over().then_some(Lost::Closed)
                }
                Some(offer) => hear(&mut candidate.connection, offer, patience, given, watched)?,
            };
            if let Some(lost) = lost {
                self.let_go(&candidate, &lost.to_string(), watched)?;
            } else if let Some(candidate) = self.seat(candidate, seating, watched)? {
                self.candidates.list.push(candidate);
            }
        }
        self.send_away(watched)
    }

    /// Gives a candidate who is ready the seat that it was told. Gives it back if that is not possible.
    fn seat(
        &mut self,
        candidate: Candidate,
        seating: &[usize],
        watched: &mut Watched<'_>,
    ) -> Result<Option<Candidate>, ManagerError> {
        let Some(Offer { player, shown, ready: Some((after, late)), .. }) = candidate.offer else {
            return Ok(Some(candidate));
        };
        let is_vacant = |player: &usize| self.slots[*player].connection.is_none();
        // Where seats change after every game, players do not go by what they were told.
        let other = || (0..self.slots.len()).filter(|_| self.settings.swap).find(is_vacant);
        let Some(place) = Some(player).filter(is_vacant).or_else(other) else {
            return Ok(Some(candidate));
        };
        let address = candidate.connection.address();
        let connection: Connection = match candidate.connection.into_connection() {
            Ok(connection) => connection,
            // It is gone; so is what it was offered.
            Err(_) => return Ok(None),
        };
        self.slots[place] = Slot {
            connection: Some(connection),
            address: Some(address),
            gone: None,
            late_ready: late,
        };
        if !shown || place != player {
            let seat = seat_of(place, seating);
            watched.tell(&Notice::Connected { player: place + 1, address, seat })?;
        }
        watched.tell(&Notice::Ready { player: place + 1, after, late })?;
        Ok(None)
    }

    /// Disconnects somebody who is ready for a seat that is taken while another one is free.
    fn send_away(&mut self, watched: &mut Watched<'_>) -> Result<(), ManagerError> {
        let free = self.slots.iter().any(|slot| slot.connection.is_none());
        let lately = self.candidates.sent_away.is_some_and(|at| at.elapsed() < SENDING_AWAY);
        if !free || lately {
            return Ok(());
        }
        // Whoever is ready and has no seat is ready for one that is taken.
        let Some(index) = self.candidates.list.iter().position(Candidate::is_ready) else {
            return Ok(());
        };
        let candidate = self.candidates.list.remove(index);
        self.candidates.sent_away = Some(Instant::now());
        watched.tell(&Notice::SentAway(candidate.connection.address()))
    }

    /// What every player is told before its seat.
    pub(super) fn introduction(settings: &super::ManagerSettings) -> [Arc<[u8]>; 2] {
        let preparation = seconds(settings.preparation);
        [encode(preparation.as_bytes()).into(), encode(settings.text.as_bytes()).into()]
    }
}

/// Hears whether a candidate is ready. Gives why it has to go, if it has.
fn hear(
    connection: &mut PendingConnection,
    offer: &mut Offer,
    patience: Duration,
    given: Option<Duration>,
    watched: &mut Watched<'_>,
) -> Result<Option<Lost>, ManagerError> {
    loop {
        let heard = connection.look(MESSAGE_TIME);
        let after = offer.made.elapsed();
        let message = match heard {
            Ok(Some(message)) => message,
            Ok(None) => {
                offer.silent = after;
                let begun = connection.has_begun().then(Instant::now);
                offer.begun = begun.map(|now| offer.begun.unwrap_or(now));
                let slow = offer.begun.is_some_and(|begun| begun.elapsed() >= MESSAGE_TIME);
                return Ok((slow || after >= patience).then_some(Lost::Silent(after)));
            }
            Err(lost) => return Ok(Some(lost)),
        };
        offer.begun = None;
        // As in the original: what is as long as `ready` is taken for it.
        let accepted = message.len() == READY.len();
        if message != READY.as_bytes() && offer.shown {
            let message = message_text(&message);
            watched.tell(&Notice::BadReady { player: offer.player + 1, message, accepted })?;
        }
        if accepted {
            // Nobody may have listened for some time: late is who was known to be silent.
            let late = given.is_some_and(|given| offer.silent >= given);
            offer.ready = Some((after, late));
            return Ok(None);
        }
        offer.wrong += 1;
        if offer.wrong >= MOST_WRONG {
            return Ok(Some(Lost::Garbled));
        }
    }
}

/// True for what says that somebody who has come is gone already.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{
        ConnectionAborted, ConnectionReset, Interrupted, InvalidInput, NotConnected, TimedOut,
    };
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionReset | Interrupted | InvalidInput | NotConnected | TimedOut
    )
}
