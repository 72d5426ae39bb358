//! What moves lead to, stages of moves, and whether there is a move: native code says what listing, applying and the
//! keeper of the interpreter say, at positions of random games.

mod engine;

use std::path::Path;

use engine::built_in;
use regulus_game::{
    Change, Children, Engine, Moves, Random, Stage, Step, changes_counts, children_one_by_one,
};
use regulus_rbg::{Game, Source};
use regulus_reasoner::native::{Native, NativeState, NativeWorker, Operation};
use regulus_reasoner::{Interpreter, RunError, State, Worker};

/// Moves whose outcome is looked at in a position.
const MOVES: usize = 10;

/// A move and what it leads to: the changes, the values, who is to move, and whether numbers of pieces change.
#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    changes: Vec<Change>,
    values: Vec<u32>,
    player: usize,
    is_loud: bool,
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

fn outcome(children: &Children, index: usize) -> Outcome {
    assert_eq!(children.is_over(index), children.player(index) == 0);
    Outcome {
        changes: sorted(children.changes(index).to_vec()),
        values: children.values(index).to_vec(),
        player: children.player(index),
        is_loud: children.is_loud(index),
    }
}

/// What stands elsewhere on the second board.
fn differences<E: Engine>(engine: &E, before: &E::State, after: &E::State) -> Vec<Change> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    engine.pieces(before, &mut old);
    engine.pieces(after, &mut new);
    let differ = (1..old.len()).filter(|v| old[*v] != new[*v]);
    differ.map(|v| Change::new(v as u16, old[v], new[v])).collect()
}

/// The outcome of a move as the interpreter makes it.
fn expected(game: &Game, slow: &mut Worker, state: &State, steps: &[Step]) -> Outcome {
    let mut next = state.clone();
    slow.apply(&mut next, steps);
    let before = counts(game, state);
    let goes_on = slow.run_keeper(&mut next).expect("a keeper that comes to an end");
    let mut values = Vec::new();
    slow.values(&next, &mut values);
    let changes = sorted(differences(slow, state, &next));
    let is_loud = counts(game, &next) != before;
    assert_eq!(changes_counts(&changes), is_loud);
    let player = if goes_on { slow.player(&next) } else { 0 };
    Outcome { changes, values, player, is_loud }
}

/// How many there are of every piece.
fn counts(game: &Game, state: &State) -> Vec<u32> {
    let mut counts = vec![0; game.declarations.pieces().len()];
    game.board.vertices().for_each(|vertex| counts[usize::from(state.piece(vertex).0)] += 1);
    counts
}

fn list<E: Engine<Error = RunError>>(engine: &mut E, state: &mut E::State) -> Vec<Vec<Step>> {
    let mut moves = Moves::new();
    engine.list(state, &mut moves).expect("moves");
    moves.iter().map(<[Step]>::to_vec).collect()
}

fn stage<E: Engine<Error = RunError>>(
    engine: &mut E,
    state: &mut E::State,
    stage: Stage,
) -> Vec<Vec<Step>> {
    let mut moves = Moves::new();
    engine.list_stage(state, stage, &mut moves).expect("moves");
    moves.iter().map(<[Step]>::to_vec).collect()
}

/// Compares everything at one position; gives the moves.
fn compare(
    (name, game): (&str, &Game),
    (slow, fast): (&mut Worker, &mut NativeWorker),
    (state, other): (&State, &mut NativeState),
    random: &mut Random,
    children: &mut Children,
) -> Vec<Vec<Step>> {
    let before = other.clone();
    let moves = list(fast, other);
    assert_eq!(fast.has_move(other), Ok(!moves.is_empty()), "{name}");
    let (mut values, mut others) = (Vec::new(), Vec::new());
    slow.values(state, &mut values);
    fast.values(other, &mut others);
    assert_eq!(values, others, "{name}");
    for (piece, count) in (0..).zip(counts(game, state)) {
        assert_eq!(slow.piece_count(state, piece), count, "{name}");
        assert_eq!(fast.piece_count(other, piece), count, "{name}");
    }
    let [loud, quiet] = [Stage::Loud, Stage::Quiet].map(|which| stage(fast, other, which));
    let both = loud.iter().chain(&quiet).cloned().collect();
    assert_eq!(sorted(both), sorted(moves.clone()), "{name}: stages");
    fast.children(other, children).expect("children");
    assert_eq!(children.len(), moves.len(), "{name}");
    for (index, steps) in moves.iter().enumerate() {
        assert_eq!(children.steps(index), steps, "{name}");
    }
    assert_eq!(*other, before, "{name}: questions have changed the state");
    for _ in 0..MOVES.min(moves.len()) {
        let index = random.below(moves.len() as u64) as usize;
        let steps = &moves[index];
        let expected = expected(game, slow, state, steps);
        assert_eq!(outcome(children, index), expected, "{name}: {steps:?}");
        assert_eq!(loud.contains(steps), expected.is_loud, "{name}: {steps:?}");
        let (mut next, mut changes) = (other.clone(), Vec::new());
        let goes_on = fast.advance(&mut next, steps, &mut changes).expect("runs");
        assert_eq!(goes_on, expected.player != 0, "{name}: {steps:?}");
        assert_eq!(sorted(changes), expected.changes, "{name}: {steps:?}");
        assert_eq!(next.hash(), next.recomputed_hash(), "{name}: {steps:?}");
        let (mut played, mut changes) = (state.clone(), Vec::new());
        slow.advance(&mut played, steps, &mut changes).expect("runs");
        assert_eq!(sorted(changes), expected.changes, "{name}: {steps:?}");
    }
    moves
}

