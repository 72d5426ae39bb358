//! Where it does not matter which of several vertices the keeper takes: then code may take any (`keeper.rs`).

use regulus_rbg::declarations::PieceSet;
use regulus_rbg::rule::{ModifierIndex, Rule, RuleKind};
use rustc_hash::FxHashSet;

use super::flood::Flood;
use crate::native::analysis::Analysis;
use crate::native::analysis::guard::are_exclusive;
use crate::native::analysis::relation::is_static;
use crate::native::analysis::segments::{NodeId, Transition, TransitionId};
use crate::native::analysis::single::only_tests;
use crate::native::sets::line::parts_of;

/// Nodes that are looked at before it is taken to matter.
const MAX_NODES: usize = 200;

/// Where the position of the pointer shows, although the state is the same.
#[derive(Clone, Default, Debug)]
pub(crate) struct Remembered {
    /// Switches to players behind which semimoves depend on it.
    switches: FxHashSet<ModifierIndex>,
    /// True if nobody sees the moves of players, which say where they were made.
    moves_are_unseen: bool,
}

/// The switches behind which semimoves depend on where the pointer stands. Whole moves may not: a split point on
/// a way to everywhere tells the ways apart.
pub(crate) fn remembered(split: &Analysis) -> Remembered {
    let none = Remembered::default();
    let transitions = split.segments.nodes.iter().flatten();
    let switches = transitions.filter_map(|(transition, to)| match transition {
        Transition::Switch(player, number) if player.0 != 0 => Some((*number, *to)),
        _ => None,
    });
    let remembers = |to: NodeId| !forgets_pointer(split, to, true, &none);
    let switches = switches.filter(|(_, to)| remembers(*to)).map(|(number, _)| number).collect();
    Remembered { switches, moves_are_unseen: false }
}

impl Remembered {
    /// In games of which only the end is seen.
    pub(crate) fn where_moves_are_unseen() -> Remembered {
        Remembered { moves_are_unseen: true, ..Remembered::default() }
    }

    /// True if the position of the pointer shows behind a switch, though not in whole moves.
    pub(crate) fn contains(&self, switch: &ModifierIndex) -> bool {
        self.switches.contains(switch)
    }
}

/// True if everything that can follow from a node is the same wherever the pointer stands, as far as anybody
/// notices. `by_player` says whose move begins there.
pub(crate) fn forgets_pointer(
    analysis: &Analysis,
    node: NodeId,
    by_player: bool,
    remembered: &Remembered,
) -> bool {
    let seen = FxHashSet::default();
    Forgetting { analysis, remembered, seen, flooded: None, asks: false }.node(node, by_player)
}

/// The same behind a loop that floods a region, if the pointer is anywhere in it (or, if `flooded` is none, anywhere at
/// all); provided that where the keeper has a choice of vertices the whole move is left to the interpreter. Gives the
/// nodes where that has to be done.
pub(super) fn forgets_region(
    analysis: &Analysis,
    flood: &Flood,
    flooded: Option<&Flood>,
    remembered: &Remembered,
) -> Option<Vec<NodeId>> {
    let seen = FxHashSet::default();
    let mut forgetting = Forgetting { analysis, remembered, seen, flooded, asks: true };
    let id = flood.exit();
    // No round is possible, wherever the pointer is.
    let forgets = match &analysis.segments[id] {
        (Transition::Pure(rules), to) => forgetting.rules(&rules[1..], *to, false),
        (_, to) => forgetting.exit(*to),
    };
    forgets.then(|| forgetting.seen.into_iter().map(|(node, _)| node).collect())
}

/// Follows walks until they have forgotten where they were. Going round without having asked does no harm.
struct Forgetting<'a> {
    analysis: &'a Analysis,
    remembered: &'a Remembered,
    seen: FxHashSet<(NodeId, bool)>,
    /// The flood behind which the pointer is anywhere in a region.
    flooded: Option<&'a Flood>,
    /// True if the keeper leaves a choice of several vertices to the interpreter, who makes the whole move.
    asks: bool,
}

