//! How games are managed.

use std::sync::Arc;
use std::time::Duration;

use regulus_player::LoadedGame;

/// What happens after a game that was not played to its end. All players but one are then in the middle of
/// a game, and must be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AfterFault {
    /// All players are told that the game is over, and the next one begins; whoever is gone is replaced by
    /// the next who connects.
    #[default]
    Reset,
    /// All connections are closed, and players are waited for as in the beginning: for players who
    /// do not understand the end of a game that is not over.
    Reconnect,
    /// The manager ends, as the original does.
    End,
}

/// How games are managed. [`ManagerSettings::new`] is how the original does it.
#[derive(Clone, Debug)]
pub struct ManagerSettings {
    /// The game.
    pub game: Arc<LoadedGame>,
    /// Its description, sent as it is.
    pub text: String,
    /// What players are told they have for a move; nothing means no limit.
    pub deadline: Option<Duration>,
    /// What players are told they have for preparing; nothing means no limit.
    pub preparation: Option<Duration>,
    /// How many games; nothing means no end.
    pub games: Option<u64>,
    /// How long after the beginning of the first game others may begin; nothing means for ever.
    pub shutdown: Option<Duration>,
    /// How long a player is waited for; nothing means for ever.
    pub connect_timeout: Option<Duration>,
    /// How long after the preparation time `ready` is waited for. After that the player is disconnected.
    pub ready_timeout: Duration,
    /// How long after the deadline a move is waited for. After that the player is disconnected and has lost.
    pub move_timeout: Duration,
    /// A move that comes later than the deadline by more than this loses the game; nothing means that lateness is
    /// only noted.
    pub tolerance: Option<Duration>,
    /// A game with more moves is given up.
    pub max_plies: usize,
    /// Players change seats after every game. They are not told: whoever is given a time has to move.
    pub swap: bool,
    /// What happens after a fault.
    pub after_fault: AfterFault,
    /// At most this number of connections from one address, those who play included. The one that has waited longest goes for the next.
    pub max_per_address: usize,
    /// This number of games in a row that end by a fault is enough.
    pub max_faults: u64,
    /// Names of the players in the order of their seats in the first game.
    pub names: Vec<String>,
}

/// How long players are waited for, in the times that the original does not limit.
const TIMEOUT: Duration = Duration::from_secs(600);

impl ManagerSettings {
    /// A manager of a game as the original is without options.
    pub fn new(game: Arc<LoadedGame>, text: impl Into<String>) -> Self {
        ManagerSettings {
            game,
            text: text.into(),
            deadline: None,
            preparation: None,
            games: None,
            shutdown: None,
            connect_timeout: None,
            ready_timeout: TIMEOUT,
            move_timeout: TIMEOUT,
            tolerance: None,
            max_plies: 10_000,
            swap: false,
            after_fault: AfterFault::default(),
            max_per_address: 512,
            max_faults: 100,
            names: Vec::new(),
        }
    }

    /// Says what cannot be obeyed.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let (players, names) = (self.game.players().len(), self.names.len());
        if players == 0 {
            return Err(format!("{} is a game for nobody", self.game.name()));
        }
        if names > players {
            return Err(format!("there are {names} names for {players} players"));
        }
        if self.text.contains('\0') {
            return Err(format!(
                "the description of {} contains a NUL byte, which ends messages",
                self.game.name()
            ));
        }
        Ok(())
    }

    /// The name of a player (from 0, in the order of seats in the first game).
    pub fn name(&self, player: usize) -> String {
        self.names.get(player).cloned().unwrap_or_else(|| format!("player {}", player + 1))
    }
}
