//! Positions whose moves are known already. A policy that has learned something plays nearly the same game
//! again and again: more than half of all positions of a search were met shortly before.

/// The codes of the possible moves of positions, by the hash of the position. A position that another one
/// has the place of is forgotten, and all are when their codes have taken the memory there is: what is
/// forgotten is only listed again.
pub(super) struct Positions {
    /// Hash, and where its codes begin and end. An empty place has no codes.
    slots: Vec<(u64, u32, u32)>,
    codes: Vec<u32>,
}

/// The most positions that are kept, a power of two.
const POSITIONS: usize = 1 << 16;

/// The most codes that are kept.
const CODES: usize = 1 << 21;

impl Positions {
    pub(super) fn new() -> Self {
        Positions { slots: vec![(0, 0, 0); POSITIONS], codes: Vec::new() }
    }

    /// The codes of a position, if it has moves and is known.
    #[inline]
    pub(super) fn find(&self, hash: u64) -> Option<&[u32]> {
        let (known, begin, end) = self.slots[hash as usize % POSITIONS];
        (known == hash && begin < end).then(|| &self.codes[begin as usize..end as usize])
    }

    /// Remembers the codes of a position.
    pub(super) fn insert(&mut self, hash: u64, codes: &[u32]) {
        if self.codes.len() + codes.len() > CODES {
            self.codes.clear();
            self.slots.fill((0, 0, 0));
        }
        let begin = self.codes.len() as u32;
        if codes.len() <= CODES {
            self.codes.extend_from_slice(codes);
        }
        self.slots[hash as usize % POSITIONS] = (hash, begin, self.codes.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_until_they_are_forgotten() {
        let mut positions = Positions::new();
        assert_eq!(positions.find(0), None);
        positions.insert(7, &[3, 4]);
        positions.insert(8, &[5]);
        assert_eq!((positions.find(7), positions.find(8)), (Some(&[3, 4][..]), Some(&[5][..])));
        assert_eq!(positions.find(7 + POSITIONS as u64), None);
        positions.insert(7 + POSITIONS as u64, &[6]);
        assert_eq!((positions.find(7), positions.find(8)), (None, Some(&[5][..])));
        // Memory is bounded.
        let many = vec![1; 1 << 10];
        (0..10_000).for_each(|hash| positions.insert(hash, &many));
        assert!(positions.codes.len() <= CODES);
        assert_eq!(positions.find(9_999), Some(&many[..]));
        positions.insert(3, &vec![1; CODES + 1]);
        assert_eq!(positions.find(3), None);
    }
}
