//! SHOT of SLIDES, line by line. `budgetUsed`, `playouts` and `wins` of the pseudocode are [`Visit::used`] and the
//! frame's [`Found`](super::Found), with the scores of every player.

use regulus_game::Engine;

use super::Shot;
use super::table::NONE;
use crate::turn::Turn;

/// The most moves and semimoves on the way down: behind them everything is played out at random. The way is on the
/// stack, and a game in which all moves are forced may be long.
const MAX_DEPTH: usize = 512;

/// What came of a visit.
#[derive(Clone, Copy, Default)]
pub(super) struct Visit {
    /// Playouts that were made.
    pub(super) used: u64,
    /// How many moves deep the search has come.
    pub(super) depth: u32,
    /// The frame is in the middle of a move that cannot be completed.
    pub(super) is_dead: bool,
}

/// ⌈log2 count⌉, for two and more.
fn rounds(count: usize) -> u64 {
    u64::from(count.next_power_of_two().ilog2())
}

impl<E: Engine> Shot<E> {
    /// SHOT (board, budget, ...): the board is the state of the last frame.
    pub(super) fn visit(
        &mut self,
        depth: usize,
        budget: u64,
        turn: &mut Turn<'_>,
    ) -> Result<Visit, E::Error> {
        let players = self.sim.scales.len() - 1;
        let is_root = depth == 0;
        self.frames[depth].found.clear(players);
        if !self.frames[depth].alive {
            return Ok(self.end_here(depth, budget));
        }
        // Before the moves are listed: a playout finds out whether the board is terminal.
        if (budget == 1 && !is_root) || depth >= MAX_DEPTH || self.is_on_the_way(depth) {
            return self.play_out(depth, budget, turn);
        }
        let count = self.list(depth)?;
        if count == 0 {
            return Ok(self.end_here(depth, budget));
        }
        if count == 1 && !is_root && self.frames[depth].nodal && !self.splits() {
            return self.visit_only(depth, 0, None, budget, turn);
        }
        let (key, reserved) = (self.frames[depth].key, self.sim.statistic_bytes());
        let Some(entry) = self.table.get(key, count, reserved) else {
            if is_root {
                // Without any entry there is no move to play: what is known about other positions makes room.
                self.table.clear();
                if self.table.get(key, count, 0).is_some() {
                    return self.visit(depth, budget, turn);
                }
            }
            self.full = true;
            return self.play_out(depth, budget, turn);
        };
        self.shuffle(depth, entry, count);
        let mut visit = Visit::default();
        let size = self.frames[depth].left.len();
        if size > 1 && self.table.entry(entry).budget <= size as u64 {
            self.try_moves(depth, entry, budget, &mut visit, turn)?;
        }
        let mut candidates = 1;
        match self.frames[depth].left.as_slice() {
            [] => return Ok(self.end_here(depth, budget)),
            [only] if visit.used < budget && !turn.is_over() => {
                let (only, left) = (*only, budget - visit.used);
                let below = self.visit_only(depth, only, Some(entry), left, turn)?;
                visit.used += below.used;
                visit.depth = visit.depth.max(below.depth);
                visit.is_dead = below.is_dead;
            }
            _ => candidates = self.halve(depth, entry, budget, &mut visit, turn)?,
        }
        let was_cut = turn.is_over() && visit.used < budget;
        let as_told = turn.is_counted() && self.frames[depth].nodal && !was_cut;
        let best = self.best_left(depth, entry, if as_told { 1 } else { candidates });
        let entry = self.table.entry_mut(entry);
        entry.budget += visit.used;
        entry.best = best;
        Ok(visit)
    }

    /// "Return first move of S". Where rounds are not over because a clock or a small budget has ended them, the mean
    /// alone would favour moves that were lucky in few playouts: then it is the move with most playouts of those that
    /// are left, and the better mean if there are several.
    fn best_left(&self, depth: usize, entry: u32, candidates: usize) -> u32 {
        let left = &self.frames[depth].left;
        let known = |chosen: &u32| self.table.stat(entry, *chosen);
        let best = left[..candidates.min(left.len())].iter().rev().max_by(|a, b| {
            let by_mean = known(a).mean().total_cmp(&known(b).mean());
            known(a).playouts.cmp(&known(b).playouts).then(by_mean)
        });
        best.copied().unwrap_or(NONE)
    }

    /// "If board is terminal": as many playouts as the budget is, all with the scores of the board. In the middle of a
    /// move there is no such thing, it cannot be completed.
    pub(super) fn end_here(&mut self, depth: usize, budget: u64) -> Visit {
        let frame = &mut self.frames[depth];
        if !frame.nodal {
            return Visit { is_dead: true, ..Visit::default() };
        }
        let engine = &self.sim.engine;
        let sum = |player| match player {
            0 => 0.0,
            _ => f64::from(engine.score(&frame.state, player)) * budget as f64,
        };
        frame.found.add(budget, (0..self.sim.scales.len()).map(sum));
        Visit::default()
    }

    /// The way down has come back to where it was.
    fn is_on_the_way(&self, depth: usize) -> bool {
        let key = self.frames[depth].key;
        self.frames[..depth].iter().any(|frame| frame.key == key)
    }

    /// Lists the moves or semimoves of a frame; gives their number.
    pub(super) fn list(&mut self, depth: usize) -> Result<usize, E::Error> {
        let splits = self.splits();
        let frame = &mut self.frames[depth];
        if splits {
            self.sim.engine.semimoves(&mut frame.state, &mut frame.semimoves)?;
        } else {
            self.sim.engine.list(&mut frame.state, &mut frame.moves)?;
        }
        Ok(if splits { frame.semimoves.len() } else { frame.moves.len() })
    }

