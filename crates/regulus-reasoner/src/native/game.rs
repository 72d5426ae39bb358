//! A game as machine code: what is known about it, and the code of its operations, made when they are
//! first asked for.

#![allow(unsafe_code)]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind};
use cranelift_module::{FuncId, Module};
use regulus_game::Ending;
use regulus_rbg::automaton::{Automaton, State};
use regulus_rbg::declarations::{Piece, Player, Variable};
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::split::{count_dots, without_dots};
use regulus_rbg::{Game, Vertex};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Mode;
use super::analysis::Analysis;
use super::compiler::{Code, Compiler, Lazy};
use super::describe::{Pass, describe};
use super::drawing::{self, PlayoutContext};
use super::emit::{MAX_PATIENT_INSTRUCTIONS, Unsupported};
use super::enumeration::{Enumeration, Question, all_nodes, shared_nodes};
use super::grouping::{GroupContext, grouping_failed};
use super::levels::Levels;
use super::listing::{ListContext, NthContext, count_failed, emit_move};
use super::playout::Player as PlayoutPlayer;
use super::pointer;
use super::segments::{Position, Segments};
use super::state::NativeState;
use super::worker::NativeWorker;
use crate::error::RunError;

pub(super) type KeeperCode =
    unsafe extern "C" fn(state: *mut u64, choices: *mut u64, limit: *mut u64) -> i64;
pub(super) type PlayoutCode = unsafe extern "C" fn(
    state: *mut u64,
    context: *mut PlayoutContext<'_, '_>,
    choices: *mut u64,
    limit: *mut u64,
) -> i64;
pub(super) type ListCode =
    unsafe extern "C" fn(state: *const u64, context: *mut ListContext<'_>) -> i64;
pub(super) type CountCode =
    unsafe extern "C" fn(state: *const u64, context: *mut NthContext) -> i64;
type GroupCode = unsafe extern "C" fn(state: *const u64, context: *mut GroupContext) -> i64;

/// The number of the next [`Grouping`].
static LEGENDS: AtomicU64 = AtomicU64::new(1);

/// Code that gives moves in groups, and how these moves can end.
pub(super) struct Grouping {
    pub(super) code: GroupCode,
    pub(super) endings: Vec<Ending>,
    /// Tells these endings from those of other code.
    pub(super) legend: u64,
}

/// Writes where the semimoves of a level are possible.
type LevelCode = unsafe extern "C" fn(state: *const u64, sets: *mut u64) -> i64;

/// What native code can be made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// The keeper's moves.
    Keeper,
    /// Listing moves.
    List,
    /// Counting moves.
    Count,
    /// Finding a move by its number.
    Nth,
    /// Moves in groups.
    Groups,
    /// Playing uniformly random moves to the end.
    Playout,
    /// Playing random semimoves to the end.
    SplitPlayout,
}

/// A game compiled to machine code. It is `Send + Sync`; each thread makes its own [`NativeWorker`].
///
/// Code is made per operation, when it is first used.
pub struct Native {
    game: Game,
    /// The rules without split points.
    pub(super) plain: Analysis,
    /// The rules with split points, if there are any.
    dotted: Option<Analysis>,
    /// Where walks go on, by the number that a state keeps.
    pub(super) positions: Vec<Position>,
    /// At which of them it does not matter where the pointer stands.
    free_pointer: OnceLock<Vec<bool>>,
    /// The action of every split point.
    dots: Vec<i32>,
    keeper: Lazy<KeeperCode>,
    list: Lazy<ListCode>,
    /// Listing has turned out too large with few functions.
    needs_many_functions: AtomicBool,
    count: Lazy<CountCode>,
    nth: Lazy<CountCode>,
    grouping: Lazy<Grouping>,
    full_playout: Lazy<PlayoutCode>,
    split_playout: Lazy<PlayoutCode>,
    /// Where semimoves are drawn.
    pub(super) levels: Levels,
    level_codes: Box<[Lazy<LevelCode>]>,
}

