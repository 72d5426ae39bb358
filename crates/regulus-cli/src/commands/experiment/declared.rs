//! The arguments that name an experiment by its declaration.

use std::path::PathBuf;

use clap::Args;
use regulus_arena::experiment::{Experiment, Layout, Options};

use crate::failure::Failure;

/// An experiment by its declaration.
#[derive(Args)]
pub struct Declared {
    /// The declaration, a TOML file
    file: PathBuf,
    /// The directory of the experiment [default: results/NAME for a file NAME.toml]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Multiply the number of games by this: 0.05 is a five-percent version
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR", value_parser = scale)]
    scale: f64,
    /// What all random numbers come from, instead of the declared seed
    #[arg(long)]
    seed: Option<u64>,
    /// The folder of video games that are not built in: NAME.txt with levels NAME_lvl0.txt and so on [default:
    /// the games that are in the directory of the experiment already]
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
}

/// An experiment is made at most this many times as large.
const MAX_SCALE: f64 = 1e6;

fn scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale > 0.0 && scale <= MAX_SCALE => Ok(scale),
        _ => Err(format!("must be above 0 and at most {MAX_SCALE}")),
    }
}

impl Declared {
    /// Reads the declaration and puts the experiment into its directory, if it is not there yet.
    pub fn settle(&self) -> Result<(Experiment, Layout), Failure> {
        let name = self.file.file_stem().unwrap_or_default();
        let layout = Layout::new(match &self.dir {
            Some(dir) => dir.clone(),
            None => PathBuf::from("results").join(name),
        });
        let games = self.games.clone().or_else(|| layout.exists().then(|| layout.games()));
        let options = Options { scale: self.scale, seed: self.seed, games };
        let (experiment, text) = Experiment::declare(&self.file, options)?;
        experiment.settle(&layout, &text)?;
        Ok((experiment, layout))
    }
}
