//! Native split playouts draw what Algorithm 1 of the THESIS draws: at every level uniformly among the
//! semimoves that some move begins with. Small games are compared with their exact distribution.

#![allow(clippy::unwrap_used)]

mod engine;

use std::collections::{BTreeMap, HashSet};

use engine::{assert_ends, stuck};
use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::declarations::Variable;
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::native::{Native, NativeState};
use regulus_reasoner::{Interpreter, State, Worker};

/// Pieces and variables at the end of a game.
type End = Vec<u32>;

/// Ends of a game with their probabilities.
#[derive(Default)]
struct Ends {
    shares: BTreeMap<End, f64>,
    /// True if the game counts as over after one move of a player.
    after_one_move: bool,
}

fn end_of(game: &Game, state: &State) -> End {
    let pieces = game.board.vertices().map(|v| u32::from(state.piece(v).0));
    let variables = 0..game.declarations.variables().len();
    pieces.chain(variables.map(|v| state.variable(Variable(v as u16)))).collect()
}

/// Plays all moves from a state; gives whether there is one. `ends` gets the ends of the game with
/// their probabilities.
fn outcomes(
    game: &Game,
    worker: &mut Worker,
    state: &mut State,
    passed: &HashSet<Step>,
    share: f64,
    ends: &mut Ends,
) -> bool {
    let mut semimoves = Vec::new();
    worker.semimoves(state, &mut semimoves).unwrap();
    let mut live = Vec::new();
    for step in semimoves {
        if !step.is_modifier() && passed.contains(&step) {
            continue;
        }
        let before = state.clone();
        if worker.apply_step(state, step).is_some()
            && (state.is_nodal()
                || outcomes(game, worker, state, &behind(passed, step), 0.0, &mut Ends::default()))
        {
            live.push(step);
        }
        *state = before;
        if share == 0.0 && !live.is_empty() {
            return true;
        }
    }
    if share > 0.0 {
        let share = share / live.len() as f64;
        for step in &live {
            let mut next = state.clone();
            worker.apply_step(&mut next, *step).unwrap();
            if next.is_nodal() && ends.after_one_move {
                *ends.shares.entry(end_of(game, &next)).or_default() += share;
            } else if next.is_nodal() {
                playouts(game, worker, &next, share, ends);
            } else {
                outcomes(game, worker, &mut next, &behind(passed, *step), share, ends);
            }
        }
    }
    !live.is_empty()
}

/// The split points passed since the last modifier when a step has been taken.
fn behind(passed: &HashSet<Step>, step: Step) -> HashSet<Step> {
    match step.is_modifier() {
        true => HashSet::new(),
        false => passed.iter().copied().chain([step]).collect(),
    }
}

/// All ends of the game from a state between two moves, with their probabilities.
fn playouts(game: &Game, worker: &mut Worker, state: &State, share: f64, ends: &mut Ends) {
    let mut state = state.clone();
    let none = HashSet::new();
    let goes_on = worker.run_keeper(&mut state).unwrap();
    if !goes_on || !outcomes(game, worker, &mut state, &none, share, ends) {
        *ends.shares.entry(end_of(game, &state)).or_default() += share;
    }
}

