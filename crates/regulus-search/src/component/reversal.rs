//! What going back costs: a child in which the avatar is where it was shortly before is worth less, or forbidden (SLIDES,
//! reversal penalty; Frydenberg et al. 2015).
//!
//! The positions of a node are those of the avatar in the node, in the nodes before it, and in the game before
//! the root, the newest first. In an open loop the position of a child is that of the last iteration through it.

use super::optional;
pub use super::{ComponentWord, Entry, Parameter};
use crate::parameter::Kind;

/// Where the avatar is.
pub type Position = (f64, f64);

/// Says what a child is worth whose position was one of the last.
pub trait Reverse: Send {
    /// How many positions are remembered.
    fn positions(&self) -> usize;

    /// The value of a child that goes back, instead of this one.
    fn penalised(&self, value: f64) -> f64;

    /// Whether going back is forbidden, so that it is not played either. Who stays where he is does not go back then.
    fn forbids(&self) -> bool {
        false
    }
}

/// All kinds of penalty.
pub const REGISTRY: &[Entry<dyn Reverse>] = &[LAST_POSITIONS, FORBIDDEN];

/// Which penalty.
pub(crate) const KIND: Kind = Kind::Component(|| optional("going back costs nothing", REGISTRY));

const LAST_POSITIONS: Entry<dyn Reverse> = Entry {
    name: "last_positions",
    summary: "the value of a child is multiplied by a factor if the avatar is where it was in its last positions",
    parameters: &[
        Parameter::count("reversal.positions", "how many positions count", (1, 1000), 5)
            .published("5 (SLIDES)"),
        Parameter::number("reversal.factor", "the factor", (0.0, 1.0), 0.95)
            .published("0.95 (SLIDES)"),
    ],
    words: &[ComponentWord::board("reversal"), ComponentWord::video("reversal").number("factor")],
    make: |values| {
        Box::new(LastPositions {
            count: values.count("positions") as usize,
            factor: values.number("factor"),
        })
    },
};

/// "One may simply forbid making a move that cancels the previous one. Note that for some games such hard-removal may be
/// dangerous." (SLIDES)
const FORBIDDEN: Entry<dyn Reverse> = Entry {
    name: "forbidden",
    summary: "a child in which the avatar is back where it was before is not selected as long as there is another",
    parameters: &[Parameter::count(
        "reversal.positions",
        "how many positions before the current one count",
        (1, 1000),
        1,
    )
    .published("1: a move that cancels the previous one (SLIDES)")],
    words: &[
        ComponentWord::board("noreversal").number("positions"),
        ComponentWord::video("noreversal").number("positions"),
    ],
    make: |values| Box::new(Forbidden { count: values.count("positions") as usize }),
};

struct Forbidden {
    count: usize,
}

impl Reverse for Forbidden {
    /// The current one and those before it.
    fn positions(&self) -> usize {
        self.count + 1
    }

    /// Less than any other value; all that are forbidden are equal.
    fn penalised(&self, _: f64) -> f64 {
        f64::MIN
    }

    fn forbids(&self) -> bool {
        true
    }
}

struct LastPositions {
    count: usize,
    factor: f64,
}

impl Reverse for LastPositions {
    fn positions(&self) -> usize {
        self.count
    }

    fn penalised(&self, value: f64) -> f64 {
        value * self.factor
    }
}

/// Where the avatar was: in the game, and in the iteration at hand.
pub(crate) struct Trail {
    penalty: Box<dyn Reverse>,
    /// In the game before this tick.
    game: Vec<Position>,
    /// At the root.
    root: Option<Position>,
    /// In the game and in the iteration.
    iteration: Vec<Position>,
}

impl Trail {
    /// At the beginning of a game.
    pub fn new(penalty: Box<dyn Reverse>) -> Self {
        Trail { penalty, game: Vec::new(), root: None, iteration: Vec::new() }
    }

    /// An iteration begins; all that was there in the game counts.
    pub fn begin(&mut self, root: Option<Position>) {
        self.root = root;
        self.iteration.clone_from(&self.game);
        self.iteration.extend(root);
    }

    /// The iteration goes on.
    pub fn go(&mut self, position: Option<Position>) {
        self.iteration.extend(position);
    }

    /// An action of the game was played.
    pub fn played(&mut self) {
        self.game.extend(self.root.take());
        let most = self.penalty.positions();
        self.game.drain(..self.game.len().saturating_sub(most));
    }

