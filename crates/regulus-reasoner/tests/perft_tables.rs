//! Perft against tables that were not made by this code.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::native::{Native, Operation};
use regulus_reasoner::{Interpreter, perft, semimove_perft};

/// Leaves up to which the interpreter is asked.
const MOST_LEAVES: u64 = 30_000;

/// Leaves up to which native code is asked.
const MOST_NATIVE_LEAVES: u64 = 1_000_000;

fn rows(table: &str) -> BTreeMap<String, Vec<(u32, u64)>> {
    let mut games: BTreeMap<String, Vec<(u32, u64)>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (depth, leaves) = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
        games.entry(cells[0].to_owned()).or_default().push((depth, leaves));
    }
    games
}

fn check(name: &str, game: &Game, rows: &[(u32, u64)]) {
    let interpreter = Interpreter::new(game);
    let mut worker = interpreter.worker();
    for (depth, leaves) in rows.iter().filter(|(_, leaves)| *leaves <= MOST_LEAVES) {
        let found = perft(&mut worker, &interpreter.initial(), *depth).unwrap();
        assert_eq!(found, *leaves, "{name} at depth {depth}");
    }
    let operations = [Operation::Keeper, Operation::List, Operation::Count];
    let native = Native::new(game).and_then(|native| {
        operations.iter().try_for_each(|o| native.prepare(*o))?;
        Ok(native)
    });
    match native {
        Ok(native) => {
            let mut worker = native.worker();
            for (depth, leaves) in rows.iter().filter(|(_, n)| *n <= MOST_NATIVE_LEAVES) {
                let found = perft(&mut worker, &native.initial(), *depth).unwrap();
                assert_eq!(found, *leaves, "{name} as native code at depth {depth}");
            }
        }
        Err(why) => {
            println!("no native code for {name}: {}", why.0);
            assert!(regulus_games::find(name).is_none(), "{name} is built in: {}", why.0);
        }
    }
    for strategy in Strategy::ALL {
        let split_game = Game { rules: strategy.apply(&game.rules), ..game.clone() };
        let split = Interpreter::new(&split_game);
        let mut worker = split.worker();
        for (depth, leaves) in rows.iter().filter(|(_, leaves)| *leaves <= MOST_LEAVES / 10) {
            let found = semimove_perft(&mut worker, &split.initial(), *depth).unwrap();
            assert_eq!(found, *leaves, "{name} with {strategy} at depth {depth}");
        }
        let Ok(native) = Native::new(&split_game) else { continue };
        if operations.iter().any(|o| native.prepare(*o).is_err()) {
            continue;
        }
        let mut worker = native.worker();
        for (depth, leaves) in rows.iter().filter(|(_, leaves)| *leaves <= MOST_LEAVES / 10) {
            let found = semimove_perft(&mut worker, &native.initial(), *depth).unwrap();
            assert_eq!(found, *leaves, "{name} natively with {strategy} at depth {depth}");
        }
    }
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