impl Native {
    /// Analyses a game. Moves, counts and full playouts ignore its split points; semimoves and split
    /// playouts use them.
    pub fn new(game: &Game) -> Result<Native, Unsupported> {
        let plain = match count_dots(&game.rules) {
            0 => Analysis::new(game),
            _ => Analysis::new(&Game { rules: without_dots(&game.rules), ..game.clone() }),
        };
        let dotted = Analysis::with_dots(game);
        let segments = &dotted.as_ref().unwrap_or(&plain).segments;
        let levels = Levels::new(segments)?;
        let level_codes = levels.levels.iter().map(|_| Lazy::default()).collect();
        let positions = segments.positions();
        let dots = dot_actions(game);
        Ok(Native {
            game: game.clone(),
            plain,
            dotted,
            positions,
            free_pointer: OnceLock::new(),
            dots,
            keeper: Lazy::default(),
            list: Lazy::default(),
            needs_many_functions: AtomicBool::new(false),
            count: Lazy::default(),
            nth: Lazy::default(),
            grouping: Lazy::default(),
            full_playout: Lazy::default(),
            split_playout: Lazy::default(),
            levels,
            level_codes,
        })
    }

    /// The same, but functions may be ten times as large, which can take ten seconds to compile.
    pub fn patient(game: &Game) -> Result<Native, Unsupported> {
        let mut native = Native::new(game)?;
        native.plain.max_instructions = MAX_PATIENT_INSTRUCTIONS;
        if let Some(dotted) = &mut native.dotted {
            dotted.max_instructions = MAX_PATIENT_INSTRUCTIONS;
        }
        Ok(native)
    }

    /// Makes the code of an operation now; says why if that is impossible.
    pub fn prepare(&self, operation: Operation) -> Result<(), Unsupported> {
        match operation {
            Operation::Keeper => self.keeper_code().map(|_| ()),
            Operation::List => self.list_code().map(|_| ()),
            Operation::Count => self.count_code().map(|_| ()),
            Operation::Nth => self.nth_code().map(|_| ()),
            Operation::Groups => self.grouping().map(|_| ()),
            Operation::Playout => self.playout_code(Mode::Full).map(|_| ()),
            Operation::SplitPlayout => self.playout_code(Mode::Split).map(|_| ()),
        }
        .map_err(Clone::clone)
    }

    /// The analysis that semimoves are made from.
    pub(super) fn split_analysis(&self) -> &Analysis {
        self.dotted.as_ref().unwrap_or(&self.plain)
    }

    pub(super) fn keeper_code(&self) -> Result<KeeperCode, &Unsupported> {
        let make = || {
            let mut compiler = Compiler::new(&self.plain, &[])?;
            let keeper = compiler.declare("keeper", 3)?;
            compiler.define(keeper, |emitter, v| emitter.keeper_function(v[0], v[1], v[2]))?;
            let (address, code) = compiler.finish(keeper)?;
            // SAFETY: the function was compiled with exactly this signature.
            Ok((unsafe { std::mem::transmute::<*const u8, KeeperCode>(address) }, code))
        };
        self.keeper.get(make).copied()
    }

    /// Compiles with functions for shared nodes only; if that gets too large, with one for every node,
    /// and then for all questions.
    fn question(&self, question: Question) -> Result<Answering, Unsupported> {
        let segments = &self.plain.segments;
        // Deferred tests are made level by level, which split points would cut up.
        let defers = !self.has_dots();
        if !self.needs_many_functions.load(Ordering::Relaxed) {
            let made = compile_question(&self.plain, &shared_nodes(segments), question, defers);
            if made.is_ok() {
                return made;
            }
            self.needs_many_functions.store(true, Ordering::Relaxed);
        }
        compile_question(&self.plain, &all_nodes(segments), question, defers)
    }

