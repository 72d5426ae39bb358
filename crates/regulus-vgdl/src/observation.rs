//! What an agent sees: sprites by category, made when somebody asks.

use regulus_game::Category;

use crate::sprite::{NONE, flag};
use crate::sprite_type::TypeId;
use crate::state::State;

/// A sprite, as an agent sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// Its category.
    pub category: Category,
    /// Its type.
    pub stype: TypeId,
    /// Its number, which it keeps while it exists.
    pub id: u32,
    /// Its position in pixels.
    pub position: (i32, i32),
}

impl Observation {
    /// The squared distance to a point, in pixels.
    pub fn squared_distance(&self, (x, y): (i32, i32)) -> i64 {
        let (dx, dy) = (i64::from(self.position.0 - x), i64::from(self.position.1 - y));
        dx * dx + dy * dy
    }
}

/// Observations of one category: one list per type, in increasing order of types.
pub type Lists = Vec<(TypeId, Vec<Observation>)>;

impl State {
    /// The sprites of a category. With a point, each list is sorted by distance to it.
    pub fn observe(&self, category: Category, from: Option<(i32, i32)>) -> Lists {
        let mut lists: Lists = Vec::new();
        self.each_sprite(|observation, _| {
            if observation.category != category {
                return;
            }
            match lists.last_mut() {
                Some((stype, list)) if *stype == observation.stype => list.push(observation),
                _ => lists.push((observation.stype, vec![observation])),
            }
        });
        if let Some(point) = from {
            for (_, list) in &mut lists {
                list.sort_by_key(|observation| observation.squared_distance(point));
            }
        }
        lists
    }

    /// For every cell, by row and column, the sprites that reach into it.
    pub fn observation_grid(&self) -> Vec<Vec<Vec<Observation>>> {
        let (width, height) = self.level.size();
        let block = self.level.block_size();
        let mut grid = vec![vec![Vec::new(); width as usize]; height as usize];
        self.each_sprite(|observation, _| {
            let (x, y) = observation.position;
            let columns = x.div_euclid(block)..=x.saturating_add(block - 1).div_euclid(block);
            for column in columns {
                for row in y.div_euclid(block)..=y.saturating_add(block - 1).div_euclid(block) {
                    if (0..width).contains(&column) && (0..height).contains(&row) {
                        grid[row as usize][column as usize].push(observation);
                    }
                }
            }
        });
        grid
    }

    /// Every sprite that agents can see, by type and in the order of its group; the flag says whether
    /// it is a dead avatar.
    pub fn each_sprite(&self, mut action: impl FnMut(Observation, bool)) {
        for (id, kind) in self.level.game.types.iter().enumerate() {
            let updated = self.level.game.rules.update_position[id] != crate::rules::NEVER;
            if !kind.hidden && updated {
                self.each_of_type(id as TypeId, &mut action);
            }
        }
    }

    /// Every sprite of exactly one type, hidden or not.
    pub fn each_of_type(&self, id: TypeId, action: &mut impl FnMut(Observation, bool)) {
        let kind = self.level.game.kind(id);
        let layers = &self.level.layers;
        let (from, to) = layers.range[usize::from(id)];
        for index in from..to {
            if self.data.is_left(index as usize) {
                let sprite = &layers.sprites[index as usize];
                let position = (sprite.x, sprite.y);
                let category = kind.category(false);
                action(Observation { category, stype: id, id: sprite.id, position }, false);
            }
        }
        let mut slot = self.data.groups[usize::from(id)].head;
        while slot != NONE {
            let sprite = &self.data.sprites[usize::from(slot)];
            let category = kind.category(sprite.has(flag::FROM_AVATAR));
            let position = (sprite.x, sprite.y);
            let observation = Observation { category, stype: id, id: sprite.id, position };
            action(observation, sprite.has(flag::DISABLED));
            slot = sprite.next;
        }
    }
}
