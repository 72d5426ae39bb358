//! Guided random games: moves are drawn by weights, and what was played is told by keys, so that playouts can learn
//! without listing moves (MAST, RAVE, PPA).
//!
//! The *key* of a move is a number below a power of two, made from its steps by multiplication (Knuth's multiplicative
//! hashing). Every move has one; different moves may share one, more rarely the more keys there are. Keys depend on the
//! engine that makes them, and never on chance: a table of weights belongs to one engine of one game.
//!
//! A move is drawn with a probability in proportion to `weight + 1`, with the weight (0 to 255) of its key: exactly, as
//! if all legal moves had been listed. Generated code draws a move uniformly and accepts it with probability
//! `(weight + 1) / 256`, so its speed is in proportion to the mean weight of what is drawn: whoever makes a table scales
//! it so that its largest weight is 255.

use crate::{Engine, MAX_GAME_MOVES, Moves, Random, Step};

/// Bits of a key at most.
const MAX_BITS: u32 = 24;

/// What keys tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyKind {
    /// The steps of moves: actions and places.
    Steps,
    /// Also what stands on the place of each step just before it, so that a capture has another key than a quiet move
    /// to the same place.
    StepsOntoPieces,
}

/// What the key of a move is made of; generated code computes the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyHash(pub u64);

impl KeyHash {
    /// The hash of no steps.
    pub const BEGIN: KeyHash = KeyHash(0);
    /// What is multiplied with after every step: 2^64 divided by the golden ratio, whose multiples spread evenly.
    pub const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    /// How far an action is shifted before a place is added.
    pub const ACTION_SHIFT: u32 = 32;
    /// How far a piece is shifted.
    pub const PIECE_SHIFT: u32 = 20;

    /// The hash with one step more: an action at a place, and the piece that stands there (0 if keys do not tell).
    #[inline]
    #[must_use]
    pub fn step(self, action: i32, piece: u8, place: usize) -> KeyHash {
        let step = (u64::from(action as u32) << KeyHash::ACTION_SHIFT)
            + (u64::from(piece) << KeyHash::PIECE_SHIFT)
            + place as u64;
        KeyHash(self.0.wrapping_add(step).wrapping_mul(KeyHash::FACTOR))
    }

    /// The hash with the last step, which hands over. Where that happens does not count.
    #[inline]
    #[must_use]
    pub fn hand_over(self, action: i32) -> KeyHash {
        KeyHash(self.0.wrapping_add(KeyHash::of_hand_over(action)))
    }

    /// What a step that hands over adds to a hash.
    pub const fn of_hand_over(action: i32) -> u64 {
        (action as u32 as u64).wrapping_mul(KeyHash::FACTOR)
    }
}

/// Weights of moves by their keys, and the keys of the moves that were played last.
#[derive(Clone, Debug)]
pub struct Guide {
    kind: KeyKind,
    bits: u32,
    weights: Vec<u8>,
    played: Vec<PlayedKey>,
}

/// What became of random moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// How many there were.
    pub length: u64,
    /// True if the game is over: the keeper is stuck, or there was no move.
    pub is_over: bool,
}

/// A move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedKey {
    /// Its key.
    pub key: u32,
    /// Who made it.
    pub player: u32,
}

impl PlayedKey {
    /// As generated code writes it: the key in the low half, the player in the high half.
    #[inline]
    pub fn from_word(word: u64) -> PlayedKey {
        PlayedKey { key: word as u32, player: (word >> 32) as u32 }
    }

    /// The word that [`PlayedKey::from_word`] reads.
    pub fn word(self) -> u64 {
        u64::from(self.player) << 32 | u64::from(self.key)
    }
}

impl Guide {
    /// A guide with 2^bits keys (of 1 to 24 bits) that all have the largest weight: moves are drawn uniformly.
    pub fn new(kind: KeyKind, bits: u32) -> Guide {
        let bits = bits.clamp(1, MAX_BITS);
        Guide { kind, bits, weights: vec![u8::MAX; 1 << bits], played: Vec::new() }
    }

    /// What its keys tell apart.
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// The weight of every key: 2^bits of them.
    pub fn weights(&self) -> &[u8] {
        &self.weights
    }

    /// The weight of every key, to be changed.
    pub fn weights_mut(&mut self) -> &mut [u8] {
        &mut self.weights
    }

    /// How many bits of a hash are not part of the key: the key is made of the highest ones.
    pub fn shift(&self) -> u32 {
        64 - self.bits
    }

    /// The key of a hash: an index of [`Guide::weights`].
    #[inline]
    pub fn key(&self, hash: KeyHash) -> u32 {
        (hash.0 >> self.shift()) as u32
    }

    /// How often a move with this key is drawn, in comparison with others.
    #[inline]
    pub fn share(&self, key: u32) -> u64 {
        u64::from(self.weights[key as usize]) + 1
    }