impl Forgetting<'_> {
    /// From a node on the way out of a loop to its first test, which is known.
    fn exit(&mut self, node: NodeId) -> bool {
        match &self.analysis.segments[node] {
            [(Transition::Empty, to)] => self.exit(*to),
            [(Transition::Pure(rules), to)] => self.rules(&rules[1..], *to, false),
            _ => false,
        }
    }

    fn rules(&mut self, rules: &[Rule], to: NodeId, by_player: bool) -> bool {
        match jumps(self.analysis, rules, self.flooded) {
            Jump::Stays if by_player && self.remembered.moves_are_unseen => self.player_stays(to),
            Jump::Stays => self.node(to, by_player),
            Jump::Away => by_player || self.asks,
            Jump::Unknown => false,
        }
    }

    /// Behind something that a player does where the pointer stands. A walk that has left that place must not meet one
    /// that has not: whether both make the same move depends on it.
    fn player_stays(&mut self, to: NodeId) -> bool {
        let unseen = self.remembered.moves_are_unseen && self.analysis.incoming[to] <= 1;
        unseen && self.node(to, true)
    }

    fn node(&mut self, node: NodeId, by_player: bool) -> bool {
        if !self.seen.insert((node, by_player)) {
            return true;
        }
        if self.seen.len() > MAX_NODES {
            return false;
        }
        let transitions = &self.analysis.segments[node];
        transitions.iter().enumerate().all(|(i, (transition, to))| match transition {
            // The keeper takes the first of several vertices, and which one that is depends on where he
            // begins; unless he takes all of them.
            _ if !by_player && takes_all(self.analysis, node.transition(i)) => true,
            _ if !by_player && Flood::fills_all(self.analysis, node.transition(i)) => true,
            Transition::Empty => self.node(*to, by_player),
            // A player's move says where it was made.
            Transition::Assign(..) if by_player => self.player_stays(*to),
            Transition::Switch(..) if by_player && !self.remembered.moves_are_unseen => false,
            Transition::Assign(..) => self.node(*to, false),
            Transition::Switch(_, number) if self.remembered.contains(number) => false,
            // A new move: what was asked before is done.
            Transition::Switch(player, _) if self.asks => {
                forgets_pointer(self.analysis, *to, player.0 != 0, self.remembered)
            }
            Transition::Switch(player, _) => self.node(*to, player.0 != 0),
            Transition::Pure(rules) => self.rules(rules, *to, by_player),
            Transition::Off(..) | Transition::Check { .. } | Transition::Dot(_) => false,
        })
    }
}

/// What becomes of the vertex at which rules begin.
enum Jump {
    /// They lead to the same vertices from everywhere.
    Away,
    /// They do not ask for it.
    Stays,
    /// They may depend on it.
    Unknown,
}

fn jumps(analysis: &Analysis, rules: &[Rule], flooded: Option<&Flood>) -> Jump {
    for (i, rule) in rules.iter().enumerate() {
        match &rule.kind {
            RuleKind::Comparison(..) => continue,
            RuleKind::Condition { body, .. } => {
                if matches!(jumps(analysis, parts_of(body), flooded), Jump::Unknown) {
                    return Jump::Unknown;
                }
            }
            RuleKind::Concatenation(parts) if !is_static(rule) => {
                match jumps(analysis, parts, flooded) {
                    Jump::Stays => {}
                    jump => return jump,
                }
            }
            RuleKind::Sum(parts) if parts.iter().all(only_tests) => {
                let mut alternatives =
                    parts.iter().map(|part| jumps(analysis, parts_of(part), flooded));
                if alternatives.any(|jump| matches!(jump, Jump::Unknown)) {
                    return Jump::Unknown;
                }
            }
            _ if flooded.is_some_and(|flood| flood.spreads_over(analysis, rule)) => {
                return Jump::Away;
            }
            _ if constant_prefix(analysis, &rules[i..]) > 0 => return Jump::Away,
            _ => return Jump::Unknown,
        }
    }
    Jump::Stays
}

/// How many rules lead from every vertex to the same vertices; 0 if no number does.
pub(super) fn constant_prefix(analysis: &Analysis, rules: &[Rule]) -> usize {
    let run = rules.iter().take_while(|rule| is_static(rule)).count();
    let is_constant = |len: &usize| analysis.relation(&rules[..*len]).constant.is_some();
    (1..=run).find(is_constant).unwrap_or(0)
}

/// True if taking a transition of a node again and again comes to the same end in whatever order vertices are taken.
///
/// The transition goes from anywhere to the vertices with some pieces, puts another piece there, and comes back to the
/// node. What it needs on the way it leaves alone or puts there. Then a vertex that could be taken can still be
/// taken after another one, both orders lead to the same board, and all orders take equally many; no other
/// transition is open before all are taken, and nobody asks where the last one was.
pub(crate) fn is_closure(
    analysis: &Analysis,
    transition: TransitionId,
    remembered: &Remembered,
) -> bool {
    takes_all(analysis, transition) && forgets_pointer(analysis, transition.node, false, remembered)
}

