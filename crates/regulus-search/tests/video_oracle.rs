//! Tree search in video games against the equations: everything a search tries out is written down, and
//! every choice in its tree is judged again from the list of all values of all iterations.

mod toy;
mod watched;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use regulus_game::World;
use regulus_search::Limits;
use regulus_search::video::{
    Algorithm, Config, Decision, FinalChoice, Mcts, Normalisation, Player, Score, Selection, Tree,
};
use toy::{Corridor, Step};
use watched::{History, Iteration, Tick, Watched, bounds, mean};

/// The tree as it should be: for the numbers of actions that lead to a node, the values of all iterations
/// through it.
#[derive(Default)]
struct Paper {
    nodes: BTreeMap<Vec<usize>, Vec<f64>>,
    /// All values, in order.
    values: Vec<f64>,
    /// The values of earlier ticks of the game.
    earlier: Vec<f64>,
    /// For every action the values of iterations, once for every time that it was played.
    actions: BTreeMap<usize, Vec<f64>>,
}

impl Paper {
    fn child(&self, path: &[usize], action: Step) -> Option<&Vec<f64>> {
        let mut path = path.to_vec();
        path.push(Corridor::number(action));
        self.nodes.get(&path)
    }

    /// Equations 3.1 and 3.3 to 3.6, from values that are scaled one by one.
    fn value(&self, mcts: &Mcts, path: &[usize], action: Step) -> f64 {
        let parent = &self.nodes[path];
        let (least, greatest) = match mcts.normalisation {
            Normalisation::Node => bounds(parent),
            Normalisation::Tick => bounds(&self.values),
            Normalisation::Game => {
                let (a, b) = (bounds(&self.values), bounds(&self.earlier));
                (a.0.min(b.0), a.1.max(b.1))
            }
        };
        let scale = |value: &f64| {
            if greatest > least { (value - least) / (greatest - least) } else { 0.5 }
        };
        let child: Vec<f64> =
            self.child(path, action).expect("a child").iter().map(scale).collect();
        let (n, x) = (child.len() as f64, mean(&child));
        let logarithm = (parent.len() as f64).ln();
        let confidence = (logarithm / n).sqrt();
        let squares: f64 = child.iter().map(|x| x * x).sum();
        match mcts.selection {
            Selection::Uct { c } => x + c * confidence,
            Selection::AdaptiveC { c, global } => {
                let (low, high) = if global {
                    let all: Vec<f64> =
                        self.earlier.iter().chain(&self.values).map(scale).collect();
                    bounds(&all)
                } else {
                    bounds(&child)
                };
                x + c * (high - low) * confidence
            }
            Selection::Ucb1Tuned => {
                let spread = squares / n - x * x + (2.0 * logarithm / n).sqrt();
                x + (logarithm / n * spread.min(0.25)).sqrt()
            }
            Selection::ProgressiveHistory { c, w } => {
                let action = scale(&mean(&self.actions[&Corridor::number(action)]));
                let action = action.clamp(0.0, 1.0);
                x + c * confidence + action * w / (n - child.iter().sum::<f64>() + 1.0)
            }
            Selection::SinglePlayer { c, d } => {
                x + c * confidence + ((squares - n * x * x + d) / n).sqrt()
            }
            Selection::EpsilonGreedy { .. } => x,
            _ => unreachable!("not in this test"),
        }
    }

    /// Checks an iteration and adds it. Gives how many choices by value there were.
    fn add(&mut self, mcts: &Mcts, iteration: &Iteration) -> usize {
        let Iteration { history, won, .. } = iteration;
        assert!(history.len() == mcts.depth as usize || won.is_some(), "stopped too early");
        let waits = !matches!(mcts.selection, Selection::EpsilonGreedy { .. });
        let mut path = Vec::new();
        let mut visited = vec![path.clone()];
        let mut choices = 0;
        for Tick { available, action, .. } in history {
            let is_child = |action: &&Step| self.child(&path, **action).is_some();
            let tried: Vec<Step> = available.iter().filter(is_child).copied().collect();
            let expands = tried.is_empty() || (waits && tried.len() < available.len());
            if expands {
                assert!(!tried.contains(action), "expanded again");
            } else {
                let values: Vec<f64> =
                    tried.iter().map(|action| self.value(mcts, &path, *action)).collect();
                let chosen = self.value(mcts, &path, *action);
                assert!(chosen >= bounds(&values).1 - 1e-7, "{tried:?} {values:?}: {action:?}");
                choices += 1;
            }
            path.push(Corridor::number(*action));
            visited.push(path.clone());
            if expands {
                break;
            }
        }
        let value = iteration.value(&mcts.score);
        for node in visited {
            self.nodes.entry(node).or_default().push(value);
        }
        for Tick { action, .. } in history {
            self.actions.entry(Corridor::number(*action)).or_default().push(value);
        }
        self.values.push(value);
        choices
    }
}

