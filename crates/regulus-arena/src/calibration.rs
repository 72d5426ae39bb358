//! How much a baseline agent does in a time on this machine (THESIS 4.3, AAAI22 "fixed setting").

use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use regulus_player::bounded_file::{ReadFault, read_text};
use regulus_player::{Failure, LoadedGame, PreparedAgent};
use regulus_search::config::Limits;
use serde::{Deserialize, Serialize};

use crate::board::{rules, table};
use crate::budget::Baseline;
use crate::record::GameRecord;
use crate::record_file::{RecordError, RecordFile};
use crate::record_line::reason;

/// A measurement of a baseline agent on one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Calibration {
    /// The game.
    pub game: GameRecord,
    /// The name of the agent.
    pub agent: String,
    /// The time for a move.
    pub milliseconds: f64,
    /// Simulations in a move of this time, in the mean.
    pub simulations: f64,
    /// Nodal states in a move of this time, in the mean.
    pub nodal_states: f64,
    /// How many positions were searched.
    pub positions: usize,
    /// Whether that was the first turn alone.
    #[serde(default)]
    pub first_turn: bool,
    /// The processor.
    pub processor: String,
    /// When, in seconds since 1970.
    pub measured: f64,
    /// The version.
    pub version: String,
}

/// Simulations for each move of the game whose positions are searched.
const SCOUT: u64 = 100;

/// No game is followed further.
const MAX_SCOUTED: usize = 1000;

/// At least this number of positions is searched.
const MIN_POSITIONS: usize = 5;

impl Calibration {
    /// How long a baseline is measured, usually: the first turn as in THESIS 5.1.2.
    pub fn time(baseline: Baseline) -> Duration {
        Duration::from_secs(if baseline.in_first_turn() { 10 } else { 5 })
    }

    /// Measures the baseline on a game: it searches positions that are spread evenly over a game of its
    /// own, each for the time of a move, for about `total` altogether; or it searches the first one for the whole `total`
    /// (THESIS 5.1.2), and a move has its share of that.
    pub fn measure(
        game: &LoadedGame,
        baseline: Baseline,
        time: Duration,
        total: Duration,
    ) -> Result<Self, Failure> {
        let agent = regulus_agent::by_name(baseline.agent()).unwrap_or_else(|why| {
            unreachable!("the baselines are agents of the collection: {why}")
        });
        let prepared_agent = PreparedAgent::new(&agent, game);
        let first_turn = baseline.in_first_turn();
        let line = if first_turn { Vec::new() } else { scout(&prepared_agent, game)? };
        let searched = if first_turn { total } else { time };
        let wanted = (total.as_secs_f64() / searched.as_secs_f64()) as usize;
        let positions = wanted.max(MIN_POSITIONS).min(line.len().max(1));
        let (mut simulations, mut states, mut seconds) = (0, 0, 0.0);
        for i in 0..positions {
            // In the middle of every part of the game.
            let depth = (2 * i + 1) * line.len() / (2 * positions);
            let moves = line[..depth].iter().map(Vec::as_slice);
            let mut searcher = prepared_agent.searcher(i as u64, moves)?;
            let start = Instant::now();
            let totals = searcher.think(&Limits::time(searched))?.totals;
            seconds += start.elapsed().as_secs_f64();
            simulations += totals.iterations;
            states += totals.nodal_states;
        }
        let per_move = |count: u64| count as f64 / seconds * time.as_secs_f64();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Ok(Calibration {
            game: GameRecord::of(game),
            agent: agent.name,
            milliseconds: time.as_secs_f64() * 1e3,
            simulations: per_move(simulations).round(),
            nodal_states: per_move(states).round(),
            positions,
            first_turn,
            processor: processor(),
            measured: now.map_or(0.0, |time| time.as_secs() as f64),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    /// The limits that both sides get.
    pub fn limits(&self, baseline: Baseline) -> Limits {
        if baseline.counts_simulations() {
            return Limits::simulations((self.simulations as u64).max(1));
        }
        Limits::states((self.nodal_states as u64).max(1))
    }
}

/// A game of the agent with itself. The rules decide when it is over.
fn scout(
    prepared_agent: &PreparedAgent,
    game: &LoadedGame,
) -> Result<Vec<Vec<regulus_game::Step>>, Failure> {
    let rules = rules(game);
    let mut table = table(&rules).map_err(Failure::Game)?;
    let mut searcher = prepared_agent.searcher(0, std::iter::empty())?;
    let mut line = Vec::new();
    while line.len() < MAX_SCOUTED && !table.is_over().map_err(Failure::Game)? {
        let Some(steps) = searcher.think(&Limits::simulations(SCOUT))?.chosen else { break };
        table.play(&steps).map_err(Failure::Game)?;
        searcher.advance(&steps)?;
        line.push(steps);
    }
    Ok(line)
}

/// The processor by its name, where the system tells it.
pub(crate) fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name"));
    let name = line.and_then(|rest| rest.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// A file of measurements is not longer.
const MAX_BYTES: u64 = 64 << 20;

/// Measurements that are kept in a file, one line of JSON each, so that a match that is played again or
/// continued has the same limits.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Calibrations {
    /// All of them.
    pub all: Vec<Calibration>,
}

impl Calibrations {
    /// Reads a file; there are none if it does not exist. A last line that was cut off is left out.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let unreadable = |why: String| RecordError::Unreadable { path: path.to_owned(), why };
        let text = match read_text(path, MAX_BYTES) {
            Err(ReadFault::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Calibrations::default());
            }
            text => text.map_err(|fault| unreadable(fault.to_string()))?,
        };
        let mut all = Vec::new();
        for (i, line) in text.split_inclusive('\n').enumerate() {
            match serde_json::from_str(line) {
                Ok(one) => all.push(one),
                Err(_) if !line.ends_with('\n') => {}
                Err(error) => {
                    let (line, why) = (i + 1, reason(&error));
                    // Without it a limit would be measured again, and be another one.
                    return Err(unreadable(format!("line {line} is no measurement: {why}")));
                }
            }
        }
        Ok(Calibrations { all })
    }

    /// The measurement of a baseline for a time on a game with these rules.
    pub fn find(
        &self,
        game: &GameRecord,
        baseline: Baseline,
        time: Duration,
    ) -> Option<&Calibration> {
        let fits = |c: &&Calibration| {
            c.game.sha256 == game.sha256
                && c.agent == baseline.agent()
                && c.first_turn == baseline.in_first_turn()
                && c.milliseconds == time.as_secs_f64() * 1e3
        };
        self.all.iter().find(fits)
    }

    /// Appends a measurement to a file.
    pub fn append(path: &Path, calibration: &Calibration) -> Result<(), RecordError> {
        let mut file = RecordFile::open(path)?;
        file.append(calibration)?;
        file.sync()
    }
}
