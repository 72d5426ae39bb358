//! What trees say about actions: the nodes are read backwards, so that the values of children lie on a stack
//! when their parent needs them. All actions are evaluated side by side.

use regulus_game::World;

use super::node::{Node, Op, Thing};
use super::tree::{Asks, Tree};

/// How many actions are evaluated at once.
const LANES: usize = 8;

type Doubles = [f64; LANES];

/// What trees can look at in a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    avatar: (f64, f64),
    closest: [(f64, f64); Thing::COUNT],
    counts: [f64; Thing::COUNT],
    /// The least and the greatest value of an iteration so far.
    bounds: (f64, f64),
}

impl Sight {
    /// Looks at a state, at its sprites only as far as a tree asks. What is not there is where the avatar is, so
    /// that its distance is 0; an avatar that is not there is in the corner. Before the first iteration all values
    /// are 0.
    pub fn new<W: World>(world: &W, asks: Asks, bounds: Option<(f64, f64)>) -> Self {
        let avatar = world.avatar().unwrap_or((0.0, 0.0));
        let mut sight = Sight {
            avatar,
            closest: [avatar; Thing::COUNT],
            counts: [0.0; Thing::COUNT],
            bounds: bounds.unwrap_or((0.0, 0.0)),
        };
        if asks.positions {
            let mut least = [f64::INFINITY; Thing::COUNT];
            world.look(&mut |sprite| {
                let Some(thing) = Thing::of(sprite.category) else { return };
                let thing = thing as usize;
                sight.counts[thing] += 1.0;
                let (dx, dy) = (sprite.position.0 - avatar.0, sprite.position.1 - avatar.1);
                let square = dx * dx + dy * dy;
                if square < least[thing] {
                    least[thing] = square;
                    sight.closest[thing] = sprite.position;
                }
            });
        } else if asks.counts {
            world.look(&mut |sprite| {
                if let Some(thing) = Thing::of(sprite.category) {
                    sight.counts[thing as usize] += 1.0;
                }
            });
        }
        sight
    }
}

/// Evaluates trees; keeps its stacks.
#[derive(Default)]
pub(super) struct Machine {
    booleans: Vec<[bool; LANES]>,
    doubles: Vec<Doubles>,
    vectors: Vec<(Doubles, Doubles)>,
}

impl Machine {
    /// What a tree says about every one of some actions, which are given by their numbers. All values are finite.
    pub fn evaluate(
        &mut self,
        tree: &Tree,
        sight: &Sight,
        actions: &[usize],
        values: &mut Vec<f64>,
    ) {
        values.clear();
        for actions in actions.chunks(LANES) {
            let results = self.run(tree.code(), sight, actions);
            values.extend_from_slice(&results[..actions.len()]);
        }
    }

    fn run(&mut self, code: &[Node], sight: &Sight, actions: &[usize]) -> Doubles {
        for node in code.iter().rev() {
            match node.op {
                Op::And => self.logic(|a, b| a & b),
                Op::NAnd => self.logic(|a, b| !(a & b)),
                Op::Or => self.logic(|a, b| a | b),
                Op::NOr => self.logic(|a, b| !(a | b)),
                Op::Not => {
                    let a = self.boolean();
                    self.booleans.push(a.map(|a| !a));
                }
                Op::Leq => {
                    let (a, b) = (self.double(), self.double());
                    self.booleans.push(std::array::from_fn(|i| a[i] <= b[i]));
                }
                Op::Distance2d => {
                    let (a, b) = (self.vector(), self.vector());
                    self.doubles.push(std::array::from_fn(|i| {
                        let (dx, dy) = (a.0[i] - b.0[i], a.1[i] - b.1[i]);
                        finite((dx * dx + dy * dy).sqrt())
                    }));
                }
                Op::IfThenElse => {
                    let (condition, a, b) = (self.boolean(), self.double(), self.double());
                    let chosen = |i: usize| if condition[i] { a[i] } else { b[i] };
                    self.doubles.push(std::array::from_fn(chosen));
                }
                Op::Minus => self.arithmetic(|a, b| a - b),
                Op::Plus => self.arithmetic(|a, b| a + b),
                Op::Mult => self.arithmetic(|a, b| a * b),
                Op::ScaleVector2d => {
                    let (scale, (x, y)) = (self.double(), self.vector());
                    let scaled = |x: Doubles| std::array::from_fn(|i| finite(scale[i] * x[i]));
                    self.vectors.push((scaled(x), scaled(y)));
                }
                Op::False => self.booleans.push([false; LANES]),
                Op::True => self.booleans.push([true; LANES]),
                Op::RandomConstant => self.doubles.push([node.constant(); LANES]),
                Op::One => self.doubles.push([1.0; LANES]),
                Op::Zero => self.doubles.push([0.0; LANES]),
                Op::ActionWeight => {
                    let mut weights = [0.0; LANES];
                    for (weight, action) in weights.iter_mut().zip(actions) {
                        *weight = node.weight(*action);
                    }
                    self.doubles.push(weights);
                }
                Op::AvatarPosition => self.position(sight.avatar),
                Op::GlobalMaxScore => self.doubles.push([finite(sight.bounds.1); LANES]),
                Op::GlobalMinScore => self.doubles.push([finite(sight.bounds.0); LANES]),
                Op::ClosestPosition(thing) => self.position(sight.closest[thing as usize]),
                Op::Count(thing) => self.doubles.push([sight.counts[thing as usize]; LANES]),
                // Nothing takes it.
                Op::RandomConstantAction => {}
            }
        }
        self.double()
    }

