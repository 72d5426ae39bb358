//! Running a native game: the operations of [`Engine`] on machine code.

#![allow(unsafe_code)]

use std::sync::Arc;

use regulus_game::{
    BoardChanges, BoardView, Change, Children, Engine, GroupedMove, Guide, KeyHash, KeyKind,
    MAX_GAME_MOVES, MoveGroups, Moves, Played, PlayedKey, Random, Stage, Step, play_by_listing,
    playouts_one_by_one,
};
use regulus_rbg::Vertex;
use regulus_rbg::arithmetic::Arithmetic;
use regulus_rbg::declarations::{Label, Piece, Player, Variable};

use super::children::{ChildrenMemory, for_each_difference};
use super::lanes::LanesMemory;
use super::room::{self, LazyBuffer};
use super::runner::{Runner, no_code};
use super::state::NativeState;
use crate::board_changes::board_changes;
use crate::error::{MAX_KEEPER_MOVES, MAX_MOVES, MAX_STEPS, RunError};
use crate::id::Key;
use crate::interpreter::Worker;
use crate::legality::is_legal;
use crate::native::Mode;
use crate::native::analysis::Analysis;
use crate::native::analysis::segments::Transition;
use crate::native::draw::drawing::{Helper, PlayoutContext};
use crate::native::draw::lanes::Queue;
use crate::native::draw::levels::LevelId;
use crate::native::draw::playout::{self, Options};
use crate::native::emit::Header;
use crate::native::enumerate::grouping::{GroupContext, NO_ROOM};
use crate::native::enumerate::listing::{Sink, read_step};
use crate::native::game::CompiledGame;
use crate::native::keeper::{self, KeeperContext};
use crate::playout::{random_playout, semisplit_playout};
use crate::program::Program;
use crate::state::State;

/// The memory that running a native game needs besides states.
pub struct NativeWorker {
    pub(super) native: Arc<CompiledGame>,
    pub(super) runner: Runner,
    /// The semimoves of a playout.
    pub(super) playout_steps: LazyBuffer,
    /// Choice points of the keeper, entries of a player's turn.
    pub(super) scratch: LazyBuffer,
    /// What moves lead to.
    pub(super) children: ChildrenMemory,
    /// Games that are played together.
    pub(super) lanes: LanesMemory,
    /// The keys of the moves of a guided playout.
    played: LazyBuffer,
    /// Does what the code of a playout does not. It has memory of its own: the code is still running.
    pub(super) helper: Helper,
    /// Sets of semimoves.
    sets: Vec<u64>,
    /// The state before the keeper moved.
    before: Vec<u64>,
    /// States to go back to.
    saved: Vec<u64>,
}

/// What undoes a move or semimove on native code: where the state before it is kept.
#[derive(Debug)]
pub struct NativeUndo(usize);

/// The value that an assignment gives; nothing if it fails.
fn assigned(
    analysis: &Analysis,
    words: &[u64],
    variable: Variable,
    value: &Arithmetic,
) -> Option<u32> {
    let layout = analysis.layout;
    let count = |p: Piece| -> i64 {
        let of = |w| words[layout.set(usize::from(p.0), w)].count_ones();
        (0..layout.words_per_set).map(|w| i64::from(of(w))).sum()
    };
    let of = |v: Variable| words[layout.variable(usize::from(v.0))] as i64;
    let bound = analysis.game.declarations.bound(variable);
    let value = value.evaluate(&of, &count).and_then(|v| u32::try_from(v).ok());
    value.filter(|v| *v <= bound)
}

impl NativeWorker {
    pub(crate) fn new(native: &Arc<CompiledGame>) -> Self {
        NativeWorker {
            native: native.clone(),
            runner: Runner::default(),
            playout_steps: LazyBuffer::default(),
            scratch: LazyBuffer::default(),
            children: ChildrenMemory::default(),
            lanes: LanesMemory::default(),
            played: LazyBuffer::default(),
            helper: Helper::new(native),
            sets: Vec::new(),
            before: Vec::new(),
            saved: Vec::new(),
        }
    }

