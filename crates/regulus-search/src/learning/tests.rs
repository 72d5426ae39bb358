//! Codes against what they stand for, over random games.

use std::collections::HashMap;

use regulus_game::{Engine, GroupedMove, MoveGroups, Moves, Random, Step};
use regulus_rbg::Source;
use regulus_reasoner::native::{Native, NativeState, NativeWorker};

use super::Learner;
use super::surroundings::Surroundings;
use crate::config::{Features, Learning, Method};

/// What a piece is to the rules.
type Kinds = fn(u8) -> u16;

/// A move of a player, and what stood on the cells it changes and around them.
type Meaning = (usize, Vec<Step>, Vec<Vec<u16>>);

/// The cells that differ once a move was made and the keeper has run, from the two boards.
fn differences<E: Engine>(engine: &mut E, state: &E::State, steps: &[Step]) -> Vec<u16> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    engine.pieces(state, &mut before);
    let mut next = state.clone();
    engine.apply(&mut next, steps);
    engine.run_keeper(&mut next).expect("runs");
    engine.pieces(&next, &mut after);
    (1..before.len()).filter(|v| before[*v] != after[*v]).map(|v| v as u16).collect()
}

fn meaning<E: Engine>(
    engine: &mut E,
    state: &E::State,
    steps: &[Step],
    features: Features,
    kinds: Kinds,
) -> Meaning {
    let mut contents = Vec::new();
    engine.pieces(state, &mut contents);
    let mut seen = Vec::new();
    if features != Features::None {
        for vertex in differences(engine, state, steps) {
            let mut cell = vec![vertex, kinds(contents[usize::from(vertex)])];
            if features == Features::Neighbours {
                let next = (0..engine.labels()).map(|label| engine.next(vertex, label));
                cell.extend(next.map(|v| match v {
                    0 => 256,
                    v => kinds(contents[usize::from(v)]),
                }));
            }
            seen.push(cell);
        }
    }
    (engine.player(state), steps.to_vec(), seen)
}

fn check(name: &str, features: Features, kinds: Kinds) {
    let text = regulus_games::find(name).expect("built in").text;
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    let native = Native::new(&game).expect("supported");
    let mut engine = native.worker();
    let (mut groups, mut moves) = (MoveGroups::default(), Moves::new());
    let mut first = engine.initial();
    engine.run_keeper(&mut first).expect("runs");
    engine.groups(&mut first, &mut groups).expect("runs");
    let settings = Learning { method: Method::Ppa { alpha: 1.0 }, features, keep: false };
    let mut learner = Learner::new(&engine, Some(settings), None, &groups);
    let (mut meanings, mut codes) = (HashMap::new(), HashMap::new());
    let mut random = Random::new(1);
    for _ in 0..6 {
        let mut state = first.clone();
        for _ in 0..150 {
            let player = engine.player(&state);
            engine.groups(&mut state, &mut groups).expect("runs");
            engine.list(&mut state, &mut moves).expect("runs");
            let steps_of = |i: usize| {
                let mut steps = Vec::new();
                groups.push_steps(groups.nth(i).expect("a move") as GroupedMove, &mut steps);
                steps
            };
            let grouped: Vec<Vec<Step>> = (0..groups.len()).map(steps_of).collect();
            let listed: Vec<Vec<Step>> = moves.iter().map(<[Step]>::to_vec).collect();
            learner.begin();
            learner.offer_groups(&mut engine, &state, player, &groups);
            learner.offer_list(&mut engine, &state, player, moves.iter(), true);
            for (ply, all) in [(0, &grouped), (1, &listed)] {
                let range = learner.played.offered(ply);
                assert_eq!(range.len(), all.len(), "{name}");
                for (code, steps) in learner.played.codes[range].iter().zip(all) {
                    let meaning = meaning(&mut engine, &state, steps, features, kinds);
                    let known = codes.entry(meaning.clone()).or_insert(*code);
                    assert_eq!(known, code, "{name}: two codes of {meaning:?}");
                    let known = meanings.entry(*code).or_insert_with(|| meaning.clone());
                    assert_eq!(*known, meaning, "{name}: one code for both");
                }
            }
            if listed.is_empty() {
                break;
            }
            let chosen = &listed[random.below(listed.len() as u64) as usize];
            engine.apply(&mut state, chosen);
            if !engine.run_keeper(&mut state).expect("runs") {
                break;
            }
        }
    }
    assert!(codes.len() >= 14, "{name}: {}", codes.len());
}

#[test]
fn codes_are_the_same_for_the_same_moves_only() {
    // In Domineering nobody asks whose domino it is: piece 0 is empty.
    let occupied = |piece| u16::from(piece != 0);
    let each = u16::from;
    let games: [(&str, Kinds); 9] = [
        ("breakthrough", each),
        ("english-draughts", each),
        ("chess", each),
        ("hare-and-hounds", each),
        ("reversi", each),
        ("go", each),
        ("atarigo", each),
        ("domineering", occupied),
        ("connect-four", each),
    ];
    for (name, kinds) in games {
        for features in [Features::None, Features::Cells, Features::Neighbours] {
            check(name, features, kinds);
        }
    }
}

/// A position on a board of the test, with everything to ask about features of moves.
struct Position {
    engine: NativeWorker,
    state: NativeState,
    surroundings: Surroundings,
}

