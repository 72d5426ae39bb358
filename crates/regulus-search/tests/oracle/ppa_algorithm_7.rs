//! PPA Algorithms 6 and 7 as they are printed, for random playouts: a recursion with a transposition table that is empty at
//! the beginning of every turn. The search with the same random numbers makes the same playouts.

use std::collections::BTreeMap;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_search::config::{Config, FinalSelection, Limits, Untried};
use regulus_search::{Search, Searcher, numeric};

use crate::games::{native, small_breakthrough};

/// An entry of the transposition table.
struct Entry {
    moves: Vec<Vec<Step>>,
    total_playouts: u32,
    playouts: Vec<u32>,
    wins: Vec<f64>,
}

struct Printed<E: Engine> {
    engine: E,
    random: Random,
    constant: f64,
    table: BTreeMap<u64, Entry>,
    /// How often a move that was never tried led to an entry.
    meetings: u32,
}

impl<E: Engine> Printed<E> {
    /// UCT (board): the scores of all players. The keeper has moved.
    fn uct(&mut self, mut board: E::State, alive: bool) -> Vec<u32> {
        let mut list = Moves::new();
        if alive {
            self.engine.list(&mut board.clone(), &mut list).expect("moves");
        }
        let moves: Vec<Vec<Step>> = list.iter().map(<[Step]>::to_vec).collect();
        if moves.is_empty() {
            return self.scores(&board);
        }
        let (key, player) = (self.engine.position_key(&board), self.engine.player(&board));
        let Some(t) = self.table.get(&key) else {
            let (playouts, wins) = (vec![0; moves.len()], vec![0.0; moves.len()]);
            self.table.insert(key, Entry { moves, total_playouts: 1, playouts, wins });
            self.engine.playout(&mut board, false, &mut self.random).expect("playout");
            return self.scores(&board);
        };
        let (mut best_value, mut best_move) = (f64::NEG_INFINITY, 0);
        let log = numeric::ln(f64::from(t.total_playouts));
        let bound = 1.0 / f64::from(self.engine.score_bound(player));
        for m in 0..moves.len() {
            let (w, p) = (t.wins[m], f64::from(t.playouts[m]));
            // A division by zero: more than any number. Others are rounded as in the search.
            let value = match t.playouts[m] {
                0 => f64::INFINITY,
                _ => w * bound * (1.0 / p) + self.constant * log.sqrt() * (1.0 / p).sqrt(),
            };
            if value > best_value {
                (best_value, best_move) = (value, m);
            }
        }
        let untried = t.playouts[best_move] == 0;
        self.engine.apply(&mut board, &moves[best_move]);
        let alive = self.engine.run_keeper(&mut board).expect("keeper");
        if untried && alive && self.table.contains_key(&self.engine.position_key(&board)) {
            self.meetings += 1;
        }
        let res = self.uct(board, alive);
        let t = self.table.get_mut(&key).expect("it exists");
        t.total_playouts += 1;
        t.playouts[best_move] += 1;
        t.wins[best_move] += f64::from(res[player]);
        res
    }

    fn scores(&self, board: &E::State) -> Vec<u32> {
        let players = 1..=self.engine.players();
        std::iter::once(0).chain(players.map(|p| self.engine.score(board, p))).collect()
    }
}

/// Plays some turns with both; gives how often ways met.
fn check(name: &str, native: &Native, seed: u64) -> u32 {
    let config = Config {
        transpositions: true,
        keep_tree: false,
        untried: Untried::Listed,
        final_selection: FinalSelection::MostVisited,
        seed,
        ..Config::default()
    };
    let mut engine = native.worker();
    let mut position = engine.initial();
    assert!(engine.run_keeper(&mut position).expect("keeper"));
    let (random, constant) = (Random::new(seed), config.exploration);
    let mut printed = Printed { engine, random, constant, table: BTreeMap::new(), meetings: 0 };
    let mut search = Search::new(native.worker(), config).expect("runs");
    for (turn, iterations) in [700, 2, 90, 300, 300].into_iter().enumerate() {
        let what = format!("{name}, seed {seed}, turn {turn}");
        let thought = search.think(&Limits::simulations(iterations)).expect("runs");
        printed.table.clear();
        (0..iterations).for_each(|_| drop(printed.uct(position.clone(), true)));
        let root = &printed.table[&printed.engine.position_key(&position)];
        assert_eq!(root.total_playouts, iterations as u32, "{what}");
        let tree = search.tree();
        for (key, entry) in &printed.table {
            let Some(node) = tree.known(*key) else {
                assert_eq!(entry.total_playouts, 1, "{what}: only a leaf has no node yet");
                continue;
            };
            assert_eq!(tree.visits[node as usize], entry.total_playouts, "{what}: playouts");
            let first = tree.nodes[node as usize].first;
            for (m, e) in (first..).take(entry.moves.len()).enumerate() {
                let edge = tree.edges[e as usize];
                assert_eq!(tree.submove(e), entry.moves[m], "{what}: the order of the list");
                assert_eq!((edge.visits, edge.sum), (entry.playouts[m], entry.wins[m]), "{what}");
            }
        }
        let chosen = thought.chosen.expect("the game is not over");
        // The move with the most playouts; which of several, the pseudo code leaves open: the best mean, then any.
        let most = *root.playouts.iter().max().expect("moves");
        let often: Vec<usize> =
            (0..root.moves.len()).filter(|m| root.playouts[*m] == most).collect();
        let won = often.iter().map(|m| root.wins[*m]).fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<usize> = often.into_iter().filter(|m| root.wins[*m] == won).collect();
        let m = match best.len() {
            1 => best[0],
            ties => best[printed.random.below(ties as u64) as usize],
        };
        assert_eq!(chosen, root.moves[m], "{what}: the move");
        printed.engine.apply(&mut position, &chosen);
        if !printed.engine.run_keeper(&mut position).expect("keeper") {
            break;
        }
        search.advance(&chosen).expect("runs");
    }
    printed.meetings
}

/// The only simulation is the one of the root: any legal move is played.
#[test]
fn one_simulation_gives_a_legal_move() {
    let native = native("tic-tac-toe", None);
    let config = Config { untried: Untried::Listed, ..Config::default() };
    let mut search = Search::new(native.worker(), config).expect("runs");
    let thought = search.think(&Limits::simulations(1)).expect("runs");
    let (mut engine, mut moves) = (native.worker(), Moves::new());
    let mut position = engine.initial();
    engine.run_keeper(&mut position).expect("keeper");
    engine.list(&mut position, &mut moves).expect("moves");
    let chosen = thought.chosen.expect("a move");
    assert!(moves.iter().any(|legal| legal == chosen));
}

#[test]
fn the_search_is_as_printed() {
    let games = [
        ("tic-tac-toe", native("tic-tac-toe", None)),
        ("connect-four", native("connect-four", None)),
        ("small breakthrough", small_breakthrough(Strategy::Mod)),
        ("domineering", native("domineering", None)),
        ("nogo", native("nogo", None)),
        ("atarigo", native("atarigo", None)),
    ];
    let mut meetings = 0;
    for (name, native) in &games {
        meetings += (0..3).map(|seed| check(name, native, seed)).sum::<u32>();
    }
    assert!(meetings > 100, "{meetings}");
}
