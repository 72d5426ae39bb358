//! Native code against the interpreter on games that nobody wrote: mutants of built-in games, random rules
//! and rules that ask for too much. A bounded run; the one for hours is `examples/differential.rs`, which
//! also survives crashes (see `fuzz/README.md`).
//!
//! `REGULUS_DIFFERENTIAL=17..18 cargo test -p regulus-reasoner --test differential` compares one seed.

#![allow(clippy::unwrap_used)]

mod comparison;
mod descriptions;
mod engine;

use std::ops::Range;
use std::path::{Path, PathBuf};

use comparison::{Compared, Limits, difference};
use descriptions::{Choices, Draft, Kind, Originals, describe, of_seed, shrink};
use regulus_game::Random;
use regulus_rbg::{Source, load};

/// Seeds of a run without the variable.
const SEEDS: Range<u64> = 0..400;

/// Games that are tried while one that shows a difference is made small.
const SHRINKING: usize = 500;

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("REGULUS_DIFFERENTIAL") else { return SEEDS };
    let number = |t: &str| t.parse().unwrap_or_else(|_| panic!("not a range of seeds: {text}"));
    text.split_once("..").map_or_else(|| 0..number(&text), |(a, b)| number(a)..number(b))
}

#[test]
fn games_that_nobody_wrote_run_alike() {
    let originals = Originals::built_in();
    let mut compared = Compared::default();
    let mut failures = Vec::new();
    let mut games = 0;
    // While games are made smaller, failures are expected.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let seeds = seeds();
    for seed in seeds.clone() {
        let Some(described) = of_seed(seed, Kind::of_seed(seed), &originals) else { continue };
        games += 1;
        let limits = Limits::QUICK;
        if difference(&described.game, seed, &limits, &mut compared).is_some() {
            let mut why = String::new();
            let draft = shrink(described.draft, SHRINKING, |draft| {
                let game = draft.load().expect("only what can be loaded is tried");
                let found = difference(&game, seed, &limits, &mut Compared::default());
                found.inspect(|text| why.clone_from(text)).is_some()
            });
            failures.push(format!("seed {seed}: {why}\n{draft}"));
        }
    }
    std::panic::set_hook(hook);
    println!("{games} games: {compared:?}");
    assert!(failures.is_empty(), "the engines differ:\n{}", failures.join("\n\n"));
    // A source of games in which nothing happens would test little.
    let wanted = (seeds.end - seeds.start) as usize;
    assert!(games * 10 >= wanted * 9, "{games} games of {wanted} seeds");
    assert!(wanted < 100 || compared.positions > wanted, "{compared:?}");
}

/// The engines agree on all descriptions of a folder, whatever the split strategy.
fn assert_alike(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|f| f.extension() == Some("rbg".as_ref())).collect();
    files.sort();
    let limits = Limits { all_splits: usize::MAX, ..Limits::QUICK };
    for file in &files {
        let loaded = load(&Source::from_bytes("file", std::fs::read(file).unwrap()));
        let game = loaded.game.unwrap_or_else(|| panic!("{} is not valid", file.display()));
        let found = difference(&game, 1, &limits, &mut Compared::default());
        assert_eq!(found, None, "{}", file.display());
    }
    files.len()
}

/// Descriptions that once broke an engine.
#[test]
fn regressions_run_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    assert!(assert_alike(&folder) > 0);
}

/// Descriptions that others found to break an engine.
#[test]
fn hostile_rules_run_alike() {
    let Some(shared) = engine::shared() else { return };
    assert!(assert_alike(&shared.join("data/hostile-rules")) > 0);
}

/// A seed always gives the same description, and its text reads back as the same game.
#[test]
fn seeds_are_reproductions() {
    let originals = Originals::built_in();
    for seed in 1000..1060 {
        let kind = Kind::of_seed(seed);
        let (a, b) = (of_seed(seed, kind, &originals), of_seed(seed, kind, &originals));
        let (Some(a), Some(b)) = (a, b) else { continue };
        assert_eq!(a.draft, b.draft, "seed {seed}");
        let read = Draft::of(&a.game).load();
        assert_eq!(read.as_ref(), Some(&a.game), "seed {seed}:\n{}", a.draft);
    }
}

/// Most changes leave rules valid, and what they change is the game.
#[test]
fn most_mutants_are_valid_and_new() {
    let originals = Originals::built_in();
    let mutant = |seed| describe(Kind::Mutant, &originals, &mut Choices::new(Random::new(seed)));
    let games: Vec<_> = (0..200).filter_map(mutant).collect();
    assert!(games.len() > 100, "{} of 200 mutants are valid", games.len());
    let old: Vec<_> = regulus_games::GAMES.iter().filter_map(|g| Draft::read(g.text)).collect();
    let new = games.iter().filter(|g| old.iter().all(|o| *o != Draft::of(&g.game))).count();
    assert!(new * 10 > games.len() * 9, "{new} of {} mutants are new", games.len());
}

/// The comparison can fail: rules that differ in one piece are told apart, and the game gets small.
#[test]
fn differences_are_found_and_made_small() {
    let text = |piece: &str| {
        format!(
            "#players = a(9), b(9) #pieces = e, x, y #variables = t(9), u(9)
             #board = rectangle(up, down, left, right, [e, e, x] [e, y, e])
             #rules = [$ t = 1] (->a (left* + right*) (up + down)* {{e}} [x] ->b {{? up + down}} [$ u = t]
                 (right [{piece}] + down [y]) ->>)*"
        )
    };
    let shows = |draft: &Draft| draft.to_string().contains("[$ u = t]");
    let small = shrink(Draft::read(&text("x")).unwrap(), 10_000, shows);
    assert_eq!(small.rules.size(), 1, "{small}");
    assert_eq!((small.pieces.len(), small.vertices()), (1, 1), "{small}");
    let [a, b] = ["x", "y"].map(|piece| Draft::read(&text(piece)).unwrap().load().unwrap());
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    // Only games in which that piece is put show it.
    let compare = |seed| std::panic::catch_unwind(|| comparison::compare_engines(&a, &b, seed));
    let found = (1..=20).find_map(|seed| compare(seed).err());
    std::panic::set_hook(hook);
    let why = found.unwrap();
    let why = why.downcast_ref::<String>().unwrap();
    assert!(why.contains("position"), "{why}");
}