impl Position {
    /// A built-in game with another board, after the keeper has begun.
    fn new(name: &str, board: &str, features: Features) -> Self {
        let mut text = regulus_games::find(name).expect("built in").text.to_owned();
        let start = text.find("#board").expect("a board");
        let end = start + text[start..].find("\n\n").expect("an end");
        let board = format!("#board = rectangle(up, down, left, right, {board})");
        text.replace_range(start..end, &board);
        let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
        let mut engine = Native::new(&game).expect("supported").worker();
        let mut state = engine.initial();
        assert!(engine.run_keeper(&mut state).expect("runs"));
        let mut surroundings = Surroundings::new(&engine, features);
        surroundings.look(&engine, &state);
        Position { engine, state, surroundings }
    }

    /// The features of the move that ends at a vertex, and begins at another if it has two steps.
    fn features(&mut self, begin: u16, end: u16) -> u64 {
        let mut moves = Moves::new();
        self.engine.list(&mut self.state, &mut moves).expect("runs");
        let is_it = |steps: &&[Step]| {
            let ends = steps.first().zip(steps.last());
            ends.is_some_and(|(first, last)| (first.vertex, last.vertex) == (begin, end))
        };
        let steps = moves.iter().find(is_it).expect("legal").to_vec();
        self.surroundings.of_steps(&mut self.engine, &self.state, &steps)
    }
}

/// The features of one move on several boards.
fn on_boards(
    name: &str,
    boards: &[&str],
    features: Features,
    (begin, end): (u16, u16),
) -> Vec<u64> {
    let of = |board: &&str| Position::new(name, board, features).features(begin, end);
    boards.iter().map(of).collect()
}

/// A capture is another move than the same step to an empty square (PPA section 3). Squares are numbered from the
/// upper left; the pawn goes from 10 to 8.
#[test]
fn captures_of_breakthrough() {
    let boards = [
        "[blackPawn, empty, empty] [empty, empty, empty] [empty, blackPawn, empty] [whitePawn, empty, empty]",
        "[blackPawn, empty, empty] [empty, blackPawn, empty] [empty, blackPawn, empty] [whitePawn, empty, empty]",
        "[blackPawn, empty, empty] [empty, empty, empty] [empty, empty, empty] [whitePawn, empty, empty]",
    ];
    let cells = on_boards("breakthrough", &boards, Features::Cells, (10, 8));
    assert_eq!(cells[0], cells[1]);
    assert_ne!(cells[0], cells[2]);
    // The pawn on 5 is next to 8.
    let around = on_boards("breakthrough", &boards, Features::Neighbours, (10, 8));
    assert_ne!(around[0], around[1]);
}

/// The cells next to both halves of a domino, empty or occupied: it lies on 1 and 4.
#[test]
fn cells_next_to_dominoes() {
    let boards = [
        "[empty, empty, empty] [empty, empty, empty] [empty, empty, empty]",
        "[empty, empty, empty] [empty, empty, empty] [verticalDomino, empty, empty]",
        "[empty, empty, empty] [empty, empty, empty] [horizontalDomino, empty, empty]",
        "[empty, empty, empty] [empty, empty, empty] [empty, horizontalDomino, verticalDomino]",
        "[empty, verticalDomino, empty] [empty, empty, empty] [empty, empty, empty]",
    ];
    let around = on_boards("domineering", &boards, Features::Neighbours, (1, 1));
    assert_ne!(around[0], around[1], "below the second half");
    assert_eq!(around[1], around[2], "whose domino it is");
    assert_eq!(around[0], around[3], "not next to it");
    assert_ne!(around[0], around[4], "beside the first half");
    assert_ne!(around[1], around[4]);
    let cells = on_boards("domineering", &boards, Features::Cells, (1, 1));
    assert!(cells.iter().all(|of| *of == cells[0]));
}

/// "The colors of the four intersections next to the move": the stone is put on 5.
#[test]
fn stones_next_to_a_stone() {
    for name in ["atarigo", "nogo"] {
        let boards = [
            "[empty, empty, empty] [empty, empty, empty] [empty, empty, empty]",
            "[whiteStone, empty, empty] [empty, empty, empty] [empty, empty, blackStone]",
            "[empty, whiteStone, empty] [empty, empty, empty] [empty, empty, empty]",
            "[empty, blackStone, empty] [empty, empty, empty] [empty, empty, empty]",
            "[empty, empty, empty] [empty, empty, empty] [empty, blackStone, empty]",
        ];
        let around = on_boards(name, &boards, Features::Neighbours, (5, 5));
        assert_eq!(around[0], around[1], "{name}: corners");
        let mut others = around[1..].to_vec();
        others.sort_unstable();
        others.dedup();
        assert_eq!(others.len(), 4, "{name}: colours and sides");
    }
}

/// What the keeper takes is changed, too: black plays 4 and, with a stone on 2, captures 1.
#[test]
fn captured_stones_of_go() {
    let boards = [
        "[whiteStone, blackStone, empty] [empty, empty, empty] [empty, empty, empty]",
        "[whiteStone, empty, empty] [empty, empty, empty] [empty, empty, empty]",
        "[empty, empty, empty] [empty, empty, empty] [empty, empty, whiteStone]",
    ];
    let cells = on_boards("go", &boards, Features::Cells, (4, 4));
    assert_ne!(cells[0], cells[1]);
    assert_eq!(cells[1], cells[2]);
}
