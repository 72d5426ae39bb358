//! SHOT against a transcription of the pseudocode of SLIDES: the same entries, playout by playout, for the same random
//! numbers.

use std::collections::BTreeMap;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::Source;
use regulus_reasoner::native::Native;
use regulus_search::config::{Config, Limits};
use regulus_search::shot::Shot;

/// t.
#[derive(Clone, Default)]
struct Entry {
    budget_node: u64,
    playouts: Vec<u64>,
    /// Scores of the player who moves.
    wins: Vec<f64>,
}

/// What the pseudocode calls by reference.
#[derive(Clone)]
struct Results {
    budget_used: u64,
    playouts: u64,
    /// Of every player.
    wins: Vec<f64>,
}

struct Paper<E: Engine> {
    engine: E,
    random: Random,
    table: BTreeMap<u64, Entry>,
    /// Hashes of the boards that the board at hand comes from.
    way: Vec<u64>,
}

impl<E: Engine> Paper<E> {
    fn nothing(&self) -> Results {
        Results { budget_used: 0, playouts: 0, wins: vec![0.0; self.engine.players() + 1] }
    }

    fn scores(&self, board: &E::State) -> Vec<f64> {
        let score = |player| f64::from(self.engine.score(board, player));
        std::iter::once(0.0).chain((1..=self.engine.players()).map(score)).collect()
    }

    fn moves(&mut self, board: &E::State, alive: bool) -> Vec<Vec<Step>> {
        let mut moves = Moves::new();
        if alive {
            self.engine.list(&mut board.clone(), &mut moves).expect("runs");
        }
        moves.iter().map(<[Step]>::to_vec).collect()
    }

    fn play(&mut self, board: &E::State, steps: &[Step]) -> (E::State, bool) {
        let mut next = board.clone();
        self.engine.apply(&mut next, steps);
        let alive = self.engine.keeper(&mut next).expect("runs");
        (next, alive)
    }

    fn playout(&mut self, board: &E::State, alive: bool) -> Vec<f64> {
        let mut end = board.clone();
        if alive {
            self.engine.playout(&mut end, false, &mut self.random).expect("runs");
        }
        self.scores(&end)
    }

    fn update(results: &mut Results, used: u64, playouts: u64, wins: &[f64]) {
        results.budget_used += used;
        results.playouts += playouts;
        results.wins.iter_mut().zip(wins).for_each(|(sum, more)| *sum += more);
    }

    /// SHOT (board, budget, budgetUsed, playouts, wins).
    fn shot(
        &mut self,
        board: &E::State,
        alive: bool,
        budget: u64,
        out: &mut Results,
    ) -> Option<usize> {
        let at_root = self.way.is_empty();
        let possible = self.moves(board, alive);
        // If board is terminal: the budget's playouts, without playing.
        if possible.is_empty() {
            let wins: Vec<f64> = self.scores(board).iter().map(|w| w * budget as f64).collect();
            Self::update(out, 0, budget, &wins);
            return None;
        }
        let hash = self.engine.hash(board);
        // If budget = 1; at the root a move is wanted. Boards that were there before would never end.
        if (budget == 1 && !at_root) || self.way.contains(&hash) {
            for _ in 0..budget {
                let result = self.playout(board, alive);
                Self::update(out, 1, 1, &result);
            }
            return None;
        }
        let count = possible.len();
        if count == 1 && !at_root {
            let mut below = self.nothing();
            let (next, alive) = self.play(board, &possible[0]);
            self.way.push(hash);
            self.shot(&next, alive, budget, &mut below);
            self.way.pop();
            Self::update(out, below.budget_used, below.playouts, &below.wins);
            return Some(0);
        }
        let player = self.engine.player(board);
        let mut t = self.table.remove(&hash).unwrap_or_else(|| Entry {
            budget_node: 0,
            playouts: vec![0; count],
            wins: vec![0.0; count],
        });
        // The pseudocode says nothing about the order of equals: any.
        let mut s: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            s.swap(i, self.random.below(i as u64 + 1) as usize);
        }
        let mean = |t: &Entry, m: usize| match t.playouts[m] {
            0 => f64::NEG_INFINITY,
            playouts => t.wins[m] / playouts as f64,
        };
        if t.budget_node <= s.len() as u64 && count > 1 {
            for m in s.clone() {
                if t.playouts[m] > 0 {
                    continue;
                }
                let (next, alive) = self.play(board, &possible[m]);
                let result = self.playout(&next, alive);
                Self::update(out, 1, 1, &result);
                t.playouts[m] += 1;
                t.wins[m] += result[player];
                if out.budget_used == budget {
                    t.budget_node += out.budget_used;
                    let best = s
                        .iter()
                        .copied()
                        .rev()
                        .max_by(|a, b| mean(&t, *a).total_cmp(&mean(&t, *b)));
                    self.table.insert(hash, t);
                    return best;
                }
            }
        }
        s.sort_by(|a, b| mean(&t, *b).total_cmp(&mean(&t, *a)));
        let (mut b, log) = (0, (count as f64).log2().ceil() as u64);
        if count == 1 {
            // |S| = 1 at the root, with an entry for the report.
            let mut below = self.nothing();
            let (next, alive) = self.play(board, &possible[0]);
            self.way.push(hash);
            self.shot(&next, alive, budget, &mut below);
            self.way.pop();
            Self::update(out, below.budget_used, below.playouts, &below.wins);
            t.playouts[0] += below.playouts;
            t.wins[0] += below.wins[player];
        }
        while s.len() > 1 {
            b += 1.max((t.budget_node + budget) / (s.len() as u64 * log));
            for (place, m) in s.clone().into_iter().enumerate() {
                if t.playouts[m] < b {
                    let mut b1 = (b - t.playouts[m]) as i64;
                    if at_root && s.len() == 2 && place == 0 {
                        let second = t.playouts[s[1]] as i64;
                        b1 = budget as i64 - out.budget_used as i64 - (b as i64 - second);
                    }
                    b1 = b1.min(budget as i64 - out.budget_used as i64);
                    if b1 > 0 {
                        let mut below = self.nothing();
                        let (next, alive) = self.play(board, &possible[m]);
                        self.way.push(hash);
                        // Others may come to this board, too: what is known there is theirs as well.
                        self.table.insert(hash, t);
                        self.shot(&next, alive, b1 as u64, &mut below);
                        t = self.table.remove(&hash).expect("it was there");
                        self.way.pop();
                        Self::update(out, below.budget_used, below.playouts, &below.wins);
                        t.playouts[m] += below.playouts;
                        t.wins[m] += below.wins[player];
                    }
                }
                if out.budget_used >= budget {
                    break;
                }
            }
            s.sort_by(|a, b| mean(&t, *b).total_cmp(&mean(&t, *a)));
            s.truncate(s.len().div_ceil(2));
            if out.budget_used >= budget {
                break;
            }
        }
        t.budget_node += out.budget_used;
        self.table.insert(hash, t);
        Some(s[0])
    }
}

