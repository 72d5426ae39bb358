//! The order of things in a tick.

use super::{Engine, phase};
use crate::action::Action;
use crate::breakdown::Breakdown;
use crate::data::{TimerSource, Winner};
use crate::effect::Kind;
use crate::limits::{MAX_HELD, MAX_TICKS, MAX_TIMERS, MAX_WARNINGS};
use crate::sprite::{NONE, Ref, flag, span};
use crate::termination::Condition;

impl Engine<'_> {
    /// One tick: the avatar, all sprites, timers, the edge of the screen, collisions, removal of
    /// killed sprites, terminations.
    pub fn advance(&mut self, action: Action) {
        if self.data.ended {
            return;
        }
        self.scratch.begin();
        self.phase = phase::AVATAR;
        self.update_avatar(action);
        self.update_sprites();
        self.phase = phase::EFFECTS;
        self.make_index();
        self.run_timers();
        self.run_edges();
        self.collide();
        self.clear_index();
        self.clean_up();
        self.check_terminations();
        self.check_breakdown();
        if self.data.tick >= MAX_TICKS {
            self.data.ended = true;
            if self.data.winner != Winner::Won {
                self.data.winner = Winner::Lost;
            }
        }
        self.data.tick += 1;
    }

    fn run_timers(&mut self) {
        while let Some(&timer) = self.data.timers.first() {
            if timer.next > self.data.tick || self.scratch.is_exhausted() {
                return;
            }
            self.data.timers.remove(0);
            let interactions = &self.game.interactions;
            match timer.source {
                TimerSource::Line(line) => {
                    let timed = &interactions.timed[usize::from(line)];
                    for &member in &self.kind(timed.stype).family {
                        let mut list = Vec::new();
                        self.members(member, &mut list);
                        for sprite in list {
                            if self.scratch.is_exhausted() {
                                return;
                            }
                            let gone = self.has(sprite, flag::DISABLED);
                            if !gone && !self.is_killed(sprite) {
                                self.execute(&timed.effect, 0, Some(sprite), None);
                                // The timer's own score counts, whatever the effect did.
                                self.score(&timed.effect, super::execute::Outcome::Score);
                            }
                        }
                    }
                    if timed.repeating {
                        let next = self.data.tick.saturating_add(timed.timer);
                        self.data.add_timer(crate::data::Timer { next, ..timer });
                    }
                }
                TimerSource::Added(number) => {
                    let effect = &interactions.effects[usize::from(number)];
                    let Kind::AddTimer { timer: ticks, repeating, delegate } = &effect.kind else {
                        continue;
                    };
                    self.execute(delegate, number, None, None);
                    self.score(effect, super::execute::Outcome::Score);
                    if *repeating {
                        let next = self.data.tick.saturating_add(*ticks);
                        self.data.add_timer(crate::data::Timer { next, ..timer });
                    }
                }
            }
        }
    }

    /// Effects on sprites that are not fully on the screen. Shared sprites never are.
    fn run_edges(&mut self) {
        if !self.rules.has_edges || self.data.outside == 0 {
            return;
        }
        let interactions = &self.game.interactions;
        for (id, effects) in &interactions.edges {
            for &number in effects {
                if self.scratch.is_exhausted() {
                    return;
                }
                let mut list = std::mem::take(&mut self.scratch.members);
                list.clear();
                for &member in &self.kind(*id).family {
                    let mut slot = self.data.groups[usize::from(member)].head;
                    while slot != NONE {
                        list.push(Ref::own(slot));
                        slot = self.sprite(slot).next;
                    }
                }
                self.scratch.count(list.len());
                for &sprite in &list {
                    let Some(slot) = sprite.slot() else { continue };
                    if self.sprite(slot).span & span::OUTSIDE == 0 || self.is_gone(slot) {
                        continue;
                    }
                    let effect = &interactions.effects[usize::from(number)];
                    let outcome = self.execute(effect, number, Some(sprite), None);
                    // Effects at the edge never changed the score in 2015.
                    if !self.old {
                        self.score(effect, outcome);
                    }
                }
                self.scratch.members = list;
            }
        }
    }

    fn clean_up(&mut self) {
        let mut killed = std::mem::take(&mut self.scratch.killed);
        for &sprite in &killed {
            self.data.sprite_count -= 1;
            match sprite.slot() {
                Some(slot) => {
                    if self.sprite(slot).has(flag::ALIVE) {
                        self.data.remove(slot);
                    }
                }
                None => {
                    let index = sprite.layer_index().unwrap_or_default();
                    if self.data.is_left(index) {
                        self.data.left[index / 64] &= !(1 << (index % 64));
                        let stype = self.at(sprite).stype;
                        self.data.groups[usize::from(stype)].total -= 1;
                    }
                }
            }
        }
        killed.clear();
        self.scratch.killed = killed;
        self.scratch.shields.clear();
        self.scratch.pulled.clear();
    }

    /// Ends a game that would go on for ever, or with more sprites than there can be.
    fn check_breakdown(&mut self) {
        let (data, old) = (&*self.data, self.old);
        let breakdown = if self.scratch.is_exhausted() {
            Breakdown::Steps
        } else if usize::from(data.refused) > MAX_WARNINGS && !old {
            Breakdown::Sprites
        } else if data.timers.len() > MAX_TIMERS {
            Breakdown::Timers
        } else if data.resources.len() > MAX_HELD {
            Breakdown::Resources
        } else {
            return;
        };
        if !self.data.ended {
            self.data.ended = true;
            self.data.breakdown = Some(breakdown);
        }
    }

    fn check_terminations(&mut self) {
        let game = self.game;
        for termination in &game.terminations {
            let limit = termination.limit;
            let live = |ids: &[u16]| -> i32 { ids.iter().map(|&id| self.live(id)).sum() };
            let fires = match &termination.condition {
                Condition::SpriteCounter { stype } => {
                    self.live(*stype) <= limit && self.data.can_end
                }
                Condition::SpriteCounterMore { stype } => {
                    self.live(*stype) >= limit && self.data.can_end
                }
                Condition::MultiSpriteCounter { stypes, min } => {
                    let count = live(stypes);
                    (count == limit || *min && count > limit) && self.data.can_end
                }
                Condition::MultiSpriteCounterSubTypes { stype, subtypes } => {
                    let met = self.live(*stype) == limit && self.types_present(*stype) == *subtypes;
                    met && self.data.can_end
                }
                Condition::StopCounter { stypes, min } => {
                    let count = live(stypes);
                    self.data.can_end = if *min { count <= limit } else { count != limit };
                    false
                }
                Condition::Timeout => self.data.tick >= limit,
            };
            if fires {
                let win =
                    if termination.count_score { self.data.score != 0 } else { termination.win };
                self.data.ended = true;
                self.data.winner = if win { Winner::Won } else { Winner::Lost };
                return;
            }
        }
    }
}
