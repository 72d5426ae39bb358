//! Whatever rules say about the length and the number of moves: an agent that is to move plays a legal one.

#![allow(clippy::unwrap_used)]

use std::sync::atomic::AtomicBool;

use regulus_agent::{COLLECTION, by_name};
use regulus_game::{Engine, Step};
use regulus_player::{LoadedGame, PreparedAgent};
use regulus_rbg::Source;
use regulus_reasoner::RunError;
use regulus_reasoner::native::{Native, NativeWorker};
use regulus_search::config::Limits;
use regulus_search::{SearchResult, Searcher};

/// A game of two players on four vertices, with a variable `x` up to 10.
fn game(rules: &str) -> LoadedGame {
    let text = format!(
        "#players = white(100), black(100)\n#pieces = a, b\n#variables = x(10)\n\
         #board = rectangle(up,down,left,right,[a,b][a,b])\n#rules = {rules}"
    );
    LoadedGame::read("long", Source::new("long", &text)).unwrap()
}

/// Six moves, each of which is as given for its player.
fn six_moves(white: &str, black: &str) -> LoadedGame {
    game(&format!(
        "({{$ x < 6}} ->white {white} [$ x = x + 1] ->black {black} [$ x = x + 1])* {{$ x == 6}} ->> {{}}"
    ))
}

/// A move changes a piece `length` times.
fn runs(length: usize) -> LoadedGame {
    six_moves(&format!("([b])^{length}"), &format!("([a])^{length}"))
}

/// What a move can be like: its length, choices in it, and what is behind a long run.
fn games() -> Vec<(&'static str, LoadedGame)> {
    let run = "([a][b])^40";
    let choices = "([a] + [b]) (up + down + left + right)";
    vec![
        ("one modifier", runs(1)),
        ("ten", runs(10)),
        ("a hundred", runs(100)),
        (
            "choices before and behind a long run",
            six_moves(&format!("({choices})^2 {run}"), &format!("{run} ({choices})^3")),
        ),
        (
            "dead ends behind a long run",
            six_moves(
                &format!("([a] + [b]) {run} ([a] {{$ x > 6}} + left [b] {{$ x > 7}} + [b])"),
                &format!("([b] {run} {{$ x > 8}} [a] + [a] {run} {{b}} [b])"),
            ),
        ),
        (
            "a split point before every choice",
            six_moves(
                &format!("(. {choices})^2 . {run} . ([a] + [b])"),
                &format!("(. {run} . [a])^2"),
            ),
        ),
    ]
}

/// Plays a game of a prepared agent with itself and gives its length. Whoever is to move has to find a legal move.
fn plays_to_the_end(what: &str, prepared_agent: &PreparedAgent, rules: &Native) -> usize {
    let mut referee: NativeWorker = rules.worker();
    let mut state = referee.initial();
    let mut searchers: Vec<Box<dyn Searcher<RunError>>> =
        (1..=2).map(|seed| prepared_agent.searcher(seed, std::iter::empty()).unwrap()).collect();
    let (mut length, mut first) = (0, Vec::new());
    while referee.run_keeper(&mut state).unwrap() && referee.nth(&mut state, 0, &mut first).unwrap()
    {
        let searcher = &mut searchers[referee.player(&state) - 1];
        let SearchResult { chosen, trouble, .. } = searcher.think(&Limits::simulations(3)).unwrap();
        let steps: Vec<Step> = chosen.unwrap_or_else(|| panic!("{what}: no move at {length}"));
        assert_eq!(trouble, None, "{what}");
        assert!(referee.is_legal(&mut state, &steps).unwrap(), "{what}: {steps:?}");
        searchers.iter_mut().for_each(|searcher| searcher.advance(&steps).unwrap());
        referee.apply(&mut state, &steps);
        length += 1;
    }
    for searcher in &mut searchers {
        assert_eq!(searcher.think(&Limits::simulations(3)).unwrap().chosen, None, "{what}: over");
    }
    length
}