    /// S: all moves that are not known to be dead, in any order.
    fn shuffle(&mut self, depth: usize, entry: u32, count: usize) {
        let left = &mut self.frames[depth].left;
        let stats = self.table.stats(entry);
        left.clear();
        left.extend((0..count as u32).filter(|chosen| !stats[*chosen as usize].is_dead()));
        for i in (1..left.len()).rev() {
            left.swap(i, self.sim.random.below(i as u64 + 1) as usize);
        }
    }

    /// "For move m in S with zero playouts".
    fn try_moves(
        &mut self,
        depth: usize,
        entry: u32,
        budget: u64,
        visit: &mut Visit,
        turn: &mut Turn<'_>,
    ) -> Result<(), E::Error> {
        let player = self.frames[depth].player;
        for i in 0..self.frames[depth].left.len() {
            if visit.used >= budget || turn.is_over() {
                break;
            }
            let chosen = self.frames[depth].left[i];
            if self.table.stat(entry, chosen).playouts > 0 {
                continue;
            }
            if !self.play_out_behind(depth, chosen, turn)? {
                self.table.stat_mut(entry, chosen).kill();
                continue;
            }
            visit.used += 1;
            visit.depth = visit.depth.max(1);
            let points = self.sim.episode.points[player];
            self.table.stat_mut(entry, chosen).add(1, points, 1);
        }
        let table = &self.table;
        self.frames[depth].left.retain(|chosen| !table.stat(entry, *chosen).is_dead());
        Ok(())
    }

    /// "While |S| > 1". S is sorted in any case, so that its first move is the best; gives how many are left.
    fn halve(
        &mut self,
        depth: usize,
        entry: u32,
        budget: u64,
        visit: &mut Visit,
        turn: &mut Turn<'_>,
    ) -> Result<usize, E::Error> {
        let mut size = self.frames[depth].left.len();
        let (before, rounds) = (self.table.entry(entry).budget, rounds(size));
        self.sort(depth, entry, size);
        let (mut b, mut is_round_over) = (0, true);
        while size > 1 && visit.used < budget && !turn.is_over() {
            b += ((before.saturating_add(budget)) / (size as u64 * rounds)).max(1);
            for i in 0..size {
                let chosen = self.frames[depth].left[i];
                let playouts = |chosen| u64::from(self.table.stat(entry, chosen).playouts);
                let rest = budget - visit.used;
                if playouts(chosen) < b {
                    let mut more = b - playouts(chosen);
                    if depth == 0 && size == 2 && i == 0 {
                        // What is not for the second move.
                        let second = playouts(self.frames[depth].left[1]);
                        more = (rest + second).saturating_sub(b);
                    }
                    let more = more.min(rest);
                    if more > 0 {
                        let below = self.visit_below(depth, chosen, Some(entry), more, turn)?;
                        visit.used += below.used;
                        visit.depth = visit.depth.max(below.depth);
                    }
                }
                if visit.used >= budget || turn.is_over() {
                    is_round_over = i + 1 == size;
                    break;
                }
            }
            self.sort(depth, entry, size);
            if !is_round_over {
                break;
            }
            size = size.div_ceil(2);
        }
        Ok(size)
    }

    /// Sorts the first `size` moves of S by decreasing mean.
    fn sort(&mut self, depth: usize, entry: u32, size: usize) {
        let stats = self.table.stats(entry);
        let mean = |chosen: &u32| stats[*chosen as usize].mean();
        self.frames[depth].left[..size].sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    }

    /// "If |S| = 1": the whole budget is for what comes behind it.
    fn visit_only(
        &mut self,
        depth: usize,
        chosen: u32,
        entry: Option<u32>,
        budget: u64,
        turn: &mut Turn<'_>,
    ) -> Result<Visit, E::Error> {
        let below = self.visit_below(depth, chosen, entry, budget, turn)?;
        if below.is_dead {
            return Ok(self.end_here(depth, budget));
        }
        Ok(below)
    }

    /// SHOT (play (board, m), ...), and "update playouts, budgetUsed, wins and t".
    fn visit_below(
        &mut self,
        depth: usize,
        chosen: u32,
        entry: Option<u32>,
        budget: u64,
        turn: &mut Turn<'_>,
    ) -> Result<Visit, E::Error> {
        let mut visit = Visit { is_dead: true, ..Visit::default() };
        if self.descend(depth, chosen)? {
            visit = self.visit(depth + 1, budget, turn)?;
        }
        self.ascend(depth);
        if visit.is_dead {
            if let Some(entry) = entry {
                self.table.stat_mut(entry, chosen).kill();
            }
            return Ok(visit);
        }
        let (above, below) = self.frames.split_at_mut(depth + 1);
        let (here, below) = (&mut above[depth], &below[0]);
        visit.depth += u32::from(below.nodal);
        here.found.add(below.found.playouts, below.found.sums.iter().copied());
        if let Some(entry) = entry {
            let sum = below.found.sums[here.player];
            self.table.stat_mut(entry, chosen).add(below.found.playouts, sum, visit.depth);
        }
        Ok(visit)
    }
}

#[cfg(test)]
mod tests {
    use super::rounds;

    #[test]
    fn rounds_are_logarithms_rounded_up() {
        let expected = [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (218, 8)];
        assert!(expected.iter().all(|(count, log)| rounds(*count) == *log));
    }
}
