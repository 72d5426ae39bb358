//! Characters that look for others: chasing, fleeing, following paths.

use super::{Engine, SCANNED_PER_STEP};
use crate::class::Class;
use crate::data::{PathMemory, Target};
use crate::direction::Direction;
use crate::sprite::Ref;
use crate::sprite_type::TypeId;

impl Engine<'_> {
    fn distance(&self, slot: u16, other: Ref) -> i32 {
        let sprite = self.sprite(slot);
        let (x, y) = self.position(other);
        (sprite.x - x).abs() + (sprite.y - y).abs()
    }

    /// Keeps the nearest of the candidates, all of them if several are equally near.
    fn keep_nearest(&self, slot: u16, candidates: &mut Vec<Ref>) {
        // The distance of each is computed several times.
        self.scratch.count(candidates.len() * 4);
        let nearest = candidates.iter().map(|&other| self.distance(slot, other)).min();
        candidates.retain(|&other| Some(self.distance(slot, other)) == nearest);
    }

    /// The sprites of a type, or if there are none those of its family.
    fn candidates(&self, id: TypeId, list: &mut Vec<Ref>) {
        self.members(id, list);
        if list.is_empty() && !self.old {
            for &member in &self.kind(id).family {
                self.members(member, list);
            }
        }
    }

    /// Moves one step nearer to (or away from) one of the targets; the choice is drawn.
    fn choose_towards(
        &mut self,
        slot: u16,
        targets: &[Ref],
        fleeing: bool,
        reach: f64,
    ) -> Option<Direction> {
        let (x, y) = (self.sprite(slot).x, self.sprite(slot).y);
        // Per target at most 4 directions; which ones depends on the signs of the differences only.
        let mut total = 0;
        for round in 0..2 {
            let mut wanted =
                if round == 1 { self.data.random.below(total) as i32 } else { i32::MAX };
            for &target in targets {
                let distance = self.distance(slot, target);
                if reach != -1.0 && f64::from(distance) > reach {
                    continue;
                }
                let (target_x, target_y) = self.position(target);
                for direction in Direction::BASE {
                    let nx = x + direction.x as i32;
                    let ny = y + direction.y as i32;
                    let new = (nx - target_x).abs() + (ny - target_y).abs();
                    if (fleeing && distance < new) || (!fleeing && distance > new) {
                        if round == 0 {
                            total += 1;
                        } else if wanted == 0 {
                            return Some(direction);
                        }
                        wanted -= 1;
                    }
                }
            }
            if total == 0 {
                return None;
            }
        }
        None
    }

    pub(super) fn chase(&mut self, slot: u16, class: Class) {
        self.passive(slot);
        let sprite = *self.sprite(slot);
        let traits = self.traits(sprite.stype);
        let mut targets = std::mem::take(&mut self.scratch.targets);
        targets.clear();
        if let Some(&id) = traits.targets.first() {
            self.candidates(id, &mut targets);
        }
        if class == Class::LosChaser {
            targets.retain(|&other| self.is_ahead(slot, other));
        }
        self.keep_nearest(slot, &mut targets);
        let chosen = self.choose_towards(slot, &targets, traits.fleeing, traits.max_distance);
        self.scratch.targets = targets;
        let direction = match chosen {
            Some(direction) => direction,
            None => self.random_move(slot),
        };
        self.move_on(slot, direction);
    }

    /// In the line of sight: straight ahead in the direction of the last random choice.
    fn is_ahead(&self, slot: u16, other: Ref) -> bool {
        let sprite = self.sprite(slot);
        let (x, y) = self.position(other);
        match sprite.memory {
            0 => x == sprite.x && y <= sprite.y,
            1 => x <= sprite.x && y == sprite.y,
            2 => x == sprite.x && y >= sprite.y,
            3 => x >= sprite.x && y == sprite.y,
            _ => false,
        }
    }

    pub(super) fn follow_path(&mut self, slot: u16) {
        self.passive(slot);
        let sprite = *self.sprite(slot);
        let traits = self.traits(sprite.stype);
        let mut targets = std::mem::take(&mut self.scratch.targets);
        targets.clear();
        if let Some(&id) = traits.targets.first() {
            self.candidates(id, &mut targets);
        }
        self.keep_nearest(slot, &mut targets);
        let nearest = targets.first().map(|&target| self.position(target));
        self.scratch.targets = targets;
        let direction = match nearest {
            Some(goal) => {
                let from = (self.sprite(slot).x, self.sprite(slot).y);
                self.sprite_mut(slot).counter = traits.cons;
                let step = self.level.paths.first_step(from, goal, self.level.block);
                step.unwrap_or(Direction::NONE)
            }
            None => self.random_move(slot),
        };
        self.move_on(slot, direction);
    }

    /// With probability epsilon a random step instead of a chosen one; draws always.
    pub(super) fn wanders(&mut self, slot: u16) -> bool {
        let epsilon = self.traits(self.sprite(slot).stype).epsilon;
        if self.data.random.double() >= epsilon {
            return false;
        }
        self.passive(slot);
        let direction = self.any_direction();
        self.move_on(slot, direction);
        true
    }

    /// Whom an alternating chaser looks at, and whether it flees.
    fn alternate_target(&self, slot: u16) -> (Option<TypeId>, bool) {
        let traits = self.traits(self.sprite(slot).stype);
        if self.old {
            let first = traits.targets.first().copied();
            let second = traits.second_targets.first().copied();
            let count = |id: Option<TypeId>| id.map_or(0, |id| self.count(id));
            return match count(first).cmp(&count(second)) {
                std::cmp::Ordering::Greater => (first, false),
                std::cmp::Ordering::Less => (second, true),
                std::cmp::Ordering::Equal => (None, false),
            };
        }
        // The 2021 framework reads the first list for both and so never flees.
        let chased: i32 = traits.targets.iter().map(|&id| self.count(id)).sum();
        if chased == 0 {
            return (None, traits.fleeing);
        }
        // It draws from several names with a generator that cannot be seeded; any choice will do.
        let pick = self.data.random.fingerprint() as usize % traits.targets.len();
        (Some(traits.targets[pick]), false)
    }

    fn alternate_candidates(&self, id: TypeId, list: &mut Vec<Ref>) {
        self.members(id, list);
        if !self.old {
            // Sprites of exactly the type are listed twice, which changes how choices are drawn.
            for &member in &self.kind(id).family {
                self.members(member, list);
            }
        }
    }

    pub(super) fn alternate(&mut self, slot: u16) {
        self.passive(slot);
        let (target, fleeing) = self.alternate_target(slot);
        let mut targets = std::mem::take(&mut self.scratch.targets);
        targets.clear();
        if let Some(id) = target {
            self.alternate_candidates(id, &mut targets);
        }
        self.keep_nearest(slot, &mut targets);
        let chosen = self.choose_towards(slot, &targets, fleeing, -1.0);
        self.scratch.targets = targets;
        let direction = match chosen {
            Some(direction) => direction,
            None => self.any_direction(),
        };
        self.move_on(slot, direction);
    }

    fn path_memory(&mut self, slot: u16) -> usize {
        self.scratch.count(self.data.paths.len() / SCANNED_PER_STEP);
        let found = self.data.paths.iter().position(|memory| memory.slot == slot);
        found.unwrap_or_else(|| {
            self.data.paths.push(PathMemory { slot, target: Target::Nobody, known: None });
            self.data.paths.len() - 1
        })
    }

    fn target_position(&self, target: Target) -> Option<(i32, i32)> {
        match target {
            Target::Nobody => None,
            Target::Slot(slot) => Some(self.position(Ref::own(slot))),
            Target::Place(x, y) => Some((x, y)),
        }
    }

    /// Follows one target until it is reached.
    pub(super) fn follow_target(&mut self, slot: u16) {
        self.passive(slot);
        let sprite = *self.sprite(slot);
        let traits = self.traits(sprite.stype);
        let memory = self.path_memory(slot);
        let own = (sprite.x, sprite.y);
        let mut goal = self.target_position(self.data.paths[memory].target);
        if goal.is_none_or(|goal| goal == own) {
            goal = None;
            let mut targets = std::mem::take(&mut self.scratch.targets);
            targets.clear();
            if let (Some(id), _) = self.alternate_target(slot) {
                self.alternate_candidates(id, &mut targets);
            }
            let chosen = if targets.is_empty() {
                None
            } else if traits.random_target {
                Some(targets[self.data.random.below(targets.len() as u32) as usize])
            } else {
                self.keep_nearest(slot, &mut targets);
                targets.first().copied()
            };
            self.scratch.targets = targets;
            if let Some(target) = chosen {
                let (x, y) = self.position(target);
                goal = Some((x, y));
                self.data.paths[memory].target = match target.slot() {
                    Some(slot) => Target::Slot(slot),
                    None => Target::Place(x, y),
                };
            }
        }
        let Some(goal) = goal else {
            let direction = self.any_direction();
            return self.move_on(slot, direction);
        };
        let (paths, block) = (&self.level.paths, self.level.block);
        let mut step = paths.first_step(own, goal, block);
        match self.data.paths[memory].known {
            Some(known) if step.is_none() => step = paths.first_step(own, known, block),
            _ => self.data.paths[memory].known = Some(goal),
        }
        self.move_on(slot, step.unwrap_or(Direction::NONE));
    }
}