    /// The answer of code, or that of the interpreter where code has worked for too long: what is too much for the one
    /// is not always too much for the other, and their answers must be the same.
    fn or_interpreted<T>(
        &mut self,
        answer: Result<T, RunError>,
        state: &NativeState,
        ask: impl FnOnce(&mut Worker, &mut State) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        if self.runner.is_out_of_work() { self.helper.ask(&state.words, ask) } else { answer }
    }

    /// Writes where the semimoves of a level are possible into the worker's sets.
    fn find_exits(&mut self, level: LevelId, state: &mut NativeState) -> Result<(), RunError> {
        let native = &*self.native;
        self.sets.clear();
        self.sets.resize(native.levels.levels[level].exits.len() * native.plain.words(), 0);
        self.runner.exits(native, level, &mut state.words, &mut self.sets)
    }

    /// True if a step is a semimove of the state, at the vertex where the walk stands.
    fn is_possible(&mut self, state: &mut NativeState, step: Step) -> Result<bool, RunError> {
        let native = &*self.native;
        let Some(level) = native.level_at(native.position(state)) else { return Ok(false) };
        let exits = &native.levels.levels[level].exits;
        let Some(exit) = exits.iter().position(|exit| exit.behind.index() as i32 == step.action)
        else {
            return Ok(false);
        };
        let found = self.find_exits(level, state);
        if self.runner.is_out_of_work() {
            let mut semimoves = Vec::new();
            let ask =
                |engine: &mut Worker, state: &mut State| engine.semimoves(state, &mut semimoves);
            self.helper.ask(&state.words, ask)?;
            return Ok(semimoves.contains(&step));
        }
        found?;
        let plain = &self.native.plain;
        let at = state.words[plain.layout.pointer()] as usize;
        Ok(self.sets[exit * plain.words() + at / 64] >> (at % 64) & 1 == 1)
    }

    /// Applies one step; false if that is impossible, with the state unchanged.
    fn step(&self, state: &mut NativeState, step: Step) -> bool {
        let native = &*self.native;
        let layout = native.plain.layout;
        let Some(position) = native.position_behind(step.action) else { return false };
        if usize::from(step.vertex) > native.game().board.len() || step.vertex == 0 {
            return false;
        }
        let at = native.plain.embedding.position(Vertex(step.vertex));
        if step.action > 0 {
            let Some(transition) = native.plain.segments.modifier(step.action) else {
                return false;
            };
            match transition {
                Transition::Off(piece, _) => state.put(layout, usize::from(piece.0), at),
                Transition::Assign(variable, value, _) => {
                    let value = assigned(&native.plain, &state.words, *variable, value);
                    let Some(value) = value else { return false };
                    state.write(layout.variable(usize::from(variable.0)), u64::from(value));
                }
                Transition::Switch(player, _) => state.write(layout.player(), u64::from(player.0)),
                _ => {}
            }
        }
        state.write(layout.pointer(), at as u64);
        state.write(layout.node(), position.word());
        true
    }
}

impl Engine for NativeWorker {
    type State = NativeState;
    type Error = RunError;
    type Undo = NativeUndo;

    fn initial(&self) -> NativeState {
        self.native.initial()
    }

    fn players(&self) -> usize {
        self.native.game().declarations.players().len()
    }

    fn score_bound(&self, player: usize) -> u32 {
        let score = Player(player as u8).score();
        score.map_or(0, |v| self.native.game().declarations.bound(v))
    }

    fn terminal_scores(&self) -> Option<Vec<Vec<u32>>> {
        regulus_rbg::ends::ends(self.native.game())
    }

    fn player(&self, state: &NativeState) -> usize {
        usize::from(self.native.player(state).0)
    }

