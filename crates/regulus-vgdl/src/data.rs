//! Everything that changes while a game is played.

use std::sync::Arc;

use crate::action::Action;
use crate::breakdown::Breakdown;
use crate::class::Class;
use crate::event::History;
use crate::game::Game;
use crate::generator::Generator;
use crate::level::{Level, Placed, REMOVED};
use crate::sprite::{NONE, Spot, Sprite, flag};
use crate::sprite_type::TypeId;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Winner {
    /// It has not, or nobody won or lost.
    #[default]
    Nobody,
    /// The player lost.
    Lost,
    /// The player won.
    Won,
}

impl Winner {
    /// -1, 0 or 1, as in the reference framework.
    pub fn number(self) -> i32 {
        match self {
            Winner::Nobody => -1,
            Winner::Lost => 0,
            Winner::Won => 1,
        }
    }
}

/// The sprites of one exact type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// The list of its sprites in the state, in the order of the group.
    pub head: u16,
    pub tail: u16,
    /// All of its sprites, the shared ones that are left included.
    pub total: i32,
    pub disabled: i32,
    /// The largest total so far: the hash maps of 2015 never shrink.
    pub peak: i32,
}

/// How much of a resource a sprite has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// Who holds what, in one number: it is looked for often.
    key: u32,
    pub amount: i32,
}

impl Held {
    fn key(slot: u16, resource: TypeId) -> u32 {
        u32::from(slot) << 16 | u32::from(resource)
    }

    pub fn slot(self) -> u16 {
        (self.key >> 16) as u16
    }

    pub fn resource(self) -> TypeId {
        self.key as TypeId
    }
}

/// A timed effect that is waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timer {
    pub next: i32,
    pub source: TimerSource,
}

/// Where a waiting effect comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimerSource {
    /// A TIME line, by number.
    Line(u16),
    /// An `addTimer` effect, by number.
    Added(u16),
}

/// What a character that follows paths remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathMemory {
    pub slot: u16,
    pub target: Target,
    pub known: Option<(i32, i32)>,
}

/// Whom it follows: dead sprites stay where they died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Nobody,
    /// A sprite of the state.
    Slot(u16),
    /// A shared sprite, or one that is gone.
    Place(i32, i32),
}

/// The changing part of a state; the level is beside it.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub sprites: Vec<Sprite>,
    pub groups: Vec<Group>,
    /// A bit per shared sprite: it is still there.
    pub left: Vec<u64>,
    pub free: u16,
    pub resources: Vec<Held>,
    pub timers: Vec<Timer>,
    pub paths: Vec<PathMemory>,
    pub history: History,
    pub random: Generator,
    pub score: i32,
    pub tick: i32,
    pub next_id: u32,
    /// Counted as the framework counts it: a sprite killed twice is subtracted twice.
    pub sprite_count: i32,
    /// Own sprites that are not fully on the screen.
    pub outside: i32,
    pub avatar: u16,
    pub ended: bool,
    pub winner: Winner,
    /// Counters may end the game; see StopCounter.
    pub can_end: bool,
    pub last_action: Action,
    /// Sprites for which there was no room, up to as many as are too many.
    pub refused: u8,
    /// Why it ended, if not by its rules.
    pub breakdown: Option<Breakdown>,
    /// The number of the turning avatar that knows its `spawnBehind`. The framework of 2021 forgets it when it
    /// copies a sprite: the copies that agents look ahead with do not know it, nor do sprites that are made after
    /// the first one of their type, since those are copies of it.
    pub trail_keeper: Option<u32>,
}

impl Default for Data {
    fn default() -> Self {
        Data {
            sprites: Vec::new(),
            groups: Vec::new(),
            left: Vec::new(),
            free: NONE,
            resources: Vec::new(),
            timers: Vec::new(),
            paths: Vec::new(),
            history: History::default(),
            random: Generator::own(0),
            score: 0,
            tick: 0,
            next_id: 0,
            sprite_count: 0,
            outside: 0,
            avatar: NONE,
            ended: false,
            winner: Winner::Nobody,
            can_end: true,
            last_action: Action::Nil,
            refused: 0,
            breakdown: None,
            trail_keeper: None,
        }
    }
}

