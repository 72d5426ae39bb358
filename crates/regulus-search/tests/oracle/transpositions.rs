//! Positions that have one node whatever way leads to them (PPA Algorithm 7): the search against a table of positions,
//! entry by entry, for the same random numbers.

use std::collections::BTreeMap;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_search::config::{Config, Limits, SimulationDesign};
use regulus_search::{Search, Searcher, numeric};

use crate::games::{native, small_breakthrough, small_draughts, walkers};
use crate::{ORTHODOX, SEMISPLIT};

struct Child {
    steps: Vec<Step>,
    visits: u32,
    sum: f64,
    /// The entry that it leads to, once an iteration has come there this way.
    entry: Option<u64>,
}

struct Entry {
    player: usize,
    /// Iterations through the position by any way.
    visits: u32,
    tried: Vec<Child>,
    untried: Vec<Vec<Step>>,
}

struct Paper<E: Engine> {
    engine: E,
    config: Config,
    random: Random,
    position: E::State,
    table: BTreeMap<u64, Entry>,
    /// How often an iteration came back to a position, and tried a move to a position with an entry.
    returns: u32,
    meetings: u32,
}

impl<E: Engine> Paper<E> {
    fn new(mut engine: E, config: Config) -> Self {
        let mut position = engine.initial();
        assert!(engine.run_keeper(&mut position).expect("keeper"));
        let random = Random::new(config.seed);
        let table = BTreeMap::new();
        Paper { engine, config, random, position, table, returns: 0, meetings: 0 }
    }

    /// The name of the entry of a state, which is made if there is none.
    fn enter(&mut self, state: &E::State) -> u64 {
        let key = self.engine.position_key(state);
        if !self.table.contains_key(&key) {
            let mut moves = Moves::new();
            self.engine.list(&mut state.clone(), &mut moves).expect("moves");
            let untried = moves.iter().map(<[Step]>::to_vec).collect();
            let player = self.engine.player(state);
            self.table.insert(key, Entry { player, visits: 0, tried: Vec::new(), untried });
        }
        key
    }

    fn simulation(&mut self, state: &mut E::State) {
        let split = self.config.simulation == SimulationDesign::Semisplit;
        self.engine.playout(state, split, &mut self.random).expect("playout");
    }

    fn any(&mut self, count: usize) -> usize {
        if count == 1 { 0 } else { self.random.below(count as u64) as usize }
    }

    fn iteration(&mut self) {
        let mut state = self.position.clone();
        let mut at = self.enter(&state);
        let mut way: Vec<(u64, usize)> = Vec::new();
        loop {
            if way.iter().any(|(passed, _)| *passed == at) {
                self.returns += 1;
                self.simulation(&mut state);
                break;
            }
            let (tried, untried) = (self.table[&at].tried.len(), self.table[&at].untried.len());
            if tried + untried == 0 {
                break;
            }
            let chosen = if untried > 0 {
                let a = self.any(untried);
                let entry = self.table.get_mut(&at).expect("entered");
                // The first untried takes the place of the chosen one.
                entry.untried.swap(0, a);
                let steps = entry.untried.remove(0);
                entry.tried.push(Child { steps, visits: 0, sum: 0.0, entry: None });
                tried
            } else {
                self.uct(at)
            };
            way.push((at, chosen));
            self.engine.apply(&mut state, &self.table[&at].tried[chosen].steps);
            if !self.engine.run_keeper(&mut state).expect("keeper") {
                break;
            }
            if untried > 0 {
                if !self.table.contains_key(&self.engine.position_key(&state)) {
                    self.simulation(&mut state);
                    break;
                }
                self.meetings += 1;
            }
            let below = self.enter(&state);
            self.table.get_mut(&at).expect("entered").tried[chosen].entry = Some(below);
            at = below;
        }
        for (passed, chosen) in way {
            let entry = self.table.get_mut(&passed).expect("entered");
            entry.visits += 1;
            entry.tried[chosen].visits += 1;
            entry.tried[chosen].sum += f64::from(self.engine.score(&state, entry.player));
        }
    }

    fn uct(&mut self, at: u64) -> usize {
        let entry = &self.table[&at];
        let scale = 1.0 / f64::from(self.engine.score_bound(entry.player));
        let c_root = self.config.exploration * numeric::ln(f64::from(entry.visits)).sqrt();
        let value = |child: &Child| {
            let n = f64::from(child.visits);
            // Rounded as in the search, since equal values must be equal here, too.
            child.sum * scale * (1.0 / n) + c_root * (1.0 / n).sqrt()
        };
        let values: Vec<f64> = entry.tried.iter().map(value).collect();
        self.any_of_the_best(&values, |a, b| a.total_cmp(b))
    }

    fn any_of_the_best<T>(&mut self, all: &[T], order: fn(&T, &T) -> std::cmp::Ordering) -> usize {
        let is_best = |i: &usize| all.iter().all(|other| order(&all[*i], other).is_ge());
        let best: Vec<usize> = (0..all.len()).filter(is_best).collect();
        best[self.any(best.len())]
    }

