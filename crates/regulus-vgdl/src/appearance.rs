//! What whoever draws a game needs: sprites in the order of drawing, and what types mean to the player.

use crate::class::Class;
use crate::direction::Direction;
use crate::effect::Kind;
use crate::game::Game;
use crate::rules::NEVER;
use crate::sprite::{NONE, flag};
use crate::sprite_type::TypeId;
use crate::state::State;

/// A sprite as it is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Appearance {
    /// Its type.
    pub stype: TypeId,
    /// Its number, which it keeps while it exists.
    pub id: u32,
    /// Its position in pixels.
    pub position: (i32, i32),
    /// Where it looks; nowhere if it has no orientation.
    pub orientation: Direction,
}

/// What a type means to the player, by the interactions of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Meaning {
    /// The avatar cannot go where it is.
    pub blocks: bool,
    /// Something else cannot.
    pub stops: bool,
    /// It kills the avatar, or takes health from it, whatever the avatar holds.
    pub hurts: bool,
    /// The avatar can take it, or make it disappear by touching it.
    pub taken: bool,
    /// It becomes something else when the avatar touches it.
    pub turned: bool,
    /// Something else disappears when it touches it.
    pub consumes: bool,
    /// Nothing ever happens to it.
    pub lasting: bool,
    /// No interaction is about it: it is only there to be seen.
    pub scenery: bool,
}

impl State {
    /// Every sprite that is drawn, those in front later. Dead avatars are not.
    pub fn each_drawn(&self, mut action: impl FnMut(Appearance)) {
        for id in self.level.game.drawing_order() {
            self.each_drawn_of(id, &mut action);
        }
    }

    fn each_drawn_of(&self, id: TypeId, action: &mut impl FnMut(Appearance)) {
        let traits = &self.level.game.kind(id).traits;
        let orientation = |direction, oriented| if oriented { direction } else { Direction::NONE };
        let layers = &self.level.layers;
        let (from, to) = layers.range[usize::from(id)];
        for index in (from..to).filter(|&index| self.data.is_left(index as usize)) {
            let sprite = &layers.sprites[index as usize];
            action(Appearance {
                stype: id,
                id: sprite.id,
                position: (sprite.x, sprite.y),
                orientation: orientation(traits.orientation, traits.oriented),
            });
        }
        let mut slot = self.data.groups[usize::from(id)].head;
        while slot != NONE {
            let sprite = &self.data.sprites[usize::from(slot)];
            if !sprite.has(flag::DISABLED) {
                action(Appearance {
                    stype: id,
                    id: sprite.id,
                    position: (sprite.x, sprite.y),
                    orientation: orientation(sprite.orientation, sprite.has(flag::ORIENTED)),
                });
            }
            slot = sprite.next;
        }
    }
}

impl Game {
    /// The types whose sprites are drawn, those in front later.
    pub fn drawing_order(&self) -> Vec<TypeId> {
        let position = |id: &TypeId| self.rules.update_position[usize::from(*id)];
        let drawn = |id: &TypeId| position(id) != NEVER && !self.kind(*id).invisible;
        let mut order: Vec<TypeId> = (0..self.types.len() as TypeId).filter(drawn).collect();
        // Updates go from the front to the back.
        order.sort_by_key(|id| std::cmp::Reverse(position(id)));
        order
    }

    /// Types that are named by something that makes sprites.
    pub fn creatable(&self) -> Vec<TypeId> {
        let makers = self.types.iter().filter(|kind| {
            kind.class.is_some_and(|class| {
                class.is_spawner() || class.is_avatar() || class == Class::Spreader
            })
        });
        let by_sprites = makers.flat_map(|kind| kind.traits.targets.iter().copied());
        let timed = self.interactions.timed.iter().map(|timed| &timed.effect);
        let by_effects =
            self.interactions.effects.iter().chain(timed).flat_map(|effect| match &effect.kind {
                Kind::TransformToRandomChild { children, .. } => children.clone(),
                Kind::UpdateSpawnType { stype, .. } => vec![*stype],
                kind => kind.creates(),
            });
        let mut types: Vec<TypeId> = by_sprites.chain(by_effects).collect();
        types.sort_unstable();
        types.dedup();
        types
    }

