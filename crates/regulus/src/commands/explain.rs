//! `regulus explain`: what a diagnostic code means.

use std::io::Write;

use clap::Args;
use regulus_rbg::Code;

use crate::failure::Failure;

/// Explain a diagnostic code such as RBG0012
#[derive(Args)]
pub struct Explain {
    /// The code, as `RBG0012` or `12`; without it, all codes are listed
    code: Option<String>,
}

impl Explain {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        let Some(text) = self.code else {
            for code in Code::ALL {
                writeln!(out, "{code}  {:7}  {}", code.severity().word(), code.title())?;
            }
            return Ok(());
        };
        let Some(code) = Code::parse(&text) else {
            return Err(Failure::Failed(format!(
                "there is no diagnostic code `{text}`; `regulus explain` lists them all"
            )));
        };
        writeln!(out, "{code} ({}): {}\n", code.severity().word(), code.title())?;
        writeln!(out, "{}", wrapped(code.explanation(), 80))?;
        let (wrong, right) = code.example();
        if !wrong.is_empty() {
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
