//! What visitors can ask of a board game, and how it is done.

use serde::Deserialize;

use super::seat::{Seat, USUAL_LIMIT};
use super::{BoardGame, HintWanted, beginning, check_size};
use crate::refusal::Refusal;

/// A change that is asked for. Those with a revision fail if the session has changed since.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Choose something.
    Choose {
        /// The revision that is meant.
        revision: u64,
        /// The number of the choice.
        choice: usize,
    },
    /// Take back a choice of the unfinished move.
    Back {
        /// The revision that is meant.
        revision: u64,
    },
    /// Go back to the last position in which a human was to move.
    Undo {
        /// The revision that is meant.
        revision: u64,
    },
    /// Begin anew.
    Restart {
        /// The revision that is meant.
        revision: u64,
        /// New seats.
        seats: Option<Vec<Seat>>,
    },
    /// Change who plays.
    Seats {
        /// The revision that is meant.
        revision: u64,
        /// New seats.
        seats: Vec<Seat>,
    },
    /// Give up.
    Resign {
        /// The revision that is meant.
        revision: u64,
    },
    /// Stop agents, or let them go on.
    Pause {
        /// Whether they stop.
        paused: bool,
    },
    /// One move of an agent.
    Step {},
    /// A search for the human.
    Hint {
        /// How long to search.
        limit: Option<String>,
    },
    /// Look at an earlier position.
    Goto {
        /// After how many moves.
        ply: usize,
    },
    /// Change the pause between moves of agents.
    Speed {
        /// In milliseconds.
        ms: u64,
    },
}

/// The names of all commands, as they are in addresses.
pub const COMMANDS: [&str; 11] = [
    "choose", "back", "undo", "restart", "seats", "resign", "pause", "step", "hint", "goto",
    "speed",
];

impl Command {
    /// The revision that is meant.
    pub fn revision(&self) -> Option<u64> {
        match self {
            Command::Choose { revision, .. }
            | Command::Back { revision }
            | Command::Undo { revision }
            | Command::Restart { revision, .. }
            | Command::Seats { revision, .. }
            | Command::Resign { revision } => Some(*revision),
            _ => None,
        }
    }
}

/// The longest pause between moves of agents.
const MAX_SPEED_MS: u64 = 60_000;

impl BoardGame {
    /// Does what is asked for.
    pub fn perform(&mut self, command: Command) -> Result<(), Refusal> {
        if command.revision().is_some_and(|revision| revision != self.revision) {
            return Err(Refusal::stale(self.revision));
        }
        match command {
            Command::Choose { choice, .. } => self.choose(choice),
            Command::Back { .. } => self.back(),
            Command::Undo { .. } => self.undo(),
            Command::Restart { seats, .. } => self.restart(seats),
            Command::Seats { seats, .. } => self.sit(seats),
            Command::Resign { .. } => self.resign(),
            Command::Pause { paused } => {
                self.paused = paused;
                self.stepping = false;
                self.fault = None;
                Ok(())
            }
            Command::Step {} => self.step(),
            Command::Hint { limit } => self.ask_for_hint(limit.as_deref().unwrap_or(USUAL_LIMIT)),
            Command::Goto { ply } => self.look(ply),
            Command::Speed { ms } => {
                self.speed_ms = ms.min(MAX_SPEED_MS);
                Ok(())
            }
        }?;
        self.revision += 1;
        Ok(())
    }

    /// Says why a human cannot choose here.
    pub(super) fn check_human(&self) -> Result<(), Refusal> {
        let position = self.shown();
        if self.is_final(position) || (self.looked.is_none() && self.is_over()) {
            return Err(Refusal::impossible("the game is over"));
        }
        match self.seat_to_move(position) {
            Some(Seat::Human {}) => Ok(()),
            _ => Err(Refusal::impossible(format!(
                "{} is to move, and an agent plays there",
                position.player_name()
            ))),
        }
    }

    fn choose(&mut self, number: usize) -> Result<(), Refusal> {
        self.check_human()?;
        let position = self.shown();
        let choices = self.entry.choices(position);
        let Some(choice) = choices.get(number) else {
            return Err(Refusal::invalid(format!(
                "there is no choice {number}: there are {}, counted from 0",
                choices.len()
            )));
        };
        let mut entry = self.entry.clone();
        match entry.choose(position, choice) {
            None => {
                self.entry = entry;
                Ok(())
            }
            Some(steps) => {
                let mut next = position.clone();
                next.play(&steps).map_err(|error| Refusal::rules(error.to_string()))?;
                check_size(&next, &self.limits)?;
                self.head = next;
                self.resigned = None;
                self.turn_to(None);
                self.new_turn();
                Ok(())
            }
        }
    }

