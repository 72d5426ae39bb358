//! What a nested search tells about itself.

use regulus_game::{Engine, Moves};

use super::line::Line;
use super::task::Task;
use crate::report::{MoveReport, Snapshot, Totals};

/// The longest part of the best sequence that is shown while a search goes on.
const MAX_VARIATION: usize = 12;

/// The moves of a position, and the games that began with them.
#[derive(Default)]
pub(super) struct RootMoves {
    pub(super) moves: Moves,
    /// Of every move: how many games, and the sum of their scores.
    games: Vec<(u32, f64)>,
}

impl RootMoves {
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.games.clear();
    }

    /// The moves were listed.
    pub(super) fn prepare(&mut self) {
        self.games.resize(self.moves.len(), (0, 0.0));
    }

    pub(super) fn count(&mut self, line: &Line) {
        let first = line.get(0).and_then(|steps| self.moves.iter().position(|m| m == steps));
        if let Some((games, sum)) = first.and_then(|first| self.games.get_mut(first)) {
            *games = games.saturating_add(1);
            *sum += f64::from(line.score);
        }
    }
}

impl<E: Engine> Task<E> {
    pub(super) fn moves(&self) -> Vec<MoveReport> {
        let scale = 1.0 / f64::from(self.engine.score_bound(1).max(1));
        let best = self.best.as_ref();
        let report = |(steps, (visits, sum)): (&[_], &(u32, f64))| MoveReport {
            steps: steps.to_vec(),
            visits: *visits,
            mean: sum * scale / f64::from((*visits).max(1)),
            amaf: None,
            proven: None,
            depth: best.filter(|b| b.get(0) == Some(steps)).map_or(0, |b| b.len() as u32),
        };
        let mut moves: Vec<MoveReport> =
            self.root.moves.iter().zip(&self.root.games).map(report).collect();
        moves.sort_by_key(|report| std::cmp::Reverse(report.visits));
        moves
    }

    pub(super) fn snapshot(&self, totals: Totals) -> Snapshot {
        let variation = self.best.iter().flat_map(Line::iter).take(MAX_VARIATION);
        Snapshot {
            totals,
            nodes: self.codes,
            bytes: self.bytes,
            moves: self.moves(),
            variation: variation.map(<[_]>::to_vec).collect(),
        }
    }
}
