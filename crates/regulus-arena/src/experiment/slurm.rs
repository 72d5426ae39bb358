//! An experiment as an array of Slurm jobs.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::ExperimentError;
use super::layout::{Layout, write_whole};
use super::plan::Plan;

/// An array of jobs, one for each shard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlurmArray {
    /// The partition, if not that of the cluster.
    pub partition: Option<String>,
    /// How long a job may take, if not as the cluster says.
    pub time: Option<String>,
    /// Processors for every job.
    pub cores: usize,
    /// How many jobs.
    pub shards: u64,
    /// Further options of `sbatch`.
    pub options: Vec<String>,
}

/// How long before its time is over a job is told, in seconds.
const WARNING: u32 = 60;

impl SlurmArray {
    /// Writes the script into the directory of the experiment. Gives its path and its text.
    pub fn write(
        &self,
        layout: &Layout,
        plan: &Plan,
        program: &Path,
    ) -> Result<(PathBuf, String), ExperimentError> {
        let root = layout.root();
        let root = root.canonicalize().map_err(ExperimentError::io(root, "find"))?;
        let script = self.script(&root, plan, program)?;
        let logs = root.join("slurm");
        fs::create_dir_all(&logs).map_err(ExperimentError::io(&logs, "make"))?;
        let path = root.join("submit.sbatch");
        write_whole(&path, script.as_bytes())?;
        Ok((path, script))
    }

    /// The script.
    fn script(&self, root: &Path, plan: &Plan, program: &Path) -> Result<String, ExperimentError> {
        if self.shards == 0 {
            return Err(ExperimentError::Refused("there must be at least one shard".to_owned()));
        }
        let (root_text, program) = (text(root)?, text(program)?);
        let mut options = vec![
            format!("--job-name={}", plan.experiment.replace(|c: char| c.is_whitespace(), "-")),
            format!("--array=0-{}", self.shards - 1),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", self.cores),
            // A job whose machine is lost begins again; what it has recorded is there.
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--output={}/slurm/%A_%a.log", option_path(root_text)),
        ];
        options.extend(self.partition.iter().map(|name| format!("--partition={name}")));
        if let Some(time) = &self.time {
            options.push(format!("--time={time}"));
            options.push(format!("--signal=B:USR1@{WARNING}"));
        }
        options.extend(self.options.iter().cloned());
        let mut script = "#!/bin/bash\n".to_owned();
        for option in options {
            if option.contains('\n') || !option.starts_with('-') {
                return Err(ExperimentError::Refused(format!(
                    "`{option}` is no option of sbatch, as --account=NAME is"
                )));
            }
            // Writing to a text cannot fail.
            let _ = writeln!(script, "#SBATCH {option}");
        }
        let _ = write!(
            script,
            "\n\
             # When the time of the job is almost over it is queued again and goes on later.\n\
             queue_again() {{\n    \
                 kill -TERM \"$worker\" 2>/dev/null\n    \
                 wait \"$worker\"\n    \
                 scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}\"\n    \
                 exit\n\
             }}\n\
             trap queue_again USR1\n\
             # What is not finished is not recorded; nothing else is to be saved.\n\
             trap 'kill -TERM \"$worker\" 2>/dev/null' TERM INT\n\
             \n\
             {} experiment work {} --shards {} --threads {} &\n\
             worker=$!\n\
             # The first one is cut short by a signal.\n\
             wait \"$worker\"\n\
             wait \"$worker\"\n",
            quote(program),
            quote(root_text),
            self.shards,
            self.cores
        );
        Ok(script)
    }
}

fn text(path: &Path) -> Result<&str, ExperimentError> {
    let text = path.to_str().filter(|text| !text.contains('\n'));
    text.ok_or_else(|| ExperimentError::damaged(path, "Slurm cannot be told this path"))
}

/// A word for a shell.
fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A path in an option of a script. A percent sign would stand for something else.
fn option_path(path: &str) -> String {
    let path = path.replace('%', "%%");
    if path.contains([' ', '\t', '#', '"', '\'', '\\']) {
        return format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""));
    }
    path
}
