//! What the player's action does.

use super::Engine;
use super::movement::Movement;
use crate::action::{self, Action};
use crate::class::Class;
use crate::direction::Direction;
use crate::sprite::{NONE, Ref, flag};
use crate::sprite_type::TypeId;

impl Engine<'_> {
    pub(super) fn update_avatar(&mut self, action: Action) {
        let slot = self.data.avatar;
        if slot == NONE || self.sprite(slot).has(flag::DISABLED) {
            return;
        }
        let Some(class) = self.kind(self.sprite(slot).stype).class else { return };
        // Unlike the forward model of the reference framework its real games replace actions that
        // the avatar does not have; so do we everywhere.
        let listed = action::of_class(class).contains(&action);
        let action = if listed { action } else { Action::Nil };
        self.data.last_action = action;
        let direction = action.direction();
        let speed = self.sprite(slot).speed;
        match class {
            Class::FlakAvatar => {
                let movement = self.active(slot, direction, speed);
                if action == Action::Use && (self.old || movement == Movement::Still) {
                    self.drop_shot(slot);
                }
            }
            Class::OrientedAvatar | Class::ShootAvatar => {
                let movement = self.active(slot, direction, speed);
                if movement == Movement::Moved {
                    let (x, y) = self.displacement(Ref::own(slot));
                    self.sprite_mut(slot).orientation = Direction::of_displacement(x, y);
                }
                let may_use = self.old || movement == Movement::Still;
                if class == Class::ShootAvatar && action == Action::Use && may_use {
                    self.shoot_first(slot);
                }
            }
            Class::ShootOnlyAvatar => {
                let list = action::of_class(class);
                if let Some(weapon) = list.iter().position(|&other| other == action)
                    && weapon < self.traits(self.sprite(slot).stype).targets.len()
                    && self.has_ammo(slot, weapon)
                {
                    self.shoot(slot, weapon);
                }
            }
            Class::MissileAvatar => self.passive(slot),
            Class::OngoingAvatar => {
                if !direction.is_none() {
                    self.turn(slot, direction);
                }
                self.passive(slot);
            }
            Class::OngoingShootAvatar => {
                if !direction.is_none() {
                    self.turn(slot, direction);
                }
                self.passive(slot);
                if action == Action::Use {
                    self.shoot_first(slot);
                }
            }
            Class::OngoingTurningAvatar => self.turning(slot, direction),
            _ => {
                self.active(slot, direction, speed);
            }
        }
    }

    fn turning(&mut self, slot: u16, direction: Direction) {
        let facing = self.sprite(slot).orientation;
        let orthogonal = direction.x * facing.x + direction.y * facing.y == 0.0;
        if !direction.is_none() && orthogonal {
            self.turn(slot, direction);
        }
        self.passive(slot);
        let avatar = Ref::own(slot);
        let (dx, dy) = self.displacement(avatar);
        if dx.abs() >= self.level.block || dy.abs() >= self.level.block {
            let (x, y) = self.last_position(avatar);
            // Without `spawnBehind` the framework drops walls: their type is number 0.
            let sprite = self.sprite(slot);
            let knows = self.data.trail_keeper == Some(sprite.id);
            let dropped = self.traits(sprite.stype).targets.first().filter(|_| knows).copied();
            self.add(dropped.unwrap_or(0), x, y, false);
        }
    }

    fn drop_shot(&mut self, slot: u16) {
        let sprite = *self.sprite(slot);
        let traits = self.traits(sprite.stype);
        let ammo = traits.ammo.first().copied();
        if let Some(ammo) = ammo {
            let needed = if traits.min_ammo > -1 { traits.min_ammo } else { 0 };
            if self.data.held(slot, ammo).is_none_or(|held| held.amount <= needed) {
                return;
            }
        }
        let Some(&shot) = traits.targets.first() else { return };
        if let Some(added) = self.add_at(shot, sprite.spot(), false) {
            self.sprite_mut(added).flags |= flag::FROM_AVATAR;
            if let Some(ammo) = ammo {
                let amount = self.data.amount(slot, ammo).saturating_sub(traits.ammo_cost);
                self.data.set_amount(slot, ammo, amount);
            }
        }
    }

    fn shoot_first(&mut self, slot: u16) {
        let weapons = self.traits(self.sprite(slot).stype).targets.len();
        if let Some(weapon) = (0..weapons).find(|&weapon| self.has_ammo(slot, weapon)) {
            self.shoot(slot, weapon);
        }
    }

    fn ammo_of(&self, slot: u16, weapon: usize) -> Option<TypeId> {
        self.traits(self.sprite(slot).stype).ammo.get(weapon).copied()
    }

    fn has_ammo(&self, slot: u16, weapon: usize) -> bool {
        self.ammo_of(slot, weapon).is_none_or(|ammo| self.data.amount(slot, ammo) > 0)
    }

    fn shoot(&mut self, slot: u16, weapon: usize) {
        let sprite = *self.sprite(slot);
        let direction = sprite.orientation.normalised();
        let block = f64::from(self.level.block);
        let x = (f64::from(sprite.x) + direction.x * block) as i32;
        let y = (f64::from(sprite.y) + direction.y * block) as i32;
        let shot = self.traits(sprite.stype).targets[weapon];
        let Some(added) = self.add(shot, x, y, false) else { return };
        let new = self.sprite_mut(added);
        if new.has(flag::ORIENTED) {
            new.orientation = direction;
        }
        new.flags |= flag::FROM_AVATAR;
        if let Some(ammo) = self.ammo_of(slot, weapon)
            && let Some(held) = self.data.held(slot, ammo)
        {
            self.data.set_amount(slot, ammo, held.amount - 1);
        }
    }
}
