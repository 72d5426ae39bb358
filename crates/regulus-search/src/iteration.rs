//! One iteration: selection, expansion, simulation, backpropagation (THESIS Algorithms 2 and 3), on a tree that one
//! thread has or that several share.

use regulus_game::{Engine, Step};

use crate::action::{NODAL, context_behind};
use crate::learning::Learner;
use crate::observer::Next;
use crate::simulator::Simulator;

/// Where an iteration is in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) node: u32,
    /// The iterations of the node.
    pub(crate) visits: u32,
    /// The steps since the last nodal state.
    pub(crate) context: u64,
}

/// What a nodal state is to which the iteration has come.
pub(crate) enum Reached {
    /// The game goes on.
    Open,
    /// The game is over.
    End,
    /// All scores are known.
    Proven,
    /// An untried move leads to a position that has a node.
    Known(u32),
}

/// How the way through the tree goes on.
enum Way {
    /// To another node, or to the same one again.
    On(At),
    /// It is over, and so is the iteration.
    Over,
    /// All scores behind the last edge are known.
    Proven,
}

/// A tree, as an iteration grows it.
pub(crate) trait Growth<E: Engine> {
    /// An iteration begins: the episode is at the root, and so is the iteration.
    fn begin(&mut self, sim: &mut Simulator<E>) -> Result<At, E::Error>;
    /// SELECTION, or whether the node grows. Expansion follows at once if it does.
    fn select(&mut self, sim: &mut Simulator<E>, at: &mut At) -> Result<Next, E::Error>;
    /// The untried edge with which a node grows.
    fn choose_untried(&mut self, sim: &mut Simulator<E>, at: At) -> u32;
    /// The semimove of an untried edge, which is about to be made.
    fn semimove(&mut self, sim: &mut Simulator<E>, at: At, untried: u32) -> Step;
    /// The semimove of an untried edge is dead: removes it.
    fn remove_untried(&mut self, sim: &mut Simulator<E>, at: At, untried: u32);
    /// An edge with a whole move is tried: adds it to the path and follows it.
    fn try_move(&mut self, sim: &mut Simulator<E>, at: At, untried: u32);
    /// A semimove has been made behind `steps` steps, and the move that it begins completed: tries its edge and adds it
    /// to the path. Algorithm 3 (lines 8-12) adds nodes for what follows in the move.
    fn try_semimove(&mut self, sim: &mut Simulator<E>, at: At, untried: u32, steps: usize);
    /// A move whose first edge was untried is complete; `goes_on` is false if the game is over.
    fn reach_new(
        &mut self,
        sim: &mut Simulator<E>,
        at: At,
        goes_on: bool,
    ) -> Result<Reached, E::Error>;
    /// A tried edge was selected: adds it to the path. True if all scores behind it are known.
    fn pass(&mut self, sim: &mut Simulator<E>, at: At, edge: u32) -> bool;
    /// Applies the submove of the edge; gives the context behind it, and its iterations.
    fn follow(&mut self, sim: &mut Simulator<E>, at: At, edge: u32) -> (u64, u32);
    /// The edge has led to a nodal state; `goes_on` is false if the game is over.
    fn reach(&mut self, sim: &mut Simulator<E>, goes_on: bool) -> Result<Reached, E::Error>;
    /// The node behind the edge that was followed, where the context is this one; it may have to be made.
    fn child(
        &mut self,
        sim: &mut Simulator<E>,
        at: At,
        edge: u32,
        context: u64,
    ) -> Result<Child, E::Error>;
    /// The points of an iteration that has ended behind an edge whose scores are known.
    fn take_proven_points(&mut self, sim: &mut Simulator<E>);
    /// BACKPROPAGATION of the points. Moves are samples if the iteration has played a whole game.
    fn back_up(&mut self, sim: &mut Simulator<E>, whole: bool);
}

/// What is behind an edge.
pub(crate) enum Child {
    Node(u32),
    /// No node, and no room for one.
    Outside,
    /// All scores are known.
    Proven,
}