/// Compares what the search says in the end with the values there were.
fn compare_end(paper: &Paper, mcts: &Mcts, decision: &Decision<Step>) {
    for known in &decision.known {
        let values = paper.child(&[], known.action).expect("a child");
        assert_eq!(known.visits as usize, values.len());
        assert!((known.mean - mean(values)).abs() <= 1e-9 * known.mean.abs().max(1.0));
    }
    let best = decision.known[0];
    assert_eq!(best.action, decision.action);
    assert!(decision.known.iter().all(|known| match mcts.final_choice {
        FinalChoice::Mean => best.mean >= known.mean,
        FinalChoice::MostVisited => best.visits >= known.visits,
    }));
}

/// Two ticks of a game; in a closed loop only one, for states of the first are used again in the second.
fn check(mcts: &Mcts, slips: u64, seed: u64, iterations: u64) -> usize {
    let log: Arc<Mutex<Vec<Iteration>>> = Arc::default();
    let corridor = Corridor::new(4, 8, 30, slips, seed);
    let mut world = Watched { corridor, history: History::new(), log: Arc::clone(&log) };
    let config = Config { algorithm: Algorithm::Mcts(Box::new(mcts.clone())), seed };
    let mut player = Player::new(&config).expect("valid");
    let limits = Limits::simulations(iterations);
    let ticks = if mcts.tree == Tree::Open { 2 } else { 1 };
    let mut decisions = Vec::new();
    for _ in 0..ticks {
        decisions.push(player.act(&world, &limits));
        world.corridor.advance(Step::Right);
    }
    // The last iteration is written down when its state is used again.
    player.act(&world, &Limits::simulations(1));
    let log = log.lock().expect("one thread");
    let mut choices = 0;
    let mut earlier = Vec::new();
    for (decision, tick) in decisions.iter().zip(log.chunks(iterations as usize)) {
        let mut paper = Paper { earlier, ..Paper::default() };
        paper.nodes.insert(Vec::new(), Vec::new());
        choices += tick.iter().map(|iteration| paper.add(mcts, iteration)).sum::<usize>();
        compare_end(&paper, mcts, decision);
        earlier = paper.earlier;
        earlier.append(&mut paper.values);
    }
    choices
}

#[test]
fn every_choice_in_the_tree_is_the_best_by_its_equation() {
    let selections = [
        Selection::Uct { c: 0.6 },
        Selection::AdaptiveC { c: 1.0, global: false },
        Selection::AdaptiveC { c: 0.7, global: true },
        Selection::Ucb1Tuned,
        Selection::ProgressiveHistory { c: 0.6, w: 2.0 },
        Selection::SinglePlayer { c: 0.3, d: 0.5 },
        Selection::EpsilonGreedy { epsilon: 0.0 },
    ];
    let mut choices = 0;
    for selection in selections {
        for normalisation in [Normalisation::Game, Normalisation::Tick, Normalisation::Node] {
            for (bonus, depth) in [(0.0, 0.0), (100.0, 0.5), (1e7, 0.0)] {
                for (tree, final_choice) in
                    [(Tree::Open, FinalChoice::MostVisited), (Tree::Closed, FinalChoice::Mean)]
                {
                    let mcts = Mcts {
                        tree,
                        selection,
                        normalisation,
                        final_choice,
                        score: Score::Gvgai { bonus, depth },
                        ..Mcts::thesis()
                    };
                    choices += check(&mcts, 20, 1, 300);
                    choices += check(&mcts, 0, 2, 300);
                }
            }
        }
    }
    assert!(choices > 200_000, "{choices}");
}
