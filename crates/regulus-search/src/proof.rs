//! Proof numbers in the tree: PN-MCTS (J. Kowalski, E. Doe, M. Winands, D. Górski, D. Soemers, *Proof Number Based
//! Monte-Carlo Tree Search*, 2024) on top of the bounds of the solver, for any number of players and scores.
//!
//! There is one question at a time: can the player at the root reach the highest score that is still possible for
//! him? When the answer is no, that score falls and the question is a new one. An edge has two numbers: how many
//! positions at least, so far as the tree knows, have to be solved before the answer there is yes, and before it is
//! no. Both are 1 where nothing is known; 0 and [`NEVER`] where the answer is known. At a node
//!
//! ```text
//! yes = min yes(child),  no = sum no(child)      if the player at the root chooses
//! yes = sum yes(child),  no = min no(child)      if somebody else does
//! ```
//!
//! He prefers children with a small number for yes, everybody else those with a small number for no: the value of a
//! child gets `weight · least / number`, where `least` is that of the best child. With a great weight that is
//! proof-number search, which goes where a proof is cheapest; a small one makes a search look at forced lines.

use crate::episode::Passed;
use crate::tree::{HALFWAY, Node, Proof, Tree};

/// It cannot be.
const NEVER: u32 = u32::MAX;

/// More than any tree can have.
const MOST: u32 = u32::MAX / 2;

/// What is asked about the root.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Question {
    /// Who is to move there.
    player: u8,
    /// Whether his score can be this.
    score: u32,
}

/// Proof numbers at work.
#[derive(Default)]
pub(crate) struct ProofNumbers {
    question: Question,
}

impl ProofNumbers {
    /// An iteration has come to its end: finds the numbers of the edges it went through, or all of them if the
    /// question is a new one.
    pub(crate) fn count(&mut self, tree: &mut Tree, path: &[Passed]) {
        let Some(root) = tree.nodes.first().copied() else { return };
        let score = tree.highest(root);
        let question = Question { player: root.player, score };
        if self.question != question {
            self.question = question;
            // Children stand behind their parents, but for nodes that several edges lead to.
            for edge in (0..tree.edges.len() as u32).rev() {
                self.count_edge(tree, edge);
            }
            return;
        }
        for passed in path.iter().rev() {
            self.count_edge(tree, passed.edge);
        }
    }

    fn count_edge(&self, tree: &mut Tree, edge: u32) {
        let bound = tree.bounds_of(edge)[usize::from(self.question.player) - 1];
        let child = tree.edges[edge as usize].child;
        tree.proofs[edge as usize] = if bound.low >= self.question.score {
            Proof { yes: 0, no: NEVER }
        } else if bound.high < self.question.score {
            Proof { yes: NEVER, no: 0 }
        } else if child < HALFWAY && tree.nodes[child as usize].count > 0 {
            self.at(tree, tree.nodes[child as usize])
        } else {
            Proof::UNKNOWN
        };
    }

    /// The numbers at a node, from those of its edges.
    fn at(&self, tree: &Tree, node: Node) -> Proof {
        let edges = node.first as usize..(node.first + node.count) as usize;
        let proofs = &tree.proofs[edges];
        let least = |number: fn(&Proof) -> u32| proofs.iter().map(number).min().unwrap_or(NEVER);
        let sum = |number: fn(&Proof) -> u32| {
            let add = |sum: u32, more| sum.saturating_add(more).min(MOST);
            let never = proofs.iter().any(|proof| number(proof) == NEVER);
            if never { NEVER } else { proofs.iter().map(number).fold(0, add) }
        };
        if node.player == self.question.player {
            Proof { yes: least(|proof| proof.yes), no: sum(|proof| proof.no) }
        } else {
            Proof { yes: sum(|proof| proof.yes), no: least(|proof| proof.no) }
        }
    }

    /// What is left to prove behind an edge, for the player who chooses it.
    #[inline]
    pub(crate) fn left_to_prove(&self, tree: &Tree, n: Node, edge: u32) -> u32 {
        let proof = tree.proofs[edge as usize];
        if n.player == self.question.player { proof.yes } else { proof.no }
    }
}

/// What a child with a number is preferred by, if the best has the least.
#[inline]
pub(crate) fn preference(number: u32, least: u32) -> f64 {
    match number {
        NEVER => 0.0,
        0 => 1.0,
        number => f64::from(least) / f64::from(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_proof_is_preferred() {
        assert_eq!(preference(2, 2), 1.0);
        assert_eq!(preference(8, 2), 0.25);
        assert_eq!(preference(0, 0), 1.0);
        assert_eq!(preference(5, 0), 0.0);
        assert_eq!(preference(NEVER, 3), 0.0);
    }
}
