//! What the (1 + 1) EA sees of a state: how far the closest sprites are.

use regulus_game::{Category, World};

const CATEGORIES: usize = Category::Movable as usize + 1;

/// The distance from the avatar to the closest sprite of every category and kind, in blocks. Features are numbered
/// as they are first seen in a game.
#[derive(Clone, Default, Debug)]
pub(super) struct Features {
    /// For every kind and category, 1 + the number of its feature; 0 if it was never seen.
    numbers: Vec<u32>,
    /// By feature; infinite if there is no such sprite now.
    distances: Vec<f64>,
}

impl Features {
    /// Looks at a state. Without avatar there are no distances.
    pub fn see<W: World>(&mut self, world: &W) {
        self.distances.fill(f64::INFINITY);
        let Some((x, y)) = world.avatar() else { return };
        // Sprites of a kind mostly come one after the other: as long as they do, only their least distance is kept.
        const NONE: usize = usize::MAX;
        let (mut run, mut least) = (NONE, f64::INFINITY);
        world.look(&mut |sprite| {
            if sprite.category == Category::Avatar {
                return;
            }
            let index = usize::from(sprite.kind) * CATEGORIES + sprite.category as usize;
            if index != run {
                if run != NONE {
                    self.note(run, least);
                }
                (run, least) = (index, f64::INFINITY);
            }
            let (dx, dy) = (sprite.position.0 - x, sprite.position.1 - y);
            let square = dx * dx + dy * dy;
            least = if square < least { square } else { least };
        });
        if run != NONE {
            self.note(run, least);
        }
        for distance in &mut self.distances {
            *distance = distance.sqrt();
        }
    }

    /// A sprite is so near, squared.
    fn note(&mut self, index: usize, square: f64) {
        if index >= self.numbers.len() {
            self.numbers.resize(index + 1, 0);
        }
        let number = &mut self.numbers[index];
        if *number == 0 {
            self.distances.push(f64::INFINITY);
            *number = self.distances.len() as u32;
        }
        let closest = &mut self.distances[*number as usize - 1];
        *closest = closest.min(square);
    }

    /// How many features were ever seen.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// A feature, if the state that was looked at has it.
    pub fn get(&self, feature: usize) -> Option<f64> {
        let distance = self.distances[feature];
        distance.is_finite().then_some(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::toy::Toy;
    use super::*;

    fn seen(features: &Features) -> Vec<Option<f64>> {
        (0..features.len()).map(|feature| features.get(feature)).collect()
    }

    #[test]
    fn the_closest_of_every_category_and_kind_counts() {
        let mut toy = Toy::new()
            .with(Category::Npc, 5, (6.0, 8.0))
            .with(Category::Npc, 5, (-3.0, 4.0))
            .with(Category::Npc, 2, (0.0, 2.0))
            .with(Category::FromAvatar, 5, (1.0, 0.0));
        let mut features = Features::default();
        features.see(&toy);
        assert_eq!(seen(&features), [Some(5.0), Some(2.0), Some(1.0)]);
        // Features keep their numbers when sprites go and others come.
        toy.things.remove(2);
        let toy = toy.with(Category::Portal, 9, (0.0, -7.0));
        features.see(&toy);
        assert_eq!(seen(&features), [Some(5.0), None, Some(1.0), Some(7.0)]);
    }

    #[test]
    fn without_avatar_nothing_is_far_or_near() {
        let mut toy = Toy::new().with(Category::Npc, 5, (6.0, 8.0));
        let mut features = Features::default();
        features.see(&toy);
        toy.avatar = None;
        features.see(&toy);
        assert_eq!(seen(&features), [None]);
    }
}
