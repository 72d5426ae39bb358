//! Decisive moves: those that win at once are the only ones of a node, those that let the next player win at once are
//! left out (F. Teytaud and O. Teytaud, *On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search*, 2010).

use regulus_game::{Engine, Moves, Step};

use crate::config::Decisive;
use crate::simulator::Simulator;

/// How many replies are tried at a node to find moves that lose at once, some milliseconds at most: with two thousand
/// moves and as many replies to each, all of them would take seconds. What is left is taken for harmless.
const MOST_REPLIES: usize = 20_000;

impl<E: Engine> Simulator<E> {
    /// Keeps only decisive moves of the listed ones, if there are any; leaves out those that lose at once, if there
    /// are others. The state is nodal, or the middle of a move in a tree of semimoves.
    pub(crate) fn keep_decisive(&mut self) -> Result<(), E::Error> {
        let decisive = self.config.tree_policy.decisive;
        if decisive == Decisive::Off {
            return Ok(());
        }
        let submoves: Vec<Vec<Step>> = if self.config.tree.is_orthodox() {
            self.episode.moves.iter().map(<[Step]>::to_vec).collect()
        } else {
            self.episode.steps.iter().map(|step| vec![*step]).collect()
        };
        let player = self.engine.player(&self.episode.state);
        // What is tried out is tried out on a copy.
        let mut copy = self.episode.state.clone();
        let mut kept = Vec::new();
        for (i, submove) in submoves.iter().enumerate() {
            if self.wins(&mut copy, submove, player)? {
                kept.push(i);
            }
        }
        if kept.is_empty() && decisive == Decisive::WinsAndBlocks && submoves.len() > 1 {
            let mut left = MOST_REPLIES;
            for (i, submove) in submoves.iter().enumerate() {
                if left == 0 || !self.lets_win(&mut copy, submove, &mut left)? {
                    kept.push(i);
                }
            }
        }
        if kept.is_empty() || kept.len() == submoves.len() {
            return Ok(());
        }
        if self.config.tree.is_orthodox() {
            self.episode.moves.clear();
            for i in kept {
                self.episode.moves.push(&submoves[i]);
            }
        } else {
            self.episode.steps.clear();
            self.episode.steps.extend(kept.into_iter().map(|i| submoves[i][0]));
        }
        Ok(())
    }

    /// Applies a submove to a copy of the state; false if it is dead or ends inside a move.
    fn try_out(&mut self, copy: &mut E::State, submove: &[Step]) -> bool {
        copy.clone_from(&self.episode.state);
        self.totals.states += 1;
        for step in submove {
            let Some(undo) = self.engine.apply_step(copy, *step) else { return false };
            self.engine.commit(undo);
        }
        self.engine.is_nodal(copy)
    }

    /// True if a submove ends the game with the highest score of the player.
    fn wins(
        &mut self,
        copy: &mut E::State,
        submove: &[Step],
        player: usize,
    ) -> Result<bool, E::Error> {
        Ok(self.try_out(copy, submove) && self.is_won(copy, player)?)
    }

    /// True if a state, after a move, is the end of the game with the highest score of the player.
    fn is_won(&mut self, state: &mut E::State, player: usize) -> Result<bool, E::Error> {
        let goes_on = self.engine.run_keeper(state)?;
        let score = self.engine.score(state, player);
        // Only where the score is right is it worth while to see whether there are moves.
        Ok(score >= self.engine.score_bound(player) && (!goes_on || self.engine.count(state)? == 0))
    }

    /// True if the next player can win at once after a submove that ends a move. `left` is how many replies may still
    /// be tried.
    fn lets_win(
        &mut self,
        copy: &mut E::State,
        submove: &[Step],
        left: &mut usize,
    ) -> Result<bool, E::Error> {
        if !self.try_out(copy, submove) || !self.engine.run_keeper(copy)? {
            return Ok(false);
        }
        let (before, player) = (copy.clone(), self.engine.player(copy));
        let mut replies = Moves::new();
        self.engine.list(copy, &mut replies)?;
        for reply in replies.iter().take(*left) {
            copy.clone_from(&before);
            self.engine.apply(copy, reply);
            self.totals.states += 1;
            if self.is_won(copy, player)? {
                return Ok(true);
            }
        }
        *left = left.saturating_sub(replies.len());
        Ok(false)
    }
}
