//! The pseudocode of SLIDES with maps, copies of states and recursion. With split moves S has semimoves, and a board may
//! be in the middle of a move.

use std::collections::BTreeMap;

use regulus_game::{Engine, Moves, Random, Step};
use regulus_search::action::{NODAL, extended, submove_key};
use regulus_search::config::{Config, SimulationDesign};

/// t.
#[derive(Clone)]
pub struct Entry {
    pub budget_node: u64,
    /// Playouts of every move, and the scores of the player who makes it; nothing if it is a semimove that leads to no
    /// move.
    pub moves: Vec<Option<(u64, f64)>>,
    /// What was returned last.
    best: usize,
}

impl Entry {
    fn playouts(&self, m: usize) -> u64 {
        self.moves[m].expect("it leads to a move").0
    }

    fn mean(&self, m: usize) -> f64 {
        match self.moves[m] {
            None | Some((0, _)) => f64::NEG_INFINITY,
            Some((playouts, wins)) => wins / playouts as f64,
        }
    }

    fn update(&mut self, m: usize, playouts: u64, wins: f64) {
        let known = self.moves[m].as_mut().expect("it leads to a move");
        *known = (known.0 + playouts, known.1 + wins);
    }
}

/// What an entry is for. In the middle of a move, what was done since its beginning makes a difference.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    hash: u64,
    pub is_nodal: bool,
    /// The modifiers of the move that was begun.
    pub begun: Vec<Step>,
}

impl Name {
    /// By which the search finds the entry.
    pub fn key(&self) -> u64 {
        match self.is_nodal {
            true => self.hash,
            false => {
                extended(self.hash ^ submove_key(NODAL, &self.begun), Step { action: 0, vertex: 0 })
            }
        }
    }
}

#[derive(Clone)]
pub struct Board<S> {
    state: S,
    /// False if the keeper is stuck.
    alive: bool,
    is_nodal: bool,
    begun: Vec<Step>,
}

/// budgetUsed, playouts, wins.
#[derive(Clone)]
pub struct Results {
    pub used: u64,
    playouts: u64,
    /// Of every player.
    wins: Vec<f64>,
}

impl Results {
    fn add(&mut self, more: &Results) {
        self.used += more.used;
        self.playouts += more.playouts;
        self.wins.iter_mut().zip(&more.wins).for_each(|(sum, more)| *sum += more);
    }
}

pub struct Paper<E: Engine> {
    engine: E,
    config: Config,
    random: Random,
    pub table: BTreeMap<Name, Entry>,
    /// The boards that the board at hand comes from.
    way: Vec<Name>,
    /// How often the way has come back to one of them, in the middle of a move and elsewhere.
    pub returns: [u64; 2],
}

fn modifiers(steps: &[Step]) -> Vec<Step> {
    steps.iter().copied().filter(|step| step.is_modifier()).collect()
}

impl<E: Engine> Paper<E> {
    pub fn new(engine: E, config: Config) -> Self {
        let random = Random::new(config.seed);
        Paper { engine, config, random, table: BTreeMap::new(), way: Vec::new(), returns: [0; 2] }
    }

    /// The board of a position.
    pub fn board(&mut self, position: &E::State) -> Board<E::State> {
        let mut state = position.clone();
        let alive = self.engine.run_keeper(&mut state).expect("runs");
        Board { state, alive, is_nodal: true, begun: Vec::new() }
    }

    fn name(&self, board: &Board<E::State>) -> Name {
        let hash = self.engine.hash(&board.state);
        Name { hash, is_nodal: board.is_nodal, begun: board.begun.clone() }
    }

    fn splits(&self) -> bool {
        !self.config.tree.is_orthodox()
    }

    /// Moves, or semimoves.
    fn possible(&mut self, board: &Board<E::State>) -> Vec<Vec<Step>> {
        if !board.alive {
            return Vec::new();
        }
        if self.splits() {
            return self.semimoves(&board.state).into_iter().map(|step| vec![step]).collect();
        }
        let mut moves = Moves::new();
        self.engine.list(&mut board.state.clone(), &mut moves).expect("runs");
        moves.iter().map(<[Step]>::to_vec).collect()
    }

    fn semimoves(&mut self, state: &E::State) -> Vec<Step> {
        let mut semimoves = Vec::new();
        self.engine.semimoves(&mut state.clone(), &mut semimoves).expect("runs");
        semimoves
    }

    /// play (board, m); nothing if that is impossible.
    fn play(&mut self, board: &Board<E::State>, steps: &[Step]) -> Option<Board<E::State>> {
        let mut next = board.clone();
        for step in steps {
            let undo = self.engine.apply_step(&mut next.state, *step)?;
            self.engine.commit(undo);
        }
        next.begun.extend(modifiers(steps));
        next.is_nodal = self.engine.is_nodal(&next.state);
        Some(if next.is_nodal { self.board(&next.state) } else { next })
    }

