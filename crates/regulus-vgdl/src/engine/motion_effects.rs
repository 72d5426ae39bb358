//! Effects that move and turn sprites.

use super::{Engine, SCANNED_PER_STEP};
use crate::direction::Direction;
use crate::effect::Kind;
use crate::sprite::{Ref, flag};
use crate::sprite_type::TypeId;

impl Engine<'_> {
    /// Every sprite of the update order goes back to where it was.
    pub(super) fn undo_all(&mut self, except: &[TypeId]) {
        // Where a sprite was and where it is then is looked up in several places.
        let scanned = 4 + except.len() / SCANNED_PER_STEP;
        self.scratch.count(self.data.sprites.len() * scanned);
        for slot in 0..self.data.sprites.len() as u16 {
            let sprite = self.sprite(slot);
            let ordered = !sprite.has(flag::UNORDERED);
            if sprite.has(flag::ALIVE) && ordered && !except.contains(&sprite.stype) {
                let (x, y) = self.last_position(Ref::own(slot));
                self.set_position(slot, x, y);
            }
        }
    }

    /// Where a sprite touches another without overlapping it, on the side it came from.
    pub(super) fn flush(&self, first: Ref, second: Ref) -> (i32, i32) {
        let ((x, y), (other_x, other_y)) = (self.position(first), self.position(second));
        let block = self.level.block;
        let (dx, dy) = self.displacement(first);
        match (dx.signum(), dy.signum()) {
            (0, 1) => (x, other_y - block),
            (0, -1) => (x, other_y + block),
            (1, 0) => (other_x - block, y),
            (-1, 0) => (other_x + block, y),
            _ => self.last_position(first),
        }
    }

    /// Where a sprite was, if it has left that place completely.
    pub(super) fn place_behind(&self, sprite: Ref) -> Option<(i32, i32)> {
        let (dx, dy) = self.displacement(sprite);
        let left = dx.abs() >= self.level.block || dy.abs() >= self.level.block;
        left.then(|| self.last_position(sprite))
    }

    pub(super) fn bounce_forward(&mut self, first: Ref, second: Ref) {
        let Some(slot) = first.slot() else { return };
        let (dx, dy) = self.displacement(second);
        let mut direction = Direction::of_displacement(dx, dy);
        if !self.old {
            let facing = self.at(second).orientation;
            if f64::from(dx) * facing.x < 0.0 {
                direction.x = -direction.x;
            }
            if f64::from(dy) * facing.y < 0.0 {
                direction.y = -direction.y;
            }
        }
        self.active(slot, direction, self.at(second).speed);
        if !self.old {
            self.sprite_mut(slot).orientation = direction;
        }
    }

    pub(super) fn pull(&mut self, first: Ref, second: Ref, pixel_perfect: bool, memory: u16) {
        let entry = (memory, self.at(first).id);
        self.scratch.count(self.scratch.pulled.len() / SCANNED_PER_STEP);
        if self.scratch.pulled.contains(&entry) {
            return;
        }
        self.scratch.pulled.push(entry);
        let Some(slot) = first.slot() else { return };
        let (last_x, last_y) = self.last_position(first);
        let (dx, dy) = self.displacement(second);
        let direction = Direction::of_displacement(dx, dy);
        let pixels = (self.at(second).speed * f64::from(self.level.block)) as i32;
        self.step(slot, direction, pixels);
        self.set_last(slot, last_x, last_y);
        if pixel_perfect {
            let (x, y) = self.position(second);
            self.set_position(slot, x, y);
        }
    }

    pub(super) fn attract(&mut self, first: Ref, second: Ref, align: bool, prob: f64) {
        if !self.has(first, flag::ORIENTED) || !self.has(second, flag::ORIENTED) {
            return;
        }
        if !self.chance(prob) {
            return;
        }
        let Some(slot) = first.slot() else { return };
        let direction = self.at(second).orientation;
        self.sprite_mut(slot).orientation = direction;
        if align {
            let ((x, y), (other_x, other_y)) = (self.position(first), self.position(second));
            if direction == Direction::LEFT || direction == Direction::RIGHT {
                self.set_position(slot, x, other_y);
            } else {
                self.set_position(slot, other_x, y);
            }
        }
    }

    pub(super) fn reverse(&mut self, first: Ref) {
        if let Some(slot) = first.slot() {
            let sprite = self.sprite_mut(slot);
            sprite.orientation = sprite.orientation.reversed();
        }
    }

    pub(super) fn turn_around(&mut self, first: Ref) {
        let Some(slot) = first.slot() else { return };
        let (x, y) = self.last_position(first);
        self.set_position(slot, x, y);
        let cooldown = self.traits(self.sprite(slot).stype).cooldown;
        let speed = self.sprite(slot).speed;
        for _ in 0..2 {
            self.set_idle_updates(slot, cooldown);
            self.active(slot, Direction::DOWN, speed);
        }
        self.reverse(first);
    }

    pub(super) fn wrap_around(&mut self, first: Ref, offset: f64) {
        let Some(slot) = first.slot() else { return };
        let sprite = *self.sprite(slot);
        let block = f64::from(self.level.block);
        let near = (offset * block) as i32;
        let far = |cells: i32| (f64::from(cells) * block - block * (1.0 + offset)) as i32;
        let facing = sprite.orientation;
        let (mut x, mut y) = (sprite.x, sprite.y);
        if facing.x > 0.0 {
            x = near;
        } else if facing.x < 0.0 {
            x = far(self.level.width);
        } else if facing.y > 0.0 {
            y = near;
        } else if facing.y < 0.0 {
            y = far(self.level.height);
        }
        self.set_position(slot, x, y);
        if self.old {
            self.set_row(slot, sprite.row_y);
        }
        self.set_idle_updates(slot, 0);
    }

    pub(super) fn teleport(&mut self, first: Ref, second: Ref) {
        let exit_type = self.at(second).spawns;
        if exit_type == TypeId::MAX {
            // A sprite that leads nowhere is no portal: nothing happens.
            return;
        }
        let mut exits = std::mem::take(&mut self.scratch.members);
        exits.clear();
        self.members(exit_type, &mut exits);
        if exits.is_empty() {
            self.kill(first, false);
        } else {
            let choice = self.data.random.below(exits.len() as u32);
            let exit = exits[choice as usize];
            let (x, y) = self.position(exit);
            if let Some(slot) = first.slot() {
                self.set_position(slot, x, y);
                self.set_idle_updates(slot, 0);
                if self.has(exit, flag::ORIENTED) {
                    self.sprite_mut(slot).orientation = self.at(exit).orientation;
                }
            }
        }
        self.scratch.members = exits;
    }

    pub(super) fn wall_stop(&mut self, first: Ref, second: Ref) {
        let Some(slot) = first.slot() else { return };
        let (x, y) = if self.old { self.last_position(first) } else { self.flush(first, second) };
        self.set_position(slot, x, y);
        let (other_x, other_y) = self.position(second);
        let sprite = self.sprite_mut(slot);
        let facing = sprite.orientation;
        let kept = if (x - other_x).abs() > (y - other_y).abs() {
            Direction { x: 0.0, y: facing.y }
        } else {
            Direction { x: facing.x, y: 0.0 }
        };
        sprite.speed *= kept.length();
        sprite.orientation = kept.normalised();
    }

    /// `wallBounce` and `wallReverse` get all sprites that were hit at once.
    pub(super) fn execute_batch(&mut self, number: u16, first: Ref, hits: &[Ref]) {
        let effect = &self.game.interactions.effects[usize::from(number)];
        let (rect, count) = self.hit_rectangle(first, hits);
        let (horizontal, vertical) = self.bounce_sides(first, rect);
        if let Some(slot) = first.slot() {
            let sprite = self.sprite_mut(slot);
            let facing = sprite.orientation;
            if matches!(effect.kind, Kind::WallBounce) {
                sprite.orientation = match (vertical, horizontal) {
                    (true, _) => Direction { x: facing.x, y: -facing.y },
                    (_, true) => Direction { x: -facing.x, y: facing.y },
                    _ => facing.reversed(),
                };
            } else {
                let kept = Direction { x: if vertical { facing.x } else { -facing.x }, y: 0.0 };
                sprite.speed *= kept.length();
                sprite.orientation = kept.normalised();
            }
            let (x, y) = self.last_position(first);
            self.set_position(slot, x, y);
        }
        for &second in hits {
            if let Some(slot) = second.slot() {
                let (x, y) = self.last_position(second);
                self.set_position(slot, x, y);
            }
        }
        let total = effect.score.saturating_mul(count);
        self.data.score = self.data.score.saturating_add(total);
        for &second in hits {
            self.record_event(first, second);
        }
    }

    /// The rectangle that was hit: two blocks side by side count as one wall.
    fn hit_rectangle(&self, first: Ref, hits: &[Ref]) -> ([i32; 4], i32) {
        let block = self.level.block;
        if let [a, b] = hits {
            let ((ax, ay), (bx, by)) = (self.position(*a), self.position(*b));
            if ax == bx {
                return ([ax, ay.min(by), block, 2 * block], 2);
            }
            if ay == by {
                return ([ax.min(bx), ay, 2 * block, block], 2);
            }
        }
        let (x, y) = self.last_position(first);
        let distance = |&hit: &Ref| {
            let (hit_x, hit_y) = self.last_position(hit);
            let (dx, dy) = (i64::from(x - hit_x), i64::from(y - hit_y));
            dx * dx + dy * dy
        };
        let nearest = hits.iter().min_by_key(|hit| distance(hit)).map_or(first, |&hit| hit);
        let (x, y) = self.position(nearest);
        ([x, y, block, block], 1)
    }

    /// Whether the sides (first) or top and bottom (second) of a rectangle were hit.
    fn bounce_sides(&self, first: Ref, [x, y, width, height]: [i32; 4]) -> (bool, bool) {
        let block = self.level.block;
        let (own_x, own_y) = self.position(first);
        let common_x = (own_x + block).min(x + width) - own_x.max(x);
        let common_y = (own_y + block).min(y + height) - own_y.max(y);
        let (horizontal, vertical) = (common_y == block, common_x == block);
        if horizontal || vertical {
            return (horizontal, vertical);
        }
        let speed = self.at(first).speed;
        let facing = self.at(first).orientation;
        let (vx, vy) = (facing.x * speed, facing.y * speed);
        let (last_x, last_y) = self.last_position(first);
        let gap = |velocity: f64, last: i32, start: i32, size: i32| {
            let pixels = if velocity == 0.0 {
                last - start
            } else if velocity > 0.0 {
                last + block - start
            } else {
                start + size - last
            };
            (f64::from(pixels.abs()) / velocity).abs()
        };
        let time_x = gap(vx, last_x, x, width);
        let time_y = gap(vy, last_y, y, height);
        (time_x < time_y, time_y < time_x)
    }

    pub(super) fn bounce_direction(&mut self, first: Ref, second: Ref, max_angle: f64) {
        let Some(slot) = first.slot() else { return };
        let block = self.level.block;
        let (last_x, last_y) = self.last_position(first);
        let ((x, y), (other_x, other_y)) = (self.position(first), self.position(second));
        let facing = self.at(first).orientation;
        let speed = self.at(first).speed;
        let gap = |last: i32, other: i32| {
            f64::from((last - (other + block)).abs().min((last + block - other).abs()))
        };
        let time_x = (gap(last_x, other_x) / (facing.x * speed)).abs();
        let time_y = (gap(last_y, other_y) / (facing.y * speed)).abs();
        let half = 0.5 * f64::from(block);
        let sign = |condition: bool| if condition { 1.0 } else { -1.0 };
        let bounced = if time_y < time_x {
            let angle = (f64::from(x - other_x) / half).clamp(-1.0, 1.0) * max_angle;
            Direction { x: angle.sin(), y: -angle.cos() * sign(y < other_y) }.normalised()
        } else if time_x < time_y {
            let angle = (f64::from(other_y - y) / half).clamp(-1.0, 1.0) * max_angle;
            Direction { x: angle.cos() * sign(x > other_x), y: -angle.sin() }.normalised()
        } else {
            Direction { x: -facing.x, y: facing.y }
        };
        self.sprite_mut(slot).orientation = bounced;
    }
}
