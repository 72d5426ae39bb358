//! `regulus manager`: games with players who join over the network.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use regulus_arena::RecordFile;
use regulus_server::manager::{AfterFault, ManagerSettings, Notice, Standing};
use regulus_server::{Manager, ManagerError};

use crate::failure::Failure;
use crate::game_argument::read_board;
use crate::shutdown::shutdown_flag;
use crate::time_argument::{milliseconds, time};

/// Let players join over the network and play games with them
///
/// Speaks the protocol of the RBG game manager: players that were written for it can join, and so can `regulus
/// join`. Seats are given in the order of connections, to whoever is ready. An illegal move or a lost connection loses the game; the
/// next game begins all the same. See docs/manager.md.
#[derive(Args)]
pub struct ManageGames {
    /// A built-in game or a .rbg file
    game: String,
    /// The port players connect to; 0 is any free one
    #[arg(long)]
    port: u16,
    /// The address players connect to: 0.0.0.0 lets other machines connect, who need no password
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: String,
    /// The time for a move in milliseconds [default: no limit]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    deadline: Option<Duration>,
    /// The time for preparing in milliseconds [default: as for a move]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    prepare: Option<Duration>,
    /// End after N games [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Begin no game after MS milliseconds of playing
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    shutdown: Option<Duration>,
    /// Write a line for every game: seconds, moves, legal moves of all positions, scores, late moves; stdout
    /// is the standard output
    #[arg(long, value_name = "FILE")]
    log_results: Option<PathBuf>,
    /// Write every move on a line, and `reset` after every game; stdout is the standard output
    #[arg(long, value_name = "FILE")]
    log_moves: Option<PathBuf>,
    /// Append every game to this file, one line of JSON each, as `regulus match` does
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Names of the players in records, in the order of seats in the first game
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    names: Vec<String>,
    /// Players change seats after every game; they must go by what they are asked for, not by their number
    #[arg(long)]
    swap: bool,
    /// Late moves lose the game
    #[arg(long, requires = "deadline")]
    forfeit: bool,
    /// How much longer than the deadline a move may take with --forfeit
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = time)]
    tolerance: Duration,
    /// End if a player has not come after this time [default: wait]
    #[arg(long, value_name = "TIME", value_parser = time)]
    connect_timeout: Option<Duration>,
    /// Disconnect players who are not ready this long after the preparation time
    #[arg(long, value_name = "TIME", default_value = "600s", value_parser = time)]
    ready_timeout: Duration,
    /// Disconnect players who have not moved this long after the deadline: they have lost
    #[arg(long, value_name = "TIME", default_value = "600s", value_parser = time)]
    move_timeout: Duration,
    /// Connections from one address, players included; the one that has waited longest goes for the next
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..))]
    max_per_address: u64,
    /// What happens after a game that a fault has ended
    #[arg(long, value_enum, default_value_t = Then::Reset)]
    after_fault: Then,
    /// End after N games in a row that were ended by faults
    #[arg(long, value_name = "N", default_value_t = 100)]
    max_faults: u64,
    /// Give games up after N moves; they count for nobody
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_plies: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum Then {
    /// Tell all players `reset`, replace those who are gone, play the next game
    Reset,
    /// Close all connections, wait for players as in the beginning
    Reconnect,
    /// End
    End,
}

/// A log as the original writes it.
struct Log(Option<(PathBuf, Box<dyn Write>)>);

impl Log {
    fn open(path: Option<&PathBuf>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Log(None)) };
        if path.as_os_str() == "stdout" {
            return Ok(Log(Some((path.clone(), Box::new(io::stdout())))));
        }
        let file = File::create(path).map_err(|error| {
            Failure::Failed(format!("cannot write {}: {error}", path.display()))
        })?;
        Ok(Log(Some((path.clone(), Box::new(file)))))
    }

    fn line(&mut self, text: &str) -> Result<(), String> {
        let Some((path, out)) = &mut self.0 else { return Ok(()) };
        let written = out.write_all(format!("{text}\n").as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

impl ManageGames {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let game = read_board(&self.game, "manager")?;
        let is_built_in = regulus_games::find(&self.game).is_some();
        let game = if is_built_in { game } else { game.from_file(&self.game) };
        let text = game.source().text().to_owned();
        let settings = ManagerSettings {
            deadline: self.deadline,
            preparation: self.prepare.or(self.deadline),
            games: self.games,
            shutdown: self.shutdown,
            connect_timeout: self.connect_timeout,
            ready_timeout: self.ready_timeout,
            move_timeout: self.move_timeout,
            tolerance: self.forfeit.then_some(self.tolerance),
            max_plies: self.max_plies,
            swap: self.swap,
            after_fault: match self.after_fault {
                Then::Reset => AfterFault::Reset,
                Then::Reconnect => AfterFault::Reconnect,
                Then::End => AfterFault::End,
            },
            max_per_address: usize::try_from(self.max_per_address).unwrap_or(usize::MAX),
            max_faults: self.max_faults,
            names: self.names.clone(),
            ..ManagerSettings::new(Arc::new(game), text)
        };
        let mut results = Log::open(self.log_results.as_ref())?;
        let mut moves = Log::open(self.log_moves.as_ref())?;
        let mut records = self.record.as_deref().map(RecordFile::open).transpose()?;
        let interrupted = shutdown_flag()?;
        let manager = Manager::bind(settings, &self.bind, self.port).map_err(failure)?;
        let mut standing = Standing::default();
        let mut err = anstream::stderr();
        let ended = manager.run(&interrupted, &mut |notice| {
            match notice {
                Notice::Moved(text) => return moves.line(text),
                Notice::GameResult { record, line, .. } => {
                    results.line(&line.to_string())?;
                    moves.line("reset")?;
                    if let Some(file) = &mut records {
                        file.append(record).map_err(|error| error.to_string())?;
                    }
                    standing.add(record);
                }
                _ => {}
            }
            // Nobody need read the messages.
            let _ = writeln!(err, "{notice}");
            Ok(())
        });
        if let Some(file) = &records {
            file.sync()?;
        }
        if standing.games() > 0 {
            writeln!(err, "{standing}")?;
        }
        match ended {
            Err(ManagerError::Interrupted) => {
                Err(Failure::Failed(format!("interrupted after {} games", standing.games())))
            }
            ended => ended.map_err(failure),
        }
    }
}

fn failure(error: ManagerError) -> Failure {
    Failure::Failed(error.to_string())
}