impl Data {
    /// The state at the beginning of a level.
    pub fn initial(level: &Level, placed: &[Placed], shared: &[bool]) -> Data {
        let game: &Arc<Game> = &level.game;
        let empty = Group { head: NONE, tail: NONE, total: 0, disabled: 0, peak: 0 };
        let mut data = Data { groups: vec![empty; game.types.len()], ..Data::default() };
        data.left = vec![0; level.layers.sprites.len().div_ceil(64)];
        for index in 0..level.layers.sprites.len() {
            data.left[index / 64] |= 1 << (index % 64);
        }
        let timed = game.interactions.timed.iter().enumerate();
        // Of timers for the same tick the newest comes first.
        for (line, timed) in timed {
            data.add_timer(Timer { next: timed.first, source: TimerSource::Line(line as u16) });
        }
        for (number, one) in placed.iter().enumerate() {
            data.next_id = number as u32 + 1;
            if one.stype == REMOVED {
                data.sprite_count += 1;
                continue;
            }
            let index = usize::from(one.stype);
            if shared[index] {
                data.groups[index].total += 1;
                data.groups[index].peak += 1;
                data.sprite_count += 1;
                continue;
            }
            data.next_id = number as u32;
            let slot = data.create(level, one.stype, locate(level, one.x, one.y), 0);
            if game.kind(one.stype).is_avatar() {
                data.avatar = slot;
            }
        }
        data
    }

    /// Adds a sprite with the values of its type at the end of its group, or where its number puts it.
    #[inline]
    pub fn create(&mut self, level: &Level, stype: TypeId, spot: Spot, epoch: i32) -> u16 {
        let mut sprite = level.game.rules.templates[usize::from(stype)];
        sprite.stand(spot, epoch);
        sprite.id = self.next_id;
        self.next_id += 1;
        self.sprite_count += 1;
        self.outside += i32::from(spot.span & crate::sprite::span::OUTSIDE != 0);
        let group = &mut self.groups[usize::from(stype)];
        sprite.previous = group.tail;
        let slot = if self.free == NONE {
            self.sprites.push(sprite);
            (self.sprites.len() - 1) as u16
        } else {
            let slot = self.free;
            let place = &mut self.sprites[usize::from(slot)];
            self.free = place.next;
            *place = sprite;
            slot
        };
        let old_peak = group.peak;
        group.total += 1;
        group.peak = group.peak.max(group.total);
        if old_peak == 0 && level.game.kind(stype).class == Some(Class::OngoingTurningAvatar) {
            self.trail_keeper = Some(self.next_id - 1);
        }
        if level.game.profile.is_old() {
            let (old_mask, mask) = (table_mask(old_peak), table_mask(group.peak));
            if mask != old_mask {
                self.sort_group(stype, mask);
            }
            self.insert_by_key(slot, stype, mask);
            return slot;
        }
        let last = std::mem::replace(&mut group.tail, slot);
        if last == NONE {
            group.head = slot;
        } else {
            self.sprites[usize::from(last)].next = slot;
        }
        slot
    }

    fn append(&mut self, slot: u16, stype: TypeId) {
        let group = &mut self.groups[usize::from(stype)];
        let last = group.tail;
        self.sprites[usize::from(slot)].previous = last;
        self.sprites[usize::from(slot)].next = NONE;
        if last == NONE {
            group.head = slot;
        } else {
            self.sprites[usize::from(last)].next = slot;
        }
        group.tail = slot;
    }