    pub(super) fn list_code(&self) -> Result<ListCode, &Unsupported> {
        let make = || {
            let Answering { address, code, .. } = self.question(Question::List)?;
            // SAFETY: the function was compiled with exactly this signature.
            Ok((unsafe { std::mem::transmute::<*const u8, ListCode>(address) }, code))
        };
        self.list.get(make).copied()
    }

    pub(super) fn count_code(&self) -> Result<CountCode, &Unsupported> {
        self.count.get(|| self.count_or_nth(Question::Count)).copied()
    }

    pub(super) fn nth_code(&self) -> Result<CountCode, &Unsupported> {
        self.nth.get(|| self.count_or_nth(Question::Nth)).copied()
    }

    fn count_or_nth(&self, question: Question) -> Result<(CountCode, Code), Unsupported> {
        let Answering { address, code, .. } = self.question(question)?;
        // SAFETY: the function was compiled with exactly this signature.
        Ok((unsafe { std::mem::transmute::<*const u8, CountCode>(address) }, code))
    }

    pub(super) fn grouping(&self) -> Result<&Grouping, &Unsupported> {
        self.grouping.get(|| {
            let Answering { address, code, endings } = self.question(Question::Groups)?;
            // SAFETY: the function was compiled with exactly this signature.
            let function = unsafe { std::mem::transmute::<*const u8, GroupCode>(address) };
            let legend = LEGENDS.fetch_add(1, Ordering::Relaxed);
            Ok((Grouping { code: function, endings, legend }, code))
        })
    }

    pub(super) fn playout_code(&self, mode: Mode) -> Result<PlayoutCode, &Unsupported> {
        let (lazy, analysis) = match mode {
            Mode::Full => (&self.full_playout, &self.plain),
            Mode::Split => (&self.split_playout, self.split_analysis()),
        };
        let make = || {
            let (address, code) = compile_playout(analysis, mode, false)
                .or_else(|_| compile_playout(analysis, mode, true))?;
            // SAFETY: the function was compiled with exactly this signature.
            Ok((unsafe { std::mem::transmute::<*const u8, PlayoutCode>(address) }, code))
        };
        lazy.get(make).copied()
    }

    /// The level at a position.
    pub(super) fn level_at(&self, number: usize) -> Option<usize> {
        self.positions.get(number).and_then(|p| p.node).and_then(|node| self.levels.at(node))
    }

    /// Writes where the semimoves of a level are possible in a state.
    pub(super) fn exits(
        &self,
        level: usize,
        state: &[u64],
        sets: &mut [u64],
    ) -> Result<(), RunError> {
        let analysis = self.split_analysis();
        let make = || {
            let mut compiler = Compiler::new(analysis, &[])?;
            let id = compiler.declare("level", 2)?;
            let level = &self.levels.levels[level];
            compiler.define(id, |emitter, v| emitter.level_function(level, v[0], v[1]))?;
            let (address, code) = compiler.finish(id)?;
            // SAFETY: the function was compiled with exactly this signature.
            Ok((unsafe { std::mem::transmute::<*const u8, LevelCode>(address) }, code))
        };
        let code = self.level_codes[level].get(make).map_err(|_| RunError::NoNativeCode)?;
        assert_eq!(state.len(), analysis.layout.len());
        assert_eq!(sets.len(), self.levels.levels[level].exits.len() * analysis.words());
        // SAFETY: the state has the layout the code was compiled for, and the code writes one set for
        // every semimove of the level.
        unsafe { code(state.as_ptr(), sets.as_mut_ptr()) };
        Ok(())
    }

    /// True if the rules have split points.
    pub(super) fn has_dots(&self) -> bool {
        !self.dots.is_empty()
    }

    /// The action behind which a state keeps a number.
    pub(super) fn action_of(&self, number: usize) -> i32 {
        let modifiers = self.game.modifier_count as usize + 1;
        match number.checked_sub(modifiers) {
            Some(dot) => self.dots[dot],
            None => number as i32,
        }
    }

