//! Experiments: many contests that are declared in a file, played into a directory, and read back.
//!
//! A [`Declaration`] is what a user writes. With the games and agents it names it becomes an
//! [`Experiment`], whose [`Plan`] lists all units in order. An experiment lives in a directory, see
//! [`Layout`]; whoever works on it appends to a file of its own there, and [`Archive`] is everything that
//! is in it.

mod archive;
mod claim;
mod compiled_job;
mod damage;
mod declaration;
mod declaration_check;
mod error;
mod journal;
mod layout;
mod machine;
mod manifest;
mod part;
mod plan;
mod record_check;
mod repair;
mod setting;
mod shard;
mod slurm;
mod speed;
mod toml_section;
mod video_declaration;
mod video_setting;
mod worker;

pub use archive::{Archive, ContestArchive, Games};
pub use claim::Holder;
pub use compiled_job::Entry;
pub use damage::{Damage, DamagedLine};
pub use declaration::{Declaration, DeclarationError, Kind, Published};
pub use error::ExperimentError;
pub use layout::Layout;
pub(crate) use layout::write_whole;
pub use machine::Machine;
pub use manifest::Manifest;
pub use part::Part;
pub use plan::{Plan, PlannedContest, Unit, VideoPlan, VideoPlanGame};
pub use repair::{Repair, RepairedFile, SetAside, repair};
pub use setting::{AnyContest, Experiment, Options};
pub use shard::Shard;
pub use slurm::SlurmArray;
pub use speed::SpeedRecord;
pub use video_declaration::{VideoDeclaration, VideoPublished};
pub use worker::{Event, Patience, Work, Worked, work};
