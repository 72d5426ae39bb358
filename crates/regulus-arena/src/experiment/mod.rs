//! Experiments: many contests that are declared in a file, played into a directory, and read back.
//!
//! A [`Declaration`] is what a user writes. With the games and agents it names it becomes an
//! [`Experiment`], whose [`Plan`] lists all units in order. An experiment lives in a directory, see
//! [`Layout`]; whoever works on it appends to a file of its own there, and [`Archive`] is everything that
//! is in it.

mod archive;
mod board_roster;
mod claim;
mod combinations;
mod damage;
mod declaration;
mod declaration_check;
mod error;
mod fitting;
mod journal;
mod kind;
mod layout;
mod machine;
mod manifest;
mod plan;
mod record_check;
mod repair;
mod roster;
mod shard;
mod size;
mod sized;
mod slurm;
mod status;
mod toml_section;
mod video_declaration;
mod video_roster;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use archive::{Archive, ContestArchive};
pub use claim::Holder;
pub use combinations::Combinations;
pub use damage::{Damage, DamagedLine};
pub use declaration::{Declaration, DeclarationError, Published};
pub use error::ExperimentError;
pub use kind::Kind;
pub use layout::Layout;
pub(crate) use layout::write_whole;
pub use machine::Machine;
pub use manifest::Manifest;
pub use plan::{Plan, PlannedContest, Unit, VideoPlan, VideoPlanGame};
pub use repair::{Repair, RepairedFile, SetAside, repair};
pub use roster::Unmeasured;
pub use shard::Shard;
pub use size::{Extent, Size, SizeDeclaration, SizeDeclarations};
pub use slurm::SlurmArray;
pub use status::{ContestStatus, Status, WorkerStatus};
pub use video_declaration::{VideoDeclaration, VideoPublished};
pub use worker::{Event, Patience, Work, Worked, work};

use crate::calibration::Calibrations;
use crate::contest::Contest;
use layout::{read_bounded, read_plan, write_json};
use regulus_player::LoadedGame;
use roster::{Roster, write_if_new};

/// A declaration is never longer.
const MAX_DECLARATION_BYTES: u64 = 16 << 20;

/// What can be chosen when an experiment is made of a declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// How much of it is played.
    pub extent: Extent,
    /// What the number of games is multiplied by.
    pub scale: f64,
    /// The seed, instead of the declared one.
    pub seed: Option<u64>,
    /// The folder of the video games that are not built in.
    pub games: Option<PathBuf>,
}

impl Default for Options {
    /// As declared.
    fn default() -> Self {
        Options { extent: Extent::default(), scale: 1.0, seed: None, games: None }
    }
}

/// An experiment: its plan, and the games and agents of it.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The plan.
    pub plan: Plan,
    roster: Arc<dyn Roster>,
}

impl Experiment {
    /// Makes an experiment of the declaration in a file; its name is that of the file. Files that it names
    /// are looked for beside it. Gives the text of the declaration, too.
    pub fn declare(file: &Path, options: Options) -> Result<(Self, String), ExperimentError> {
        let text = read_bounded(file, MAX_DECLARATION_BYTES)?;
        let declaration = Declaration::parse(&text)
            .map_err(|error| ExperimentError::Declaration { path: file.to_owned(), error })?;
        let declaration = declaration.sized(&options.extent).map_err(ExperimentError::Refused)?;
        let name = file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let folder = file.parent().unwrap_or(Path::new(""));
        let roster = kind::declared_roster(&declaration, folder, options.games.as_deref())?;
        let agents = roster.agents();
        for (i, agent) in agents.iter().enumerate() {
            if agents[..i].iter().any(|other| other.name == agent.name) {
                return Err(ExperimentError::Refused(format!(
                    "{}: there are two agents with the name `{}`",
                    file.display(),
                    agent.name
                )));
            }
        }
        let plan = Plan {
            experiment: name,
            kind: declaration.kind,
            seed: options.seed.unwrap_or(declaration.seed),
            extent: options.extent,
            scale: options.scale,
            flat: declaration.flat,
            opening_plies: declaration.opening_plies,
            max_plies: declaration.max_plies,
            tolerance_ms: declaration.tolerance.as_secs_f64() * 1e3,
            buffer_ms: declaration.buffer.as_secs_f64() * 1e3,
            video: roster.video_plan(&declaration, options.scale),
            games: roster.games(),
            agents,
            contests: roster.contests(&declaration, options.scale),
        };
        Ok((Experiment::checked(plan, roster)?, text))
    }

    /// Reads the experiment of a directory.
    pub fn open(layout: &Layout) -> Result<Self, ExperimentError> {
        if !layout.exists() {
            return Err(ExperimentError::Refused(format!(
                "there is no experiment in {}: `regulus experiment plan FILE.toml --dir {0}` makes one",
                layout.root().display()
            )));
        }
        let plan = read_plan(layout)?;
        let roster = kind::planned_roster(&plan, layout)?;
        Experiment::checked(plan, roster)
    }

    /// Finds out now, and not in the middle, if agents cannot play a game.
    fn checked(plan: Plan, roster: Arc<dyn Roster>) -> Result<Self, ExperimentError> {
        plan.contests.iter().try_for_each(|planned| roster.check(&plan, planned))?;
        Ok(Experiment { plan, roster })
    }

    /// Puts the experiment into a directory, or finds that it is there already. Refuses if another one
    /// is there.
    pub fn settle(&self, layout: &Layout, declaration: &str) -> Result<(), ExperimentError> {
        layout.create()?;
        if layout.exists() {
            let plan = read_plan(layout)?;
            if let Some(difference) = plan.difference(&self.plan) {
                return Err(ExperimentError::Refused(format!(
                    "{} holds another experiment ({difference}); results of both would be mixed up: \
                     choose another directory with --dir",
                    layout.root().display()
                )));
            }
        }
        self.roster.settle(layout)?;
        // Title and published figures may have changed.
        write_if_new(&layout.declaration(), declaration)?;
        // The plan comes last: where it is, everything is.
        if layout.exists() { Ok(()) } else { write_json(&layout.plan(), &self.plan) }
    }

    /// What calibrated limits need that was not measured yet.
    pub fn unmeasured(&self, known: &Calibrations) -> Result<Vec<Unmeasured<'_>>, ExperimentError> {
        self.roster.unmeasured(&self.plan, known)
    }

    /// A contest of the plan; what it needs must have been measured.
    pub fn contest(
        &self,
        index: usize,
        known: &Calibrations,
    ) -> Result<Box<dyn Contest>, ExperimentError> {
        self.roster.contest(&self.plan, &self.plan.contests[index], known)
    }

    /// The rules of board games, as in the plan; none where video games are played.
    pub fn board_games(&self) -> &[Arc<LoadedGame>] {
        self.roster.board_games()
    }
}
