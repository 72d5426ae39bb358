//! What effects do.

use super::{Engine, SCANNED_PER_STEP};
use crate::data::{Timer, TimerSource};
use crate::direction::Direction;
use crate::effect::{Effect, Kind};
use crate::event::Event;
use crate::sprite::{Ref, flag};
use crate::sprite_type::TypeId;

/// Whether the score of the line counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Score,
    NoScore,
    /// Another score instead.
    Instead(i32),
}

impl Outcome {
    pub fn when(condition: bool) -> Outcome {
        if condition { Outcome::Score } else { Outcome::NoScore }
    }
}

impl Engine<'_> {
    /// Executes an effect of the table on two sprites and counts its score.
    #[inline(always)]
    pub(super) fn execute_meeting(&mut self, number: u16, first: Ref, second: Ref) {
        let effect = &self.game.interactions.effects[usize::from(number)];
        self.count_effect();
        let outcome = self.execute_common(effect, number, first, second);
        self.score(effect, outcome);
    }

    /// Counts the steps of an effect. Most look for what a sprite holds.
    #[inline(always)]
    fn count_effect(&self) {
        self.scratch.count(1 + self.data.resources.len() / SCANNED_PER_STEP);
    }

    /// The most common effects have the shortest way.
    #[inline(always)]
    fn execute_common(&mut self, effect: &Effect, number: u16, first: Ref, second: Ref) -> Outcome {
        match &effect.kind {
            Kind::KillSprite => {
                self.kill(first, false);
                Outcome::Score
            }
            Kind::StepBack { pixel_perfect: false } => self.step_back(first),
            Kind::ChangeResource { .. } => self.change_resource(effect, first, second),
            Kind::KillIfOtherHasMore { .. } => self.kill_if_other_has_more(effect, first, second),
            Kind::Spawn { .. } => self.spawn_there(effect, first),
            Kind::SpawnIfHasMore { .. } => self.spawn_if_has_more(effect, first),
            _ => self.execute_binary(effect, number, first, second),
        }
    }

    pub(super) fn score(&mut self, effect: &Effect, outcome: Outcome) {
        let change = match outcome {
            Outcome::Score => effect.score,
            Outcome::NoScore => 0,
            Outcome::Instead(other) => other,
        };
        self.data.score = self.data.score.saturating_add(change);
    }

    /// Records that two sprites met, if one of them is the avatar or comes from it.
    #[inline(never)]
    pub(super) fn record_event(&mut self, first: Ref, second: Ref) {
        let (a, b) = (self.at(first), self.at(second));
        let (active, passive, from_avatar) = if a.has(flag::AVATAR) {
            (a, b, false)
        } else if a.has(flag::FROM_AVATAR) {
            (a, b, true)
        } else if b.has(flag::AVATAR) {
            (b, a, false)
        } else if b.has(flag::FROM_AVATAR) {
            (b, a, true)
        } else {
            return;
        };
        let event = Event {
            tick: self.data.tick,
            from_avatar,
            active_type: active.stype,
            passive_type: passive.stype,
            active_id: active.id,
            passive_id: passive.id,
            position: (active.x, active.y),
        };
        self.scratch.count(self.data.history.recent() / SCANNED_PER_STEP);
        self.data.history.add(event);
    }

    /// Executes an effect. At the edge of the screen and by a timer there is no second sprite, and by
    /// a timer of `addTimer` no first one either; effects that need one then do nothing.
    pub(super) fn execute(
        &mut self,
        effect: &Effect,
        number: u16,
        first: Option<Ref>,
        second: Option<Ref>,
    ) -> Outcome {
        self.count_effect();
        match (first, second) {
            (Some(first), Some(second)) => self.execute_binary(effect, number, first, second),
            (Some(first), None) => self.execute_unary(effect, number, first, None),
            (None, _) => self.execute_alone(effect, number, None, second),
        }
    }

    /// Effects that need both sprites.
    fn execute_binary(&mut self, effect: &Effect, number: u16, first: Ref, second: Ref) -> Outcome {
        match &effect.kind {
            Kind::KillBoth => {
                self.kill(first, false);
                self.kill(second, false);
            }
            Kind::KillIfOtherHasMore { .. } => {
                return self.kill_if_other_has_more(effect, first, second);
            }
            Kind::KillIfFromAbove => {
                let block = self.level.block;
                let margin = if self.old { 0 } else { block / 2 };
                let above = self.last_position(first).1 > self.last_position(second).1 + margin;
                let falls = self.displacement(second).1 > 0;
                if above && falls {
                    self.kill(first, false);
                } else {
                    return Outcome::when(self.old);
                }
            }
            Kind::KillIfFrontal | Kind::KillIfNotFrontal => {
                let of = |(x, y): (i32, i32)| Direction::of_displacement(x, y);
                let (a, b) = (of(self.displacement(first)), of(self.displacement(second)));
                let opposite = a.x + b.x == 0.0 && a.y + b.y == 0.0;
                let wanted = matches!(effect.kind, Kind::KillIfFrontal);
                if !a.is_none() && opposite != wanted {
                    return Outcome::NoScore;
                }
                self.kill(first, false);
            }
            Kind::KillIfAlive => {
                if !self.is_killed(second) {
                    self.kill(first, false);
                }
            }
            Kind::KillIfFast { limit } | Kind::KillIfSlow { limit } => {
                let speed = self.relative_speed(first, second);
                let fast = matches!(effect.kind, Kind::KillIfFast { .. });
                if fast && speed > *limit || !fast && speed < *limit {
                    self.kill(first, false);
                }
            }
            Kind::TransformIfCount { stype, counted, at_least, at_most, otherwise, options } => {
                let count = self.count(*counted);
                if (*at_least..=*at_most).contains(&count) {
                    self.transform(first, Some(second), *stype, true, *options);
                } else {
                    if let Some(other) = otherwise {
                        self.transform(first, Some(second), *other, true, *options);
                    }
                    return Outcome::NoScore;
                }
            }
            Kind::TransformToSingleton { stype, other, take_orientation } => {
                self.transform_to_singleton(first, second, *stype, *other, *take_orientation);
            }
            Kind::BounceForward => self.bounce_forward(first, second),
            Kind::PullWithIt { pixel_perfect, memory } => {
                self.pull(first, second, *pixel_perfect, *memory);
            }
            Kind::AttractGaze { align } => self.attract(first, second, *align, effect.prob),
            Kind::Align { orient } => {
                if let Some(slot) = first.slot() {
                    if *orient {
                        self.sprite_mut(slot).orientation = self.at(second).orientation;
                    }
                    let (x, y) = self.position(second);
                    self.set_position(slot, x, y);
                }
            }
            Kind::TeleportToExit => self.teleport(first, second),
            Kind::CollectResource { kill } => return self.collect(first, second, *kill),
            Kind::CollectResourceIfHeld { held, value, kill } => {
                let kind = self.type_of(first);
                let traits = self.traits(kind);
                if !traits.is_resource {
                    return Outcome::Score;
                }
                let Some(slot) = second.slot() else { return Outcome::NoScore };
                if self.data.amount(slot, *held) < *value {
                    return Outcome::NoScore;
                }
                let have = self.data.amount(slot, kind);
                let fits = have.saturating_add(traits.value) <= traits.resource_limit;
                if fits {
                    self.data.change_amount(slot, kind, traits.value);
                }
                if *kill {
                    self.kill(first, false);
                }
                return Outcome::when(fits);
            }
            Kind::ChangeResource { .. } => return self.change_resource(effect, first, second),
            Kind::WallStop => self.wall_stop(first, second),
            Kind::BounceDirection { max_angle } => self.bounce_direction(first, second, *max_angle),
            Kind::SpawnBehind { stype } => {
                if self.chance(effect.prob)
                    && let Some((x, y)) = self.place_behind(second)
                {
                    self.add(*stype, x, y, false);
                }
            }
            Kind::SpawnBeside { stype, x, y, step_back } => {
                if self.chance(effect.prob) {
                    let from = if *step_back {
                        self.place_behind(second)
                    } else {
                        Some(self.position(second))
                    };
                    if let Some((from_x, from_y)) = from {
                        let block = self.level.block;
                        self.add(*stype, from_x + x * block, from_y + y * block, false);
                    }
                }
            }
            _ => return self.execute_unary(effect, number, first, Some(second)),
        }
        Outcome::Score
    }

    /// Effects that can do without a second sprite.
    fn execute_unary(
        &mut self,
        effect: &Effect,
        number: u16,
        first: Ref,
        second: Option<Ref>,
    ) -> Outcome {
        match &effect.kind {
            Kind::StepBack { pixel_perfect } => match (first.slot(), second) {
                (Some(slot), Some(second)) if *pixel_perfect => {
                    let (x, y) = self.flush(first, second);
                    self.set_position(slot, x, y);
                }
                _ => return self.step_back(first),
            },
            Kind::KillSprite => self.kill(first, false),
            Kind::KillIfHasLess { resource, limit } => {
                if self.amount(first, *resource) > *limit {
                    return Outcome::NoScore;
                }
                self.kill(first, false);
            }
            Kind::KillIfHasMore { resource, limit } => {
                if self.amount(first, *resource) < *limit {
                    return Outcome::NoScore;
                }
                self.kill(first, false);
            }
            Kind::TransformTo { stype, options } => {
                let alive = !self.has(first, flag::DISABLED);
                if alive {
                    self.transform(first, second, *stype, false, *options);
                }
            }
            Kind::TransformToRandomChild { children, options } => {
                let count = children.len() as u32;
                if count > 0 {
                    let choice = self.data.random.below(count);
                    self.transform(first, second, children[choice as usize], false, *options);
                }
            }
            Kind::ReverseDirection => self.reverse(first),
            Kind::FlipDirection => {
                let direction = self.any_direction();
                if let Some(slot) = first.slot() {
                    self.sprite_mut(slot).orientation = direction;
                }
            }
            Kind::TurnAround => self.turn_around(first),
            Kind::WrapAround { offset } => self.wrap_around(first, *offset),
            Kind::AddHealthPoints { value, kill_second } => {
                let Some(slot) = first.slot() else { return Outcome::NoScore };
                let limit = self.traits(self.sprite(slot).stype).limit_health;
                let sprite = self.sprite_mut(slot);
                let sum = sprite.health.saturating_add(*value);
                if sum >= limit {
                    return Outcome::NoScore;
                }
                sprite.health = sum;
                sprite.max_health = sprite.max_health.max(sum);
                if let Some(second) = second.filter(|_| *kill_second) {
                    self.kill(second, false);
                }
            }
            Kind::AddHealthPointsToMax { value, kill_second } => {
                let Some(slot) = first.slot() else { return Outcome::Score };
                let limit = self.traits(self.sprite(slot).stype).limit_health;
                let sprite = self.sprite_mut(slot);
                sprite.health = sprite.health.saturating_add(*value).min(limit);
                sprite.max_health = sprite.max_health.max(sprite.health);
                if let Some(second) = second.filter(|_| *kill_second) {
                    self.kill(second, false);
                }
            }
            Kind::Spawn { .. } => return self.spawn_there(effect, first),
            Kind::SpawnIfHasMore { .. } => return self.spawn_if_has_more(effect, first),
            Kind::SpawnIfHasLess { resource, limit, stype } => {
                if !self.chance(effect.prob) || self.amount(first, *resource) > *limit {
                    return Outcome::NoScore;
                }
                self.add_on(*stype, first, false);
            }
            Kind::SpawnIfCounterSubTypes { stype, otherwise, counted, subtypes, limit } => {
                let present = self.types_present(*counted) / 2;
                let met = self.live(*counted) == *limit && present == *subtypes;
                self.add_on(if met { *stype } else { *otherwise }, first, false);
                return Outcome::when(met);
            }
            Kind::HalfSpeed => {
                if let Some(slot) = first.slot() {
                    self.sprite_mut(slot).speed *= 0.5;
                }
            }
            Kind::CloneSprite => {
                self.add_on(self.type_of(first), first, false);
            }
            Kind::ShieldFrom { stype, effect } => {
                let shield = (self.type_of(first), *stype, *effect);
                self.scratch.count(self.scratch.shields.len() / SCANNED_PER_STEP);
                if !self.scratch.shields.contains(&shield) {
                    self.scratch.shields.push(shield);
                }
            }
            _ => return self.execute_alone(effect, number, Some(first), second),
        }
        Outcome::Score
    }

    /// Effects that can do without any sprite.
    fn execute_alone(
        &mut self,
        effect: &Effect,
        number: u16,
        first: Option<Ref>,
        second: Option<Ref>,
    ) -> Outcome {
        match &effect.kind {
            Kind::UndoAll { except } => self.undo_all(except),
            Kind::KillAll { stype } => {
                let mut all = Vec::new();
                self.members(*stype, &mut all);
                for sprite in all {
                    self.kill(sprite, false);
                }
            }
            Kind::TransformToAll { stype, to, options } => {
                let mut all = Vec::new();
                self.members(*stype, &mut all);
                for sprite in all {
                    self.transform(sprite, second, *to, true, *options);
                }
            }
            Kind::SubtractHealthPoints { value, limit, stype, score_if_killed } => {
                let target = match stype {
                    Some(stype) => self.first_of_last_family(*stype).or(first),
                    None => first,
                };
                let Some(slot) = target.and_then(Ref::slot) else { return Outcome::Score };
                let sprite = self.sprite_mut(slot);
                sprite.health = sprite.health.saturating_sub(*value);
                if sprite.health <= *limit {
                    self.kill(Ref::own(slot), false);
                    return Outcome::Instead(*score_if_killed);
                }
            }
            Kind::SetSpeedForAll { stype, value } => self.each_speed(*stype, |_| *value),
            Kind::IncreaseSpeedToAll { stype, value } => self.each_speed(*stype, |old| old + value),
            Kind::DecreaseSpeedToAll { stype, value } => {
                self.each_speed(*stype, |old| (old - value).max(0.0));
            }
            Kind::UpdateSpawnType { stype, spawn_point } if second.is_some() => {
                self.update_spawn_type(*stype, *spawn_point);
            }
            Kind::UpdateSpawnType { .. } => {}
            Kind::RemoveScore { stype, kill_second } => {
                let hit = match stype {
                    None => first.is_some_and(|first| self.is_avatar(first)),
                    Some(stype) => {
                        let group = &self.data.groups[usize::from(*stype)];
                        self.kind(*stype).is_avatar() && group.total > 0
                    }
                };
                if hit {
                    self.data.score = 0;
                    if let Some(second) = second.filter(|_| *kill_second) {
                        self.kill(second, true);
                    }
                }
            }
            Kind::AddTimer { timer, .. } => {
                let next = self.data.tick.saturating_add(*timer);
                self.scratch.count(self.data.timers.len() / SCANNED_PER_STEP);
                self.data.add_timer(Timer { next, source: TimerSource::Added(number) });
            }
            // All others need sprites and do nothing without them.
            _ => {}
        }
        Outcome::Score
    }

    /// How many types of a family have sprites that are not disabled, each counted with its family.
    pub(super) fn types_present(&self, id: TypeId) -> i32 {
        self.kind(id).family.iter().filter(|&&member| self.live(member) > 0).count() as i32
    }

    /// The first sprite of the last type of a family that has any.
    fn first_of_last_family(&self, id: TypeId) -> Option<Ref> {
        let mut list = Vec::new();
        for &member in self.kind(id).family.iter().rev() {
            self.members(member, &mut list);
            if let Some(&first) = list.first() {
                return Some(first);
            }
        }
        None
    }

    fn each_speed(&mut self, id: TypeId, change: impl Fn(f64) -> f64) {
        let mut list = Vec::new();
        for &member in &self.kind(id).family {
            self.members(member, &mut list);
        }
        for slot in list.into_iter().filter_map(Ref::slot) {
            let sprite = self.sprite_mut(slot);
            sprite.speed = change(sprite.speed);
        }
    }

    fn update_spawn_type(&mut self, stype: TypeId, spawn_point: TypeId) {
        let mut list = Vec::new();
        for &member in &self.kind(spawn_point).family {
            self.members(member, &mut list);
        }
        for slot in list.into_iter().filter_map(Ref::slot) {
            self.sprite_mut(slot).spawns = stype;
        }
    }

    fn relative_speed(&self, first: Ref, second: Ref) -> f64 {
        if self.traits(self.type_of(first)).is_static {
            self.at(second).speed
        } else if self.traits(self.type_of(second)).is_static {
            self.at(first).speed
        } else {
            let (a, b) = (self.at(first).orientation, self.at(second).orientation);
            Direction { x: a.x - b.x, y: a.y - b.y }.length()
        }
    }

    fn collect(&mut self, first: Ref, second: Ref, kill: bool) -> Outcome {
        let resource = self.type_of(first);
        let traits = self.traits(resource);
        if !traits.is_resource {
            return Outcome::Score;
        }
        let limit = traits.resource_limit;
        let have = self.amount(second, Some(resource));
        let fits = if self.old { have.saturating_add(traits.value) <= limit } else { have < limit };
        if !fits {
            return Outcome::when(self.old);
        }
        if let Some(slot) = second.slot() {
            let more = if self.old { traits.value } else { traits.value.min(limit - have) };
            self.data.change_amount(slot, resource, more);
        }
        if kill {
            self.kill(first, true);
        }
        Outcome::Score
    }
}
