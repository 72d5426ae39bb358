//! Native code against the interpreter, position by position, and against the perft tables.

#![allow(clippy::unwrap_used)]

mod engine;

use engine::{assert_ends, built_in};
use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::declarations::{Label, Player, Variable};
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::native::{Native, NativeState};
use regulus_reasoner::{Interpreter, State, random_playout, semisplit_playout};

fn assert_same(name: &str, game: &Game, state: &State, native: &Native, other: &NativeState) {
    for v in game.board.vertices() {
        assert_eq!(state.piece(v), native.piece(other, v), "{name}: {}", game.board.name(v));
    }
    for v in (0..game.declarations.variables().len()).map(|v| Variable(v as u16)) {
        let variable = game.declarations.variable_name(v);
        assert_eq!(state.variable(v), native.variable(other, v), "{name}: {variable}");
    }
    assert_eq!(state.vertex(), native.vertex(other), "{name}: pointer");
    assert_eq!(state.player(), native.player(other), "{name}: player");
}

fn sorted(moves: &Moves) -> Vec<Vec<Step>> {
    let mut list: Vec<Vec<Step>> = moves.iter().map(<[Step]>::to_vec).collect();
    list.sort();
    list
}

/// Plays random games on both engines and compares states and moves at every position.
fn compare(name: &str, games: u64, plies: usize) {
    let game = built_in(name);
    let interpreter = Interpreter::new(&game);
    let native = Native::new(&game).unwrap_or_else(|e| panic!("{name}: {}", e.0));
    let (mut slow, mut fast) = (interpreter.worker(), native.worker());
    assert_eq!((slow.vertices(), slow.labels()), (game.board.len(), game.board.label_count()));
    assert_eq!((fast.vertices(), fast.labels()), (slow.vertices(), slow.labels()));
    for v in game.board.vertices() {
        for label in 0..slow.labels() {
            let to = game.board.next(v, Label(label as u8)).0;
            assert_eq!((slow.next(v.0, label), fast.next(v.0, label)), (to, to), "{name}");
        }
    }
    for seed in 0..games {
        let mut random = Random::new(seed);
        let (mut state, mut other) = (interpreter.initial(), native.initial());
        for _ in 0..plies {
            let goes_on = slow.run_keeper(&mut state).unwrap();
            assert_eq!(goes_on, fast.run_keeper(&mut other).unwrap(), "{name}: keeper");
            assert_same(name, &game, &state, &native, &other);
            assert_eq!(state.hash(), state.recomputed_hash(), "{name}: hash");
            let (mut pieces, mut others) = (Vec::new(), Vec::new());
            slow.pieces(&state, &mut pieces);
            fast.pieces(&other, &mut others);
            assert_eq!(pieces, others, "{name}: contents");
            let listed = game.board.vertices().map(|v| state.piece(v).0);
            assert!(pieces[1..].iter().copied().eq(listed), "{name}: contents");
            let (mut moves, mut others) = (Moves::new(), Moves::new());
            if !goes_on {
                break;
            }
            slow.list(&mut state, &mut moves).unwrap();
            fast.list(&mut other, &mut others).unwrap();
            let moves = sorted(&moves);
            assert_eq!(moves, sorted(&others), "{name}: moves");
            if moves.is_empty() {
                break;
            }
            let chosen = &moves[random.below(moves.len() as u64) as usize];
            let before = state.clone();
            let undo = slow.apply_with_undo(&mut state, chosen);
            slow.undo(&mut state, undo);
            assert_eq!(state, before, "{name}: undo");
            slow.apply(&mut state, chosen);
            fast.apply(&mut other, chosen);
        }
    }
}

#[test]
fn native_code_does_what_the_interpreter_does() {
    for game in regulus_games::GAMES {
        // Lists of ten thousand moves take the interpreter long; the others are played out.
        match game.name {
            "breakthru" => compare(game.name, 1, 14),
            "amazons" => compare(game.name, 1, 12),
            "go" | "chess" | "hexxagon" => compare(game.name, 1, 60),
            _ => compare(game.name, 2, 120),
        }
    }
}

/// Every built-in game can be played to its end, by whole and by split moves, within its scores.
#[test]
fn games_come_to_an_end() {
    for game in regulus_games::GAMES {
        let rules = built_in(game.name);
        let native = Native::new(&rules).unwrap();
        let mut random = Random::new(3);
        for split in [false, true] {
            assert_ends(game.name, &native, split, 4, &mut random);
        }
    }
}

