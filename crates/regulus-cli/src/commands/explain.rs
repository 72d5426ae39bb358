//! `regulus explain`: what a diagnostic code means.

use std::io::Write;

use clap::Args;
use regulus_rbg::Code as BoardCode;
use regulus_vgdl::Code as VideoCode;

use crate::failure::Failure;

/// Explain a diagnostic code such as RBG0012 or VGDL0009
#[derive(Args)]
pub struct Explain {
    /// The code, as `RBG0012`, `vgdl9` or `12` (of RBG); without it, all codes are listed
    code: Option<String>,
}

/// A code of either language.
struct CodeEntry {
    id: String,
    severity: &'static str,
    title: &'static str,
    explanation: &'static str,
    example: Option<(&'static str, &'static str)>,
}

macro_rules! code_entry {
    ($code:expr) => {
        CodeEntry {
            id: $code.id(),
            severity: $code.severity().word(),
            title: $code.title(),
            explanation: $code.explanation(),
            example: $code.example(),
        }
    };
}

fn all() -> Vec<CodeEntry> {
    let boards = BoardCode::ALL.iter().map(|code| code_entry!(code));
    let videos = VideoCode::ALL.iter().map(|code| code_entry!(code));
    boards.chain(videos).collect()
}

fn parse(text: &str) -> Option<CodeEntry> {
    let board = BoardCode::parse(text).map(|code| code_entry!(code));
    let is_number = text.trim().bytes().all(|byte| byte.is_ascii_digit());
    let video = || VideoCode::parse(text).filter(|_| !is_number).map(|code| code_entry!(code));
    board.or_else(video)
}

impl Explain {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        let Some(text) = self.code else {
            for code in all() {
                writeln!(out, "{:8}  {:7}  {}", code.id, code.severity, code.title)?;
            }
            return Ok(());
        };
        let Some(code) = parse(&text) else {
            return Err(Failure::Failed(format!(
                "there is no diagnostic code `{text}`; `regulus explain` lists them all"
            )));
        };
        writeln!(out, "{} ({}): {}\n", code.id, code.severity, code.title)?;
        writeln!(out, "{}", wrapped(code.explanation, 80))?;
        if let Some((wrong, right)) = code.example {
            writeln!(out, "\nInstead of\n\n    {wrong}\n\nwrite\n\n    {right}")?;
        }
        Ok(())
    }
}

/// Breaks a paragraph into lines of at most `width` characters.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines.join("\n")
}
