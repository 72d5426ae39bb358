//! Board games: one that is played is a [`BoardGame`], the position, who sits where, and what can happen next.

mod catalogue;
mod check;
mod commands;
mod kind;
mod loading;
mod seat;
#[cfg(test)]
mod tests;
mod thinking;
mod view;

use std::sync::Arc;

use regulus_game::Step;
use regulus_player::{Entry, LoadedGame, Position, wire};
use regulus_scene::{Hints, Picture};
use regulus_search::config::Limits as SearchLimits;
use serde_json::Value;

use view::{Hint, vertices};

use crate::json::{json, read};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::session_game::{Change, Found, Job, SessionGame, Wanted};

pub use kind::{ABOUT, BoardGames};
pub use seat::Seat;

/// Between moves of agents that play alone there is at least this pause: somebody may want to stop them.
const SHORTEST_PAUSE_MS: u64 = 150;

/// All that a search needs.
pub struct BoardJob {
    /// Where to search.
    pub position: Position,
    /// Who searches.
    pub agent: String,
    /// How long.
    pub limits: SearchLimits,
    /// Where its randomness comes from.
    pub seed: u64,
}

/// A hint that is asked for.
struct HintWanted {
    ticket: u64,
    limits: SearchLimits,
}

/// A board game that is played.
pub struct BoardGame {
    id: String,
    game: Arc<LoadedGame>,
    is_uploaded: bool,
    /// How it is drawn.
    picture: Picture,
    limits: Arc<Limits>,
    seats: Vec<Seat>,
    seed: u64,
    /// The game as it was played.
    head: Position,
    /// An earlier position, if one is looked at.
    looked: Option<Position>,
    /// The unfinished move in the position that is shown.
    entry: Entry,
    revision: u64,
    /// Tells searches apart.
    tickets: u64,
    /// Of the search for the next move.
    turn: u64,
    paused: bool,
    /// One move of an agent is to be made although they are stopped.
    stepping: bool,
    resigned: Option<usize>,
    hint: Option<Hint>,
    hint_wanted: Option<HintWanted>,
    /// Why an agent cannot go on.
    fault: Option<String>,
    speed_ms: u64,
}

/// How a game begins.
#[derive(Clone, Default, Debug)]
pub struct Opening {
    /// Who plays; by default a human against agents.
    pub seats: Option<Vec<Seat>>,
    /// Where all randomness comes from.
    pub seed: u64,
    /// Moves that were played already, in the wire encoding.
    pub moves: Vec<String>,
    /// True if somebody has brought the rules.
    pub is_uploaded: bool,
}

impl BoardGame {
    /// Sets up a game.
    pub fn new(
        id: String,
        game: Arc<LoadedGame>,
        limits: Arc<Limits>,
        opening: Opening,
    ) -> Result<Self, Refusal> {
        let seats = opening.seats.unwrap_or_else(|| Seat::usual(game.players().len()));
        Seat::check(&seats, game.players(), &limits)?;
        if opening.moves.len() > limits.plies {
            return Err(Refusal::invalid(format!(
                "{} moves are too many: a game has at most {} here",
                opening.moves.len(),
                limits.plies
            )));
        }
        let mut head = beginning(&game, &limits)?;
        let loaded = !opening.moves.is_empty();
        for (i, text) in opening.moves.iter().enumerate() {
            head.replay(text)
                .map_err(|fault| Refusal::invalid(format!("move {}: {fault}", i + 1)))?;
            check_size(&head, &limits)?;
        }
        // Whoever loads a game between agents wants to see it, not to have it played on.
        let paused = loaded && !seats.iter().any(Seat::is_human);
        Ok(BoardGame {
            id,
            is_uploaded: opening.is_uploaded,
            picture: Picture::new(game.rules(), &Hints::read(game.source().text())),
            game,
            limits,
            seats,
            seed: opening.seed,
            head,
            looked: None,
            entry: Entry::default(),
            revision: 1,
            tickets: 1,
            turn: 1,
            paused,
            stepping: false,
            resigned: None,
            hint: None,
            hint_wanted: None,
            fault: None,
            speed_ms: 0,
        })
    }

    /// The position that is shown.
    fn shown(&self) -> &Position {
        self.looked.as_ref().unwrap_or(&self.head)
    }

    fn seat_to_move(&self, position: &Position) -> Option<&Seat> {
        self.seats.get(position.player().checked_sub(1)?)
    }

    /// True if nothing can be played in a position, by the rules or because it is enough.
    fn is_final(&self, position: &Position) -> bool {
        position.legal().is_empty() || position.moves().len() >= self.limits.plies
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.is_final(&self.head)
    }

    /// True if an agent is to move in the position that was played last.
    fn is_agents_turn(&self) -> bool {
        !self.is_over() && self.seat_to_move(&self.head).is_some_and(|seat| !seat.is_human())
    }

    /// The search that the game waits for.
    pub fn wanted(&self) -> Option<Wanted> {
        let time_ms = |limits: &SearchLimits| {
            limits.time.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
        };
        if let Some(HintWanted { ticket, limits }) = &self.hint_wanted {
            let time_ms = time_ms(limits);
            return Some(Wanted { ticket: *ticket, delay_ms: 0, time_ms, live: false });
        }
        let goes_on = !self.paused || self.stepping;
        if !goes_on || self.fault.is_some() || !self.is_agents_turn() {
            return None;
        }
        let (_, limits) = self.agent_to_move()?;
        let watched = !self.seats.iter().any(Seat::is_human) && !self.stepping;
        let delayed = watched && self.head.moves().len() > 0;
        let delay_ms = if delayed { self.speed_ms.max(SHORTEST_PAUSE_MS) } else { 0 };
        Some(Wanted { ticket: self.turn, delay_ms, time_ms: time_ms(&limits), live: false })
    }