    /// The rest of a move, semimove by semimove at random (THESIS, Algorithm 1); nothing if there is none. `passed` has
    /// the split points since the last modifier: coming to one again leads to nothing new.
    fn complete(&mut self, board: &Board<E::State>, passed: &mut Vec<Step>) -> Option<Vec<Step>> {
        let mut semimoves = self.semimoves(&board.state);
        while !semimoves.is_empty() {
            let number = match semimoves.len() {
                1 => 0,
                count => self.random.below(count as u64) as usize,
            };
            let step = semimoves.swap_remove(number);
            if !step.is_modifier() {
                if passed.contains(&step) {
                    continue;
                }
                passed.push(step);
            }
            let Some(next) = self.play(board, &[step]) else { continue };
            let rest = match (next.is_nodal, step.is_modifier()) {
                (true, _) => Some(Vec::new()),
                (false, true) => self.complete(&next, &mut Vec::new()),
                (false, false) => self.complete(&next, passed),
            };
            if let Some(rest) = rest {
                return Some(std::iter::once(step).chain(rest).collect());
            }
        }
        None
    }

    fn nothing(&self) -> Results {
        Results { used: 0, playouts: 0, wins: vec![0.0; self.engine.players() + 1] }
    }

    /// The results of `playouts` playouts that end in a state.
    fn ended(&self, state: &E::State, used: u64, playouts: u64) -> Results {
        let score = |player| f64::from(self.engine.score(state, player)) * playouts as f64;
        let wins = std::iter::once(0.0).chain((1..=self.engine.players()).map(score)).collect();
        Results { used, playouts, wins }
    }

    /// If board is terminal: the budget's playouts, without playing. In the middle of a move: it leads to none.
    fn terminal(&self, board: &Board<E::State>, budget: u64) -> Option<Results> {
        board.is_nodal.then(|| self.ended(&board.state, 0, budget))
    }

    /// A playout, and how many moves it has; nothing if the move that was begun leads to none.
    fn playout(&mut self, board: &Board<E::State>) -> Option<(Results, u64)> {
        let (mut board, mut moves) = (board.clone(), 0);
        if !board.is_nodal {
            let rest = self.complete(&board, &mut Vec::new())?;
            board = self.play(&board, &rest).expect("it was found");
            moves += 1;
        }
        if board.alive {
            let split = self.config.simulation == SimulationDesign::Semisplit;
            let (engine, random) = (&mut self.engine, &mut self.random);
            moves += engine.playout(&mut board.state, split, random).expect("runs");
        }
        Some((self.ended(&board.state, 1, 1), moves))
    }

    fn playouts(&mut self, board: &Board<E::State>, budget: u64) -> Option<Results> {
        let mut out = self.nothing();
        for _ in 0..budget {
            let (result, moves) = self.playout(board)?;
            if moves == 0 {
                return self.terminal(board, budget);
            }
            out.add(&result);
        }
        Some(out)
    }

    fn t(&mut self, name: &Name) -> &mut Entry {
        self.table.get_mut(name).expect("it was made")
    }

    /// SHOT (play (board, m), budget, ...), and "update t". False if m leads to no move.
    fn shot_below(
        &mut self,
        board: &Board<E::State>,
        steps: &[Step],
        budget: u64,
        t: Option<(&Name, usize)>,
        out: &mut Results,
    ) -> bool {
        let player = self.engine.player(&board.state);
        self.way.push(self.name(board));
        let next = self.play(board, steps);
        let below = next.and_then(|next| self.shot(&next, budget));
        self.way.pop();
        match (&below, t) {
            (Some(below), Some((name, m))) => {
                self.t(name).update(m, below.playouts, below.wins[player]);
            }
            (None, Some((name, m))) => self.t(name).moves[m] = None,
            (_, None) => {}
        }
        below.map(|below| out.add(&below)).is_some()
    }

