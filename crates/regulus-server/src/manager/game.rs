//! One game with players on the network. Whatever they do, it ends and says how.

use std::sync::Arc;
use std::time::{Duration, Instant};

use regulus_arena::Reason;
use regulus_arena::board::{Outcome, Table, Turns, table};
use regulus_game::Step;
use regulus_player::{limit, wire};
use regulus_reasoner::RunError;

use super::notice::Notice;
use super::{Manager, ManagerError, Watched};
use crate::protocol::{Lost, message_text, seconds};

/// A game that has been played.
pub(super) struct GameResult {
    pub(super) moves: Vec<Vec<Step>>,
    pub(super) turns: Turns,
    pub(super) scores: Vec<u32>,
    pub(super) score_bounds: Vec<u32>,
    pub(super) outcome: Outcome,
    /// How many moves were legal, over all positions.
    pub(super) legal_moves: u64,
    /// How many moves of every seat came late.
    pub(super) late: Vec<u32>,
    pub(super) manager_late: bool,
}

/// Why a game ends before its rules say so.
enum Break {
    Forfeit(Reason, String),
    Void(String),
    /// The manager ends, too.
    End(ManagerError),
}

impl From<RunError> for Break {
    fn from(error: RunError) -> Self {
        Break::Void(format!("the rules cannot go on: {error}"))
    }
}

impl From<ManagerError> for Break {
    fn from(error: ManagerError) -> Self {
        Break::End(error)
    }
}

impl Manager {
    /// Plays a game with the player on every seat.
    pub(super) fn play(
        &mut self,
        seating: &[usize],
        watched: &mut Watched<'_>,
    ) -> Result<GameResult, ManagerError> {
        let rules = Arc::clone(&self.rules);
        let mut table = table(&rules).map_err(ManagerError::Rules)?;
        let mut played = GameResult {
            moves: Vec::new(),
            turns: Turns::default(),
            scores: Vec::new(),
            score_bounds: table.score_bounds(),
            outcome: Outcome::Finished,
            legal_moves: 0,
            late: vec![0; seating.len()],
            manager_late: false,
        };
        played.outcome = match self.go(table.as_mut(), seating, &mut played, watched) {
            Ok(()) => Outcome::Finished,
            Err(Break::Void(message)) => Outcome::Void { message },
            Err(Break::Forfeit(reason, message)) => {
                Outcome::Forfeit { seat: table.seat(), reason, message }
            }
            Err(Break::End(error)) => return Err(error),
        };
        played.scores = table.scores();
        Ok(played)
    }

    fn go(
        &mut self,
        table: &mut dyn Table,
        seating: &[usize],
        played: &mut GameResult,
        watched: &mut Watched<'_>,
    ) -> Result<(), Break> {
        loop {
            // The clock of a turn runs from here, as in the original: counting moves is a part of it.
            let clock = Instant::now();
            let count = table.count()?;
            played.legal_moves += count;
            if count == 0 {
                return Ok(());
            }
            if played.moves.len() >= self.settings.max_plies {
                return Err(Break::Void(format!("not over after {} moves", played.moves.len())));
            }
            let counted = clock.elapsed();
            if self.settings.deadline.is_some_and(|deadline| counted > deadline) {
                played.manager_late = true;
                watched.tell(&Notice::ManagerLate(counted))?;
            }
            let seat = table.seat();
            let player = seat.checked_sub(1).and_then(|seat| seating.get(seat).copied());
            let player = player.ok_or_else(|| Break::Void(format!("nobody has seat {seat}")))?;
            let (message, took) = self.turn(player, seat, clock, played, watched)?;
            self.judge_time(player, seat, took, played, watched)?;
            let steps = str::from_utf8(&message).map_err(|_| "no text".to_owned());
            let steps = steps.and_then(wire::parse).map_err(|why| {
                let why = message_text(why.as_bytes());
                let message = format!("`{}` is no move: {why}", message_text(&message));
                Break::Forfeit(Reason::Illegal, message)
            })?;
            let text = wire::text(&steps);
            if !table.is_legal(&steps)? {
                return Err(Break::Forfeit(Reason::Illegal, format!("`{text}` is illegal")));
            }
            for other in seating.iter().filter(|other| **other != player) {
                self.tell(*other, text.as_bytes(), watched)?;
            }
            table.play(&steps)?;
            played.moves.push(steps);
            watched.tell(&Notice::Moved(&text))?;
        }
    }

    /// Asks a player for a move; gives the answer, and how long it took.
    fn turn(
        &mut self,
        player: usize,
        seat: usize,
        clock: Instant,
        played: &mut GameResult,
        watched: &mut Watched<'_>,
    ) -> Result<(Vec<u8>, Duration), Break> {
        let deadline = self.settings.deadline;
        self.tell(player, seconds(deadline).as_bytes(), watched)?;
        let slot = &mut self.slots[player];
        let Some(connection) = &mut slot.connection else {
            let why = slot.gone.clone().unwrap_or_else(|| "the player is gone".to_owned());
            return Err(Break::Forfeit(Reason::Crashed, why));
        };
        let patience = deadline.unwrap_or_default().saturating_add(self.settings.move_timeout);
        let wait = patience.saturating_sub(clock.elapsed());
        let heard = connection.receive(wait, watched.interrupted);
        let took = clock.elapsed();
        // What players do to find their moves is their own affair.
        played.turns.seat.push(seat);
        played.turns.iterations.push(0);
        played.turns.nodal_states.push(0);
        played.turns.states.push(0);
        played.turns.seconds.push((took.as_secs_f64() * 1e6).round() / 1e6);
        let lost = match heard {
            Ok(message) => return Ok((message, took)),
            Err(Lost::Interrupted) => return Err(Break::End(ManagerError::Interrupted)),
            Err(lost) => lost,
        };
        let reason = match &lost {
            Lost::Silent(_) => Reason::Timeout,
            Lost::TooLong(_) => Reason::Illegal,
            _ => Reason::Crashed,
        };
        self.drop_player(player, &lost, watched)?;
        Err(Break::Forfeit(reason, lost.to_string()))
    }

    /// Notes a move that came late; the game is lost by it if the settings say so.
    fn judge_time(
        &self,
        player: usize,
        seat: usize,
        took: Duration,
        played: &mut GameResult,
        watched: &mut Watched<'_>,
    ) -> Result<(), Break> {
        let Some(deadline) = self.settings.deadline.filter(|deadline| took > *deadline) else {
            return Ok(());
        };
        played.late[seat - 1] += 1;
        watched.tell(&Notice::Late { player: player + 1, after: took })?;
        match self.settings.tolerance {
            Some(tolerance) if took > deadline + tolerance => {
                let given = limit::duration_text(deadline);
                let message = format!("{:.3} s for a move, {given} allowed", took.as_secs_f64());
                Err(Break::Forfeit(Reason::Timeout, message))
            }
            _ => Ok(()),
        }
    }
}
