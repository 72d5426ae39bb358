//! `regulus play`: a game in the terminal, or in a browser.

use std::io::{self, IsTerminal};

use clap::Args;
use regulus_games::BuiltIn;
use regulus_player::limit;
use regulus_search::config::Limits as SearchLimits;
use regulus_web::{FirstSession, Limits, Seat};

use super::serve::{Place, serve};
use crate::agent_argument::{AUTO, agent_for, prepare};
use crate::attention::Attention;
use crate::failure::Failure;
use crate::game_argument::{LoadedGame, load_board};
use crate::game_session::{Seats, Session};

/// Play against an agent in the terminal
#[derive(Args)]
pub struct Play {
    /// A built-in game or a .rbg file
    game: String,
    /// A built-in agent (see `regulus agents`), a .json file, or auto
    #[arg(long, default_value = AUTO)]
    agent: String,
    /// How long the agent thinks: time=500ms, sims=N or states=N (nodal states); several with commas
    #[arg(long, default_value = "time=1s", value_parser = limit::parse)]
    limit: SearchLimits,
    /// Let the agent go on thinking while you do (as if its file had simulate_during_opp_turn)
    #[arg(long)]
    ponder: bool,
    /// Where you sit, from 1; 0 lets the agent play alone
    #[arg(long, default_value_t = 1, value_name = "N")]
    seat: usize,
    /// The seed of the agent's random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play in a browser instead: serves the web page (see `regulus serve`) and prints the address
    #[arg(long, conflicts_with = "ponder")]
    web: bool,
    #[command(flatten)]
    place: Place,
}

impl Play {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        if self.game == "-" {
            return Err(Failure::Failed(
                "standard input is for your moves: give the game as a name or a file".to_owned(),
            ));
        }
        let loaded = load_board(&self.game, "play")?;
        let players = loaded.game.declarations.players();
        if self.seat > players.len() {
            return Err(Failure::Failed(format!(
                "there is no seat {}: {} has {} ({}), and 0 is to watch",
                self.seat,
                loaded.name,
                players.len(),
                players.join(", ")
            )));
        }
        if self.web {
            return self.serve(&loaded);
        }
        if !self.place.is_default() {
            return Err(Failure::Failed("--port and --bind are for --web".to_owned()));
        }
        let agent = agent_for(&self.agent, &loaded.game)?;
        let mind = prepare(&agent, &loaded.game)?;
        let seats = Seats {
            game: &loaded.name,
            agent: &agent.name,
            seat: self.seat,
            seed: self.seed,
            limits: self.limit,
            ponders: self.ponder || agent.thinks_on_others_time,
            echo: !io::stdin().is_terminal(),
            attention: (io::stdin().is_terminal() && io::stdout().is_terminal())
                .then(Attention::listen)
                .transpose()?,
        };
        let mut session = Session::new(seats, &loaded.game, &mind)?;
        session.run(&mut io::stdin().lock(), &mut anstream::stdout().lock())
    }

    /// Serves the page with this game on it.
    fn serve(&self, loaded: &LoadedGame) -> Result<(), Failure> {
        let agent = Seat::Agent { agent: self.agent.clone(), limit: limit::text(&self.limit) };
        let players = loaded.game.declarations.players().len();
        let seat = |i| if i == self.seat { Seat::Human {} } else { agent.clone() };
        let is_it = |game: &&BuiltIn| game.text == loaded.source.text();
        let built_in = regulus_games::GAMES.iter().find(is_it);
        let first = FirstSession {
            name: built_in.map_or(loaded.name.as_str(), |game| game.name).to_owned(),
            text: built_in.is_none().then(|| loaded.source.text().to_owned()),
            seats: (1..=players).map(seat).collect(),
            seed: self.seed,
        };
        // Whoever plays on a machine of their own may ask for more than visitors.
        let usual = Limits::default();
        let limits = Limits {
            search_time: usual.search_time.max(self.limit.time.unwrap_or_default()),
            search_simulations: usual.search_simulations.max(self.limit.simulations.unwrap_or(0)),
            text_bytes: usual.text_bytes.max(loaded.source.text().len()),
            vertices: usual.vertices.max(loaded.game.board.len()),
            ..usual
        };
        serve(&self.place, Vec::new(), limits, Some(first))
    }
}
