//! Any action.

use regulus_game::{Random, World};

use super::{Guide, Surroundings};
use crate::parameter::Component;

pub(super) const COMPONENT: Component = Component::new("random", "any action", &[]);

pub(crate) struct Uniform;

impl<W: World> Guide<W> for Uniform {
    fn choose(&mut self, world: &W, _around: &Surroundings<'_>, random: &mut Random) -> W::Action {
        any(world, random)
    }
}

/// Any of the actions of a state.
pub(crate) fn any<W: World>(world: &W, random: &mut Random) -> W::Action {
    let actions = world.actions();
    if actions.is_empty() {
        return W::NIL;
    }
    actions[random.below(actions.len() as u64) as usize]
}