    /// The number that a state keeps behind an action.
    pub(super) fn position_behind(&self, action: i32) -> Option<usize> {
        let modifiers = self.game.modifier_count as usize + 1;
        match usize::try_from(action) {
            Ok(modifier) if modifier > 0 => (modifier < modifiers).then_some(modifier),
            _ => self.dots.iter().position(|dot| *dot == action).map(|i| modifiers + i),
        }
    }

    /// The state in which the game begins, before the keeper has done anything.
    pub fn initial(&self) -> NativeState {
        let layout = self.plain.layout;
        let mut words = vec![0u64; layout.len()];
        let board = &self.game.board;
        for v in board.vertices() {
            let at = self.plain.embedding.position(v);
            words[layout.set(usize::from(board.piece(v).0), at / 64)] |= 1 << (at % 64);
        }
        words[layout.pointer()] = self.plain.embedding.position(Vertex(1)) as u64;
        NativeState::new(words.into())
    }

    /// Memory to run the game with.
    pub fn worker(&self) -> NativeWorker<'_> {
        NativeWorker::new(self)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What a pass found out about the rules (split points included), as text.
    pub fn describe(&self, pass: Pass) -> String {
        describe(self.split_analysis(), pass)
    }

    /// Who is to move.
    pub fn player(&self, state: &NativeState) -> Player {
        Player(state.words[self.plain.layout.player()] as u8)
    }

    /// The piece on a vertex.
    pub fn piece(&self, state: &NativeState, vertex: Vertex) -> Piece {
        let layout = self.plain.layout;
        let at = self.plain.embedding.position(vertex);
        let here = |p: &usize| state.words[layout.set(*p, at / 64)] >> (at % 64) & 1 == 1;
        Piece((0..layout.pieces).find(here).unwrap_or(0) as u8)
    }

    /// The value of a variable.
    pub fn variable(&self, state: &NativeState, variable: Variable) -> u32 {
        state.words[self.plain.layout.variable(usize::from(variable.0))] as u32
    }

    /// A player's score.
    pub fn score(&self, state: &NativeState, player: Player) -> u32 {
        player.score().map_or(0, |v| self.variable(state, v))
    }

    /// Where the pointer stands.
    pub fn vertex(&self, state: &NativeState) -> Vertex {
        let layout = self.plain.layout;
        self.plain.embedding.vertex(state.words[layout.pointer()] as usize)
    }

    /// A hash of what the rest of the game depends on.
    pub(super) fn position_key(&self, state: &NativeState) -> u64 {
        let layout = self.plain.layout;
        let free =
            self.free_pointer.get_or_init(|| pointer::free(self.split_analysis(), &self.positions));
        match free.get(state.words[layout.node()] as usize) {
            Some(true) => state.hash_without(layout.pointer()),
            _ => state.hash(),
        }
    }

    /// True between moves, false inside a move that is made of semimoves.
    pub fn is_nodal(&self, state: &NativeState) -> bool {
        let number = state.words[self.plain.layout.node()] as usize;
        self.positions.get(number).is_some_and(|p| p.hands_over)
    }
}

/// The action of every split point that players can pass, in textual order: the negative number of the
/// automaton's state behind it.
fn dot_actions(game: &Game) -> Vec<i32> {
    fn collect<'r>(rule: &'r Rule, found: &mut Vec<&'r Rule>) {
        match &rule.kind {
            RuleKind::Dot => found.push(rule),
            RuleKind::Condition { .. } => {}
            _ => rule.children().iter().for_each(|r| collect(r, found)),
        }
    }
    let mut dots = Vec::new();
    collect(&game.rules, &mut dots);
    if dots.is_empty() {
        return Vec::new();
    }
    let passed = Segments::new(&game.rules, game.modifier_count).players_dots();
    let automaton = Automaton::new(&game.rules);
    let mut behind: FxHashMap<*const Rule, i32> = FxHashMap::default();
    for state in 0..automaton.len() {
        for edge in automaton.from(State(state as u32)) {
            if let Some(action) = edge.action {
                behind.insert(std::ptr::from_ref(action), -(edge.to.0 as i32));
            }
        }
    }
    let passed = dots.into_iter().zip(0..).filter(|(_, i)| passed.contains(i));
    passed.filter_map(|(dot, _)| behind.get(&std::ptr::from_ref(dot)).copied()).collect()
}

