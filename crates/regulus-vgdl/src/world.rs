//! A state as search sees it.

use regulus_game::{Sight, World};

use crate::action::Action;
use crate::data::Winner;
use crate::generator::Generator;
use crate::sprite::NONE;
use crate::state::State;

impl World for State {
    type Action = Action;

    const NIL: Action = Action::Nil;

    const ACTIONS: usize = Action::ALL.len();

    fn number(action: Action) -> usize {
        action as usize
    }

    fn actions(&self) -> &[Action] {
        State::actions(self)
    }

    fn advance(&mut self, action: Action) {
        State::advance(self, action);
    }

    fn won(&self) -> Option<bool> {
        State::is_over(self).then(|| self.winner() == Winner::Won)
    }

    fn is_over(&self) -> bool {
        State::is_over(self)
    }

    fn score(&self) -> f64 {
        f64::from(State::score(self))
    }

    fn reseed(&mut self, seed: u64) {
        self.set_generator(Generator::own(seed));
    }

    fn avatar(&self) -> Option<(f64, f64)> {
        let slot = self.data.avatar;
        if slot == NONE {
            return None;
        }
        let sprite = &self.data.sprites[usize::from(slot)];
        let block = f64::from(self.level.block_size());
        Some((f64::from(sprite.x) / block, f64::from(sprite.y) / block))
    }

    fn bytes(&self) -> usize {
        self.data.bytes()
    }

    fn look(&self, see: &mut dyn FnMut(Sight)) {
        let block = f64::from(self.level.block_size());
        self.each_sprite(|sprite, _| {
            let (x, y) = sprite.position;
            let position = (f64::from(x) / block, f64::from(y) / block);
            see(Sight { category: sprite.category, kind: sprite.stype, position });
        });
    }
}
