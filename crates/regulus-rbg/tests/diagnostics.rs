//! Every diagnostic, as its reader sees it.
//!
//! `tests/diagnostics/RBGnnnn-name.rbg` is a description with that mistake, and the file `.txt`
//! beside it the exact rendering; `ok-name.rbg` is a description about which there is nothing to
//! say. What would take a huge file is written by this program and has only its `.txt` there.
//! `REGULUS_BLESS=1 cargo test -p regulus-rbg --test diagnostics` rewrites the renderings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regulus_rbg::{Code, Loaded, Source, load, render};

/// No rendering is longer than this, however long the lines of the description.
const LONGEST_LINE: usize = 240;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

/// A description to be judged: its file name without the ending, and its bytes.
struct Fixture {
    stem: String,
    bytes: Vec<u8>,
}

/// The fixtures that are files, sorted by name.
fn written() -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for entry in fs::read_dir(folder()).expect("the folder of fixtures is there") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_some_and(|e| e == "rbg") {
            let stem = path.file_stem().and_then(|s| s.to_str()).expect("an ASCII name");
            let bytes = fs::read(&path).expect("the fixture can be read");
            fixtures.push(Fixture { stem: stem.to_owned(), bytes });
        }
    }
    fixtures.sort_by(|a, b| a.stem.cmp(&b.stem));
    fixtures
}

/// The fixtures that would be large files.
fn generated() -> Vec<Fixture> {
    let fixture =
        |stem: &str, text: String| Fixture { stem: stem.to_owned(), bytes: text.into_bytes() };
    vec![
        fixture("RBG0004-file-too-large", file_too_large()),
        fixture("RBG0006-long-name", long_name()),
        fixture("RBG0058-vertices-of-a-graph", graph_too_large()),
        fixture("RBG0062-line-of-a-megabyte", undeclared_in_a_long_line()),
        fixture("RBG0062-end-of-a-chain", chain_of_macros("rihgt {e}", "")),
        fixture("RBG0063-end-of-a-chain", chain_of_macros("[piece]", "(piece)")),
        fixture("RBG0071-end-of-a-chain", chain_of_macros("[$ piece = 200]", "(piece)")),
        fixture("ok-chain-of-macros", chain_of_macros("right left", "")),
    ]
}

const HEAD: &str = "#players = white(100)\n#pieces = e\n#variables =\n";
const BOARD: &str = "#board = rectangle(up, down, left, right, [e, e])\n";

fn file_too_large() -> String {
    format!("{HEAD}{BOARD}#rules = ->white{} ->> {{}}\n", " right left".repeat(400_000))
}

fn long_name() -> String {
    let name = "up".repeat(200);
    format!("{HEAD}{BOARD}#{name} = right left\n#rules = ->white {name} ->> {{}}\n")
}

/// A thousand macros that use each other, and at the end of them something to do.
fn chain_of_macros(end: &str, parameter: &str) -> String {
    let mut text = format!("{HEAD}{BOARD}#m0{parameter} = {end}\n");
    for i in 1..=1000 {
        text += &format!("#m{i}{parameter} = m{}{parameter}\n", i - 1);
    }
    let argument = if parameter.is_empty() { "" } else { "(white)" };
    text + &format!("#rules = ->white m1000{argument} ->> {{}}\n")
}

fn graph_too_large() -> String {
    let mut text = format!("{HEAD}#board =\n");
    for i in 0..70_000 {
        text += &format!("v{i} [e] {{next: v{}}}\n", (i + 1) % 70_000);
    }
    text + "#rules = ->white next ->> {}\n"
}

fn undeclared_in_a_long_line() -> String {
    let line = " right left".repeat(40_000);
    format!("{HEAD}{BOARD}#rules = ->white{line} rihgt{line} ->> {{}}\n")
}

fn judge(fixture: &Fixture, ending: &str) -> (Source, Loaded) {
    let source = Source::from_bytes(format!("{}{ending}", fixture.stem), fixture.bytes.clone());
    let loaded = load(&source);
    (source, loaded)
}

fn rendering(source: &Source, loaded: &Loaded) -> String {
    let mut text = String::new();
    for diagnostic in &loaded.diagnostics {
        text += &render::render(source, diagnostic, false);
        text += "\n\n";
    }
    text.truncate(text.trim_end().len());
    if text.is_empty() { text } else { text + "\n" }
}

/// The code that a file name begins with; `None` for `ok-name`.
fn code_of(stem: &str) -> Option<Code> {
    let (prefix, _) = stem.split_once('-').expect("a file name has a dash");
    if prefix == "ok" {
        return None;
    }
    let code = Code::parse(prefix);
    assert!(code.is_some_and(|c| c.id() == prefix), "`{stem}` begins with an unknown code");
    code
}