    /// What a type means to the player.
    pub fn meaning(&self, id: TypeId) -> Meaning {
        let is = |named: TypeId| self.kind(named).family.contains(&id);
        let is_avatar = |one: &TypeId| self.kind(*one).is_avatar();
        let has_avatar = |named: TypeId| self.kind(named).family.iter().any(is_avatar);
        let mut meaning = Meaning { scenery: true, lasting: true, ..Meaning::default() };
        for pair in &self.interactions.pairs {
            let (first, second) = (is(pair.first), is(pair.second));
            meaning.scenery &= !first && !second;
            meaning.lasting &= !first;
            for &number in &pair.effects {
                let kind = &self.interactions.effects[usize::from(number)].kind;
                if second {
                    let avatar = has_avatar(pair.first);
                    meaning.blocks |= avatar && turns_back(kind);
                    meaning.stops |= !avatar && turns_back(kind);
                    meaning.hurts |= avatar && hurts(kind);
                    meaning.consumes |= !avatar && kills(kind);
                }
                if first && has_avatar(pair.second) {
                    meaning.hurts |= matches!(kind, Kind::KillBoth);
                    meaning.taken |= takes(kind);
                    meaning.turned |= turns(kind);
                }
            }
        }
        let edges = self.interactions.edges.iter().any(|(named, _)| is(*named));
        let timed = self.interactions.timed.iter().any(|timed| is(timed.stype));
        meaning.scenery &= !edges && !timed;
        meaning.lasting &= !edges && !timed;
        meaning
    }
}

/// Effects that keep the first from being where the second is.
fn turns_back(kind: &Kind) -> bool {
    use Kind::*;
    matches!(kind, StepBack { .. } | UndoAll { .. } | WallStop | WallBounce | WallReverse)
}

/// Effects that kill the first.
fn kills(kind: &Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        KillSprite
            | KillBoth
            | KillIfFromAbove
            | KillIfFrontal
            | KillIfNotFrontal
            | KillIfAlive
            | KillIfFast { .. }
            | KillIfSlow { .. }
    )
}

/// Effects that kill the first or take health from it.
fn hurts(kind: &Kind) -> bool {
    match kind {
        Kind::AddHealthPoints { value, .. } => *value < 0,
        Kind::SubtractHealthPoints { value, .. } => *value > 0,
        kind => kills(kind),
    }
}

/// Effects by which the first is taken.
fn takes(kind: &Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        KillSprite
            | KillIfOtherHasMore { .. }
            | KillIfFromAbove
            | CollectResource { .. }
            | CollectResourceIfHeld { .. }
    )
}

/// Effects by which the first becomes something else.
fn turns(kind: &Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        TransformTo { .. }
            | TransformIfCount { .. }
            | TransformToRandomChild { .. }
            | TransformToSingleton { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Generator, Level, Profile};

    const GAME: &str = "BasicGame
  SpriteSet
    floor > Immovable
    belt > Conveyor orientation=LEFT
    coin > Resource
    ghost > RandomNPC
    fog > Immovable invisible=True
    avatar > ShootAvatar stype=shot
    shot > Missile
    egg > Immovable
    hen > Fleeing stype=avatar
  InteractionSet
    avatar wall > stepBack
    coin avatar > collectResource
    avatar ghost > killSprite
    ghost wall > stepBack
    ghost shot > killSprite
    avatar belt > pullWithIt
    egg avatar > transformTo stype=hen
  LevelMapping
    . > floor
    b > belt
    c > coin
    g > ghost
    f > fog";

    #[test]
    fn meanings_and_order() {
        let game = Game::load(GAME, Profile::Y2021).game.expect("a game");
        let id = |name| game.type_named(name).expect("a type");
        let meaning = |name| game.meaning(id(name));
        assert!(meaning("wall").blocks && meaning("wall").stops && meaning("wall").lasting);
        assert!(meaning("ghost").hurts && !meaning("ghost").blocks);
        assert!(meaning("coin").taken && !meaning("coin").scenery);
        assert!(meaning("floor").scenery && !meaning("belt").scenery);
        assert!(meaning("shot").consumes && !meaning("shot").hurts && !meaning("wall").hurts);
        assert!(meaning("egg").turned && !meaning("egg").taken && !meaning("egg").lasting);
        assert_eq!(game.creatable(), [id("shot"), id("hen")]);
        let order = game.drawing_order();
        assert_eq!(order.last(), Some(&id("avatar")));
        assert!(!order.contains(&id("fog")));
        let place = |name| order.iter().position(|one| *one == id(name));
        assert!(place("floor") < place("coin") && place("coin") < place("ghost"));
        let level = Level::load(&game, "w.bcgfA").level.expect("a level");
        let state = State::new(&level, Generator::own(1));
        let mut drawn = Vec::new();
        state.each_drawn(|sprite| drawn.push((sprite.stype, sprite.orientation)));
        let types: Vec<TypeId> = drawn.iter().map(|(stype, _)| *stype).collect();
        assert_eq!(types, ["wall", "floor", "belt", "coin", "ghost", "avatar"].map(id));
        assert_eq!(drawn[2].1, Direction::LEFT);
        assert_eq!(drawn[5].1, Direction::RIGHT);
        assert_eq!(drawn[0].1, Direction::NONE);
    }
}
