//! A table of a TOML file, read value by value; every error names the line.

use regulus_diagnostic::did_you_mean;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::declaration::DeclarationError;

/// A value and the line it is on.
#[derive(Clone, Debug)]
pub struct Located<T> {
    pub value: T,
    pub line: usize,
}

/// A key and its text.
pub type Entry = (Located<String>, Located<String>);

/// A table with the keys it may have.
pub struct Section<'d> {
    text: &'d str,
    table: &'d DeTable<'d>,
    /// Where it begins.
    pub line: usize,
}

impl<'d> Section<'d> {
    /// A table of a text. A key that is not known is an error that names the nearest one.
    pub fn new(
        text: &'d str,
        table: &'d DeTable<'d>,
        start: usize,
        known: &[&'static str],
    ) -> Result<Self, DeclarationError> {
        let section = Section { text, table, line: line_of(text, start) };
        // The table is sorted by keys; the first wrong one in the text is told.
        let wrong = table.iter().filter(|(key, _)| !known.contains(&key.get_ref().as_ref()));
        if let Some((key, _)) = wrong.min_by_key(|(key, _)| key.span().start) {
            let name = key.get_ref();
            let hint = match did_you_mean(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys are {}", known.join(", ")),
            };
            let line = line_of(text, key.span().start);
            return Err(DeclarationError::new(line, format!("there is no key `{name}`; {hint}")));
        }
        Ok(section)
    }

    fn get(&self, key: &str) -> Option<(&'d DeValue<'d>, usize)> {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key)?.1;
        Some((found.get_ref(), line_of(self.text, found.span().start)))
    }

    fn line_of_item(&self, item: &Spanned<DeValue<'_>>) -> usize {
        line_of(self.text, item.span().start)
    }

