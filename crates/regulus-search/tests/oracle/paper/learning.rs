//! Playout learning, from PPA (T. Cazenave, *Playout Policy Adaptation with Move Features*) line by line: the
//! playout of Algorithm 3, adaptation by Algorithms 4 and 5, with a map of policy numbers and every playout made
//! again for adapting.

use regulus_game::{Engine, GroupedMove, MoveGroups, Moves, Step};
use regulus_search::config::{Features, Learning, Mast, Method};
use regulus_search::numeric;
use rustc_hash::FxHashMap;

use super::sequences::{Action, Nst};
use super::{Applied, Paper, Submove, without_split_points};

/// A move of a player, and what stood on the cells it changes and around them.
pub type Code = (usize, Submove, Vec<Vec<u16>>);

#[derive(Default)]
pub struct Learned {
    policy: FxHashMap<Code, f64>,
    games: FxHashMap<Code, f64>,
    wins: FxHashMap<Code, f64>,
}

impl<E: Engine> Paper<E> {
    /// The cells that differ between a board and the one after a move, when the keeper has run.
    fn changed(&mut self, state: &E::State, steps: &[Step]) -> Vec<u16> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.engine.pieces(state, &mut before);
        let mut next = state.clone();
        self.engine.apply(&mut next, steps);
        self.engine.run_keeper(&mut next).expect("keeper");
        self.engine.pieces(&next, &mut after);
        (1..before.len()).filter(|v| before[*v] != after[*v]).map(|v| v as u16).collect()
    }

    /// A move with its features (PPA section 3).
    fn code(
        &mut self,
        state: &E::State,
        player: usize,
        steps: &[Step],
        features: Features,
    ) -> Code {
        let steps = without_split_points(steps);
        if features == Features::None {
            return (player, steps, Vec::new());
        }
        let changed = self.changed(state, &steps);
        let mut contents = Vec::new();
        self.engine.pieces(state, &mut contents);
        let kind = |vertex: usize| {
            let piece = usize::from(contents[vertex]);
            self.kinds.get(piece).copied().unwrap_or(piece as u16)
        };
        let mut seen = Vec::new();
        for vertex in changed {
            let mut cell = vec![vertex, kind(usize::from(vertex))];
            for label in 0..self.engine.labels() {
                let to = usize::from(self.engine.next(vertex, label));
                if features == Features::Neighbours {
                    cell.push(if to == 0 { 256 } else { kind(to) });
                }
            }
            seen.push(cell);
        }
        (player, steps, seen)
    }

    /// The possible moves, in the order in which the search draws them.
    fn possible(&mut self, state: &mut E::State) -> Vec<Submove> {
        let mut groups = MoveGroups::default();
        self.engine.groups(state, &mut groups).expect("moves");
        if groups.iter().any(|group| !groups.endings[group.ending].sure) {
            let mut moves = Moves::new();
            self.engine.list(state, &mut moves).expect("moves");
            return moves.iter().map(<[Step]>::to_vec).collect();
        }
        let steps_of = |it: GroupedMove| {
            let mut steps = Vec::new();
            groups.push_steps(it, &mut steps);
            steps
        };
        (0..groups.len()).map(|i| steps_of(groups.nth(i).expect("a move"))).collect()
    }

    fn policy(&self, code: &Code) -> f64 {
        self.learned.policy.get(code).copied().unwrap_or(0.0)
    }

    /// Algorithm 3: a move with probability proportional to exp(k policy).
    pub(super) fn learned_move(
        &mut self,
        state: &mut E::State,
        history: &[Action],
    ) -> Option<Submove> {
        let player = self.engine.player(state);
        let moves = self.possible(state);
        // Where nobody asks for replies, chance may decide before moves are looked at.
        let by_replies = self.config.replies.is_some_and(|replies| replies.in_playouts);
        if let Some(nst) = self.nst().filter(|_| !by_replies) {
            if self.ignores_scores(nst.policy) {
                let count = moves.len() as u64;
                return (count > 0).then(|| moves[self.random.below(count) as usize].clone());
            }
            if moves.len() > 1 {
                return Some(moves[self.choose_by_nst(nst, history, player, &moves)].clone());
            }
        }
        if moves.len() < 2 {
            return moves.into_iter().next();
        }
        let chosen = match self.config.learning {
            Some(settings) if self.nst().is_none() => {
                let reply = || self.reply(history, player, &moves);
                let reply = if by_replies { reply() } else { None };
                reply.unwrap_or_else(|| self.choose_by_policy(state, settings, player, &moves))
            }
            _ => {
                let guide = self.config.mast.filter(|m| m.in_playouts);
                self.choose_learned(guide, history, player, &[], &moves)
            }
        };
        Some(moves[chosen].clone())
    }

    /// A good reply; by NST; by what else there is.
    pub(super) fn choose_learned(
        &mut self,
        guide: Option<Mast>,
        history: &[Action],
        player: usize,
        context: &[Step],
        candidates: &[Submove],
    ) -> usize {
        if candidates.len() == 1 {
            return 0;
        }
        if self.config.replies.is_some_and(|replies| replies.in_playouts)
            && let Some(reply) = self.reply(history, player, candidates)
        {
            return reply;
        }
        match self.nst() {
            Some(nst) if self.ignores_scores(nst.policy) => {
                self.random.below(candidates.len() as u64) as usize
            }
            Some(nst) => self.choose_by_nst(nst, history, player, candidates),
            None => self.choose(guide, player, context, candidates),
        }
    }

    fn choose_by_nst(
        &mut self,
        nst: Nst,
        history: &[Action],
        player: usize,
        candidates: &[Submove],
    ) -> usize {
        let scores = candidates.iter().map(|c| self.nst_score(nst, history, player, c)).collect();
        self.choose_by(nst.policy, scores)
    }

    /// Algorithm 3, from Z on.
    fn choose_by_policy(
        &mut self,
        state: &E::State,
        settings: Learning,
        player: usize,
        moves: &[Submove],
    ) -> usize {
        let k = match settings.method {
            Method::Mast { k } => k,
            _ => 1.0,
        };
        let weights: Vec<f64> = moves
            .iter()
            .map(|m| {
                let code = self.code(state, player, m, settings.features);
                numeric::exp(k * self.policy(&code))
            })
            .collect();
        let z: f64 = weights.iter().sum();
        let mut rest = numeric::unit(&mut self.random) * z;
        let found = weights.iter().position(|w| {
            rest -= w;
            rest < 0.0
        });
        found.expect("a weight")
    }

    /// Algorithms 4 and 5. The playout is made again from the root.
    pub(super) fn adapt(&mut self, scores: &[u32], applied: &[Applied]) {
        let Some(settings) = self.config.learning else { return };
        let value = |p: usize| f64::from(scores[p]) / f64::from(self.engine.score_bound(p));
        let values: Vec<f64> = (1..scores.len()).map(value).collect();
        let best = values.iter().copied().fold(0.0, f64::max);
        let drawn = values.iter().all(|v| *v == best);
        let mut board = self.nodes[self.root].state.clone();
        let mut polp = self.learned.policy.clone();
        for playout_move in applied.iter().filter(|m| !m.steps.is_empty()) {
            let player = playout_move.player;
            let code = self.code(&board, player, &playout_move.steps, settings.features);
            match settings.method {
                Method::Ppa { alpha } if values[player - 1] == best && !drawn => {
                    let mut moves = Moves::new();
                    self.engine.list(&mut board, &mut moves).expect("moves");
                    let codes: Vec<Code> = moves
                        .iter()
                        .map(|m| self.code(&board, player, m, settings.features))
                        .collect();
                    *polp.entry(code).or_default() += alpha;
                    let z: f64 = codes.iter().map(|m| numeric::exp(self.policy(m))).sum();
                    for m in codes {
                        let share = numeric::exp(self.policy(&m)) / z;
                        *polp.entry(m).or_default() -= alpha * share;
                    }
                }
                Method::Mast { .. } => {
                    *self.learned.games.entry(code.clone()).or_default() += 1.0;
                    *self.learned.wins.entry(code.clone()).or_default() += values[player - 1];
                    let mean = self.learned.wins[&code] / self.learned.games[&code];
                    polp.insert(code, mean);
                }
                _ => {}
            }
            self.engine.apply(&mut board, &without_split_points(&playout_move.steps));
            self.engine.run_keeper(&mut board).expect("keeper");
        }
        self.learned.policy = polp;
    }
}
