//! Writing Thrift's compact protocol, which the metadata of Parquet is in.

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure that is written field by field, in ascending order of their numbers.
#[derive(Default)]
pub struct Structure {
    bytes: Vec<u8>,
    last: i16,
}

impl Structure {
    fn head(&mut self, field: i16, kind: u8) {
        let step = field - self.last;
        if (1..=15).contains(&step) {
            self.bytes.push((step as u8) << 4 | kind);
        } else {
            self.bytes.push(kind);
            varint(&mut self.bytes, zigzag(i64::from(field)));
        }
        self.last = field;
    }

    /// A field with a small number.
    #[must_use]
    pub fn i32(mut self, field: i16, value: i32) -> Self {
        self.head(field, I32);
        varint(&mut self.bytes, zigzag(i64::from(value)));
        self
    }

    /// A field with a number.
    #[must_use]
    pub fn i64(mut self, field: i16, value: i64) -> Self {
        self.head(field, I64);
        varint(&mut self.bytes, zigzag(value));
        self
    }

    /// A field with a text.
    #[must_use]
    pub fn text(mut self, field: i16, value: &str) -> Self {
        self.head(field, BINARY);
        binary(&mut self.bytes, value);
        self
    }

    /// A field with a structure.
    #[must_use]
    pub fn structure(mut self, field: i16, value: Structure) -> Self {
        self.head(field, STRUCT);
        self.bytes.extend(value.end());
        self
    }

    /// A field with small numbers.
    #[must_use]
    pub fn i32s(mut self, field: i16, values: &[i32]) -> Self {
        self.list(field, I32, values.len());
        values.iter().for_each(|v| varint(&mut self.bytes, zigzag(i64::from(*v))));
        self
    }

    /// A field with texts.
    #[must_use]
    pub fn texts(mut self, field: i16, values: &[&str]) -> Self {
        self.list(field, BINARY, values.len());
        values.iter().for_each(|value| binary(&mut self.bytes, value));
        self
    }

    /// A field with structures.
    #[must_use]
    pub fn structures(mut self, field: i16, values: Vec<Structure>) -> Self {
        self.list(field, STRUCT, values.len());
        values.into_iter().for_each(|value| self.bytes.extend(value.end()));
        self
    }

    fn list(&mut self, field: i16, kind: u8, length: usize) {
        self.head(field, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            varint(&mut self.bytes, length as u64);
        }
    }

    /// All of it.
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn binary(bytes: &mut Vec<u8>, value: &str) {
    varint(bytes, value.len() as u64);
    bytes.extend(value.as_bytes());
}

/// Small numbers of either sign as small numbers.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Seven bits a byte, the lowest first.
pub fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