#[test]
fn renderings_are_as_recorded() {
    let bless = std::env::var_os("REGULUS_BLESS").is_some_and(|v| v == "1");
    let mut wrong = Vec::new();
    for fixture in written().iter().chain(&generated()) {
        let (source, loaded) = judge(fixture, ".rbg");
        let now = rendering(&source, &loaded);
        let path = folder().join(format!("{}.txt", fixture.stem));
        if bless {
            fs::write(&path, &now).expect("the folder of fixtures can be written");
        }
        let recorded = fs::read_to_string(&path).unwrap_or_default();
        if recorded != now || !path.exists() {
            wrong.push(format!("--- {}: recorded\n{recorded}+++ now\n{now}", fixture.stem));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n{} renderings differ; look at them, then run with REGULUS_BLESS=1",
        wrong.join("\n"),
        wrong.len()
    );
}

#[test]
fn a_fixture_shows_the_code_in_its_name() {
    for fixture in written().iter().chain(&generated()) {
        let (_, loaded) = judge(fixture, ".rbg");
        let codes: Vec<Code> = loaded.diagnostics.iter().map(|d| d.code).collect();
        match code_of(&fixture.stem) {
            // One mistake, one kind of message: whatever else is said is a follow-up to be avoided.
            Some(code) => assert!(
                codes.contains(&code)
                    && (codes.iter().all(|c| *c == code) || fixture.stem.ends_with("-many-errors")),
                "{}: found {codes:?}",
                fixture.stem
            ),
            None => assert!(codes.is_empty(), "{}: found {codes:?}", fixture.stem),
        }
        let has_error = codes.iter().any(|c| c.severity() == regulus_rbg::Severity::Error);
        assert_eq!(loaded.game.is_none(), has_error, "{}", fixture.stem);
    }
}

#[test]
fn every_code_has_a_fixture() {
    let shown: BTreeSet<Code> =
        written().iter().chain(&generated()).filter_map(|f| code_of(&f.stem)).collect();
    let missing: Vec<&Code> = Code::ALL.iter().filter(|c| !shown.contains(c)).collect();
    assert!(missing.is_empty(), "no fixture for {missing:?}");
}

#[test]
fn every_rendering_has_a_fixture() {
    let stems: BTreeSet<String> =
        written().into_iter().chain(generated()).map(|f| f.stem).collect();
    for entry in fs::read_dir(folder()).expect("the folder of fixtures is there") {
        let path = entry.expect("the folder can be read").path();
        let stem = path.file_stem().and_then(|s| s.to_str()).expect("an ASCII name");
        assert!(stems.contains(stem), "{} has no description", path.display());
    }
}

#[test]
fn renderings_are_short_and_plain() {
    for fixture in written().iter().chain(&generated()) {
        let (source, loaded) = judge(fixture, ".rbg");
        for diagnostic in &loaded.diagnostics {
            let text = render::render(&source, diagnostic, false);
            assert!(!text.contains('\x1b'), "{}: colours", fixture.stem);
            let longest = text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
            assert!(longest <= LONGEST_LINE, "{}: a line of {longest}\n{text}", fixture.stem);
            assert!(text.lines().count() <= 40, "{}: too many lines\n{text}", fixture.stem);
            assert!(!diagnostic.message.ends_with('.'), "{}", diagnostic.message);
        }
    }
}

/// A description around a fragment: what the fragment gives is its own, the rest is plain. All labels
/// lead on from every vertex, and every macro of the fragment is used.
fn complete(fragment: &str) -> String {
    let has_variable_x = fragment.contains("[$ x");
    let fragment = match fragment.split_whitespace().next().unwrap_or_default() {
        word if word.starts_with('#') || word == "players" || word == "/*" => fragment.to_owned(),
        "a" => format!("#board = {fragment}"),
        _ => format!("#rules = ->white {fragment} ->black ->> {{}}"),
    };
    let mut text = String::new();
    for (section, content) in [
        ("players", "white(100), black(100)"),
        ("pieces", if has_variable_x { "e, w, b" } else { "e, w, b, x" }),
        ("variables", if has_variable_x { "turn(9), x(9)" } else { "turn(9)" }),
        (
            "board",
            "a [e] {up: z, down: z, left: z, right: z} z [e] {up: a, down: a, left: a, right: a}",
        ),
    ] {
        if !fragment.contains(&format!("{section} =")) {
            text += &format!("#{section} = {content}\n");
        }
    }
    let after = fragment.starts_with("players =");
    text = if after { format!("{fragment}\n{text}") } else { format!("{text}{fragment}\n") };
    if !text.contains("#rules") {
        let uses: Vec<String> = fragment.split('#').filter_map(use_of_macro).collect();
        text += &format!("#rules = ->white {} ->black ->> {{}}\n", uses.join(" "));
    }
    text
}

/// How the macro that a directive defines is used, with pieces as arguments.
fn use_of_macro(directive: &str) -> Option<String> {
    let head = directive.split('=').next()?.trim();
    let name = head.split('(').next()?.trim();
    let is_section = ["", "players", "pieces", "variables", "board", "rules"].contains(&name);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric());
    let parameters = head.matches(';').count() + head.matches('(').count();
    let arguments = ["w", "b"].repeat(2)[..parameters].join("; ");
    (!is_section && is_name).then(|| match parameters {
        0 => name.to_owned(),
        _ => format!("{{{name}({arguments})}}"),
    })
}

#[test]
fn examples_are_truthful() {
    let mut wrong_examples = Vec::new();
    for code in Code::ALL {
        let Some((wrong, right)) = code.example() else { continue };
        // Bytes that are not text, and fragments with an ellipsis, are for the reader only.
        if wrong.contains("\\x") || wrong.contains("...") {
            continue;
        }
        let codes = |fragment: &str| -> Vec<Code> {
            let loaded = load(&Source::new("example", complete(fragment)));
            loaded.diagnostics.iter().map(|d| d.code).collect()
        };
        let found = codes(wrong);
        if !found.contains(code) {
            wrong_examples.push(format!("{code} gives {found:?}:\n{}", complete(wrong)));
        }
        if codes(right).contains(code) {
            wrong_examples.push(format!("{code} is not put right:\n{}", complete(right)));
        }
    }
    assert!(wrong_examples.is_empty(), "{}", wrong_examples.join("\n"));
}
