//! A recorded game that is looked at move by move.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use regulus_arena::board::{BoardRecord, Outcome};
use regulus_player::{LoadedGame, Position, wire};

use crate::board_view;
use crate::failure::Failure;
use crate::input_line::{input_line, no_input};

const HELP: &str = "\
What can be entered:
  next        the next move (so does an empty line)
  back        one move back
  goto N      the position after move N; 0 is the beginning
  end         the last position
  quit        leave (so does the end of the input)";

/// A record that is known to be right, and the position that is looked at.
pub struct Replay<'g> {
    record: &'g BoardRecord,
    /// Which game of how many.
    number: (usize, usize),
    position: Position,
    ply: usize,
    symbols: Vec<char>,
}

impl<'g> Replay<'g> {
    /// A game at its beginning.
    pub fn new(
        game: &Arc<LoadedGame>,
        record: &'g BoardRecord,
        number: (usize, usize),
    ) -> Result<Self, Failure> {
        let symbols = regulus_player::symbols(&game.rules().declarations);
        let position = Position::new(game)?;
        Ok(Replay { record, number, position, ply: 0, symbols })
    }

    /// Prints the whole game.
    pub fn print(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        self.head(out)?;
        self.show(out)?;
        while self.ply < self.record.moves.len() {
            self.forward(out)?;
        }
        Ok(())
    }

    /// Goes through the game as the input says.
    pub fn step(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        self.head(out)?;
        writeln!(out, "{HELP}")?;
        self.show(out)?;
        let last = self.record.moves.len();
        loop {
            write!(out, "{}/{last}> ", self.ply)?;
            out.flush()?;
            let Some(line) = input_line(input).map_err(no_input)? else {
                writeln!(out)?;
                return Ok(());
            };
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match (word, rest.trim()) {
                ("" | "n" | "next", "") if self.ply < last => self.forward(out)?,
                ("" | "n" | "next", "") => writeln!(out, "This is the end of the game.")?,
                ("b" | "back", "") => match self.ply.checked_sub(1) {
                    Some(ply) => self.go_to(ply, out)?,
                    None => writeln!(out, "This is the beginning of the game.")?,
                },
                ("end", "") => self.go_to(last, out)?,
                ("g" | "goto", number) => match number.parse::<usize>() {
                    Ok(ply) if ply <= last => self.go_to(ply, out)?,
                    _ => writeln!(out, "Go to which move, from 0 to {last}?")?,
                },
                ("q" | "quit" | "exit", "") => return Ok(()),
                _ => writeln!(out, "{HELP}")?,
            }
        }
    }

    fn seat_name(&self, seat: usize) -> String {
        let players = self.position.game().rules().declarations.players();
        let name = seat.checked_sub(1).and_then(|s| players.get(s)).map_or("?", String::as_str);
        let agent = seat.checked_sub(1).and_then(|s| self.record.seats.get(s));
        let agent = agent.and_then(|a| self.record.agents.get(*a));
        agent.map_or_else(|| name.to_owned(), |agent| format!("{name} ({})", agent.name))
    }

    fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let record = self.record;
        writeln!(
            out,
            "{}: game {} of {}, {} moves, {} per move, seed {}, unit {}",
            record.game.name,
            self.number.0,
            self.number.1,
            record.moves.len(),
            record.budget,
            record.seed,
            record.unit
        )?;
        for seat in 1..=record.seats.len() {
            writeln!(out, "{}", self.seat_name(seat))?;
        }
        let declarations = &self.position.game().rules().declarations;
        writeln!(out, "\n{}", board_view::legend(declarations, &self.symbols))
    }

    /// Plays the next move and shows what comes of it.
    fn forward(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let (seat, words) = (self.position.player(), self.advance()?);
        let record = self.record;
        write!(out, "\n{}. {} plays {words}", self.ply, self.seat_name(seat))?;
        match (self.ply - 1).checked_sub(record.opening) {
            None => writeln!(out, ", a random opening")?,
            Some(turn) => writeln!(
                out,
                ": {} iterations, {} states",
                record.turns.iterations[turn], record.turns.nodal_states[turn]
            )?,
        }
        self.show(out)
    }

    /// Plays the next move; gives it in words.
    fn advance(&mut self) -> Result<String, Failure> {
        let (number, text) = (self.ply + 1, &self.record.moves[self.ply]);
        let wrong = |why: String| Failure::Failed(format!("move {number} (`{text}`): {why}"));
        let steps = wire::parse(text).map_err(wrong)?;
        let index = self.position.legal().iter().position(|legal| legal == steps);
        let index = index.ok_or_else(|| wrong("it is illegal".to_owned()))?;
        let words = self.position.words()[index].join(" ");
        self.position.play(&steps)?;
        self.ply += 1;
        Ok(words)
    }

    fn go_to(&mut self, ply: usize, out: &mut impl Write) -> Result<(), Failure> {
        if ply < self.ply {
            self.position.back_to(ply)?;
            self.ply = ply;
        }
        while self.ply < ply {
            self.advance()?;
        }
        self.show(out)
    }

    /// The board, and at the end the result.
    fn show(&self, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "\n{}", board_view::draw_position(&self.position, &self.symbols))?;
        if self.ply < self.record.moves.len() {
            return Ok(());
        }
        match &self.record.outcome {
            Outcome::Finished => {
                writeln!(out, "The game is over: {}.", self.position.result())?;
            }
            Outcome::Forfeit { seat, reason, message } => {
                let who = self.seat_name(*seat);
                writeln!(out, "{who} has lost by {}: {message}.", reason.word())?;
            }
            Outcome::Void { message } => writeln!(out, "The game counts for nobody: {message}.")?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regulus_arena::board::{BoardContest, CompiledBoardContest};
    use regulus_arena::{Budget, Stop};
    use regulus_player::catalogue::Catalogue;
    use regulus_search::config::Limits;

    #[test]
    fn a_game_can_be_gone_through() {
        let game = Catalogue::default().game("tic-tac-toe").expect("a built-in game");
        let agent = regulus_agent::by_name("mcts_orthodox_orthodox").expect("an agent");
        let limits = Limits::simulations(20);
        let budget = Budget::Limits(limits.clone());
        let mut contest = BoardContest::new(game, vec![agent.clone(), agent], budget, limits, 1)
            .expect("two agents");
        contest.opening_plies = 1;
        let record = CompiledBoardContest::new(&contest).play(contest.number(0), Stop::default());
        let record = record.expect("not stopped");
        let walk = |script: &str| {
            let mut replay = Replay::new(&contest.game, &record, (1, 1)).expect("a position");
            let mut out = Vec::new();
            replay.step(&mut script.as_bytes(), &mut out).expect("all moves are legal");
            String::from_utf8(out).expect("text")
        };
        let all = walk(&"next\n".repeat(record.moves.len() + 1));
        assert!(all.contains("This is the end of the game."), "{all}");
        assert!(all.contains("1. crosses (mcts_orthodox_orthodox) plays"));
        assert!(all.contains(", a random opening") && all.contains(": 20 iterations, "));
        assert!(all.contains("The game is over: "));
        let positions: Vec<String> =
            all.split("   x0 1 2\n").skip(1).map(|p| p[..29].to_owned()).collect();
        assert_eq!(positions.len(), record.moves.len() + 1, "{all}");
        // Forth, back, far ahead and to the beginning again.
        let some = walk("\nn\nback\ngoto 4\ng 0\nb\ngoto 99\nend\nquit\nnext\n");
        let seen: Vec<String> =
            some.split("   x0 1 2\n").skip(1).map(|p| p[..29].to_owned()).collect();
        let last = record.moves.len();
        let expected: Vec<&String> =
            [0, 1, 2, 1, 4, 0, last].iter().map(|ply| &positions[*ply]).collect();
        assert_eq!(seen.iter().collect::<Vec<_>>(), expected, "{some}");
        assert!(some.contains("This is the beginning") && some.contains("Go to which move"));
        assert!(walk("").ends_with("> \n"), "the end of the input is the end");
    }
}
