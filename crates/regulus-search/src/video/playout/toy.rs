//! A small world for tests: an avatar on an endless plane, with things to see, to reach and to be paid for.

use regulus_game::{Category, Random, Sight, World};

use super::{Guide, Surroundings};
use crate::config::Decay;
use crate::video::config::Ngrams;
use crate::video::ngrams::Table;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    Nil,
    Left,
    Right,
    Up,
    Down,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Toy {
    /// Where the avatar is, if there is one.
    pub avatar: Option<(f64, f64)>,
    /// Everything else that is seen.
    pub things: Vec<Sight>,
    /// What an action adds to the score.
    pub pay: [f64; 5],
    score: f64,
    won: Option<bool>,
}

impl Toy {
    /// Nothing around, nothing paid.
    pub fn new() -> Self {
        Toy { avatar: Some((0.0, 0.0)), things: Vec::new(), pay: [0.0; 5], score: 0.0, won: None }
    }

    /// With one more thing.
    pub fn with(mut self, category: Category, kind: u16, position: (f64, f64)) -> Self {
        self.things.push(Sight { category, kind, position });
        self
    }

    /// Where an action is paid.
    pub fn paid(mut self, action: Move, pay: f64) -> Self {
        self.pay[action as usize] = pay;
        self
    }

    /// Ends the game.
    pub fn end(&mut self, won: bool) {
        self.won = Some(won);
    }
}

impl World for Toy {
    type Action = Move;

    const NIL: Move = Move::Nil;

    const ACTIONS: usize = 5;

    fn number(action: Move) -> usize {
        action as usize
    }

    fn actions(&self) -> &[Move] {
        if self.won.is_some() { &[] } else { &[Move::Left, Move::Right, Move::Up, Move::Down] }
    }

    /// A portal that is reached wins; a resource is taken and is worth 1.
    fn advance(&mut self, action: Move) {
        if self.won.is_some() {
            return;
        }
        self.score += self.pay[action as usize];
        let Some((x, y)) = &mut self.avatar else { return };
        match action {
            Move::Nil => {}
            Move::Left => *x -= 1.0,
            Move::Right => *x += 1.0,
            Move::Up => *y -= 1.0,
            Move::Down => *y += 1.0,
        }
        let here = (*x, *y);
        let before = self.things.len();
        self.things.retain(|thing| thing.category != Category::Resource || thing.position != here);
        self.score += (before - self.things.len()) as f64;
        if self.things.iter().any(|t| t.category == Category::Portal && t.position == here) {
            self.won = Some(true);
        }
    }

    fn won(&self) -> Option<bool> {
        self.won
    }

    fn score(&self) -> f64 {
        self.score
    }

    fn reseed(&mut self, _seed: u64) {}

    fn avatar(&self) -> Option<(f64, f64)> {
        self.avatar
    }

    fn look(&self, see: &mut dyn FnMut(Sight)) {
        if let Some(position) = self.avatar {
            see(Sight { category: Category::Avatar, kind: 1, position });
        }
        self.things.iter().copied().for_each(see);
    }
}

/// Iterations of a tick without a tree: play-outs of 10 ticks from the same state, worth their score. Gives all
/// actions that were played.
pub fn iterate(
    guide: &mut dyn Guide<Toy>,
    start: &Toy,
    iterations: u32,
    random: &mut Random,
) -> Vec<Move> {
    let mut ngrams = Table::new(
        Ngrams { length: 3, threshold: 7, decay: Decay::Move { factor: 0.0 } },
        Toy::ACTIONS,
    );
    let mut bounds: Option<(f64, f64)> = None;
    let mut played = Vec::new();
    guide.begin_tick();
    for _ in 0..iterations {
        let mut world = start.clone();
        let mut path = Vec::new();
        guide.begin_iteration(random);
        guide.begin_playout(world.score());
        while path.len() < 10 && !world.is_over() {
            let around = Surroundings { path: &path, ngrams: &ngrams, bounds };
            let action = guide.choose(&world, &around, random);
            world.advance(action);
            path.push(Toy::number(action));
            played.push(action);
        }
        let worth = world.score();
        guide.end_playout(worth, random);
        ngrams.record(&path, worth);
        let (least, most) = bounds.unwrap_or((worth, worth));
        bounds = Some((least.min(worth), most.max(worth)));
    }
    played
}
