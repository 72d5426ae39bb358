//! Moves in groups, for choosing one of them without listing them all.

use crate::{Moves, Step};

/// How a move ends: actions that all happen at one vertex, perhaps after one at a certain distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// An action before them at another vertex, and how many positions before theirs it is.
    pub lead: Option<(i32, i32)>,
    /// The actions, in order.
    pub actions: Box<[i32]>,
    /// False if the move may turn out to be illegal.
    pub sure: bool,
}

impl Ending {
    /// The position of the action before the ending at a position.
    #[inline]
    pub fn lead_position(&self, position: usize) -> usize {
        let distance = self.lead.map_or(0, |lead| lead.1);
        (position as i64 - i64::from(distance)) as usize
    }
}

/// The moves of a position in groups. The moves of a group begin with the same steps and end with the
/// same actions; they differ in the vertex at which these actions happen. Some may turn out to be
/// illegal when they are made.
///
/// Everything is kept as words, so that generated code can write it. A *beginning* is two words: the
/// number of the beginning without its last step, and that step (the action in the low half, the position
/// in the high half); beginning 0 has no steps. A *group* is a word with the number of its beginning in
/// the low half and that of its ending in the high half, and a set of positions.
#[derive(Clone, Default, Debug)]
pub struct MoveGroups {
    /// Beginnings, two words each.
    pub beginnings: Vec<u64>,
    /// Groups, one word and a set each.
    pub groups: Vec<u64>,
    /// How moves can end.
    pub endings: Vec<Ending>,
    /// The vertices of positions.
    pub vertices: Vec<u16>,
    /// How many words a set has.
    pub words: usize,
    /// Whose endings and vertices these are: a number that the code which wrote them chose for itself.
    pub legend: u64,
}

/// One of the groups.
#[derive(Clone, Copy, Debug)]
pub struct Group<'g> {
    /// The number of its beginning.
    pub beginning: usize,
    /// The number of its ending.
    pub ending: usize,
    /// The positions at which the ending can happen.
    pub set: &'g [u64],
}

impl Group<'_> {
    /// How many moves it has.
    #[inline]
    pub fn len(&self) -> usize {
        self.set.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// True if it has none.
    pub fn is_empty(&self) -> bool {
        self.set.iter().all(|word| *word == 0)
    }

    /// Hands over its positions, from the lowest.
    #[inline(always)]
    pub fn for_each(&self, mut each: impl FnMut(usize)) {
        for (w, word) in self.set.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                each(w * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// Its positions, from the lowest.
    #[inline]
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        self.set.iter().enumerate().flat_map(|(w, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let low = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    w * 64 + low
                })
            })
        })
    }
}

/// A move of some groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupedMove {
    /// The number of its group.
    pub group: usize,
    /// The position of its ending.
    pub position: usize,
}

