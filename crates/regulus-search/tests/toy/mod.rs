//! A game small enough to know all about it: a corridor with a goal at one end and a pit at the other.

use regulus_game::{Category, Random, Sight, World};

/// What can be done in a corridor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    /// Nothing.
    Stay,
    /// Towards the pit.
    Left,
    /// Towards the goal.
    Right,
    /// Nothing, with some noise.
    Use,
}

/// A state of the corridor.
#[derive(Clone, Debug)]
pub struct Corridor {
    /// From 0, the pit, to `goal`.
    pub position: i32,
    pub goal: i32,
    /// The furthest position so far: this is the score.
    pub best: i32,
    pub ticks_left: u32,
    /// In hundredths: how often something else is done.
    pub slips: u64,
    pub random: Random,
}

impl Corridor {
    pub fn new(start: i32, goal: i32, ticks: u32, slips: u64, seed: u64) -> Self {
        let random = Random::new(seed);
        Corridor { position: start, goal, best: start, ticks_left: ticks, slips, random }
    }
}

impl World for Corridor {
    type Action = Step;

    const NIL: Step = Step::Stay;
    const ACTIONS: usize = 4;

    fn number(action: Step) -> usize {
        action as usize
    }

    fn actions(&self) -> &[Step] {
        if self.is_over() {
            &[]
        } else if self.position % 2 == 0 {
            // What can be done depends on the state.
            &[Step::Left, Step::Right]
        } else {
            &[Step::Left, Step::Right, Step::Use]
        }
    }

    fn advance(&mut self, action: Step) {
        if self.is_over() {
            return;
        }
        let mut action = action;
        if self.random.below(100) < self.slips {
            let count = self.actions().len() as u64;
            let drawn = self.random.below(count);
            action = self.actions()[drawn as usize];
        }
        self.position += match action {
            Step::Stay | Step::Use => 0,
            Step::Left => -1,
            Step::Right => 1,
        };
        self.best = self.best.max(self.position);
        self.ticks_left -= 1;
    }

    fn won(&self) -> Option<bool> {
        if self.position >= self.goal {
            Some(true)
        } else if self.position <= 0 || self.ticks_left == 0 {
            Some(false)
        } else {
            None
        }
    }

    fn score(&self) -> f64 {
        f64::from(self.best)
    }

    fn reseed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    fn avatar(&self) -> Option<(f64, f64)> {
        Some((f64::from(self.position), 0.0))
    }

    fn look(&self, see: &mut dyn FnMut(Sight)) {
        let mut show = |category, kind, x: i32| {
            see(Sight { category, kind, position: (f64::from(x), 0.0) });
        };
        show(Category::Avatar, 0, self.position);
        show(Category::Portal, 1, self.goal);
        show(Category::Immovable, 2, 0);
    }
}