/// Small games whose semimoves lead to dead ends, come together, go round, and stop on the way.
const GAMES: [(&str, &str, &str); 9] = [
    (
        "dead ends two and three levels down",
        "[x, e, y, e] [e, x, e, x] [y, e, z, x] [e, x, e, e]",
        "->a anySquare {x} [e] (up + left + right right) {e} [x]
         (down {e} [y] + left {z} [z] up {e} [x] + up {e} [z] left {x} [x]) ->> {}",
    ),
    (
        "semimoves that come together, and assignments that fail",
        "[x, e, y] [e, x, e] [y, e, z]",
        "->a anySquare ({x} [y] + {y} [z] [$ v = v + 2] + {e} [$ v = 3] [x])
         (up {e} + down {x,y} [$ v = v + 1] + left)
         ([$ v = v + 1] + [x] + right [z]) {! up} [e] ->> {}",
    ),
    (
        "chains of captures that must not be cut short",
        "[e, e, e, e, e] [e, y, e, y, e] [e, e, x, e, e] [e, y, e, y, e] [x, e, e, e, e]",
        "->a anySquare {x} [e]
         ((up right {y} [e] up right {e} + up left {y} [e] up left {e}
           + down right {y} [e] down right {e} + down left {y} [e] down left {e}))
         ((up right {y} [e] up right {e} + up left {y} [e] up left {e}
           + down right {y} [e] down right {e} + down left {y} [e] down left {e}))*
         {! up right {y} up right {e} + up left {y} up left {e}
           + down right {y} down right {e} + down left {y} down left {e}} [x] ->> {}",
    ),
    (
        "split points in loops",
        "[x, e, y] [e, x, e] [y, e, z]",
        "->a ((up + down) .)* (. right + . left)* ({x} [y] + {e} [z] up up {y} [e]) ->> {}",
    ),
    (
        "split points by hand, some of them dead",
        "[x, e, y] [e, x, e] [y, e, z]",
        "->a . anySquare . ({x} . [e] + . {z} + {y} . up . {e} . [x] + . {e} up up) .
         (. down . {e} [y] + . right {y} . [x] + . [z]) . ->> {}",
    ),
    (
        "conditions that change the board",
        "[x, e, y] [e, x, e] [y, e, z]",
        "->a anySquare {e} [x] ({? right [e] left {x}} . [y] + {! up [y] up} [z])
         {! left {x}} ->> {}",
    ),
    (
        "several turns",
        "[x, e, y] [e, e, e]",
        "(->a anySquare {x} [e] (right + down + left + up) {e} [x] ->> [$ v = v + 1]
          ->b (anySquare {y} [e] (. right + . down + . left + . up) {e,x} [y] + {! up} [z]) ->>)*",
    ),
    (
        "a piece that may come back to where it was",
        "[x, e, x] [y, x, e] [x, y, x]",
        "->a anySquare {x} [e] (up + down + left + right)^2 {e} [x]
         anySquare {x} [z] (left* + right*) {x} [y] ->> {}",
    ),
    (
        "two ways round",
        "[x, e, y] [e, y, e] [y, e, x]",
        "->a (left* . + right* .) (up* + down*) ({x} + {y} [$ v = 1])
         (. up {e} [x] + . right {e} [x] + . down {e} [y])
         (([z] right {e} [y])* . {! right}) ->> {}",
    ),
];

