//! Conditions that look at a bounded surrounding of a vertex: native code against the interpreter, on boards whose
//! numbering has room for steps off the board and on boards where such a step lands on a vertex.

#![allow(clippy::unwrap_used)]

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::declarations::Variable;
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::Interpreter;
use regulus_reasoner::native::{Native, Pass};

/// Ways to write that a vertex is part of a row, and what else can be asked of its surrounding.
const CONDITIONS: [&str; 14] = [
    // To one end of the row and back.
    "(up {a})* (down {a})^2 + (left {a})* (right {a})^2 + (up left {a})* (down right {a})^2",
    "(left {a})* (right {a})^4 + (up {a})* (down {a})^4 + (down left {a})* (up right {a})^4",
    // Exactly so many.
    "(up {a})* {! up {a}} (down {a})^2 {! down {a}} + (left {a})* {! left {a}} (right {a})^2 {! right {a}}",
    "(up left {b})* {! up left {b}} (down right {b})^4 {! down right {b}}",
    // Every place in the row on its own; over the vertex without looking at it.
    "(up {a} (up + (down)^2) {a} + (down {a})^2) + (left {b} (left + (right)^2) {b} + (right {b})^2)",
    "(left {a})^2 (left {a} + (right)^3 {a}) + (up {b})^2 (up {b} + (down)^3 {b})",
    // Rings and squares, several pieces, and what must not be there.
    "up {a, b} right {a} down {a, b} down {a} left {e, a} left {a, b}",
    "up {e} right {a} down {b} + down {e} left {b} up {a}",
    "{? up {a}} {! down {a}} {! left right {e}}",
    "{! up {a} left {b}} {! down {b} right {a}}",
    "{! {! up {a} up {b}} {! down {a} down {b}}} {? left}",
    // Two steps away, where the vertex between is not looked at.
    "up up {a} down down {a, b} right right {b}",
    // The vertex itself.
    "{a} (up {a})* (down {a})^3 + {b} left {b} left {b}",
    // Far away.
    "(up {a, b})^3 (right {a, e})^3 + (down {a, b})^3 (left {b, e})^3",
];

/// A board of so many rows and columns, all empty.
fn rectangle(width: usize, height: usize) -> String {
    let row = format!("[{}]", vec!["e"; width].join(","));
    format!("rectangle(up, down, left, right, {})", vec![row; height].join(" "))
}

fn game(board: &str, rules: &str, condition: &str) -> Game {
    let text = format!(
        "#players = pa(1), pb(1)\n#pieces = e, a, b\n#variables = hit(1)\n#board = {board}\n\
         #any = (up* + down*)(left* + right*)\n#row = ({condition})\n\
         #probe = ({{? row}} [$ hit=1] + {{! row}} [$ hit=0])\n#rules = {rules}\n"
    );
    let loaded = load(&Source::new("pattern", &text));
    loaded.game.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))
}

fn sorted(moves: &Moves) -> Vec<Vec<Step>> {
    let mut list: Vec<Vec<Step>> = moves.iter().map(<[Step]>::to_vec).collect();
    list.sort();
    list
}

/// Plays a random game on both engines; gives how often the condition held.
fn hits(game: &Game, seed: u64, lists: bool) -> usize {
    let (interpreter, native) = (Interpreter::new(game), Native::new(game).unwrap());
    let (mut slow, mut fast) = (interpreter.worker(), native.worker());
    let (mut state, mut other) = (interpreter.initial(), native.initial());
    let (mut random, mut steps, mut hits) = (Random::new(seed), Vec::new(), 0);
    loop {
        let goes_on = slow.run_keeper(&mut state).unwrap();
        assert_eq!(goes_on, fast.run_keeper(&mut other).unwrap());
        let hit = Variable(game.declarations.variables().len() as u16 - 1);
        assert_eq!(state.variable(hit), native.variable(&other, hit));
        hits += usize::from(state.variable(hit) == 1);
        for vertex in game.board.vertices() {
            assert_eq!(state.piece(vertex), native.piece(&other, vertex));
        }
        if lists && goes_on {
            let (mut moves, mut others) = (Moves::new(), Moves::new());
            slow.list(&mut state, &mut moves).unwrap();
            fast.list(&mut other, &mut others).unwrap();
            assert_eq!(sorted(&moves), sorted(&others));
        }
        if !goes_on || !slow.sample(&mut state, &mut random, &mut steps).unwrap() {
            return hits;
        }
        slow.apply(&mut state, &steps);
        fast.apply(&mut other, &steps);
    }
}

