//! What is known about a game before any level is read: tables that make ticks fast.

use crate::class::Class;
use crate::effect::{Effect, Kind};
use crate::interaction::Interactions;
use crate::limits::MAX_MEETINGS;
use crate::sprite::Sprite;
use crate::sprite_set::SpriteSet;
use crate::sprite_type::{SpriteType, TypeId};

/// A set of types by bit. With more than 64 types several share a bit: a set is a filter that may say
/// yes too often, never no.
pub(crate) type TypeBits = u64;

/// A rank that says "not in this family".
const NO_RANK: u16 = u16::MAX;

/// The position of a type that is never updated.
pub(crate) const NEVER: i32 = i32::MAX;

/// Tables of one pair of interacting types.
#[derive(Clone, Debug)]
pub(crate) struct PairRules {
    first_bits: TypeBits,
    second_bits: TypeBits,
    /// By type: its position in the family of the first (second) type.
    first_rank: Vec<u16>,
    second_rank: Vec<u16>,
    /// Both families have one type: all positions are 0.
    pub is_plain: bool,
}

/// A pair that sprites of two bits are in when they meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub pair: u16,
    /// The sprite with the first bit is the second of the pair.
    pub reversed: bool,
}

/// Tables of a game.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub pairs: Vec<PairRules>,
    bits: usize,
    /// There are more types than bits.
    pub bits_are_shared: bool,
    /// By two bits: the range in `meeting_list`.
    meetings: Vec<(u32, u32)>,
    meeting_list: Vec<Meeting>,
    /// By bit: with which bits there are such pairs.
    partners: [TypeBits; 64],
    /// By pair: the same for that pair and all that follow. Empty if there are very many pairs.
    partners_from: Vec<[TypeBits; 64]>,
    /// Types whose sprites do something in an update, in the order of updates.
    pub update_order: Vec<TypeId>,
    /// By type: its position in the loop of updates; -1 for avatars, which come before it, and
    /// [`NEVER`] for types that are not in it.
    pub update_position: Vec<i32>,
    /// By type: sprites of it never change after their creation, except by being killed.
    pub unchanging: Vec<bool>,
    /// By type: a sprite as it is created.
    pub templates: Vec<Sprite>,
    /// By type: the singletons in its lineage.
    pub singletons: Vec<Vec<TypeId>>,
    /// Effects at the edge of the screen exist.
    pub has_edges: bool,
}

impl Rules {
    /// None if more types meet in more pairs than tables should be made for.
    pub fn derive(sprites: &SpriteSet, interactions: &Interactions) -> Option<Rules> {
        let count = sprites.types.len();
        let bits = count.min(64);
        let rank = |id: TypeId| {
            let mut ranks = vec![NO_RANK; count];
            for (rank, &member) in sprites.types[usize::from(id)].family.iter().enumerate() {
                ranks[usize::from(member)] = rank as u16;
            }
            ranks
        };
        let bits_of = |id: TypeId| {
            let family = &sprites.types[usize::from(id)].family;
            family.iter().fold(0, |set, &member| set | 1 << (usize::from(member) % bits))
        };
        let pairs: Vec<PairRules> = interactions
            .pairs
            .iter()
            .map(|pair| PairRules {
                first_bits: bits_of(pair.first),
                second_bits: bits_of(pair.second),
                first_rank: rank(pair.first),
                second_rank: rank(pair.second),
                is_plain: [pair.first, pair.second]
                    .iter()
                    .all(|&id| sprites.types[usize::from(id)].family.len() == 1),
            })
            .collect();
        let sides = |pair: &PairRules| pair.first_bits.count_ones() * pair.second_bits.count_ones();
        if pairs.iter().map(|pair| sides(pair) as usize).sum::<usize>() > MAX_MEETINGS {
            return None;
        }
        let mut partners = [0; 64];
        let mut lists = vec![Vec::new(); bits * bits];
        for (number, pair) in pairs.iter().enumerate() {
            for a in bits_in(pair.first_bits) {
                for b in bits_in(pair.second_bits) {
                    partners[a] |= 1 << b;
                    partners[b] |= 1 << a;
                    let pair = number as u16;
                    lists[a * bits + b].push(Meeting { pair, reversed: false });
                    lists[b * bits + a].push(Meeting { pair, reversed: true });
                }
            }
        }
        let mut partners_from = Vec::new();
        if pairs.len() <= 64 {
            let mut rest = [0; 64];
            for pair in pairs.iter().rev() {
                for (bit, partners) in rest.iter_mut().enumerate() {
                    if pair.first_bits >> bit & 1 != 0 {
                        *partners |= pair.second_bits;
                    }
                    if pair.second_bits >> bit & 1 != 0 {
                        *partners |= pair.first_bits;
                    }
                }
                partners_from.push(rest);
            }
            partners_from.reverse();
        }
        let mut meeting_list = Vec::new();
        let meetings = lists
            .into_iter()
            .map(|list: Vec<Meeting>| {
                let start = meeting_list.len() as u32;
                meeting_list.extend(list);
                (start, meeting_list.len() as u32)
            })
            .collect();
        let mut update_position = vec![NEVER; count];
        for (position, &id) in sprites.order.iter().rev().enumerate() {
            let is_avatar = sprites.types[usize::from(id)].is_avatar();
            update_position[usize::from(id)] = if is_avatar { -1 } else { position as i32 };
        }
        let active: Vec<bool> = sprites
            .types
            .iter()
            .enumerate()
            .map(|(id, kind)| is_active(id as TypeId, kind, sprites, interactions))
            .collect();
        let update_order =
            sprites.order.iter().rev().copied().filter(|&id| active[usize::from(id)]).collect();
        let unchanging = unchanging(sprites, interactions, &active);
        let templates = sprites
            .types
            .iter()
            .enumerate()
            .map(|(id, kind)| {
                let ordered = update_position[id] != NEVER;
                Sprite::template(id as TypeId, kind, (id % bits) as u8, ordered)
            })
            .collect();
        let is_singleton = |id: &TypeId| sprites.types[usize::from(*id)].singleton;
        let singletons = sprites
            .types
            .iter()
            .map(|kind| kind.lineage.iter().copied().filter(is_singleton).collect())
            .collect();
        let has_edges = !interactions.edges.is_empty();
        Some(Rules {
            pairs,
            bits,
            bits_are_shared: count > bits,
            meetings,
            meeting_list,
            partners,
            partners_from,
            update_order,
            update_position,
            unchanging,
            templates,
            singletons,
            has_edges,
        })
    }

