//! Rules that are legal and ask for too much, or for something impossible, while they run: a clear
//! error or the meaning that the language gives it, in bounded time and memory, on both engines.

#![allow(clippy::unwrap_used)]

mod engine;

use engine::{Compiled, Engine, Interpreted, Questions};
use regulus_game::{Engine as _, Random};
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::error::{MAX_MOVES, MAX_SEMIMOVES, MAX_STEPS, MAX_WALK_MODIFIERS};
use regulus_reasoner::native::Native;
use regulus_reasoner::{Interpreter, RunError, semimove_perft};

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

const TOO_MANY: RunError = RunError::TooManyMoves;

/// The answers of both engines to everything that looks at all moves of the first position, and the same from
/// both.
fn looked_at(game: &Game) -> Result<u64, RunError> {
    fn answers<E: Questions>(e: &mut E) -> Result<u64, RunError> {
        let mut state = e.initial();
        assert!(e.run_keeper(&mut state).unwrap());
        let before = state.clone();
        let listed = e.list(&mut state).map(|moves| moves.len() as u64);
        assert_eq!(e.count(&mut state), listed);
        assert_eq!(e.perft(&e.initial(), 1), listed);
        assert_eq!(state, before);
        listed
    }
    let interpreter = Interpreter::new(game);
    let expected = answers(&mut Interpreted::new(&interpreter));
    let native = Native::guarded(game).unwrap_or_else(|why| panic!("no native code: {}", why.0));
    assert_eq!(answers(&mut Compiled::new(&native)), expected);
    expected
}

#[test]
fn a_billion_moves() {
    let game = game(1000, "", "->a ((left* + right*) [x])^3 ->> {}");
    assert_eq!(looked_at(&game), Err(TOO_MANY));
    let native = Native::new(&game).unwrap();
    // Drawing one needs no list and no count.
    assert_eq!(playouts(&mut Compiled::new(&native)), [Ok(1), Ok(1)]);
}

/// Exactly as many moves as are allowed, and one more; and the same with steps.
#[test]
fn the_limits_of_moves_and_steps() {
    // 64 x 64 x 4 moves of n + 4 steps.
    let long = |n: u64| {
        let any = "(left* + right*) [x]";
        let looped = format!("({{$ v < {n}}} [$ v = v + 1])* {{$ v == {n}}}");
        game(64, "v(9999)", &format!("->a {looped} {any} {any} ([x] + [e] + [x] + [e]) ->> {{}}"))
    };
    let just = MAX_STEPS / (64 * 64 * 4) - 4;
    assert_eq!(looked_at(&long(1000)), Ok(64 * 64 * 4));
    assert_eq!(looked_at(&long(just)), Ok(64 * 64 * 4));
    assert_eq!(looked_at(&long(just + 1)), Err(TOO_MANY));
    // Short moves.
    let many = |n: usize| {
        let choices = vec!["[x]"; n].join(" + ");
        game(1000, "", &format!("->a (left* + right*) ({choices}) (left* + right*) ->> {{}}"))
    };
    assert_eq!(looked_at(&many(10)), Ok(MAX_MOVES));
    assert_eq!(looked_at(&many(11)), Err(TOO_MANY));
}

/// Walks that are too long and part again and again: the first one ends the search.
#[test]
fn moves_that_grow_and_part() {
    let rules = "->a ([$ v = v + 1] + [$ w = w + 1])* ->> {}";
    assert_eq!(looked_at(&game(2, "v(1000000), w(1000000)", rules)), Err(TOO_MANY));
}

#[test]
fn a_move_that_grows_and_grows() {
    let game = game(3, "v(1000000)", "->a ([$ v = v + 1])* ->> {}");
    assert_eq!(looked_at(&game), Err(TOO_MANY));
    let native = Native::new(&game).unwrap();
    for result in playouts(&mut Compiled::new(&native)) {
        assert!(matches!(result, Ok(1) | Err(TOO_MANY)), "{result:?}");
    }
}

