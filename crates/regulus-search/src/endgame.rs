//! Endgames are tried out: before a position gets a node, an exhaustive search with few states looks whether it can
//! solve it (after H. Baier, M. Winands, *MCTS-Minimax Hybrids*, 2015). Most positions of a tree are near the end
//! of the game, so that most nodes of a proof need not be made.
//!
//! Scores are bounds as in `solver.rs`, and are combined by the same rule. Where who chooses is sure of the highest
//! score there is, other moves need not be looked at if the rules leave no choice to the others then.

use regulus_game::{Engine, Moves};

use crate::action::{NODAL, submove_key};
use crate::numeric::ln;
use crate::outcomes::Outcomes;
use crate::simulator::Simulator;
use crate::solver::Solver;
use crate::tree::{Bound, Tree};

/// Endgames at work: what an exhaustive search needs, level by level.
pub(crate) struct Endgame<E: Engine> {
    /// The most states of a search.
    most: u32,
    states: Vec<E::State>,
    moves: Vec<Moves>,
    /// The bounds of the children of each level.
    bounds: Vec<Vec<Bound>>,
    /// The moves of each level in the order in which they are tried: how often one was sure to be best before, its
    /// number, and the key by which that is counted.
    orders: Vec<Vec<(u32, u32, u64)>>,
    /// How often moves were sure to be best, by key (history heuristic, J. Schaeffer 1989).
    history: Vec<u32>,
    /// States that may still be tried.
    left: u32,
    /// How many positions are remembered: a power of two.
    slots: usize,
    /// Positions that are solved: their keys (0 for none), and the bounds of all players for each. A later position
    /// takes the place of an earlier one.
    keys: Vec<u64>,
    solved: Vec<Bound>,
    outcomes: Outcomes,
}

/// How many positions are remembered: a power of two.
const REMEMBERED: usize = 1 << 20;

/// How many counts of moves there are: a power of two.
const HISTORY: usize = 1 << 12;

/// The part of all memory that they may take.
const SHARE: usize = 8;

impl<E: Engine> Endgame<E> {
    /// For searches with at most `most` states in a game with `players` players; memory is that of all.
    pub(crate) fn new(most: u32, players: usize, memory: usize, outcomes: Outcomes) -> Self {
        let entry = size_of::<u64>() + players * size_of::<Bound>();
        let mut slots = REMEMBERED;
        while slots > 1 && slots * entry > memory / SHARE {
            slots /= 2;
        }
        Endgame {
            most,
            slots,
            states: Vec::new(),
            moves: Vec::new(),
            bounds: Vec::new(),
            orders: Vec::new(),
            history: vec![0; HISTORY],
            left: 0,
            keys: Vec::new(),
            solved: Vec::new(),
            outcomes,
        }
    }