    /// The moves that were played last, the first one first.
    pub fn played(&self) -> &[PlayedKey] {
        &self.played
    }

    /// Forgets what was played.
    pub fn clear_played(&mut self) {
        self.played.clear();
    }

    /// Remembers moves.
    pub fn record(&mut self, played: impl IntoIterator<Item = PlayedKey>) {
        self.played.extend(played);
    }

    /// Draws one of some moves by the weights of their keys; gives its number and its key.
    pub fn draw(
        &self,
        keys: impl IntoIterator<Item = u32>,
        random: &mut Random,
    ) -> Option<(usize, u32)> {
        // Each takes the place of those before it with a probability of its share in all so far.
        let (mut drawn, mut total) = (None, 0);
        for (number, key) in keys.into_iter().enumerate() {
            let share = self.share(key);
            total += share;
            if random.below(total) < share {
                drawn = Some((number, key));
            }
        }
        drawn
    }
}

/// The hash of a legal move of any engine, which makes the move and takes it back.
pub(crate) fn move_hash<E: Engine>(
    engine: &mut E,
    state: &mut E::State,
    steps: &[Step],
    kind: KeyKind,
) -> KeyHash {
    let Some((last, before)) = steps.split_last() else { return KeyHash::BEGIN };
    let mut hash = KeyHash::BEGIN;
    let (mut contents, mut made) = (Vec::new(), Vec::new());
    for step in before {
        let mut piece = 0;
        if kind == KeyKind::StepsOntoPieces {
            engine.pieces(state, &mut contents);
            piece = contents[usize::from(step.vertex)];
            made.extend(engine.apply_step(state, *step));
        }
        hash = hash.step(step.action, piece, usize::from(step.vertex));
    }
    while let Some(undo) = made.pop() {
        engine.undo(state, undo);
    }
    hash.hand_over(last.action)
}

/// Plays at most `most` moves, by listing all moves of every position if a guide weighs them.
pub fn play_by_listing<E: Engine>(
    engine: &mut E,
    state: &mut E::State,
    most: u64,
    mut guide: Option<&mut Guide>,
    random: &mut Random,
) -> Result<Played, E::Error> {
    if let Some(guide) = &mut guide {
        guide.clear_played();
    }
    let (mut moves, mut steps) = (Moves::new(), Vec::new());
    let mut length = 0;
    while engine.run_keeper(state)? {
        if length == most {
            return Ok(Played { length, is_over: false });
        }
        match &mut guide {
            None => {
                if !engine.sample(state, random, &mut steps)? {
                    break;
                }
            }
            Some(guide) => {
                engine.list(state, &mut moves)?;
                let kind = guide.kind();
                let keys = moves.iter().map(|m| guide.key(engine.move_hash(state, m, kind)));
                let Some((number, key)) = guide.draw(keys, random) else { break };
                guide.record([PlayedKey { key, player: engine.player(state) as u32 }]);
                steps.clear();
                steps.extend_from_slice(moves.get(number));
            }
        }
        if length == MAX_GAME_MOVES {
            return Err(engine.endless());
        }
        length += 1;
        engine.apply(state, &steps);
    }
    Ok(Played { length, is_over: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_in_proportion_to_shares() {
        let mut guide = Guide::new(KeyKind::Steps, 2);
        guide.weights_mut().copy_from_slice(&[0, 255, 99, 6]);
        let mut random = Random::new(5);
        let mut drawn = [0u32; 4];
        const DRAWS: u32 = 100_000;
        for _ in 0..DRAWS {
            let (number, key) = guide.draw([3, 2, 1, 0], &mut random).expect("there are four");
            assert_eq!(number, 3 - key as usize);
            drawn[key as usize] += 1;
        }
        for (count, share) in drawn.iter().zip([1.0, 256.0, 100.0, 7.0]) {
            let expected = f64::from(DRAWS) * share / 364.0;
            let error = (f64::from(*count) - expected) / expected.sqrt();
            assert!(error.abs() < 5.0, "{drawn:?}");
        }
        assert_eq!(guide.draw([], &mut random), None);
    }

    #[test]
    fn keys_of_neighbours_differ() {
        let guide = Guide::new(KeyKind::StepsOntoPieces, 14);
        let hash = |action, piece, place| KeyHash::BEGIN.step(action, piece, place);
        let places = 1..65;
        let hashes = places.flat_map(|v| [hash(1, 0, v), hash(2, 0, v), hash(1, 1, v)]);
        let mut keys: Vec<u32> = hashes.map(|hash| guide.key(hash)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 3 * 64);
    }

    #[test]
    fn words_keep_keys_and_players() {
        let played = PlayedKey { key: (1 << MAX_BITS) - 1, player: 3 };
        assert_eq!(PlayedKey::from_word(played.word()), played);
    }
}