/// Straight moves and loops of just as many modifiers as a move may have, and of one more.
#[test]
fn the_limit_of_modifiers() {
    let most = MAX_WALK_MODIFIERS;
    let straight = |n: usize| game(2, "", &format!("->a ([x])^{n} ->> {{}}"));
    let two = |n: usize| game(2, "", &format!("->a [e] ([x] + [e])^1 ([x])^{n} ->> {{}}"));
    let looped = |n: usize| {
        let rules = format!("->a ({{$ v < {n}}} [$ v = v + 1])* {{$ v == {n}}} ->> {{}}");
        game(2, "v(1000000)", &rules)
    };
    let both = |n: usize| {
        let half = n / 2;
        let rules = format!(
            "->a ({{$ v < {half}}} [$ v = v + 1])* {{$ v == {half}}} ([x])^{} ->> {{}}",
            n - half
        );
        game(2, "v(1000000)", &rules)
    };
    for n in [1, 63, 64, 65, 255, 256, 257, 600, 1000, 1023, 1025, 1500, 2500, most - 1, most] {
        assert_eq!(looked_at(&straight(n)), Ok(1), "straight {n}");
        assert_eq!(looked_at(&looped(n)), Ok(1), "looped {n}");
        assert_eq!(looked_at(&both(n.max(2))), Ok(1), "both {n}");
    }
    assert_eq!(looked_at(&two(most - 2)), Ok(2));
    assert_eq!(looked_at(&two(most - 1)), Err(TOO_MANY));
    for n in [most + 1, 6500, 20_000] {
        assert_eq!(looked_at(&straight(n)), Err(TOO_MANY), "straight {n}");
        assert_eq!(looked_at(&looped(n)), Err(TOO_MANY), "looped {n}");
        assert_eq!(looked_at(&both(n)), Err(TOO_MANY), "both {n}");
    }
}

/// The same in moves that are made semimove by semimove.
#[test]
fn the_limit_of_semimoves() {
    let rules = |n: usize| {
        let with_dots = format!("->a ([x] .)^{} [x] ->> {{}}", n / 2);
        game(2, "", &with_dots)
    };
    // All semimoves and the switch.
    for (n, expected) in [(100, Ok(1)), (MAX_SEMIMOVES - 2, Ok(1)), (MAX_SEMIMOVES, Err(TOO_MANY))]
    {
        let game = rules(n);
        let interpreter = Interpreter::new(&game);
        let mut interpreted = interpreter.worker();
        let native = Native::guarded(&game).unwrap();
        let mut compiled = native.worker();
        let state = interpreted.initial();
        let found = semimove_perft(&mut interpreted, &state, 1);
        assert_eq!(found, expected);
        let state = compiled.initial();
        let found = semimove_perft(&mut compiled, &state, 1);
        assert_eq!(found, expected);
        let mut random = Random::new(1);
        let mut state = interpreted.initial();
        assert_eq!(interpreted.playout(&mut state, true, &mut random), expected);
        let mut state = compiled.initial();
        assert_eq!(compiled.playout(&mut state, true, &mut random), expected);
    }
}

/// Conditions have the same limit, for themselves.
#[test]
fn the_limit_in_conditions() {
    let most = MAX_WALK_MODIFIERS;
    let inside = |n: usize| {
        let walk = format!("({{$ v < {n}}} [$ v = v + 1])* {{$ v == {n}}}");
        let rules = format!("->a ({{? {walk}}} [x] + {{! {walk}}} ([x] + [e] right)) ->> {{}}");
        game(2, "v(1000000)", &rules)
    };
    for n in [1, 64, 999, 1000, 1001, 1500, most] {
        assert_eq!(looked_at(&inside(n)), Ok(1), "{n}");
    }
    assert_eq!(looked_at(&inside(most + 1)), Err(TOO_MANY));
    // A walk that has no end is not asked to the end if another one holds.
    let rules = "->a {? ([$ v = v + 1])* right} [x] ->> {}";
    assert_eq!(looked_at(&game(2, "v(1000000)", rules)), Ok(1));
    let rules = "->a {! ([$ v = v + 1])* right right} [x] ->> {}";
    assert_eq!(looked_at(&game(2, "v(1000000)", rules)), Err(TOO_MANY));
    // Around the condition there may be as many again.
    let walk = format!("({{$ v < {most}}} [$ v = v + 1])*");
    let rules =
        format!("->a {{? {walk}}} {walk} {{$ v == {most}}} {{! {walk} {{$ v == 7}}}} ->> {{}}");
    assert_eq!(looked_at(&game(2, "v(1000000)", &rules)), Ok(1));
}

/// Walks that end nowhere: given up after a while.
#[test]
fn walks_that_lead_nowhere() {
    let wander = "({e} [x] (left + right + up + down))*";
    let text = |rules: &str| {
        let row = "[e,e,e,e,e,e,e,e,e,e]";
        let text = format!(
            "#players = a(100) #pieces = e, x #variables = v(9)
             #board = rectangle(up, down, left, right, {}) #rules = {rules}",
            row.repeat(10)
        );
        load(&Source::new("wander", text)).game.unwrap()
    };
    assert_eq!(looked_at(&text(&format!("->a {wander} {{$ v == 9}} ->> {{}}"))), Err(TOO_MANY));
    assert_eq!(
        looked_at(&text(&format!("->a {{? {wander} {{$ v == 9}}}} ->> {{}}"))),
        Err(TOO_MANY)
    );
    let keeper = text(&format!("->a ->> {wander} {{$ v == 9}} ->a ->> {{}}"));
    on_both(
        &keeper,
        |e| assert_eq!(e.perft(&e.initial(), 2), Err(RunError::EndlessKeeper)),
        |e| assert_eq!(e.perft(&e.initial(), 2), Err(RunError::EndlessKeeper)),
    );
}

