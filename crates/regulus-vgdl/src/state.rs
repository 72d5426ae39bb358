//! The forward model: a state of a game that can be copied and advanced.

use std::cell::RefCell;
use std::sync::Arc;

use crate::action::{self, Action};
use crate::breakdown::Breakdown;
use crate::data::{Data, Winner};
use crate::direction::Direction;
use crate::engine::{Engine, Scratch};
use crate::event::Event;
use crate::generator::Generator;
use crate::level::Level;
use crate::sprite::{NONE, flag};
use crate::sprite_type::TypeId;

/// A state of a game. Copies are independent and cheap: what cannot change is shared.
///
/// Copies are what agents look ahead with, and the reference framework of 2021 forgets in them what a turning avatar
/// drops behind it: a game goes on in the state it began with.
#[derive(Debug)]
pub struct State {
    pub(crate) level: Arc<Level>,
    pub(crate) data: Data,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut data = self.data.clone();
        data.trail_keeper = None;
        State { level: Arc::clone(&self.level), data }
    }

    /// Copies into memory that is already there: the fast way to copy again and again.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.level, &other.level) {
            self.level = Arc::clone(&other.level);
        }
        self.data.copy_from(&other.data);
        self.data.trail_keeper = None;
    }
}

/// What an agent knows about its avatar.
#[derive(Clone, PartialEq, Debug)]
pub struct Avatar {
    /// Its sprite type.
    pub stype: TypeId,
    /// Its position in pixels.
    pub position: (i32, i32),
    /// Where it looks.
    pub orientation: Direction,
    /// Blocks per tick.
    pub speed: f64,
    /// False if it was killed and is only still in the game.
    pub alive: bool,
    /// Health points.
    pub health: i32,
    /// The most health points it has had.
    pub max_health: i32,
    /// The most it can have.
    pub limit_health: i32,
    /// What it holds, by type.
    pub resources: Vec<(TypeId, i32)>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
}

impl State {
    /// The beginning of a level.
    pub fn new(level: &Arc<Level>, random: Generator) -> State {
        let mut data = level.initial.clone();
        data.random = random;
        State { level: Arc::clone(level), data }
    }

    /// The level, and through it the game.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// Plays one tick. An action that the avatar does not have counts as none. After the end nothing
    /// happens.
    pub fn advance(&mut self, action: Action) {
        SCRATCH.with(|scratch| {
            let scratch = &mut *scratch.borrow_mut();
            Engine::new(&self.level, &mut self.data, scratch).advance(action);
        });
    }

    /// The actions of the avatar, without [`Action::Nil`]; none after the end.
    pub fn actions(&self) -> &'static [Action] {
        if self.data.ended { &[] } else { self.avatar_actions() }
    }

    /// The actions of the avatar, even after the end.
    pub fn avatar_actions(&self) -> &'static [Action] {
        let slot = self.data.avatar;
        if slot == NONE {
            return &[];
        }
        let stype = self.data.sprites[usize::from(slot)].stype;
        self.level.game.kind(stype).class.map_or(&[], action::of_class)
    }

    /// The score.
    pub fn score(&self) -> i32 {
        self.data.score
    }

    /// The number of the next tick.
    pub fn tick(&self) -> i32 {
        self.data.tick
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.data.ended
    }

    /// Who won; nobody while it is not over.
    pub fn winner(&self) -> Winner {
        self.data.winner
    }

    /// Why the game was ended, if it was not ended by its rules.
    pub fn breakdown(&self) -> Option<Breakdown> {
        self.data.breakdown
    }

    /// The action of the last tick.
    pub fn last_action(&self) -> Action {
        self.data.last_action
    }

    /// Continues with another generator.
    pub fn set_generator(&mut self, random: Generator) {
        self.data.random = random;
    }

    /// The avatar, if there is one.
    pub fn avatar(&self) -> Option<Avatar> {
        let slot = self.data.avatar;
        if slot == NONE {
            return None;
        }
        let sprite = &self.data.sprites[usize::from(slot)];
        let held = self.data.resources.iter().filter(|held| held.slot() == slot);
        let mut resources: Vec<_> = held.map(|held| (held.resource(), held.amount)).collect();
        resources.sort_unstable();
        Some(Avatar {
            stype: sprite.stype,
            position: (sprite.x, sprite.y),
            orientation: sprite.orientation,
            speed: sprite.speed,
            alive: !sprite.has(flag::DISABLED),
            health: sprite.health,
            max_health: sprite.max_health,
            limit_health: self.level.game.kind(sprite.stype).traits.limit_health,
            resources,
        })
    }

    /// Everything that happened to the avatar and to what it made, in order.
    pub fn events(&self) -> Vec<Event> {
        self.data.history.all()
    }

    /// How many sprites there are.
    pub fn sprite_count(&self) -> usize {
        self.data.groups.iter().map(|group| group.total as usize).sum()
    }

    /// A fingerprint of everything that decides how the game goes on: equal states have equal ones.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::new();
        let data = &self.data;
        for group in &data.groups {
            let mut slot = group.head;
            while slot != NONE {
                let sprite = &data.sprites[usize::from(slot)];
                hash.add(u64::from(sprite.stype) << 32 | u64::from(sprite.id));
                hash.add((sprite.x as u64) << 32 | u64::from(sprite.y as u32));
                hash.add(
                    sprite.orientation.x.to_bits().rotate_left(1) ^ sprite.orientation.y.to_bits(),
                );
                hash.add(sprite.speed.to_bits());
                hash.add((sprite.health as u64) << 32 | u64::from(sprite.max_health as u32));
                hash.add((sprite.counter as u64) << 32 | u64::from(sprite.memory as u32));
                hash.add((sprite.time_to_live as u64) << 32 | u64::from(sprite.flags));
                hash.add((data.tick.wrapping_sub(sprite.moved_epoch)) as u64);
                for held in data.resources.iter().filter(|held| held.slot() == slot) {
                    hash.add(u64::from(held.resource()) << 32 | u64::from(held.amount as u32));
                }
                slot = sprite.next;
            }
        }
        for &word in &data.left {
            hash.add(word);
        }
        for timer in &data.timers {
            hash.add(timer.next as u64);
        }
        hash.add(data.score as u64);
        hash.add(data.tick as u64);
        hash.add(data.random.fingerprint());
        hash.add(u64::from(data.ended) << 8 | data.winner.number() as u64 & 0xff);
        // Hashes of games without them are what they always were.
        if data.refused > 0 {
            hash.add(u64::from(data.refused));
        }
        if let Some(keeper) = data.trail_keeper {
            hash.add(u64::from(keeper));
        }
        hash.finish()
    }
}

/// FNV-1a over 64-bit words, with a final mix.
struct Fingerprint(u64);

impl Fingerprint {
    fn new() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    fn finish(self) -> u64 {
        let mut z = self.0;
        z = (z ^ (z >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 31)
    }
}