fn small_game(board: &str, rules: &str) -> Game {
    let text = format!(
        "#players = a(9), b(9)\n#pieces = e, x, y, z\n#variables = v(3)\n\
         #board = rectangle(up,down,left,right,{board})\n\
         #anySquare = ((up* + down*)(left* + right*))\n#rules = {rules}\n"
    );
    let loaded = load(&Source::new("small", &text));
    loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

#[test]
fn small_games_have_their_exact_distribution() {
    for (name, board, rules) in GAMES {
        let plain = small_game(board, rules);
        for strategy in Strategy::ALL {
            let rules = strategy.apply(&plain.rules);
            let game = Game { rules, ..plain.clone() };
            let interpreter = Interpreter::new(&game);
            let mut expected = Ends::default();
            let mut worker = interpreter.worker();
            playouts(&game, &mut worker, &interpreter.initial(), 1.0, &mut expected);
            let native = Native::new(&game).unwrap_or_else(|e| panic!("{name}: {}", e.0));
            let what = format!("{name} {strategy}");
            assert!(expected.shares.len() > 1, "{what}");
            assert_distribution(&what, &native, &native.initial(), &expected.shares, 40_000);
        }
    }
}

/// Plays out a state many times and compares how often the ends of the game come up.
fn assert_distribution(
    what: &str,
    native: &Native,
    from: &NativeState,
    expected: &BTreeMap<End, f64>,
    count: u32,
) {
    let game = native.game();
    let mut worker = native.worker();
    let mut random = Random::new(11);
    let mut found: BTreeMap<End, u64> = BTreeMap::new();
    for _ in 0..count {
        let mut state = from.clone();
        worker.playout(&mut state, true, &mut random).unwrap();
        let pieces = game.board.vertices().map(|v| u32::from(native.piece(&state, v).0));
        let variables = 0..game.declarations.variables().len();
        let variables = variables.map(|v| native.variable(&state, Variable(v as u16)));
        *found.entry(pieces.chain(variables).collect()).or_default() += 1;
    }
    for end in found.keys() {
        assert!(expected.contains_key(end), "{what}: impossible {end:?}");
    }
    let mut distance = 0.0;
    for (end, share) in expected {
        let mean = share * f64::from(count);
        let seen = found.get(end).copied().unwrap_or(0) as f64;
        distance += (seen - mean).powi(2) / mean;
    }
    // Chi-square: six standard deviations above its mean. The seeds are fixed.
    let freedom = (expected.len() - 1) as f64;
    let limit = freedom + 6.0 * (2.0 * freedom).sqrt() + 6.0;
    assert!(distance < limit, "{what}: {distance} against {freedom}");
}

/// One move from positions of random games.
#[test]
fn moves_have_their_exact_distribution() {
    // Games without split points in loops: the ways through those are too many to go them all.
    let games = ["breakthrough", "english-draughts", "chess", "chess-king-capture"];
    for built_in in games.map(|name| regulus_games::find(name).unwrap()) {
        let plain = load(&Source::new(built_in.name, built_in.text)).game.unwrap();
        let whole = Native::new(&plain).unwrap();
        for strategy in Strategy::ALL {
            let game = plain.split(strategy);
            let short = Game { rules: stuck(&game.rules), ..plain.clone() };
            let native = Native::new(&short).unwrap();
            let interpreter = Interpreter::new(&game);
            let (mut slow, mut fast) = (interpreter.worker(), whole.worker());
            let (mut state, mut other) = (interpreter.initial(), whole.initial());
            let mut random = Random::new(2);
            let mut moves = Moves::new();
            for ply in 0..60 {
                if !slow.run_keeper(&mut state).unwrap() {
                    break;
                }
                fast.run_keeper(&mut other).unwrap();
                fast.list(&mut other, &mut moves).unwrap();
                if moves.is_empty() {
                    break;
                }
                if ply % 12 == 7 && moves.len() < 500 {
                    let mut expected = Ends { after_one_move: true, ..Ends::default() };
                    let none = HashSet::new();
                    outcomes(&game, &mut slow, &mut state.clone(), &none, 1.0, &mut expected);
                    let what = format!("{} {strategy} move {ply}", built_in.name);
                    let count = 20 * expected.shares.len() as u32 + 4000;
                    assert_distribution(&what, &native, &other, &expected.shares, count);
                }
                let steps = moves.get(random.below(moves.len() as u64) as usize).to_vec();
                slow.apply(&mut state, &steps);
                fast.apply(&mut other, &steps);
            }
        }
    }
}

/// Every built-in game can be played to its end with every strategy, within its scores.
#[test]
fn games_come_to_an_end_with_every_strategy() {
    for built_in in regulus_games::GAMES {
        let plain = load(&Source::new(built_in.name, built_in.text)).game.unwrap();
        for strategy in Strategy::ALL {
            let game = plain.split(strategy);
            let native = Native::new(&game).unwrap_or_else(|e| panic!("{}", e.0));
            let what = format!("{} {strategy}", built_in.name);
            assert_ends(&what, &native, true, 2, &mut Random::new(4));
        }
    }
}
