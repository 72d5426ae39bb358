//! Movement on the grid, in whole pixels.

use super::Engine;
use crate::direction::Direction;
use crate::sprite::flag;
use crate::sprite_type::Traits;

/// What came of an attempt to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Movement {
    Still,
    Rotated,
    Moved,
}

impl Engine<'_> {
    /// Moves by `pixels` pixels if the cooldown is over.
    pub(super) fn step(&mut self, slot: u16, direction: Direction, pixels: i32) -> bool {
        let traits = self.traits(self.sprite(slot).stype);
        self.step_of(slot, traits, direction, pixels)
    }

    #[inline]
    fn step_of(&mut self, slot: u16, traits: &Traits, direction: Direction, pixels: i32) -> bool {
        let sprite = self.sprite(slot);
        let epoch = self.present_epoch(sprite);
        let idle = epoch.saturating_sub(sprite.moved_epoch);
        if traits.cooldown > idle || direction.is_none() {
            return false;
        }
        let pixels = if pixels == 0 { sprite.speed as i32 } else { pixels };
        if pixels == 0 {
            return false;
        }
        let (dx, dy) = if self.old {
            ((direction.x as i32) * pixels, (direction.y as i32) * pixels)
        } else {
            ((direction.x * f64::from(pixels)) as i32, (direction.y * f64::from(pixels)) as i32)
        };
        let (x, y) = (sprite.x.saturating_add(dx), sprite.y.saturating_add(dy));
        self.sprite_mut(slot).moved_epoch = epoch;
        self.move_to(slot, x, y, epoch);
        true
    }

    /// Movement along the orientation, without anybody's will.
    pub(super) fn passive(&mut self, slot: u16) {
        let traits = self.traits(self.sprite(slot).stype);
        self.passive_of(slot, traits);
    }

    #[inline]
    pub(super) fn passive_of(&mut self, slot: u16, traits: &Traits) {
        if traits.is_static || traits.only_active {
            return;
        }
        let block = self.level.block;
        let sprite = self.sprite_mut(slot);
        if sprite.has(flag::FIRST_TICK) {
            sprite.flags &= !flag::FIRST_TICK;
            return;
        }
        let speed = if sprite.speed == -1.0 { 1.0 } else { sprite.speed };
        if speed != 0.0 && sprite.has(flag::ORIENTED) {
            let (orientation, pixels) = (sprite.orientation, (speed * f64::from(block)) as i32);
            self.step_of(slot, traits, orientation, pixels);
        }
    }

    /// Movement in a chosen direction; a speed of 0 means the sprite's own.
    pub(super) fn active(&mut self, slot: u16, direction: Direction, speed: f64) -> Movement {
        let sprite = self.sprite(slot);
        let traits = self.traits(sprite.stype);
        if direction.is_none() || traits.stationary {
            return Movement::Still;
        }
        let speed = if speed != 0.0 {
            speed
        } else if sprite.speed == 0.0 || !self.old && sprite.speed < 0.0 {
            1.0
        } else {
            sprite.speed
        };
        if traits.rotate_in_place && self.turn(slot, direction) {
            return Movement::Rotated;
        }
        let pixels = (speed * f64::from(self.level.block)) as i32;
        if self.step_of(slot, traits, direction, pixels) {
            Movement::Moved
        } else {
            Movement::Still
        }
    }

    /// Looks into a direction; says whether that is new.
    pub(super) fn turn(&mut self, slot: u16, direction: Direction) -> bool {
        let sprite = self.sprite_mut(slot);
        if !sprite.has(flag::ORIENTED) || sprite.orientation == direction {
            return false;
        }
        sprite.orientation = direction;
        true
    }
}
