//! What sprites do by themselves in every tick.

use super::Engine;
use crate::class::Class;
use crate::direction::Direction;
use crate::generator::Generator;
use crate::sprite::{NONE, Ref, flag};
use crate::sprite_type::{SpriteType, Traits, TypeId};

impl Engine<'_> {
    /// Updates all sprites, type by type.
    pub(super) fn update_sprites(&mut self) {
        let rules = self.rules;
        for &id in &rules.update_order {
            let slot = self.data.groups[usize::from(id)].head;
            if slot == NONE {
                continue;
            }
            self.phase = rules.update_position[usize::from(id)];
            let SpriteType { class: Some(class), traits, .. } = self.kind(id) else { continue };
            let first_new = self.data.next_id;
            let spawns = matches!(class, Class::SpawnPoint | Class::SpawnPointMultiSprite);
            if spawns && self.only_waits(traits) {
                self.wait_and_spawn(slot, *class, traits, first_new);
                continue;
            }
            self.update_type(slot, *class, traits, first_new);
        }
    }

    /// Updates all sprites of a type, from the first one on.
    fn update_type(&mut self, head: u16, class: Class, traits: &Traits, first_new: u32) {
        match class {
            Class::Flicker | Class::OrientedFlicker => {
                self.each(head, first_new, |engine, slot| engine.flicker(slot, traits));
            }
            Class::Spreader => {
                self.each(head, first_new, |engine, slot| engine.spread(slot, traits));
            }
            Class::RandomMissile => self.each(head, first_new, |engine, slot| {
                if engine.sprite(slot).orientation == Direction::NIL {
                    let direction = engine.any_direction();
                    engine.sprite_mut(slot).orientation = direction;
                }
                engine.passive_of(slot, traits);
            }),
            Class::SpawnPoint | Class::Bomber | Class::SpawnPointMultiSprite => {
                self.each(head, first_new, |engine, slot| engine.spawn(slot, class, traits));
            }
            Class::RandomBomber => self.each(head, first_new, |engine, slot| {
                let direction = engine.any_direction();
                engine.move_on(slot, direction);
                engine.spawn(slot, class, traits);
            }),
            Class::BomberRandomMissile => self.each(head, first_new, |engine, slot| {
                if !traits.targets.is_empty() {
                    let choice = engine.data.random.below(traits.targets.len() as u32);
                    engine.sprite_mut(slot).spawns = traits.targets[choice as usize];
                }
                engine.spawn(slot, class, traits);
            }),
            Class::RandomNpc => self.each(head, first_new, |engine, slot| {
                engine.passive_of(slot, traits);
                let direction = engine.random_move(slot);
                engine.move_on(slot, direction);
            }),
            Class::Chaser | Class::Fleeing | Class::LosChaser => {
                self.each(head, first_new, |engine, slot| engine.chase(slot, class));
            }
            Class::PathChaser => self.each(head, first_new, Self::follow_path),
            Class::AlternateChaser => self.each(head, first_new, Self::alternate),
            Class::RandomAltChaser => self.each(head, first_new, |engine, slot| {
                if !engine.wanders(slot) {
                    engine.alternate(slot);
                }
            }),
            Class::PathAltChaser => self.each(head, first_new, Self::follow_target),
            Class::RandomPathAltChaser => self.each(head, first_new, |engine, slot| {
                if !engine.wanders(slot) {
                    engine.follow_target(slot);
                }
            }),
            _ => self.each(head, first_new, |engine, slot| engine.generic(slot, traits)),
        }
    }

    /// Calls for all sprites of a group, from the first one on.
    #[inline(always)]
    fn each(&mut self, head: u16, first_new: u32, action: impl Fn(&mut Self, u16)) {
        let mut slot = head;
        while slot != NONE {
            // The next one is fixed before this one acts, as Java's iterators do.
            let sprite = self.sprite(slot);
            let (own, is_new) = (slot, sprite.id >= first_new);
            slot = sprite.next;
            self.scratch.count(1);
            if self.scratch.is_exhausted() {
                return;
            }
            if is_new {
                if !self.old {
                    continue;
                }
                // A hash map of 2015 may show sprites that were added while it is walked through.
                let idle = self.idle_updates(own);
                self.set_idle_updates(own, idle.saturating_add(1));
            }
            action(self, own);
        }
    }

    #[inline]
    fn generic(&mut self, slot: u16, traits: &Traits) {
        self.passive_of(slot, traits);
        if traits.time_to_live >= 0 {
            self.grow_old(slot);
        }
    }

    fn grow_old(&mut self, slot: u16) {
        let remaining = self.sprite(slot).time_to_live;
        if remaining > 0 {
            self.sprite_mut(slot).time_to_live -= 1;
        } else if remaining == 0 {
            self.kill(Ref::own(slot), false);
        }
    }

    pub(super) fn any_direction(&mut self) -> Direction {
        Direction::BASE[self.data.random.below(4) as usize]
    }

    pub(super) fn move_on(&mut self, slot: u16, direction: Direction) {
        let speed = self.sprite(slot).speed;
        self.active(slot, direction, speed);
    }

    /// A direction that is kept for some ticks.
    pub(super) fn random_move(&mut self, slot: u16) -> Direction {
        let sprite = self.sprite(slot);
        if !self.old && sprite.counter < self.traits(sprite.stype).cons {
            let kept = sprite.memory;
            self.sprite_mut(slot).counter += 1;
            return usize::try_from(kept).map_or(Direction::NONE, |index| Direction::BASE[index]);
        }
        let index = self.data.random.below(4);
        let sprite = self.sprite_mut(slot);
        sprite.memory = index as i32;
        sprite.counter = 0;
        Direction::BASE[index as usize]
    }

    #[inline]
    fn flicker(&mut self, slot: u16, traits: &Traits) {
        self.generic(slot, traits);
        let sprite = self.sprite_mut(slot);
        let age = sprite.counter;
        sprite.counter += 1;
        if age > traits.limit {
            self.kill(Ref::own(slot), false);
        }
    }

    fn spread(&mut self, slot: u16, traits: &Traits) {
        self.flicker(slot, traits);
        let sprite = *self.sprite(slot);
        if sprite.counter != 2 {
            return;
        }
        let (x, y) = self.last_position(Ref::own(slot));
        let block = self.level.block;
        for direction in Direction::BASE {
            if self.data.random.double() < traits.spread_prob {
                let new = traits.targets.first().copied().unwrap_or(sprite.stype);
                let (dx, dy) = (direction.x as i32 * block, direction.y as i32 * block);
                self.add(new, x + dx, y + dy, false);
            }
        }
    }

    #[inline]
    fn spawn(&mut self, slot: u16, class: Class, traits: &Traits) {
        let tick = self.data.tick;
        let sprite = self.sprite_mut(slot);
        if sprite.memory == -1 {
            sprite.memory = tick;
        }
        let start = sprite.memory;
        let due = traits.cooldown == 1
            || (if self.old { tick } else { start + tick }).checked_rem(traits.cooldown) == Some(0);
        // Our own generator need not be asked when the answer does not matter.
        let asks = due || !matches!(self.data.random, Generator::Own(_));
        let lucky = asks && self.data.random.float() < traits.prob;
        if due && lucky {
            self.spawn_all(slot, class, traits);
        }
        self.generic(slot, traits);
        if traits.total > 0 && self.sprite(slot).counter >= traits.total {
            self.kill(Ref::own(slot), false);
        }
    }

    /// Whether spawners with these values do nothing in an update but spawn, at chances that our own
    /// generator decides.
    fn only_waits(&self, traits: &Traits) -> bool {
        let is_idle = traits.is_static && traits.time_to_live < 0 && traits.total <= 0;
        is_idle && !self.old && matches!(self.data.random, Generator::Own(_))
    }

    /// The update of such spawners: there can be many, and mostly nothing happens.
    fn wait_and_spawn(&mut self, mut slot: u16, class: Class, traits: &Traits, first_new: u32) {
        let tick = self.data.tick;
        while slot != NONE {
            let sprite = self.sprite_mut(slot);
            let (own, is_new) = (slot, sprite.id >= first_new);
            slot = sprite.next;
            if is_new {
                continue;
            }
            if sprite.memory == -1 {
                sprite.memory = tick;
            }
            let due = traits.cooldown == 1 || (sprite.memory + tick) % traits.cooldown == 0;
            if due && self.data.random.float() < traits.prob {
                self.spawn_all(own, class, traits);
                if self.scratch.is_exhausted() {
                    return;
                }
            }
        }
    }

    fn spawn_all(&mut self, slot: u16, class: Class, traits: &Traits) {
        if class == Class::SpawnPointMultiSprite {
            self.scratch.count(traits.targets.len());
            for &id in &traits.targets {
                self.spawn_one(slot, id);
            }
        } else {
            self.spawn_one(slot, self.sprite(slot).spawns);
        }
    }

    fn spawn_one(&mut self, slot: u16, id: TypeId) {
        let sprite = *self.sprite(slot);
        let added = self.add_at(id, sprite.spot(), false);
        if added.is_some() || self.old {
            self.sprite_mut(slot).counter += 1;
        }
        if let (Some(added), false) = (added, self.old) {
            let given = self.traits(sprite.stype).spawn_orientation;
            let new = self.sprite_mut(added);
            if !given.is_none() {
                new.orientation = given;
            } else if new.orientation.is_none() {
                new.orientation = sprite.orientation;
            }
        }
    }

    /// Whether a sprite is on its way to be removed, or dead.
    pub(super) fn is_gone(&self, slot: u16) -> bool {
        self.sprite(slot).has(flag::KILLED | flag::DISABLED)
    }
}