impl MoveGroups {
    /// Forgets all moves but keeps the memory and the endings.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.beginnings.clear();
        self.beginnings.extend([0, 0]);
    }

    /// The groups, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Group<'_>> {
        self.groups.chunks_exact(1 + self.words.max(1)).map(|group| Group {
            beginning: group[0] as u32 as usize,
            ending: (group[0] >> 32) as usize,
            set: &group[1..],
        })
    }

    /// How many moves there are, those that may be illegal included.
    pub fn len(&self) -> usize {
        self.iter().map(|group| group.len()).sum()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() || self.iter().all(|group| group.is_empty())
    }

    /// The move with a number below [`MoveGroups::len`].
    pub fn nth(&self, number: usize) -> Option<GroupedMove> {
        let mut rest = number;
        for (i, group) in self.iter().enumerate() {
            let count = group.len();
            if rest < count {
                let position = group.positions().nth(rest)?;
                return Some(GroupedMove { group: i, position });
            }
            rest -= count;
        }
        None
    }

    /// One of the groups.
    pub fn group(&self, number: usize) -> Group<'_> {
        let stride = 1 + self.words;
        let group = &self.groups[number * stride..(number + 1) * stride];
        Group {
            beginning: group[0] as u32 as usize,
            ending: (group[0] >> 32) as usize,
            set: &group[1..],
        }
    }

    /// The last step of a beginning, and the beginning without it; `None` for the first.
    #[inline]
    pub fn beginning(&self, number: usize) -> Option<(usize, Step)> {
        let words = (number > 0).then(|| &self.beginnings[number * 2..number * 2 + 2])?;
        let vertex = self.vertices[(words[1] >> 32) as usize];
        Some((words[0] as usize, Step { action: words[1] as u32 as i32, vertex }))
    }

    /// The position of the last step of a beginning; `None` for the first.
    #[inline]
    pub fn last_position(&self, beginning: usize) -> Option<usize> {
        (beginning > 0).then(|| (self.beginnings[beginning * 2 + 1] >> 32) as usize)
    }

    /// How many beginnings there are.
    pub fn beginning_count(&self) -> usize {
        self.beginnings.len() / 2
    }

    /// Removes a move that turned out to be illegal.
    pub fn remove(&mut self, it: GroupedMove) {
        let at = it.group * (1 + self.words) + 1 + it.position / 64;
        self.groups[at] &= !(1 << (it.position % 64));
    }

    /// Appends the steps of a move.
    pub fn push_steps(&self, it: GroupedMove, steps: &mut Vec<Step>) {
        self.push_group_steps(self.group(it.group), it.position, steps);
    }

    /// Appends the steps of a move of a group.
    pub fn push_group_steps(&self, group: Group<'_>, position: usize, steps: &mut Vec<Step>) {
        let from = steps.len();
        let mut at = group.beginning;
        while let Some((before, step)) = self.beginning(at) {
            steps.push(step);
            at = before;
        }
        steps[from..].reverse();
        let vertex = self.vertices[position];
        let ending = &self.endings[group.ending];
        if let Some((action, _)) = ending.lead {
            let vertex = self.vertices[ending.lead_position(position)];
            steps.push(Step { action, vertex });
        }
        steps.extend(ending.actions.iter().map(|action| Step { action: *action, vertex }));
    }

    /// Groups of listed moves, one for each.
    pub fn fill(&mut self, moves: &Moves) {
        self.clear();
        if self.legend != 0 {
            *self = MoveGroups { beginnings: vec![0, 0], ..MoveGroups::default() };
        }
        let steps = moves.parts().0;
        let highest = steps.iter().map(|step| step.vertex).max().unwrap_or(0);
        if self.vertices.len() <= usize::from(highest) {
            self.vertices = (0..=highest).collect();
            self.words = usize::from(highest) / 64 + 1;
        }
        for steps in moves.iter() {
            let begin = same_vertex_from(steps);
            let mut beginning = 0;
            for step in &steps[..begin] {
                let word = u64::from(step.action as u32) | u64::from(step.vertex) << 32;
                self.beginnings.extend([beginning, word]);
                beginning = self.beginnings.len() as u64 / 2 - 1;
            }
            let actions = steps[begin..].iter().map(|step| step.action);
            let known =
                self.endings.iter().position(|e| e.actions.iter().copied().eq(actions.clone()));
            let ending = known.unwrap_or_else(|| {
                self.endings.push(Ending { lead: None, actions: actions.collect(), sure: true });
                self.endings.len() - 1
            });
            self.groups.push(beginning | (ending as u64) << 32);
            let at = self.groups.len() + steps.last().map_or(0, |s| usize::from(s.vertex) / 64);
            self.groups.resize(self.groups.len() + self.words, 0);
            self.groups[at] = 1 << steps.last().map_or(0, |s| s.vertex % 64);
        }
    }
}

/// Where the steps of a move begin that happen at its last vertex.
#[inline]
pub fn same_vertex_from(steps: &[Step]) -> usize {
    let Some(last) = steps.last() else { return 0 };
    steps.iter().rposition(|step| step.vertex != last.vertex).map_or(0, |i| i + 1)
}