    /// Whether a child of the root may not be played, as long as there is another.
    pub fn forbids(&self, child: Option<Position>) -> bool {
        let before: Vec<Position> = self.game.iter().copied().chain(self.root).collect();
        self.penalty.forbids() && self.is_back(&before, child)
    }

    /// Whether a child is where the avatar was lately.
    fn is_back(&self, before: &[Position], child: Option<Position>) -> bool {
        let Some(child) = child else { return false };
        if self.penalty.forbids() && before.last() == Some(&child) {
            return false;
        }
        before.iter().rev().take(self.penalty.positions()).any(|position| *position == child)
    }

    /// What a child of the node at hand is worth.
    pub fn value(&self, value: f64, child: Option<Position>) -> f64 {
        let back = self.is_back(&self.iteration, child);
        if back && value.is_finite() { self.penalty.penalised(value) } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Chosen;

    #[test]
    fn by_hand() {
        let mut trail = Trail::new(
            LAST_POSITIONS
                .build(&Chosen::new("last_positions", &[("positions", 3.0), ("factor", 0.95)])),
        );
        let at = |x: f64| Some((x, 0.0));
        for x in [1.0, 2.0, 3.0, 4.0] {
            trail.begin(at(x));
            trail.played();
        }
        trail.begin(at(5.0));
        // 5, 4 and 3 are remembered.
        let values = [5.0, 4.0, 3.0, 2.0, 6.0].map(|x| trail.value(0.8, at(x)));
        assert!(values[..3].iter().all(|value| (value - 0.76).abs() < 1e-12), "{values:?}");
        assert_eq!(values[3..], [0.8, 0.8]);
        trail.go(at(6.0));
        assert_eq!((trail.value(0.8, at(3.0)), trail.value(0.8, None)), (0.8, 0.8));
        // Without an avatar there is nothing to remember, and what was never tried has no value to change.
        trail.go(None);
        assert!(trail.value(0.8, at(4.0)) < 0.8);
        assert_eq!(trail.value(f64::INFINITY, at(4.0)), f64::INFINITY);
        assert!(!trail.forbids(at(4.0)), "a penalty only");
    }

    #[test]
    fn a_move_that_cancels_the_previous_one_is_forbidden() {
        let trail = |positions| {
            let mut trail =
                Trail::new(FORBIDDEN.build(&Chosen::new("forbidden", &[("positions", positions)])));
            for x in [1.0, 2.0, 3.0] {
                trail.begin(Some((x, 0.0)));
                trail.played();
            }
            trail.begin(Some((4.0, 0.0)));
            trail
        };
        let at = |x: f64| Some((x, 0.0));
        let back = f64::MIN;
        let mut one = trail(1.0);
        // From 3 to 4: back to 3 is forbidden, staying at 4 is not.
        assert_eq!([2.0, 3.0, 4.0, 5.0].map(|x| one.value(0.8, at(x))), [0.8, back, 0.8, 0.8]);
        assert_eq!([2.0, 3.0, 4.0, 5.0].map(|x| one.forbids(at(x))), [false, true, false, false]);
        // Who did not come from elsewhere cannot go back there.
        one.go(at(4.0));
        assert_eq!(one.value(0.8, at(3.0)), 0.8);
        one.go(at(5.0));
        assert_eq!((one.value(0.8, at(4.0)), one.value(0.8, at(3.0))), (back, 0.8));
        // What is played in the end goes by the root.
        assert!(one.forbids(at(3.0)) && !one.forbids(at(4.0)) && !one.forbids(None));
        let two = trail(2.0);
        assert_eq!([1.0, 2.0, 3.0, 4.0].map(|x| two.value(0.8, at(x))), [0.8, back, back, 0.8]);
    }

    /// From 1 to 2, and not back to 1; but 3 moves ago is long ago.
    #[test]
    fn the_last_move_cannot_be_taken_back() {
        let mut trail = Trail::new(FORBIDDEN.build(&Chosen::new("forbidden", &[])));
        let at = |x: f64| Some((x, 0.0));
        for x in [0.0, 1.0] {
            trail.begin(at(x));
            trail.played();
        }
        trail.begin(at(2.0));
        let values = [1.0, 2.0, 0.0, 3.0].map(|x| trail.value(0.8, at(x)));
        assert_eq!(values, [f64::MIN, 0.8, 0.8, 0.8]);
        assert!(values[0] < -1e300 && values[0] > f64::NEG_INFINITY);
    }
}