/// Split playouts of every strategy end, also where split points stand in loops.
#[test]
fn split_playouts_come_to_an_end() {
    for name in ["yavalath", "peg-solitaire", "hare-and-hounds", "eight-puzzle", "connect-four"] {
        let game = built_in(name);
        for strategy in regulus_rbg::split::Strategy::ALL {
            let rules = strategy.apply(&game.rules);
            let interpreter = Interpreter::new(&Game { rules, ..game.clone() });
            let mut worker = interpreter.worker();
            let mut random = Random::new(8);
            for _ in 0..3 {
                let mut state = interpreter.initial();
                let playout = semisplit_playout(&mut worker, &mut state, &mut random).unwrap();
                assert!(playout.length > 0 && playout.semimoves >= playout.length, "{name}");
            }
        }
    }
}

/// Mean length and scores of random playouts agree within the noise, for whole and split moves.
#[test]
fn playouts_have_the_same_distribution() {
    for name in
        ["breakthrough", "tic-tac-toe", "english-draughts", "reversi", "rolit", "peg-solitaire"]
    {
        let game = built_in(name);
        let interpreter = Interpreter::new(&game);
        let native = Native::new(&game).unwrap();
        let (mut slow, mut fast) = (interpreter.worker(), native.worker());
        for split in [false, true] {
            let mut random = Random::new(5);
            let mut samples: [Vec<[f64; 2]>; 2] = Default::default();
            for _ in 0..150 {
                let mut state = interpreter.initial();
                let playout = if split {
                    semisplit_playout(&mut slow, &mut state, &mut random).unwrap()
                } else {
                    random_playout(&mut slow, &mut state, &mut random).unwrap()
                };
                samples[0].push([playout.length as f64, f64::from(playout.scores[0])]);
            }
            for _ in 0..3000 {
                let mut state = native.initial();
                let length = fast.playout(&mut state, split, &mut random).unwrap();
                samples[1].push([length as f64, f64::from(native.score(&state, Player(1)))]);
            }
            for figure in 0..2 {
                let moments = samples.each_ref().map(|s| {
                    let n = s.len() as f64;
                    let mean = s.iter().map(|x| x[figure]).sum::<f64>() / n;
                    let variance = s.iter().map(|x| (x[figure] - mean).powi(2)).sum::<f64>() / n;
                    (mean, variance / n)
                });
                let error = (moments[0].1 + moments[1].1).sqrt();
                let difference = (moments[0].0 - moments[1].0).abs();
                // The seeds are fixed, so this is a fact about the code, not about luck.
                assert!(
                    difference <= 4.0 * error + 1e-9,
                    "{name} split={split} figure {figure}: {moments:?}"
                );
            }
        }
    }
}

/// The keeper gets stuck at a node that he also passes at the start, after a change: what remains of
/// a playout must be what the last move left.
#[test]
fn playouts_end_with_the_last_complete_move() {
    let text = "#players = white(100), black(100)\n#pieces = e, x\n#variables = turn(3)\n\
        #board = rectangle(up,down,left,right,[e,e,e][e,e,e])\n\
        #rules = [$ white=50] (\n\
            [$ turn=turn+1] ->white (up* + down*)(left* + right*) {e} [x] ->>\n\
        )*\n";
    let game = load(&Source::new("stuck", text)).game.unwrap();
    let native = Native::new(&game).unwrap_or_else(|e| panic!("{}", e.0));
    for split in [false, true] {
        let mut state = native.initial();
        let moves = native.worker().playout(&mut state, split, &mut Random::new(1)).unwrap();
        let placed = game.board.vertices().filter(|v| native.piece(&state, *v).0 == 1).count();
        assert_eq!((moves, placed), (3, 3));
        assert_eq!(native.score(&state, Player(1)), 50);
        assert_eq!(native.variable(&state, Variable(2)), 3);
    }
}

/// A playout that ends because a player has no move leaves him to move.
#[test]
fn who_has_no_move_is_to_move() {
    let text = "#players = pa(1), pb(1) #pieces = e #variables = turn(1)
        #board = rectangle(up, down, left, right, [e])
        #rules = ->pa [$ turn = turn + 1] ->pb [$ turn = turn + 1] ->> {}";
    let game = load(&Source::new("turns", text)).game.unwrap();
    let native = Native::new(&game).unwrap();
    let mut worker = native.worker();
    for split in [false, true] {
        let mut state = native.initial();
        let length = worker.playout(&mut state, split, &mut Random::new(1)).unwrap();
        assert_eq!((length, native.player(&state)), (1, Player(2)), "split {split}");
        assert_eq!(state.hash(), state.recomputed_hash());
    }
}

/// A worker keeps what it runs: whoever made it may be gone.
#[test]
fn workers_outlive_what_made_them() {
    fn playout<E: Engine + 'static>(mut worker: E) -> bool {
        let mut state = worker.initial();
        worker.playout(&mut state, false, &mut Random::new(1)).is_ok()
    }
    let game = built_in("breakthrough");
    assert!(playout(Native::new(&game).unwrap().worker()));
    assert!(playout(Interpreter::new(&game).worker()));
}
