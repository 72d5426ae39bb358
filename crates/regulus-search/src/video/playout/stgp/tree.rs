//! A tree as the list of its nodes, every node before its children ("prefix code").

use std::ops::Range;

use regulus_game::Random;

use super::node::{Node, Op, Type};
use crate::video::config::Generation;

/// Trees beyond this are treated as too deep: depth alone would allow 3^depth nodes.
pub(super) const MAX_NODES: usize = 10_000;

/// A tree that gives a number, and what it looks at.
#[derive(PartialEq, Debug)]
pub(super) struct Tree {
    code: Vec<Node>,
    asks: Asks,
}

/// What a tree looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Asks {
    /// The action. If not, all actions are worth the same.
    pub action: bool,
    /// How many sprites there are.
    pub counts: bool,
    /// Where the closest sprites are.
    pub positions: bool,
}

impl Clone for Tree {
    fn clone(&self) -> Self {
        Tree { code: self.code.clone(), asks: self.asks }
    }

    /// The memory is used again.
    fn clone_from(&mut self, other: &Self) {
        self.code.clone_from(&other.code);
        self.asks = other.asks;
    }
}

impl Tree {
    /// Any tree that gives a number: GENERATETREE of Algorithm 4.1.
    pub fn generate(depth: u32, method: Generation, random: &mut Random) -> Self {
        let mut code = Vec::new();
        generate(Type::Double, depth, method, random, &mut code);
        Tree::new(code)
    }

    fn new(code: Vec<Node>) -> Self {
        let has = |fits: fn(Op) -> bool| code.iter().any(|node| fits(node.op));
        let asks = Asks {
            action: has(|op| op == Op::ActionWeight),
            counts: has(|op| matches!(op, Op::Count(_))),
            positions: has(|op| matches!(op, Op::ClosestPosition(_))),
        };
        Tree { code, asks }
    }

    /// The nodes, every one before its children.
    pub fn code(&self) -> &[Node] {
        &self.code
    }

    pub fn asks(&self) -> Asks {
        self.asks
    }

    /// Any sub-tree.
    pub fn any_subtree(&self, random: &mut Random) -> Range<usize> {
        self.subtree(random.below(self.code.len() as u64) as usize)
    }

    /// Any sub-tree that gives a type, if there is one.
    pub fn any_subtree_of(&self, returns: Type, random: &mut Random) -> Option<Range<usize>> {
        let fitting = || (0..self.code.len()).filter(|at| self.code[*at].op.returns() == returns);
        match fitting().count() {
            0 => None,
            count => fitting().nth(random.below(count as u64) as usize).map(|at| self.subtree(at)),
        }
    }

    /// What a sub-tree gives.
    pub fn returns(&self, subtree: &Range<usize>) -> Type {
        self.code[subtree.start].op.returns()
    }

    /// The nodes of the sub-tree that begins with a node.
    fn subtree(&self, start: usize) -> Range<usize> {
        let mut missing = 1;
        let mut end = start;
        while missing > 0 {
            missing = missing - 1 + self.code[end].op.inputs().len();
            end += 1;
        }
        start..end
    }

    /// The tree with other nodes in the place of a sub-tree; nothing if it is too deep then.
    pub fn replaced(&self, subtree: &Range<usize>, by: &[Node], max_depth: u32) -> Option<Self> {
        let size = self.code.len() - subtree.len() + by.len();
        if size > MAX_NODES {
            return None;
        }
        let mut code = Vec::with_capacity(size);
        code.extend_from_slice(&self.code[..subtree.start]);
        code.extend_from_slice(by);
        code.extend_from_slice(&self.code[subtree.end..]);
        (depth(&code) <= max_depth).then(|| Tree::new(code))
    }
}

/// How many nodes there are on the longest way from the root down.
fn depth(code: &[Node]) -> u32 {
    let mut depths: Vec<u32> = Vec::new();
    for node in code.iter().rev() {
        let rest = depths.len() - node.op.inputs().len();
        let below = depths.drain(rest..).max().unwrap_or(0);
        depths.push(below + 1);
    }
    depths.pop().unwrap_or(0)
}

