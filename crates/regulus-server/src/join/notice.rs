//! What a player tells whoever watches it.

use std::fmt;
use std::time::Duration;

use regulus_player::limit;
use serde::{Deserialize, Serialize};

/// Something has happened at the side of a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum JoinNotice {
    /// The system cannot confine the process that runs the rules as it should be.
    Incomplete(String),
    /// The rules are here.
    Joined {
        /// Names of all players.
        players: Vec<String>,
        /// The seat, from 1.
        seat: usize,
        /// The name of the agent that plays.
        agent: String,
    },
    /// The rules are interpreted, because of this.
    Interpreted(String),
    /// The agent is ready.
    Ready {
        /// After how much time.
        after: Duration,
        /// How much it was given.
        given: Option<Duration>,
    },
    /// The deadline of the manager is ignored, since the agent has a limit in simulations or states.
    DeadlineIgnored {
        /// How much time a move is given.
        given: Duration,
    },
    /// A turn of the agent, if that is asked for.
    Turn {
        /// Which move of the game it was, from 1.
        number: usize,
        /// Iterations of the search.
        iterations: u64,
        /// Nodal states that it has computed.
        nodal_states: u64,
        /// How long it took.
        took: Duration,
        /// All legal moves, the most visited first.
        moves: Vec<MoveStatistics>,
    },
    /// A move was sent after its deadline.
    Late {
        /// After how much time.
        after: Duration,
        /// How much it was given.
        given: Duration,
    },
    /// A game has ended.
    GameResult {
        /// Its number, from 1.
        number: u64,
        /// How many moves were made.
        moves: usize,
        /// The score of every seat.
        scores: Vec<u32>,
        /// The seat of the agent, if it has moved.
        seat: Option<usize>,
        /// False if the manager has ended it before the rules say so.
        over: bool,
    },
    /// The connection was lost, and will be made again.
    Reconnecting {
        /// Why it was lost.
        why: String,
    },
}

/// What a search knows about a legal move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveStatistics {
    /// The move as it is sent.
    pub steps: String,
    /// Iterations that began with it.
    pub visits: u32,
    /// Their mean score as a part of the highest; nothing without any.
    pub mean: Option<f64>,
    /// True for the move that was played.
    pub chosen: bool,
}

impl JoinNotice {
    /// The same with all texts changed.
    pub(super) fn map_text(self, change: &dyn Fn(&str) -> String) -> Self {
        match self {
            JoinNotice::Incomplete(what) => JoinNotice::Incomplete(change(&what)),
            JoinNotice::Joined { players, seat, agent } => JoinNotice::Joined {
                players: players.iter().map(|player| change(player)).collect(),
                seat,
                agent: change(&agent),
            },
            JoinNotice::Interpreted(why) => JoinNotice::Interpreted(change(&why)),
            JoinNotice::Reconnecting { why } => JoinNotice::Reconnecting { why: change(&why) },
            JoinNotice::Turn { number, iterations, nodal_states, took, moves } => {
                let moves = moves.into_iter().map(|row| {
                    let steps = change(&row.steps);
                    MoveStatistics { steps, ..row }
                });
                let moves = moves.collect();
                JoinNotice::Turn { number, iterations, nodal_states, took, moves }
            }
            other @ (JoinNotice::Ready { .. }
            | JoinNotice::DeadlineIgnored { .. }
            | JoinNotice::Late { .. }
            | JoinNotice::GameResult { .. }) => other,
        }
    }
}

/// A text without what could disturb a terminal: it comes from a process that is not trusted. Lines stay lines.
pub(super) fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

impl fmt::Display for JoinNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JoinNotice::Incomplete(what) => write!(f, "note: {what}"),
            JoinNotice::Joined { players, seat, agent } => {
                let name = seat.checked_sub(1).and_then(|seat| players.get(seat));
                let name = name.map_or("nobody", String::as_str);
                write!(f, "{agent} plays as {name}, seat {seat} of {}", players.len())
            }
            JoinNotice::Interpreted(why) => write!(f, "interpreted, because {why}"),
            JoinNotice::Ready { after, given } => {
                write!(f, "ready after {:.3} s", after.as_secs_f64())?;
                match given {
                    Some(given) if after > given => {
                        write!(f, ", too late: {} were given", limit::duration_text(*given))
                    }
                    _ => Ok(()),
                }
            }
            JoinNotice::DeadlineIgnored { given } => write!(
                f,
                "warning: the limit in simulations or states counts, not the {} that the manager gives: moves may be late",
                limit::duration_text(*given)
            ),
            JoinNotice::Turn { number, iterations, nodal_states, took, moves } => {
                write!(
                    f,
                    "move {number}: {iterations} simulations, {nodal_states} states in {:.3} s\n    visits   mean  move",
                    took.as_secs_f64()
                )?;
                moves.iter().try_for_each(|row| {
                    let mark = if row.chosen { '>' } else { ' ' };
                    let mean = row.mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
                    write!(f, "\n{mark}{:>9}  {mean:>5}  {}", row.visits, row.steps)
                })
            }
            JoinNotice::Late { after, given } => {
                let given = limit::duration_text(*given);
                write!(f, "late: {:.3} s for a move, {given} given", after.as_secs_f64())
            }
            JoinNotice::GameResult { number, moves, scores, seat, over } => {
                let scores: Vec<String> = scores.iter().map(u32::to_string).collect();
                write!(f, "game {number}: {} after {moves} moves", scores.join(" : "))?;
                if let Some(seat) = seat {
                    write!(f, ", seat {seat}")?;
                }
                if *over { Ok(()) } else { f.write_str(", ended by the manager") }
            }
            JoinNotice::Reconnecting { why } => write!(f, "{why}; joining again"),
        }
    }
}
