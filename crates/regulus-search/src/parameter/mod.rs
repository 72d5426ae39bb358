//! What a parameter is. Every parameter is declared once, beside the part that it belongs to: as a [`Parameter`] of a
//! part of a registry, or as a [`Setting`] of a structure. Files, their schema, refusals, explanations, words in names of
//! agents and the tables of the documentation all come from there.

mod component;
mod field;
mod kind;
mod setting;
mod value;

pub use component::{Component, ComponentWord, Games};
pub use field::Field;
pub(crate) use field::{field, words};
pub use kind::Kind;
pub use setting::{Access, Number, Section, Setting, Word, sentences, validate, word_and_number};
pub use value::Value;

/// The largest number of what has no other bound.
pub const MANY: u64 = u32::MAX as u64;

/// A key of a file.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Where it stands in a configuration: `selection.c`. The last word is the key.
    pub path: &'static str,
    /// What its value must be.
    pub kind: Kind,
    /// What it is if nothing is said.
    pub default: Value,
    /// What it means.
    pub help: &'static str,
    /// The value that a paper gives, and what it says about it; nothing if there is none.
    pub published: &'static str,
}

impl Parameter {
    /// A number from `least` to `greatest`.
    pub const fn number(
        path: &'static str,
        help: &'static str,
        (least, greatest): (f64, f64),
        default: f64,
    ) -> Self {
        let kind = Kind::Number(least, greatest);
        Parameter { path, kind, default: Value::Number(default), help, published: "" }
    }

    /// A whole number from `least` to `greatest`.
    pub const fn count(
        path: &'static str,
        help: &'static str,
        (least, greatest): (u64, u64),
        default: u64,
    ) -> Self {
        let kind = Kind::Count(least, greatest);
        Parameter { path, kind, default: Value::Count(default), help, published: "" }
    }

    /// True or false.
    pub const fn flag(path: &'static str, help: &'static str, default: bool) -> Self {
        Parameter { path, kind: Kind::Flag, default: Value::Flag(default), help, published: "" }
    }

    /// A probability.
    pub const fn epsilon(path: &'static str, default: f64) -> Self {
        Parameter::number(path, "the probability of any action", (0.0, 1.0), default)
    }

    /// The same with what a paper says.
    pub const fn published(self, published: &'static str) -> Self {
        Parameter { published, ..self }
    }

    /// Its name in a file.
    pub fn key(&self) -> &'static str {
        key(self.path)
    }
}

fn key(path: &'static str) -> &'static str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The example of the documentation is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/new-part.md")]
struct NewPart;
