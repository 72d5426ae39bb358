//! Text and numbers as HTML.

use crate::report::cell::Standing;

/// Text that stands for itself.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The name of an agent, which may be broken at underscores.
pub fn agent(name: &str) -> String {
    format!("<code>{}</code>", escape(name).replace('_', "_<wbr>"))
}

/// A whole number with thin spaces between thousands.
pub fn whole(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A rate for people: 12.8 M, 296 k.
pub fn rate(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.2} M", v / 1e6),
        v if v >= 1e4 => format!("{:.1} k", v / 1e3),
        v => format!("{v:.0}"),
    }
}

/// A number that may be infinite or missing, with a sign if it is a difference.
pub fn number(value: Option<f64>, digits: usize, signed: bool) -> String {
    match value {
        None => "–".to_owned(),
        Some(v) if v.is_infinite() => (if v > 0.0 { "∞" } else { "−∞" }).to_owned(),
        Some(v) => {
            let size = format!("{:.digits$}", v.abs());
            // What rounds to nothing has no sign.
            let zero = size.chars().all(|c| matches!(c, '0' | '.'));
            let sign = match () {
                () if zero => "",
                () if v < 0.0 => "−",
                () if signed => "+",
                () => "",
            };
            format!("{sign}{size}")
        }
    }
}

/// A published percentage with the digits that were published, one at least.
pub fn as_published(value: f64) -> String {
    let digits = if (value * 10.0 - (value * 10.0).round()).abs() < 1e-9 { 1 } else { 2 };
    number(Some(value), digits, false)
}

/// A cell of a table; `key` is what it is sorted by, if that is not what it shows.
pub fn cell(class: &str, key: Option<f64>, content: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let key = match key {
        Some(key) if key.is_finite() => format!(" data-key=\"{key}\""),
        Some(key) if key > 0.0 => " data-key=\"1e99\"".to_owned(),
        Some(_) => " data-key=\"-1e99\"".to_owned(),
        None => String::new(),
    };
    format!("<td{class}{key}>{content}</td>")
}

/// Tables with more rows have a bar to scroll them.
const LONG: usize = 16;

/// A table that can be sorted. Columns whose names begin with `#` are numbers.
pub fn sortable(columns: &[&str], rows: &[String]) -> String {
    let heads: Vec<String> = columns
        .iter()
        .map(|name| match name.strip_prefix('#') {
            Some(name) => format!("<th class=\"n\" scope=\"col\">{name}</th>"),
            None => format!("<th scope=\"col\">{name}</th>"),
        })
        .collect();
    let class = if rows.len() > LONG { "scroll tall" } else { "scroll" };
    format!(
        "<div class=\"{class}\"><table class=\"sortable\"><thead><tr>{}</tr></thead>\n<tbody>\n{}\n\
         </tbody></table></div>\n",
        heads.concat(),
        rows.join("\n")
    )
}

/// The class of a standing.
pub fn standing(standing: Option<Standing>) -> &'static str {
    standing.map_or("", Standing::word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(whole(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(whole(12), "12");
        assert_eq!(number(Some(-0.04), 1, true), "0.0");
        assert_eq!(number(Some(2.5), 1, true), "+2.5");
        assert_eq!(number(Some(-2.5), 1, false), "−2.5");
        assert_eq!(number(Some(f64::NEG_INFINITY), 1, false), "−∞");
        assert_eq!(number(None, 1, false), "–");
        assert_eq!(rate(12_760_000.0), "12.76 M");
        assert_eq!(
            escape("<a href='x'>&\"</a>"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;"
        );
    }
}
