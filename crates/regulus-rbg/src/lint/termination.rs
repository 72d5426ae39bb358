//! Does anything bound the length of the game? A stop such as `->> {}`, a counter whose bound ends
//! the game, or a piece whose number strictly grows or shrinks with every turn.

use crate::arithmetic::Interval;
use crate::automaton::{Automaton, Edge, State};
use crate::board::Vertex;
use crate::code::Code;
use crate::declarations::Piece;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::flow::Flow;
use crate::game::Game;
use crate::rule::RuleKind;

/// Nodes of the product with the board up to which a measure is looked for (beyond, nothing is
/// reported).
const MAX_NODES: usize = 200_000;

/// Edges looked at before the search for a measure is given up (and nothing is reported).
const MAX_EDGES: usize = 100_000_000;

pub(super) fn check(
    game: &Game,
    automaton: &Automaton<'_>,
    flow: &Flow,
    diagnostics: &mut Diagnostics,
) {
    let reachable = || automaton.edges().iter().filter(|e| flow.at(e.from).is_some());
    let has_switch = reachable().any(Edge::is_switch);
    if !has_switch
        || has_stop(automaton, flow)
        || reachable().any(|e| may_fail(game, e))
        || has_measure(game, automaton, flow)
    {
        return;
    }
    diagnostics.push(
        Diagnostic::new(Code::NeverEnds, game.rules.place)
            .label("no stop, no counter, nothing that is used up")
            .help("add a turn counter: declare `turn(99)` and write `[$ turn = turn + 1]` once per turn"),
    );
}

