//! What all search designs find, agent by agent, against `tests/data/signature.txt`. A commit that changes a number
//! says so and why; `REGULUS_BLESS=1 cargo test -p regulus --test signature` rewrites the file.

use std::path::Path;
use std::process::Command;

#[test]
fn no_search_finds_something_else_than_before() {
    let output = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(["signature", "--verbose"])
        .output()
        .expect("regulus can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = String::from_utf8(output.stdout).expect("the output is text");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/signature.txt");
    if std::env::var_os("REGULUS_BLESS").is_some() {
        return std::fs::write(&path, found).expect("the file can be written");
    }
    let known = std::fs::read_to_string(&path).expect("the file is there");
    let changed: Vec<&str> = found.lines().filter(|line| !known.contains(line)).collect();
    assert!(
        found == known,
        "searches find something else; if that is meant, run with REGULUS_BLESS=1 and say so in the commit:\n{}",
        changed.join("\n")
    );
}
