//! Whatever rules say about the length and the number of moves: an agent that is to move plays a legal one.

#![allow(clippy::unwrap_used)]

use regulus_agent::{COLLECTION, by_name};
use regulus_game::{Engine, Step};
use regulus_player::{Mind, Thinker};
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::native::{Native, NativeWorker};
use regulus_search::Thought;
use regulus_search::config::Limits;

/// A game of two players on four vertices, with a variable `x` up to 10.
fn game(rules: &str) -> Game {
    let text = format!(
        "#players = white(100), black(100)\n#pieces = a, b\n#variables = x(10)\n\
         #board = rectangle(up,down,left,right,[a,b][a,b])\n#rules = {rules}"
    );
    load(&Source::new("long", &text)).game.unwrap()
}

/// Both players change pieces so many times in a move; a move counts up to six, and then the game is over.
fn runs(length: usize) -> Game {
    game(&format!(
        "(->white ([b])^{length} {{$ x < 6}} [$ x = x + 1] [$ white = 100] \
         ->black ([a])^{length} {{$ x < 6}} [$ x = x + 1] [$ white = 0])* ->> {{}}"
    ))
}

/// What a move can be like: its length, choices in it, and what is behind a long run.
fn games() -> Vec<(&'static str, Game)> {
    let run = "([a][b])^40";
    let choices = "([a] + [b]) (up + down + left + right)";
    vec![
        ("one modifier", runs(1)),
        ("ten", runs(10)),
        ("a hundred", runs(100)),
        ("three hundred and fifty", runs(350)),
        (
            "choices before and behind a long run",
            game(&format!(
                "(->white ({choices})^3 {run} {{$ x < 4}} [$ x = x + 1] \
                 ->black {run} ({choices})^3 {{$ x < 4}} [$ x = x + 1])* ->> {{}}"
            )),
        ),
        (
            "dead ends behind a long run",
            game(&format!(
                "(->white ([a] + [b]) {run} \
                   ([a] {{b}} + left [b] {{$ x > 8}} + [b] {{$ x < 4}}) [$ x = x + 1] \
                 ->black ([b] {run} {{$ x > 8}} [a] + [a] {run} {{$ x < 4}}) [$ x = x + 1])* ->> {{}}"
            )),
        ),
        (
            "a split point before every choice",
            game(&format!(
                "(->white (. {choices})^2 . {run} . ([a] + [b]) {{$ x < 4}} [$ x = x + 1] \
                 ->black (. {run} . [a])^2 {{$ x < 4}} [$ x = x + 1])* ->> {{}}"
            )),
        ),
    ]
}

/// Plays a game of a mind with itself and gives its length. Whoever is to move has to find a legal move.
fn plays_to_the_end(what: &str, mind: &Mind, rules: &Native) -> usize {
    let mut referee: NativeWorker<'_> = rules.worker();
    let mut state = referee.initial();
    let mut thinkers: Vec<Box<dyn Thinker + '_>> =
        (1..=2).map(|seed| mind.thinker(seed, std::iter::empty()).unwrap()).collect();
    let (mut length, mut first) = (0, Vec::new());
    while referee.keeper(&mut state).unwrap() && referee.nth(&mut state, 0, &mut first).unwrap() {
        let thinker = &mut thinkers[referee.player(&state) - 1];
        let Thought { chosen, trouble, .. } = thinker.think(&Limits::simulations(3)).unwrap();
        let steps: Vec<Step> = chosen.unwrap_or_else(|| panic!("{what}: no move at {length}"));
        assert_eq!(trouble, None, "{what}");
        assert!(referee.is_legal(&mut state, &steps).unwrap(), "{what}: {steps:?}");
        thinkers.iter_mut().for_each(|thinker| thinker.advance(&steps).unwrap());
        referee.apply(&mut state, &steps);
        length += 1;
    }
    for thinker in &mut thinkers {
        assert_eq!(thinker.think(&Limits::simulations(3)).unwrap().chosen, None, "{what}: over");
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

#[test]
fn agents_play_moves_of_any_length() {
    for (what, game) in games() {
        let rules = Native::new(&game).unwrap();
        for name in COLLECTION.iter().chain(OTHERS) {
            let agent = by_name(name).unwrap();
            let length =
                plays_to_the_end(&format!("{what}, {name}"), &Mind::new(&agent, &game), &rules);
            assert!(length >= 3, "{what}, {name}: {length}");
        }
    }
}
