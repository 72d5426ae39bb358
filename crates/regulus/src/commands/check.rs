//! `regulus check`: diagnostics of descriptions.

use std::io::Write;

use clap::Args;
use regulus_rbg::source::Source;
use regulus_rbg::{Diagnostic, Severity, Span, load, render};
use serde::Serialize;

use super::print_json;
use crate::failure::Failure;
use crate::game_argument::read_source;

/// Check game descriptions and explain what is wrong with them
#[derive(Args)]
pub struct Check {
    /// Files to check (`-` reads standard input)
    #[arg(required = true)]
    files: Vec<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
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
}

#[derive(Serialize)]
struct DiagnosticReport {
    code: String,
    severity: &'static str,
    message: String,
    label: String,
    #[serde(flatten)]
    range: Range,
    help: Option<String>,
    related: Vec<RelatedReport>,
}

#[derive(Serialize)]
struct RelatedReport {
    message: String,
    #[serde(flatten)]
    range: Range,
}

#[derive(Serialize)]
struct Range {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl Range {
    fn of(source: &Source, span: Span) -> Range {
        let (start, end) = (source.line_column(span.start), source.line_column(span.end));
        Range { line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    }
}

impl DiagnosticReport {
    fn new(source: &Source, diagnostic: &Diagnostic) -> Self {
        DiagnosticReport {
            code: diagnostic.code.id(),
            severity: diagnostic.severity().word(),
            message: diagnostic.message.clone(),
            label: diagnostic.label.clone(),
            range: Range::of(source, diagnostic.span),
            help: diagnostic.help.clone(),
            related: diagnostic
                .related
                .iter()
                .map(|r| RelatedReport {
                    message: r.message.clone(),
                    range: Range::of(source, r.span),
                })
                .collect(),
        }
    }
}

impl Check {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        let (mut errors, mut warnings) = (0, 0);
        let mut report = Report { files: Vec::new() };
        for file in &self.files {
            let source = match read_source(file) {
                Ok(source) => source,
                Err(Failure::Failed(message)) => {
                    errors += 1;
                    if !self.json {
                        writeln!(out, "error: {message}\n")?;
                    }
                    let diagnostics = Vec::new();
                    let file = file.clone();
                    report.files.push(FileReport { file, error: Some(message), diagnostics });
                    continue;
                }
                Err(other) => return Err(other),
            };
            let loaded = load(&source);
            for diagnostic in &loaded.diagnostics {
                match diagnostic.severity() {
                    Severity::Error => errors += 1,
                    Severity::Warning => warnings += 1,
                }
                if !self.json {
                    writeln!(out, "{}\n", render::render(&source, diagnostic, true))?;
                }
            }
            let diagnostics = &loaded.diagnostics;
            report.files.push(FileReport {
                file: source.name().to_owned(),
                error: None,
                diagnostics: diagnostics
                    .iter()
                    .map(|d| DiagnosticReport::new(&source, d))
                    .collect(),
            });
        }
        if self.json {
            print_json(&report)?;
        } else {
            writeln!(out, "{}", summary(self.files.len(), errors, warnings))?;
            let codes = report.files.iter().flat_map(|f| &f.diagnostics).map(|d| &d.code);
            if let Some(code) = codes.min() {
                writeln!(out, "`regulus explain {code}` tells more about a code.")?;
            }
        }
        if errors > 0 || (self.deny_warnings && warnings > 0) {
            return Err(Failure::Silent);
        }
        Ok(())
    }
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
