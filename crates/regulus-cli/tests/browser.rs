//! The web page in a real browser: `regulus serve` on a free port, and Chromium driven through whole games.
//! What visitors do is in `crates/regulus-web/tests/browser/`; pictures of what they see are kept in
//! `browser-screenshots` of the target directory.
//!
//! Where Node.js, its packages (`npm ci` in that folder) or Chromium are not installed the tests say that they
//! skip; with the environment variable `REGULUS_NEEDS_BROWSER` they fail instead.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The folder with what visitors do.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../regulus-web/tests/browser")
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|p| p.is_file())
}

/// What a test needs; says that it skips, or fails, if something is missing.
fn needed<T>(what: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        let wanted = std::env::var("REGULUS_NEEDS_BROWSER").is_ok_and(|value| value != "0");
        assert!(!wanted, "{what} is missing, and REGULUS_NEEDS_BROWSER is set");
        eprintln!("skipped: {what} is missing");
    }
    found
}

fn package(name: &str) -> Option<PathBuf> {
    let package = folder().join("node_modules").join(name);
    needed(&format!("the package {name} (npm ci)"), package.is_dir().then_some(package))
}

/// A server that ends with the test.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_regulus"))
            .args(["serve", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("regulus serve");
        let mut line = String::new();
        let output = process.stdout.take().expect("its output");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line.trim().trim_end_matches('/').to_owned();
        assert!(address.starts_with("http://127.0.0.1:"), "an address: {line}");
        Server { process, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Visitors play, watch and write; everything that goes wrong in a page fails.
#[test]
fn visitors() {
    let Some(node) = needed("node", find("node")) else { return };
    let chromium = find("chromium").or_else(|| find("chromium-browser"));
    let Some(chromium) = needed("chromium", chromium) else { return };
    if package("playwright-core").is_none() {
        return;
    }
    let server = Server::start();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let status = Command::new(node)
        .arg(folder().join("run.mjs"))
        .env("REGULUS_SERVER_PROCESS", server.process.id().to_string())
        .arg(&server.address)
        .arg(chromium)
        .arg(target.join("browser-screenshots"))
        .args(std::env::var("REGULUS_BROWSER_TESTS").iter().flat_map(|names| names.split(' ')))
        .status()
        .expect("node");
    assert!(status.success(), "the browser tests failed; see their pictures");
}

/// The scripts of the page agree with their types.
#[test]
fn types() {
    let Some(node) = needed("node", find("node")) else { return };
    let Some(typescript) = package("typescript") else { return };
    let output = Command::new(node)
        .arg(typescript.join("bin/tsc"))
        .arg("--project")
        .arg(folder().join("tsconfig.json"))
        .output()
        .expect("tsc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Every figure that pieces can have, and every shape of sprites, is drawn by the page.
#[test]
fn figures() {
    let read = |name: &str| {
        let script = folder().join("../../page").join(name);
        std::fs::read_to_string(script).expect("a script that draws")
    };
    let script = read("figures.js");
    for figure in regulus_scene::FIGURES {
        assert!(script.contains(&format!("\n  {figure}: [")), "{figure} is not drawn");
    }
    let script = read("sprites.js");
    for shape in regulus_scene::SHAPES {
        assert!(script.contains(&format!("\n  {shape}: (pen")), "{shape} is not drawn");
    }
}
