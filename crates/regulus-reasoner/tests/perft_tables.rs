//! Perft against tables that were not made by this code.
//!
//! `REGULUS_PERFT=all cargo test --release -p regulus-reasoner --test perft_tables -- --nocapture` takes
//! hours: every row as native code, rows up to a million leaves on the interpreter, and rows up to ten
//! million leaves by semimoves of all four strategies. Without the variable smaller rows are enough.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::native::{Native, Operation};
use regulus_reasoner::{Interpreter, LeafTable, perft, perft_with, semimove_perft};

/// Leaves up to which each way of counting is asked.
#[derive(Clone, Copy)]
struct Most {
    interpreted: u64,
    native: u64,
    semimoves: u64,
}

/// What fits into every run.
const SHARE: Most = Most { interpreted: 30_000, native: 1_000_000, semimoves: 3_000 };

/// Everything that is known.
const ALL: Most = Most { interpreted: 1_000_000, native: u64::MAX, semimoves: 10_000_000 };

fn most() -> Most {
    match std::env::var("REGULUS_PERFT").as_deref() {
        Ok("all") => ALL,
        Ok(other) => panic!("REGULUS_PERFT is `all` or not set, not `{other}`"),
        Err(_) => SHARE,
    }
}

fn rows(table: &str) -> BTreeMap<String, Vec<(u32, u64)>> {
    let mut games: BTreeMap<String, Vec<(u32, u64)>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (depth, leaves) = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
        games.entry(cells[0].to_owned()).or_default().push((depth, leaves));
    }
    games
}

/// Rows with at most `most` leaves, on the way to them too (a finished game has none).
fn up_to(rows: &[(u32, u64)], most: u64) -> impl Iterator<Item = (u32, u64)> {
    rows.iter().copied().take_while(move |(_, leaves)| *leaves <= most)
}

fn check(name: &str, game: &Game, rows: &[(u32, u64)]) {
    let most = most();
    let start = std::time::Instant::now();
    let operations = [Operation::Keeper, Operation::List, Operation::Count];
    let new = if most.native == ALL.native { Native::patient } else { Native::new };
    let native = new(game).and_then(|native| {
        operations.iter().try_for_each(|o| native.prepare(*o))?;
        Ok(native)
    });
    match native {
        Ok(native) => {
            let mut worker = native.worker();
            for (depth, leaves) in up_to(rows, most.native) {
                let found = perft(&mut worker, &native.initial(), depth).unwrap();
                assert_eq!(found, leaves, "{name} as native code at depth {depth}");
            }
            // With a table, also one in which most positions take the place of another.
            for bytes in [1 << 24, 1 << 10] {
                let mut table = LeafTable::new(bytes).unwrap();
                for (depth, leaves) in up_to(rows, most.native) {
                    let start = native.initial();
                    let found = perft_with(&mut worker, &start, depth, &mut table).unwrap();
                    assert_eq!(found, leaves, "{name} with a table of {bytes} at depth {depth}");
                }
            }
        }
        Err(why) => {
            println!("no native code for {name}: {}", why.0);
            assert!(regulus_games::find(name).is_none(), "{name} is built in: {}", why.0);
        }
    }
    let native = start.elapsed();
    let interpreter = Interpreter::new(game);
    let mut worker = interpreter.worker();
    for (depth, leaves) in up_to(rows, most.interpreted) {
        let found = perft(&mut worker, &interpreter.initial(), depth).unwrap();
        assert_eq!(found, leaves, "{name} at depth {depth}");
    }
    let interpreted = start.elapsed() - native;
    for strategy in Strategy::ALL {
        let split_game = game.split(strategy);
        let split = Interpreter::new(&split_game);
        let mut worker = split.worker();
        for (depth, leaves) in up_to(rows, most.semimoves) {
            let found = semimove_perft(&mut worker, &split.initial(), depth).unwrap();
            assert_eq!(found, leaves, "{name} with {strategy} at depth {depth}");
        }
        let Ok(native) = new(&split_game) else { continue };
        if operations.iter().any(|o| native.prepare(*o).is_err()) {
            continue;
        }
        let mut worker = native.worker();
        for (depth, leaves) in up_to(rows, most.semimoves) {
            let found = semimove_perft(&mut worker, &native.initial(), depth).unwrap();
            assert_eq!(found, leaves, "{name} natively with {strategy} at depth {depth}");
        }
    }
    let semimoves = start.elapsed() - native - interpreted;
    println!(
        "{name}: native {native:.1?}, interpreter {interpreted:.1?}, semimoves {semimoves:.1?}"
    );
}

/// A built-in game, with another board for names like `chess@kiwipete`.
fn built_in(name: &str) -> Game {
    let (game, position) = name.split_once('@').unwrap_or((name, ""));
    let mut text = regulus_games::find(game).unwrap().text.to_owned();
    if !position.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../regulus-games/positions");
        let board =
            std::fs::read_to_string(folder.join(format!("chess-{position}.board"))).unwrap();
        let start = text.find("#board").unwrap();
        let end = start + 1 + text[start + 1..].find('#').unwrap();
        text.replace_range(start..end, &board);
    }
    let loaded = load(&Source::new(name, text));
    loaded.game.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics))
}

#[test]
fn built_in_games() {
    let table = include_str!("../../regulus-games/perft.tsv");
    let rows = rows(table);
    for game in regulus_games::GAMES {
        assert!(rows.contains_key(game.name), "{} has no perft table", game.name);
    }
    for (name, rows) in rows {
        check(&name, &built_in(&name), &rows);
    }
}

#[test]
fn games_of_the_reference() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let Ok(table) = std::fs::read_to_string(shared.join("data/rbg-perft.tsv")) else {
        println!("skipped: {} is not there", shared.display());
        return;
    };
    for (name, rows) in rows(&table) {
        let file = ["games/rbg", "games/rbg/nsplit"]
            .iter()
            .map(|f| shared.join(f).join(format!("{name}.rbg")))
            .find(|p| p.exists())
            .unwrap();
        let game =
            load(&Source::from_bytes(name.as_str(), std::fs::read(file).unwrap())).game.unwrap();
        check(&name, &game, &rows);
    }
}
