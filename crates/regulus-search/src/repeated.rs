//! Repeated reasoning: an engine that does everything several times and answers once. It shows what a search would
//! be worth with a reasoner that is slower by this factor; answers and random numbers are those of the engine itself.
//!
//! Listing, applying and playing out are repeated. What the keeper does, and questions that cost next to nothing, are
//! not.

use regulus_game::{
    BoardChanges, BoardView, Change, Children, Engine, GroupedMove, Guide, KeyHash, KeyKind,
    MoveGroups, Moves, Played, Random, Stage, Step,
};

/// An engine whose work is done `times` times.
pub(crate) struct Repeated<E: Engine> {
    engine: E,
    times: u32,
    /// What changes a state is repeated on a copy.
    copy: Option<E::State>,
}

impl<E: Engine> Repeated<E> {
    pub(crate) fn new(engine: E, times: u32) -> Self {
        Repeated { engine, times, copy: None }
    }

    /// The engine itself.
    pub(crate) fn inner(&mut self) -> &mut E {
        &mut self.engine
    }

    /// Does something to copies of a state, once less often than it is to be done. With one time nothing is to be
    /// done here, which is the case that has to be fast.
    #[inline]
    fn repeat(&mut self, state: &E::State, work: impl FnMut(&mut E, &mut E::State)) {
        if self.times > 1 {
            self.repeat_on_copies(state, work);
        }
    }

    #[cold]
    fn repeat_on_copies(&mut self, state: &E::State, mut work: impl FnMut(&mut E, &mut E::State)) {
        let copy = self.copy.get_or_insert_with(|| state.clone());
        for _ in 1..self.times {
            copy.clone_from(state);
            work(&mut self.engine, copy);
        }
    }
}

impl<E: Engine> Engine for Repeated<E> {
    type State = E::State;
    type Error = E::Error;
    type Undo = E::Undo;

    fn initial(&self) -> E::State {
        self.engine.initial()
    }

    fn players(&self) -> usize {
        self.engine.players()
    }

    fn score_bound(&self, player: usize) -> u32 {
        self.engine.score_bound(player)
    }

    fn terminal_scores(&self) -> Option<Vec<Vec<u32>>> {
        self.engine.terminal_scores()
    }

    #[inline]
    fn player(&self, state: &E::State) -> usize {
        self.engine.player(state)
    }

    #[inline]
    fn score(&self, state: &E::State, player: usize) -> u32 {
        self.engine.score(state, player)
    }

    #[inline]
    fn values(&self, state: &E::State, values: &mut Vec<u32>) {
        self.engine.values(state, values);
    }

    fn piece_count(&self, state: &E::State, piece: u8) -> u32 {
        self.engine.piece_count(state, piece)
    }

    #[inline]
    fn hash(&self, state: &E::State) -> u64 {
        self.engine.hash(state)
    }

    #[inline]
    fn position_key(&self, state: &E::State) -> u64 {
        self.engine.position_key(state)
    }

    fn forget_hash(&self, state: &mut E::State) {
        self.engine.forget_hash(state);
    }

    fn work(&self) -> u64 {
        self.engine.work()
    }

    #[inline]
    fn is_nodal(&self, state: &E::State) -> bool {
        self.engine.is_nodal(state)
    }

    #[inline]
    fn run_keeper(&mut self, state: &mut E::State) -> Result<bool, E::Error> {
        self.engine.run_keeper(state)
    }

    #[inline]
    fn list(&mut self, state: &mut E::State, moves: &mut Moves) -> Result<(), E::Error> {
        for _ in 1..self.times {
            self.engine.list(state, moves)?;
        }
        self.engine.list(state, moves)
    }

    fn count(&mut self, state: &mut E::State) -> Result<u64, E::Error> {
        self.engine.count(state)
    }

    fn has_move(&mut self, state: &mut E::State) -> Result<bool, E::Error> {
        for _ in 1..self.times {
            self.engine.has_move(state)?;
        }
        self.engine.has_move(state)
    }

    fn list_stage(
        &mut self,
        state: &mut E::State,
        stage: Stage,
        moves: &mut Moves,
    ) -> Result<(), E::Error> {
        for _ in 1..self.times {
            self.engine.list_stage(state, stage, moves)?;
        }
        self.engine.list_stage(state, stage, moves)
    }

