//! What happened between the avatar, or what it made, and other sprites.

use std::sync::Arc;

use crate::sprite_type::TypeId;

/// A collision with the avatar or with a sprite that comes from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// When.
    pub tick: i32,
    /// True if a sprite made by the avatar took part, not the avatar itself.
    pub from_avatar: bool,
    /// The type of the avatar or of the sprite it made.
    pub active_type: TypeId,
    /// The type of the other sprite.
    pub passive_type: TypeId,
    /// The number of the avatar or of the sprite it made.
    pub active_id: u32,
    /// The number of the other sprite.
    pub passive_id: u32,
    /// Where the active sprite was, in pixels.
    pub position: (i32, i32),
}

impl Event {
    fn key(&self) -> (i32, bool, TypeId, TypeId) {
        // Sprites of the avatar come before the avatar itself.
        (self.tick, !self.from_avatar, self.passive_type, self.active_type)
    }
}

/// Events of earlier ticks are shared by copies; only the last few are copied.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    older: Option<Arc<Chunk>>,
    recent: Vec<Event>,
}

#[derive(Debug)]
struct Chunk {
    older: Option<Arc<Chunk>>,
    events: Vec<Event>,
}

const CHUNK: usize = 32;

impl History {
    /// Adds an event. A second one with the same key is lost, as in the reference framework.
    #[inline]
    pub fn add(&mut self, event: Event) {
        let starts_tick = self.recent.last().is_none_or(|last| last.tick != event.tick);
        if starts_tick && self.recent.len() >= CHUNK {
            let chunk = Chunk { older: self.older.take(), events: self.recent.clone() };
            self.older = Some(Arc::new(chunk));
            self.recent.clear();
        }
        let mut same_tick = self.recent.iter().rev().take_while(|other| other.tick == event.tick);
        if same_tick.all(|other| other.key() != event.key()) {
            self.recent.push(event);
        }
    }

    /// How many events may have to be looked at to add one.
    pub fn recent(&self) -> usize {
        self.recent.len()
    }

    /// All events in order.
    pub fn all(&self) -> Vec<Event> {
        let mut events = self.recent.clone();
        let mut chunk = self.older.as_ref();
        while let Some(current) = chunk {
            events.extend(&current.events);
            chunk = current.older.as_ref();
        }
        events.sort_by_key(Event::key);
        events
    }

    pub fn copy_from(&mut self, other: &History) {
        self.older.clone_from(&other.older);
        self.recent.clone_from(&other.recent);
    }
}

impl Drop for Chunk {
    /// A long history is taken apart in a loop: dropping it chunk inside chunk could use up the stack.
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(chunk) = next {
            match Arc::try_unwrap(chunk) {
                Ok(mut chunk) => next = chunk.older.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_is_a_sorted_set() {
        let event = |tick, from_avatar, passive_type| Event {
            tick,
            from_avatar,
            active_type: 1,
            passive_type,
            active_id: 1,
            passive_id: 2,
            position: (0, 0),
        };
        let mut history = History::default();
        for tick in 0..100 {
            history.add(event(tick, false, 5));
            history.add(event(tick, true, 7));
            history.add(event(tick, false, 5));
        }
        let copy = history.clone();
        let all = copy.all();
        assert_eq!(all.len(), 200);
        assert!(all[0].from_avatar && !all[1].from_avatar && all[2].tick == 1);
    }
}