    /// The best mean, then most iterations.
    fn final_move(&mut self) -> Option<Vec<Step>> {
        let root = self.enter(&self.position.clone());
        let known = |child: &Child| (child.sum / f64::from(child.visits), child.visits);
        let tried: Vec<(f64, u32)> = self.table[&root].tried.iter().map(known).collect();
        if tried.is_empty() {
            return None;
        }
        let best = self.any_of_the_best(&tried, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Some(self.table[&root].tried[best].steps.clone())
    }

    /// What can be reached from the new position is kept, if it has an entry.
    fn advance(&mut self, steps: &[Step]) -> bool {
        let root = self.enter(&self.position.clone());
        let below = self.table[&root].tried.iter().find(|child| child.steps == steps);
        let mut waiting: Vec<u64> = below.and_then(|child| child.entry).into_iter().collect();
        let mut kept = BTreeMap::new();
        while let Some(key) = waiting.pop() {
            if let Some(entry) = self.table.remove(&key) {
                waiting.extend(entry.tried.iter().filter_map(|child| child.entry));
                kept.insert(key, entry);
            }
        }
        self.table = kept;
        self.engine.apply(&mut self.position, steps);
        self.engine.run_keeper(&mut self.position).expect("keeper")
    }
}

/// Gives how often iterations came back, and how often ways met.
fn check(name: &str, native: &Native, config: &Config, turns: &[u64]) -> (u32, u32) {
    let mut paper = Paper::new(native.worker(), config.clone());
    let mut search = Search::new(native.worker(), config.clone()).expect("runs");
    for (turn, iterations) in turns.iter().enumerate() {
        let what = format!("{name}, turn {turn}, {config:?}");
        let thought = search.think(&Limits::simulations(*iterations)).expect("runs");
        (0..thought.totals.iterations).for_each(|_| paper.iteration());
        let chosen = paper.final_move();
        assert_eq!(thought.chosen, chosen, "{what}: the move");
        let tree = search.tree();
        assert_eq!(tree.nodes.len(), paper.table.len(), "{what}: positions");
        for (key, entry) in &paper.table {
            let node = tree.known(*key).expect("it has a node");
            let n = tree.nodes[node as usize];
            assert_eq!((n.tried as usize, n.count as usize), entry.sizes(), "{what}: tried");
            assert_eq!(tree.visits[node as usize], entry.visits, "{what}: iterations");
            for (child, e) in entry.tried.iter().zip(n.first..) {
                let edge = tree.edges[e as usize];
                assert_eq!(tree.submove(e), child.steps, "{what}: move");
                assert_eq!((edge.visits, edge.sum), (child.visits, child.sum), "{what}");
                let below = child.entry.map(|below| tree.known(below).expect("it has a node"));
                let linked = tree.nodes.get(edge.child as usize).map(|_| edge.child);
                assert_eq!(linked, below, "{what}: what the move leads to");
            }
            for (steps, e) in entry.untried.iter().zip(n.first + n.tried..) {
                assert_eq!(tree.submove(e), steps, "{what}: untried");
            }
        }
        let Some(chosen) = chosen else { break };
        assert_eq!(thought.totals.iterations, *iterations, "{what}");
        search.advance(&chosen).expect("runs");
        if !paper.advance(&chosen) {
            break;
        }
    }
    (paper.returns, paper.meetings)
}

impl Entry {
    fn sizes(&self) -> (usize, usize) {
        (self.tried.len(), self.tried.len() + self.untried.len())
    }
}

/// Moves that can be exchanged, moves that lead back, one player, three players.
#[test]
fn positions_have_one_node() {
    let games = [
        ("walkers", walkers()),
        ("tic-tac-toe", native("tic-tac-toe", None)),
        ("connect-four", native("connect-four", None)),
        ("hare-and-hounds", native("hare-and-hounds", Some(Strategy::Mod))),
        ("small breakthrough", small_breakthrough(Strategy::Mod)),
        ("small draughts", small_draughts(Strategy::Mod)),
        ("rolit", native("rolit", Some(Strategy::Mod))),
        ("eight-puzzle", native("eight-puzzle", Some(Strategy::Mod))),
    ];
    let mut all_returns = 0;
    for (name, native) in &games {
        let mut all_meetings = 0;
        for seed in 0..3 {
            for simulation in [ORTHODOX, SEMISPLIT] {
                let plain = Config { transpositions: true, ..Config::default() };
                let config = Config { simulation, seed, ..plain };
                let turns = [2000, 500, 5, 1000, 300, 300, 300, 300, 300];
                let (returns, meetings) = check(name, native, &config, &turns);
                all_returns += returns;
                all_meetings += meetings;
            }
        }
        assert!(all_meetings > 30, "{name}: {all_meetings}");
    }
    assert!(all_returns > 100, "{all_returns}");
}
