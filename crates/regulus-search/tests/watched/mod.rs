//! A corridor that writes down everything a search tries out in it.

use std::sync::{Arc, Mutex};

use regulus_game::{Sight, World};
use regulus_search::video::Score;

use crate::toy::{Corridor, Step};

/// A tick: what could be done, what was done, and where that led.
#[derive(Clone)]
pub struct Tick {
    pub available: Vec<Step>,
    pub action: Step,
    #[allow(dead_code, reason = "not all tests ask where the avatar was")]
    pub position: i32,
}

/// What was played since the root.
pub type History = Vec<Tick>;

/// An iteration.
pub struct Iteration {
    pub history: History,
    pub won: Option<bool>,
    pub score: f64,
}

impl Iteration {
    /// What it is worth (GVGAI-THESIS equation 3.7).
    pub fn value(&self, score: &Score) -> f64 {
        let Score::Gvgai { bonus, depth } = *score else { unreachable!("in these tests") };
        let length = depth * self.history.len() as f64;
        match self.won {
            Some(true) => self.score + bonus - length,
            Some(false) => self.score - bonus + length,
            None => self.score + length,
        }
    }
}

/// A corridor that writes down what was played in it when it is used for something else.
pub struct Watched {
    pub corridor: Corridor,
    pub history: History,
    pub log: Arc<Mutex<Vec<Iteration>>>,
}

impl Clone for Watched {
    fn clone(&self) -> Self {
        Watched {
            corridor: self.corridor.clone(),
            history: self.history.clone(),
            log: Arc::clone(&self.log),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let history = std::mem::replace(&mut self.history, source.history.clone());
        if !history.is_empty() {
            let (won, score) = (self.corridor.won(), self.corridor.score());
            self.log.lock().expect("one thread").push(Iteration { history, won, score });
        }
        self.corridor.clone_from(&source.corridor);
    }
}

impl World for Watched {
    type Action = Step;

    const NIL: Step = Step::Stay;
    const ACTIONS: usize = 4;

    fn number(action: Step) -> usize {
        Corridor::number(action)
    }

    fn actions(&self) -> &[Step] {
        self.corridor.actions()
    }

    fn advance(&mut self, action: Step) {
        let available = self.actions().to_vec();
        self.corridor.advance(action);
        self.history.push(Tick { available, action, position: self.corridor.position });
    }

    fn won(&self) -> Option<bool> {
        self.corridor.won()
    }

    fn score(&self) -> f64 {
        self.corridor.score()
    }

    fn reseed(&mut self, seed: u64) {
        self.corridor.reseed(seed);
    }

    fn avatar(&self) -> Option<(f64, f64)> {
        self.corridor.avatar()
    }

    fn look(&self, see: &mut dyn FnMut(Sight)) {
        self.corridor.look(see);
    }
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub fn bounds(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    (least, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
