//! Numbers for moves and semimoves (`code` of PPA Algorithm 3): small and dense, so that what is learned lies in
//! arrays. The moves of a group lie side by side in a row, one place for each position; a group has to be looked
//! up once, its moves not at all. Every player has numbers of its own.

use regulus_game::{Group, GroupedMove, MoveGroups, Step};

use super::rows::{Rows, WORD};
use crate::action::{Actions, NODAL, ending_key, extended, group_key, submove_key};
use crate::statistic::names::{Names, without_split_points};

const NONE: u32 = u32::MAX;

/// Numbers for moves.
pub(crate) struct Codes {
    names: Names,
    /// For every player, where the rows of endings begin that are whole moves, by the number of the ending.
    direct: Vec<Vec<u32>>,
    /// The rows. The first is for moves that came when there was no memory left.
    rows: Actions,
    /// How many places a row has.
    width: u32,
    frozen: bool,
    /// The rows of the groups that are looked at.
    found: Vec<u32>,
}

impl Codes {
    /// For a board with `vertices` vertices. `groups` are those of some position.
    pub(crate) fn new(players: usize, vertices: usize, groups: &MoveGroups) -> Self {
        let mut names = Names::default();
        names.prepare(groups);
        let width = groups.vertices.len().max(vertices + 1).next_multiple_of(WORD) as u32;
        let mut rows = Actions::default();
        rows.number(0);
        let direct = vec![Vec::new(); players + 1];
        Codes { names, direct, rows, width, frozen: false, found: Vec::new() }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len() * self.width as usize
    }

    /// How many words the set of the places of a row has.
    pub(crate) fn words(&self) -> usize {
        self.width as usize / WORD
    }

    /// How many numbers stand for moves that came too late.
    pub(crate) fn nameless(&self) -> usize {
        self.width as usize
    }

    /// The row of a key.
    #[inline]
    fn other(&mut self, player: usize, key: u64) -> u32 {
        let key = extended(key, Step { action: player as i32, vertex: 0 });
        if let Some(number) = self.rows.find(key) {
            return number * self.width;
        }
        let full = self.frozen || self.rows.len() as u32 > u32::MAX / self.width - 2;
        if full { 0 } else { self.rows.number(key) * self.width }
    }

    /// The row of an ending that is a whole move.
    #[inline]
    fn direct(&mut self, player: usize, ending: u32) -> u32 {
        if let Some(row) = self.direct[player].get(ending as usize)
            && *row != NONE
        {
            return *row;
        }
        let key = group_key(!NODAL, u64::from(ending) + 1);
        let row = self.other(player, key);
        if row != 0 {
            let rows = &mut self.direct[player];
            rows.resize(rows.len().max(ending as usize + 1), NONE);
            rows[ending as usize] = row;
        }
        row
    }

