//! Modifications of tree search in video games against their definitions: everything a search tries out is
//! written down, and every choice is judged again from the list of all values of all iterations.

mod toy;
mod watched;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use regulus_game::World;
use regulus_search::Limits;
use regulus_search::video::{
    Algorithm, Chosen, Config, Decision, Mcts, Modifications, Normalisation, Player, Score,
    Selection, Tree,
};
use toy::{Corridor, Step};
use watched::{History, Iteration, Tick, Watched, bounds, mean};

/// A node as it should be.
#[derive(Default)]
struct Node {
    /// The values of all iterations through it.
    values: Vec<f64>,
    /// Where the avatar was in the last of them.
    position: i32,
    /// If it was pruned: its children, the best first.
    order: Option<Vec<Step>>,
    /// Whether a macro-action from here has lost, so that its new edges are single steps.
    dangerous: bool,
    /// Whether the edge to it is a single step.
    single: bool,
}

/// The search as it should be.
struct Paper<'m> {
    mcts: &'m Mcts,
    /// By the actions that lead to a node.
    nodes: BTreeMap<Vec<Step>, Node>,
    /// Of all iterations of the tick.
    values: Vec<f64>,
    /// For every action the values of iterations, once for every time that it was played.
    actions: BTreeMap<Step, Vec<f64>>,
    /// Where the avatar was in the game, up to now.
    trail: Vec<i32>,
    /// Last good replies to one or two actions.
    replies: BTreeMap<Vec<Step>, Step>,
    /// How many choices there were that could have been wrong.
    choices: usize,
    /// How many macro-actions were taken out of the tree.
    fallbacks: usize,
}

/// Whether a position is one of those before the current one, and not the current one itself.
fn is_cancelled(trail: &[i32], reversal: Chosen, position: i32) -> bool {
    let (here, before) = trail.split_last().expect("the root");
    let mut last = before.iter().rev().take(reversal.number("positions") as usize);
    position != *here && last.any(|earlier| *earlier == position)
}