/// Plays a random game and compares at every position; gives how many moves were looked at.
fn play(name: &str, game: &Game, seed: u64, positions: usize) -> usize {
    let Ok(native) = Native::guarded(game) else {
        println!("{name}: no native code");
        return 0;
    };
    for operation in [Operation::Children, Operation::ListStage, Operation::HasMove] {
        if let Err(why) = native.prepare(operation) {
            println!("{name}: {operation:?}: {}", why.0);
        }
    }
    if native.prepare(Operation::List).and_then(|()| native.prepare(Operation::Keeper)).is_err() {
        return 0;
    }
    let interpreter = Interpreter::new(game);
    let (mut slow, mut fast) = (interpreter.worker(), native.worker());
    let (mut state, mut other) = (interpreter.initial(), native.initial());
    let (mut random, mut children, mut seen) = (Random::new(seed), Children::new(), 0);
    for _ in 0..positions {
        let goes_on = slow.run_keeper(&mut state).expect("runs");
        assert_eq!(fast.run_keeper(&mut other), Ok(goes_on), "{name}");
        if !goes_on {
            assert_eq!(fast.has_move(&mut other), Ok(false), "{name}");
            fast.children(&mut other, &mut children).expect("no children");
            assert!(children.is_empty(), "{name}");
            break;
        }
        if fast.count(&mut other).is_ok_and(|count| count > 20_000) {
            break;
        }
        let engines = (&mut slow, &mut fast);
        let states = (&state, &mut other);
        let moves = compare((name, game), engines, states, &mut random, &mut children);
        if moves.is_empty() {
            break;
        }
        seen += moves.len();
        let steps = &moves[random.below(moves.len() as u64) as usize];
        slow.apply(&mut state, steps);
        fast.apply(&mut other, steps);
    }
    seen
}

#[test]
fn children_of_built_in_games() {
    for game in regulus_games::GAMES {
        let rules = built_in(game.name);
        assert!(play(game.name, &rules, 1, 60) > 0, "{}", game.name);
        play(game.name, &rules, 2, 30);
    }
}

#[test]
fn children_of_other_games() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games");
    for folder in ["rbg-extra", "rbg"].map(|folder| shared.join(folder)) {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            eprintln!("skipped: {} is not there", folder.display());
            continue;
        };
        let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
        files.retain(|path| path.extension().is_some_and(|e| e == "rbg"));
        files.sort();
        for file in files {
            let name = file.display().to_string();
            let source = Source::from_bytes(name.as_str(), std::fs::read(&file).expect("a file"));
            let Some(game) = regulus_rbg::load(&source).game else { continue };
            // The interpreter takes seconds for a move of these.
            if game.rules.size() < 4_000 {
                play(&name, &game, 1, 12);
            }
        }
    }
}

/// What the interpreter says by itself is what single questions say: the oracle of all others.
#[test]
fn stages_and_children_of_the_interpreter() {
    for name in ["breakthrough", "the-mill-game", "chess", "reversi"] {
        let game = built_in(name);
        let interpreter = Interpreter::new(&game);
        let mut engine = interpreter.worker();
        let (mut state, mut children) = (engine.initial(), Children::new());
        let (mut random, mut steps) = (Random::new(5), Vec::new());
        for _ in 0..12 {
            assert!(engine.run_keeper(&mut state).expect("runs"));
            let moves = list(&mut engine, &mut state);
            let loud = stage(&mut engine, &mut state, Stage::Loud);
            assert_eq!(engine.has_move(&mut state), Ok(!moves.is_empty()));
            children_one_by_one(&mut engine, &mut state, &mut children).expect("children");
            for (index, steps) in moves.iter().enumerate() {
                let expected = expected(&game, &mut engine, &state, steps);
                assert_eq!(outcome(&children, index), expected, "{name}");
                assert_eq!(loud.contains(steps), expected.is_loud, "{name}");
            }
            assert!(engine.sample(&mut state, &mut random, &mut steps).expect("runs"), "{name}");
            engine.apply(&mut state, &steps);
        }
    }
}

/// Where the keeper's move is the interpreter's, what a move leads to is found out by him, and the lists stay whole.
#[test]
fn children_behind_a_keeper_who_searches() {
    // The keeper walks over x one by one, of which there are several ways, and turns the vertex where he gets.
    let text = "#players = a(9), b(9) #pieces = e, x, y #variables = n(9) \
        #board = rectangle(up, down, left, right, [e, e, x, e] [x, e, e, x] [e, x, e, e]) \
        #any = ((left* + right*) (up* + down*)) \
        #turn(me; other) = ->me any {e} [x] [$ n = 0] ->> \
            (((left + up + right + down) {x} [y] [$ n = n + 1])* {$ n >= 2} [$ me = n] + any {e} {! up} [e]) \
        #rules = (turn(a; b) turn(b; a))*";
    let loaded = regulus_rbg::load(&Source::new("searches", text));
    let game = loaded.game.expect("valid rules");
    assert!(play("searches", &game, 3, 8) > 0);
}
