//! The tables: CSV by golden files, Parquet by a reader that is not ours.

use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::by_hand;
use crate::directory::random_records;

/// The rows of a Parquet file: names and values as text; what is missing is empty.
pub fn read_back(path: &Path) -> Vec<Vec<(String, String)>> {
    let reader = SerializedFileReader::try_from(path).expect("a Parquet file");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| {
        let row = row.expect("a row");
        let text = |field: &Field| match field {
            Field::Null => String::new(),
            Field::Str(text) => text.clone(),
            Field::Long(number) => number.to_string(),
            Field::Double(number) => number.to_string(),
            other => panic!("an unexpected type: {other:?}"),
        };
        row.get_column_iter().map(|(name, field)| (name.clone(), text(field))).collect()
    })
    .collect()
}

/// Compares with a file; `REGULUS_BLESS=1` rewrites it.
pub fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports").join(name);
    if std::env::var_os("REGULUS_BLESS").is_some() {
        std::fs::write(&path, found).expect("written");
    }
    let expected = std::fs::read_to_string(&path).expect("a golden file");
    assert_eq!(found, expected, "{name}");
}

#[test]
fn tables_are_the_golden_ones() {
    let directory = by_hand();
    let (_, written) = directory.report();
    golden("table.csv", &std::fs::read_to_string(written.table).expect("a table"));
    let results = std::fs::read_to_string(written.csv).expect("a table");
    // The hash of a contest covers all parameters of its agents, of which there will be more.
    let masked: Vec<String> = results
        .lines()
        .map(|line| {
            let mut cells: Vec<&str> = line.split(',').collect();
            if cells[1] != "contest" {
                assert_eq!(cells[1].len(), 16, "{line}");
                cells[1] = "CONTEST";
            }
            cells.join(",")
        })
        .collect();
    golden("results.csv", &(masked.join("\n") + "\n"));
}

/// Both files say the same, value by value.
#[test]
fn parquet_is_read_back() {
    let directory = by_hand();
    directory.append("random", &random_records(&directory));
    let (_, written) = directory.report();
    let csv = std::fs::read_to_string(&written.csv).expect("a table");
    let rows = read_back(&written.parquet);
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let lines: Vec<&str> = lines.collect();
    assert_eq!((rows.len(), lines.len()), (16, 16));
    for (row, line) in rows.iter().zip(lines) {
        let cells: Vec<&str> = line.split(',').collect();
        let (found, values): (Vec<&str>, Vec<&str>) =
            row.iter().map(|(name, value)| (name.as_str(), value.as_str())).unzip();
        assert_eq!((found, values), (names.clone(), cells));
    }
}

/// More than one row group, dictionaries that need two bytes, and values that are missing.
#[test]
fn long_tables_are_read_back() {
    let mut table = regulus_arena::report::Table::default();
    let count = 300_000;
    table.text("word", (0..count).map(|i| (i % 5 != 0).then(|| format!("word {}", i % 1000))));
    table.integer("whole", (0..count).map(|i| (i % 7 != 0).then_some(i - 150_000)));
    table.real("part", (0..count).map(|i| (i % 3 != 0).then_some(i as f64 / 8.0)));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.parquet");
    std::fs::write(&path, table.parquet()).expect("written");
    let reader = SerializedFileReader::try_from(path.as_path()).expect("a Parquet file");
    assert_eq!(reader.num_row_groups(), 2);
    assert_eq!(reader.metadata().file_metadata().num_rows(), count);
    let mut rows = 0;
    for (i, row) in (0..count).zip(reader.get_row_iter(None).expect("rows")) {
        let row = row.expect("a row");
        let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        let expected = [
            if i % 5 == 0 { Field::Null } else { Field::Str(format!("word {}", i % 1000)) },
            if i % 7 == 0 { Field::Null } else { Field::Long(i - 150_000) },
            if i % 3 == 0 { Field::Null } else { Field::Double(i as f64 / 8.0) },
        ];
        assert_eq!(fields, expected.iter().collect::<Vec<_>>(), "row {i}");
        rows += 1;
    }
    assert_eq!(rows, count);
}
