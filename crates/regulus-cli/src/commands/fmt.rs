//! `regulus fmt`: canonical layout.

use std::io::Write;
use std::path::Path;

use clap::Args;
use regulus_player::catalogue::{is_video_game, read_source};
use regulus_rbg::format::format;
use regulus_rbg::{Source, render};

use crate::failure::Failure;
use crate::game_argument::only_for_boards;

/// Format game descriptions
#[derive(Args)]
pub struct Fmt {
    /// Files to format in place (`-` reads standard input and writes standard output)
    #[arg(required = true)]
    files: Vec<String>,
    /// Change nothing; name the files that are not formatted and fail if there are any
    #[arg(long)]
    check: bool,
}

impl Fmt {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        let mut failed = false;
        for file in &self.files {
            let source = match read_board(file) {
                Ok(source) => source,
                Err(Failure::Failed(message)) => {
                    writeln!(anstream::stderr(), "error: {message}")?;
                    failed = true;
                    continue;
                }
                Err(other) => return Err(other),
            };
            let formatted = match format(&source) {
                Ok(formatted) => formatted,
                Err(diagnostics) => {
                    for diagnostic in &diagnostics {
                        let text = render::render(&source, diagnostic, true);
                        writeln!(anstream::stderr(), "{text}\n")?;
                    }
                    failed = true;
                    continue;
                }
            };
            if file == "-" && !self.check {
                out.write_all(formatted.as_bytes())?;
            } else if formatted != source.text() {
                if self.check {
                    writeln!(out, "{} is not formatted", source.name())?;
                    failed = true;
                } else if let Err(error) = replace(Path::new(file), &formatted) {
                    writeln!(anstream::stderr(), "error: cannot write {file}: {error}")?;
                    failed = true;
                } else {
                    writeln!(out, "formatted {file}")?;
                }
            }
        }
        if failed { Err(Failure::Silent) } else { Ok(()) }
    }
}

/// Reads a file that is not a video game.
fn read_board(file: &str) -> Result<Source, Failure> {
    let source = read_source(file)?;
    if is_video_game(file, source.text()) {
        return Err(only_for_boards(source.name(), "fmt"));
    }
    Ok(source)
}

/// Replaces a file by a complete new one, so that nothing is lost if the disk is full.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    // A link stays a link: what it points to is replaced.
    let path = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(std::fs::metadata(&path)?.permissions())?;
    new.as_file().sync_all()?;
    new.persist(&path)?;
    Ok(())
}
