//! The most common effects. Each is a function of its own, so that deciding between effects stays short.

use super::Engine;
use super::execute::Outcome;
use crate::effect::{Effect, Kind};
use crate::sprite::Ref;

impl Engine<'_> {
    #[inline]
    pub(super) fn step_back(&mut self, first: Ref) -> Outcome {
        if let Some(slot) = first.slot() {
            let (x, y) = self.last_position(first);
            self.set_position(slot, x, y);
        }
        Outcome::Score
    }

    #[inline]
    pub(super) fn change_resource(&mut self, effect: &Effect, first: Ref, second: Ref) -> Outcome {
        let Kind::ChangeResource { resource, value, kill } = effect.kind else {
            return Outcome::NoScore;
        };
        let Some(slot) = first.slot() else { return Outcome::NoScore };
        let limit = self.traits(resource).resource_limit;
        if !self.data.change_amount_within(slot, resource, value, limit) {
            return Outcome::when(self.old);
        }
        if kill {
            self.kill(second, true);
        }
        Outcome::Score
    }

    #[inline]
    pub(super) fn kill_if_other_has_more(
        &mut self,
        effect: &Effect,
        first: Ref,
        second: Ref,
    ) -> Outcome {
        let Kind::KillIfOtherHasMore { resource, limit, subtract } = effect.kind else {
            return Outcome::NoScore;
        };
        if self.amount(second, resource) < limit {
            return Outcome::NoScore;
        }
        self.kill(first, false);
        if let (true, Some(slot), Some(resource)) = (subtract, second.slot(), resource) {
            self.data.change_amount(slot, resource, limit.saturating_neg());
        }
        Outcome::Score
    }

    #[inline]
    pub(super) fn spawn_there(&mut self, effect: &Effect, first: Ref) -> Outcome {
        let Kind::Spawn { stype } = effect.kind else { return Outcome::NoScore };
        if self.chance(effect.prob) {
            self.add_on(stype, first, false);
        }
        Outcome::Score
    }

    #[inline]
    pub(super) fn spawn_if_has_more(&mut self, effect: &Effect, first: Ref) -> Outcome {
        let Kind::SpawnIfHasMore { resource, limit, stype, spend } = effect.kind else {
            return Outcome::NoScore;
        };
        let drawn = self.chance(effect.prob);
        let amount = self.amount(first, resource);
        if !drawn || amount < limit {
            return Outcome::NoScore;
        }
        self.add_on(stype, first, false);
        // Spending nothing makes a difference to who has nothing: from then on he holds 0.
        let spends = !self.old && (spend != 0 || amount == 0);
        if let (true, Some(slot), Some(resource)) = (spends, first.slot(), resource) {
            self.data.change_amount(slot, resource, spend.saturating_neg());
        }
        Outcome::Score
    }
}