/// The same without the last question.
fn takes_all(analysis: &Analysis, TransitionId { node: start, index }: TransitionId) -> bool {
    let segments = &analysis.segments;
    let mut rules: Vec<&Rule> = Vec::new();
    let mut id = start.transition(index);
    let put = loop {
        let (transition, to) = &segments[id];
        match transition {
            Transition::Empty => {}
            Transition::Pure(run) => rules.extend(run),
            Transition::Off(piece, _) => break *piece,
            _ => return false,
        }
        if segments[*to].len() != 1 || analysis.incoming[*to] > 1 {
            return false;
        }
        id = to.transition(0);
    };
    let flat: Vec<Rule> = rules.into_iter().cloned().collect();
    let first = constant_prefix(analysis, &flat);
    let Some((Rule { kind: RuleKind::On(taken), .. }, needed)) = flat[first..].split_last() else {
        return false;
    };
    let stays = |pieces: &PieceSet| pieces.intersection(*taken).is_empty() || pieces.contains(put);
    let is_needed = |rule: &Rule| match &rule.kind {
        RuleKind::On(pieces) => stays(pieces),
        _ => is_static(rule),
    };
    if first == 0 || taken.contains(put) || !needed.iter().all(is_needed) {
        return false;
    }
    // Back to where it began.
    let mut at = segments[id].1;
    for _ in 0..16 {
        if segments.canonical(at) == segments.canonical(start) {
            break;
        }
        match &segments[at] {
            [(Transition::Empty, to)] => at = *to,
            [(Transition::Switch(player, _), to)] if player.0 == 0 => at = *to,
            _ => return false,
        }
    }
    let transitions = segments[start].len();
    segments.canonical(at) == segments.canonical(start)
        && (0..transitions)
            .all(|other| other == index || are_exclusive(analysis, start, index, other))
}

#[cfg(test)]
mod tests {
    use regulus_rbg::Source;

    use super::*;

    fn closures(rules: &str) -> usize {
        let text = format!(
            "#players = a(1), b(1) #pieces = x, y, z #variables = v(9) \
             #board = rectangle(up, down, left, right, [x, y, z]) \
             #any = (left* + right*) #near = (left + right) #rules = {rules}"
        );
        let game = regulus_rbg::load(&Source::new("test", &text)).game.expect("valid");
        let analysis = Analysis::new(&game);
        let none = Remembered::default();
        let is_closure = |id: &TransitionId| is_closure(&analysis, *id, &none);
        let segments = &analysis.segments;
        segments.nodes.ids().flat_map(|node| segments.leaving(node)).filter(is_closure).count()
    }

    #[test]
    fn loops_that_take_everything() {
        assert_eq!(closures("->a ->> (any {y} [x] ->>)* {! any {y}} ->b any [x] ->> {}"), 1);
        assert_eq!(
            closures("->a ->> (any {x} near {y} [x])* {! any {x} near {y}} ->b any [x] ->> {}"),
            1
        );
        // Somebody asks where the last one was.
        assert_eq!(closures("->a ->> (any {y} [x] ->>)* {! any {y}} ->b right [x] ->> {}"), 0);
        // It may end before everything is taken.
        assert_eq!(closures("->a ->> (any {y} [x] ->>)* ->b any [x] ->> {}"), 0);
        // What is taken was needed for others.
        assert_eq!(
            closures("->a ->> (any {y} near {y} [x])* {! any {y} near {y}} ->b any [x] ->> {}"),
            0
        );
        // The next to be taken depends on where the last one was.
        let next = "any {z} [x] ->b any [x] ->> {}";
        assert_eq!(closures(&format!("->a ->> (any {{y}} [x] ->>)* {{! any {{y}}}} {next}")), 0);
        // A move says where it was made.
        assert_eq!(closures("->a ->> (any {y} [x] ->>)* {! any {y}} ->b ->> {}"), 0);
        // It begins where the last one was.
        assert_eq!(closures("->a ->> (near {y} [x])* {! near {y}} ->b any [x] ->> {}"), 0);
        // It changes something else.
        assert_eq!(
            closures("->a ->> (any {y} [x] [$ v = v + 1])* {! any {y}} ->b any [x] ->> {}"),
            0
        );
    }
}