fn native(name: &str) -> Native {
    let text = regulus_games::find(name).expect("built in").text;
    Native::new(&regulus_rbg::load(&Source::new(name, text)).game.expect("valid"))
        .expect("supported")
}

/// Turns of so many playouts with both; all entries are compared after each.
fn check(name: &str, budgets: &[u64], seed: u64) {
    let native = native(name);
    let config = Config { seed, ..Config::default() };
    let mut search = Shot::new(native.worker(), config).expect("runs");
    let mut paper = Paper {
        engine: native.worker(),
        random: Random::new(seed),
        table: BTreeMap::new(),
        way: Vec::new(),
    };
    for (turn, budget) in budgets.iter().enumerate() {
        let what = format!("{name}, seed {seed}, turn {turn}");
        let position = search.position().clone();
        let thought = search.think(&Limits::simulations(*budget)).expect("runs");
        let mut out = paper.nothing();
        let alive = paper.engine.keeper(&mut position.clone()).expect("runs");
        let best = paper.shot(&position, alive, *budget, &mut out);
        let Some(best) = best else {
            assert_eq!(thought.chosen, None, "{what}");
            return;
        };
        assert_eq!(thought.totals.iterations, out.budget_used, "{what}");
        assert!(out.budget_used <= *budget, "{what}");
        assert_eq!(thought.nodes as usize, paper.table.len(), "{what}");
        for (hash, expected) in &paper.table {
            let (budget_node, stats) = search.entry(*hash).expect("known");
            assert_eq!(budget_node, expected.budget_node, "{what}");
            let playouts: Vec<u64> = stats.iter().map(|stat| u64::from(stat.0)).collect();
            let wins: Vec<f64> = stats.iter().map(|stat| stat.1).collect();
            assert_eq!(
                (playouts, wins),
                (expected.playouts.clone(), expected.wins.clone()),
                "{what}"
            );
        }
        let chosen = paper.moves(&position, alive)[best].clone();
        assert_eq!(thought.chosen, Some(chosen.clone()), "{what}");
        search.advance(&chosen).expect("runs");
    }
}

#[test]
fn two_players() {
    for seed in 0..4 {
        check("breakthrough", &[1, 2, 21, 22, 23, 110, 1000, 4000, 300], seed);
        check("tic-tac-toe", &[360, 5, 100, 3000, 50, 50, 50, 50, 50, 50], seed);
        check("connect-four", &[5000, 800, 20, 1000], seed);
    }
}

/// Moves that lead back, forced moves, scores between loss and win, one player, three players.
#[test]
fn other_games() {
    for name in ["chess", "english-draughts", "eight-puzzle", "rolit", "yavalath"] {
        check(name, &[300, 40, 700, 100, 100, 100], 1);
    }
}