/// Adds any tree of a type and at most a depth (Algorithm 4.1; its two functions differ only in where the type
/// comes from).
pub(super) fn generate(
    returns: Type,
    depth: u32,
    method: Generation,
    random: &mut Random,
    code: &mut Vec<Node>,
) {
    let mut missing = vec![(returns, depth.max(1))];
    while let Some((returns, depth)) = missing.pop() {
        let op = if depth == 1 || code.len() + missing.len() >= MAX_NODES {
            Op::any_terminal(returns, random)
        } else if method == Generation::Full {
            Op::any_non_terminal(returns, random)
                .unwrap_or_else(|| Op::any_terminal(returns, random))
        } else {
            Op::any(returns, random)
        };
        code.push(Node::new(op, random));
        missing.extend(op.inputs().iter().rev().map(|input| (*input, depth - 1)));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::super::node::Thing;
    use super::*;

    /// A tree from what its nodes do.
    pub fn tree(ops: &[Op]) -> Tree {
        let mut random = Random::new(ops.len() as u64);
        let tree = Tree::new(ops.iter().map(|op| Node::new(*op, &mut random)).collect());
        check(&tree);
        tree
    }

    /// Every node has children of the types that it takes, and the tree gives a number. Gives its depth.
    pub fn check(tree: &Tree) -> u32 {
        let mut expected = vec![(Type::Double, 1)];
        let mut deepest = 0;
        for node in tree.code() {
            let (returns, depth) = expected.pop().expect("a node that nobody takes");
            assert_eq!(node.op.returns(), returns, "{tree:?}");
            assert_ne!(node.op, Op::RandomConstantAction);
            deepest = deepest.max(depth);
            expected.extend(node.op.inputs().iter().rev().map(|input| (*input, depth + 1)));
        }
        assert!(expected.is_empty(), "a child is missing in {tree:?}");
        assert_eq!(depth(tree.code()), deepest);
        deepest
    }

    /// The depths of all leaves.
    fn leaves(tree: &Tree) -> Vec<u32> {
        let mut depths = vec![1];
        let mut leaves = Vec::new();
        for node in tree.code() {
            let depth = depths.pop().expect("a node that nobody takes");
            let inputs = node.op.inputs().len();
            if inputs == 0 {
                leaves.push(depth);
            }
            depths.extend(std::iter::repeat_n(depth + 1, inputs));
        }
        leaves
    }

    #[test]
    fn subtrees_and_depth_by_hand() {
        use Op::{AvatarPosition, Distance2d, IfThenElse, Leq, One, Plus, ScaleVector2d, Zero};
        // if 0 <= 1 + 0 then 1 else |avatar - 1 * avatar|
        let tree = tree(&[
            IfThenElse,
            Leq,
            Zero,
            Plus,
            One,
            Zero,
            One,
            Distance2d,
            AvatarPosition,
            ScaleVector2d,
            One,
            AvatarPosition,
        ]);
        assert_eq!(check(&tree), 4);
        assert_eq!(tree.subtree(0), 0..12);
        assert_eq!(tree.subtree(1), 1..6);
        assert_eq!(tree.subtree(3), 3..6);
        assert_eq!(tree.subtree(7), 7..12);
        assert_eq!(tree.subtree(11), 11..12);
        assert_eq!(tree.asks(), Asks { action: false, counts: false, positions: false });
        // The sum becomes 1: less deep only where it was.
        let shorter = tree.replaced(&(3..6), &tree.code()[4..5], 4).expect("not too deep");
        assert_eq!((shorter.code().len(), check(&shorter)), (10, 4));
        assert!(tree.replaced(&(4..5), &tree.code()[3..6], 4).is_none(), "too deep");
        assert!(tree.replaced(&(4..5), &tree.code()[3..6], 5).is_some());
    }

    #[test]
    fn subtrees_of_a_type_are_found_wherever_they_are() {
        let tree = tree(&[Op::Plus, Op::ActionWeight, Op::Count(Thing::Npc)]);
        assert_eq!(tree.asks(), Asks { action: true, counts: true, positions: false });
        let mut random = Random::new(4);
        assert_eq!(tree.any_subtree_of(Type::Boolean, &mut random), None);
        let mut found = [0; 3];
        for _ in 0..600 {
            found[tree.any_subtree_of(Type::Double, &mut random).expect("a number").start] += 1;
            found[tree.any_subtree(&mut random).start] += 1;
        }
        assert!(found.iter().all(|count| (300..500).contains(count)), "{found:?}");
    }

    #[test]
    fn even_absurd_depths_give_trees_of_bounded_size() {
        for method in [Generation::Full, Generation::Grow] {
            let tree = Tree::generate(u32::MAX, method, &mut Random::new(2));
            check(&tree);
            assert!(tree.code().len() <= MAX_NODES + 3);
        }
    }

    proptest! {
        #[test]
        fn grown_trees_obey_types_and_depth(seed: u64, depth in 1u32..12) {
            let tree = Tree::generate(depth, Generation::Grow, &mut Random::new(seed));
            prop_assert!(check(&tree) <= depth);
        }

        #[test]
        fn full_trees_have_all_leaves_at_the_greatest_depth(seed: u64, depth in 1u32..9) {
            let tree = Tree::generate(depth, Generation::Full, &mut Random::new(seed));
            prop_assert_eq!(check(&tree), depth);
            prop_assert!(leaves(&tree).iter().all(|leaf| *leaf == depth));
        }
    }

    #[test]
    fn grown_trees_have_leaves_anywhere() {
        let mut random = Random::new(8);
        let mut depths = [0; 5];
        for _ in 0..3000 {
            let tree = Tree::generate(5, Generation::Grow, &mut random);
            depths[check(&tree) as usize - 1] += 1;
        }
        // A root is a leaf with probability 11 / 16.
        assert!((1900..2230).contains(&depths[0]), "{depths:?}");
        assert!(depths.iter().all(|count| *count > 30), "{depths:?}");
    }

    #[test]
    fn an_action_is_represented_but_nothing_takes_it() {
        for method in [Generation::Full, Generation::Grow] {
            let mut code = Vec::new();
            generate(Type::Action, 5, method, &mut Random::new(1), &mut code);
            assert_eq!(code.len(), 1);
            assert_eq!(code[0].op, Op::RandomConstantAction);
        }
    }
}
