//! What tests of experiments share: running the program, and looking at records without their times.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program, in a folder.
pub fn regulus(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regulus"));
    command.current_dir(folder).stdin(Stdio::null());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    command
}

/// Runs `regulus experiment`.
pub fn experiment(folder: &Path, arguments: &[&str]) -> Output {
    regulus(folder).arg("experiment").args(arguments).output().expect("regulus can be started")
}

/// The output of a command that must succeed.
pub fn good(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", err(output));
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The message of a command that must fail.
#[allow(dead_code, reason = "not all tests have commands that fail")]
pub fn bad(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", err(output));
    err(output)
}

/// What a command has said on standard error.
pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The files of records in the directory of an experiment.
pub fn record_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory.join("records"));
    let paths = entries.into_iter().flatten().map(|entry| entry.expect("a file").path());
    let is_record = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jsonl");
    let mut paths: Vec<PathBuf> = paths.filter(is_record).collect();
    paths.sort();
    paths
}

/// All records of a directory without their times, under what names them. No game may be there twice.
pub fn records(directory: &Path) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for path in record_files(directory) {
        let bytes = fs::read(&path).expect("records");
        for line in bytes.split_inclusive(|b| *b == b'\n').filter(|line| line.ends_with(b"\n")) {
            let mut record: Value = serde_json::from_slice(line).expect("a line is JSON");
            record["started"] = Value::Null;
            record["seconds"] = Value::Null;
            record["turns"]["seconds"] = Value::Null;
            record["thinking_seconds"] = Value::Null;
            record["slowest_ms"] = Value::Null;
            let key = format!("{} {} {}", record["contest"], record["unit"], record["seating"]);
            assert_eq!(found.insert(key.clone(), record), None, "{key} was played twice");
        }
    }
    found
}

/// How many lines of records there are.
pub fn count(directory: &Path) -> usize {
    let lines = |path: PathBuf| {
        fs::read(path).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count()
    };
    record_files(directory).into_iter().map(lines).sum()
}