    /// SHOT (board, budget, budgetUsed, playouts, wins); nothing if the move that was begun leads to none.
    pub fn shot(&mut self, board: &Board<E::State>, budget: u64) -> Option<Results> {
        let (at_root, name) = (self.way.is_empty(), self.name(board));
        if !board.alive {
            return self.terminal(board, budget);
        }
        // Boards that were there before would never end.
        let returns = self.way.contains(&name);
        self.returns[usize::from(board.is_nodal)] += u64::from(returns);
        // If budget = 1; at the root a move is wanted. A board that turns out to be terminal is one.
        if returns || (budget == 1 && !at_root) {
            return self.playouts(board, budget);
        }
        let possible = self.possible(board);
        let mut out = self.nothing();
        match possible.as_slice() {
            [] => return self.terminal(board, budget),
            [only] if !self.splits() && !at_root => {
                self.shot_below(board, only, budget, None, &mut out);
                return Some(out);
            }
            _ => {}
        }
        let fresh = Entry { budget_node: 0, moves: vec![Some((0, 0.0)); possible.len()], best: 0 };
        let t = self.table.entry(name.clone()).or_insert(fresh);
        // Semimoves that lead to no move are left out. The pseudocode says nothing about the order of equals: any.
        let mut s: Vec<usize> = (0..possible.len()).filter(|m| t.moves[*m].is_some()).collect();
        for i in (1..s.len()).rev() {
            s.swap(i, self.random.below(i as u64 + 1) as usize);
        }
        if s.len() > 1 && t.budget_node <= s.len() as u64 {
            self.try_moves(board, &possible, budget, &mut s, &mut out);
        }
        if s.is_empty() {
            return self.terminal(board, budget);
        }
        if let ([only], true) = (s.as_slice(), out.used < budget) {
            let left = budget - out.used;
            if !self.shot_below(board, &possible[*only], left, Some((&name, *only)), &mut out) {
                return self.terminal(board, budget);
            }
        } else {
            self.halve(board, &possible, budget, &mut s, &mut out);
        }
        let t = self.t(&name);
        t.budget_node += out.used;
        t.best = s[0];
        if !board.is_nodal {
            // Few playouts are made in the middle of a move, and their mean says little.
            let more = |a: &usize, b: &usize| {
                t.playouts(*b).cmp(&t.playouts(*a)).then(t.mean(*b).total_cmp(&t.mean(*a)))
            };
            s.sort_by(more);
            t.best = s[0];
        }
        Some(out)
    }

    /// For move m in S with zero playouts.
    fn try_moves(
        &mut self,
        board: &Board<E::State>,
        possible: &[Vec<Step>],
        budget: u64,
        s: &mut Vec<usize>,
        out: &mut Results,
    ) {
        let (name, player) = (self.name(board), self.engine.player(&board.state));
        for m in s.clone() {
            if out.used == budget {
                break;
            }
            if self.t(&name).playouts(m) > 0 {
                continue;
            }
            let next = self.play(board, &possible[m]);
            match next.and_then(|next| self.playout(&next)) {
                Some((result, _)) => {
                    self.t(&name).update(m, 1, result.wins[player]);
                    out.add(&result);
                }
                None => {
                    self.t(&name).moves[m] = None;
                    s.retain(|other| *other != m);
                }
            }
        }
    }

    /// While |S| > 1. Where the budget ends in the middle of a round, S is not halved any more.
    fn halve(
        &mut self,
        board: &Board<E::State>,
        possible: &[Vec<Step>],
        budget: u64,
        s: &mut Vec<usize>,
        out: &mut Results,
    ) {
        let (at_root, name) = (self.way.is_empty(), self.name(board));
        let by_mean = |t: &Entry, s: &mut Vec<usize>| {
            s.sort_by(|a, b| t.mean(*b).total_cmp(&t.mean(*a)));
        };
        by_mean(self.t(&name), s);
        let log = (s.len() as f64).log2().ceil() as u64;
        let mut b = 0;
        while s.len() > 1 && out.used < budget {
            b += 1.max((self.t(&name).budget_node + budget) / (s.len() as u64 * log));
            let mut is_over = true;
            for (place, m) in s.clone().into_iter().enumerate() {
                if out.used >= budget {
                    is_over = false;
                    break;
                }
                let playouts = self.t(&name).playouts(m);
                if playouts >= b {
                    continue;
                }
                let left = (budget - out.used) as i64;
                let mut b1 = (b - playouts) as i64;
                if at_root && s.len() == 2 && place == 0 {
                    b1 = left - (b as i64 - self.t(&name).playouts(s[1]) as i64);
                }
                b1 = b1.min(left);
                if b1 > 0 {
                    let below = Some((&name, m));
                    let leads = self.shot_below(board, &possible[m], b1 as u64, below, out);
                    assert!(leads, "what was played out leads to a move");
                }
            }
            by_mean(self.t(&name), s);
            if is_over {
                s.truncate(s.len().div_ceil(2));
            }
        }
    }

    /// First move of S; with split moves then the first of the next board, and so on, and where nothing is known, at
    /// random.
    pub fn final_move(&mut self, root: &Board<E::State>) -> Option<Vec<Step>> {
        let (mut board, mut steps, mut seen) = (root.clone(), Vec::new(), Vec::new());
        loop {
            let name = self.name(&board);
            let next = self.table.get(&name).filter(|t| t.moves[t.best].is_some()).map(|t| t.best);
            seen.push(name);
            let next = next.and_then(|best| {
                let first = self.possible(&board)[best].clone();
                let next = self.play(&board, &first)?;
                (next.is_nodal || !seen.contains(&self.name(&next))).then_some((first, next))
            });
            let Some((first, next)) = next else { break };
            steps.extend(first);
            if next.is_nodal {
                return Some(modifiers(&steps));
            }
            board = next;
        }
        if steps.is_empty() {
            return None;
        }
        steps.extend(self.complete(&board, &mut Vec::new()).expect("it was played out"));
        Some(modifiers(&steps))
    }
}
