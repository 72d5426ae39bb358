//! What search sees of a video game: one player, real time, a state that can be copied and advanced.

use std::fmt::Debug;

/// What a sprite is to an agent; the first that fits counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Category {
    /// The player's.
    Avatar,
    /// Can be collected.
    Resource,
    /// Doors, portals.
    Portal,
    /// Characters.
    Npc,
    /// Never moves by itself.
    Immovable,
    /// Made by the avatar.
    FromAvatar,
    /// Everything else.
    Movable,
}

/// A sprite, as far as agents that learn look at it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sight {
    /// Its category.
    pub category: Category,
    /// Its type, a small number that means the same throughout a game.
    pub kind: u16,
    /// Where it is, in blocks from the upper left corner.
    pub position: (f64, f64),
}

/// A state of a game for one player, with its source of randomness inside. Copies are independent.
pub trait World: Clone + Send {
    /// What the player can do in a tick.
    type Action: Copy + Eq + Debug + Send + Sync + 'static;

    /// Doing nothing.
    const NIL: Self::Action;

    /// How many actions there are in any state of any game.
    const ACTIONS: usize;

    /// Whether an action can be played again in the next tick, as in real time; no for worlds of moves that are
    /// spent when they are played.
    const REPEATS: bool = true;

    /// The number of an action, below [`World::ACTIONS`].
    fn number(action: Self::Action) -> usize;

    /// What the player can do now, without [`World::NIL`] unless there is nothing else; nothing after the end.
    fn actions(&self) -> &[Self::Action];

    /// Plays one tick. After the end nothing happens.
    fn advance(&mut self, action: Self::Action);

    /// Whether the game was won; nothing while it goes on.
    fn won(&self) -> Option<bool>;

    /// Whether the game is over.
    fn is_over(&self) -> bool {
        self.won().is_some()
    }

    /// The score.
    fn score(&self) -> f64;

    /// Goes on with other random numbers.
    fn reseed(&mut self, seed: u64);

    /// Where the avatar is, in blocks; nothing if there is none.
    fn avatar(&self) -> Option<(f64, f64)>;

    /// About how many bytes of memory a copy takes.
    fn bytes(&self) -> usize {
        size_of_val(self)
    }

    /// Shows every sprite that agents can see, the avatar included.
    fn look(&self, see: &mut dyn FnMut(Sight));
}
