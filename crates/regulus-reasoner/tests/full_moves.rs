//! Whole moves are drawn uniformly from the list of legal moves, or by the weights of their keys: small games of one
//! move, in which every way of drawing occurs.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use regulus_game::{Engine, Guide, KeyKind, Moves, Played, Random};
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::native::{Native, NativeState};

/// A game of one move on a small board.
fn game(name: &str, board: &str, turn: &str) -> Game {
    let text = format!(
        "#players = white(1)\n#pieces = e, w, b, q, r, x\n#variables = t(9)\n\
         #board = rectangle(up,down,left,right,{board})\n\
         #any = ((up* + down*)(left* + right*))\n\
         #step = (up + down + left + right)\n\
         #ray = (up {{e}} (up {{e}})* + down {{e}} (down {{e}})* + left {{e}} (left {{e}})* + right {{e}} (right {{e}})*)\n\
         #line = (up {{w}} (up + down^2) {{w}} + down {{w}} down {{w}} + left {{w}} (left + right^2) {{w}} + right {{w}} right {{w}})\n\
         #rules = ->white {turn} ->> {{}}\n"
    );
    let loaded = load(&Source::new(name, &text));
    loaded.game.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics))
}

/// What tells the ends of such a game apart.
type End = (Vec<u8>, u16, u32);

/// Compares how often states are reached with how many moves lead to them, and with the weights of these.
fn assert_uniform(name: &str, board: &str, turn: &str) {
    let game = game(name, board, turn);
    let native = Native::new(&game).unwrap();
    let mut worker = native.worker();
    let mut start = native.initial();
    assert!(worker.run_keeper(&mut start).unwrap(), "{name}");
    let mut moves = Moves::new();
    worker.list(&mut start, &mut moves).unwrap();
    assert!(moves.len() > 1, "{name}: {} moves", moves.len());
    let end = |state: &NativeState| -> End {
        let pieces = game.board.vertices().map(|v| native.piece(state, v).0);
        let variable = native.variable(state, regulus_rbg::declarations::Variable(1));
        (pieces.collect(), native.vertex(state).0, variable)
    };
    let games = 200 * moves.len();
    let mut random = Random::new(11);
    let mut expected: BTreeMap<End, f64> = BTreeMap::new();
    for steps in moves.iter() {
        let mut state = start.clone();
        worker.apply(&mut state, steps);
        *expected.entry(end(&state)).or_default() += 1.0;
    }
    let mut seen: BTreeMap<End, f64> = BTreeMap::new();
    for _ in 0..games {
        let mut state = native.initial();
        assert_eq!(worker.playout(&mut state, false, &mut random).unwrap(), 1, "{name}");
        *seen.entry(end(&state)).or_default() += 1.0;
    }
    assert_proportional(name, &expected, seen);
    // One kind of key in whole games, the other in drawing one move.
    for (kind, most) in [(KeyKind::Steps, u64::MAX), (KeyKind::StepsOntoPieces, 1)] {
        let mut guide = Guide::new(kind, 12);
        guide.weights_mut().fill_with(|| [255, 120, 30, 8][random.below(4) as usize]);
        let (mut expected, mut seen) = (BTreeMap::new(), BTreeMap::new());
        for steps in moves.iter() {
            let key = guide.key(worker.move_hash(&mut start, steps, kind));
            let mut state = start.clone();
            worker.apply(&mut state, steps);
            *expected.entry((key, end(&state))).or_default() += guide.share(key) as f64;
        }
        for _ in 0..games {
            let mut state = native.initial();
            let played = worker.play(&mut state, most, Some(&mut guide), &mut random).unwrap();
            assert_eq!(played, Played { length: 1, is_over: true }, "{name}");

            let [played] = guide.played() else { panic!("{name}: {:?}", guide.played()) };
            assert_eq!(played.player, 1, "{name}");
            *seen.entry((played.key, end(&state))).or_default() += 1.0;
        }
        assert_proportional(&format!("{name}, {kind:?}"), &expected, seen);
    }
}

/// Compares how often something was seen with how often that was expected, up to a factor.
fn assert_proportional<T: Ord>(
    name: &str,
    expected: &BTreeMap<T, f64>,
    mut seen: BTreeMap<T, f64>,
) {
    let mut chi_square = 0.0;
    let factor = seen.values().sum::<f64>() / expected.values().sum::<f64>();
    for (state, share) in expected {
        let wanted = factor * share;
        let found = seen.remove(state).unwrap_or(0.0);
        chi_square += (found - wanted).powi(2) / wanted;
    }
    assert!(seen.is_empty(), "{name}: {} states that no move leads to", seen.len());
    let freedom = expected.len() as f64 - 1.0;
    // Four standard deviations; the seed is fixed, so this is a fact about the code.
    let limit = freedom + 4.0 * (2.0 * freedom).sqrt() + 4.0;
    assert!(chi_square < limit, "{name}: {chi_square:.1} for {freedom} degrees of freedom");
}

