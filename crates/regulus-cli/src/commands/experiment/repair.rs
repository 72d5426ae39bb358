//! `regulus experiment repair`: what is damaged is moved out of the way.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use regulus_arena::experiment::{DamagedLine, Layout, Repair as Found, repair};
use serde::Serialize;

use crate::commands::print_json;
use crate::failure::Failure;
use crate::shutdown::shutdown_flag;

/// Move what is damaged in the directory of an experiment out of the way
///
/// Lines that are no records of the experiment go from records/NAME.jsonl to records/NAME.jsonl.damaged, where they
/// are kept; other damaged files get the ending .damaged. Files that somebody is writing are left alone. Games whose
/// lines were lost are played again by `run` and `work`, which go on without such lines, repaired or not.
#[derive(Args)]
pub struct Repair {
    /// The directory of the experiment
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Only say what is damaged
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'r> {
    directory: &'r Path,
    dry_run: bool,
    #[serde(flatten)]
    found: &'r Found,
}

/// More lines of a file are counted, not listed.
const LISTED: usize = 10;

impl Repair {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let stop = shutdown_flag()?;
        let found = repair(&Layout::new(&self.directory), self.dry_run, &stop)?;
        if self.json {
            let (directory, dry_run) = (&*self.directory, self.dry_run);
            print_json(&Report { directory, dry_run, found: &found })?;
        } else {
            self.print(&found)?;
        }
        match found.interrupted {
            true => Err(Failure::Failed("interrupted: not every file was looked at".to_owned())),
            false => Ok(()),
        }
    }

    fn print(&self, found: &Found) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        let root = self.directory.display();
        if found.is_empty() && !found.interrupted {
            writeln!(out, "nothing is damaged in {root}")?;
            return Ok(());
        }
        let (moved, set_aside) = match self.dry_run {
            true => ("to be moved to", "to be set aside as"),
            false => ("moved to", "set aside as"),
        };
        for file in &found.files {
            writeln!(
                out,
                "{}: {} {moved} {}, {} kept",
                file.file.display(),
                count(file.moved, "line"),
                file.moved_to.display(),
                count(file.kept, "record")
            )?;
            for DamagedLine { line, why, .. } in file.lines.iter().take(LISTED) {
                writeln!(out, "  line {line}: {why}")?;
            }
            let more = file.moved.saturating_sub(LISTED as u64);
            if more > 0 {
                writeln!(out, "  and {}", count(more, "more line"))?;
            }
        }
        for file in &found.set_aside {
            let (name, moved_to) = (file.file.display(), file.moved_to.display());
            writeln!(out, "{name}: {set_aside} {moved_to}\n  {}", file.why)?;
        }
        for file in &found.in_use {
            let name = file.file.display();
            match &file.holder {
                Some(holder) => writeln!(
                    out,
                    "{name}: left alone, process {} on {} is writing it",
                    holder.process, holder.host
                )?,
                None => writeln!(out, "{name}: left alone, somebody is writing it")?,
            }
        }
        let layout = Layout::new(&self.directory);
        if found.set_aside.iter().any(|file| file.file == layout.plan()) {
            writeln!(
                out,
                "without its plan nobody knows which records belong to the experiment: `regulus experiment plan \
                 FILE.toml --dir {root}` with --size, --scale and --seed as before makes it anew; then repair again"
            )?;
        }
        if found.set_aside.iter().any(|file| file.file == layout.calibration()) {
            writeln!(
                out,
                "limits are measured again: games before and after that are not played with the same ones"
            )?;
        }
        if !self.dry_run && !found.files.is_empty() {
            writeln!(
                out,
                "`regulus experiment run` or `work` plays the games of these lines again if they are missing"
            )?;
        }
        Ok(())
    }
}

/// "1 line", "2 lines".
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
