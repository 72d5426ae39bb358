//! Recordings of the Java frameworks, reproduced tick by tick.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use regulus_vgdl::{Game, Level, Profile, Severity, trace};

/// The folder with games and recordings, beside the repository or where `REGULUS_SHARED` says.
fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("REGULUS_SHARED").map_or_else(beside, PathBuf::from);
    if shared.join("traces").is_dir() {
        return Some(shared);
    }
    println!("skipped: {} has no traces", shared.display());
    None
}

fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn level(folder: &Path, game: &str, number: usize, profile: Profile) -> Arc<Level> {
    let loaded = Game::load(&read(&folder.join(format!("{game}.txt"))), profile);
    let game_object = loaded.game.unwrap_or_else(|| panic!("{game}: {:?}", loaded.diagnostics));
    let text = read(&folder.join(format!("{game}_lvl{number}.txt")));
    let loaded = Level::load(&game_object, &text);
    loaded.level.unwrap_or_else(|| panic!("{game} {number}: {:?}", loaded.diagnostics))
}

fn check(profile: Profile, traces: &str) {
    let Some(shared) = shared() else { return };
    let games = shared.join("games/vgdl").join(profile.name());
    let folder = std::fs::read_dir(shared.join("traces").join(traces)).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 90);
    let mut sequences = 0;
    let mut ticks = 0;
    let mut failed = Vec::new();
    for file in &files {
        let text = read(file);
        let (game, number) = trace::heading(&text).unwrap();
        let level = level(&games, game, number, profile);
        let report = trace::replay(&level, &text).unwrap();
        sequences += report.sequences;
        ticks += report.ticks;
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        failed.extend(report.differences.iter().map(|one| format!("{name}: {one}")));
    }
    println!(
        "{profile}: {} of {sequences} recordings agree, {ticks} ticks",
        sequences - failed.len()
    );
    assert!(failed.is_empty(), "{} differ:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn recordings_of_2021() {
    check(Profile::Y2021, "new2021");
}

#[test]
fn recordings_of_2015() {
    check(Profile::Y2015, "y2015");
}

#[test]
fn all_levels_load() {
    let Some(shared) = shared() else { return };
    for profile in [Profile::Y2015, Profile::Y2021] {
        let folder = shared.join("games/vgdl").join(profile.name());
        let mut games = 0;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if name.contains("_lvl") {
                continue;
            }
            games += 1;
            let loaded = Game::load(&read(&path), profile);
            for diagnostic in &loaded.diagnostics {
                println!("{profile} {name}:{diagnostic}");
                assert_eq!(diagnostic.severity(), Severity::Warning);
            }
            for number in 0..5 {
                level(&folder, &name, number, profile);
            }
        }
        assert_eq!(games, 30, "{profile}");
    }
}
