//! Running a game: one tick after the other.
//!
//! `tick.rs` is the order of things in a tick, `avatar.rs`, `update.rs` and `chase.rs` what sprites do
//! by themselves, `contacts.rs` and `collide.rs` who meets whom, `execute.rs`, `motion_effects.rs` and
//! `transform.rs` what effects do. This file has what they all use: looking at sprites of either kind, moving, creating
//! and killing.
//!
//! Three things keep ticks short. Sprites that nothing can change are in layers shared by all states.
//! Sprites that do nothing by themselves are not touched by updates: where they were, and how many
//! updates ago they moved, follows from the number of the update (the *epoch* of their type). And only
//! pairs of types that are in touch somewhere are looked at.

mod avatar;
mod chase;
mod collide;
mod common_effects;
mod contacts;
mod execute;
mod motion_effects;
mod movement;
#[cfg(test)]
mod oracle;
mod tick;
mod transform;
mod update;

use crate::data::{Data, locate, table_mask};
use crate::game::Game;
use crate::generator::Generator;
use crate::level::Level;
use crate::limits::MAX_SPRITES;
use crate::rules::{NEVER, Rules};
use crate::sprite::{NONE, Ref, Spot, Sprite, flag, span};
use crate::sprite_type::{SpriteType, Traits, TypeId};

pub(crate) use contacts::Scratch;

/// How far a tick is: before updates, at the avatar, at a position of the loop, or behind the loop.
mod phase {
    pub const IDLE: i32 = -2;
    /// The position of avatars, see [`crate::rules::Rules::update_position`].
    pub const AVATAR: i32 = -1;
    /// Below [`crate::rules::NEVER`], above every position.
    pub const EFFECTS: i32 = i32::MAX - 1;
}

/// No sprite gets further away than this many pixels; differences of positions stay small numbers.
const FAR: i32 = 1 << 28;

/// How many entries of a list that is searched from its beginning are one step.
const SCANNED_PER_STEP: usize = 16;

/// A state at work.
pub(crate) struct Engine<'a> {
    level: &'a Level,
    game: &'a Game,
    rules: &'a Rules,
    data: &'a mut Data,
    scratch: &'a mut Scratch,
    old: bool,
    phase: i32,
}

impl<'a> Engine<'a> {
    pub fn new(level: &'a Level, data: &'a mut Data, scratch: &'a mut Scratch) -> Self {
        let game: &Game = &level.game;
        Engine {
            level,
            game,
            rules: &game.rules,
            data,
            scratch,
            old: game.profile.is_old(),
            phase: phase::IDLE,
        }
    }