/// The keeper's walks have a limit, too.
#[test]
fn a_keeper_that_walks_far() {
    let far = |v: usize| {
        let rules = format!("->a ->> ({{$ v < {v}}} [$ v = v + 1])* {{$ v == {v}}} ->a ->> {{}}");
        game(3, "v(1000000)", &rules)
    };
    for v in [50, 1000, MAX_WALK_MODIFIERS] {
        assert_levels(&far(v), [1, 1, 0, 0], 2);
    }
    let endless = Err(RunError::EndlessKeeper);
    for v in [MAX_WALK_MODIFIERS + 1, 900_000] {
        on_both(
            &far(v),
            |e| assert_eq!(e.perft(&e.initial(), 2), endless),
            |e| {
                assert_eq!(e.perft(&e.initial(), 2), endless);
                assert_eq!(playouts(e), [endless, endless]);
            },
        );
    }
    // Many moves of a few modifiers each.
    let many = |v: usize| {
        let rules =
            format!("->a ->> ({{$ v < {v}}} [$ v = v + 1] ->>)* {{$ v == {v}}} ->a ->> {{}}");
        game(3, "v(2000000)", &rules)
    };
    assert_levels(&many(500_000), [1, 1, 0, 0], 2);
    on_both(
        &many(1_500_000),
        |e| assert_eq!(e.perft(&e.initial(), 2), endless),
        |e| assert_eq!(e.perft(&e.initial(), 2), endless),
    );
}

/// A star of the keeper's whose body can pass tests only.
#[test]
fn a_keeper_who_goes_round() {
    let rules = "->a [x] ->> [x] ({$ v == 0} + {? left} [$ v = 1] ->> {})* ->a [e] ->> {}";
    assert_levels(&game(3, "v(3)", rules), [1, 1, 0, 0], 2);
    let rules = "->a [x] ->> ({x} + right {e} [x])* {! right} ->a [e] ->> {}";
    assert_levels(&game(3, "v(3)", rules), [1, 1, 0, 0], 2);
    let rules = "->a [x] ->> (right + left + {e} [x])* {! right} {x} ->a [e] ->> {}";
    assert_levels(&game(3, "v(3)", rules), [1, 1, 0, 0], 2);
}

/// The same where split points stand between the rounds.
#[test]
fn a_keeper_who_goes_round_over_split_points() {
    let rules = "->a (->> + [x]) ((left + right) .)* {x} {e} ->a [e] ->> {}";
    assert_levels(&game(3, "", rules), [1, 0, 0, 0], 1);
}

/// Where the keeper can move in several ways both engines take the first in the order of the rules.
#[test]
fn a_keeper_with_several_outcomes() {
    let keepers = [
        "([$ v = 1] + [$ v = 2])",
        "({e} + [$ v = 3])",
        "([$ v = 4] + {e})",
        "(right + left) [x] [$ v = 5]",
        "(left + right) [x] [$ v = 5]",
        "(left* + right*) {e} [x]",
        "(right* + left*) {e} [x]",
        "(right* left + left* right) {e} [x] {! right {x}}",
        "(right [x])* {! right}",
        "(left {e} [x] + right {e} [x])* {! right {e}} {! left {e}}",
        "(right + left) ({$ v == 0} + [$ v = 1]) [x]",
        "(left + right) ->> [x]",
        "(left* + right*) ({x} [e] + {e} [x]) [$ v = e]",
    ];
    for keeper in keepers {
        for middle in ["right", "right right", "right right right"] {
            let game =
                game(6, "v(9)", &format!("->a {middle} [x] ->> {keeper} ->a [$ v = v] ->> {{}}"));
            let interpreter = Interpreter::new(&game);
            let native = Native::guarded(&game).unwrap();
            let (mut i, mut c) = (Interpreted::new(&interpreter), Compiled::new(&native));
            let (mut a, mut b) = (i.initial(), c.initial());
            for _ in 0..3 {
                let going = i.run_keeper(&mut a).unwrap();
                assert_eq!(c.run_keeper(&mut b).unwrap(), going);
                assert_eq!(i.facts(&a), c.facts(&b), "{keeper} behind {middle}");
                let moves = i.list(&mut a).unwrap();
                let Some(first) = moves.first() else { break };
                i.apply(&mut a, first);
                c.apply(&mut b, first);
            }
        }
    }
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