    fn back(&mut self) -> Result<(), Refusal> {
        if self.entry.back() {
            return Ok(());
        }
        Err(Refusal::impossible("nothing of a move was chosen yet"))
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        if self.looked.is_none() && self.resigned.take().is_some() {
            self.new_turn();
            return Ok(());
        }
        let is_human =
            |player: usize| player > 0 && self.seats.get(player - 1).is_some_and(Seat::is_human);
        let nobody = !self.seats.iter().any(Seat::is_human);
        let players: Vec<usize> = self.shown().past().map(|(player, _)| player).collect();
        let Some(ply) = players.iter().rposition(|player| nobody || is_human(*player)) else {
            return Err(Refusal::impossible("there is nothing to take back"));
        };
        let mut earlier = self.shown().clone();
        earlier.back_to(ply).map_err(|error| Refusal::rules(error.to_string()))?;
        self.paused |= nobody;
        self.head = earlier;
        self.resigned = None;
        self.turn_to(None);
        self.new_turn();
        Ok(())
    }

    fn restart(&mut self, seats: Option<Vec<Seat>>) -> Result<(), Refusal> {
        if let Some(seats) = &seats {
            Seat::check(seats, self.game.players(), &self.limits)?;
        }
        self.head = beginning(&self.game, &self.limits)?;
        self.seats = seats.unwrap_or_else(|| std::mem::take(&mut self.seats));
        self.resigned = None;
        self.turn_to(None);
        self.new_turn();
        Ok(())
    }

    fn sit(&mut self, seats: Vec<Seat>) -> Result<(), Refusal> {
        Seat::check(&seats, self.game.players(), &self.limits)?;
        self.seats = seats;
        self.entry.clear();
        self.forget_hint();
        self.new_turn();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::impossible("the game is over"));
        }
        let humans: Vec<usize> =
            (0..self.seats.len()).filter(|i| self.seats[*i].is_human()).collect();
        let to_move = self.head.player().wrapping_sub(1);
        let who = if humans.contains(&to_move) { Some(&to_move) } else { humans.first() };
        let Some(who) = who.copied() else {
            return Err(Refusal::impossible("agents do not resign, and nobody else plays"));
        };
        self.turn_to(None);
        self.new_turn();
        self.resigned = Some(who);
        Ok(())
    }

    fn step(&mut self) -> Result<(), Refusal> {
        let position = self.shown();
        let is_over = self.looked.is_none() && self.is_over();
        if self.is_final(position) || is_over {
            return Err(Refusal::impossible("the game is over"));
        }
        if self.seat_to_move(position).is_none_or(Seat::is_human) {
            return Err(Refusal::impossible("no agent is to move"));
        }
        if !self.paused && self.looked.is_none() {
            return Err(Refusal::impossible("agents move by themselves; pause them first"));
        }
        self.paused = true;
        self.fault = None;
        self.cut();
        self.forget_hint();
        self.stepping = true;
        Ok(())
    }

    fn ask_for_hint(&mut self, limit: &str) -> Result<(), Refusal> {
        let limits = self.limits.search(limit)?;
        if self.is_final(self.shown()) || (self.looked.is_none() && self.is_over()) {
            return Err(Refusal::impossible("the game is over"));
        }
        self.hint = None;
        self.fault = None;
        let ticket = self.ticket();
        self.hint_wanted = Some(HintWanted { ticket, limits });
        Ok(())
    }

    fn look(&mut self, ply: usize) -> Result<(), Refusal> {
        let plies = self.head.moves().len();
        if ply > plies {
            return Err(Refusal::invalid(format!("there are only {plies} moves")));
        }
        let looked = if ply == plies {
            None
        } else {
            let mut earlier = self.head.clone();
            earlier.back_to(ply).map_err(|error| Refusal::rules(error.to_string()))?;
            Some(earlier)
        };
        self.turn_to(looked);
        Ok(())
    }
}