/// Boards of one word and of several, with room between their rows in the numbering and without.
const SIZES: [(usize, usize); 8] =
    [(3, 3), (7, 6), (8, 8), (9, 9), (11, 11), (4, 17), (17, 4), (15, 15)];

#[test]
fn the_keeper_is_told_what_is_around_a_vertex() {
    let turns = [
        // What stands there is known.
        "(->pa any {e} ->> [a] probe ->pb any {e} ->> [b] probe)*",
        // It is not.
        "(->pa any {e} ([a] + [b]) ->> probe)*",
    ];
    let mut held = [0; CONDITIONS.len()];
    for (width, height) in SIZES {
        let board = rectangle(width, height);
        for (i, condition) in CONDITIONS.iter().enumerate() {
            for turns in turns {
                held[i] += hits(&game(&board, turns, condition), 7 + i as u64, false);
            }
        }
    }
    // Each was asked where it holds and where it does not.
    assert!(held.iter().all(|hits| *hits > 0), "{held:?}");
}

#[test]
fn players_moves_are_tested_by_what_is_around_a_vertex() {
    let turns = "(->pa any {e} [a] {! row} ->> ->pb any {e} [b] {! row} ->>)*";
    for (width, height) in [(3, 3), (6, 5), (8, 8), (11, 6)] {
        for (i, condition) in CONDITIONS.iter().enumerate() {
            hits(&game(&rectangle(width, height), turns, condition), 70 + i as u64, true);
        }
    }
}

#[test]
fn rows_on_other_boards() {
    let row = |k: usize| {
        format!(
            "(NE {{a}})* (SW {{a}})^{k} + (NW {{a}})* (SE {{a}})^{k} + (W {{a}})* (E {{a}})^{k}"
        )
    };
    let board = "hexagon(NW, NE, E, SE, SW, W, [e,e,e,e] [e,e,e,e,e] [e,e,e,e,e,e] \
        [e,e,e,e,e,e,e] [e,e,e,e,e,e] [e,e,e,e,e] [e,e,e,e])";
    for k in 2..=3 {
        let text = format!(
            "#players = pa(1), pb(1)\n#pieces = e, a, b\n#variables = hit(1)\n#board = {board}\n\
             #any = (NW + NE + E + SE + SW + W)*\n#row = ({})\n\
             #rules = (->pa any {{e}} ->> [a] ({{? row}} [$ hit=1] + {{! row}} [$ hit=0])\n\
             ->pb any {{e}} ->> [b])*\n",
            row(k)
        );
        let game = load(&Source::new("hexagon", &text)).game.unwrap();
        let found: usize = (0..4).map(|seed| hits(&game, seed, false)).sum();
        assert!(found > 0, "rows of {}", k + 1);
    }
}

/// Rows are found by what the rules say, with the bits of the row only: those that a longer run would ask for follow.
#[test]
fn a_row_has_a_table_for_every_direction() {
    let turns = "(->pa any {e} ->> [a] probe ->pb any {e} ->> [b])*";
    let five = "(up {a})* {! up {a}} (down {a})^4 {! down {a}} \
        + (left {a})* {! left {a}} (right {a})^4 {! right {a}}";
    let game = game(&rectangle(15, 15), turns, five);
    let text = Native::new(&game).unwrap().describe(Pass::Patterns);
    let ways: Vec<&str> = text.lines().filter(|line| line.contains("5 ways to hold")).collect();
    assert_eq!(ways.len(), 2, "{text}");
    for way in ways {
        assert_eq!(way.matches(" a").count(), 10, "{way}");
    }
}

/// Where the numbering has no room between rows, other directions may come to the same distance farther away.
#[test]
fn rows_have_tables_on_boards_without_room() {
    let turns = "(->pa any {e} ->> [a] probe ->pb any {e} ->> [b])*";
    let five = "(up left {a})* {! up left {a}} (down right {a})^4 {! down right {a}} \
        + (up {a})* {! up {a}} (down {a})^4 {! down {a}} \
        + (up right {a})* {! up right {a}} (down left {a})^4 {! down left {a}}";
    for size in [8, 11] {
        let game = game(&rectangle(size, size), turns, five);
        let native = Native::new(&game).unwrap();
        assert!(!native.describe(Pass::Numbering).contains("never lands"), "{size}");
        let text = native.describe(Pass::Patterns);
        assert_eq!(text.matches("5 ways to hold").count(), 3, "{size}: {text}");
        let found: usize = (0..8).map(|seed| hits(&game, seed, false)).sum();
        assert!(found > 0, "{size}");
    }
}