impl Paper<'_> {
    fn added(&self) -> &Modifications {
        &self.mcts.modifications
    }

    fn begin_tick(&mut self, position: i32) {
        self.nodes = BTreeMap::from([(Vec::new(), Node::default())]);
        self.values.clear();
        self.actions.clear();
        self.trail.push(position);
    }

    fn child(&self, path: &[Step], action: Step) -> Option<&Node> {
        self.nodes.get(&[path, &[action]].concat())
    }

    /// UCT or progressive bias, MixMax, and the penalty for going back.
    fn value(&self, path: &[Step], trail: &[i32], action: Step) -> f64 {
        let parent = &self.nodes[path].values;
        let (least, greatest) = match self.mcts.normalisation {
            Normalisation::Node => bounds(parent),
            _ => bounds(&self.values),
        };
        let scale = |value: f64| {
            if greatest > least { (value - least) / (greatest - least) } else { 0.5 }
        };
        let child = self.child(path, action).expect("a child");
        let q = self.added().mixmax;
        let x = scale(q * bounds(&child.values).1 + (1.0 - q) * mean(&child.values));
        let n = child.values.len() as f64;
        let confidence = ((parent.len() as f64).ln() / n).sqrt();
        let value = match self.mcts.selection {
            Selection::Uct { c } => x + c * confidence,
            Selection::Registered(chosen) => {
                assert_eq!(chosen.name, "progressive_bias");
                let (c, w) = (chosen.number("c"), chosen.number("w"));
                let h = scale(mean(&self.actions[&action])).clamp(0.0, 1.0);
                x + c * confidence + w * h / (n + 1.0)
            }
            _ => unreachable!("not in these tests"),
        };
        let reversal = self.added().reversal;
        if reversal.name == "forbidden" {
            return if is_cancelled(trail, reversal, child.position) { -1.0 } else { value };
        }
        let (count, factor) = (reversal.number("positions"), reversal.number("factor"));
        let mut last = trail.iter().rev().take(count as usize);
        if last.any(|position| *position == child.position) { value * factor } else { value }
    }

    /// Whether a node with tried and untried actions is expanded; nothing if it is too close to call.
    fn expands(&self, path: &[Step], trail: &[i32], tried: &[Step]) -> Option<bool> {
        let visits = self.nodes[path].values.len() as f64;
        let said = |key| self.added().urgency.number(key);
        let urgency = match self.added().urgency.name {
            "none" if self.added().widening.name == "widening" => {
                // t_0 = 0, t_(k+1) = t_k + A B^k: the k-th is added at t_(k-1).
                let [a, b] = ["a", "b"].map(|key| self.added().widening.number(key));
                let t: f64 = (0..tried.len() as i32).map(|k| a * b.powi(k)).sum();
                return Some(visits >= t);
            }
            "none" => return Some(true),
            "first_play" => said("value"),
            _ => said("k") + said("c") * (2.0 * visits.ln() / (1.0 + tried.len() as f64)).sqrt(),
        };
        let best = bounds(&self.judged(path, trail, tried)).1;
        ((urgency - best).abs() > 1e-7).then_some(urgency > best)
    }

    fn judged(&self, path: &[Step], trail: &[i32], actions: &[Step]) -> Vec<f64> {
        actions.iter().map(|action| self.value(path, trail, *action)).collect()
    }

    /// Those children of a node with all actions tried that are not pruned.
    fn considered(&mut self, path: &[Step], tried: Vec<Step>) -> Vec<Step> {
        if self.added().widening.name != "unpruning" {
            return tried;
        }
        let [threshold, k_init, a, b] =
            ["threshold", "k_init", "a", "b"].map(|key| self.added().widening.number(key));
        let visits = self.nodes[path].values.len() as f64;
        if visits < threshold {
            return tried;
        }
        if self.nodes[path].order.is_none() {
            let mut order: Vec<Step> = [Step::Stay, Step::Left, Step::Right, Step::Use]
                .into_iter()
                .filter(|action| self.child(path, *action).is_some())
                .collect();
            order.sort_by(|x, y| {
                let [x, y] = [x, y].map(|action| &self.child(path, *action).expect("one").values);
                mean(y).total_cmp(&mean(x)).then(y.len().cmp(&x.len()))
            });
            self.nodes.get_mut(path).expect("a node").order = Some(order);
        }
        let order = self.nodes[path].order.as_ref().expect("an order");
        // Only those that are possible now count; who came later than the order is not pruned.
        let ranked: Vec<Step> = order.iter().copied().filter(|a| tried.contains(a)).collect();
        let is_back = |action: &Step| {
            let rank = ranked.iter().position(|a| a == action).map(|index| index as f64 + 1.0);
            rank.is_none_or(|k| k <= k_init || visits > a * b.powi((k - k_init) as i32))
        };
        tried.iter().copied().filter(is_back).collect()
    }

    /// The last good reply.
    fn reply(&self, played: &[Step], possible: &[Step]) -> Option<Step> {
        let longest = match self.added().replies.name {
            "lgr1" => 1,
            "lgr2" => 2,
            _ => 0,
        };
        (1..=longest.min(played.len())).rev().find_map(|length| {
            let reply = *self.replies.get(&played[played.len() - length..])?;
            possible.contains(&reply).then_some(reply)
        })
    }

    /// Checks what was done in a node of the tree. Says whether that was an expansion.
    fn check_choice(&mut self, path: &[Step], played: &[Step], trail: &[i32], tick: &Tick) -> bool {
        let Tick { available, action, .. } = tick;
        let (tried, untried): (Vec<Step>, Vec<Step>) =
            available.iter().partition(|action| self.child(path, **action).is_some());
        if path.is_empty() && !self.added().allocation.is_none() {
            return untried.contains(action);
        }
        let expands = if tried.is_empty() || untried.is_empty() {
            tried.is_empty()
        } else {
            self.choices += 1;
            self.expands(path, trail, &tried).unwrap_or(untried.contains(action))
        };
        if expands {
            assert!(untried.contains(action), "{path:?}: {action:?} instead of expansion");
            if self.added().replies.flag("expansion")
                && let Some(reply) = self.reply(played, &untried)
            {
                assert_eq!(*action, reply, "expansion");
                self.choices += 1;
            }
            return true;
        }
        let candidates = if untried.is_empty() { self.considered(path, tried) } else { tried };
        assert!(candidates.contains(action), "{path:?}: {action:?} is none of {candidates:?}");
        let values = self.judged(path, trail, &candidates);
        let chosen = self.value(path, trail, *action);
        assert!(chosen >= bounds(&values).1 - 1e-7, "{candidates:?} {values:?}: {action:?}");
        self.choices += 1;
        false
    }

    /// Checks an iteration and adds it.
    fn add(&mut self, iteration: &Iteration) {
        let history = &iteration.history;
        let depth = self.mcts.depth as usize;
        assert!(history.len() == depth || iteration.won.is_some(), "stopped too early");
        let played: Vec<Step> = history.iter().map(|tick| tick.action).collect();
        let mut trail = self.trail.clone();
        let mut path = Vec::new();
        let mut visited = vec![(path.clone(), trail[trail.len() - 1])];
        let mut at = 0;
        let mut expanded = false;
        while at < history.len() && !expanded {
            let action = played[at];
            expanded = self.check_choice(&path, &played[..at], &trail, &history[at]);
            let child = self.child(&path, action);
            let single = child.map_or(self.nodes[&path].dangerous, |child| child.single);
            let length = if single { 1 } else { self.added().macro_length as usize };
            let mut ticks = 1;
            while ticks < length
                && history.get(at + ticks).is_some_and(|tick| tick.available.contains(&action))
            {
                assert_eq!(played[at + ticks], action, "an edge is a series of identical actions");
                ticks += 1;
            }
            at += ticks;
            let lost = at == history.len() && iteration.won == Some(false);
            if lost && ticks > 1 && self.added().macro_fallback {
                self.nodes.get_mut(&path).expect("a node").dangerous = true;
                path.push(action);
                self.nodes.retain(|node, _| !node.starts_with(&path));
                self.fallbacks += 1;
                break;
            }
            path.push(action);
            self.nodes.entry(path.clone()).or_insert(Node { single, ..Node::default() });
            trail.push(history[at - 1].position);
            visited.push((path.clone(), history[at - 1].position));
        }
        for (at, tick) in history.iter().enumerate().skip(at) {
            if self.added().replies.flag("playout")
                && let Some(reply) = self.reply(&played[..at], &tick.available)
            {
                assert_eq!(tick.action, reply, "play-out");
                self.choices += 1;
            }
        }
        self.learn(&played, iteration.value(&self.mcts.score), visited);
    }

    fn learn(&mut self, played: &[Step], value: f64, visited: Vec<(Vec<Step>, i32)>) {
        if !self.values.is_empty() {
            let good = value * self.values.len() as f64 > self.values.iter().sum();
            for sequence in (2..=3).flat_map(|length| played.windows(length)) {
                let (reply, before) = sequence.split_last().expect("two or three");
                if good {
                    self.replies.insert(before.to_vec(), *reply);
                } else if self.added().replies.flag("forgetting")
                    && self.replies.get(before) == Some(reply)
                {
                    self.replies.remove(before);
                }
            }
        }
        for (path, position) in visited {
            let node = self.nodes.entry(path).or_default();
            node.values.push(value);
            node.position = position;
        }
        for action in played {
            self.actions.entry(*action).or_default().push(value);
        }
        self.values.push(value);
    }
}

