//! New trees from old ones (GVGAI-THESIS 4.2.2).

use regulus_game::Random;

use super::Stgp;
use super::node::Node;
use super::tree::{Tree, generate};

/// A sub-tree of the donor takes the place of one of the receiver that gives the same type. Nothing changes if
/// there is none, or if the tree would be too deep ("a parent is returned").
pub(super) fn cross_one_way(
    donor: &Tree,
    receiver: &mut Tree,
    max_depth: u32,
    random: &mut Random,
) {
    let place = receiver.any_subtree(random);
    let Some(given) = donor.any_subtree_of(receiver.returns(&place), random) else { return };
    replace(receiver, receiver.replaced(&place, &donor.code()[given], max_depth));
}

/// Two trees exchange sub-trees that give the same type; one that would be too deep stays as it is.
pub(super) fn cross_two_way(
    first: &mut Tree,
    second: &mut Tree,
    max_depth: u32,
    random: &mut Random,
) {
    let one = first.any_subtree(random);
    let Some(other) = second.any_subtree_of(first.returns(&one), random) else { return };
    let first_child = first.replaced(&one, &second.code()[other.clone()], max_depth);
    let second_child = second.replaced(&other, &first.code()[one], max_depth);
    replace(first, first_child);
    replace(second, second_child);
}

/// A new sub-tree takes the place of any: at most as deep as those of the beginning; nothing changes if the
/// whole would be too deep.
pub(super) fn mutate(tree: &mut Tree, config: &Stgp, random: &mut Random, scratch: &mut Vec<Node>) {
    let place = tree.any_subtree(random);
    scratch.clear();
    let depth = config.initial_depth.min(config.max_depth);
    generate(tree.returns(&place), depth, config.generation, random, scratch);
    replace(tree, tree.replaced(&place, scratch, config.max_depth));
}

fn replace(tree: &mut Tree, child: Option<Tree>) {
    if let Some(child) = child {
        *tree = child;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::node::{Op, Thing};
    use super::super::tree::tests::{check, tree};
    use super::*;
    use crate::video::config::Generation;

    fn ops(tree: &Tree) -> Vec<Op> {
        tree.code().iter().map(|node| node.op).collect()
    }

    #[test]
    fn crossover_by_hand() {
        use Op::{ActionWeight, Distance2d, Minus, One, Zero};
        let npc = Op::ClosestPosition(Thing::Npc);
        let donor = tree(&[Minus, One, Zero]);
        let receiver = tree(&[Distance2d, Op::AvatarPosition, npc]);
        // The only number of the receiver is its root; if a position is drawn, the donor has none.
        let mut changed = 0;
        for seed in 0..300 {
            let mut child = receiver.clone();
            cross_one_way(&donor, &mut child, 10, &mut Random::new(seed));
            let expected = [vec![Minus, One, Zero], vec![One], vec![Zero], ops(&receiver)];
            assert!(expected.contains(&ops(&child)), "{child:?}");
            changed += u32::from(child != receiver);
        }
        assert!((70..130).contains(&changed), "a third of 300: {changed}");
        // An exchange keeps all nodes.
        for seed in 0..100 {
            let (mut a, mut b) = (tree(&[Minus, One, Zero]), tree(&[ActionWeight]));
            cross_two_way(&mut a, &mut b, 10, &mut Random::new(seed));
            assert_eq!(a.code().len() + b.code().len(), 4);
            assert_eq!(ops(&a).contains(&ActionWeight), !ops(&b).contains(&ActionWeight));
            assert!(ops(&a).contains(&ActionWeight), "the only node of the other is exchanged");
        }
    }

    #[test]
    fn a_child_that_is_too_deep_is_not_born() {
        let deep = tree(&[Op::Plus, Op::One, Op::Plus, Op::Zero, Op::One]);
        let flat = tree(&[Op::Plus, Op::One, Op::Zero]);
        for seed in 0..200 {
            let (mut a, mut b) = (deep.clone(), flat.clone());
            cross_two_way(&mut a, &mut b, 3, &mut Random::new(seed));
            assert!(check(&a) <= 3 && check(&b) <= 3);
            let mut receiver = flat.clone();
            cross_one_way(&deep, &mut receiver, 2, &mut Random::new(seed));
            assert!(check(&receiver) <= 2);
        }
    }

    fn config(initial_depth: u32, max_depth: u32, generation: Generation) -> Stgp {
        Stgp { initial_depth, max_depth, generation, ..Stgp::default() }
    }

    proptest! {
        #[test]
        fn children_obey_types_and_depth(seed: u64, initial in 1u32..7, more in 0u32..4, full: bool) {
            let method = if full { Generation::Full } else { Generation::Grow };
            let config = config(initial, initial + more, method);
            let mut random = Random::new(seed);
            let mut a = Tree::generate(initial, method, &mut random);
            let mut b = Tree::generate(initial, method, &mut random);
            let mut scratch = Vec::new();
            for _ in 0..20 {
                cross_one_way(&a, &mut b, config.max_depth, &mut random);
                prop_assert!(check(&b) <= config.max_depth);
                mutate(&mut a, &config, &mut random, &mut scratch);
                prop_assert!(check(&a) <= config.max_depth);
                cross_two_way(&mut a, &mut b, config.max_depth, &mut random);
                prop_assert!(check(&a) <= config.max_depth);
                prop_assert!(check(&b) <= config.max_depth);
            }
        }
    }
}
