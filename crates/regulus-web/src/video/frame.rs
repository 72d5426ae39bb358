//! A state as it is drawn, and what changes from one to the next.

use regulus_vgdl::{Action, Appearance, Direction, State, TypeId, Winner};
use serde::Serialize;

/// A sprite as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Drawn {
    id: u32,
    stype: TypeId,
    x: i32,
    y: i32,
    facing: u8,
}

/// All sprites of a state, by number.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sprites(Vec<Drawn>);

impl Sprites {
    /// Those of a state.
    pub fn of(state: &State) -> Self {
        let mut all = Vec::with_capacity(state.sprite_count());
        state.each_drawn(|Appearance { stype, id, position: (x, y), orientation }| {
            all.push(Drawn { id, stype, x, y, facing: facing(orientation) });
        });
        all.sort_unstable_by_key(|sprite| sprite.id);
        Sprites(all)
    }
}

/// A direction as a number: 0 none, 1 up, 2 right, 3 down, 4 left.
fn facing(direction: Direction) -> u8 {
    let Direction { x, y } = direction;
    if x == y {
        0
    } else if y.abs() > x.abs() {
        if y < 0.0 { 1 } else { 3 }
    } else if x > 0.0 {
        2
    } else {
        4
    }
}

/// A state, as far as it differs from the one before.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Frame {
    /// How many ticks were played.
    pub tick: usize,
    /// The action of the last one.
    pub action: Option<char>,
    /// The score.
    pub score: i32,
    /// Health of the avatar and the most it has had, if it has any.
    pub health: Option<[i32; 2]>,
    /// What the avatar holds: type and number.
    pub resources: Vec<(TypeId, i32)>,
    /// How it ended: `won` or `lost`.
    pub result: Option<&'static str>,
    /// Sprites that are new or have changed, five numbers each: number, type, x, y, and where it looks (0 nowhere, 1 up,
    /// 2 right, 3 down, 4 left).
    pub put: Vec<i64>,
    /// Numbers of sprites that are gone.
    pub gone: Vec<u32>,
}

impl Frame {
    /// The frame of a state after `tick` ticks. `before` are the sprites that are known, and becomes those of the state.
    pub fn new(before: &mut Sprites, state: &State, tick: usize) -> Self {
        let after = Sprites::of(state);
        let (put, gone) = difference(&before.0, &after.0);
        *before = after;
        let avatar = state.avatar().filter(|avatar| avatar.alive);
        let health = avatar.as_ref().filter(|avatar| avatar.max_health > 0);
        Frame {
            tick,
            action: (tick > 0).then(|| Action::letter(state.last_action())),
            score: state.score(),
            health: health.map(|avatar| [avatar.health, avatar.max_health]),
            resources: avatar.map_or_else(Vec::new, |avatar| {
                avatar.resources.into_iter().filter(|(_, amount)| *amount != 0).collect()
            }),
            result: state.is_over().then(|| match state.winner() {
                Winner::Won => "won",
                Winner::Lost | Winner::Nobody => "lost",
            }),
            put,
            gone,
        }
    }

    /// About how many bytes it has as JSON.
    pub fn bytes(&self) -> usize {
        150 + 5 * self.put.len() + 6 * self.gone.len()
    }
}

/// What is new or different, and what is gone. Both lists are in order.
fn difference(before: &[Drawn], after: &[Drawn]) -> (Vec<i64>, Vec<u32>) {
    let (mut put, mut gone) = (Vec::new(), Vec::new());
    let mut old = before.iter().peekable();
    for new in after {
        while let Some(passed) = old.next_if(|old| old.id < new.id) {
            gone.push(passed.id);
        }
        if old.next_if(|old| old.id == new.id) != Some(new) {
            let Drawn { id, stype, x, y, facing } = *new;
            put.extend([
                i64::from(id),
                i64::from(stype),
                i64::from(x),
                i64::from(y),
                i64::from(facing),
            ]);
        }
    }
    gone.extend(old.map(|old| old.id));
    (put, gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_lead_from_one_to_the_other() {
        let sprite = |id, x| Drawn { id, stype: 3, x, y: 0, facing: 2 };
        let before = [sprite(1, 0), sprite(2, 0), sprite(4, 0), sprite(9, 0)];
        let after = [sprite(2, 0), sprite(3, 5), sprite(4, 7)];
        let (put, gone) = difference(&before, &after);
        assert_eq!(put, [3, 3, 5, 0, 2, 4, 3, 7, 0, 2]);
        assert_eq!(gone, [1, 9]);
        assert_eq!(difference(&after, &after), (Vec::new(), Vec::new()));
        assert_eq!(difference(&after, &[]).1, [2, 3, 4]);
    }

    #[test]
    fn directions_are_numbers() {
        let numbers =
            [Direction::NONE, Direction::UP, Direction::RIGHT, Direction::DOWN, Direction::LEFT]
                .map(facing);
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
        assert_eq!(facing(Direction::NIL), 0);
        assert_eq!(facing(Direction { x: 0.6, y: -0.8 }), 1);
    }
}