/// Rounds of halving, from the actions of the root in all iterations: in each, all that are left have equally
/// many iterations, and no action is left out that was better than one that was not.
fn check_halving(anytime: bool, all: &[Step], log: &[(Step, f64)], decision: &Decision<Step>) {
    let rounds = (all.len() as f64).log2().ceil() as usize;
    let (mut at, mut round) = (0, 0);
    let mut left: BTreeSet<Step> = all.iter().copied().collect();
    let mut halvings = 0;
    let mean_of = |action: &Step, log: &[(Step, f64)]| {
        let values: Vec<f64> = log.iter().filter(|(a, _)| a == action).map(|(_, v)| *v).collect();
        mean(&values)
    };
    while left.len() > 1 {
        let quota = if anytime { 1 << round } else { log.len() / (left.len() * rounds) };
        let end = at + quota * left.len();
        if end > log.len() {
            break;
        }
        for action in &left {
            let count = log[at..end].iter().filter(|(played, _)| played == action).count();
            assert_eq!(count, quota, "{action:?} in round {round}");
        }
        at = end;
        round += 1;
        let half = left.len().div_ceil(2);
        if anytime && half == 1 {
            round = 0;
            left = all.iter().copied().collect();
            continue;
        }
        // Whoever is left plays next.
        let next: BTreeSet<Step> = log[at..].iter().take(half).map(|(action, _)| *action).collect();
        if next.len() < half {
            break;
        }
        for out in left.difference(&next) {
            let worst = next.iter().map(|action| mean_of(action, &log[..at]));
            let worst = worst.fold(f64::INFINITY, f64::min);
            assert!(mean_of(out, &log[..at]) <= worst + 1e-9, "{out:?} was left out");
        }
        halvings += 1;
        left = next;
    }
    assert!(halvings > 0 || all.len() == 2, "nothing was halved");
    if !anytime {
        let best = left.iter().map(|action| mean_of(action, log)).fold(f64::NEG_INFINITY, f64::max);
        assert!(left.contains(&decision.action), "{left:?}");
        assert!(mean_of(&decision.action, log) >= best - 1e-9);
    }
}