    fn score(&self, state: &NativeState, player: usize) -> u32 {
        self.native.score(state, Player(player as u8))
    }

    fn values(&self, state: &NativeState, values: &mut Vec<u32>) {
        let layout = self.native.plain.layout;
        values.clear();
        let words = &state.words[layout.variable(0)..layout.variable(layout.variables)];
        values.extend(words.iter().map(|word| *word as u32));
    }

    fn piece_count(&self, state: &NativeState, piece: u8) -> u32 {
        let layout = self.native.plain.layout;
        let of = |word| state.words[layout.set(usize::from(piece), word)].count_ones();
        (0..layout.words_per_set).map(of).sum()
    }

    fn hash(&self, state: &NativeState) -> u64 {
        state.hash()
    }

    fn position_key(&self, state: &NativeState) -> u64 {
        self.native.position_key(state)
    }

    fn forget_hash(&self, state: &mut NativeState) {
        state.changed_from(None);
    }

    fn is_nodal(&self, state: &NativeState) -> bool {
        self.native.is_nodal(state)
    }

    fn run_keeper(&mut self, state: &mut NativeState) -> Result<bool, RunError> {
        if state.words[self.native.plain.layout.player()] != 0 {
            return Ok(true);
        }
        let native = &*self.native;
        let code = native.keeper_code().map_err(no_code)?;
        self.before.clear();
        if state.keeps_hash() {
            self.before.extend_from_slice(&state.words);
        }
        self.helper.begin_turn(0);
        let mut asked = 0;
        let outcome = loop {
            let scratch = self.scratch.get(room::scratch_words(&native.plain))?.as_mut_ptr();
            let mut context = KeeperContext { header: Header::new(), scratch };
            // SAFETY: the context is the one of the keeper, and its memory has its room.
            let outcome = unsafe { self.runner.run(native, code, &mut state.words, &mut context) }?;
            if outcome != keeper::ASK {
                break outcome;
            }
            asked += 1;
            let moved = asked < MAX_KEEPER_MOVES && self.helper.keeper_move(&mut state.words)?;
            if !moved {
                break if asked < MAX_KEEPER_MOVES { keeper::STUCK } else { keeper::ENDLESS };
            }
            if state.words[native.plain.layout.player()] != 0 {
                break keeper::HANDED_OVER;
            }
        };
        state.changed_from(Some(&self.before));
        match outcome {
            keeper::STUCK => Ok(false),
            keeper::HANDED_OVER => Ok(true),
            _ => Err(RunError::EndlessKeeper),
        }
    }

    fn list(&mut self, state: &mut NativeState, moves: &mut Moves) -> Result<(), RunError> {
        moves.clear();
        let vertices = self.native.plain.embedding.vertices();
        let listed =
            self.runner.list(&self.native, &mut state.words, Sink::All { moves, vertices });
        self.or_interpreted(listed, state, |engine, state| engine.list(state, moves))
    }

    fn count(&mut self, state: &mut NativeState) -> Result<u64, RunError> {
        let native = &*self.native;
        let code = native.count_code().map_err(no_code)?;
        let counted = self.runner.question(native, code, &mut state.words, 0);
        let count = self.or_interpreted(counted, state, |engine, state| engine.count(state))?;
        let native = &*self.native;
        if count > MAX_MOVES {
            return Err(RunError::TooManyMoves);
        }
        let analysis = &native.plain;
        let most = count * (analysis.longest_walk() as u64 + 1);
        if most > MAX_STEPS && !analysis.counts_steps() {
            let listed = self.runner.list(native, &mut state.words, Sink::None);
            self.or_interpreted(listed, state, |engine, state| engine.count(state).map(|_| ()))?;
        }
        Ok(count)
    }

    fn has_move(&mut self, state: &mut NativeState) -> Result<bool, RunError> {
        let native = &*self.native;
        let Ok(code) = native.any_code() else { return Ok(self.count(state)? > 0) };
        let found = self.runner.question(native, code, &mut state.words, 0);
        let found = found.map(|found| found != 0);
        self.or_interpreted(found, state, |engine, state| engine.has_move(state))
    }

