//! Where a search offers choices to what is learned, and draws by it: at nodes and edges of the tree, in
//! simulations, in expansion.

use regulus_game::{Engine, GroupedMove, Step};

use super::Drawn;
use crate::action::NODAL;
use crate::mast::{MastState, choose};
use crate::simulator::Simulator;
use crate::statistic::Candidates;
use crate::tree::{Node, Tree};

/// Where the legal moves are.
#[derive(Clone, Copy)]
enum Found {
    /// In the groups, in order.
    Groups,
    /// In the list: only a list has no illegal ones.
    List,
}

impl<E: Engine> Simulator<E> {
    /// Whether choices are whole moves.
    fn learns_moves(&self) -> bool {
        !self.split_simulation()
    }

    /// Finds all legal moves of the current state.
    fn find_moves(&mut self) -> Result<Found, E::Error> {
        self.engine.groups(&mut self.episode.state, &mut self.episode.groups)?;
        // Algorithm 4 is about possible moves, and of these groups some may be impossible.
        if self.episode.groups.iter().all(|group| self.episode.groups.endings[group.ending].sure) {
            return Ok(Found::Groups);
        }
        self.engine.list(&mut self.episode.state, &mut self.episode.moves)?;
        Ok(Found::List)
    }

    /// Offers the legal moves, for learning.
    fn offer_moves(&mut self, found: Found) {
        let player = self.engine.player(&self.episode.state);
        let Some(learner) = &mut self.learner else { return };
        match found {
            Found::Groups => learner.offer_groups(
                &mut self.engine,
                &self.episode.state,
                player,
                &self.episode.groups,
            ),
            Found::List => {
                let moves = self.episode.moves.iter();
                learner.offer_list(&mut self.engine, &self.episode.state, player, moves, true);
            }
        }
    }

    /// An iteration begins at the root: notes its moves, which are the same for all iterations of a turn.
    pub(crate) fn learn_root(&mut self) -> Result<(), E::Error> {
        let whole = self.learns_moves();
        let Some(learner) = &mut self.learner else { return Ok(()) };
        learner.begin();
        if whole && learner.asks_for_others() {
            if learner.offer_root(self.engine.player(&self.episode.state)) {
                return Ok(());
            }
            let found = self.find_moves()?;
            self.offer_moves(found);
            if let Some(learner) = &mut self.learner {
                learner.keep_root();
            }
            return Ok(());
        }
        self.learn_node()
    }

    /// The iteration has come to a nodal state of the tree: notes its moves. Which of them is made will be found
    /// out when it is complete.
    pub(crate) fn learn_node(&mut self) -> Result<(), E::Error> {
        if !self.learns_moves() {
            return Ok(());
        }
        let Some(learner) = &mut self.learner else { return Ok(()) };
        if learner.asks_for_others() {
            let found = self.find_moves()?;
            self.offer_moves(found);
        } else {
            learner.played.begin(self.engine.player(&self.episode.state));
        }
        Ok(())
    }

    /// A semimove of a node is chosen: notes it and the others.
    pub(crate) fn learn_edge(&mut self, tree: &Tree, n: Node, edge: u32) {
        if self.learns_moves() {
            return;
        }
        if let Some(learner) = &mut self.learner {
            let (player, edges) = (usize::from(n.player), n.first..n.first + n.count);
            let submoves = edges.map(|e| tree.submove(e));
            learner.offer_list(&mut self.engine, &self.episode.state, player, submoves, false);
            learner.played.choose((edge - n.first) as usize, 0.0);
        }
    }

    /// Semimoves turned out dead: forgets the choices behind the first `choices`. Whole moves are noted before they are
    /// made.
    pub(crate) fn take_back_choices(&mut self, choices: usize) {
        if self.learns_moves() {
            return;
        }
        if let Some(learner) = &mut self.learner {
            learner.take_back(choices);
        }
    }

    /// The choices of an iteration are complete up to here.
    pub(crate) fn settle_choices(&mut self) {
        if self.learns_moves()
            && let Some(learner) = &mut self.learner
        {
            learner.settle(&self.episode.record);
        }
    }