/// Two ticks of a game; in a closed loop only one, for states of the first are used again in the second. Gives
/// how many choices there were that could have been wrong.
fn check(mcts: &Mcts, slips: u64, seed: u64) -> usize {
    const ITERATIONS: u64 = 200;
    let log: Arc<Mutex<Vec<Iteration>>> = Arc::default();
    let corridor = Corridor::new(5, 9, 30, slips, seed);
    let mut world = Watched { corridor, history: History::new(), log: Arc::clone(&log) };
    let config = Config { algorithm: Algorithm::Mcts(Box::new(mcts.clone())), seed };
    let mut player = Player::new(&config).unwrap_or_else(|e| panic!("{e}"));
    let limits = Limits::simulations(ITERATIONS);
    let ticks = if mcts.tree == Tree::Open { 2 } else { 1 };
    let mut decisions = Vec::new();
    for _ in 0..ticks {
        let (position, all) = (world.corridor.position, world.actions().to_vec());
        decisions.push((player.act(&world, &limits), position, all));
        world.corridor.advance(Step::Use);
    }
    // The last iteration is written down when its state is used again.
    player.act(&world, &Limits::simulations(1));
    let log = log.lock().expect("one thread");
    let mut paper = Paper {
        mcts,
        nodes: BTreeMap::new(),
        values: Vec::new(),
        actions: BTreeMap::new(),
        trail: Vec::new(),
        replies: BTreeMap::new(),
        choices: 0,
        fallbacks: 0,
    };
    for ((decision, position, all), tick) in decisions.iter().zip(log.chunks(ITERATIONS as usize)) {
        paper.begin_tick(*position);
        tick.iter().for_each(|iteration| paper.add(iteration));
        for known in &decision.known {
            let values = &paper.child(&[], known.action).expect("a child").values;
            assert_eq!(known.visits as usize, values.len());
            assert!((known.mean - mean(values)).abs() <= 1e-9 * known.mean.abs().max(1.0));
        }
        let reversal = mcts.modifications.reversal;
        if reversal.name == "forbidden" {
            let goes_back = |action| {
                let child = paper.child(&[], action).expect("a child");
                is_cancelled(&paper.trail, reversal, child.position)
            };
            let all_do = decision.known.iter().all(|known| goes_back(known.action));
            assert!(all_do || !goes_back(decision.action), "it was forbidden");
        }
        let allocation = &mcts.modifications.allocation;
        if !allocation.is_none() {
            let first =
                |iteration: &Iteration| (iteration.history[0].action, iteration.value(&mcts.score));
            let log: Vec<(Step, f64)> = tick.iter().map(first).collect();
            check_halving(allocation.name == "anytime_halving", all, &log, decision);
        }
    }
    // The pit is five steps away: who makes five at a time has lost.
    let added = &mcts.modifications;
    let falls_back = added.macro_fallback && added.macro_length == 5 && slips == 0;
    assert!(!falls_back || paper.fallbacks > 0, "no macro-action has lost: {mcts:?}");
    paper.choices
}

