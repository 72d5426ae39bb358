//! Agents by their names and from files.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use regulus_agent::{Described, VideoAgent, by_name, read_any, video_by_name};
use regulus_player::video::Pilot;
use regulus_player::{AUTO, PreparedAgent, catalogue};

use crate::error::Error;
use crate::game::Game;
use crate::player::Player;
use crate::video::VideoPlayer;

/// What [`AUTO`] means in video games.
pub const VIDEO_AUTO: &str = "vg-ol-mcts";

/// Who plays: a search and its parameters, or the choice of one by the rules of a game.
///
/// An agent has a name (`mcts_orthodox_orthodox`, `vg-ol-mcts` and many others, see `regulus agents`) or a
/// configuration file; `auto` is the one that suits a game.
///
/// ```
/// let agent: regulus::Agent = "mctsM_semisplitNodal_semisplit".parse()?;
/// let misspelt = "mcts_orthodx_orthodox".parse::<regulus::Agent>().unwrap_err();
/// assert!(misspelt.to_string().contains("did you mean `mcts_orthodox_orthodox`?"), "{misspelt}");
/// # Ok::<(), regulus::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Agent {
    /// What people call it: its name or its file.
    called: String,
    /// Nothing if it depends on the game.
    fixed: Option<Arc<dyn Described>>,
}

impl FromStr for Agent {
    type Err = Error;

    /// The agent of a name.
    fn from_str(name: &str) -> Result<Self, Error> {
        let called = name.to_owned();
        if name == AUTO {
            return Ok(Agent { called, fixed: None });
        }
        let fixed = catalogue::agent(name).map_err(|unknown| {
            Error::Unknown(unknown.with_hint("`regulus agents` lists the built-in ones"))
        })?;
        Ok(Agent { called, fixed: Some(fixed) })
    }
}

impl Agent {
    /// An agent from the text of a configuration file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(name: &str, text: &str) -> Result<Self, Error> {
        let called = name.to_owned();
        read_any(name, text)
            .map(|agent| Agent { called, fixed: Some(agent) })
            .map_err(|problem| Error::Agent(problem.to_string()))
    }

    /// An agent from a configuration file; its name is that of the file without folder and ending.
    ///
    /// # Errors
    /// What is wrong with the file or with what is in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let fixed = catalogue::agent_file(path)?;
        Ok(Agent { called: path.display().to_string(), fixed: Some(fixed) })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.fixed.as_ref().map_or(AUTO, |agent| agent.name())
    }

    /// What it is; nothing if that depends on the game.
    pub fn fixed(&self) -> Option<&dyn Described> {
        self.fixed.as_deref()
    }

    /// What it is in every board game; nothing if that depends on the game.
    ///
    /// # Errors
    /// It plays video games.
    pub fn in_board_games(&self) -> Result<Option<regulus_agent::Agent>, Error> {
        let Some(agent) = self.fixed() else { return Ok(None) };
        agent.board().cloned().map(Some).ok_or_else(|| self.wrong_games(agent))
    }

    /// What it is in a board game.
    ///
    /// # Errors
    /// It plays video games.
    pub fn in_board_game(&self, game: &Game) -> Result<regulus_agent::Agent, Error> {
        match self.in_board_games()? {
            Some(agent) => Ok(agent),
            None => by_name(game.loaded().auto_agent()).map_err(Error::Agent),
        }
    }

    /// What it is in video games.
    ///
    /// # Errors
    /// It plays board games.
    pub fn in_video_games(&self) -> Result<VideoAgent, Error> {
        match self.fixed() {
            None => video_by_name(VIDEO_AUTO).map_err(Error::Agent),
            Some(agent) => agent.video().cloned().ok_or_else(|| self.wrong_games(agent)),
        }
    }

    fn wrong_games(&self, agent: &dyn Described) -> Error {
        Error::Agent(format!("`{}` {}", self.called, agent.games().refusal()))
    }

    /// The agent in a board game that begins. All seats can be played by one player; for one agent against another,
    /// make two players. The code that is made for an agent stays with the game.
    ///
    /// # Errors
    /// It does not play this game.
    pub fn player(&self, game: &Game, seed: u64) -> Result<Player, Error> {
        let agent = self.in_board_game(game)?;
        let prepared_agent = PreparedAgent::new(&agent, game.loaded());
        Player::new(&prepared_agent, game.start()?, seed)
    }

    /// The agent in a video game that begins. The seed is that of the game.
    ///
    /// # Errors
    /// It does not play video games.
    pub fn video_player(&self, seed: u64) -> Result<VideoPlayer, Error> {
        let agent = self.in_video_games()?;
        let pilot = Pilot::agent(&agent.config, seed)
            .map_err(|refusal| Error::Agent(format!("{}: {refusal}", agent.name)))?;
        Ok(VideoPlayer::new(pilot, agent.buffer))
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}