const FIELD: &str = "[e,b,e,e,e][e,w,e,w,e][w,e,e,b,e][e,e,w,e,e][e,b,e,e,w]";

#[test]
fn one_choice() {
    assert_uniform("placement", FIELD, "any {e} [w]");
    assert_uniform("several pieces", FIELD, "any {e} ([w] + [q] + [r])");
    assert_uniform("a condition at the end", FIELD, "any {e} [q] {? up {b} + left {w}}");
    assert_uniform("hardly any are legal", FIELD, "any {e} [q] {? up {b} + down {b}}");
    assert_uniform("a pass", FIELD, "([$ t = 1] + any {e} [w])");
}

/// Conditions with modifiers are asked of the vertex that was drawn.
#[test]
fn deferred_checks() {
    assert_uniform("holds at some", FIELD, "any {e} {? [w] step {w}} [q]");
    assert_uniform("negated", FIELD, "any {e} {! [w] step {w}} [q]");
    assert_uniform("holds at few", FIELD, "any {e} {? [w] (up + left) {b}} [q]");
    assert_uniform(
        "two, and a test between",
        FIELD,
        "any {e} {? [w] step {w}} {? step {e}} {! [b] up {b}} [q]",
    );
    assert_uniform("beside a pass", FIELD, "([$ t = 1] + any {e} {? [w] step {w}} [q])");
    assert_uniform(
        "several modifiers behind one",
        FIELD,
        "any {e} ({? [w] step {w}} ([q] + [r]) + {! [w] step {w}} [b] ({? up} + {? down}))",
    );
    assert_uniform("a walk behind it", FIELD, "any {e} {? [w] step {w}} step {e} [q]");
    assert_uniform("behind a step", FIELD, "any {w} [e] step {e} {? [w] step {b}} [w]");
    assert_uniform("a choice behind it", FIELD, "any {e} {? [w] step {w}} [q] any {e} [w]");
}

/// What a move will ask of variables is asked before it is drawn.
#[test]
fn hoisted_guards() {
    assert_uniform("an assignment that fails", FIELD, "(any {e} [w] [$ t = t - 1] + any {w} [q])");
    assert_uniform("one that succeeds", FIELD, "(any {e} [w] [$ t = t + 1] + any {w} [q])");
    assert_uniform(
        "one of several modifiers",
        FIELD,
        "any {e} ([w] [$ t = t - 1] + [q] [$ t = t + 3] + [r] + [b] {$ t > 0})",
    );
    assert_uniform(
        "a chain of them",
        FIELD,
        "any {e} ([$ t = t + 5] [w] + [$ t = 2] [q]) ({$ t > 3} [$ t = t - 5] + [$ t = 9 - t]) [$ t = t - 2]",
    );
    assert_uniform(
        "numbers of pieces that change",
        FIELD,
        "any {e} ([w] {$ w == 6} [$ t = w - 6] + [b] {$ b == 3} [$ t = b - 3] + [q] [$ t = q - 1])",
    );
    assert_uniform(
        "behind a walk",
        FIELD,
        "any {w} [e] step {e} [w] ([$ t = 1] + [$ t = 10 - e + w])",
    );
}

/// Where only one of several ways is open, whatever the state, the rest of a move is not drawn.
#[test]
fn determined_rests() {
    let toggle = "({w} [b] + {b} [w] + {e} [q] + {q} [e] + {r} [r])";
    let touch = |to: &str, from: &str| format!("({to} {toggle} {from} + {{! {to}}} [$ t = t])");
    let all = [touch("up", "down"), touch("down", "up"), touch("left", "right")].join(" ");
    assert_uniform("toggles", FIELD, &format!("any {toggle} {all}"));
    assert_uniform("behind a walk", FIELD, &format!("any {{w}} [e] step {{e}} [w] {all}"));
    assert_uniform(
        "behind a choice",
        FIELD,
        &format!("any {{e}} ([w] + [q] step {{e}} [r]) {all}"),
    );
    let count = "({$ t == 0} [$ t = 3] + {$ t != 0} [$ t = t - 1])";
    assert_uniform("variables", FIELD, &format!("any {{e}} ([$ t = 1] + [w]) {count}"));
    assert_uniform("it may fail", FIELD, "any {e} [w] up ({e} [q] + {b} [r])");
}

