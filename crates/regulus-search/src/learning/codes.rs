//! Numbers for moves and semimoves (`code` of PPA Algorithm 3): small and dense, so that what is learned lies in
//! arrays. The moves of a group lie side by side in a row, one place for each position; a group has to be looked
//! up once, its moves not at all. Every player has numbers of its own.

use regulus_game::{Group, MoveGroups, Step};

use crate::action::{Actions, NODAL, ending_key, extended, group_key, submove_key};
use crate::statistic::names::{Names, without_split_points};

const NONE: u32 = u32::MAX;

/// Numbers for moves.
pub(crate) struct Codes {
    names: Names,
    /// For every player, where the rows of endings begin that are whole moves, by the number of the ending.
    direct: Vec<Vec<u32>>,
    /// The rows of other groups and of semimoves.
    others: Actions,
    /// Where they begin.
    rows: Vec<u32>,
    /// How many places a row has.
    width: u32,
    /// How many numbers there are. The first row is for moves that came when there was no memory left.
    len: u32,
    frozen: bool,
}

impl Codes {
    /// For a board with so many vertices. `groups` are those of some position.
    pub(crate) fn new(players: usize, vertices: usize, groups: &MoveGroups) -> Self {
        let mut names = Names::default();
        names.prepare(groups);
        let width = (groups.words * 64).max(vertices + 1) as u32;
        Codes {
            names,
            direct: vec![Vec::new(); players + 1],
            others: Actions::default(),
            rows: Vec::new(),
            width,
            len: width,
            frozen: false,
        }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// How many numbers stand for moves that came too late.
    pub(crate) fn nameless(&self) -> usize {
        self.width as usize
    }

    fn new_row(&mut self) -> u32 {
        if self.frozen || self.len > u32::MAX - 2 * self.width {
            return 0;
        }
        self.len += self.width;
        self.len - self.width
    }

    /// The row of an ending that is a whole move.
    #[inline]
    fn direct(&mut self, player: usize, ending: u32) -> u32 {
        if let Some(row) = self.direct[player].get(ending as usize)
            && *row != NONE
        {
            return *row;
        }
        let row = self.new_row();
        if row != 0 {
            let rows = &mut self.direct[player];
            rows.resize(rows.len().max(ending as usize + 1), NONE);
            rows[ending as usize] = row;
        }
        row
    }

    /// The row of a key.
    #[inline]
    fn other(&mut self, player: usize, key: u64) -> u32 {
        let key = extended(key, Step { action: player as i32, vertex: 0 });
        if let Some(number) = self.others.find(key) {
            return self.rows[number as usize];
        }
        let row = self.new_row();
        if row != 0 {
            self.others.number(key);
            self.rows.push(row);
        }
        row
    }

    /// Hands over the numbers of all moves of some groups, in order: group, position, number.
    #[inline(always)]
    pub(crate) fn of_groups(
        &mut self,
        player: usize,
        groups: &MoveGroups,
        mut each: impl FnMut(Group<'_>, usize, u32),
    ) {
        self.names.prepare(groups);
        self.names.find_keys(groups);
        for group in groups.iter() {
            let row = match group.beginning {
                0 => self.direct(player, self.names.endings[group.ending].number),
                _ => self.other(player, self.names.key(group)),
            };
            match self.names.special(groups, group) {
                None => group.for_each(|position| each(group, position, row + position as u32)),
                Some(special) => {
                    let (before, run) = self.names.run(groups, group.beginning, special);
                    let ending = ending_key(run, &groups.endings[group.ending].actions);
                    let own = self.row(player, self.names.beginnings[before], before == 0, ending);
                    group.for_each(|position| {
                        let row = if position == special { own } else { row };
                        each(group, position, row + position as u32);
                    });
                }
            }
        }
    }

    fn row(&mut self, player: usize, context: u64, alone: bool, ending: u64) -> u32 {
        if alone {
            let number = self.names.numbers.number(ending);
            return self.direct(player, number);
        }
        self.other(player, group_key(context, ending))
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
        self.others.bytes() + self.names.numbers.bytes() + self.rows.capacity() * 4
    }
}
