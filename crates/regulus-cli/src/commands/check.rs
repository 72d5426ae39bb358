//! `regulus check`: diagnostics of descriptions.

use std::io::Write;

use clap::Args;
use regulus_diagnostic::PlaceReport;
use regulus_player::catalogue::{
    GameText, VideoText, find_built_in_video, find_file, game_of_level, read_source,
};
use regulus_rbg::source::Source;
use regulus_rbg::{Severity, load, render};
use regulus_vgdl::{Game, Level};
use serde::Serialize;

use super::performance::{self, RemarkReport, performance};
use super::print_json;
use crate::failure::Failure;
use crate::game_argument::{LIST, ProfileOption};

/// Check game descriptions and explain what is wrong with them
#[derive(Args)]
pub struct Check {
    /// Files to check (`-` reads standard input); a level of a video game is `game.txt:level.txt` or `game.txt:0`
    #[arg(required = true)]
    files: Vec<String>,
    #[command(flatten)]
    profile: ProfileOption,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Board games: also say which parts of the rules have no machine code, and why
    #[arg(long)]
    performance: bool,
    /// Fail on warnings, too
    #[arg(long)]
    deny_warnings: bool,
}

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    diagnostics: Vec<DiagnosticReport>,
    /// With --performance, for board games without errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    performance: Option<Vec<RemarkReport>>,
    /// The diagnostics for people, in the same order.
    #[serde(skip)]
    excerpts: Vec<String>,
}

#[derive(Serialize)]
struct DiagnosticReport {
    code: String,
    #[serde(serialize_with = "word")]
    severity: Severity,
    message: String,
    label: String,
    #[serde(flatten)]
    place: PlaceReport,
    help: Option<String>,
    related: Vec<RelatedReport>,
}

#[derive(Serialize)]
struct RelatedReport {
    message: String,
    #[serde(flatten)]
    place: PlaceReport,
}

fn word<S: serde::Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.word())
}

impl FileReport {
    fn failed(file: &str, error: String) -> Self {
        let (diagnostics, excerpts) = (Vec::new(), Vec::new());
        let (file, performance) = (file.to_owned(), None);
        FileReport { file, error: Some(error), diagnostics, performance, excerpts }
    }

    fn of_board(source: &Source, with_performance: bool) -> Self {
        let loaded = load(source);
        let diagnostics = loaded.diagnostics.iter().map(|d| DiagnosticReport {
            code: d.code.id(),
            severity: d.severity(),
            message: d.message.clone(),
            label: d.label.clone(),
            place: PlaceReport::new(source, d.span),
            help: d.help.clone(),
            related: d
                .related
                .iter()
                .map(|r| RelatedReport {
                    message: r.message.clone(),
                    place: PlaceReport::new(source, r.span),
                })
                .collect(),
        });
        FileReport {
            file: source.name().to_owned(),
            error: None,
            diagnostics: diagnostics.collect(),
            performance: loaded
                .game
                .as_ref()
                .filter(|_| with_performance)
                .map(|game| performance(source, game)),
            excerpts: loaded.diagnostics.iter().map(|d| render::render(source, d, true)).collect(),
        }
    }

    fn of_video(source: &Source, diagnostics: &[regulus_vgdl::Diagnostic]) -> Self {
        let report = |d: &regulus_vgdl::Diagnostic| {
            let (line, column) = (d.place.line as usize, d.place.column as usize);
            let end_column = d.place.end as usize;
            DiagnosticReport {
                code: d.code.id(),
                severity: d.severity(),
                message: d.message.clone(),
                label: String::new(),
                place: PlaceReport { line, column, end_line: line, end_column },
                help: d.help.clone(),
                related: Vec::new(),
            }
        };
        FileReport {
            file: source.name().to_owned(),
            error: None,
            diagnostics: diagnostics.iter().map(report).collect(),
            performance: None,
            excerpts: diagnostics.iter().map(|d| d.render(source, true)).collect(),
        }
    }

    fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == severity).count()
    }
}

impl Check {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let mut files: Vec<FileReport> = Vec::new();
        for argument in &self.files {
            for report in self.check(argument) {
                // The game of several levels is named once.
                if files.iter().all(|other| other.file != report.file) {
                    files.push(report);
                }
            }
        }
        let count = |severity| files.iter().map(|file| file.count(severity)).sum();
        let unreadable = files.iter().filter(|file| file.error.is_some()).count();
        let errors = count(Severity::Error) + unreadable;
        let warnings: usize = count(Severity::Warning);
        let report = Report { files };
        if self.json {
            print_json(&report)?;
        } else {
            print(&report, errors, warnings)?;
        }
        if errors > 0 || (self.deny_warnings && warnings > 0) {
            return Err(Failure::Silent);
        }
        Ok(())
    }

    /// Checks what one argument names: a board game, a video game, or a video game and a level.
    fn check(&self, argument: &str) -> Vec<FileReport> {
        let found = match (find_built_in_video(argument), game_of_level(argument)) {
            (Ok(Some(video)), _) => Ok(video),
            (Ok(None), Some(path)) => read_source(&path).map(|source| GameText::Video {
                game: VideoText::from_file(&path, source),
                level: Some(argument.to_owned()),
            }),
            (Ok(None), None) => find_file(argument),
            (Err(unknown), _) => Err(unknown),
        };
        match found {
            Ok(GameText::Board(_, source)) => vec![FileReport::of_board(&source, self.performance)],
            Ok(GameText::Video { game, level }) => {
                self.check_video(argument, &game, level.as_deref())
            }
            Err(fault) => vec![FileReport::failed(argument, fault.with_hint(LIST))],
        }
    }

    fn check_video(
        &self,
        argument: &str,
        video: &VideoText,
        level: Option<&str>,
    ) -> Vec<FileReport> {
        let loaded = Game::load(video.source.text(), self.profile.profile());
        let mut reports = vec![FileReport::of_video(&video.source, &loaded.diagnostics)];
        if level.is_none() {
            return reports;
        }
        let level = match video.read_level(level) {
            Ok((_, source)) => source,
            Err(fault) => {
                reports.push(FileReport::failed(argument, fault.to_string()));
                return reports;
            }
        };
        reports.push(match loaded.game {
            Some(game) => {
                FileReport::of_video(&level, &Level::load(&game, level.text()).diagnostics)
            }
            None => {
                let message =
                    format!("{} is not checked: {} has errors", level.name(), video.source.name());
                FileReport::failed(level.name(), message)
            }
        });
        reports
    }
}

fn print(report: &Report, errors: usize, warnings: usize) -> std::io::Result<()> {
    let mut out = anstream::stdout().lock();
    for file in &report.files {
        if let Some(error) = &file.error {
            writeln!(out, "error: {error}\n")?;
        }
        for excerpt in &file.excerpts {
            writeln!(out, "{excerpt}\n")?;
        }
        if let Some(remarks) = &file.performance {
            remarks.iter().try_for_each(|remark| writeln!(out, "{}\n", remark.excerpt))?;
            writeln!(out, "{}: {}", file.file, performance::summary(remarks))?;
        }
    }
    writeln!(out, "{}", summary(report.files.len(), errors, warnings))?;
    let codes = report.files.iter().flat_map(|f| &f.diagnostics).map(|d| &d.code);
    if let Some(code) = codes.min() {
        writeln!(out, "`regulus explain {code}` tells more about a code.")?;
    }
    Ok(())
}

fn summary(files: usize, errors: usize, warnings: usize) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let files = count(files, "file");
    match (errors, warnings) {
        (0, 0) => format!("{files} checked: no errors"),
        (0, w) => format!("{files} checked: no errors, {}", count(w, "warning")),
        (e, 0) => format!("{files} checked: {}", count(e, "error")),
        (e, w) => format!("{files} checked: {}, {}", count(e, "error"), count(w, "warning")),
    }
}