    /// The agent that is to move in the last position, and how long it thinks.
    fn agent_to_move(&self) -> Option<(&str, SearchLimits)> {
        match self.seat_to_move(&self.head)? {
            Seat::Agent { agent, limit } => Some((agent, self.limits.search(limit).ok()?)),
            Seat::Human {} => None,
        }
    }

    /// What the search of a ticket needs; nothing if it is not wanted any more.
    pub fn job(&self, ticket: u64) -> Option<BoardJob> {
        if self.wanted()?.ticket != ticket {
            return None;
        }
        let (position, (agent, limits)) = match &self.hint_wanted {
            Some(hint) => (self.shown(), (self.adviser(), hint.limits.clone())),
            None => (&self.head, self.agent_to_move()?),
        };
        let seed = self.seed.wrapping_add((position.moves().len() as u64) << 32);
        let (position, agent) = (position.clone(), agent.to_owned());
        Some(BoardJob { position, agent, limits, seed })
    }

    /// Who gives hints: the first agent that plays, or the usual one.
    fn adviser(&self) -> &str {
        let agents = self.seats.iter().filter_map(|seat| match seat {
            Seat::Agent { agent, .. } => Some(agent.as_str()),
            Seat::Human {} => None,
        });
        agents.into_iter().next().unwrap_or(regulus_player::AUTO)
    }

    /// Takes what a search has found, unless it is not wanted any more. True if something has changed.
    pub fn finish(&mut self, ticket: u64, found: Result<Found, String>) -> bool {
        if self.wanted().is_none_or(|wanted| wanted.ticket != ticket) {
            return false;
        }
        self.revision += 1;
        let hinted = self.hint_wanted.take().is_some();
        self.stepping = false;
        let result = found.and_then(|found| {
            let position = if hinted { self.shown() } else { &self.head };
            let steps = wire::parse(&found.text)?;
            let index = position.legal().iter().position(|legal| legal == steps);
            let Some(index) = index else {
                return Err(format!("it wants to play `{}`, which is illegal", found.text));
            };
            if hinted {
                let text = position.words()[index].join(" ");
                let vertices = vertices(&steps);
                self.hint = Some(Hint { text, vertices, share: found.share });
                Ok(())
            } else {
                self.play(&steps).map_err(|refusal| refusal.message)
            }
        });
        if let Err(why) = result {
            self.fault = Some(why);
            self.paused = true;
        }
        true
    }

    /// Plays a legal move in the last position.
    fn play(&mut self, steps: &[Step]) -> Result<(), Refusal> {
        let mut next = self.head.clone();
        next.play(steps).map_err(|error| Refusal::rules(error.to_string()))?;
        check_size(&next, &self.limits)?;
        let shown = self.looked.is_some();
        self.head = next;
        if !shown {
            self.entry.clear();
            self.forget_hint();
        }
        self.new_turn();
        Ok(())
    }

    fn forget_hint(&mut self) {
        self.hint = None;
        self.hint_wanted = None;
    }

    fn ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    fn new_turn(&mut self) {
        self.turn = self.ticket();
        self.stepping = false;
        self.fault = None;
    }

    /// Another position is shown.
    fn turn_to(&mut self, looked: Option<Position>) {
        self.looked = looked;
        self.entry.clear();
        self.forget_hint();
    }

    /// What is shown becomes the last position.
    fn cut(&mut self) {
        if let Some(looked) = self.looked.take() {
            self.head = looked;
            self.resigned = None;
            self.new_turn();
        }
    }
}

impl SessionGame for BoardGame {
    fn perform(&mut self, command: &Value) -> Result<Change, Refusal> {
        BoardGame::perform(self, read(command)?).map(|()| Change::default())
    }

    fn view(&self, scene: bool) -> Arc<str> {
        json(&BoardGame::view(self, scene))
    }

    fn record(&self) -> Arc<str> {
        json(&BoardGame::record(self))
    }

    fn film(&mut self, _from: usize, _count: usize) -> Result<Arc<str>, Refusal> {
        Err(Refusal::not_found("board games have no frames"))
    }

    fn wanted(&self) -> Option<Wanted> {
        BoardGame::wanted(self)
    }

    fn job(&self, ticket: u64) -> Option<Box<dyn Job>> {
        Some(Box::new(BoardGame::job(self, ticket)?))
    }

    fn finish(&mut self, ticket: u64, found: Result<Found, String>) -> Option<Change> {
        BoardGame::finish(self, ticket, found).then(Change::default)
    }
}

/// The first position of a game.
fn beginning(game: &Arc<LoadedGame>, limits: &Limits) -> Result<Position, Refusal> {
    let position = Position::new(game).map_err(|error| Refusal::rules(error.to_string()))?;
    check_size(&position, limits)?;
    Ok(position)
}

/// Refuses positions with too many moves to show them.
fn check_size(position: &Position, limits: &Limits) -> Result<(), Refusal> {
    let count = position.legal().len();
    if count <= limits.legal_moves {
        return Ok(());
    }
    Err(Refusal::rules(format!(
        "a position has {count} legal moves; at most {} can be played here",
        limits.legal_moves
    )))
}