    pub fn bit(&self, id: TypeId) -> u8 {
        (usize::from(id) % self.bits) as u8
    }

    #[inline]
    pub fn partners(&self, bit: u8) -> TypeBits {
        self.partners[usize::from(bit & 63)]
    }

    /// The partners in a pair and all that follow.
    #[inline]
    pub fn partners_from(&self, pair: usize, bit: u8) -> TypeBits {
        let table = self.partners_from.get(pair).unwrap_or(&self.partners);
        table[usize::from(bit & 63)]
    }

    /// The pairs that sprites with these bits could be in.
    #[inline]
    pub fn meetings(&self, a: u8, b: u8) -> &[Meeting] {
        let (start, end) = self.meetings[usize::from(a) * self.bits + usize::from(b)];
        &self.meeting_list[start as usize..end as usize]
    }

    /// The positions of two types in the families of a pair, none if they are not in them.
    pub fn ranks(&self, pair: usize, first: TypeId, second: TypeId) -> Option<(u16, u16)> {
        let pair = &self.pairs[pair];
        let ranks = (pair.first_rank[usize::from(first)], pair.second_rank[usize::from(second)]);
        (ranks.0 != NO_RANK && ranks.1 != NO_RANK).then_some(ranks)
    }
}

fn bits_in(set: TypeBits) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| set >> bit & 1 != 0)
}

fn all_effects(interactions: &Interactions) -> impl Iterator<Item = &Effect> {
    let timed = interactions.timed.iter().map(|timed| &timed.effect);
    interactions.effects.iter().chain(timed).flat_map(|effect| {
        let delegate = match &effect.kind {
            Kind::AddTimer { delegate, .. } => Some(&**delegate),
            _ => None,
        };
        std::iter::once(effect).chain(delegate)
    })
}

/// Whether sprites of the type have anything to do in an update.
fn is_active(
    id: TypeId,
    kind: &SpriteType,
    sprites: &SpriteSet,
    interactions: &Interactions,
) -> bool {
    let Some(class) = kind.class else { return false };
    if class.is_avatar() {
        return false;
    }
    let traits = &kind.traits;
    let by_class = class.is_flicker() || class.is_spawner() || class.is_npc();
    if by_class || class == Class::RandomMissile || traits.time_to_live >= 0 {
        return true;
    }
    if traits.is_static || traits.only_active {
        return false;
    }
    let gets_speed = all_effects(interactions).any(|effect| match effect.kind {
        Kind::SetSpeedForAll { stype, .. } | Kind::IncreaseSpeedToAll { stype, .. } => {
            sprites.types[usize::from(stype)].family.contains(&id)
        }
        _ => false,
    });
    let gets_oriented = all_effects(interactions).any(|effect| {
        matches!(effect.kind, Kind::TransformToSingleton { stype, take_orientation: true, .. } if stype == id)
    });
    (traits.speed != 0.0 || gets_speed) && (traits.oriented || gets_oriented)
}

fn unchanging(sprites: &SpriteSet, interactions: &Interactions, active: &[bool]) -> Vec<bool> {
    let mut unchanging: Vec<bool> = sprites
        .types
        .iter()
        .zip(active)
        .map(|(kind, &active)| !active && kind.class.is_some() && !kind.is_avatar())
        .collect();
    let mut change = |id: TypeId| {
        for &member in &sprites.types[usize::from(id)].family {
            unchanging[usize::from(member)] = false;
        }
    };
    for pair in &interactions.pairs {
        for &effect in &pair.effects {
            let changes = interactions.effects[usize::from(effect)].kind.changes();
            if changes.first {
                change(pair.first);
            }
            if changes.second {
                change(pair.second);
            }
        }
    }
    for timed in &interactions.timed {
        if timed.effect.kind.changes().first {
            change(timed.stype);
        }
    }
    for effect in all_effects(interactions) {
        if let Some(id) = effect.kind.changes_everywhere() {
            change(id);
        }
    }
    unchanging
}
