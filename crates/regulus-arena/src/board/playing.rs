//! One board game, from the first move to the last. Whatever an agent does, the game ends and says how.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use regulus_game::Step;
use regulus_player::{Failure, limit, wire};
use regulus_reasoner::RunError;
use regulus_search::Searcher;
use regulus_search::config::Limits;

use super::record::{Outcome, Turns};
use super::referee::Table;
use crate::record::Reason;
use crate::stop::{Stop, panic_text};
use crate::timestamp::seconds;

/// Makes the search of a player.
type Start<'a> = Box<dyn FnOnce() -> Result<Box<dyn Searcher<RunError> + 'a>, Failure> + 'a>;

enum Search<'a> {
    Waiting(Start<'a>),
    Running(Box<dyn Searcher<RunError> + 'a>),
    /// It has failed, and the game is over.
    Gone,
}

/// An agent on a seat.
pub struct Player<'a> {
    search: Search<'a>,
    /// How many moves of the game it has been told.
    told: usize,
}

impl<'a> Player<'a> {
    /// A player whose search is made in his first turn.
    pub fn new(
        start: impl FnOnce() -> Result<Box<dyn Searcher<RunError> + 'a>, Failure> + 'a,
    ) -> Self {
        Player { search: Search::Waiting(Box::new(start)), told: 0 }
    }

    fn searcher(&mut self) -> Result<&mut (dyn Searcher<RunError> + 'a), Failure> {
        if let Search::Waiting(_) = self.search
            && let Search::Waiting(start) = std::mem::replace(&mut self.search, Search::Gone)
        {
            self.search = Search::Running(start()?);
        }
        match &mut self.search {
            Search::Running(searcher) => Ok(searcher.as_mut()),
            Search::Waiting(_) | Search::Gone => unreachable!("a game ends when a search fails"),
        }
    }
}

/// How games are played.
pub struct Conditions<'c> {
    /// What an agent may use for a move.
    pub limits: &'c Limits,
    /// How much longer than the time limit a move may take.
    pub tolerance: Duration,
    /// A game with more moves is given up.
    pub max_plies: usize,
}

/// What came of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameResult {
    /// All moves.
    pub moves: Vec<Vec<Step>>,
    /// The score of every seat.
    pub scores: Vec<u32>,
    /// How it ended.
    pub outcome: Outcome,
    /// The turns.
    pub turns: Turns,
}

/// Why a game ends before its rules say so.
enum Break {
    Forfeit(Reason, String),
    Void(String),
    Stopped,
}

impl From<RunError> for Break {
    fn from(error: RunError) -> Self {
        Break::Void(format!("the rules cannot go on: {error}"))
    }
}

/// Plays a game after an opening of legal moves; nothing if it was stopped.
pub fn play(
    table: &mut dyn Table,
    opening: Vec<Vec<Step>>,
    players: &mut [Player<'_>],
    conditions: &Conditions<'_>,
    stop: Stop<'_>,
) -> Option<GameResult> {
    let (mut moves, mut turns) = (opening, Turns::default());
    let mut scores = Vec::new();
    let going = AssertUnwindSafe(|| {
        let end = go(table, &mut moves, &mut turns, players, conditions, stop);
        scores = table.scores();
        end
    });
    let end = catch_unwind(going)
        .unwrap_or_else(|panic| Err(Break::Void(format!("the referee: {}", panic_text(&*panic)))));
    let outcome = match end {
        Ok(()) => Outcome::Finished,
        Err(Break::Void(message)) => Outcome::Void { message },
        Err(Break::Forfeit(reason, message)) => {
            Outcome::Forfeit { seat: table.seat(), reason, message }
        }
        Err(Break::Stopped) => return None,
    };
    Some(GameResult { moves, scores, outcome, turns })
}

fn go(
    table: &mut dyn Table,
    moves: &mut Vec<Vec<Step>>,
    turns: &mut Turns,
    players: &mut [Player<'_>],
    conditions: &Conditions<'_>,
    stop: Stop<'_>,
) -> Result<(), Break> {
    for steps in moves.iter() {
        table.play(steps)?;
    }
    while !table.is_over()? {
        if moves.len() >= conditions.max_plies {
            let message = format!("not over after {} moves", moves.len());
            return Err(Break::Void(message));
        }
        if stop.is_set() {
            return Err(Break::Stopped);
        }
        let seat = table.seat();
        let player = seat.checked_sub(1).and_then(|s| players.get_mut(s));
        let player = player.ok_or_else(|| Break::Void(format!("nobody has seat {seat}")))?;
        let chosen = turn(player, seat, moves, turns, conditions)?;
        if !table.is_legal(&chosen)? {
            let message = format!("`{}` is illegal", wire::text(&chosen));
            return Err(Break::Forfeit(Reason::Illegal, message));
        }
        table.play(&chosen)?;
        moves.push(chosen);
    }
    Ok(())
}

/// One turn of a player. His time begins when the one before him has moved: he takes in what was played
/// since his last turn, and searches for the rest of the time.
fn turn(
    player: &mut Player<'_>,
    seat: usize,
    moves: &[Vec<Step>],
    turns: &mut Turns,
    conditions: &Conditions<'_>,
) -> Result<Vec<Step>, Break> {
    let start = Instant::now();
    let think = AssertUnwindSafe(|| {
        let told = std::mem::replace(&mut player.told, moves.len());
        let searcher = player.searcher()?;
        for steps in &moves[told..] {
            searcher.advance(steps)?;
        }
        let mut limits = conditions.limits.clone();
        limits.time = limits.time.map(|time| time.saturating_sub(start.elapsed()));
        searcher.think(&limits)
    });
    let thought = catch_unwind(think)
        .map_err(|panic| Break::Forfeit(Reason::Crashed, panic_text(&*panic)))?
        .map_err(|failure| Break::Forfeit(Reason::Failed, failure.to_string()))?;
    let elapsed = start.elapsed();
    turns.seat.push(seat);
    turns.iterations.push(thought.totals.iterations);
    turns.nodal_states.push(thought.totals.nodal_states);
    turns.states.push(thought.totals.states);
    turns.seconds.push(seconds(elapsed));
    if let Some(time) = conditions.limits.time
        && elapsed > time + conditions.tolerance
    {
        let message = format!(
            "{:.3} s for a move, {} allowed",
            elapsed.as_secs_f64(),
            limit::duration_text(time)
        );
        return Err(Break::Forfeit(Reason::Timeout, message));
    }
    thought.chosen.ok_or_else(|| {
        Break::Forfeit(Reason::Illegal, "no move, though there are legal ones".to_owned())
    })
}
