//! Tables as text.

use std::io::{self, Write};

/// Sequences for terminals.
pub const BOLD: &str = "\x1b[1m";
pub const GREEN: &str = "\x1b[1;32m";
pub const RED: &str = "\x1b[31m";
pub const YELLOW: &str = "\x1b[33m";
pub const PLAIN: &str = "\x1b[0m";

/// A text in a table and how it is shown on a terminal.
pub struct Item {
    /// The text.
    pub text: String,
    /// A sequence for terminals; nothing for plain text.
    pub style: &'static str,
}

/// A plain text.
pub fn item(text: impl Into<String>) -> Item {
    Item { text: text.into(), style: "" }
}

/// A table: columns whose names begin with `<` are text, others are numbers.
pub struct Grid {
    /// The rows; each has an item for every column.
    pub rows: Vec<Vec<Item>>,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
}

impl Grid {
    /// A table without rows.
    pub fn new(columns: &[&'static str]) -> Self {
        Grid { rows: Vec::new(), columns: columns.to_vec() }
    }

    /// Prints it; columns without anything in them are left out.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let name = |column: usize| self.columns[column].trim_start_matches('<');
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].text.chars().count());
            let widest = cells.max().unwrap_or(0);
            (widest > 0).then(|| widest.max(name(column).chars().count()))
        };
        let shown: Vec<(usize, usize)> =
            (0..self.columns.len()).filter_map(|c| Some((c, width(c)?))).collect();
        let line = |cell: &dyn Fn(usize) -> (String, &'static str)| {
            let mut line = String::new();
            for (column, width) in &shown {
                let (text, style) = cell(*column);
                let gap = " ".repeat(width.saturating_sub(text.chars().count()));
                let text = if style.is_empty() { text } else { format!("{style}{text}{PLAIN}") };
                line += "  ";
                line += &match self.columns[*column].starts_with('<') {
                    true => text + &gap,
                    false => gap + &text,
                };
            }
            line.trim_end().to_owned()
        };
        writeln!(out, "{}", line(&|column| (name(column).to_owned(), "")))?;
        for row in &self.rows {
            writeln!(out, "{}", line(&|c| (row[c].text.clone(), row[c].style)))?;
        }
        Ok(())
    }
}
