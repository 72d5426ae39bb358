//! The arguments that name experiments by their declarations.

use std::path::{Path, PathBuf};

use clap::Args;
use regulus_arena::experiment::{Experiment, Extent, Layout, Options, Size};

use crate::failure::Failure;

/// Experiments by their declarations.
#[derive(Args)]
pub struct Declared {
    /// The declaration, a TOML file; several are taken one after the other
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The directory of the experiment [default: results/NAME for a file NAME.toml, results/NAME-SIZE in another
    /// size than the whole]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// How large it is: coffee (minutes on two processors), night (eight to ten hours), or cluster (as declared:
    /// the published size)
    #[arg(long, default_value_t = Size::Cluster, value_name = "SIZE")]
    size: Size,
    /// Play with this limit instead of those of its sort (time, sims, states, fm0, fs0, fsOMR); limits of other sorts
    /// are not played. Can be given once for each sort; one of a sort that is not declared replaces all
    #[arg(long = "limit", value_name = "LIMIT")]
    limits: Vec<String>,
    /// Games for every game, pair and limit (searches where speed is measured, runs of every level of video games)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Multiply the number of games by this: 0.05 is a five-percent version
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR", value_parser = scale)]
    scale: f64,
    /// What all random numbers come from, instead of the declared seed
    #[arg(long)]
    seed: Option<u64>,
    /// The folder of video games that are not built in: NAME.txt with levels NAME_lvl0.txt and so on [default:
    /// the games that are in the directory of the experiment already]
    #[arg(long, value_name = "DIR")]
    games_from: Option<PathBuf>,
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
    /// Reads the declaration of a file and puts the experiment into its directory, if it is not there yet.
    pub fn settle(&self, file: &Path) -> Result<(Experiment, Layout), Failure> {
        if self.dir.is_some() && self.files.len() > 1 {
            let why = "--dir is the directory of one experiment: give one file, or no --dir";
            return Err(Failure::Failed(why.to_owned()));
        }
        let layout = Layout::new(self.dir.clone().unwrap_or_else(|| self.default_directory(file)));
        let games = self.games_from.clone().or_else(|| layout.exists().then(|| layout.games()));
        let extent = Extent { size: self.size, limits: self.limits.clone(), games: self.games };
        let options = Options { extent, scale: self.scale, seed: self.seed, games };
        let (experiment, text) = Experiment::declare(file, options)?;
        experiment.settle(&layout, &text)?;
        Ok((experiment, layout))
    }

    fn default_directory(&self, file: &Path) -> PathBuf {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        PathBuf::from("results").join(match self.size {
            Size::Cluster => name.into_owned(),
            size => format!("{name}-{size}"),
        })
    }
}