    fn logic(&mut self, combine: impl Fn(bool, bool) -> bool) {
        let (a, b) = (self.boolean(), self.boolean());
        self.booleans.push(std::array::from_fn(|i| combine(a[i], b[i])));
    }

    fn arithmetic(&mut self, combine: impl Fn(f64, f64) -> f64) {
        let (a, b) = (self.double(), self.double());
        self.doubles.push(std::array::from_fn(|i| finite(combine(a[i], b[i]))));
    }

    fn position(&mut self, (x, y): (f64, f64)) {
        self.vectors.push(([x; LANES], [y; LANES]));
    }

    fn boolean(&mut self) -> [bool; LANES] {
        self.booleans.pop().expect("trees are typed")
    }

    fn double(&mut self) -> Doubles {
        self.doubles.pop().expect("trees are typed")
    }

    fn vector(&mut self) -> (Doubles, Doubles) {
        self.vectors.pop().expect("trees are typed")
    }
}

/// Products of products would become infinite, and their differences nothing that can be compared.
fn finite(x: f64) -> f64 {
    x.clamp(f64::MIN, f64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regulus_game::{Category, Random};

    use super::super::super::toy::Toy;
    use super::super::tree::tests::tree;
    use super::*;
    use crate::video::config::Generation;

    fn evaluate(
        tree: &Tree,
        world: &Toy,
        bounds: Option<(f64, f64)>,
        actions: &[usize],
    ) -> Vec<f64> {
        let sight = Sight::new(world, tree.asks(), bounds);
        let mut machine = Machine::default();
        let mut values = Vec::new();
        machine.evaluate(tree, &sight, actions, &mut values);
        assert!(machine.booleans.is_empty());
        assert!(machine.doubles.is_empty());
        assert!(machine.vectors.is_empty());
        values
    }

    fn value(ops: &[Op], world: &Toy) -> f64 {
        evaluate(&tree(ops), world, Some((-3.0, 70.0)), &[1])[0]
    }

    #[test]
    fn figure_4_3_by_hand() {
        // If no characters are left the greatest score, else the distance to the closest.
        let npc = Thing::Npc;
        let tree = [
            Op::IfThenElse,
            Op::Leq,
            Op::Count(npc),
            Op::Zero,
            Op::GlobalMaxScore,
            Op::Distance2d,
            Op::AvatarPosition,
            Op::ClosestPosition(npc),
        ];
        let mut world = Toy::new().with(Category::Portal, 9, (1.0, 0.0));
        world.avatar = Some((2.0, 1.0));
        assert_eq!(value(&tree, &world), 70.0);
        let world = world.with(Category::Npc, 1, (-10.0, 1.0)).with(Category::Npc, 2, (5.0, 5.0));
        assert_eq!(value(&tree, &world), 5.0);
    }

    #[test]
    fn every_node_by_hand() {
        use Op::*;
        let mut world = Toy::new()
            .with(Category::Immovable, 1, (3.0, 4.0))
            .with(Category::Immovable, 2, (6.0, 8.0))
            .with(Category::Movable, 3, (0.0, 2.0))
            .with(Category::FromAvatar, 4, (0.0, 1.0))
            .with(Category::Resource, 5, (7.0, 0.0));
        // True is 1 and false is 0.
        let truth = |condition: &[Op]| {
            let mut ops = vec![IfThenElse];
            ops.extend_from_slice(condition);
            ops.extend([One, Zero]);
            value(&ops, &world)
        };
        for (op, table) in [
            (And, [0.0, 0.0, 0.0, 1.0]),
            (NAnd, [1.0, 1.0, 1.0, 0.0]),
            (Or, [0.0, 1.0, 1.0, 1.0]),
            (NOr, [1.0, 0.0, 0.0, 0.0]),
        ] {
            for (index, (a, b)) in
                [(False, False), (False, True), (True, False), (True, True)].into_iter().enumerate()
            {
                assert_eq!(truth(&[op, a, b]), table[index], "{op:?} {a:?} {b:?}");
            }
        }
        assert_eq!((truth(&[Not, True]), truth(&[Not, False])), (0.0, 1.0));
        let comparisons =
            [truth(&[Leq, Zero, One]), truth(&[Leq, One, Zero]), truth(&[Leq, One, One])];
        assert_eq!(comparisons, [1.0, 0.0, 1.0]);
        let max = GlobalMaxScore;
        assert_eq!(value(&[max], &world), 70.0);
        assert_eq!(value(&[GlobalMinScore], &world), -3.0);
        assert_eq!(value(&[Minus, One, max], &world), -69.0);
        assert_eq!(value(&[Plus, One, max], &world), 71.0);
        assert_eq!(value(&[Mult, GlobalMinScore, max], &world), -210.0);
        let counts = [Thing::Immovable, Thing::Movable, Thing::Npc, Thing::Portal, Thing::Resource];
        assert_eq!(counts.map(|thing| value(&[Count(thing)], &world)), [2.0, 1.0, 0.0, 0.0, 1.0]);
        // Nothing is at the avatar's place when there is none of it.
        let distances =
            counts.map(|t| value(&[Distance2d, AvatarPosition, ClosestPosition(t)], &world));
        assert_eq!(distances, [5.0, 2.0, 0.0, 0.0, 7.0]);
        // |-3 * (0, 2) - (7, 0)| = sqrt(49 + 36)
        let (movable, resource) =
            (ClosestPosition(Thing::Movable), ClosestPosition(Thing::Resource));
        let scaled = value(&[Distance2d, ScaleVector2d, GlobalMinScore, movable, resource], &world);
        assert_eq!(scaled, 85f64.sqrt());
        world.avatar = None;
        let immovable = ClosestPosition(Thing::Immovable);
        assert_eq!(value(&[Distance2d, AvatarPosition, immovable], &world), 5.0);
        assert_eq!(evaluate(&tree(&[max]), &world, None, &[1]), [0.0]);
    }

    #[test]
    fn actions_are_told_apart_however_many() {
        let tree = tree(&[Op::Plus, Op::ActionWeight, Op::One]);
        let actions: Vec<usize> = (0..19).collect();
        let values = evaluate(&tree, &Toy::new(), None, &actions);
        for (action, value) in actions.into_iter().zip(values) {
            assert_eq!(value, tree.code()[1].weight(action) + 1.0);
        }
    }

    proptest! {
        /// Also with values that grow beyond all bounds.
        #[test]
        fn values_are_finite_and_equal_unless_the_tree_asks_for_the_action(seed: u64, full: bool) {
            let method = if full { Generation::Full } else { Generation::Grow };
            let tree = Tree::generate(9, method, &mut Random::new(seed));
            let world = Toy::new().with(Category::Npc, 1, (3e200, -4e300));
            let values = evaluate(&tree, &world, Some((-1e308, 1e308)), &[1, 2, 3, 4]);
            prop_assert!(values.iter().all(|value| value.is_finite()), "{:?}", values);
            if !tree.asks().action {
                prop_assert!(values.iter().all(|value| *value == values[0]));
            }
        }
    }
}
