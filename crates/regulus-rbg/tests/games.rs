//! Whole games through the front end: ours, and the reference's where they are at hand.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use regulus_rbg::split::{Strategy, count_dots};
use regulus_rbg::{Code, Game, Source, load, print};

fn built_in(name: &str) -> Game {
    let game = regulus_games::find(name).unwrap();
    load(&Source::new(name, game.text)).game.unwrap()
}

/// The files of the reference, or `None` (with a message) on a machine that has only a clone.
fn reference_files() -> Option<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/rbg");
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
        return None;
    }
    let mut files: Vec<PathBuf> = [folder.clone(), folder.join("nsplit")]
        .iter()
        .flat_map(|f| std::fs::read_dir(f).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "rbg"))
        .collect();
    files.sort();
    Some(files)
}

fn reference(name: &str) -> Option<Game> {
    let file = reference_files()?.into_iter().find(|p| p.file_stem().unwrap() == name)?;
    load(&Source::from_bytes(name, std::fs::read(file).unwrap())).game
}

#[test]
fn built_in_games_have_nothing_to_complain_about() {
    for game in regulus_games::GAMES {
        let loaded = load(&Source::new(game.name, game.text));
        assert!(loaded.game.is_some(), "{}", game.name);
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert!(messages.is_empty(), "{}: {messages:?}", game.name);
    }
}

#[test]
fn built_in_games_are_formatted() {
    for game in regulus_games::GAMES {
        let formatted = regulus_rbg::format::format(&Source::new(game.name, game.text)).unwrap();
        assert_eq!(formatted, game.text, "{}: run `regulus fmt`", game.name);
    }
}

#[test]
fn printed_games_are_the_same_games() {
    for game in regulus_games::GAMES {
        let first = built_in(game.name);
        let text = print::game(&first);
        let second = load(&Source::new("printed", text.as_str()));
        assert_eq!(second.game.as_ref(), Some(&first), "{}", game.name);
    }
}

#[test]
fn splitting_changes_nothing_but_dots() {
    for game in regulus_games::GAMES {
        let whole = built_in(game.name);
        for strategy in Strategy::ALL {
            let mut split = strategy.apply(&whole.rules);
            let dots = count_dots(&split);
            assert_eq!(dots > 0, strategy != Strategy::Mod && has_choices(game.name, strategy));
            assert_eq!(split.number_modifiers(0), whole.modifier_count, "{}", game.name);
            let text = print::game(&Game { rules: split.clone(), ..whole.clone() });
            let again = load(&Source::new("split", text.as_str())).game.unwrap();
            assert_eq!(again.rules, split, "{} {strategy}", game.name);
        }
    }
}

/// These games have no sum that Plus would split.
fn has_choices(name: &str, strategy: Strategy) -> bool {
    strategy != Strategy::ModPlus || !["domineering", "misere-domineering", "nogo"].contains(&name)
}

#[test]
fn all_75_files_of_the_reference_are_accepted() {
    let Some(files) = reference_files() else { return };
    assert_eq!(files.len(), 75);
    for file in files {
        let source = Source::from_bytes(file.display().to_string(), std::fs::read(&file).unwrap());
        let loaded = load(&source);
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        let game = loaded.game.unwrap_or_else(|| panic!("{}: {messages:?}", file.display()));
        let text = print::game(&game);
        assert_eq!(load(&Source::new("printed", text)).game, Some(game), "{}", file.display());
    }
}

/// Keepers of games that people have played for years have one outcome and come to an end.
#[test]
fn nothing_is_said_about_keepers_of_known_games() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games/rbg-extra");
    let Some(mut files) = reference_files() else { return };
    let extra = std::fs::read_dir(shared).into_iter().flatten().map(|entry| entry.unwrap().path());
    files.extend(extra.filter(|p| p.extension().is_some_and(|e| e == "rbg")));
    for file in files {
        let name = file.display().to_string();
        let loaded = load(&Source::from_bytes(name.as_str(), std::fs::read(&file).unwrap()));
        for code in [Code::EndlessKeeper, Code::KeeperHasChoice] {
            assert!(loaded.diagnostics.iter().all(|d| d.code != code), "{name}: {code}");
        }
    }
}

/// Dot counts of the original tool, from the language document.
#[test]
fn split_points_are_as_many_as_the_reference_inserts() {
    let counts = [
        ("amazons", [0, 32, 2, 34]),
        ("chess", [0, 104, 8, 112]),
        ("pentago", [0, 356, 4, 360]),
        ("reversi", [0, 46, 2, 48]),
    ];
    for (name, expected) in counts {
        let Some(game) = reference(name) else { return };
        let dots = Strategy::ALL.map(|s| count_dots(&s.apply(&game.rules)));
        assert_eq!(dots, expected, "{name}");
    }
}

/// Numbers that a recorded match with the original manager shows: `56 2 48 3` is a move of white.
#[test]
fn modifiers_are_numbered_as_on_the_wire() {
    use regulus_rbg::rule::{ModifierIndex, RuleKind};
    let Some(game) = reference("breakthrough") else { return };
    let mut offs = Vec::new();
    game.rules.visit(&mut |rule| match rule.kind {
        RuleKind::Off(piece, index) => {
            offs.push((index, game.declarations.piece_name(piece).to_owned()))
        }
        RuleKind::Switch(player, index) => offs.push((index, format!("->{}", player.0))),
        _ => {}
    });
    let first: Vec<(u32, &str)> =
        offs.iter().take(3).map(|(ModifierIndex(i), s)| (*i, s.as_str())).collect();
    assert_eq!(first, [(1, "->1"), (2, "e"), (3, "->0")]);
    assert_eq!(game.board.name(regulus_rbg::Vertex(56)), "rx7y6");
    assert_eq!(game.modifier_count, 14);
}
