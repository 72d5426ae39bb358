//! Tables as comma-separated values (RFC 4180, with lines that end as on Unix).

use std::fmt::Write as _;

use super::table::{Table, Values};

/// The table as text, with a line of names. Numbers are written so that they read back the same.
pub fn text(table: &Table) -> String {
    let names: Vec<String> = table.columns.iter().map(|c| quoted(c.name)).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..table.rows() {
        for (i, column) in table.columns.iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            match &column.values {
                Values::Text(values) => {
                    if let Some(value) = &values[row] {
                        text.push_str(&quoted(value));
                    }
                }
                Values::Integer(values) => {
                    if let Some(value) = values[row] {
                        let _ = write!(text, "{value}");
                    }
                }
                Values::Real(values) => {
                    if let Some(value) = values[row] {
                        let _ = write!(text, "{value}");
                    }
                }
            }
        }
        text.push('\n');
    }
    text
}

fn quoted(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_they_must_be() {
        let mut table = Table::default();
        table.text("a", ["x", "y, \"z\"", "two\nlines"].into_iter().map(|s| Some(s.to_owned())));
        table.integer("b", [Some(1), None, Some(-3)].into_iter());
        table.real("c,d", [Some(0.5), Some(f64::INFINITY), None].into_iter());
        assert_eq!(
            super::text(&table),
            "a,b,\"c,d\"\nx,1,0.5\n\"y, \"\"z\"\"\",,\n\"two\nlines\",-3,\n"
        );
    }
}