/// Checks a modification, alone and with others, and that there were choices to check.
fn check_all(change: impl Fn(&mut Modifications)) {
    let reversal = Chosen::new("last_positions", &[("positions", 4.0), ("factor", 0.9)]);
    let others = [
        Modifications::NONE,
        Modifications { mixmax: 0.3, ..Modifications::NONE },
        Modifications { macro_length: 2, reversal, ..Modifications::NONE },
    ];
    let biased = Chosen::new("progressive_bias", &[("c", 0.6), ("w", 2.0)]);
    let selections = [Selection::Uct { c: 0.6 }, Selection::Registered(biased)];
    for mut modifications in others {
        change(&mut modifications);
        for selection in selections {
            for (tree, normalisation) in
                [(Tree::Open, Normalisation::Tick), (Tree::Closed, Normalisation::Node)]
            {
                let score = Score::Gvgai { bonus: 100.0, depth: 0.5 };
                let mcts =
                    Mcts { tree, selection, normalisation, score, modifications, ..Mcts::thesis() };
                for (slips, seed) in [(20, 1), (0, 2)] {
                    let choices = check(&mcts, slips, seed);
                    assert!(choices > 200, "{choices}: {mcts:?}");
                }
            }
        }
    }
}

#[test]
fn progressive_bias_mixmax_reversal_and_macro_actions() {
    check_all(|_| {});
    check_all(|added| added.mixmax = 1.0);
    check_all(|added| added.macro_length = 4);
    check_all(|added| {
        added.reversal = Chosen::new("last_positions", &[("positions", 1.0), ("factor", 0.5)])
    });
}

#[test]
fn macro_actions_that_fall_back() {
    for length in [2, 3, 5] {
        check_all(|added| (added.macro_length, added.macro_fallback) = (length, true));
    }
}

#[test]
fn reversals_that_are_forbidden() {
    for positions in [1.0, 2.0] {
        check_all(|added| added.reversal = Chosen::new("forbidden", &[("positions", positions)]));
    }
}

#[test]
fn partial_expansion_and_first_play_urgency() {
    for (k, c) in [(0.5, 0.4), (0.2, 0.1), (0.9, 1.0)] {
        check_all(|added| added.urgency = Chosen::new("partial_expansion", &[("k", k), ("c", c)]));
    }
    for value in [0.4, 0.8, 1.1] {
        check_all(|added| added.urgency = Chosen::new("first_play", &[("value", value)]));
    }
}

#[test]
fn unpruning_and_widening() {
    for (threshold, k_init, a, b) in [(10.0, 1.0, 12.0, 1.5), (4.0, 2.0, 50.0, 1.3)] {
        let values = [("threshold", threshold), ("k_init", k_init), ("a", a), ("b", b)];
        check_all(|added| added.widening = Chosen::new("unpruning", &values));
    }
    for (a, b) in [(3.0, 1.4), (20.0, 1.0)] {
        let values = [("a", a), ("b", b)];
        check_all(|added| added.widening = Chosen::new("widening", &values));
    }
}

#[test]
fn last_good_replies() {
    for name in ["lgr1", "lgr2"] {
        for (forgetting, playout, expansion) in [(1.0, 1.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 1.0)]
        {
            let values =
                [("forgetting", forgetting), ("playout", playout), ("expansion", expansion)];
            check_all(|added| added.replies = Chosen::new(name, &values));
        }
    }
}

#[test]
fn halving_at_the_root() {
    for name in ["sequential_halving", "anytime_halving"] {
        check_all(|added| added.allocation = Chosen::new(name, &[]));
    }
}