    /// The groups of 2015 are hash maps: their order is that of the number modulo the table size.
    fn insert_by_key(&mut self, slot: u16, stype: TypeId, mask: u32) {
        let key = |sprite: &Sprite| (sprite.id & mask, sprite.id);
        let own = key(&self.sprites[usize::from(slot)]);
        let mut after = self.groups[usize::from(stype)].tail;
        while after != NONE && key(&self.sprites[usize::from(after)]) > own {
            after = self.sprites[usize::from(after)].previous;
        }
        let group = &mut self.groups[usize::from(stype)];
        let before = if after == NONE { group.head } else { self.sprites[usize::from(after)].next };
        self.sprites[usize::from(slot)].previous = after;
        self.sprites[usize::from(slot)].next = before;
        if after == NONE {
            group.head = slot;
        } else {
            self.sprites[usize::from(after)].next = slot;
        }
        if before == NONE {
            group.tail = slot;
        } else {
            self.sprites[usize::from(before)].previous = slot;
        }
    }

    fn sort_group(&mut self, stype: TypeId, mask: u32) {
        let mut members = Vec::new();
        let mut slot = self.groups[usize::from(stype)].head;
        while slot != NONE {
            members.push(slot);
            slot = self.sprites[usize::from(slot)].next;
        }
        members.sort_by_key(|&slot| {
            let id = self.sprites[usize::from(slot)].id;
            (id & mask, id)
        });
        let group = &mut self.groups[usize::from(stype)];
        (group.head, group.tail) = (NONE, NONE);
        for slot in members {
            self.append(slot, stype);
        }
    }

    /// Takes a sprite out of its group and frees its place.
    #[inline]
    pub fn remove(&mut self, slot: u16) {
        let sprite = self.sprites[usize::from(slot)];
        let group = &mut self.groups[usize::from(sprite.stype)];
        group.total -= 1;
        group.disabled -= i32::from(sprite.has(flag::DISABLED));
        if sprite.previous == NONE {
            group.head = sprite.next;
        } else {
            self.sprites[usize::from(sprite.previous)].next = sprite.next;
        }
        let group = &mut self.groups[usize::from(sprite.stype)];
        if sprite.next == NONE {
            group.tail = sprite.previous;
        } else {
            self.sprites[usize::from(sprite.next)].previous = sprite.previous;
        }
        self.outside -= i32::from(sprite.span & crate::sprite::span::OUTSIDE != 0);
        let place = &mut self.sprites[usize::from(slot)];
        place.flags = 0;
        place.next = self.free;
        self.free = slot;
        if !self.resources.is_empty() {
            self.resources.retain(|held| held.slot() != slot);
        }
        if !self.paths.is_empty() {
            self.paths.retain(|memory| memory.slot != slot);
            for memory in &mut self.paths {
                if memory.target == Target::Slot(slot) {
                    memory.target = Target::Place(sprite.x, sprite.y);
                }
            }
        }
        if self.avatar == slot {
            self.avatar = NONE;
        }
    }

    /// Waiting effects are sorted by tick; of several for a tick the newest is first.
    pub fn add_timer(&mut self, timer: Timer) {
        let at = self.timers.iter().position(|other| other.next >= timer.next);
        self.timers.insert(at.unwrap_or(self.timers.len()), timer);
    }

    pub fn amount(&self, slot: u16, resource: TypeId) -> i32 {
        self.held(slot, resource).map_or(0, |held| held.amount)
    }

    pub fn held(&self, slot: u16, resource: TypeId) -> Option<Held> {
        let key = Held::key(slot, resource);
        self.resources.iter().copied().find(|held| held.key == key)
    }

    fn held_mut(&mut self, slot: u16, resource: TypeId) -> Option<&mut Held> {
        let key = Held::key(slot, resource);
        self.resources.iter_mut().find(|held| held.key == key)
    }

    /// Changes what a sprite holds, not below 0.
    pub fn change_amount(&mut self, slot: u16, resource: TypeId, change: i32) {
        self.change_amount_within(slot, resource, change, i32::MAX);
    }

