//! Sprites that become other sprites.

use super::{Engine, SCANNED_PER_STEP};
use crate::effect::Transform;
use crate::sprite::{Ref, flag};
use crate::sprite_type::TypeId;

/// A sprite is made, given what the old one has, and entered where it meets others.
const STEPS_OF_TRANSFORMATION: usize = 8;

impl Engine<'_> {
    /// Makes a sprite of another type where one is, and removes that.
    pub(super) fn transform(
        &mut self,
        first: Ref,
        second: Option<Ref>,
        into: TypeId,
        force: bool,
        options: Transform,
    ) {
        self.scratch.count(STEPS_OF_TRANSFORMATION);
        let Some(new) = self.add_on(into, first, force) else { return };
        let orientation = self.at(first).orientation;
        let both = self.sprite(new).has(flag::ORIENTED) && self.has(first, flag::ORIENTED);
        let free = self.old || self.sprite(new).orientation.is_none();
        if options.force_orientation || both && free {
            self.sprite_mut(new).orientation = orientation;
        }
        self.hand_over(first, new);
        let mut hard = true;
        if self.is_avatar(first) {
            if self.is_avatar(Ref::own(new)) {
                self.data.avatar = new;
            } else {
                hard = false;
            }
        }
        if !self.old {
            self.sprite_mut(new).health = self.at(first).health;
        }
        self.kill(first, hard);
        if options.kill_second
            && let Some(second) = second
        {
            self.kill(second, true);
        }
    }

    /// Where it came from and what it holds go to the new sprite.
    fn hand_over(&mut self, from: Ref, new: u16) {
        let (x, y) = self.last_position(from);
        self.set_last(new, x, y);
        if let Some(slot) = from.slot() {
            self.scratch.count(self.data.resources.len() / SCANNED_PER_STEP);
            for index in 0..self.data.resources.len() {
                let held = self.data.resources[index];
                if held.slot() == slot {
                    self.data.change_amount(new, held.resource(), held.amount);
                }
            }
        }
    }

    /// `transformToSingleton`: the sprites that were chosen before become something else.
    pub(super) fn transform_to_singleton(
        &mut self,
        first: Ref,
        second: Ref,
        into: TypeId,
        other: TypeId,
        take_orientation: bool,
    ) {
        let mut chosen_before = Vec::new();
        self.members(into, &mut chosen_before);
        for sprite in chosen_before {
            if let Some(new) = self.add_on(other, sprite, false) {
                self.replace(sprite, new);
            }
        }
        if let Some(new) = self.add_on(into, first, false) {
            self.replace(first, new);
            if take_orientation {
                let orientation = self.at(second).orientation.reversed();
                let sprite = self.sprite_mut(new);
                sprite.flags |= flag::ORIENTED;
                sprite.orientation = orientation;
            }
        }
    }

    fn replace(&mut self, old: Ref, new: u16) {
        if self.sprite(new).has(flag::ORIENTED) && self.has(old, flag::ORIENTED) {
            self.sprite_mut(new).orientation = self.at(old).orientation;
        }
        self.hand_over(old, new);
        let mut hard = true;
        if self.is_avatar(old) {
            if self.is_avatar(Ref::own(new)) {
                self.data.avatar = new;
            } else {
                hard = false;
            }
        }
        self.kill(old, hard);
    }
}
