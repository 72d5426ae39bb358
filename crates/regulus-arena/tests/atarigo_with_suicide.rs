//! The Atarigo of the experiments in which suicide is allowed, and loses: perft by hand, and random games on both engines
//! beside a board of its own.

use std::collections::BTreeMap;
use std::path::Path;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::{Game, Source};
use regulus_reasoner::native::Native;
use regulus_reasoner::{Interpreter, RunError, perft};

const SIZE: usize = 8;

fn game() -> Game {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/games");
    let text = std::fs::read_to_string(folder.join("atarigo-suicide.rbg")).expect("it is there");
    regulus_rbg::load(&Source::new("atarigo-suicide.rbg", &text)).game.expect("it has no errors")
}

/// Nothing ends before the third stone. That one captures if two black stones stand at both sides of a white one in a
/// corner: four corners, two orders. The suicides of the fourth stone, which the built-in game leaves out, are legal.
#[test]
fn perft_by_hand() {
    let three = 64 * 63 * 62;
    let four = (three - 4 * 2) * 61;
    let native = Native::new(&game()).expect("supported");
    let mut worker = native.worker();
    for (depth, leaves) in [(1, 64), (2, 64 * 63), (3, three), (4, four)] {
        let initial = worker.initial();
        assert_eq!(perft(&mut worker, &initial, depth), Ok(leaves), "native, depth {depth}");
    }
    let interpreter = Interpreter::new(&game());
    let mut worker = interpreter.worker();
    for (depth, leaves) in [(1, 64), (2, 64 * 63)] {
        let initial = worker.initial();
        assert_eq!(perft(&mut worker, &initial, depth), Ok(leaves), "interpreter, depth {depth}");
    }
    let suicides = 4 * 2 * 61;
    let text = regulus_games::find("atarigo").expect("built in").text;
    let built_in = regulus_rbg::load(&Source::new("atarigo", text)).game.expect("no errors");
    let native = Native::new(&built_in).expect("supported");
    let mut worker = native.worker();
    let initial = worker.initial();
    assert_eq!(perft(&mut worker, &initial, 4), Ok(four - suicides));
}

/// Stones by square; 0 is empty.
struct Board([u8; SIZE * SIZE]);

impl Board {
    fn neighbours(square: usize) -> impl Iterator<Item = usize> {
        let (row, column) = ((square / SIZE) as isize, (square % SIZE) as isize);
        let inside = |n: isize| (0..SIZE as isize).contains(&n);
        [(-1, 0), (1, 0), (0, -1), (0, 1)]
            .into_iter()
            .map(move |(r, c)| (row + r, column + c))
            .filter(move |(r, c)| inside(*r) && inside(*c))
            .map(|(r, c)| r as usize * SIZE + c as usize)
    }

    fn has_liberty(&self, square: usize) -> bool {
        let (mut group, mut next) = (vec![square], 0);
        while let Some(stone) = group.get(next).copied() {
            next += 1;
            for other in Board::neighbours(stone) {
                if self.0[other] == 0 {
                    return true;
                }
                if self.0[other] == self.0[square] && !group.contains(&other) {
                    group.push(other);
                }
            }
        }
        false
    }

    /// Puts a stone; gives who has won by that.
    fn put(&mut self, square: usize, player: u8) -> Option<u8> {
        self.0[square] = player;
        let is_captured = |other: usize| self.0[other] == 3 - player && !self.has_liberty(other);
        if Board::neighbours(square).any(is_captured) {
            return Some(player);
        }
        (!self.has_liberty(square)).then_some(3 - player)
    }
}

/// Plays random games with an engine and a board; gives how many ended by suicide.
fn check<E: Engine<Error = RunError>>(mut engine: E, games: u64) -> u32 {
    let mut suicides = 0;
    for seed in 0..games {
        let mut random = Random::new(seed);
        let mut state = engine.initial();
        assert!(engine.run_keeper(&mut state).expect("it runs"));
        let mut board = Board([0; SIZE * SIZE]);
        loop {
            let player = engine.player(&state) as u8;
            let mut moves = Moves::new();
            engine.list(&mut state, &mut moves).expect("it runs");
            // A vertex is one more than its square.
            let square = |steps: &[Step]| usize::from(steps[0].vertex) - 1;
            let by_square: BTreeMap<usize, &[Step]> =
                moves.iter().map(|m| (square(m), m)).collect();
            let empty = (0..SIZE * SIZE).filter(|square| board.0[*square] == 0);
            assert!(by_square.keys().copied().eq(empty), "seed {seed}: the empty squares");
            let chosen = random.below(by_square.len() as u64) as usize;
            let (square, steps) = by_square.iter().nth(chosen).expect("it is below");
            let won = board.put(*square, player);
            engine.apply(&mut state, steps);
            let goes_on = engine.run_keeper(&mut state).expect("it runs");
            assert_eq!(goes_on, won.is_none(), "seed {seed}");
            let Some(winner) = won else { continue };
            let scores = [1, 2].map(|player| engine.score(&state, player));
            assert_eq!(scores, if winner == 1 { [100, 0] } else { [0, 100] }, "seed {seed}");
            suicides += u32::from(winner != player);
            break;
        }
    }
    suicides
}

#[test]
fn games_end_as_on_a_board() {
    let native = Native::new(&game()).expect("supported");
    assert!(check(native.worker(), 400) > 10);
    check(Interpreter::new(&game()).worker(), 6);
}