    /// Draws a move by what was learned and makes it; false if there is none.
    pub(crate) fn draw_learned(&mut self) -> Result<bool, E::Error> {
        let found = self.find_moves()?;
        let player = self.engine.player(&self.episode.state);
        let Some(learner) = &mut self.learner else { return Ok(false) };
        let asked = learner.can_be_blind();
        let blind = asked && learner.is_blind(&mut self.random);
        let in_rows = learner.uses_rows && matches!(found, Found::Groups);
        let drawn = if blind {
            let count = match found {
                Found::Groups => self.episode.groups.len(),
                Found::List => self.episode.moves.len(),
            };
            match count {
                0 => Drawn::Nothing,
                count => Drawn::Index(self.random.below(count as u64) as usize),
            }
        } else {
            self.offer_moves(found);
            let Some(learner) = &mut self.learner else { return Ok(false) };
            match in_rows {
                true => learner.draw_row(&mut self.random),
                false => learner.draw(asked, &mut self.random),
            }
        };
        let index = match drawn {
            Drawn::Grouped(chosen) => return self.take_learned(player, chosen, false),
            Drawn::Index(index) => index,
            Drawn::Nothing => return Ok(false),
            Drawn::ByDefault => {
                let candidates = match found {
                    Found::Groups => Candidates::Groups(&self.episode.groups),
                    Found::List => Candidates::Moves(&self.episode.moves),
                };
                let guide = self.mast.as_mut().filter(|mast| mast.settings.in_playouts);
                let (scores, random) = (&mut self.episode.scores, &mut self.random);
                let index = choose(player, NODAL, candidates, guide, scores, random);
                if let Some(learner) = &mut self.learner {
                    learner.played.choose(index, 0.0);
                }
                index
            }
        };
        if let Found::Groups = found {
            let Some(chosen) = self.episode.groups.nth(index) else { return Ok(false) };
            return self.take_learned(player, chosen, blind);
        }
        let chosen = self.episode.moves.get(index);
        self.engine.apply(&mut self.episode.state, chosen);
        self.episode.record.steps.extend_from_slice(chosen);
        if let Some(learner) = &mut self.learner
            && blind
        {
            let code = learner.codes.of_move(player, chosen);
            learner.note(player, code);
        }
        self.totals.states += 1;
        Ok(true)
    }

    /// Makes a move of the groups, and notes it if nobody asked for others.
    fn take_learned(
        &mut self,
        player: usize,
        chosen: GroupedMove,
        blind: bool,
    ) -> Result<bool, E::Error> {
        let (state, steps) = (&mut self.episode.state, &mut self.episode.record.steps);
        let begin = steps.len();
        let taken = self.engine.apply_grouped(state, &self.episode.groups, chosen, steps)?;
        debug_assert!(taken, "only sure moves are offered");
        if let Some(learner) = &mut self.learner
            && blind
        {
            let code = learner.codes.of_ending(player, &self.episode.groups, chosen);
            let code = code.unwrap_or_else(|| learner.codes.of_move(player, &steps[begin..]));
            learner.note(player, code);
        }
        self.totals.states += 1;
        Ok(true)
    }

    /// Draws one of several semimoves by what was learned, if semimoves are what is learned.
    pub(crate) fn draw_learned_semimove(
        &mut self,
        player: usize,
        context: u64,
        semimoves: &[Step],
    ) -> Option<usize> {
        if self.learns_moves() {
            return None;
        }
        let learner = self.learner.as_mut()?;
        let steps = semimoves.chunks_exact(1);
        learner.offer_list(&mut self.engine, &self.episode.state, player, steps, false);
        match learner.draw(false, &mut self.random) {
            Drawn::Index(index) => Some(index),
            Drawn::Nothing | Drawn::Grouped(_) => None,
            Drawn::ByDefault => {
                let in_playouts = |mast: &&mut MastState| mast.settings.in_playouts;
                let guide = self.mast.as_mut().filter(in_playouts).filter(|m| m.scores_semimoves);
                let candidates = Candidates::Semimoves(semimoves);
                let (scores, random) = (&mut self.episode.scores, &mut self.random);
                let index = choose(player, context, candidates, guide, scores, random);
                learner.played.choose(index, 0.0);
                Some(index)
            }
        }
    }

    /// The untried edge of a node that is a good reply, if there is one.
    pub(crate) fn untried_reply(&mut self, tree: &Tree, n: Node) -> Option<u32> {
        // Only where replies are asked for are edges what replies are, so that no move is settled in its middle.
        self.learner.as_ref()?.replies.as_ref().filter(|replies| replies.settings.in_expansion)?;
        self.settle_choices();
        let whole = self.learns_moves();
        let learner = self.learner.as_mut()?;
        let known = learner.replies()?;
        let player = usize::from(n.player);
        let mut of_edge = |edge: u32| match tree.submove(edge) {
            [step] if !whole => learner.codes.of_semimove(player, *step),
            submove => learner.codes.of_move(player, submove),
        };
        let untried = n.first + n.tried..n.first + n.count;
        known.into_iter().flatten().find_map(|reply| {
            let mut edges = untried.clone();
            edges.find(|edge| of_edge(*edge) == reply)
        })
    }
}