/// What the collection does not have: other algorithms, parts of the catalogue, several threads.
const OTHERS: &[&str] = &[
    "shot_orthodox_orthodox",
    "shotM_semisplit_semisplit_mastsplit",
    "mctsM_semisplitNodal_semisplit_halving",
    "mctsM_semisplit_semisplit_anytimeHalving",
    "mctsM_semisplitNodal_semisplit_decisive_solver",
    "mctsM_semisplit_semisplit_antidecisive",
    "mctsM_semisplitNodal_semisplit_endgame200_pn1",
    "mctsM_semisplitNodal_semisplit_proof20",
    "mctsM_semisplitNodal_semisplit_transpositions",
    "mctsM_semisplitNodal_semisplit_ppa0.32",
    "mctsM_semisplitNodal_semisplit_ppan0.32",
    "mctsM_semisplitNodal_semisplit_nst_lgrf2",
    "mctsM_rollup_semisplit",
    "mctsM_rollupNodal_orthodox_finalRollup_mastk4",
    "mctsM_semisplitNodal_semisplit_root2",
    "mctsM_semisplitNodal_semisplit_tree2",
    "mctsM_semisplit_semisplit_mastsplit_tree2",
];

/// Lets agents play games of six moves.
fn check<'n>(what: &str, game: &LoadedGame, names: impl Iterator<Item = &'n &'n str>) {
    let rules = Native::new(game.rules()).unwrap();
    for name in names {
        let prepared_agent = PreparedAgent::new(&by_name(name).unwrap(), game);
        let what = format!("{what}, {name}");
        assert_eq!(plays_to_the_end(&what, &prepared_agent, &rules), 6, "{what}");
    }
}

#[test]
fn agents_play_moves_of_any_length() {
    for (what, game) in games() {
        check(what, &game, COLLECTION.iter().chain(OTHERS));
    }
}

#[test]
fn some_agents_play_moves_of_hundreds_of_modifiers() {
    check("long", &runs(350), COLLECTION.iter().step_by(10).chain(OTHERS));
}

/// One turn of an agent whose search cannot go on: it plays a legal move and says why it has not searched.
fn turn_in_trouble(game: &LoadedGame, name: &str) -> String {
    let prepared_agent = PreparedAgent::new(&by_name(name).unwrap(), game);
    let mut searcher = prepared_agent.searcher(1, std::iter::empty()).unwrap();
    let stop = AtomicBool::new(false);
    searcher.ponder(&stop);
    let SearchResult { chosen, trouble, .. } = searcher.think(&Limits::simulations(3)).unwrap();
    let (rules, steps) = (Native::new(game.rules()).unwrap(), chosen.unwrap());
    let (mut referee, mut state) = (rules.worker(), rules.initial());
    assert!(referee.run_keeper(&mut state).unwrap());
    assert!(referee.is_legal(&mut state, &steps).unwrap(), "{name}");
    searcher.advance(&steps).unwrap();
    trouble.unwrap_or_default()
}

#[test]
fn random_games_that_do_not_end() {
    let endless = game("(->white ([a] + [b]) ->black ([a] + [b]))*");
    for name in COLLECTION.iter().step_by(6).chain(OTHERS) {
        let trouble = turn_in_trouble(&endless, name);
        assert!(trouble.contains("has not come to an end"), "{name}: {trouble}");
    }
}

#[test]
fn more_moves_than_can_be_listed() {
    let many = six_moves("([a] + [b])^60", "([a] + [b])^60");
    for name in ["mcts_orthodox_orthodox", "shot_orthodox_orthodox", "mcts_orthodox_orthodox_root2"]
    {
        let trouble = turn_in_trouble(&many, name);
        assert!(trouble.contains("the position has too many moves"), "{name}: {trouble}");
    }
    // Semimoves are few.
    let names = ["mctsM_semisplitNodal_semisplit", "mctsM_semisplit_semisplit_mastsplit_rave"];
    check("many moves", &many, names.iter());
}
