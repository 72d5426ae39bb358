//! The manifest of a worker while it works.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::error::ExperimentError;
use super::layout::{Layout, write_json};
use super::machine::{self, Machine};
use super::manifest::Manifest;
use super::plan::Plan;
use super::shard::Shard;
use crate::parallel::Threads;
use crate::timestamp::now;

/// The manifest of a worker while it works. It is written again and again, so that the file tells much
/// of one that was killed, too.
pub struct Journal {
    layout: Layout,
    manifest: Mutex<Manifest>,
    played: AtomicU64,
}

impl Journal {
    /// Writes the first version.
    pub fn begin(
        layout: &Layout,
        name: &str,
        plan: &Plan,
        shard: Shard,
        threads: Threads,
    ) -> Result<Self, ExperimentError> {
        let load = machine::load();
        let manifest = Manifest {
            worker: name.to_owned(),
            experiment: plan.experiment.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: Manifest::commit(),
            machine: Machine::this(),
            process: std::process::id(),
            shard: [shard.index, shard.count],
            threads: threads.count,
            pinned: threads.pins(),
            seed: plan.seed,
            games: plan.games.clone(),
            agents: plan.agents.clone(),
            started: now(),
            ended: None,
            played: 0,
            interrupted: false,
            load_before: load,
            load_highest: load,
            load_after: None,
        };
        write_json(&layout.manifest(name), &manifest)?;
        let (layout, played) = (layout.clone(), AtomicU64::new(0));
        Ok(Journal { layout, manifest: Mutex::new(manifest), played })
    }

    /// One more game is recorded.
    pub fn count(&self) {
        self.played.fetch_add(1, Ordering::Relaxed);
    }

    fn write(&self, change: impl FnOnce(&mut Manifest)) -> Result<(), ExperimentError> {
        let mut manifest = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
        manifest.played = self.played.load(Ordering::Relaxed);
        if let Some(load) = machine::load() {
            manifest.load_highest = Some(manifest.load_highest.map_or(load, |old| old.max(load)));
        }
        change(&mut manifest);
        write_json(&self.layout.manifest(&manifest.worker), &*manifest)
    }

    /// Writes how things stand.
    pub fn beat(&self) {
        // If it cannot be written, records cannot be, either, and those say so.
        let _ = self.write(|_| ());
    }

    /// Writes the last version.
    pub fn end(&self, interrupted: bool) -> Result<(), ExperimentError> {
        self.write(|manifest| {
            manifest.ended = Some(now());
            manifest.interrupted = interrupted;
            manifest.load_after = machine::load();
        })
    }
}
