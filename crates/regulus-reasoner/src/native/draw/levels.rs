//! The levels at which a split move is drawn: the nodes behind switches to players, modifiers and
//! split points, each with the semimoves that can come next. Every level has a function that says
//! where they are possible; what is drawn step by step without fast code is drawn with these.

use cranelift_codegen::ir::{InstBuilder, Value};
use rustc_hash::FxHashMap;

use crate::id::{Id, IdVec};
use crate::native::Unsupported;
use crate::native::analysis::segments::{NodeId, PositionId, Segments, Transition, TransitionId};
use crate::native::emit::{Emitter, HEADER, Header};

/// What the code of a level and its caller share.
#[repr(C)]
pub(crate) struct LevelContext {
    pub(crate) header: Header,
    /// The sets that are written, one after the other.
    pub(crate) sets: *mut u64,
}

const LEVEL_SETS: usize = HEADER;

/// A level.
pub(crate) type LevelId = Id<LevelExits>;

/// All levels of a game.
#[derive(Default)]
pub(crate) struct Levels {
    pub(crate) levels: IdVec<LevelId, LevelExits>,
    /// The level of every node that is one.
    index: FxHashMap<NodeId, LevelId>,
    /// The level behind every switch to a player.
    behind_switch: FxHashMap<PositionId, LevelId>,
}

/// The semimoves of a level.
pub(crate) struct LevelExits {
    pub(crate) node: NodeId,
    pub(crate) exits: Vec<Exit>,
}

/// A semimove without its vertex.
pub(crate) struct Exit {
    /// The transition that ends it.
    pub(crate) from: TransitionId,
    /// Where the walk stands behind it.
    pub(crate) behind: PositionId,
    /// The level behind it; none behind a switch.
    pub(crate) to: Option<LevelId>,
}

impl Levels {
    /// Finds the levels; an error if a walk can go round without any semimove.
    pub(crate) fn new(segments: &Segments) -> Result<Levels, Unsupported> {
        let mut levels = Levels::default();
        for (transition, to) in segments.nodes.iter().flatten() {
            if let Transition::Switch(player, _) = transition
                && player.0 != 0
            {
                let level = levels.level(segments.canonical(*to));
                levels.behind_switch.insert(segments.behind(transition), level);
            }
        }
        let mut done = LevelId::FIRST;
        while let Some(level) = levels.levels.get(done) {
            let order = segments
                .topological(level.node)
                .ok_or_else(|| Unsupported("a loop that may pass no modifier".to_owned()))?;
            let mut exits = Vec::new();
            for node in order {
                for from in segments.leaving(node) {
                    let (transition, to) = &segments[from];
                    if !transition.is_inner() {
                        let is_last = matches!(transition, Transition::Switch(..));
                        let to = (!is_last).then(|| levels.level(segments.canonical(*to)));
                        exits.push(Exit { from, behind: segments.behind(transition), to });
                    }
                }
            }
            levels.levels[done].exits = exits;
            done = done.next();
        }
        Ok(levels)
    }

    fn level(&mut self, node: NodeId) -> LevelId {
        let add = || self.levels.push(LevelExits { node, exits: Vec::new() });
        *self.index.entry(node).or_insert_with(add)
    }

    /// The level that begins at a node.
    pub(crate) fn at(&self, node: NodeId) -> Option<LevelId> {
        self.index.get(&node).copied()
    }

    /// The level at which a player stands behind a switch.
    pub(crate) fn behind_switch(&self, position: PositionId) -> Option<LevelId> {
        self.behind_switch.get(&position).copied()
    }
}

impl Emitter<'_, '_> {
    /// The body of `level(state, context)`: writes where every semimove of a level is possible.
    pub(crate) fn level_function(
        &mut self,
        level: &LevelExits,
        state: Value,
    ) -> Result<(), Unsupported> {
        let sets = self.load_word(self.context, LEVEL_SETS);
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let (here, env) = self.walk_in(&slots);
        let found = self.exits(level.node, &here, &env)?;
        let zero = self.constant(0);
        for (k, exit) in level.exits.iter().enumerate() {
            let place = found.iter().find(|(from, _)| *from == exit.from);
            let mut set = place.map(|(_, place)| self.clean(place));
            if let (Transition::Assign(variable, value, _), _) = &self.analysis.segments[exit.from]
            {
                // Whether it stays within the bounds does not depend on the vertex.
                let (_, ok) = self.assigned(*variable, value, &env);
                set = set.map(|set| set.when(ok, &mut self.b));
            }
            for w in 0..self.words() {
                let value = set.as_ref().map_or(zero, |s| s.0[w].value(&mut self.b));
                self.store_word(sets, k * self.words() + w, value);
            }
        }
        self.b.ins().return_(&[zero]);
        Ok(())
    }
}
