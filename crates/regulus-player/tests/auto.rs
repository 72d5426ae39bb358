//! What `auto` means for a game.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use regulus_agent::by_name;
use regulus_player::catalogue::Catalogue;
use regulus_player::{
    LoadedGame, ONE_PLAYER, PreparedAgent, SEVERAL_CHOICES, USUAL, auto_in_words,
};
use regulus_rbg::Source;
use regulus_search::config::Limits;

fn built_in(name: &str) -> Arc<LoadedGame> {
    Catalogue::default().game(name).unwrap()
}

fn game(players: &str, rules: &str) -> LoadedGame {
    let text = format!(
        "#players = {players}\n#pieces = e, a, b, c\n#variables = x(10)\n\
         #board = rectangle(up,down,left,right,\n\
         [e,e,e,e,e,e,e]\n[e,e,e,e,e,e,e]\n[e,e,e,e,e,e,e]\n[e,e,e,e,e,e,e]\n\
         [e,e,e,e,e,e,e]\n[e,e,e,e,e,e,e]\n[e,e,e,e,e,e,e])\n#rules = {rules}"
    );
    LoadedGame::read("made", Source::new("made", &text)).unwrap()
}

const TWO: &str = "white(100), black(100)";
const ANYWHERE: &str = "(up* + down*) (left* + right*)";

#[test]
fn built_in_games() {
    for (name, agent) in [
        ("amazons", SEVERAL_CHOICES),
        ("breakthru", SEVERAL_CHOICES),
        ("pentago", SEVERAL_CHOICES),
        ("hexxagon", SEVERAL_CHOICES),
        ("knightthrough", SEVERAL_CHOICES),
        ("gomoku", USUAL),
        ("go", USUAL),
        ("breakthrough", USUAL),
        ("hex", USUAL),
        ("connect-four", USUAL),
        ("chess", USUAL),
        ("reversi", USUAL),
        ("english-draughts", USUAL),
        ("rolit", USUAL),
        ("peg-solitaire", ONE_PLAYER),
        ("eight-puzzle", ONE_PLAYER),
    ] {
        assert_eq!(built_in(name).auto_agent(), agent, "{name}");
    }
}

#[test]
fn every_meaning_is_an_agent_that_is_named() {
    let words = auto_in_words().join(" ");
    for name in [ONE_PLAYER, USUAL, SEVERAL_CHOICES] {
        assert_eq!(by_name(name).unwrap().name, name);
        assert!(words.contains(&format!(": {name}.")), "{words}");
    }
}

/// The number of moves decides, and whether semimoves would divide them; not how moves are written down.
#[test]
fn games_that_nobody_has_seen() {
    let place = format!("{ANYWHERE} {{e}} [a]");
    let turns = |turn: &str| format!("(->white {turn} ->black {turn})*");
    // 49 moves and fewer, until the board is full: about 25 in the mean.
    assert_eq!(game(TWO, &turns(&place)).auto_agent(), USUAL);
    // 196 moves, one choice.
    let change = format!("{ANYWHERE} ([a] + [b] + [c] + [e])");
    assert_eq!(game(TWO, &turns(&change)).auto_agent(), USUAL);
    // A step that is always the same divides nothing.
    let noted = format!("[$ x = 1 - x] {change}");
    assert_eq!(game(TWO, &turns(&noted)).auto_agent(), USUAL);
    let two = format!("{place} {place}");
    assert_eq!(game(TWO, &turns(&two)).auto_agent(), SEVERAL_CHOICES);
    assert_eq!(game("me(100)", &format!("->me {two} ->> {{}}")).auto_agent(), ONE_PLAYER);
}

/// Rules that cannot go on, that leave no move, or too many: there is an agent for them, and it plays if it can.
#[test]
fn rules_that_ask_for_too_much() {
    let nobody = game(TWO, "->white {a} [a] ->> {}");
    assert_eq!(nobody.auto_agent(), USUAL);
    let too_long = game(TWO, "->white ([$ x = 1 - x])* ->black [a] ->> {}");
    assert_eq!(too_long.auto_agent(), USUAL);
    let stuck_keeper = game(TWO, "(->white [a] ->> ([$ x = 1 - x] ->>)* {a})*");
    assert_eq!(stuck_keeper.auto_agent(), USUAL);
    let many = game(TWO, "->white ([a] + [b])^60 ->black ([a] + [b])^60 ->> {}");
    let agent = by_name(many.auto_agent()).unwrap();
    assert_eq!(agent.name, SEVERAL_CHOICES);
    let prepared_agent = PreparedAgent::new(&agent, &many);
    let mut searcher = prepared_agent.searcher(1, std::iter::empty()).unwrap();
    assert!(searcher.think(&Limits::simulations(3)).unwrap().chosen.is_some());
}