/// Ways that exclude each other at one vertex are told apart, not drawn, though what is behind them may fail.
#[test]
fn exclusive_alternatives() {
    let toggle = "({w} [b] + {b} [w] + {e} [q])";
    let touch = |to: &str, from: &str| format!("({to} {toggle} {from} + {{! {to}}})");
    let all = [touch("up", "down"), touch("down", "up"), touch("left", "right")].join(" ");
    assert_uniform(
        "it may fail at the end",
        FIELD,
        &format!("any {toggle} {all} {{? up {{w}} + down {{q}}}} [$ t = 1]"),
    );
    assert_uniform(
        "different numbers of ways",
        FIELD,
        "any {e} [q] up ({w} ([b] + [r]) + {e} [w] + {b} step {e} [q])",
    );
    assert_uniform("one is a dead end", FIELD, "any {e} [q] (up {e} [w] {! up} + {! up {e}} [r])");
    assert_uniform(
        "behind steps",
        FIELD,
        "any {w} [e] step ({e} [w] + {b} ([q] + [r]) + {w} [b] up {e} [q])",
    );
    assert_uniform(
        "not exclusive",
        FIELD,
        "any {e} [q] (up {e} [w] + step {e} [r] + {! up {e}} [b])",
    );
}

/// If all vertices fail, there is no move; the other alternative is then the only one.
#[test]
fn checks_that_fail_everywhere() {
    let game =
        game("nothing", "[e,e][e,e]", "({$ t == 1} [$ t = 2] + any {e} {? [w] step {b}} [q])");
    let native = Native::new(&game).unwrap();
    let mut state = native.initial();
    let mut random = Random::new(3);
    assert_eq!(native.worker().playout(&mut state, false, &mut random).unwrap(), 0);
}

#[test]
fn walks_in_parallel() {
    assert_uniform("steps", FIELD, "any {w} [e] up ({e} + (left + right) {b, e}) [w]");
    assert_uniform("two ways to one vertex", FIELD, "any {w} [e] (up left + left up + up) {e} [w]");
    assert_uniform("back to the start", FIELD, "any {w} [e] (up + up down) {e} [w]");
    assert_uniform(
        "promotion",
        FIELD,
        "any {w} [e] (up {e} + up (left + right) {b}) ({? up} [w] + {! up} ([q] + [r] + [b]))",
    );
    assert_uniform(
        "variables",
        FIELD,
        "any {w} [e] step {e} ([$ t = 1] + [$ t = t + 2]) {$ t > 0} [w]",
    );
    assert_uniform("jumps", FIELD, "any {w} [e] (up {b} [e] up + left {e} + right {e}) {e} [w]");
}

#[test]
fn lines_and_several_choices() {
    assert_uniform("lines", FIELD, "any {w} [e] ray [w]");
    assert_uniform(
        "captures along lines",
        FIELD,
        "any {w} [e] ((up {e})* up + (left {e})* left) {e, b} [w]",
    );
    assert_uniform("an arrow", FIELD, "any {w} [e] ray [w] ray [q]");
    assert_uniform(
        "two pieces or one capture",
        FIELD,
        "any ({w} [e] ray [w] any {w} [e] ray [w] + {w} [e] (up + down) (left + right) {b} [w])",
    );
}

#[test]
fn captures_behind_conditions() {
    let field = "[w,w,e,e][e,b,w,b][w,e,w,e][b,w,e,e]";
    let capture = "({! line} [$ t = 1] + {? line} any {b} [e])";
    assert_uniform("placement", field, &format!("any {{e}} [w] {capture}"));
    assert_uniform("steps", field, &format!("any {{w}} [e] step {{e}} [w] {capture}"));
    assert_uniform("flying", field, &format!("any {{w}} [e] any {{e}} [w] {capture}"));
    let safe = "({! line} [$ t = 1] + {? line} any {b} {! step {b}} [e])";
    assert_uniform(
        "only some can be captured",
        field,
        &format!("any {{w}} [e] step {{e}} [w] {safe}"),
    );
}

