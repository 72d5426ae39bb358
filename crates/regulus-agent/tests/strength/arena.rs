//! Games and agents brought together.

use regulus_agent::Agent;
use regulus_game::{Engine, Moves, Step};
use regulus_rbg::split::Strategy;
use regulus_rbg::{Game, Source};
use regulus_reasoner::native::{Native, NativeState, NativeWorker};

pub fn agent(name: &str) -> Agent {
    regulus_agent::by_name(name).unwrap_or_else(|e| panic!("{e}"))
}

/// A built-in game.
pub fn game(name: &str) -> Game {
    let text = regulus_games::find(name).unwrap_or_else(|| panic!("no game {name}")).text;
    regulus_rbg::load(&Source::new(name, text)).game.expect("valid")
}

/// The game with the split points of a strategy, ready to run.
pub fn compile(game: &Game, split: Option<Strategy>) -> Native {
    let split = split.map(|strategy| game.split(strategy));
    Native::new(split.as_ref().unwrap_or(game)).expect("supported")
}

/// A position as the rules see it: whole moves only, nothing split.
pub struct Table {
    pub engine: NativeWorker,
    pub state: NativeState,
    /// False if the keeper is stuck, which ends the game.
    alive: bool,
}

impl Table {
    pub fn new(native: &Native) -> Self {
        let mut engine = native.worker();
        let mut state = engine.initial();
        let alive = engine.run_keeper(&mut state).expect("runs");
        Table { engine, state, alive }
    }

    pub fn legal(&mut self) -> Vec<Vec<Step>> {
        let mut moves = Moves::new();
        if self.alive {
            self.engine.list(&mut self.state, &mut moves).expect("runs");
        }
        moves.iter().map(<[Step]>::to_vec).collect()
    }

    pub fn play(&mut self, steps: &[Step]) {
        self.engine.apply(&mut self.state, steps);
        self.alive = self.engine.run_keeper(&mut self.state).expect("runs");
    }

    pub fn player(&self) -> usize {
        self.engine.player(&self.state)
    }

    pub fn players(&self) -> usize {
        self.engine.players()
    }

    pub fn is_over(&mut self) -> bool {
        !self.alive || self.engine.count(&mut self.state).expect("runs") == 0
    }

    /// A player's score, from 0 to 1.
    pub fn score(&self, player: usize) -> f64 {
        let bound = f64::from(self.engine.score_bound(player));
        f64::from(self.engine.score(&self.state, player)) / bound
    }

    /// Does something behind a move and comes back.
    pub fn behind<T>(&mut self, steps: &[Step], look: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.state.clone(), self.alive);
        self.play(steps);
        let seen = look(self);
        (self.state, self.alive) = before;
        seen
    }
}
