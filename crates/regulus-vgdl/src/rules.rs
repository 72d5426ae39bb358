//! What is known about a game before any level is read: tables that make ticks fast.

use crate::class::Class;
use crate::effect::{Effect, Kind};
use crate::interaction::Interactions;
use crate::sprite_set::SpriteSet;
use crate::sprite_type::{SpriteType, TypeId};

/// A set of types by bit. With more than 64 types several share a bit: a set is a filter that may say
/// yes too often, never no.
pub(crate) type TypeBits = u64;

/// A rank that says "not in this family".
pub(crate) const NO_RANK: u16 = u16::MAX;

/// The position of a type that is never updated.
pub(crate) const NEVER: i32 = i32::MAX;

/// Tables of one pair of interacting types.
#[derive(Clone, Debug)]
pub(crate) struct PairRules {
    pub first_bits: TypeBits,
    pub second_bits: TypeBits,
    /// By type: its position in the family of the first (second) type.
    pub first_rank: Vec<u16>,
    pub second_rank: Vec<u16>,
}

/// Tables of a game.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub pairs: Vec<PairRules>,
    bits: usize,
    /// By two bits: the range in `meeting_pairs`, the pairs of which the bits could be first and second.
    meetings: Vec<(u32, u32)>,
    meeting_pairs: Vec<u16>,
    /// By bit: with which bits there are such pairs.
    partners: Vec<TypeBits>,
    /// Types whose sprites do something in an update, in the order of updates.
    pub update_order: Vec<TypeId>,
    /// By type: its position in the loop of updates; -1 for avatars, which come before it, and
    /// [`NEVER`] for types that are not in it.
    pub update_position: Vec<i32>,
    /// By type: sprites of it never change after their creation, except by being killed.
    pub unchanging: Vec<bool>,
    /// By type: controlled by the player.
    pub is_avatar: Vec<bool>,
    /// By type: the singletons in its lineage.
    pub singletons: Vec<Vec<TypeId>>,
    /// Effects at the edge of the screen exist.
    pub has_edges: bool,
}

impl Rules {
    pub fn derive(sprites: &SpriteSet, interactions: &Interactions) -> Rules {
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
            })
            .collect();
        let mut meetings = vec![Vec::new(); bits * bits];
        let mut partners = vec![0; bits];
        for (number, pair) in pairs.iter().enumerate() {
            for a in 0..bits {
                for b in 0..bits {
                    let (bit_a, bit_b): (TypeBits, TypeBits) = (1 << a, 1 << b);
                    if pair.first_bits & bit_a != 0 && pair.second_bits & bit_b != 0 {
                        meetings[a * bits + b].push(number as u16);
                        partners[a] |= bit_b;
                        partners[b] |= bit_a;
                    }
                }
            }
        }
        let mut meeting_pairs = Vec::new();
        let meetings = meetings
            .into_iter()
            .map(|pairs: Vec<u16>| {
                let start = meeting_pairs.len() as u32;
                meeting_pairs.extend(pairs);
                (start, meeting_pairs.len() as u32)
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
        let is_avatar = sprites.types.iter().map(SpriteType::is_avatar).collect();
        let is_singleton = |id: &TypeId| sprites.types[usize::from(*id)].singleton;
        let singletons = sprites
            .types
            .iter()
            .map(|kind| kind.lineage.iter().copied().filter(is_singleton).collect())
            .collect();
        let has_edges = !interactions.edges.is_empty();
        Rules {
            pairs,
            bits,
            meetings,
            meeting_pairs,
            partners,
            update_order,
            update_position,
            unchanging,
            is_avatar,
            singletons,
            has_edges,
        }
    }

    pub fn bit(&self, id: TypeId) -> usize {
        let id = usize::from(id);
        if id < self.bits { id } else { id % self.bits }
    }

    pub fn partners(&self, bit: usize) -> TypeBits {
        self.partners[bit]
    }

    /// The pairs of which types with these bits could be first and second.
    pub fn meetings(&self, a: usize, b: usize) -> &[u16] {
        let (start, end) = self.meetings[a * self.bits + b];
        &self.meeting_pairs[start as usize..end as usize]
    }
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
