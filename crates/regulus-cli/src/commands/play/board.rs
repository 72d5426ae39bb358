//! A board game in the terminal, or in a browser.

use std::io::{self, IsTerminal};
use std::time::Duration;

use regulus_games::BuiltIn;
use regulus_player::limit;
use regulus_search::config::Limits as SearchLimits;
use regulus_web::{FirstSession, Limits, Seat};

use super::super::serve::serve;
use super::Play;
use crate::agent_argument::{AUTO, agent_for, prepare};
use crate::ctrl_c::CtrlC;
use crate::failure::Failure;
use crate::game_session::{Seats, Session};

/// How long an agent thinks if nobody says so.
const USUAL_TIME: Duration = Duration::from_secs(1);

impl Play {
    /// Plays a board game.
    pub(in crate::commands) fn play_board(&self, loaded: &regulus::Game) -> Result<(), Failure> {
        for (given, option) in [
            (self.speed.is_some(), "--speed"),
            (self.step, "--step"),
            (self.save.is_some(), "--save"),
        ] {
            if given {
                return Err(Failure::Failed(format!("{option} is for video games")));
            }
        }
        let players = loaded.rules().declarations.players();
        let seat = self.seat.unwrap_or(1);
        if seat > players.len() {
            return Err(Failure::Failed(format!(
                "there is no seat {}: {} has {} ({}), and 0 is to watch",
                seat,
                loaded.name(),
                players.len(),
                players.join(", ")
            )));
        }
        if self.web {
            return self.serve(loaded, seat);
        }
        if !self.place.is_default() {
            return Err(Failure::Failed("--port and --bind are for --web".to_owned()));
        }
        let agent = agent_for(self.agent(), loaded)?;
        let prepared_agent = prepare(&agent, loaded, self.threads)?;
        let seats = Seats {
            game: loaded.name(),
            agent: &agent.name,
            seat,
            seed: self.seed,
            limits: self.limit(),
            ponders: self.ponder || agent.thinks_on_others_time,
            echo: !io::stdin().is_terminal(),
            ctrl_c: (io::stdin().is_terminal() && io::stdout().is_terminal())
                .then(CtrlC::listen)
                .transpose()?,
        };
        let mut session = Session::new(seats, loaded, &prepared_agent)?;
        session.run(&mut io::stdin().lock(), &mut anstream::stdout().lock())
    }

    fn agent(&self) -> &str {
        self.agent.as_deref().unwrap_or(AUTO)
    }

    fn limit(&self) -> SearchLimits {
        self.limit.clone().unwrap_or_else(|| SearchLimits::time(USUAL_TIME))
    }

    /// Serves the page with this game on it.
    fn serve(&self, loaded: &regulus::Game, own_seat: usize) -> Result<(), Failure> {
        let limit = self.limit();
        let agent = Seat::Agent { agent: self.agent().to_owned(), limit: limit::text(&limit) };
        let players = loaded.rules().declarations.players().len();
        let seat = |i| if i == own_seat { Seat::Human {} } else { agent.clone() };
        let is_it = |game: &&BuiltIn| game.text == loaded.source().text();
        let built_in = regulus_games::GAMES.iter().find(is_it);
        let first = FirstSession {
            name: built_in.map_or(loaded.name(), |game| game.name).to_owned(),
            text: built_in.is_none().then(|| loaded.source().text().to_owned()),
            seats: (1..=players).map(seat).collect(),
            seed: self.seed,
        };
        // Whoever plays on a machine of their own may ask for more than visitors.
        let usual = Limits::default();
        let limits = Limits {
            search_time: usual.search_time.max(limit.time.unwrap_or_default()),
            search_simulations: usual.search_simulations.max(limit.simulations.unwrap_or(0)),
            text_bytes: usual.text_bytes.max(loaded.source().text().len()),
            vertices: usual.vertices.max(loaded.rules().board.len()),
            ..usual
        };
        serve(&self.place, Vec::new(), limits, Some(first))
    }
}