    /// Changes what a sprite holds, not below 0, unless it would then be above a limit; says whether.
    #[inline]
    pub fn change_amount_within(
        &mut self,
        slot: u16,
        resource: TypeId,
        change: i32,
        limit: i32,
    ) -> bool {
        match self.held_mut(slot, resource) {
            Some(held) => {
                let amount = held.amount.saturating_add(change);
                if amount <= limit {
                    held.amount = amount.max(0);
                }
                amount <= limit
            }
            None => {
                if change <= limit {
                    let key = Held::key(slot, resource);
                    self.resources.push(Held { key, amount: change.max(0) });
                }
                change <= limit
            }
        }
    }

    pub fn set_amount(&mut self, slot: u16, resource: TypeId, amount: i32) {
        match self.held_mut(slot, resource) {
            Some(held) => held.amount = amount,
            None => self.resources.push(Held { key: Held::key(slot, resource), amount }),
        }
    }

    /// About how many bytes of memory a copy takes.
    pub fn bytes(&self) -> usize {
        size_of::<Data>()
            + size_of_val(&*self.sprites)
            + size_of_val(&*self.groups)
            + size_of_val(&*self.left)
            + size_of_val(&*self.resources)
            + size_of_val(&*self.timers)
            + size_of_val(&*self.paths)
    }

    pub fn is_left(&self, index: usize) -> bool {
        self.left[index / 64] >> (index % 64) & 1 != 0
    }

    pub fn copy_from(&mut self, other: &Data) {
        self.sprites.clone_from(&other.sprites);
        self.groups.clone_from(&other.groups);
        self.left.clone_from(&other.left);
        self.resources.clone_from(&other.resources);
        self.timers.clone_from(&other.timers);
        self.paths.clone_from(&other.paths);
        self.history.copy_from(&other.history);
        self.random = other.random.clone();
        self.free = other.free;
        self.score = other.score;
        self.tick = other.tick;
        self.next_id = other.next_id;
        self.sprite_count = other.sprite_count;
        self.outside = other.outside;
        self.avatar = other.avatar;
        self.ended = other.ended;
        self.winner = other.winner;
        self.can_end = other.can_end;
        self.last_action = other.last_action;
        self.refused = other.refused;
        self.breakdown = other.breakdown;
        self.trail_keeper = other.trail_keeper;
    }
}

/// A hash map of 2015 begins with 256 places and doubles when it is three quarters full.
pub(crate) fn table_mask(peak: i32) -> u32 {
    let mut size = 256u32;
    while peak as u32 >= size / 4 * 3 {
        size *= 2;
    }
    size - 1
}

/// The cell of a position, and how far a sprite there reaches.
#[inline]
pub(crate) fn locate(level: &Level, x: i32, y: i32) -> Spot {
    use crate::sprite::span;
    let block = level.block;
    let (width, height) = level.screen;
    if (x as u32) < width as u32 && (y as u32) < height as u32 {
        // On the screen: division by multiplication, and no margin to think of.
        let (column, row) = (level.divide(x), level.divide(y));
        let beyond = x > width - block || y > height - block;
        let span = (u8::from(x != column * block) * span::RIGHT)
            | (u8::from(y != row * block) * span::DOWN)
            | (u8::from(beyond) * span::OUTSIDE);
        let cell = ((row + 1) * level.stride() + column + 1) as u32;
        return Spot { x, y, cell, span };
    }
    locate_outside(level, x, y)
}

#[cold]
fn locate_outside(level: &Level, x: i32, y: i32) -> Spot {
    use crate::sprite::span;
    let block = level.block;
    let (column, row) = (level.column(x), level.row(y));
    let mut reach = 0;
    if level.column(x.saturating_add(block - 1)) != column {
        reach |= span::RIGHT;
    }
    if level.row(y.saturating_add(block - 1)) != row {
        reach |= span::DOWN;
    }
    reach |= span::OUTSIDE;
    Spot { x, y, cell: (row * level.stride() + column) as u32, span: reach }
}
