//! Tables as Parquet files.
//!
//! The format has room for a lot; a table of results needs little of it: flat, optional columns, one page
//! each per row group, no compression. Text is written with a dictionary, since agents and games repeat.
//! A whole library for this would be a third of our build. Numbers in here are those of the format's
//! `parquet.thrift`.

use rustc_hash::FxHashMap;

use super::table::{Column, Table, Values};
use super::thrift::{Structure, varint};

const MAGIC: &[u8] = b"PAR1";

/// Rows in a row group.
const GROUP: usize = 1 << 18;

const OPTIONAL: i32 = 1;
const UNCOMPRESSED: i32 = 0;
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const RLE_DICTIONARY: i32 = 8;
const UTF8: i32 = 0;

/// The physical type of a column.
fn physical(values: &Values) -> i32 {
    match values {
        Values::Integer(_) => 2,
        Values::Real(_) => 5,
        Values::Text(_) => 6,
    }
}

/// The table as the bytes of a file.
pub fn bytes(table: &Table) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    let mut groups = Vec::new();
    let rows = table.rows();
    for start in (0..rows).step_by(GROUP) {
        let end = (start + GROUP).min(rows);
        let before = file.len();
        let chunks = table.columns.iter().map(|c| chunk(&mut file, c, start, end)).collect();
        groups.push(
            Structure::default()
                .structures(1, chunks)
                .i64(2, (file.len() - before) as i64)
                .i64(3, (end - start) as i64),
        );
    }
    let mut schema =
        vec![Structure::default().text(4, "results").i32(5, table.columns.len() as i32)];
    schema.extend(table.columns.iter().map(|column| {
        let element = Structure::default()
            .i32(1, physical(&column.values))
            .i32(3, OPTIONAL)
            .text(4, column.name);
        match column.values {
            // The converted type is for old readers, the logical type (STRING) for new ones.
            Values::Text(_) => element
                .i32(6, UTF8)
                .structure(10, Structure::default().structure(1, Structure::default())),
            Values::Integer(_) | Values::Real(_) => element,
        }
    }));
    let metadata = Structure::default()
        .i32(1, 1)
        .structures(2, schema)
        .i64(3, rows as i64)
        .structures(4, groups)
        .text(6, concat!("regulus version ", env!("CARGO_PKG_VERSION")))
        .end();
    let length = metadata.len() as u32;
    file.extend(metadata);
    file.extend(length.to_le_bytes());
    file.extend(MAGIC);
    file
}

/// Appends the rows of a column; gives its metadata.
fn chunk(file: &mut Vec<u8>, column: &Column, start: usize, end: usize) -> Structure {
    let offset = file.len() as i64;
    let mut dictionary_offset = None;
    let mut page = Vec::new();
    let rows = end - start;
    let encoding = match &column.values {
        Values::Integer(values) => {
            let values = &values[start..end];
            levels(&mut page, values.iter().map(Option::is_some));
            values.iter().flatten().for_each(|v| page.extend(v.to_le_bytes()));
            PLAIN
        }
        Values::Real(values) => {
            let values = &values[start..end];
            levels(&mut page, values.iter().map(Option::is_some));
            values.iter().flatten().for_each(|v| page.extend(v.to_le_bytes()));
            PLAIN
        }
        Values::Text(values) => {
            let values = &values[start..end];
            levels(&mut page, values.iter().map(Option::is_some));
            let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
            let (mut dictionary, mut indices) = (Vec::new(), Vec::new());
            for value in values.iter().flatten() {
                let next = numbers.len() as u32;
                indices.push(*numbers.entry(value).or_insert_with(|| {
                    dictionary.extend((value.len() as u32).to_le_bytes());
                    dictionary.extend(value.as_bytes());
                    next
                }));
            }
            dictionary_offset = Some(offset);
            let head = Structure::default().i32(1, numbers.len() as i32).i32(2, PLAIN);
            append_page(file, DICTIONARY_PAGE, &dictionary, (7, head));
            // The width of an index in bits, then the indices.
            let width =
                (u32::BITS - (numbers.len() as u32).saturating_sub(1).leading_zeros()).max(1);
            page.push(width as u8);
            runs(&mut page, indices.into_iter(), width.div_ceil(8) as usize);
            RLE_DICTIONARY
        }
    };
    let data_offset = file.len() as i64;
    let head = Structure::default().i32(1, rows as i32).i32(2, encoding).i32(3, RLE).i32(4, RLE);
    append_page(file, DATA_PAGE, &page, (5, head));
    let size = file.len() as i64 - offset;
    let encodings: &[i32] =
        if dictionary_offset.is_some() { &[PLAIN, RLE, RLE_DICTIONARY] } else { &[PLAIN, RLE] };
    let mut metadata = Structure::default()
        .i32(1, physical(&column.values))
        .i32s(2, encodings)
        .texts(3, &[column.name])
        .i32(4, UNCOMPRESSED)
        .i64(5, rows as i64)
        .i64(6, size)
        .i64(7, size)
        .i64(9, data_offset);
    if let Some(offset) = dictionary_offset {
        metadata = metadata.i64(11, offset);
    }
    Structure::default().i64(2, offset).structure(3, metadata)
}

/// Appends a page; the header of its kind goes into the given field of the page header.
fn append_page(file: &mut Vec<u8>, kind: i32, page: &[u8], (field, head): (i16, Structure)) {
    let size = page.len() as i32;
    let header = Structure::default().i32(1, kind).i32(2, size).i32(3, size).structure(field, head);
    file.extend(header.end());
    file.extend(page);
}

/// The definition levels: which values there are, with their length before them.
fn levels(page: &mut Vec<u8>, present: impl Iterator<Item = bool>) {
    let mut encoded = Vec::new();
    runs(&mut encoded, present.map(u32::from), 1);
    page.extend((encoded.len() as u32).to_le_bytes());
    page.extend(encoded);
}

/// Runs of equal numbers, each number in a fixed number of bytes.
fn runs(page: &mut Vec<u8>, values: impl Iterator<Item = u32>, bytes: usize) {
    let mut values = values.peekable();
    while let Some(value) = values.next() {
        let mut length = 1u64;
        while values.next_if_eq(&value).is_some() {
            length += 1;
        }
        varint(page, length << 1);
        page.extend(&value.to_le_bytes()[..bytes]);
    }
}