#[test]
fn loops_through_modifiers() {
    let field = "[w,e,e,e,e][b,e,b,e,e][e,b,e,b,e][w,b,e,b,e][e,e,e,e,e]";
    let jump = "(up {b} [e] up + down {b} [e] down + left {b} [e] left + right {b} [e] right) {e}";
    assert_uniform("chains", field, &format!("any {{w}} [e] {jump} ({jump})* [w]"));
    assert_uniform(
        "longest chains",
        field,
        &format!("any {{w}} [e] {jump} ({jump})* {{! {jump}}} [w]"),
    );
    assert_uniform("the loop comes first", field, &format!("any {{w}} [e] ({jump})* [w]"));
    assert_uniform(
        "beside other moves",
        field,
        &format!("any {{w}} [e] ({jump} ({jump})* + step {{e}}) [w]"),
    );
    assert_uniform(
        "beside single modifiers",
        field,
        &format!("any ({{w}} [e] {jump} ({jump})* [w] + {{b}} [q])"),
    );
    assert_uniform("many ends", field, &format!("any {{w}} [e] {jump} ({jump})* any {{b}} [w]"));
    assert_uniform("far moves", field, &format!("any {{w}} [e] ray ({jump})* [w]"));
    // Some chains end in an assignment that fails, others are cut short by one.
    let counted = "(up {b} [e] up + left {b} [e] left + right {b} [e] right) {e} [$ t = t + 4]";
    assert_uniform(
        "assignments in chains",
        field,
        &format!("any {{w}} [e] {counted} ({counted})* [w]"),
    );
    // After what is drawn again, because a bound was too large or a check failed late.
    let rare = "any {w} [e] step {e} {! step {b}} [w]";
    assert_uniform("rejections", field, &format!("({rare} + any {{w}} [e] {jump} ({jump})* [w])"));
    let checked = "any {e} {? [w] step {b}} [w]";
    assert_uniform("checks", field, &format!("({checked} + any {{w}} [e] {jump} ({jump})* [w])"));
}

#[test]
fn loops_that_the_board_ends() {
    let field = "[w,b,e,b,e,b,e][e,b,e,e,e,b,w][w,b,e,b,e,e,e]";
    let leap = |d: &str| format!("{d} {{b}} [e] {d} {{e}} ({d} {{b}} [e] {d} {{e}})* [w]");
    let (left, right) = (leap("left"), leap("right"));
    assert_uniform("in lines", field, &format!("any {{w}} [e] ({left} + {right})"));
    let maximal = "right {b} [e] right {e} (right {b} [e] right {e})* {! right {b} right {e}} [w]";
    assert_uniform("to the end", field, &format!("any {{w}} [e] ({left} + {maximal})"));
    let walls = "(right {e} [b])* right {b} [w]";
    assert_uniform("from one vertex", "[w,e,e,e,b][b,e,e,b,e]", &format!("any {{w, b}} {walls}"));
    let two = "right {b} [e] (up + down) {e} (right {b} [e] (up + down) {e})* [w]";
    assert_uniform(
        "with two ways",
        "[w,b,e,e][e,e,b,e][b,b,b,e][e,e,e,e]",
        &format!("any {{w, b}} {two}"),
    );
}

#[test]
fn loops_that_go_round_for_ever() {
    // The loop goes back where it came from; every way is told by its length.
    let there = "any {w} [e] (step {e} {$ t < 3} [$ t = t + 1])* [w]";
    assert_uniform("walks", "[w,e,e][e,b,e]", there);
}

#[test]
fn most_captures() {
    // Captured pieces are marked; another condition asks whether more could have been captured.
    let field = "[w,e,e,e,e][b,e,b,e,e][e,b,e,b,e][w,b,e,b,e][e,e,e,b,w]";
    let jump = "(up {b} [r] up + down {b} [r] down + left {b} [r] left + right {b} [r] right) {e}";
    let again = "(up {b, r} [x] up + down {b, r} [x] down + left {b, r} [x] left + right {b, r} [x] right) {e}";
    let more = format!("[$ t = r] any {{w, q}} [e] ({again})* {{$ x > t}}");
    assert_uniform("of all", field, &format!("any {{w}} [q] {jump} ({jump})* {{! {more}}} [w]"));
    let quiet = "any {w} [q] step {e} [w]";
    assert_uniform(
        "or none",
        field,
        &format!("({quiet} + any {{w}} [q] ({jump})* [w]) {{! {more}}}"),
    );
    let few = "[w,e,w,e,e][b,e,e,e,e][r,w,e,w,e][w,e,e,e,e][e,e,e,b,w]";
    assert_uniform(
        "nothing to capture",
        few,
        &format!("({quiet} + any {{w}} [q] {jump} ({jump})* [w]) {{! {more}}}"),
    );
    // The number of marked pieces is asked after pieces were taken: which they are matters.
    let counted = format!("any {{w, q}} [e] ({again})* {{$ x > r + 3}}");
    assert_uniform(
        "told apart",
        field,
        &format!("any {{w}} [q] {jump} ({jump})* {{! {counted}}} [w]"),
    );
}