    fn list_stage(
        &mut self,
        state: &mut NativeState,
        stage: Stage,
        moves: &mut Moves,
    ) -> Result<(), RunError> {
        self.list_stage_natively(state, stage, moves)
    }

    fn nth(
        &mut self,
        state: &mut NativeState,
        index: u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, RunError> {
        steps.clear();
        let code = self.native.nth_code().map_err(no_code)?;
        let found = self.runner.question(&self.native, code, &mut state.words, index);
        if self.runner.is_out_of_work() {
            return self.helper.ask(&state.words, |engine, state| engine.nth(state, index, steps));
        }
        let found = found? as usize;
        let vertices = self.native.plain.embedding.vertices();
        let made = &self.runner.steps()?[..found];
        steps.extend(made.iter().map(|raw| read_step(*raw, vertices)));
        Ok(found > 0)
    }

    fn groups(&mut self, state: &mut NativeState, groups: &mut MoveGroups) -> Result<(), RunError> {
        let native = &*self.native;
        let grouping = native.grouping().map_err(no_code)?;
        let words = native.plain.words();
        if groups.legend != grouping.legend {
            groups.endings.clone_from(&grouping.endings);
            groups.vertices.clear();
            groups.vertices.extend_from_slice(native.plain.embedding.vertices());
            groups.words = words;
            groups.legend = grouping.legend;
        }
        let stride = 1 + words;
        groups.clear();
        loop {
            groups.beginnings.reserve(64);
            groups.groups.reserve(64 * stride);
            let mut context = GroupContext {
                header: Header::new(),
                beginnings: groups.beginnings.as_mut_ptr(),
                groups: groups.groups.as_mut_ptr(),
                beginning_count: 1,
                group_count: 0,
                beginning_limit: groups.beginnings.capacity() as u64 / 2,
                group_limit: (groups.groups.capacity() / stride) as u64,
            };
            let (code, words) = (&grouping.code, &mut state.words);
            // SAFETY: the context is the one of grouping, and says how much room there is.
            let answer = unsafe { self.runner.run(native, code, words, &mut context) }?;
            let answer = self.runner.given(answer, &context.header);
            if self.runner.is_out_of_work() {
                return self.helper.ask(&state.words, |engine, state| engine.groups(state, groups));
            }
            if answer? != NO_ROOM as u64 {
                // SAFETY: the code has written as many as it counts in the context.
                unsafe {
                    groups.beginnings.set_len(context.beginning_count as usize * 2);
                    groups.groups.set_len(context.group_count as usize * stride);
                }
                return Ok(());
            }
            let (beginnings, sets) = (groups.beginnings.capacity(), groups.groups.capacity());
            if beginnings.max(sets) as u64 > MAX_STEPS {
                return Err(RunError::TooManyMoves);
            }
            groups.beginnings.reserve_exact(beginnings * 2);
            groups.groups.reserve_exact(sets * 2);
        }
    }

    fn apply_grouped(
        &mut self,
        state: &mut NativeState,
        groups: &MoveGroups,
        it: GroupedMove,
        steps: &mut Vec<Step>,
    ) -> Result<bool, RunError> {
        let (from, group) = (steps.len(), groups.group(it.group));
        let ending = &groups.endings[group.ending];
        // Groups without a legend are not of this code, and have other positions.
        let is_own = groups.legend != 0;
        if ending.sure && group.beginning == 0 && is_own && !state.keeps_hash() {
            let analysis = &self.native.plain;
            let mut make = |action: i32, at: usize| {
                if let Some(transition) = analysis.segments.modifier(action) {
                    analysis.apply(transition, at, &mut state.words);
                }
                steps.push(Step { action, vertex: groups.vertices[at] });
            };
            if let Some((action, _)) = ending.lead {
                make(action, ending.lead_position(it.position));
            }
            ending.actions.iter().for_each(|action| make(*action, it.position));
            return Ok(true);
        }
        groups.push_steps(it, steps);
        if ending.sure {
            self.apply(state, &steps[from..]);
            return Ok(true);
        }
        let undo = NativeUndo(self.saved.len());
        state.save(&mut self.saved);
        // The last choice was possible, whatever comes behind it has to be tested.
        let chosen = steps.len() - ending.actions.len() + 1;
        self.apply(state, &steps[from..chosen]);
        for step in &steps[chosen..] {
            if !self.is_possible(state, *step)? || !self.step(state, *step) {
                self.undo(state, undo);
                steps.truncate(from);
                return Ok(false);
            }
        }
        self.commit(undo);
        Ok(true)
    }

    fn is_legal(&mut self, state: &mut NativeState, steps: &[Step]) -> Result<bool, RunError> {
        is_legal(self, state, steps)
    }

    fn semimoves(
        &mut self,
        state: &mut NativeState,
        semimoves: &mut Vec<Step>,
    ) -> Result<(), RunError> {
        semimoves.clear();
        let Some(level) = self.native.level_at(self.native.position(state)) else { return Ok(()) };
        let found = self.find_exits(level, state);
        if self.runner.is_out_of_work() {
            let ask = |engine: &mut Worker, state: &mut State| engine.semimoves(state, semimoves);
            return self.helper.ask(&state.words, ask);
        }
        found?;
        let native = &*self.native;
        let (exits, words) = (&native.levels.levels[level].exits, native.plain.words());
        for (exit, set) in exits.iter().zip(self.sets.chunks_exact(words)) {
            let action = native.action_of(exit.behind);
            for (w, word) in set.iter().enumerate() {
                let mut rest = *word;
                while rest != 0 {
                    let at = w * 64 + rest.trailing_zeros() as usize;
                    let vertex = native.plain.embedding.vertex(at).0;
                    semimoves.push(Step { action, vertex });
                    rest &= rest - 1;
                }
            }
        }
        Ok(())
    }

    fn apply_step(&mut self, state: &mut NativeState, step: Step) -> Option<NativeUndo> {
        let undo = NativeUndo(self.saved.len());
        state.save(&mut self.saved);
        if self.step(state, step) {
            return Some(undo);
        }
        self.commit(undo);
        None
    }

    fn apply_with_undo(&mut self, state: &mut NativeState, steps: &[Step]) -> NativeUndo {
        let undo = NativeUndo(self.saved.len());
        state.save(&mut self.saved);
        self.apply(state, steps);
        undo
    }

    fn undo(&mut self, state: &mut NativeState, undo: NativeUndo) {
        let length = state.words.len() + 2;
        state.restore(&self.saved[undo.0..undo.0 + length]);
        self.saved.truncate(undo.0);
    }

    fn commit(&mut self, undo: NativeUndo) {
        self.saved.truncate(undo.0);
    }

    fn apply(&mut self, state: &mut NativeState, steps: &[Step]) {
        let Some((last, before)) = steps.split_last() else { return };
        if state.keeps_hash() {
            for step in steps {
                self.step(state, *step);
            }
            return;
        }
        // Where the walk stands matters at the end only.
        let analysis = &self.native.plain;
        for step in before {
            if let Some(transition) = analysis.segments.modifier(step.action) {
                let at = analysis.embedding.position(Vertex(step.vertex));
                analysis.apply(transition, at, &mut state.words);
            }
        }
        self.step(state, *last);
    }

    fn advance(
        &mut self,
        state: &mut NativeState,
        steps: &[Step],
        changes: &mut Vec<Change>,
    ) -> Result<bool, RunError> {
        self.advance_natively(state, steps, changes)
    }

    fn children(
        &mut self,
        state: &mut NativeState,
        children: &mut Children,
    ) -> Result<(), RunError> {
        self.children_natively(state, children)
    }

    fn vertices(&self) -> usize {
        self.native.game().board.len()
    }

    fn labels(&self) -> usize {
        self.native.game().board.label_count()
    }

    fn next(&self, vertex: u16, label: usize) -> u16 {
        self.native.game().board.next(Vertex(vertex), Label(label as u8)).0
    }

    /// Piece by piece: each set has the vertices of one.
    fn pieces(&self, state: &NativeState, contents: &mut Vec<u8>) {
        let analysis = &self.native.plain;
        let (layout, vertices) = (analysis.layout, analysis.embedding.vertices());
        contents.clear();
        contents.resize(self.native.game().board.len() + 1, 0);
        // What has no other piece has the first.
        for piece in 1..layout.pieces {
            for word in 0..layout.words_per_set {
                let mut rest = state.words[layout.set(piece, word)];
                while rest != 0 {
                    let at = word * 64 + rest.trailing_zeros() as usize;
                    contents[usize::from(vertices[at])] = piece as u8;
                    rest &= rest - 1;
                }
            }
        }
    }

    /// Piece by piece, and only where sets differ.
    fn look(&self, state: &NativeState, view: &mut BoardView) {
        let analysis = &self.native.plain;
        let (layout, vertices) = (analysis.layout, analysis.embedding.vertices());
        let words = layout.words_per_set;
        view.contents.resize(self.native.game().board.len() + 1, 0);
        view.words.resize(layout.pieces * words, 0);
        view.changed.clear();
        for word in 0..words {
            let mut rest = 0;
            // What has no other piece has the first.
            for piece in 1..layout.pieces {
                let new = state.words[layout.set(piece, word)];
                rest |= std::mem::replace(&mut view.words[piece * words + word], new) ^ new;
            }
            while rest != 0 {
                let at = rest.trailing_zeros();
                let vertex = vertices[word * 64 + at as usize];
                let stands = |piece: &usize| view.words[piece * words + word] >> at & 1 == 1;
                let piece = (1..layout.pieces).find(stands).unwrap_or(0) as u8;
                let place = &mut view.contents[usize::from(vertex)];
                view.changed.push((vertex, std::mem::replace(place, piece)));
                rest &= rest - 1;
            }
        }
    }

    fn board_changes(&self) -> BoardChanges {
        board_changes(&Program::new(self.native.game()))
    }

    fn changed_cells(&mut self, state: &NativeState, steps: &[Step], cells: &mut Vec<u16>) {
        let mut next = state.clone();
        self.forget_hash(&mut next);
        self.apply(&mut next, steps);
        if self.is_nodal(&next) {
            // Where it fails, as far as it came.
            let _ = self.run_keeper(&mut next);
        }
        cells.clear();
        let analysis = &self.native.plain;
        for_each_difference(analysis, &state.words, &next.words, |change| {
            cells.push(change.vertex())
        });
        cells.sort_unstable();
    }

    fn check_length(&self, modifiers: usize) -> Result<(), RunError> {
        crate::error::check_length(modifiers)
    }

    fn endless(&self) -> RunError {
        RunError::EndlessGame
    }

    fn playout(
        &mut self,
        state: &mut NativeState,
        split: bool,
        random: &mut Random,
    ) -> Result<u64, RunError> {
        let mode = if split { Mode::Split } else { Mode::Full };
        let options = Options { mode, is_limited: false };
        match self.run_playout(state, options, None, MAX_GAME_MOVES, random)? {
            Some(played) => Ok(played.length),
            None => {
                let play = if split { semisplit_playout } else { random_playout };
                play(self, state, random).map(|playout| playout.length)
            }
        }
    }

    fn playouts(
        &mut self,
        states: &mut [NativeState],
        split: bool,
        randoms: &mut [Random],
        lengths: &mut Vec<u64>,
    ) -> Result<(), RunError> {
        assert_eq!(states.len(), randoms.len(), "a random generator for every state");
        if states.len() > 1 && self.play_lanes(states, split, randoms, lengths)? {
            return Ok(());
        }
        playouts_one_by_one(self, states, split, randoms, lengths)
    }

    fn move_hash(&mut self, state: &mut NativeState, steps: &[Step], kind: KeyKind) -> KeyHash {
        self.native.key_rules().hash(&self.native.plain, &state.words, steps, kind)
    }

    fn play(
        &mut self,
        state: &mut NativeState,
        most: u64,
        mut guide: Option<&mut Guide>,
        random: &mut Random,
    ) -> Result<Played, RunError> {
        let mode = guide.as_ref().map_or(Mode::Full, |guide| Mode::Guided(guide.kind()));
        let options = Options { mode, is_limited: most <= MAX_GAME_MOVES };
        match self.run_playout(state, options, guide.as_deref_mut(), most, random)? {
            Some(played) => Ok(played),
            None => play_by_listing(self, state, most, guide, random),
        }
    }
}

impl NativeWorker {
    /// Runs the code of a playout; gives nothing, with the state as before, if the game has to be played move by move:
    /// the interpreter may answer a condition that code has given up.
    #[inline(always)]
    fn run_playout(
        &mut self,
        state: &mut NativeState,
        options: Options,
        mut guide: Option<&mut Guide>,
        most: u64,
        random: &mut Random,
    ) -> Result<Option<Played>, RunError> {
        let native = &*self.native;
        let code = native.playout_code(options).map_err(no_code)?;
        let (begin, is_kept) = (random.state(), native.plain.condition_depth > 0);
        if is_kept {
            self.before.clear();
            self.before.extend_from_slice(&state.words);
        }
        self.helper.begin_turn(0);
        let played = match &mut guide {
            Some(guide) => {
                guide.clear_played();
                self.played.get(room::PLAYED)?.as_mut_ptr()
            }
            None => std::ptr::null_mut(),
        };
        let mut context = PlayoutContext {
            header: Header::new(),
            steps: self.playout_steps.get(room::SEMIMOVES)?.as_mut_ptr(),
            random: random.state(),
            length: 0,
            scratch: self.scratch.get(room::scratch_words(&native.plain))?.as_mut_ptr(),
            own: [0; 3],
            most,
            weights: guide.as_ref().map_or(std::ptr::null(), |guide| guide.weights().as_ptr()),
            key_shift: guide.as_ref().map_or(0, |guide| u64::from(guide.shift())),
            played,
            queue: Queue::NONE,
            guide: guide.as_deref(),
            helper: &mut self.helper,
            mode: options.mode,
            error: None,
        };
        // SAFETY: the context is the one of a playout, and its memory has its room.
        let outcome = unsafe { self.runner.run(native, code, &mut state.words, &mut context) };
        let PlayoutContext { header, random: after, length, error, .. } = context;
        state.changed_from(None);
        if is_kept && (header.is_out_of_work() || self.helper.is_out_of_work()) {
            state.words.copy_from_slice(&self.before);
            *random = Random::from_state(begin);
            return Ok(None);
        }
        *random = Random::from_state(after);
        let is_over = match (outcome?, error) {
            (_, Some(error)) => return Err(error),
            (playout::OVER, None) => true,
            (playout::ENOUGH, None) => false,
            (playout::TOO_LONG, None) => return Err(RunError::EndlessGame),
            (playout::ENDLESS_KEEPER, None) => return Err(RunError::EndlessKeeper),
            _ => return Err(RunError::TooManyMoves),
        };
        if let Some(guide) = guide {
            let played = &self.played.get(room::PLAYED)?[..length as usize];
            guide.record(played.iter().map(|word| PlayedKey::from_word(*word)));
        }
        Ok(Some(Played { length, is_over }))
    }
}