impl<E: Engine> Simulator<E> {
    /// MCTSITERATION. The root must be listed and have moves.
    #[inline]
    pub(crate) fn iterate<T: Growth<E>>(&mut self, tree: &mut T) -> Result<(), E::Error> {
        let mut at = tree.begin(self)?;
        let mut depth = 0;
        loop {
            let way = match tree.select(self, &mut at)? {
                Next::Follow(edge) => self.descend(tree, at, edge, &mut depth)?,
                Next::Expand => self.expand(tree, at, &mut depth)?,
                Next::Leave => {
                    self.finish_outside(at.context)?;
                    Way::Over
                }
                Next::Terminal => Way::Over,
            };
            match way {
                Way::On(next) => at = next,
                Way::Over => break,
                Way::Proven => {
                    // Inside a move no nodal state was passed; it counts as one, so that limits are reached.
                    self.totals.nodal_states += 1;
                    tree.take_proven_points(self);
                    tree.back_up(self, false);
                    return Ok(());
                }
            }
        }
        self.totals.depth_sum += depth;
        self.totals.max_depth = self.totals.max_depth.max(depth);
        self.take_points();
        tree.back_up(self, true);
        Ok(())
    }

    /// Follows a tried edge.
    #[inline]
    fn descend<T: Growth<E>>(
        &mut self,
        tree: &mut T,
        at: At,
        edge: u32,
        depth: &mut u64,
    ) -> Result<Way, E::Error> {
        if tree.pass(self, at, edge) {
            return Ok(Way::Proven);
        }
        let (mut context, visits) = tree.follow(self, at, edge);
        if self.engine.is_nodal(&self.episode.state) {
            *depth += 1;
            context = NODAL;
            let goes_on = self.arrive()?;
            match tree.reach(self, goes_on)? {
                Reached::Open | Reached::Known(_) => {}
                Reached::End => return Ok(Way::Over),
                Reached::Proven => return Ok(Way::Proven),
            }
        }
        Ok(match tree.child(self, at, edge, context)? {
            Child::Node(node) => Way::On(At { node, visits, context }),
            Child::Proven => Way::Proven,
            Child::Outside => {
                self.finish_outside(context)?;
                Way::Over
            }
        })
    }

    /// EXPAND or EXPANDNODAL, and the simulation. A semimove that is dead is removed.
    fn expand<T: Growth<E>>(
        &mut self,
        tree: &mut T,
        at: At,
        depth: &mut u64,
    ) -> Result<Way, E::Error> {
        let untried = tree.choose_untried(self, at);
        if self.config.tree.is_orthodox() {
            tree.try_move(self, at, untried);
        } else if !self.expand_semimove(tree, at, untried)? {
            tree.remove_untried(self, at, untried);
            return Ok(Way::On(at));
        }
        let goes_on = self.arrive()?;
        match tree.reach_new(self, at, goes_on)? {
            Reached::Open => self.simulate()?,
            Reached::End => {}
            Reached::Proven => return Ok(Way::Proven),
            Reached::Known(node) => {
                *depth += 1;
                return Ok(Way::On(At { node, visits: at.visits, context: NODAL }));
            }
        }
        *depth += 1;
        Ok(Way::Over)
    }

    /// Makes an untried semimove and the rest of its move; false, with everything as before, if it is dead.
    fn expand_semimove<T: Growth<E>>(
        &mut self,
        tree: &mut T,
        at: At,
        untried: u32,
    ) -> Result<bool, E::Error> {
        let choices = self.learner.as_ref().map_or(0, Learner::choices);
        let steps = self.episode.record.steps.len();
        let step = tree.semimove(self, at, untried);
        let Some(undo) = self.apply_semimove(step) else {
            self.take_back_choices(choices);
            return Ok(false);
        };
        let intermediate = !self.engine.is_nodal(&self.episode.state);
        if intermediate && !self.complete_move(context_behind(at.context, step))? {
            self.engine.undo(&mut self.episode.state, undo);
            self.episode.record.steps.pop();
            self.take_back_choices(choices);
            return Ok(false);
        }
        self.engine.commit(undo);
        tree.try_semimove(self, at, untried, steps);
        Ok(true)
    }
}
