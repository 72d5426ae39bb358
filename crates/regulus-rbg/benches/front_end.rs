//! How long reading takes: tokens, macros, board, types and all checks, per file.
//!
//! `cargo bench -p regulus-rbg --bench front_end` prints the best of several runs for the built-in
//! games and, where the collection of the original games lies beside the project
//! (`../shared/games/rbg`), for its files. All files together must stay under a second.

use std::path::Path;
use std::time::{Duration, Instant};

use regulus_rbg::{Source, load};

/// Runs per file; the best one counts.
const RUNS: usize = 5;

/// The best time of reading a description.
fn best(source: &Source) -> Duration {
    let run = || {
        let start = Instant::now();
        std::hint::black_box(load(std::hint::black_box(source)));
        start.elapsed()
    };
    (0..RUNS).map(|_| run()).min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Prints a table of some files and their total.
fn table(title: &str, sources: &[Source]) {
    println!("{title}\n");
    println!("{:>9}  {:>8}  {:>7}  {:>8}  file", "ms", "bytes", "actions", "vertices");
    let mut total = Duration::ZERO;
    for source in sources {
        let time = best(source);
        total += time;
        let game = load(source).game;
        let actions = game.as_ref().map_or("error".to_owned(), |g| g.rules.size().to_string());
        let vertices = game.map_or(0, |g| g.board.len());
        println!(
            "{:9.3}  {:8}  {actions:>7}  {vertices:8}  {}",
            milliseconds(time),
            source.text().len(),
            source.name()
        );
    }
    println!("{:9.3}  total of {} files\n", milliseconds(total), sources.len());
}

/// The descriptions in a folder and the folders in it, sorted by name.
fn collection(folder: &Path) -> Vec<Source> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    let mut sources = Vec::new();
    for path in paths {
        if path.is_dir() {
            sources.extend(collection(&path));
        } else if path.extension().is_some_and(|e| e == "rbg")
            && let Ok(bytes) = std::fs::read(&path)
        {
            let name = path.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
            sources.push(Source::from_bytes(name, bytes));
        }
    }
    sources
}

fn main() {
    let built_in: Vec<Source> = regulus_games::GAMES
        .iter()
        .map(|game| Source::new(format!("{}.rbg", game.name), game.text))
        .collect();
    table("Built-in games", &built_in);
    let original =
        collection(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/rbg"));
    if !original.is_empty() {
        table("Collection of the original games", &original);
    }
}