/// A switch behind which no further switch can be reached ends the game.
fn has_stop(automaton: &Automaton<'_>, flow: &Flow) -> bool {
    let mut leads_to_switch = vec![false; automaton.len()];
    // States are numbered from left to right, so one backward sweep per level of stars settles
    // everything.
    loop {
        let mut changed = false;
        for edge in automaton.edges().iter().rev() {
            if flow.at(edge.from).is_none() || flow.at(edge.to).is_none() {
                continue;
            }
            let leads = edge.is_switch() || leads_to_switch[edge.to.index()];
            if leads && !leads_to_switch[edge.from.index()] {
                leads_to_switch[edge.from.index()] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    automaton
        .edges()
        .iter()
        .any(|e| e.is_switch() && flow.at(e.to).is_some() && !leads_to_switch[e.to.index()])
}

/// An assignment that can leave the bounds of its variable.
fn may_fail(game: &Game, edge: &Edge<'_>) -> bool {
    match edge.action.map(|a| &a.kind) {
        Some(RuleKind::Assignment(variable, value, _)) => {
            let bound = i128::from(game.declarations.bound(*variable));
            Interval::of(value, &game.declarations, game.board.len())
                .is_ok_and(|i| i.low < 0 || i.high > bound)
        }
        _ => false,
    }
}

/// True if the number of some piece strictly changes in one direction around every loop that
/// passes a switch. Loops are looked for in the automaton, and if that does not suffice in its
/// product with the board, where walking in one direction is no loop.
fn has_measure(game: &Game, automaton: &Automaton<'_>, flow: &Flow) -> bool {
    let mut edges_left = MAX_EDGES;
    let graph = Graph::of(automaton, flow);
    graph.has_measure(game, flow, &mut edges_left) || {
        let product = Graph::product(game, automaton, flow);
        product.is_none_or(|p| p.has_measure(game, flow, &mut edges_left))
    }
}

/// Nodes joined by edges of the automaton.
struct Graph<'a, 'r> {
    nodes: usize,
    edges: Vec<(u32, u32, &'a Edge<'r>)>,
}

impl<'a, 'r> Graph<'a, 'r> {
    fn of(automaton: &'a Automaton<'r>, flow: &Flow) -> Self {
        let reachable = automaton
            .edges()
            .iter()
            .filter(|e| flow.at(e.from).is_some() && flow.at(e.to).is_some());
        let edges = reachable.map(|e| (e.from.0, e.to.0, e)).collect();
        Graph { nodes: automaton.len(), edges }
    }

    /// Pairs of state and vertex; `None` if there are too many.
    fn product(game: &Game, automaton: &'a Automaton<'r>, flow: &Flow) -> Option<Self> {
        let row = game.board.len() as u32 + 1;
        let nodes = automaton.len().checked_mul(row as usize).filter(|n| *n <= MAX_NODES)?;
        let mut edges = Vec::new();
        for edge in automaton.edges() {
            let (Some(before), Some(after)) = (flow.at(edge.from), flow.at(edge.to)) else {
                continue;
            };
            for vertex in before.vertices.iter() {
                let next = match edge.action.map(|a| &a.kind) {
                    Some(RuleKind::Shift(label)) => game.board.next(vertex, *label),
                    _ => vertex,
                };
                if next.is_some() && after.vertices.contains(next) {
                    let node = |q: State, v: Vertex| q.0 * row + u32::from(v.0);
                    edges.push((node(edge.from, vertex), node(edge.to, next), edge));
                }
            }
        }
        Some(Graph { nodes, edges })
    }

    /// Also true when there are too many edges to tell.
    fn has_measure(&self, game: &Game, flow: &Flow, edges_left: &mut usize) -> bool {
        let pieces = (0..game.declarations.pieces().len()).map(|p| Piece(p as u8));
        pieces.into_iter().any(|piece| {
            [1, -1].into_iter().any(|direction| {
                self.every_loop_shrinks(edges_left, |edge| {
                    let Some(RuleKind::Off(new, _)) = edge.action.map(|a| &a.kind) else {
                        return 0;
                    };
                    let Some(old) = flow.at(edge.from).map(|f| f.pieces) else { return 0 };
                    let can_lose = old.contains(piece);
                    let must_lose = can_lose && old.len() == 1;
                    let gain = i64::from(*new == piece);
                    // The largest change of `direction * count` that this off can make.
                    if direction > 0 {
                        gain - i64::from(must_lose)
                    } else {
                        i64::from(can_lose) - gain
                    }
                })
            })
        })
    }

    /// True if every loop with a switch has a negative sum of `weight`: no loop of positive weight is
    /// found by Bellman and Ford's algorithm.
    fn every_loop_shrinks(
        &self,
        edges_left: &mut usize,
        weight: impl Fn(&Edge<'_>) -> i64,
    ) -> bool {
        // Scaled so that a loop of weight zero counts as growing exactly if it passes a switch.
        let switches = self.edges.iter().filter(|(_, _, e)| e.is_switch()).count() as i64;
        let weights: Vec<i64> = self
            .edges
            .iter()
            .map(|(_, _, e)| weight(e) * (switches + 1) + i64::from(e.is_switch()))
            .collect();
        let mut best = vec![0i64; self.nodes];
        let mut previous = vec![u32::MAX; self.nodes];
        for round in 0..=self.nodes {
            *edges_left = edges_left.saturating_sub(self.edges.len() + self.nodes / 16 + 1);
            if *edges_left == 0 {
                return true;
            }
            let mut changed = false;
            for ((from, to, _), weight) in self.edges.iter().zip(&weights) {
                let value = best[*from as usize] + weight;
                if value > best[*to as usize] {
                    best[*to as usize] = value;
                    previous[*to as usize] = *from;
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
            // A loop among the predecessors is a loop of positive weight.
            if round % 16 == 15 && has_loop(&previous) {
                return false;
            }
        }
        false
    }
}

/// True if following `previous` from some node leads round in a circle.
fn has_loop(previous: &[u32]) -> bool {
    let mut visited = vec![0u32; previous.len()];
    for start in 0..previous.len() {
        let mark = start as u32 + 1;
        let mut at = start;
        while visited[at] == 0 {
            visited[at] = mark;
            match previous[at] {
                u32::MAX => break,
                before => at = before as usize,
            }
        }
        if visited[at] == mark && previous[at] != u32::MAX {
            return true;
        }
    }
    false
}
