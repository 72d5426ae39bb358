//! What trees are made of: the nodes of GVGAI-THESIS Tables 4.1 and 4.2.

use regulus_game::{Category, Random};

use crate::numeric::unit;

/// What a node gives to the one above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Boolean,
    Double,
    Vector2d,
    Action,
}

/// What is looked for among sprites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Thing {
    Immovable,
    Movable,
    Npc,
    Portal,
    Resource,
}

impl Thing {
    pub const COUNT: usize = 5;

    /// The one of a category; trees do not look at the others.
    pub fn of(category: Category) -> Option<Self> {
        match category {
            Category::Immovable => Some(Thing::Immovable),
            Category::Movable => Some(Thing::Movable),
            Category::Npc => Some(Thing::Npc),
            Category::Portal => Some(Thing::Portal),
            Category::Resource => Some(Thing::Resource),
            Category::Avatar | Category::FromAvatar => None,
        }
    }
}

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    // Table 4.1, non-terminals.
    And,
    NAnd,
    Or,
    NOr,
    Not,
    /// Whether the first number is not greater than the second.
    Leq,
    Distance2d,
    IfThenElse,
    Minus,
    Plus,
    Mult,
    ScaleVector2d,
    // Table 4.1, terminals.
    False,
    True,
    RandomConstant,
    One,
    Zero,
    // Table 4.2, all of them terminals.
    ActionWeight,
    AvatarPosition,
    GlobalMaxScore,
    GlobalMinScore,
    ClosestPosition(Thing),
    Count(Thing),
    /// No node takes an action, so that no tree that gives a number contains one.
    RandomConstantAction,
}

/// The non-terminals of Table 4.1.
const NON_TERMINALS: [Op; 12] = [
    Op::And,
    Op::NAnd,
    Op::Or,
    Op::NOr,
    Op::Not,
    Op::Leq,
    Op::Distance2d,
    Op::IfThenElse,
    Op::Minus,
    Op::Plus,
    Op::Mult,
    Op::ScaleVector2d,
];

/// The terminals of Tables 4.1 and 4.2.
const TERMINALS: [Op; 20] = [
    Op::False,
    Op::True,
    Op::RandomConstant,
    Op::One,
    Op::Zero,
    Op::ActionWeight,
    Op::AvatarPosition,
    Op::GlobalMaxScore,
    Op::GlobalMinScore,
    Op::ClosestPosition(Thing::Immovable),
    Op::ClosestPosition(Thing::Movable),
    Op::ClosestPosition(Thing::Npc),
    Op::ClosestPosition(Thing::Portal),
    Op::ClosestPosition(Thing::Resource),
    Op::Count(Thing::Immovable),
    Op::Count(Thing::Movable),
    Op::Count(Thing::Npc),
    Op::Count(Thing::Portal),
    Op::Count(Thing::Resource),
    Op::RandomConstantAction,
];

impl Op {
    /// What it takes, in order.
    pub fn inputs(self) -> &'static [Type] {
        use Type::{Boolean, Double, Vector2d};
        match self {
            Op::And | Op::NAnd | Op::Or | Op::NOr => &[Boolean, Boolean],
            Op::Not => &[Boolean],
            Op::Leq | Op::Minus | Op::Plus | Op::Mult => &[Double, Double],
            Op::Distance2d => &[Vector2d, Vector2d],
            Op::IfThenElse => &[Boolean, Double, Double],
            Op::ScaleVector2d => &[Double, Vector2d],
            _ => &[],
        }
    }

    /// What it gives.
    pub fn returns(self) -> Type {
        match self {
            Op::And | Op::NAnd | Op::Or | Op::NOr | Op::Not | Op::Leq | Op::False | Op::True => {
                Type::Boolean
            }
            Op::ScaleVector2d | Op::AvatarPosition | Op::ClosestPosition(_) => Type::Vector2d,
            Op::RandomConstantAction => Type::Action,
            _ => Type::Double,
        }
    }

    /// Any terminal of a type.
    pub fn any_terminal(returns: Type, random: &mut Random) -> Self {
        any_of(|| TERMINALS.into_iter().filter(|op| op.returns() == returns), random)
            .expect("every type has a terminal")
    }

    /// Any non-terminal of a type; there is none that gives an action.
    pub fn any_non_terminal(returns: Type, random: &mut Random) -> Option<Self> {
        any_of(|| NON_TERMINALS.into_iter().filter(|op| op.returns() == returns), random)
    }

    /// Any node of a type.
    pub fn any(returns: Type, random: &mut Random) -> Self {
        let all = || NON_TERMINALS.into_iter().chain(TERMINALS);
        any_of(|| all().filter(|op| op.returns() == returns), random)
            .expect("every type has a terminal")
    }
}

fn any_of<I: Iterator<Item = Op>>(choices: impl Fn() -> I, random: &mut Random) -> Option<Op> {
    match choices().count() {
        0 => None,
        count => choices().nth(random.below(count as u64) as usize),
    }
}

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub op: Op,
    /// Where the constants of the node come from ("randomly chosen, but constant").
    seed: u64,
}

impl Node {
    /// A node with constants of its own.
    pub fn new(op: Op, random: &mut Random) -> Self {
        let seed = match op {
            Op::RandomConstant | Op::ActionWeight | Op::RandomConstantAction => random.bits(),
            _ => 0,
        };
        Node { op, seed }
    }

    /// The value of a `RandomConstant`, from 0 to 1 as in Figure 4.1.
    pub fn constant(self) -> f64 {
        unit(&mut Random::new(self.seed))
    }

    /// The value of an `ActionWeight` for an action, from 0 to 1.
    pub fn weight(self, action: usize) -> f64 {
        unit(&mut Random::new(self.seed.wrapping_add(action as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_complete_and_consistent() {
        assert!(NON_TERMINALS.iter().all(|op| !op.inputs().is_empty()));
        assert!(TERMINALS.iter().all(|op| op.inputs().is_empty()));
        // Counted in the tables: nodes that give a Boolean, a Double, a Vector2d, an Action.
        let count = |nodes: &[Op], returns| nodes.iter().filter(|n| n.returns() == returns).count();
        let types = [Type::Boolean, Type::Double, Type::Vector2d, Type::Action];
        assert_eq!(types.map(|returns| count(&NON_TERMINALS, returns)), [6, 5, 1, 0]);
        assert_eq!(types.map(|returns| count(&TERMINALS, returns)), [2, 11, 6, 1]);
        let mut taken = NON_TERMINALS.iter().flat_map(|op| op.inputs());
        assert!(taken.all(|input| *input != Type::Action));
    }

    #[test]
    fn constants_are_constant_and_depend_on_the_action() {
        let mut random = Random::new(1);
        let node = Node::new(Op::ActionWeight, &mut random);
        let weights: Vec<f64> = (0..6).map(|action| node.weight(action)).collect();
        assert_eq!(weights, (0..6).map(|action| node.weight(action)).collect::<Vec<_>>());
        assert!(weights.iter().all(|weight| (0.0..1.0).contains(weight)));
        assert!(weights.windows(2).all(|pair| pair[0] != pair[1]));
        let other = Node::new(Op::RandomConstant, &mut random);
        assert_eq!(other.constant(), other.constant());
        assert_ne!(other.constant(), Node::new(Op::RandomConstant, &mut random).constant());
    }
}