    #[inline(always)]
    fn kind(&self, id: TypeId) -> &'a SpriteType {
        let game = self.game;
        game.kind(id)
    }

    #[inline(always)]
    fn traits(&self, id: TypeId) -> &'a Traits {
        &self.kind(id).traits
    }

    #[inline(always)]
    fn sprite(&self, slot: u16) -> &Sprite {
        &self.data.sprites[usize::from(slot)]
    }

    #[inline(always)]
    fn sprite_mut(&mut self, slot: u16) -> &mut Sprite {
        &mut self.data.sprites[usize::from(slot)]
    }

    /// How many updates the sprites of a type have had.
    fn epoch(&self, id: TypeId) -> i32 {
        let position = self.rules.update_position[usize::from(id)];
        if position == NEVER {
            return 0;
        }
        self.data.tick + i32::from(self.phase >= position)
    }

    /// The same of a sprite whose turn has come: in its update, and in all effects.
    #[inline(always)]
    fn present_epoch(&self, sprite: &Sprite) -> i32 {
        let epoch = sprite.epoch_after(self.data.tick);
        debug_assert_eq!(epoch, self.epoch(sprite.stype));
        epoch
    }

    // Looking at sprites of either kind.

    #[inline(always)]
    fn at(&self, sprite: Ref) -> &Sprite {
        match sprite.slot() {
            Some(slot) => self.sprite(slot),
            None => &self.level.layers.sprites[sprite.layer_index().unwrap_or_default()],
        }
    }

    #[inline(always)]
    fn type_of(&self, sprite: Ref) -> TypeId {
        self.at(sprite).stype
    }

    #[inline(always)]
    fn position(&self, sprite: Ref) -> (i32, i32) {
        let sprite = self.at(sprite);
        (sprite.x, sprite.y)
    }

    /// Where it was before this tick moved it.
    fn last_position(&self, sprite: Ref) -> (i32, i32) {
        let sprite = self.at(sprite);
        let frozen = sprite.has(flag::DISABLED);
        if frozen || sprite.last_epoch == self.present_epoch(sprite) {
            (sprite.last_x, sprite.last_y)
        } else {
            (sprite.x, sprite.y)
        }
    }

    /// How far it came in this tick.
    fn displacement(&self, sprite: Ref) -> (i32, i32) {
        let (x, y) = self.position(sprite);
        let (last_x, last_y) = self.last_position(sprite);
        (x - last_x, y - last_y)
    }

    fn has(&self, sprite: Ref, flag: u8) -> bool {
        self.at(sprite).has(flag)
    }

    #[inline(always)]
    fn is_killed(&self, sprite: Ref) -> bool {
        match sprite.slot() {
            Some(slot) => self.sprite(slot).has(flag::KILLED),
            None => {
                self.scratch.count(self.scratch.killed.len() / SCANNED_PER_STEP);
                self.scratch.killed.contains(&sprite)
            }
        }
    }

    fn is_avatar(&self, sprite: Ref) -> bool {
        self.has(sprite, flag::AVATAR)
    }

    fn amount(&self, sprite: Ref, resource: Option<TypeId>) -> i32 {
        match (sprite.slot(), resource) {
            (Some(slot), Some(resource)) => self.data.amount(slot, resource),
            _ => 0,
        }
    }

    #[inline(always)]
    fn overlap(&self, a: Ref, b: Ref) -> bool {
        self.near(self.at(a), self.at(b))
    }

    #[inline(always)]
    fn near(&self, a: &Sprite, b: &Sprite) -> bool {
        let block = self.level.block;
        (a.x - b.x).abs() < block && (a.y - b.y).abs() < block
    }

    // Groups.

    /// All sprites of a type that count and collide as another.
    fn count(&self, id: TypeId) -> i32 {
        let family = &self.kind(id).family;
        self.scratch.count(1 + family.len() / SCANNED_PER_STEP);
        family.iter().map(|&member| self.data.groups[usize::from(member)].total).sum()
    }

    /// The same without dead avatars.
    fn live(&self, id: TypeId) -> i32 {
        let of = |member: TypeId| {
            let group = &self.data.groups[usize::from(member)];
            group.total - group.disabled
        };
        let family = &self.kind(id).family;
        self.scratch.count(1 + family.len() / SCANNED_PER_STEP);
        family.iter().map(|&member| of(member)).sum()
    }

    /// Adds the sprites of exactly this type to a list, in the order of the group.
    fn members(&self, id: TypeId, list: &mut Vec<Ref>) {
        let start = list.len();
        let (from, to) = self.level.layers.range[usize::from(id)];
        for index in from..to {
            if self.data.is_left(index as usize) {
                list.push(Ref::shared(index));
            }
        }
        let mixed = list.len() > start;
        let group = &self.data.groups[usize::from(id)];
        let mut slot = group.head;
        while slot != NONE {
            list.push(Ref::own(slot));
            slot = self.sprite(slot).next;
        }
        self.scratch.count(1 + list.len() - start);
        if self.old && mixed {
            let mask = table_mask(group.peak);
            list[start..].sort_by_key(|&sprite| {
                let id = self.at(sprite).id;
                (id & mask, id)
            });
        }
    }

    // Changing sprites.

    fn set_position(&mut self, slot: u16, x: i32, y: i32) {
        let epoch = self.present_epoch(self.sprite(slot));
        self.move_to(slot, x, y, epoch);
    }

    #[inline(always)]
    fn move_to(&mut self, slot: u16, x: i32, y: i32, epoch: i32) {
        let (x, y) = (x.clamp(-FAR, FAR), y.clamp(-FAR, FAR));
        let level = self.level;
        let sprite = self.sprite_mut(slot);
        if sprite.last_epoch != epoch && !sprite.has(flag::DISABLED) {
            sprite.last_epoch = epoch;
            sprite.last_x = sprite.x;
            sprite.last_y = sprite.y;
        }
        let stays = sprite.x == x && sprite.y == y;
        if !stays {
            let spot = locate(level, x, y);
            let left_or_came_back = (spot.span ^ sprite.span) & span::OUTSIDE != 0;
            (sprite.x, sprite.y, sprite.cell, sprite.span) = (x, y, spot.cell, spot.span);
            if left_or_came_back {
                self.data.outside += if spot.span & span::OUTSIDE != 0 { 1 } else { -1 };
            }
        }
        if self.old {
            self.set_row(slot, y);
        }
        if !stays && self.phase == phase::EFFECTS {
            self.scratch.moved = true;
            self.link(slot);
        }
    }

    /// Sets the y that a row in the buckets of 2015 comes from; the effect at work sees the old one.
    fn set_row(&mut self, slot: u16, y: i32) {
        let before = std::mem::replace(&mut self.sprite_mut(slot).row_y, y);
        if before != y && self.phase == phase::EFFECTS {
            self.scratch.keep_row(slot, before);
        }
    }

    fn set_last(&mut self, slot: u16, x: i32, y: i32) {
        let epoch = self.present_epoch(self.sprite(slot));
        let sprite = self.sprite_mut(slot);
        sprite.last_epoch = epoch;
        sprite.last_x = x;
        sprite.last_y = y;
    }

    /// Updates since the last move.
    fn idle_updates(&self, slot: u16) -> i32 {
        let sprite = self.sprite(slot);
        self.present_epoch(sprite).saturating_sub(sprite.moved_epoch)
    }

    fn set_idle_updates(&mut self, slot: u16, updates: i32) {
        let epoch = self.present_epoch(self.sprite(slot));
        self.sprite_mut(slot).moved_epoch = epoch.saturating_sub(updates);
    }

    /// Creates a sprite, unless there are too many or a singleton of its lineage exists.
    fn add(&mut self, id: TypeId, x: i32, y: i32, force: bool) -> Option<u16> {
        let (x, y) = (x.clamp(-FAR, FAR), y.clamp(-FAR, FAR));
        self.add_at(id, locate(self.level, x, y), force)
    }

    /// The same where another sprite is.
    fn add_on(&mut self, id: TypeId, other: Ref, force: bool) -> Option<u16> {
        self.add_at(id, self.at(other).spot(), force)
    }

    fn add_at(&mut self, id: TypeId, spot: Spot, force: bool) -> Option<u16> {
        let creatable = self.rules.templates.get(usize::from(id))?.has(flag::ALIVE);
        let too_many =
            self.data.sprite_count > MAX_SPRITES || self.data.sprites.len() >= usize::from(NONE);
        if !creatable {
            return None;
        }
        if too_many {
            self.data.refused = self.data.refused.saturating_add(1);
            return None;
        }
        let singletons = &self.rules.singletons[usize::from(id)];
        if !force && singletons.iter().any(|&ancestor| self.count(ancestor) > 0) {
            return None;
        }
        let epoch = self.epoch(id);
        if self.old {
            // Its place in the hash map is looked for from the end.
            let group = &self.data.groups[usize::from(id)];
            self.scratch.count(group.total as usize / SCANNED_PER_STEP);
        }
        let slot = self.data.create(self.level, id, spot, epoch);
        if self.phase == phase::EFFECTS {
            self.link(slot);
        }
        Some(slot)
    }

    /// Whether something happens that has a probability. Our own generator need not be asked about
    /// what is certain.
    fn chance(&mut self, probability: f64) -> bool {
        if probability >= 1.0 && matches!(self.data.random, Generator::Own(_)) {
            return true;
        }
        self.data.random.double() < probability
    }

    /// Puts a sprite on the kill list; an avatar is only disabled, unless `hard`.
    #[inline]
    fn kill(&mut self, sprite: Ref, hard: bool) {
        if let Some(slot) = sprite.slot() {
            if !hard && !self.old && self.sprite(slot).has(flag::AVATAR) {
                return self.disable(slot);
            }
            self.sprite_mut(slot).flags |= flag::KILLED;
        }
        self.scratch.killed.push(sprite);
    }

    /// A killed avatar stays in the game and does nothing any more.
    #[cold]
    fn disable(&mut self, slot: u16) {
        if self.sprite(slot).has(flag::DISABLED) {
            return;
        }
        let (x, y) = self.last_position(Ref::own(slot));
        self.set_last(slot, x, y);
        let idle = self.idle_updates(slot);
        self.set_idle_updates(slot, idle);
        let disabled = self.sprite_mut(slot);
        disabled.flags |= flag::DISABLED;
        let stype = disabled.stype;
        self.data.groups[usize::from(stype)].disabled += 1;
    }
}
