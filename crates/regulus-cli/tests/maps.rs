//! Maps of the project are true: every path that ARCHITECTURE.md, CONTRIBUTING.md, README.md and the tables at the top of
//! crates and modules name is there, and crates depend on what the table of crates says.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What stands between backquotes or in brackets behind a link, and looks like a path.
fn named_paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    let linked = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    quoted.chain(linked).filter(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let endings = [".rs", ".md", ".toml", ".tsv", ".js", "/"];
        let folders = ["crates/", "docs/", "record/", "experiments/", "fuzz/", "benches/", ".ci/"];
        word.chars().all(plain)
            && !word.starts_with('/')
            && (endings.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
                || folders.iter().any(|folder| word.starts_with(folder)))
    })
}

/// The paths of a text that are not there. They begin in one of some folders, or in the folder of one that was named
/// before in the same line.
fn missing(text: &str, folders: &[&Path]) -> Vec<String> {
    let mut missing = Vec::new();
    for line in text.lines() {
        let mut known: Vec<PathBuf> = folders.iter().map(|folder| folder.to_path_buf()).collect();
        for path in named_paths(line) {
            match known.iter().rev().map(|folder| folder.join(path)).find(|path| path.exists()) {
                Some(found) if found.is_dir() => known.push(found),
                Some(found) => known.extend(found.parent().map(Path::to_owned)),
                None => missing.push(format!("{path} in: {line}")),
            }
        }
    }
    missing
}

/// The maps in the source of a crate: what stands at the top of its modules.
fn maps(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            maps(&path, found);
        } else if ["lib.rs", "main.rs", "mod.rs"].contains(&name) {
            found.push(path);
        }
    }
}

#[test]
fn every_path_that_a_map_names_is_there() {
    let root = root();
    let mut wrong = Vec::new();
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        wrong.extend(missing(&read(&root.join(name)), &[&root]));
    }
    for entry in fs::read_dir(root.join("crates")).expect("crates") {
        let folder = entry.expect("a crate").path();
        let mut files = Vec::new();
        maps(&folder.join("src"), &mut files);
        for file in files {
            let text = read(&file);
            let top: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
            let module = file.parent().expect("a folder");
            let source = folder.join("src");
            wrong.extend(missing(&top.join("\n"), &[&root, &folder, &source, module]));
        }
    }
    assert!(wrong.is_empty(), "not there:\n{}", wrong.join("\n"));
}

#[test]
fn crates_depend_on_what_the_map_says() {
    let root = root();
    let text = read(&root.join("ARCHITECTURE.md"));
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| `crates/") && line.matches('|').count() == 5)
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), fs::read_dir(root.join("crates")).expect("crates").count());
    for row in rows {
        let (folder, uses) = (row[1].trim_matches('`'), row[4]);
        let manifest = read(&root.join(folder).join("Cargo.toml"));
        let own = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let own = own.lines().take_while(|line| !line.starts_with('['));
        let mut used: Vec<&str> = own
            .filter_map(|line| line.split(['.', ' ']).next()?.strip_prefix("regulus-"))
            .collect();
        used.sort_unstable();
        let named: Vec<&str> = uses.split(", ").filter(|name| *name != "-").collect();
        assert!(uses == "all" || named == used, "{folder} uses {}", used.join(", "));
    }
}
