//! Moments of an iteration at which something else than plain UCT, MAST and RAVE may have a say. A search without
//! any of that has [`Plain`], whose moments are nothing, so that it does not pay for asking.

use regulus_game::Engine;

use crate::iteration::{At, Reached};
use crate::rave::RaveState;
use crate::simulator::Simulator;
use crate::tree::{Node, Tree};

/// What is to be done at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// A child is to be added.
    Expand,
    /// This edge is to be followed.
    Follow(u32),
    /// The way through the tree ends here, and the iteration goes on as a simulation.
    Leave,
    /// There is no way on: no moves, or all semimoves turned out dead.
    Terminal,
}

/// What takes part in the iterations of a tree of one thread.
pub(crate) trait Observer<E: Engine> {
    /// Before an iteration.
    fn prepare(&mut self, _sim: &mut Simulator<E>) -> Result<(), E::Error> {
        Ok(())
    }

    /// An iteration begins at the root.
    fn begin(&mut self, _sim: &mut Simulator<E>) -> Result<(), E::Error> {
        Ok(())
    }

    /// The iteration has come to a node; false if it is to leave the tree here.
    fn enter(&mut self, _sim: &Simulator<E>, _tree: &mut Tree, _at: &mut At) -> bool {
        true
    }

    /// Chooses what to do at a node, if plain selection is not to. `can_expand` says that there are untried edges,
    /// and memory for what is behind them.
    fn choose(
        &mut self,
        _sim: &mut Simulator<E>,
        _tree: &mut Tree,
        _rave: &mut Option<RaveState>,
        _at: At,
        _can_expand: bool,
    ) -> Option<Next> {
        None
    }

    /// Chooses the untried edge with which a node grows, if MAST and chance are not to.
    fn choose_untried(&mut self, _sim: &mut Simulator<E>, _tree: &Tree, _n: Node) -> Option<u32> {
        None
    }

    /// A semimove of a node is about to be made for the first time.
    fn try_semimove(&mut self, _sim: &mut Simulator<E>, _tree: &Tree, _n: Node, _edge: u32) {}

    /// An untried semimove of a node turned out dead, and is gone.
    fn remove(&mut self, _sim: &Simulator<E>, _tree: &mut Tree, _at: At) {}

    /// An edge of a node was chosen and is the last of the path; true if all scores behind it are known.
    fn pass(&mut self, _sim: &mut Simulator<E>, _tree: &mut Tree, _n: Node, _edge: u32) -> bool {
        false
    }

    /// The last edge of the path has led to a nodal state; `goes_on` is false if that ends the game.
    fn reach(
        &mut self,
        _sim: &mut Simulator<E>,
        _tree: &mut Tree,
        goes_on: bool,
    ) -> Result<Reached, E::Error> {
        Ok(if goes_on { Reached::Open } else { Reached::End })
    }

    /// The same for a move with an edge of this node that was untried. Its last steps may be outside of the tree.
    fn reach_new(
        &mut self,
        _sim: &mut Simulator<E>,
        _tree: &mut Tree,
        _node: u32,
        goes_on: bool,
    ) -> Result<Reached, E::Error> {
        Ok(if goes_on { Reached::Open } else { Reached::End })
    }

    /// The nodal state behind the last edge of the path is to get a node; true if all scores behind it are known.
    fn settle(&mut self, _sim: &mut Simulator<E>, _tree: &mut Tree) -> Result<bool, E::Error> {
        Ok(false)
    }

    /// The iteration is over, with the points of all players; `whole` if it has played a whole game.
    fn end(&mut self, _sim: &mut Simulator<E>, _tree: &mut Tree, _whole: bool) {}

    /// An edge has a result.
    fn note_result(&mut self, _tree: &mut Tree, _node: u32, _edge: u32, _points: f64) {}

    /// All edges of the path have theirs.
    fn finish(&mut self, _sim: &Simulator<E>, _tree: &mut Tree) {}

    /// How many bytes it takes.
    fn bytes(&self) -> usize {
        0
    }
}

/// Nothing takes part.
pub(crate) struct Plain;

impl<E: Engine> Observer<E> for Plain {}