    /// How many bytes the positions take.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.len() * size_of::<u64>() + self.solved.len() * size_of::<Bound>()
    }

    /// Tries to solve the nodal state behind the last edge of the path; true if the edge has exact scores now.
    pub(crate) fn settle(
        &mut self,
        sim: &mut Simulator<E>,
        tree: &mut Tree,
        solver: &mut Solver,
    ) -> Result<bool, E::Error> {
        if !self.is_near_the_end(sim, tree) {
            return Ok(false);
        }
        if self.keys.is_empty() {
            self.keys.resize(self.slots, 0);
            self.solved.resize(self.slots * sim.players(), Bound { low: 0, high: 0 });
        }
        self.left = self.most;
        match self.states.first_mut() {
            Some(first) => first.clone_from(&sim.episode.state),
            None => self.states.push(sim.episode.state.clone()),
        }
        let solved = self.solve(&mut sim.engine, 0)?;
        sim.totals.states += u64::from(self.most - self.left);
        let (Some(bounds), Some(edge)) = (solved, sim.episode.last_edge()) else {
            return Ok(false);
        };
        solver.set_bounds(tree, &sim.episode.path, &bounds);
        Ok(tree.is_proven(edge))
    }

    /// True if so few moves are left, by the average of all iterations, that a search has a chance: with pruning it
    /// looks at about the square root of all positions.
    fn is_near_the_end(&self, sim: &Simulator<E>, tree: &Tree) -> bool {
        let average = sim.totals.nodal_states as f64 / sim.totals.iterations.max(1) as f64;
        let left = (average - sim.episode.record.moves.len() as f64).max(1.0);
        let last = sim.episode.path.last();
        let edges = last.map_or(2, |passed| tree.nodes[passed.node as usize].count.max(2));
        left * ln(f64::from(edges)) <= 2.0 * ln(f64::from(self.most))
    }

    fn remembered(&self, key: u64, players: usize) -> Option<Vec<Bound>> {
        let slot = key as usize & (self.keys.len() - 1);
        let bounds = &self.solved[slot * players..(slot + 1) * players];
        (self.keys[slot] == key).then(|| bounds.to_vec())
    }

    fn remember(&mut self, key: u64, bounds: &[Bound]) {
        let slot = key as usize & (self.keys.len() - 1);
        self.keys[slot] = key;
        self.solved[slot * bounds.len()..(slot + 1) * bounds.len()].copy_from_slice(bounds);
    }

    /// The bounds of all players in the nodal state of a level, after the keeper; nothing if that takes too many
    /// states.
    fn solve(&mut self, engine: &mut E, level: usize) -> Result<Option<Vec<Bound>>, E::Error> {
        let players = engine.players();
        if self.moves.len() <= level {
            self.moves.push(Moves::new());
            self.bounds.push(Vec::new());
            self.orders.push(Vec::new());
            self.states.push(self.states[level].clone());
        }
        let key = engine.position_key(&self.states[level]);
        if let Some(known) = self.remembered(key, players) {
            return Ok(Some(known));
        }
        engine.list(&mut self.states[level], &mut self.moves[level])?;
        let count = self.moves[level].len();
        if count == 0 {
            return Ok(Some(ended(engine, &self.states[level])));
        }
        let chooser = engine.player(&self.states[level]) - 1;
        let highest = engine.score_bound(chooser + 1);
        self.bounds[level].clear();
        self.order(level, count, chooser);
        // What ends the game comes first: it takes no search.
        for ends in [true, false] {
            for i in 0..count {
                let (_, number, place) = self.orders[level][i];
                let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
                self.left = left;
                let (above, below) = self.states.split_at_mut(level + 1);
                below[0].clone_from(&above[level]);
                engine.apply(&mut below[0], self.moves[level].get(number as usize));
                let goes_on = engine.run_keeper(&mut below[0])?;
                let child = match goes_on {
                    _ if goes_on == ends => continue,
                    true => self.solve(engine, level + 1)?,
                    false => Some(ended(engine, &self.states[level + 1])),
                };
                let Some(child) = child else { return Ok(None) };
                if child[chooser].low == highest {
                    self.history[place as usize] += 1;
                    // What others have behind moves that he may prefer is not known.
                    let most = |player| Bound { low: 0, high: engine.score_bound(player) };
                    let mut bounds: Vec<Bound> = (1..=players).map(most).collect();
                    bounds[chooser] = child[chooser];
                    return Ok(Some(self.found(key, bounds)));
                }
                self.bounds[level].extend(child);
            }
        }
        let mut bounds = vec![Bound { low: 0, high: 0 }; players];
        combine(self.bounds[level].chunks_exact(players), chooser, &mut bounds);
        Ok(Some(self.found(key, bounds)))
    }
}

impl<E: Engine> Endgame<E> {
    /// Remembers the bounds of a position, with what the rules say about them.
    fn found(&mut self, key: u64, mut bounds: Vec<Bound>) -> Vec<Bound> {
        self.outcomes.narrow(&mut bounds);
        self.remember(key, &bounds);
        bounds
    }

    /// Puts the moves of a level in order: those first that were sure to be best most often.
    fn order(&mut self, level: usize, count: usize, chooser: usize) {
        let order = &mut self.orders[level];
        order.clear();
        for number in 0..count as u32 {
            let key = submove_key(NODAL ^ chooser as u64, self.moves[level].get(number as usize));
            let place = (key >> 32) & (HISTORY as u64 - 1);
            order.push((self.history[place as usize], number, place));
        }
        order.sort_unstable_by_key(|(count, number, _)| (std::cmp::Reverse(*count), *number));
    }
}

/// The scores of a state in which the game is over.
fn ended<E: Engine>(engine: &E, state: &E::State) -> Vec<Bound> {
    (1..=engine.players()).map(|player| Bound::exact(engine.score(state, player))).collect()
}

/// The bounds of all players where one of them chooses among children.
pub(crate) fn combine<'b>(
    children: impl Iterator<Item = &'b [Bound]> + Clone,
    chooser: usize,
    bounds: &mut [Bound],
) {
    let best_low = children.clone().map(|child| child[chooser].low).max().unwrap_or(0);
    bounds.fill(Bound { low: u32::MAX, high: 0 });
    for child in children.filter(|child| child[chooser].high >= best_low) {
        bounds.iter_mut().zip(child).for_each(|(bound, of_child)| *bound = bound.or(*of_child));
    }
    bounds[chooser].low = best_low;
}
