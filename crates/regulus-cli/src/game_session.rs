//! A game between a human at a terminal and an agent.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use regulus_player::{Position, PreparedAgent, SavedGame, wire};
use regulus_reasoner::RunError;
use regulus_search::Searcher;
use regulus_search::config::Limits;

use crate::board_view;
use crate::ctrl_c::CtrlC;
use crate::failure::Failure;
use crate::input_line::{input_line, no_input};
use crate::live_line::{EVERY, LiveLine};

/// More moves than this are not listed without being asked for.
const SHORT_LIST: usize = 30;

/// Characters in a line of a list of moves.
const LINE: usize = 80;

const HELP: &str = "\
Enter a move by its number in the list of `moves`, or by the names of its vertices: all at once,
or one after the other. What can only mean one move is played. An empty line forgets the names
entered so far.
  moves       list the legal moves
  board       draw the board again
  hint        ask the agent what it would play
  undo        take back your last move and all after it
  resign      give up
  save FILE   write the game to a file
  load FILE   go on with a saved game
  quit        leave (so does the end of the input)";

/// Who plays what, and how.
pub struct Seats<'g> {
    /// The name of the game.
    pub game: &'g str,
    /// The name of the agent.
    pub agent: &'g str,
    /// The seat of the human, from 1; 0 if the agent plays alone.
    pub seat: usize,
    /// The seed of the agent.
    pub seed: u64,
    /// How long the agent thinks.
    pub limits: Limits,
    /// Whether the agent goes on thinking while the human does.
    pub ponders: bool,
    /// Whether lines are shown as they are read, since no terminal does it.
    pub echo: bool,
    /// What Ctrl-C means, if a person is there; the thinking of the agent is shown to them.
    pub ctrl_c: Option<CtrlC>,
}

/// What becomes of the session after a line.
enum Next {
    /// Another line.
    Ask,
    /// The position has changed.
    Show,
    /// The end.
    Leave,
}

/// A game that is being played.
pub struct Session<'g> {
    seats: Seats<'g>,
    prepared_agent: &'g PreparedAgent,
    searcher: Box<dyn Searcher<RunError> + 'g>,
    position: Position,
    /// The words of a move that were entered so far.
    entered: Vec<String>,
    symbols: Vec<char>,
    resigned: bool,
}

impl<'g> Session<'g> {
    /// A new game.
    pub fn new(
        seats: Seats<'g>,
        game: &regulus::Game,
        prepared_agent: &'g PreparedAgent,
    ) -> Result<Self, Failure> {
        let position = game.start()?;
        let searcher = prepared_agent.searcher(seats.seed, std::iter::empty())?;
        Ok(Session {
            seats,
            prepared_agent,
            searcher,
            position,
            entered: Vec::new(),
            symbols: regulus_player::symbols(&game.rules().declarations),
            resigned: false,
        })
    }