/// Code that answers a question about moves.
struct Answering {
    address: *const u8,
    code: Code,
    /// How moves in groups can end.
    endings: Vec<Ending>,
}

/// Compiles the code of a question about moves, and the functions of shared nodes.
fn compile_question(
    analysis: &Analysis,
    shared: &FxHashSet<u32>,
    question: Question,
    defers: bool,
) -> Result<Answering, Unsupported> {
    let report = match question {
        Question::List => emit_move as *const u8,
        Question::Count | Question::Nth => count_failed as *const u8,
        Question::Groups => grouping_failed as *const u8,
    };
    let mut compiler = Compiler::new(analysis, &[("report", report)])?;
    let report = compiler.import("report", 2)?;
    let main = compiler.declare("question", 2)?;
    let bytes = (analysis.layout.len() * 8) as u32;
    let mut ids: FxHashMap<u32, FuncId> = FxHashMap::default();
    let mut pending: Vec<u32> = Vec::new();
    let mut endings = Vec::new();
    let mut next = Some((main, None));
    while let Some((id, node)) = next {
        compiler.define(id, |emitter, values| {
            let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
            let (stop, answer) = (emitter.b.create_block(), emitter.b.declare_var(I64));
            let mut asked = Enumeration {
                question,
                context: values[1],
                report: emitter.module.declare_func_in_func(report, emitter.b.func),
                shared,
                ids: &mut ids,
                pending: &mut pending,
                references: FxHashMap::default(),
                outgoing: emitter.b.create_sized_stack_slot(slot),
                stop,
                answer,
                inside: Vec::new(),
                endings: &mut endings,
                defers,
            };
            match node {
                None => emitter.enumeration_function(values[0], &mut asked)?,
                Some(node) => {
                    emitter.enumeration_node_function(node, values[0], values[2], &mut asked)?;
                }
            }
            emitter.b.switch_to_block(stop);
            let answer = emitter.b.use_var(answer);
            emitter.b.ins().return_(&[answer]);
            Ok(())
        })?;
        next = pending.pop().map(|node| (ids[&node], Some(node)));
    }
    let (address, code) = compiler.finish(main)?;
    Ok(Answering { address, code, endings })
}

/// Compiles a function that plays a game to its end.
fn compile_playout(
    analysis: &Analysis,
    mode: Mode,
    by_helper: bool,
) -> Result<(*const u8, Code), Unsupported> {
    let mut compiler = Compiler::new(
        analysis,
        &[
            ("choose", drawing::choose as *const u8),
            ("select", drawing::fast_select() as *const u8),
        ],
    )?;
    let (choose, select) = (compiler.import("choose", 3)?, compiler.import("select", 2)?);
    let playout = compiler.declare("playout", 4)?;
    compiler.define(playout, |emitter, values| {
        let choose = emitter.module.declare_func_in_func(choose, emitter.b.func);
        let select = emitter.module.declare_func_in_func(select, emitter.b.func);
        let keeper = emitter.new_keeper(values[0], values[2], values[3]);
        let (random, length) = (emitter.b.declare_var(I64), emitter.b.declare_var(I64));
        let (over, too_long) = (emitter.b.create_block(), emitter.b.create_block());
        let mut player = PlayoutPlayer {
            mode,
            by_helper,
            keeper,
            state: values[0],
            context: values[1],
            choose,
            select,
            random,
            length,
            over,
            too_long,
            split: None,
        };
        emitter.playout_function(&mut player)
    })?;
    compiler.finish(playout)
}