    fn nth(
        &mut self,
        state: &mut E::State,
        index: u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, E::Error> {
        self.engine.nth(state, index, steps)
    }

    fn sample(
        &mut self,
        state: &mut E::State,
        random: &mut Random,
        steps: &mut Vec<Step>,
    ) -> Result<bool, E::Error> {
        self.engine.sample(state, random, steps)
    }

    #[inline]
    fn groups(&mut self, state: &mut E::State, groups: &mut MoveGroups) -> Result<(), E::Error> {
        for _ in 1..self.times {
            self.engine.groups(state, groups)?;
        }
        self.engine.groups(state, groups)
    }

    #[inline]
    fn apply_grouped(
        &mut self,
        state: &mut E::State,
        groups: &MoveGroups,
        it: GroupedMove,
        steps: &mut Vec<Step>,
    ) -> Result<bool, E::Error> {
        // An error comes again when the move is really made.
        self.repeat(state, |engine, copy| {
            drop(engine.apply_grouped(copy, groups, it, &mut Vec::new()))
        });
        self.engine.apply_grouped(state, groups, it, steps)
    }

    fn is_legal(&mut self, state: &mut E::State, steps: &[Step]) -> Result<bool, E::Error> {
        self.engine.is_legal(state, steps)
    }

    #[inline]
    fn semimoves(
        &mut self,
        state: &mut E::State,
        semimoves: &mut Vec<Step>,
    ) -> Result<(), E::Error> {
        for _ in 1..self.times {
            self.engine.semimoves(state, semimoves)?;
        }
        self.engine.semimoves(state, semimoves)
    }

    #[inline]
    fn apply_step(&mut self, state: &mut E::State, step: Step) -> Option<E::Undo> {
        self.repeat(state, |engine, copy| {
            if let Some(undo) = engine.apply_step(copy, step) {
                engine.commit(undo);
            }
        });
        self.engine.apply_step(state, step)
    }

    fn apply_with_undo(&mut self, state: &mut E::State, steps: &[Step]) -> E::Undo {
        self.repeat(state, |engine, copy| engine.apply(copy, steps));
        self.engine.apply_with_undo(state, steps)
    }

    #[inline]
    fn undo(&mut self, state: &mut E::State, undo: E::Undo) {
        self.engine.undo(state, undo);
    }

    #[inline]
    fn commit(&mut self, undo: E::Undo) {
        self.engine.commit(undo);
    }

    #[inline]
    fn apply(&mut self, state: &mut E::State, steps: &[Step]) {
        self.repeat(state, |engine, copy| engine.apply(copy, steps));
        self.engine.apply(state, steps);
    }

    fn advance(
        &mut self,
        state: &mut E::State,
        steps: &[Step],
        changes: &mut Vec<Change>,
    ) -> Result<bool, E::Error> {
        // An error comes again when the move is really made.
        self.repeat(state, |engine, copy| drop(engine.advance(copy, steps, &mut Vec::new())));
        self.engine.advance(state, steps, changes)
    }

    fn children(&mut self, state: &mut E::State, children: &mut Children) -> Result<(), E::Error> {
        for _ in 1..self.times {
            self.engine.children(state, children)?;
        }
        self.engine.children(state, children)
    }

    fn vertices(&self) -> usize {
        self.engine.vertices()
    }

    fn labels(&self) -> usize {
        self.engine.labels()
    }

    fn next(&self, vertex: u16, label: usize) -> u16 {
        self.engine.next(vertex, label)
    }

    fn pieces(&self, state: &E::State, contents: &mut Vec<u8>) {
        self.engine.pieces(state, contents);
    }

    fn look(&self, state: &E::State, view: &mut BoardView) {
        self.engine.look(state, view);
    }

    fn board_changes(&self) -> BoardChanges {
        self.engine.board_changes()
    }

    fn changed_cells(&mut self, state: &E::State, steps: &[Step], cells: &mut Vec<u16>) {
        self.repeat(state, |engine, copy| engine.changed_cells(copy, steps, &mut Vec::new()));
        self.engine.changed_cells(state, steps, cells);
    }

    fn check_length(&self, modifiers: usize) -> Result<(), E::Error> {
        self.engine.check_length(modifiers)
    }

    fn endless(&self) -> E::Error {
        self.engine.endless()
    }

    #[inline]
    fn playout(
        &mut self,
        state: &mut E::State,
        split: bool,
        random: &mut Random,
    ) -> Result<u64, E::Error> {
        self.repeat(state, |engine, copy| drop(engine.playout(copy, split, &mut random.clone())));
        self.engine.playout(state, split, random)
    }

    fn playouts(
        &mut self,
        states: &mut [E::State],
        split: bool,
        randoms: &mut [Random],
        lengths: &mut Vec<u64>,
    ) -> Result<(), E::Error> {
        for (state, random) in states.iter().zip(&*randoms) {
            let play = |engine: &mut E, copy: &mut E::State| {
                drop(engine.playout(copy, split, &mut random.clone()));
            };
            self.repeat(state, play);
        }
        self.engine.playouts(states, split, randoms, lengths)
    }

    fn move_hash(&mut self, state: &mut E::State, steps: &[Step], kind: KeyKind) -> KeyHash {
        self.engine.move_hash(state, steps, kind)
    }

    fn play(
        &mut self,
        state: &mut E::State,
        most: u64,
        guide: Option<&mut Guide>,
        random: &mut Random,
    ) -> Result<Played, E::Error> {
        let mut copied = guide.as_deref().filter(|_| self.times > 1).cloned();
        self.repeat(state, |engine, copy| {
            drop(engine.play(copy, most, copied.as_mut(), &mut random.clone()));
        });
        self.engine.play(state, most, guide, random)
    }
}