    /// The line of a key; that of the table if it is not there.
    pub fn line_of_key(&self, key: &str) -> usize {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key);
        found.map_or(self.line, |(name, _)| line_of(self.text, name.span().start))
    }

    /// True if there is such a key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<Located<String>>, DeclarationError> {
        self.get(key).map(|(value, line)| text_value(key, value, line)).transpose()
    }

    /// True or false.
    pub fn truth(&self, key: &str) -> Result<Option<bool>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(None) };
        let wrong = || DeclarationError::new(line, format!("`{key}` must be true or false"));
        value.as_bool().map(Some).ok_or_else(wrong)
    }

    /// A whole number from `least` on.
    pub fn count(&self, key: &str, least: u64) -> Result<Option<u64>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(None) };
        let number = value.as_integer();
        let number = number.and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        match number {
            // What is beyond it would change on its way through other programs.
            Some(number) if number >= least && number <= i64::MAX as u64 => Ok(Some(number)),
            _ => Err(DeclarationError::new(
                line,
                format!("`{key}` must be a whole number from {least} on"),
            )),
        }
    }

    /// A number from 0 to `most`.
    pub fn number(&self, key: &str, most: f64) -> Result<Option<f64>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(None) };
        match number(value) {
            Some(number) if (0.0..=most).contains(&number) => Ok(Some(number)),
            _ if most.is_finite() => {
                Err(DeclarationError::new(line, format!("`{key}` must be from 0 to {most}")))
            }
            _ => Err(DeclarationError::new(line, format!("`{key}` must be a number from 0 on"))),
        }
    }

    /// Any number.
    pub fn signed(&self, key: &str) -> Result<Option<f64>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(None) };
        match number(value) {
            Some(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(DeclarationError::new(line, format!("`{key}` must be a number"))),
        }
    }

    /// A list of whole numbers from 0 on.
    pub fn counts(&self, key: &str) -> Result<Option<Vec<u64>>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(None) };
        let wrong = || {
            DeclarationError::new(
                line,
                format!("`{key}` must be a list of whole numbers, as in {key} = [0, 1, 2]"),
            )
        };
        let whole = |item: &Spanned<DeValue<'_>>| {
            let number = item.get_ref().as_integer();
            number.and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok()).ok_or_else(wrong)
        };
        value.as_array().ok_or_else(wrong)?.iter().map(whole).collect::<Result<_, _>>().map(Some)
    }

    /// A list of texts.
    pub fn texts(&self, key: &str) -> Result<Vec<Located<String>>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(Vec::new()) };
        let wrong = || {
            DeclarationError::new(
                line,
                format!("`{key}` must be a list of texts, as in {key} = [\"a\", \"b\"]"),
            )
        };
        let items = value.as_array().ok_or_else(wrong)?;
        let item = |item: &Spanned<DeValue<'_>>| {
            text_value(key, item.get_ref(), self.line_of_item(item)).map_err(|_| wrong())
        };
        items.iter().map(item).collect()
    }

    /// A list of pairs of texts.
    pub fn pairs(&self, key: &str) -> Result<Vec<[Located<String>; 2]>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(Vec::new()) };
        let wrong = |line| {
            DeclarationError::new(
                line,
                format!("`{key}` must be a list of pairs, as in {key} = [[\"a\", \"b\"]]"),
            )
        };
        let mut pairs = Vec::new();
        for item in value.as_array().ok_or_else(|| wrong(line))? {
            let line = self.line_of_item(item);
            let both = item.get_ref().as_array().filter(|both| both.len() == 2);
            let both = both.ok_or_else(|| wrong(line))?;
            let one = |i: usize| {
                text_value(key, both[i].get_ref(), self.line_of_item(&both[i]))
                    .map_err(|_| wrong(line))
            };
            pairs.push([one(0)?, one(1)?]);
        }
        Ok(pairs)
    }

    /// A table with some keys: `[key]`.
    pub fn table(
        &self,
        key: &str,
        known: &[&'static str],
    ) -> Result<Option<Section<'d>>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(None) };
        let table = value.as_table();
        let table = table
            .ok_or_else(|| DeclarationError::new(line, format!("write `{key}` as [{key}]")))?;
        let section = Section::new(self.text, table, 0, known)?;
        Ok(Some(Section { line: self.line_of_key(key), ..section }))
    }

    /// A table of texts under any keys, in the order of the file.
    pub fn table_of_texts(&self, key: &str) -> Result<Option<Vec<Entry>>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(None) };
        let wrong = || {
            let message = format!("write `{key}` as {key} = {{ \"a\" = \"b\" }}");
            DeclarationError::new(line, message)
        };
        let table = value.as_table().ok_or_else(wrong)?;
        let entry = |(name, item): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
            let name: &Spanned<std::borrow::Cow<'_, str>> = name;
            let line = line_of(self.text, name.span().start);
            let given = text_value(key, item.get_ref(), line).map_err(|_| wrong())?;
            Ok((name.span().start, (Located { value: name.get_ref().to_string(), line }, given)))
        };
        let mut entries = table.iter().map(entry).collect::<Result<Vec<_>, DeclarationError>>()?;
        entries.sort_by_key(|(place, _)| *place);
        Ok(Some(entries.into_iter().map(|(_, entry)| entry).collect()))
    }

    /// A list of tables with some keys each: `[[key]]`.
    pub fn tables(
        &self,
        key: &str,
        known: &[&'static str],
    ) -> Result<Vec<Section<'d>>, DeclarationError> {
        let Some((value, line)) = self.get(key) else { return Ok(Vec::new()) };
        let wrong = || DeclarationError::new(line, format!("write `{key}` as [[{key}]]"));
        let table = |item: &'d Spanned<DeValue<'d>>| {
            let table = item.get_ref().as_table().ok_or_else(wrong)?;
            Section::new(self.text, table, item.span().start, known)
        };
        value.as_array().ok_or_else(wrong)?.iter().map(table).collect()
    }
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n as f64),
        DeValue::Float(n) => n.as_str().parse::<f64>().ok(),
        _ => None,
    }
}

fn text_value(
    key: &str,
    value: &DeValue<'_>,
    line: usize,
) -> Result<Located<String>, DeclarationError> {
    match value.as_str() {
        Some(text) => Ok(Located { value: text.to_owned(), line }),
        None => Err(DeclarationError::new(
            line,
            format!("`{key}` must be a text in quotes, not {}", with_article(value.type_str())),
        )),
    }
}

fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// The line of a place in a text, from 1.
pub fn line_of(text: &str, place: usize) -> usize {
    1 + text.as_bytes()[..place.min(text.len())].iter().filter(|b| **b == b'\n').count()
}
