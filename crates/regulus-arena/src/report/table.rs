//! A table of plain values, column by column: what is written as CSV and as Parquet.

use super::{csv, parquet};

/// The values of a column; nothing where there is none.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Text.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Integer(Vec<Option<i64>>),
    /// Numbers.
    Real(Vec<Option<f64>>),
}

impl Values {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Values::Text(values) => values.len(),
            Values::Integer(values) => values.len(),
            Values::Real(values) => values.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A column.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub values: Values,
}

/// A table; all columns have the same length.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
}

impl Table {
    /// How many rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The table as comma-separated values, with a line of names.
    pub fn csv(&self) -> String {
        csv::text(self)
    }

    /// The table as a Parquet file.
    pub fn parquet(&self) -> Vec<u8> {
        parquet::bytes(self)
    }

    /// Adds a column of text.
    pub fn text(&mut self, name: &'static str, values: impl Iterator<Item = Option<String>>) {
        self.columns.push(Column { name, values: Values::Text(values.collect()) });
    }

    /// Adds a column of whole numbers.
    pub fn integer(&mut self, name: &'static str, values: impl Iterator<Item = Option<i64>>) {
        self.columns.push(Column { name, values: Values::Integer(values.collect()) });
    }

    /// Adds a column of numbers; those that are not finite are left out.
    pub fn real(&mut self, name: &'static str, values: impl Iterator<Item = Option<f64>>) {
        let values = values.map(|value| value.filter(|v| v.is_finite())).collect();
        self.columns.push(Column { name, values: Values::Real(values) });
    }
}