    /// Hands over some groups, in order, with the row of each; and if one of its moves is in another row, the
    /// position of that move and the row.
    #[inline(always)]
    pub(crate) fn of_groups(
        &mut self,
        player: usize,
        groups: &MoveGroups,
        mut each: impl FnMut(Group<'_>, u32, Option<(usize, u32)>),
    ) {
        self.names.prepare(groups);
        self.names.find_keys(groups);
        // All rows first: what is looked up for one group does not wait for what is done with another.
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        found.extend(groups.iter().map(|group| match group.beginning {
            0 => self.direct(player, self.names.endings[group.ending].number),
            _ => self.other(player, self.names.key(group)),
        }));
        for (group, row) in groups.iter().zip(&found) {
            let special = self.names.special(groups, group).map(|special| {
                let (before, run) = self.names.run(groups, group.beginning, special);
                let ending = ending_key(run, &groups.endings[group.ending].actions);
                let own = self.row(player, self.names.beginnings[before], before == 0, ending);
                (special, own)
            });
            each(group, *row, special);
        }
        self.found = found;
    }

    /// Appends the numbers of all moves of some groups.
    pub(crate) fn push_groups(&mut self, player: usize, groups: &MoveGroups, codes: &mut Vec<u32>) {
        self.of_groups(player, groups, |group, row, special| {
            let from = codes.len();
            codes.reserve(group.set.len() * WORD);
            group.for_each(|position| codes.push(row + position as u32));
            if let Some((position, own)) = special {
                let usual = row + position as u32;
                let place = codes[from..].iter_mut().find(|place| **place == usual);
                place.into_iter().for_each(|place| *place = own + position as u32);
            }
        });
    }

    /// Appends the rows of all moves of some groups.
    pub(crate) fn push_rows(&mut self, player: usize, groups: &MoveGroups, rows: &mut Rows) {
        let mut number = 0;
        self.of_groups(player, groups, |group, row, special| {
            match special {
                None => rows.push(row, number, group.set),
                Some(special) => rows.push_parted(row, number, group.set, special),
            }
            number += 1;
        });
    }

    fn row(&mut self, player: usize, context: u64, alone: bool, ending: u64) -> u32 {
        if alone {
            let number = self.names.numbers.number(ending);
            return self.direct(player, number);
        }
        self.other(player, group_key(context, ending))
    }

    /// The number of a move of some groups that consists of an ending alone; `None` if it does not.
    #[inline]
    pub(crate) fn of_ending(
        &mut self,
        player: usize,
        groups: &MoveGroups,
        it: GroupedMove,
    ) -> Option<u32> {
        let group = groups.group(it.group);
        if group.beginning != 0 {
            return None;
        }
        self.names.prepare(groups);
        let ending = self.names.endings[group.ending].number;
        Some(self.direct(player, ending) + it.position as u32)
    }

    /// The number of a whole move.
    pub(crate) fn of_move(&mut self, player: usize, steps: &[Step]) -> u32 {
        if !steps.iter().all(|step| step.is_modifier()) {
            return self.of_move(player, &without_split_points(steps));
        }
        let Some(last) = steps.last() else { return 0 };
        let (beginning, ending) = self.names.taken_apart(steps);
        let context = submove_key(NODAL, beginning);
        let row = self.row(player, context, beginning.is_empty(), ending);
        row + u32::from(self.names.positions[usize::from(last.vertex)])
    }

    /// The number of a semimove, whatever its context.
    pub(crate) fn of_semimove(&mut self, player: usize, step: Step) -> u32 {
        let key = extended(!NODAL, Step { action: step.action, vertex: 0 });
        self.other(player, key) + u32::from(step.vertex)
    }

    /// Whether no more memory may be taken.
    pub(crate) fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes() + self.names.numbers.bytes()
    }
}

/// Numbers for moves together with their features.
pub(crate) struct Featured {
    /// The first number is for what came when there was no memory left.
    numbers: Actions,
    /// For every move the features it had when it was last seen, and the number: mostly it has them still.
    last: Vec<(u64, u32)>,
    frozen: bool,
}

impl Featured {
    pub(crate) fn new() -> Self {
        let mut numbers = Actions::default();
        numbers.number(0);
        Featured { numbers, last: Vec::new(), frozen: false }
    }

    /// The number of a move with features.
    #[inline]
    pub(crate) fn of(&mut self, code: u32, features: u64) -> u32 {
        match self.last.get(code as usize) {
            Some(last) if last.0 == features && last.1 != 0 => last.1,
            _ => self.find(code, features),
        }
    }

    fn find(&mut self, code: u32, features: u64) -> u32 {
        let key = u64::from(code + 1).wrapping_mul(0xff51_afd7_ed55_8ccd) ^ features;
        let key = (key ^ (key >> 32)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        if self.frozen {
            return self.numbers.find(key).unwrap_or(0);
        }
        let number = self.numbers.number(key);
        if self.last.len() <= code as usize {
            self.last.resize(code as usize + 1, (0, 0));
        }
        self.last[code as usize] = (features, number);
        number
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether no more memory may be taken.
    pub(crate) fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.numbers.bytes() + self.last.capacity() * size_of::<(u64, u32)>()
    }
}
