//! Instructions that reading, compiling and running a game takes, counted by valgrind's callgrind: the
//! same number on a busy machine as on an idle one.
//!
//! `cargo bench -p regulus-reasoner` needs `valgrind` and nothing else; `-- hex chess` measures these
//! games only. The benchmark runs itself under valgrind once per game. Every measured call goes through
//! [`measured`]: callgrind sets its counters to zero before that function and writes them down behind
//! it, also for the machine code that it runs.

#[path = "../../../benches/callgrind.rs"]
mod callgrind;

use std::process::ExitCode;

use callgrind::{Benchmark, measured};
use regulus_game::{Children, Engine, Guide, KeyKind, Moves, Random, Stage};
use regulus_rbg::{Source, load};
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::{Native, Operation};

/// The fifteen games of the papers: sliding, jumping, floods, many and few moves.
const GAMES: [&str; 15] = [
    "amazons",
    "breakthrough",
    "breakthru",
    "chess",
    "chess-king-capture",
    "english-draughts",
    "fox-and-hounds",
    "go",
    "gomoku",
    "hex",
    "knightthrough",
    "pentago",
    "reversi",
    "skirmish",
    "the-mill-game",
];

/// What is measured, in this order.
const MEASURED: [&str; 18] = [
    "load",
    "analyse",
    "compile list",
    "compile playout",
    "list",
    "count",
    "sample",
    "apply, undo",
    "has move",
    "loud moves",
    "children",
    "semimoves",
    "hash",
    "playouts",
    "split playouts",
    "guided playouts",
    "guided by pieces",
    "interpreted list",
];

/// Playouts that are measured together: one has a length of its own.
const PLAYOUTS: usize = 10;

/// Moves made before the position at which moves are listed.
const PLIES: usize = 6;

/// Does everything once, in the order of [`MEASURED`].
fn run(name: &str) {
    let text = regulus_games::find(name).expect("a built-in game").text;
    let source = Source::new(name, text);
    let game = measured(&mut || load(&source)).game.expect("built-in games are right");
    let native = measured(&mut || Native::new(&game)).unwrap_or_else(|why| panic!("{}", why.0));
    let prepare = |operation| native.prepare(operation).unwrap_or_else(|why| panic!("{}", why.0));
    measured(&mut || prepare(Operation::List));
    measured(&mut || prepare(Operation::Playout));
    let operations = [
        Operation::Keeper,
        Operation::Count,
        Operation::Nth,
        Operation::HasMove,
        Operation::ListStage,
        Operation::Children,
        Operation::SplitPlayout,
    ];
    let kinds = [KeyKind::Steps, KeyKind::StepsOntoPieces];
    kinds.into_iter().for_each(|kind| prepare(Operation::GuidedPlayout(kind)));
    operations.into_iter().for_each(prepare);
    // What is measured is the code that stays.
    for operation in operations.into_iter().chain([Operation::List, Operation::Playout]) {
        native.optimize(operation).unwrap_or_else(|why| panic!("{}", why.0));
    }
    let (mut engine, mut state) = (native.worker(), native.initial());
    let interpreter = Interpreter::new(&game);
    let (mut slow, mut other) = (interpreter.worker(), interpreter.initial());
    let (mut random, mut steps) = (Random::new(7), Vec::new());
    for ply in 0.. {
        engine.run_keeper(&mut state).expect("a player is to move");
        slow.run_keeper(&mut other).expect("a player is to move");
        if ply == PLIES {
            break;
        }
        assert!(engine.sample(&mut state, &mut random, &mut steps).expect("moves"), "a move");
        engine.apply(&mut state, &steps);
        slow.apply(&mut other, &steps);
    }
    let (mut moves, mut semimoves, mut children) = (Moves::new(), Vec::new(), Children::new());
    // Once before it counts: memory is there then, and code of semimoves is made.
    engine.list(&mut state, &mut moves).expect("moves");
    engine.semimoves(&mut state, &mut semimoves).expect("semimoves");
    engine.children(&mut state, &mut children).expect("children");
    let undo = engine.apply_with_undo(&mut state, moves.get(0));
    engine.undo(&mut state, undo);
    measured(&mut || engine.list(&mut state, &mut moves)).expect("moves");
    measured(&mut || engine.count(&mut state)).expect("moves");
    measured(&mut || engine.sample(&mut state, &mut random, &mut steps)).expect("moves");
    steps = moves.get(0).to_vec();
    measured(&mut || {
        let undo = engine.apply_with_undo(&mut state, &steps);
        engine.undo(&mut state, undo);
    });
    measured(&mut || engine.has_move(&mut state)).expect("moves");
    measured(&mut || engine.list_stage(&mut state, Stage::Loud, &mut moves)).expect("moves");
    measured(&mut || engine.children(&mut state, &mut children)).expect("children");
    measured(&mut || engine.semimoves(&mut state, &mut semimoves)).expect("semimoves");
    measured(&mut || state.recomputed_hash());
    for split in [false, true] {
        let mut starts = vec![native.initial(); PLAYOUTS];
        measured(&mut || {
            for start in &mut starts {
                engine.playout(start, split, &mut random).expect("an end");
            }
        });
    }
    for kind in kinds {
        let mut starts = vec![native.initial(); PLAYOUTS];
        let mut guide = Guide::new(kind, 16);
        guide.weights_mut().fill_with(|| 32 + random.below(224) as u8);
        measured(&mut || {
            for start in &mut starts {
                engine.play(start, u64::MAX, Some(&mut guide), &mut random).expect("an end");
            }
        });
    }
    measured(&mut || slow.list(&mut other, &mut moves)).expect("moves");
}

fn main() -> ExitCode {
    Benchmark { examples: &GAMES, calls: &MEASURED, run }.main()
}
