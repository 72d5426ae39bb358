//! How fast the children of a position can be evaluated: `cargo run --release --example children -- GAME [SECONDS]`
//! prints how many children a second `Engine::children` gives at positions of random games, and how many list, apply,
//! keeper, reading the board and going back give, per second of processor time.

#![allow(clippy::expect_used)]

use regulus_game::{Children, Engine, Moves, Random, Stage};
use regulus_reasoner::native::{Native, NativeState, NativeWorker, Operation};

/// Positions that are visited again and again.
const POSITIONS: usize = 256;

fn positions(engine: &mut NativeWorker) -> Vec<NativeState> {
    let (mut random, mut steps) = (Random::new(1), Vec::new());
    let (mut found, mut state) = (Vec::new(), engine.initial());
    while found.len() < POSITIONS {
        let goes_on = engine.run_keeper(&mut state).expect("runs");
        if !goes_on || !engine.sample(&mut state, &mut random, &mut steps).expect("runs") {
            state = engine.initial();
            continue;
        }
        let mut kept = state.clone();
        engine.forget_hash(&mut kept);
        found.push(kept);
        engine.apply(&mut state, &steps);
    }
    found
}

/// Seconds that this thread has been running.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Does something to all positions for a while; gives how many things a second were counted.
fn rate(
    positions: &mut [NativeState],
    seconds: f64,
    mut f: impl FnMut(&mut NativeState) -> u64,
) -> f64 {
    // Memory grows when it is first used.
    f(&mut positions[0]);
    let (start, mut all) = (processor_time(), 0);
    while processor_time() - start < seconds {
        all += positions.iter_mut().map(&mut f).sum::<u64>();
    }
    all as f64 / (processor_time() - start)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "breakthrough".to_owned());
    let seconds = arguments.next().map_or(1.0, |text| text.parse().expect("seconds"));
    let text = regulus_games::find(&name).expect("a built-in game").text;
    let game = regulus_rbg::load(&regulus_rbg::Source::new(&name, text)).game.expect("right");
    let native = Native::new(&game).unwrap_or_else(|why| panic!("{}", why.0));
    for operation in [
        Operation::Keeper,
        Operation::List,
        Operation::Count,
        Operation::HasMove,
        Operation::ListStage,
        Operation::Children,
    ] {
        native.optimize(operation).unwrap_or_else(|why| panic!("{operation:?}: {}", why.0));
    }
    let mut engine = native.worker();
    let mut all = positions(&mut engine);
    let (mut children, mut moves) = (Children::new(), Moves::new());
    // What a sum over features would read.
    let mut sum = 0u64;
    let at_once = rate(&mut all, seconds, |state| {
        engine.children(state, &mut children).expect("runs");
        for index in 0..children.len() {
            for change in children.changes(index) {
                sum = sum.wrapping_add(u64::from(change.bits()));
            }
            sum += u64::from(children.is_over(index));
        }
        children.len() as u64
    });
    let (mut next, mut changes) = (all[0].clone(), Vec::new());
    let one_by_one = rate(&mut all, seconds, |state| {
        engine.list(state, &mut moves).expect("runs");
        for steps in moves.iter() {
            next.clone_from(state);
            sum += u64::from(engine.advance(&mut next, steps, &mut changes).expect("runs"));
            sum += changes.iter().map(|change| u64::from(change.bits())).sum::<u64>();
        }
        moves.len() as u64
    });
    let mut board = Vec::new();
    let boards = rate(&mut all, seconds, |state| {
        engine.list(state, &mut moves).expect("runs");
        for steps in moves.iter() {
            let undo = engine.apply_with_undo(state, steps);
            sum += u64::from(engine.run_keeper(state).expect("runs"));
            engine.pieces(state, &mut board);
            sum += u64::from(board[1]);
            engine.undo(state, undo);
        }
        moves.len() as u64
    });
    let listed = rate(&mut all, seconds, |state| {
        engine.list(state, &mut moves).expect("runs");
        moves.len() as u64
    });
    let loud = rate(&mut all, seconds, |state| {
        engine.list_stage(state, Stage::Loud, &mut moves).expect("runs");
        1
    });
    let full = rate(&mut all, seconds, |state| {
        engine.list(state, &mut moves).expect("runs");
        1
    });
    let counted = rate(&mut all, seconds, |state| {
        sum += engine.count(state).expect("runs");
        1
    });
    let any = rate(&mut all, seconds, |state| {
        sum += u64::from(engine.has_move(state).expect("runs"));
        1
    });
    println!("{name}, millions a second ({:x})", sum & 0xf);
    let rows = [
        ("children at once", at_once),
        ("children one by one", one_by_one),
        ("children by boards", boards),
        ("moves listed", listed),
        ("positions listed", full),
        ("positions listed, loud", loud),
        ("positions counted", counted),
        ("positions asked for a move", any),
    ];
    for (what, rate) in rows {
        println!("  {what:27} {:8.2}", rate / 1e6);
    }
}
