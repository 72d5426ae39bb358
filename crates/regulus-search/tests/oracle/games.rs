//! The games of these tests, some of them on small boards.

use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::native::Native;

/// A game with the split points of a strategy.
pub fn game(name: &str, text: &str, strategy: Option<Strategy>) -> Game {
    let game = regulus_rbg::load(&Source::new(name, text)).game.expect("valid");
    match strategy {
        None => game,
        Some(strategy) => game.split(strategy),
    }
}

pub fn built_in(name: &str) -> &'static str {
    regulus_games::find(name).expect("built in").text
}

/// A built-in game on another board.
pub fn on_board(name: &str, board: &str) -> String {
    let mut text = built_in(name).to_owned();
    let start = text.find("#board").expect("a board");
    let end = start + text[start..].find("\n\n").expect("an end");
    text.replace_range(start..end, board);
    text
}

/// Breakthrough on 4 x 5 squares.
pub fn small_breakthrough(strategy: Strategy) -> Native {
    let board = "#board = rectangle(up, down, left, right,
        [blackPawn, blackPawn, blackPawn, blackPawn]
        [blackPawn, blackPawn, blackPawn, blackPawn]
        [empty, empty, empty, empty]
        [whitePawn, whitePawn, whitePawn, whitePawn]
        [whitePawn, whitePawn, whitePawn, whitePawn])";
    let text = on_board("breakthrough", board);
    Native::new(&game("breakthrough", &text, Some(strategy))).expect("supported")
}

/// English draughts on 6 x 6 squares, a draw after 6 quiet turns: captures of several steps, and semimoves
/// that turn out dead.
pub fn small_draughts(strategy: Strategy) -> Native {
    let board = "#board = rectangle(northWest, southEast, southWest, northEast,
        [        ,         , blackMan, blackMan,         ,         ]
        [        , empty   , empty   , blackMan, blackMan,         ]
        [whiteMan, whiteMan, empty   , empty   , blackMan, blackMan]
        [        , whiteMan, whiteMan, empty   , empty   ,         ]
        [        ,         , whiteMan, whiteMan,         ,         ])";
    let text = on_board("english-draughts", board).replace("20", "6");
    Native::new(&game("english-draughts", &text, Some(strategy))).expect("supported")
}

/// A walker for each player, on a row of its own; who comes to the right end wins. Nothing counts the turns.
pub fn walkers() -> Native {
    let text = "
        #players = first(100), second(100)
        #pieces = a, b, empty
        #variables =
        #board = rectangle(up, down, left, right,
            [empty, empty, a, empty, empty, empty]
            [empty, empty, b, empty, empty, empty])
        #anySquare = (up + down + left + right)*
        #rules = (
            ->first anySquare {a} [empty] (left + right) {empty} [a]
            ({? right} + {! right} [$ first = 100] ->> {})
            ->second anySquare {b} [empty] (left + right) {empty} [b]
            ({? right} + {! right} [$ second = 100] ->> {})
        )*";
    Native::new(&game("walkers", text, Some(Strategy::Mod))).expect("supported")
}

pub fn native(name: &str, strategy: Option<Strategy>) -> Native {
    Native::new(&game(name, built_in(name), strategy)).expect("supported")
}