    /// Plays until the human leaves.
    pub fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        let declarations = &self.position.game().rules().declarations;
        let (game, agent) = (self.seats.game, self.seats.agent);
        match declarations.players().get(self.seats.seat.wrapping_sub(1)) {
            Some(you) if declarations.players().len() == 1 => {
                writeln!(out, "{game}: you are {you}; {agent} gives hints.")?;
            }
            Some(you) => writeln!(out, "{game}: you are {you}, against {agent}.")?,
            None => writeln!(out, "{game}: {agent} plays all seats.")?,
        }
        writeln!(out, "`help` tells what can be entered.\n")?;
        writeln!(out, "{}", board_view::legend(declarations, &self.symbols))?;
        loop {
            writeln!(out)?;
            self.draw(out)?;
            if !self.is_over() && self.position.player() != self.seats.seat {
                self.agent_plays(out)?;
                continue;
            }
            if self.position.legal().is_empty() {
                writeln!(out, "The game is over: {}.", self.position.result())?;
                if self.seats.seat == 0 {
                    return Ok(());
                }
            } else if !self.resigned {
                let (name, count) = (self.position.player_name(), self.position.words().len());
                writeln!(out, "{name} (you) to move, {count} legal {}", plural(count))?;
            }
            loop {
                match self.ask(input, out)? {
                    Next::Ask => {}
                    Next::Show => break,
                    Next::Leave => return Ok(()),
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        self.resigned || self.position.legal().is_empty()
    }

    fn draw(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", board_view::draw_position(&self.position, &self.symbols))
    }

    /// Plays the `index`-th legal move.
    fn play(&mut self, index: usize) -> Result<(), Failure> {
        let steps = self.position.legal().get(index).to_vec();
        self.searcher.advance(&steps)?;
        self.position.play(&steps)?;
        self.entered.clear();
        Ok(())
    }

    /// The number of the move that the agent would play.
    fn chosen(&mut self, out: &mut impl Write) -> Result<usize, Failure> {
        out.flush()?;
        let thought = match &self.seats.ctrl_c {
            None => self.searcher.think(&self.seats.limits)?,
            Some(ctrl_c) => {
                let (position, mut line) = (&self.position, LiveLine::new());
                let mut written = Ok(());
                ctrl_c.thinking();
                let thought = self.searcher.watch(&self.seats.limits, EVERY, &mut |snapshot| {
                    let best = snapshot.moves.first();
                    let best = best.and_then(|best| position.in_words(&best.steps));
                    written = line.show(out, self.seats.agent, best.as_deref(), &snapshot);
                    written.is_ok() && !ctrl_c.hurries()
                });
                ctrl_c.asking();
                written.and_then(|()| line.clear(out))?;
                thought?
            }
        };
        if let Some(trouble) = thought.trouble {
            writeln!(out, "The search has ended early: {trouble}.")?;
        }
        let chosen = thought.chosen.unwrap_or_default();
        let index = self.position.legal().iter().position(|legal| legal == chosen);
        index.ok_or_else(|| {
            Failure::Failed(format!(
                "the agent wants to play `{}`, which is illegal",
                wire::text(&chosen)
            ))
        })
    }

    fn agent_plays(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let index = self.chosen(out)?;
        writeln!(
            out,
            "{} plays {}",
            self.position.player_name(),
            self.position.words()[index].join(" ")
        )?;
        self.play(index)
    }

    /// Reads a line and does what it says.
    fn ask(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<Next, Failure> {
        write!(out, "{}> ", self.entered.join(" "))?;
        out.flush()?;
        let read = if self.seats.ponders && !self.is_over() {
            let (stop, searcher) = (AtomicBool::new(false), &mut self.searcher);
            let (read, searched) = std::thread::scope(|scope| {
                let pondering = scope.spawn(|| searcher.ponder(&stop));
                let read = input_line(input);
                stop.store(true, Ordering::Relaxed);
                (read, pondering.join())
            });
            searched.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            read
        } else {
            input_line(input)
        };
        let Some(line) = read.map_err(no_input)? else {
            writeln!(out)?;
            return Ok(Next::Leave);
        };
        if let Some(ctrl_c) = &self.seats.ctrl_c {
            ctrl_c.asking();
        }
        let line = line.trim();
        if self.seats.echo {
            writeln!(out, "{line}")?;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => self.entered.clear(),
            ("help" | "?", "") => writeln!(out, "{HELP}")?,
            ("quit" | "exit", "") => return Ok(Next::Leave),
            ("board", "") => self.draw(out)?,
            ("save", file) => self.save(file, out)?,
            ("load", file) => return self.load(file, out),
            ("undo", "") => return self.undo(out),
            _ if self.is_over() => {
                writeln!(
                    out,
                    "The game is over: `undo`, `save FILE`, `load FILE` and `quit` are left."
                )?;
            }
            ("moves", "") => self.list(&self.candidates(), out)?,
            ("hint", "") => self.hint(out)?,
            ("resign", "") => {
                writeln!(out, "{} resigns.", self.position.player_name())?;
                self.resigned = true;
            }
            _ => return self.enter(line, out),
        }
        Ok(Next::Ask)
    }

    /// The numbers of the moves that begin with what was entered.
    fn candidates(&self) -> Vec<usize> {
        self.position.candidates(&self.entered)
    }

    /// A number of a move, or words of one.
    fn enter(&mut self, line: &str, out: &mut impl Write) -> Result<Next, Failure> {
        if let Ok(number) = line.parse::<usize>() {
            if (1..=self.position.words().len()).contains(&number) {
                self.play(number - 1)?;
                return Ok(Next::Show);
            }
            let count = self.position.words().len();
            writeln!(out, "There is no move {number}: numbers are from 1 to {count}.")?;
            return Ok(Next::Ask);
        }
        for word in line.split_whitespace() {
            self.entered.push(word.to_owned());
            if self.candidates().is_empty() {
                self.entered.pop();
                let after = match self.entered.as_slice() {
                    [] => String::new(),
                    entered => format!(" after {}", entered.join(" ")),
                };
                writeln!(
                    out,
                    "No legal move has `{word}`{after}; `moves` lists them, `help` helps."
                )?;
                return Ok(Next::Ask);
            }
        }
        let left = self.candidates();
        if let [only] = left[..] {
            self.play(only)?;
            return Ok(Next::Show);
        }
        if left.len() <= SHORT_LIST {
            self.list(&left, out)?;
        } else {
            writeln!(out, "{} moves are left; `moves` lists them.", left.len())?;
        }
        Ok(Next::Ask)
    }

    /// Lists moves with their numbers, in columns.
    fn list(&self, indices: &[usize], out: &mut impl Write) -> io::Result<()> {
        let digits = self.position.words().len().to_string().len() + 1;
        let texts: Vec<String> = indices
            .iter()
            .map(|i| format!("{:>digits$} {}", i + 1, self.position.words()[*i].join(" ")))
            .collect();
        let width = texts.iter().map(String::len).max().unwrap_or(0) + 2;
        for row in texts.chunks((LINE / width).max(1)) {
            let row: String = row.iter().map(|text| format!("{text:width$}")).collect();
            writeln!(out, "{}", row.trim_end())?;
        }
        Ok(())
    }

    fn hint(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let index = self.chosen(out)?;
        let steps = self.position.legal().get(index);
        let known = self.searcher.moves().into_iter().find(|report| report.steps == steps);
        let mean = known.map_or(String::new(), |report| {
            format!(": {:.0} % of the points in {} tries", report.mean * 100.0, report.visits)
        });
        writeln!(
            out,
            "The agent would play {} {}{mean}.",
            index + 1,
            self.position.words()[index].join(" ")
        )?;
        Ok(())
    }

    fn undo(&mut self, out: &mut impl Write) -> Result<Next, Failure> {
        if self.resigned {
            self.resigned = false;
        } else if !self.position.take_back(self.seats.seat)? {
            writeln!(out, "There is nothing to take back.")?;
            return Ok(Next::Ask);
        }
        self.searcher = self.prepared_agent.searcher(self.seats.seed, self.position.moves())?;
        self.entered.clear();
        Ok(Next::Show)
    }

    /// Goes on with a saved game; the one that is played stays if it cannot be read.
    fn load(&mut self, file: &str, out: &mut impl Write) -> Result<Next, Failure> {
        if file.is_empty() {
            writeln!(out, "Load which file? Enter `load FILE`.")?;
            return Ok(Next::Ask);
        }
        let saved = match SavedGame::read(Path::new(file)) {
            Ok(saved) => saved,
            Err(error) => {
                writeln!(out, "Cannot read {file}: {error}.")?;
                return Ok(Next::Ask);
            }
        };
        if saved.game != self.seats.game {
            writeln!(out, "{file} is a game of {}, not {}.", saved.game, self.seats.game)?;
            return Ok(Next::Ask);
        }
        let mut position = Position::new(self.position.game())?;
        if let Err(fault) = position.replay(&saved.moves.join(",")) {
            writeln!(out, "Cannot play the moves of {file}: {fault}.")?;
            return Ok(Next::Ask);
        }
        self.searcher = self.prepared_agent.searcher(self.seats.seed, position.moves())?;
        self.position = position;
        self.resigned = saved.resigned;
        self.entered.clear();
        let count = saved.moves.len();
        writeln!(out, "Loaded {count} {} from {file}.", plural(count))?;
        Ok(Next::Show)
    }

    fn save(&self, file: &str, out: &mut impl Write) -> io::Result<()> {
        if file.is_empty() {
            return writeln!(out, "Save to which file? Enter `save FILE`.");
        }
        let saved = SavedGame {
            game: self.seats.game.to_owned(),
            seed: self.seats.seed,
            agent: self.seats.agent.to_owned(),
            seat: self.seats.seat,
            moves: self.position.moves().map(wire::text).collect(),
            scores: self.position.scores(),
            finished: self.position.legal().is_empty(),
            resigned: self.resigned,
        };
        let count = saved.moves.len();
        match saved.write(Path::new(file)) {
            Ok(()) => writeln!(out, "Saved {count} {} to {file}.", plural(count)),
            Err(error) => writeln!(out, "Cannot write {file}: {error}."),
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "move" } else { "moves" }
}
