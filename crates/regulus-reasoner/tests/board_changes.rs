//! Cells that moves change: what the rules tell is what the two boards show, on both engines, at every position of
//! random games.

use std::path::Path;

use regulus_game::{BoardChanges, BoardView, Engine, Moves, Random, Step};
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::{Native, Operation};

/// Moves that are looked at in a position, and positions of a game.
const MOVES: u64 = 12;
const POSITIONS: usize = 40;

/// How many moves were looked at, and of how many the rules tell everything.
#[derive(Default)]
struct Counts {
    moves: u64,
    told: u64,
}

/// The cells that differ behind some steps, from the two boards.
fn differences<E: Engine>(engine: &mut E, state: &E::State, steps: &[Step]) -> Vec<u16> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    engine.pieces(state, &mut before);
    let mut next = state.clone();
    for step in steps {
        let undo = engine.apply_step(&mut next, *step).expect("possible");
        engine.commit(undo);
    }
    if engine.is_nodal(&next) {
        engine.run_keeper(&mut next).expect("runs");
    }
    engine.pieces(&next, &mut after);
    (1..before.len()).filter(|v| before[*v] != after[*v]).map(|v| v as u16).collect()
}

/// The same from what the rules tell, if they do.
fn told<E: Engine>(
    changes: &BoardChanges,
    engine: &E,
    state: &E::State,
    steps: &[Step],
) -> Option<Vec<u16>> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    engine.pieces(state, &mut before);
    after.clone_from(&before);
    for step in steps {
        if let Some(piece) = changes.piece_put(step.action) {
            after[usize::from(step.vertex)] = piece;
        }
        for (vertex, piece) in changes.behind(step.action, step.vertex)? {
            after[usize::from(*vertex)] = *piece;
        }
    }
    Some((1..before.len()).filter(|v| before[*v] != after[*v]).map(|v| v as u16).collect())
}

fn compare<E: Engine>(mut engine: E, split: bool, seed: u64, name: &str, counts: &mut Counts) {
    let mut random = Random::new(seed);
    let (mut moves, mut view, mut cells) = (Moves::new(), BoardView::default(), Vec::new());
    let changes = engine.board_changes();
    let mut state = engine.initial();
    for _ in 0..POSITIONS {
        if engine.is_nodal(&state) && !engine.run_keeper(&mut state).expect("runs") {
            break;
        }
        let (old, mut contents) = (view.contents.clone(), Vec::new());
        engine.look(&state, &mut view);
        engine.pieces(&state, &mut contents);
        assert_eq!(view.contents, contents, "{name}");
        let was = |v: usize| old.get(v).copied().unwrap_or(0);
        let changed = (1..contents.len()).filter(|v| was(*v) != contents[*v]);
        let changed: Vec<(u16, u8)> = changed.map(|v| (v as u16, was(v))).collect();
        let mut found = view.changed.clone();
        found.sort_unstable();
        assert_eq!(found, changed, "{name}");
        let all: Vec<Vec<Step>> = if split {
            let mut semimoves = Vec::new();
            engine.semimoves(&mut state, &mut semimoves).expect("runs");
            semimoves.into_iter().map(|step| vec![step]).collect()
        } else {
            if let Err(error) = engine.list(&mut state, &mut moves) {
                println!("{name}: {error}");
                break;
            }
            moves.iter().map(<[Step]>::to_vec).collect()
        };
        if all.is_empty() {
            break;
        }
        let mut drawn = &all[0];
        for _ in 0..MOVES.min(all.len() as u64) {
            drawn = &all[random.below(all.len() as u64) as usize];
            let right = differences(&mut engine, &state, drawn);
            engine.changed_cells(&state, drawn, &mut cells);
            assert_eq!(cells, right, "{name}: {drawn:?}");
            counts.moves += 1;
            if let Some(told) = told(&changes, &engine, &state, drawn) {
                assert_eq!(told, right, "{name}: {drawn:?}");
                counts.told += 1;
            }
        }
        let undo = engine.apply_with_undo(&mut state, drawn);
        engine.commit(undo);
    }
}

/// Compares on both engines, with whole moves and semimoves; gives the share that the rules tell.
fn check(name: &str, game: &Game) -> f64 {
    let mut counts = Counts::default();
    let split = game.split(Strategy::Mod);
    let interpreter = Interpreter::new(&split);
    let can_run = |native: &Native| {
        [Operation::Keeper, Operation::List].into_iter().all(|what| native.prepare(what).is_ok())
    };
    let native = Native::new(&split).ok().filter(can_run);
    for by_semimoves in [false, true] {
        compare(interpreter.worker(), by_semimoves, 1, name, &mut counts);
        if let Some(native) = &native {
            assert_eq!(native.worker().board_changes(), interpreter.worker().board_changes());
            compare(native.worker(), by_semimoves, 2, name, &mut counts);
        }
    }
    counts.told as f64 / counts.moves as f64
}

#[test]
fn what_the_rules_tell_is_what_boards_show() {
    for game in regulus_games::GAMES {
        let loaded = regulus_rbg::load(&Source::new(game.name, game.text)).game.expect("valid");
        let told = check(game.name, &loaded);
        assert!(!told.is_nan(), "{}: no move", game.name);
        println!("{}: {:.0} %", game.name, 100.0 * told);
    }
}

#[test]
fn what_the_rules_of_others_tell_is_what_boards_show() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games");
    for folder in ["rbg-extra", "rbg"].map(|folder| shared.join(folder)) {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            eprintln!("skipped: {} is not there", folder.display());
            continue;
        };
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|e| e == "rbg"));
        files.sort();
        for file in files {
            let name = file.display().to_string();
            let source = Source::from_bytes(name.as_str(), std::fs::read(&file).unwrap());
            let Some(game) = regulus_rbg::load(&source).game else { continue };
            println!("{name}: {:.0} %", 100.0 * check(&name, &game));
        }
    }
}
