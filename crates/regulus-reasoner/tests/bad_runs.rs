//! Rules that are legal and ask for too much, or for something impossible, while they run: a clear
//! error or the meaning that the language gives it, in bounded time and memory, on both engines.

#![allow(clippy::unwrap_used)]

mod engine;

use engine::{Compiled, Engine, Interpreted, Questions};
use regulus_game::{Engine as _, Random};
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::error::{MAX_LISTED_MOVES, MAX_NATIVE_STEPS, MAX_WALK_MODIFIERS};
use regulus_reasoner::native::Native;
use regulus_reasoner::{Interpreter, RunError};

/// A game for one player on a row of vertices.
fn game(length: usize, variables: &str, rules: &str) -> Game {
    let row = vec!["e"; length].join(",");
    let text = format!(
        "#players = a(100) #pieces = e, x #variables = {variables}
         #board = rectangle(up, down, left, right, [{row}])
         #rules = {rules}"
    );
    let loaded = load(&Source::new("bad", text));
    loaded.game.unwrap_or_else(|| panic!("{rules}: {:?}", loaded.diagnostics))
}

/// Runs a test on both engines.
fn on_both(
    game: &Game,
    interpreted: impl Fn(&mut Interpreted<'_>),
    compiled: impl Fn(&mut Compiled<'_>),
) {
    let interpreter = Interpreter::new(game);
    interpreted(&mut Interpreted::new(&interpreter));
    let native = Native::new(game).unwrap_or_else(|why| panic!("no native code: {}", why.0));
    compiled(&mut Compiled::new(&native));
}

/// The numbers of moves on the first levels.
fn levels<E: Engine>(engine: &mut E) -> Vec<u64> {
    (1..=4).map(|depth| engine.perft(&engine.initial(), depth).unwrap()).collect()
}

fn playouts(engine: &mut Compiled<'_>) -> Vec<Result<u64, RunError>> {
    let mut random = Random::new(1);
    [false, true]
        .map(|split| {
            let mut state = engine.initial();
            engine.worker.playout(&mut state, split, &mut random)
        })
        .to_vec()
}

/// The same levels on both engines, and playouts of one length.
fn assert_levels(game: &Game, expected: [u64; 4], length: u64) {
    on_both(
        game,
        |e| assert_eq!(levels(e), expected, "interpreter"),
        |e| {
            assert_eq!(levels(e), expected, "native");
            assert_eq!(playouts(e), [Ok(length), Ok(length)], "native");
        },
    );
}

#[test]
fn a_keeper_without_end() {
    let game = game(3, "v(1)", "->a right [x] ->> ([$ v = 1 - v] ->>)* {}");
    on_both(
        &game,
        |e| {
            assert_eq!(e.perft(&e.initial(), 1), Ok(1));
            assert_eq!(e.perft(&e.initial(), 2), Err(RunError::EndlessKeeper));
        },
        |e| {
            assert_eq!(e.perft(&e.initial(), 1), Ok(1));
            assert_eq!(e.perft(&e.initial(), 2), Err(RunError::EndlessKeeper));
            assert_eq!(playouts(e), [Err(RunError::EndlessKeeper), Err(RunError::EndlessKeeper)]);
        },
    );
}

#[test]
fn a_game_without_end() {
    let game = game(3, "", "(->a (left* + right*) ({e} [x] + {x} [e]))*");
    let endless = Err(RunError::EndlessGame);
    on_both(
        &game,
        |e| {
            for split in [false, true] {
                let mut state = e.initial();
                assert_eq!(e.worker.playout(&mut state, split, &mut Random::new(1)), endless);
            }
        },
        |e| assert_eq!(playouts(e), [endless, endless]),
    );
}

#[test]
fn a_billion_moves() {
    let game = game(1000, "", "->a ((left* + right*) [x])^3 ->> {}");
    let too_many = Err(RunError::TooManyMoves);
    on_both(
        &game,
        |e| {
            let mut state = e.initial();
            assert!(e.keeper(&mut state).unwrap());
            let before = state.clone();
            assert_eq!(e.list(&mut state).map(|_| ()), too_many);
            assert_eq!(state, before);
            let nth = e.nth(&mut state, MAX_LISTED_MOVES as u64 + 5).unwrap().unwrap();
            assert_eq!(nth.len(), 4);
        },
        |e| {
            let mut state = e.initial();
            assert!(e.keeper(&mut state).unwrap());
            assert_eq!(e.list(&mut state).map(|_| ()), too_many);
            // Counting needs no memory.
            assert_eq!(e.perft(&e.initial(), 1), Ok(1_000_000_000));
            assert_eq!(playouts(e), [Ok(1), Ok(1)]);
        },
    );
}

/// More moves than anybody can count: that is given up, on native code within a second.
#[test]
fn moves_beyond_counting() {
    let game = game(1000, "", "->a ((left* + right*) [x])^5 ->> {}");
    let native = Native::new(&game).unwrap();
    let mut engine = Compiled::new(&native);
    let mut state = engine.initial();
    assert!(engine.keeper(&mut state).unwrap());
    assert_eq!(engine.count(&mut state), Err(RunError::TooManyMoves));
    assert_eq!(engine.perft(&engine.initial(), 1), Err(RunError::TooManyMoves));
}

/// Walks that are too long and part again and again: the first one ends the search.
#[test]
fn moves_that_grow_and_part() {
    let rules = "->a ([$ v = v + 1] + [$ w = w + 1])* ->> {}";
    let game = game(2, "v(1000000), w(1000000)", rules);
    on_both(
        &game,
        |e| {
            let mut state = e.initial();
            assert!(e.keeper(&mut state).unwrap());
            assert!(matches!(e.list(&mut state), Err(RunError::WalkTooLong { .. })));
            assert!(matches!(e.count(&mut state), Err(RunError::WalkTooLong { .. })));
        },
        |e| {
            let mut state = e.initial();
            assert!(e.keeper(&mut state).unwrap());
            assert!(matches!(e.list(&mut state), Err(RunError::WalkTooLong { .. })));
            assert!(matches!(e.count(&mut state), Err(RunError::WalkTooLong { .. })));
            // The first moves are short, but behind them the walk has no end.
            let nth = e.nth(&mut state, u64::MAX);
            assert!(matches!(nth, Err(RunError::WalkTooLong { .. })), "{nth:?}");
        },
    );
}

#[test]
fn a_move_that_grows_and_grows() {
    let game = game(3, "v(1000000)", "->a ([$ v = v + 1])* ->> {}");
    on_both(
        &game,
        |e| {
            let too_long = Err(RunError::WalkTooLong { limit: MAX_WALK_MODIFIERS });
            let mut state = e.initial();
            assert!(e.keeper(&mut state).unwrap());
            let before = state.clone();
            assert_eq!(e.list(&mut state).map(|_| ()), too_long);
            assert_eq!(e.count(&mut state).map(|_| ()), too_long);
            assert_eq!(state, before);
            assert_eq!(e.perft(&e.initial(), 1).map(|_| ()), too_long);
        },
        |e| {
            let too_long = RunError::WalkTooLong { limit: MAX_NATIVE_STEPS };
            let mut state = e.initial();
            assert!(e.keeper(&mut state).unwrap());
            assert_eq!(e.list(&mut state).map(|_| ()), Err(too_long));
            assert_eq!(e.perft(&e.initial(), 1).map(|_| ()), Err(too_long));
            for result in playouts(e) {
                assert!(matches!(result, Ok(1) | Err(RunError::WalkTooLong { .. })), "{result:?}");
            }
        },
    );
}

/// The keeper's walks have a limit, too.
#[test]
fn a_keeper_that_walks_far() {
    let far = |v: u32| {
        let rules = format!("->a ->> ({{$ v < {v}}} [$ v = v + 1])* {{$ v == {v}}} ->a ->> {{}}");
        game(3, "v(1000000)", &rules)
    };
    assert_levels(&far(50), [1, 1, 0, 0], 2);
    let is_limit = |error| matches!(error, RunError::WalkTooLong { .. } | RunError::EndlessKeeper);
    on_both(
        &far(900_000),
        |e| assert!(e.perft(&e.initial(), 2).is_err_and(is_limit)),
        // Native code needs no memory for a walk that is determined, so it may well get there.
        |e| {
            let found = e.perft(&e.initial(), 2);
            assert!(found == Ok(1) || found.is_err_and(is_limit), "{found:?}");
            for length in playouts(e) {
                assert!(length == Ok(2) || length.is_err_and(is_limit), "{length:?}");
            }
        },
    );
}

#[test]
fn a_variable_at_its_bounds() {
    // Above: two moves, then the assignment fails and the player has no move.
    assert_levels(&game(2, "v(2)", "(->a [$ v = v + 1])*"), [1, 1, 0, 0], 2);
    // Above, in the keeper's part: he is stuck.
    assert_levels(&game(2, "v(1)", "(->a ->> [$ v = v + 1])*"), [1, 1, 0, 0], 2);
    // Below: a negative value is out of bounds too.
    assert_levels(&game(2, "v(9)", "->a ([$ v = v - 1] + right) ->> {}"), [1, 0, 0, 0], 1);
    // In a condition the walk fails, and the condition with it.
    let rules =
        "->a ({? [$ v = v + 1] [$ v = v + 1]} right + {! [$ v = v + 1] [$ v = v + 1]} [x]) ->> {}";
    assert_levels(&game(2, "v(1)", rules), [1, 0, 0, 0], 1);
}

#[test]
fn a_division_by_zero() {
    // A comparison fails, whatever it compares.
    let rules = "->a ({$ 4 / v == 2} + {$ 4 / v != 2} + right {! {$ 4 / v < 2}}) ->> {}";
    assert_levels(&game(2, "v(9)", rules), [1, 0, 0, 0], 1);
    // An assignment fails.
    assert_levels(
        &game(2, "v(9), w(9)", "->a ([$ w = 4 / v] + right) ->> {$ w == 0} {}"),
        [1, 0, 0, 0],
        1,
    );
    // The keeper takes another way.
    let rules = "->a ->> ([$ w = 4 / v] ->> {} + [$ w = 1]) ->a ->> {$ w == 0} {}";
    assert_levels(&game(2, "v(9), w(9)", rules), [1, 1, 0, 0], 2);
    // The product of the divisors is zero only for one of three values.
    let rules = "(->a [$ v = v + 1] {$ 6 / (v - 2) != 77})*";
    assert_levels(&game(2, "v(9)", rules), [1, 0, 0, 0], 1);
}

#[test]
fn conditions_in_conditions() {
    let nested = |depth: usize, before: &str, mark: &str| {
        let open = format!("{{{mark} {before} ").repeat(depth);
        format!("->a ({open}{{e}}{} + right [x]) ->> {{}}", "}".repeat(depth))
    };
    // Deep, but each only looks.
    assert_levels(&game(4, "", &nested(200, "", "?")), [2, 0, 0, 0], 1);
    assert_levels(&game(4, "", &nested(200, "", "!")), [2, 0, 0, 0], 1);
    // Each goes somewhere and back.
    assert_levels(&game(4, "", &nested(60, "right left", "?")), [2, 0, 0, 0], 1);
    // Each changes something on its way.
    assert_levels(&game(4, "", &nested(40, "right [x] left", "?")), [2, 0, 0, 0], 1);
}
