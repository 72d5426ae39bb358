//! A game as machine code: what is known about it, and the code of its operations, made when they are
//! first asked for.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{FuncRef, InstBuilder, StackSlotData, StackSlotKind, Value};
use cranelift_module::{FuncId, Module};
use regulus_game::Ending;
use regulus_rbg::automaton::{Automaton, State};
use regulus_rbg::declarations::{Piece, Player, Variable};
use regulus_rbg::rule::RuleKind;
use regulus_rbg::split::{count_dots, without_dots};
use regulus_rbg::{Game, Vertex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::id::{IdVec, Key};
use crate::native::Mode;
use crate::native::analysis::Analysis;
use crate::native::analysis::describe::describe;
use crate::native::analysis::pointer;
use crate::native::analysis::segments::{NodeId, Position, PositionId, Segments};
use crate::native::compiler::{Code, Compiler, Lazy, Role};
use crate::native::draw::drawing;
use crate::native::draw::guiding::{Guiding, KeyRules};
use crate::native::draw::lanes::{self, LANES};
use crate::native::draw::levels::{LevelId, Levels};
use crate::native::draw::playout::{Options, PLAYOUT_SCRATCH, PlayoutEmitter};
use crate::native::emit::{Emitter, MAX_PATIENT_INSTRUCTIONS};
use crate::native::enumerate::enumeration::{Enumeration, Question, all_nodes, shared_nodes};
use crate::native::enumerate::listing::emit_move;
use crate::native::keeper::Keeper;
use crate::native::keeper::confluence::{Remembered, remembered};
use crate::native::keeper::interpreted::Interpreted;
use crate::native::runtime::state::NativeState;
use crate::native::runtime::worker::NativeWorker;
use crate::native::sets::memo::memos;
use crate::native::{Operation, Pass, Unsupported};

/// Vertices of a board that code is made for.
const MAX_VERTICES: usize = 4096;

/// Actions and operators of rules that are worth compiling; Arimaa has some 8,600.
const MAX_RULES: usize = 1 << 14;

/// Places of semimoves, each of which has code of its own; Arimaa has some 2,600.
const MAX_LEVELS: usize = 3000;

/// How many games are played with quick code before it is replaced.
const PATIENCE_FOR_PLAYOUTS: u32 = 64;

/// The number of the next [`Grouping`].
static LEGENDS: AtomicU64 = AtomicU64::new(1);

/// Code that gives moves in groups, and how these moves can end.
pub(crate) struct Grouping {
    pub(crate) code: Code,
    pub(crate) endings: Vec<Ending>,
    /// Tells these endings from those of other code.
    pub(crate) legend: u64,
}

/// A game compiled to machine code. It is `Send + Sync`, and a copy of it is the same code; each thread makes its own
/// [`NativeWorker`].
///
/// Code is made per operation, when it is first used.
#[derive(Clone)]
pub struct Native(Arc<CompiledGame>);

impl Native {
    /// Analyses a game. Moves, counts and full playouts ignore its split points; semimoves and split
    /// playouts use them.
    pub fn new(game: &Game) -> Result<Native, Unsupported> {
        Ok(Native(Arc::new(CompiledGame::new(game)?)))
    }

    /// The same for rules that do not take long to compile.
    pub fn worthwhile(game: &Game) -> Result<Native, Unsupported> {
        if game.rules.size() > MAX_RULES {
            return Err(Unsupported(format!("its rules have more than {MAX_RULES} parts")));
        }
        let native = Native::new(game)?;
        if native.levels.levels.len() > MAX_LEVELS {
            let why = format!("its moves have more than {MAX_LEVELS} places for semimoves");
            return Err(Unsupported(why));
        }
        Ok(native)
    }

    /// The same, but code works on copies of states that end at a page which cannot be accessed: what it does
    /// beyond the end of a state then ends the process. For tests.
    pub fn guarded(game: &Game) -> Result<Native, Unsupported> {
        Ok(Native(Arc::new(CompiledGame { guards: true, ..CompiledGame::new(game)? })))
    }

    /// The same, but functions may be ten times as large, which can take ten seconds to compile.
    pub fn patient(game: &Game) -> Result<Native, Unsupported> {
        let mut compiled = CompiledGame::new(game)?;
        compiled.plain.max_instructions = MAX_PATIENT_INSTRUCTIONS;
        if let Some(dotted) = &mut compiled.dotted {
            dotted.max_instructions = MAX_PATIENT_INSTRUCTIONS;
        }
        Ok(Native(Arc::new(compiled)))
    }

    /// Memory to run the game with. It keeps the code alive.
    pub fn worker(&self) -> NativeWorker {
        NativeWorker::new(&self.0)
    }
}

impl Deref for Native {
    type Target = CompiledGame;

    fn deref(&self) -> &CompiledGame {
        &self.0
    }
}

/// What is known about a game, and its code as far as it was made; [`Native`] and its workers share it.
pub struct CompiledGame {
    game: Game,
    /// The rules without split points.
    pub(crate) plain: Analysis,
    /// The rules with split points, if there are any.
    dotted: Option<Analysis>,
    /// Where walks go on.
    pub(crate) positions: IdVec<PositionId, Position>,
    /// At which of them it does not matter where the pointer stands.
    free_pointer: OnceLock<IdVec<PositionId, bool>>,
    /// The action of every split point.
    dots: Vec<i32>,
    keeper: Lazy<Code>,
    list: Lazy<Code>,
    /// Listing has turned out too large with few functions.
    needs_many_functions: AtomicBool,
    count: Lazy<Code>,
    nth: Lazy<Code>,
    grouping: Lazy<Grouping>,
    any: Lazy<Code>,
    stage: Lazy<Code>,
    children: Lazy<Code>,
    /// By the number of their options.
    playouts: [Lazy<Code>; Options::NUMBER],
    full_lanes: Lazy<Code>,
    split_lanes: Lazy<Code>,
    /// How keys of moves are made.
    key_rules: OnceLock<Arc<KeyRules>>,
    /// Where semimoves are drawn.
    pub(crate) levels: Levels,
    level_codes: IdVec<LevelId, Lazy<Code>>,
    /// What code leaves to the interpreter.
    interpreted: OnceLock<Interpreted>,
    /// True if states are at protected pages while code works on them.
    pub(crate) guards: bool,
}

impl CompiledGame {
    fn new(game: &Game) -> Result<CompiledGame, Unsupported> {
        if game.board.len() > MAX_VERTICES {
            let why = format!("the board has more than {MAX_VERTICES} vertices");
            return Err(Unsupported(why));
        }
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
        Ok(CompiledGame {
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
            any: Lazy::default(),
            stage: Lazy::default(),
            children: Lazy::default(),
            playouts: Default::default(),
            full_lanes: Lazy::default(),
            split_lanes: Lazy::default(),
            key_rules: OnceLock::new(),
            levels,
            level_codes,
            interpreted: OnceLock::new(),
            guards: false,
        })
    }

    /// What code leaves to the interpreter.
    pub(crate) fn interpreted(&self) -> &Interpreted {
        self.interpreted.get_or_init(|| Interpreted::new(&self.game))
    }

    /// Makes the code of an operation now; says why if that is impossible.
    pub fn prepare(&self, operation: Operation) -> Result<(), Unsupported> {
        self.code_of(operation).map(|_| ()).map_err(Clone::clone)
    }

    /// The same, and makes it as fast as it gets. Otherwise that is done when it has been used often.
    pub fn optimize(&self, operation: Operation) -> Result<(), Unsupported> {
        self.code_of(operation).map(Code::improve).map_err(Clone::clone)
    }

    fn code_of(&self, operation: Operation) -> Result<&Code, &Unsupported> {
        match operation {
            Operation::Keeper => self.keeper_code(),
            Operation::List => self.list_code(),
            Operation::Count => self.count_code(),
            Operation::Nth => self.nth_code(),
            Operation::Groups => self.grouping().map(|grouping| &grouping.code),
            Operation::HasMove => self.any_code(),
            Operation::ListStage => self.stage_code(),
            Operation::Children => self.children_code(),
            Operation::Playout => self.whole_playout(Mode::Full),
            Operation::SplitPlayout => self.whole_playout(Mode::Split),
            Operation::GuidedPlayout(kind) => self.whole_playout(Mode::Guided(kind)),
            Operation::Playouts => self.lanes_code(false),
            Operation::SplitPlayouts => self.lanes_code(true),
        }
    }

    /// The analysis that semimoves are made from.
    pub(crate) fn split_analysis(&self) -> &Analysis {
        self.dotted.as_ref().unwrap_or(&self.plain)
    }

    pub(crate) fn keeper_code(&self) -> Result<&Code, &Unsupported> {
        self.keeper.get(|| {
            let mut compiler = Compiler::new(&self.plain, &[])?;
            let keeper = compiler.declare("keeper")?;
            let remembered = self.remembered();
            compiler.define(keeper, Role::Operation, |emitter, v| {
                emitter.keeper_function(v[0], remembered)
            })?;
            compiler.finish(keeper)
        })
    }

    /// Switches behind which it shows where the pointer stands.
    fn remembered(&self) -> Remembered {
        self.dotted.as_ref().map(remembered).unwrap_or_default()
    }

    /// Compiles with functions for shared nodes only; if that gets too large, with one for every node,
    /// and then for all questions.
    fn question(&self, question: Question) -> Result<(Code, Vec<Ending>), Unsupported> {
        if !self.needs_many_functions.load(Ordering::Relaxed) {
            let made = self.compile_question(&shared_nodes(&self.plain), question);
            if made.is_ok() {
                return made;
            }
            self.needs_many_functions.store(true, Ordering::Relaxed);
        }
        self.compile_question(&all_nodes(&self.plain.segments), question)
    }

    fn compile_question(
        &self,
        shared: &FxHashSet<NodeId>,
        question: Question,
    ) -> Result<(Code, Vec<Ending>), Unsupported> {
        // Deferred tests are made level by level, which split points would cut up.
        let defers = !self.has_dots();
        let remembered = || self.remembered();
        compile_question(&self.plain, shared, question, (defers, &remembered))
    }

    pub(crate) fn list_code(&self) -> Result<&Code, &Unsupported> {
        self.list.get(|| Ok(self.question(Question::List)?.0))
    }

    pub(crate) fn count_code(&self) -> Result<&Code, &Unsupported> {
        self.count.get(|| Ok(self.question(Question::Count)?.0))
    }

    pub(crate) fn nth_code(&self) -> Result<&Code, &Unsupported> {
        self.nth.get(|| Ok(self.question(Question::Nth)?.0))
    }

    pub(crate) fn any_code(&self) -> Result<&Code, &Unsupported> {
        self.any.get(|| Ok(self.question(Question::Any)?.0))
    }

    pub(crate) fn stage_code(&self) -> Result<&Code, &Unsupported> {
        self.stage.get(|| Ok(self.question(Question::Stage)?.0))
    }

    pub(crate) fn children_code(&self) -> Result<&Code, &Unsupported> {
        self.children.get(|| Ok(self.question(Question::Children)?.0))
    }

    pub(crate) fn grouping(&self) -> Result<&Grouping, &Unsupported> {
        self.grouping.get(|| {
            let (code, endings) = self.question(Question::Groups)?;
            let legend = LEGENDS.fetch_add(1, Ordering::Relaxed);
            Ok(Grouping { code, endings, legend })
        })
    }

    /// The code that plays to the end.
    fn whole_playout(&self, mode: Mode) -> Result<&Code, &Unsupported> {
        self.playout_code(Options { mode, is_limited: false })
    }

    pub(crate) fn playout_code(&self, options: Options) -> Result<&Code, &Unsupported> {
        let analysis = match options.mode {
            Mode::Split => self.split_analysis(),
            Mode::Full | Mode::Guided(_) => &self.plain,
        };
        self.playouts[options.index()].get(|| {
            let make = |by_helper| self.compile_playout(analysis, options, by_helper, 1);
            make(false).or_else(|_| make(true))
        })
    }

    /// Code that plays several games together, where that is worth it.
    pub(crate) fn lanes_code(&self, split: bool) -> Result<&Code, &Unsupported> {
        let (mode, lazy, analysis) = match split {
            false => (Mode::Full, &self.full_lanes, &self.plain),
            true => (Mode::Split, &self.split_lanes, self.split_analysis()),
        };
        lazy.get(|| {
            if !lanes::are_worthwhile(analysis) {
                return Err(Unsupported("its states are large".to_owned()));
            }
            let options = Options { mode, is_limited: false };
            self.compile_playout(analysis, options, false, LANES)
        })
    }

    /// Compiles a function that plays a game to its end, or several together.
    fn compile_playout(
        &self,
        analysis: &Analysis,
        options: Options,
        by_helper: bool,
        games: usize,
    ) -> Result<Code, Unsupported> {
        let mut compiler = Compiler::new(
            analysis,
            &[
                ("choose", drawing::choose as *const u8),
                ("keeper_move", drawing::keeper_move as *const u8),
                ("select", drawing::fast_select()),
            ],
        )?;
        compiler.patience = PATIENCE_FOR_PLAYOUTS;
        let (choose, select) = (compiler.import("choose", 3)?, compiler.import("select", 2)?);
        let keeper_move = compiler.import("keeper_move", 3)?;
        let playout = compiler.declare("playout")?;
        compiler.conditions.memos = memos(analysis);
        compiler.define(playout, Role::Operation, |emitter, values| {
            let mut helper = |id| emitter.module.declare_func_in_func(id, emitter.b.func);
            let helpers = [choose, select, keeper_move].map(&mut helper);
            let scratch = emitter.load_word(emitter.context, PLAYOUT_SCRATCH);
            let lanes = (games > 1).then(|| emitter.load_word(emitter.context, lanes::QUEUE_LANES));
            let bytes = (lanes::lane_words(analysis) * 8) as i64;
            let mut players: Vec<PlayoutEmitter> = (0..games as i64)
                .map(|lane| {
                    let state = lanes.map_or(values[0], |memory| {
                        emitter.b.ins().iadd_imm_s(memory, lane * bytes)
                    });
                    let keeper = self.keeper_of_playout(emitter, options, state, scratch);
                    self.playout_emitter(emitter, options, by_helper, keeper, helpers)
                })
                .collect();
            match players.as_mut_slice() {
                [player] => emitter.playout_function(player),
                players => emitter.lanes_function(players),
            }
        })?;
        compiler.finish(playout)
    }

    /// What the code of one playout shares.
    fn playout_emitter(
        &self,
        emitter: &mut Emitter<'_, '_>,
        options: Options,
        by_helper: bool,
        keeper: Keeper,
        [choose, select, keeper_helper]: [FuncRef; 3],
    ) -> PlayoutEmitter {
        let (random, length) = (emitter.b.declare_var(I64), emitter.b.declare_var(I64));
        let (over, too_long) = (emitter.b.create_block(), emitter.b.create_block());
        let guiding = match options.mode {
            Mode::Guided(kind) => {
                let (hash, bits) = (emitter.b.declare_var(I64), emitter.b.declare_var(I64));
                Some(Guiding::new(kind, self.key_rules().clone(), hash, bits))
            }
            Mode::Full | Mode::Split => None,
        };
        PlayoutEmitter {
            options,
            by_helper,
            state: keeper.state,
            keeper,
            choose,
            keeper_helper,
            select,
            random,
            length,
            over,
            too_long,
            split: None,
            guiding,
        }
    }

    /// The keeper of a playout: what a move leaves behind that nobody sees need not be kept.
    fn keeper_of_playout(
        &self,
        emitter: &mut Emitter<'_, '_>,
        options: Options,
        state: Value,
        scratch: Value,
    ) -> Keeper {
        let mut keeper = emitter.new_keeper(state, scratch);
        // Keys tell moves, and what comes behind some moves is seen.
        if options == (Options { mode: Mode::Full, is_limited: false }) {
            keeper.remembered = Remembered::where_moves_are_unseen();
        } else if options.is_limited {
            keeper.remembered = self.remembered();
        }
        keeper
    }

    /// How keys of moves are made.
    pub(crate) fn key_rules(&self) -> &Arc<KeyRules> {
        self.key_rules.get_or_init(|| Arc::new(KeyRules::new(&self.plain)))
    }

    /// The level at a position.
    pub(crate) fn level_at(&self, position: PositionId) -> Option<LevelId> {
        self.positions.get(position).and_then(|p| p.node).and_then(|node| self.levels.at(node))
    }

    /// The code that says where the semimoves of a level are possible.
    pub(crate) fn level_code(&self, level: LevelId) -> Result<&Code, &Unsupported> {
        self.level_codes[level].get(|| {
            let mut compiler = Compiler::new(self.split_analysis(), &[])?;
            let id = compiler.declare("level")?;
            let level = &self.levels.levels[level];
            compiler
                .define(id, Role::Operation, |emitter, v| emitter.level_function(level, v[0]))?;
            compiler.finish(id)
        })
    }

    /// True if the rules have split points.
    pub(crate) fn has_dots(&self) -> bool {
        !self.dots.is_empty()
    }

    /// Where the walk stands in a state.
    pub(crate) fn position(&self, state: &NativeState) -> PositionId {
        PositionId::from_word(state.words[self.plain.layout.node()])
    }

    /// The action that leads to a position.
    pub(crate) fn action_of(&self, position: PositionId) -> i32 {
        let modifiers = self.game.modifier_count as usize + 1;
        match position.index().checked_sub(modifiers) {
            Some(dot) => self.dots[dot],
            None => position.index() as i32,
        }
    }

    /// The position behind an action.
    pub(crate) fn position_behind(&self, action: i32) -> Option<PositionId> {
        let modifiers = self.game.modifier_count as usize + 1;
        let index = match usize::try_from(action) {
            Ok(modifier) if modifier > 0 => (modifier < modifiers).then_some(modifier),
            _ => self.dots.iter().position(|dot| *dot == action).map(|i| modifiers + i),
        };
        index.map(PositionId::new)
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
    pub(crate) fn position_key(&self, state: &NativeState) -> u64 {
        let layout = self.plain.layout;
        let free =
            self.free_pointer.get_or_init(|| pointer::free(self.split_analysis(), &self.positions));
        match free.get(self.position(state)) {
            Some(true) => state.hash_without(layout.pointer()),
            _ => state.hash(),
        }
    }

    /// True between moves, false inside a move that is made of semimoves.
    pub fn is_nodal(&self, state: &NativeState) -> bool {
        self.hands_over(self.position(state))
    }

    /// True if a player or the keeper begins at a position.
    pub(crate) fn hands_over(&self, position: PositionId) -> bool {
        self.positions.get(position).is_some_and(|p| p.hands_over)
    }
}

/// The action of every split point that players can pass, in textual order: the negative number of the
/// automaton's state behind it.
fn dot_actions(game: &Game) -> Vec<i32> {
    if count_dots(&game.rules) == 0 {
        return Vec::new();
    }
    let automaton = Automaton::new(&game.rules);
    let edges = (0..automaton.len()).flat_map(|state| automaton.from(State(state as u32)));
    let dots = edges.filter(|edge| edge.action.is_some_and(|a| a.kind == RuleKind::Dot));
    // States are numbered from left to right.
    let mut behind: Vec<u32> = dots.map(|edge| edge.to.0).collect();
    behind.sort_unstable();
    let passed = Segments::new(&game.rules, game.modifier_count).players_dots();
    let passed = behind.into_iter().zip(0..).filter(|(_, number)| passed.contains(number));
    passed.map(|(state, _)| -(state as i32)).collect()
}

/// Compiles the code of a question about moves, and the functions of shared nodes; for groups, also gives how
/// moves in them can end.
fn compile_question(
    analysis: &Analysis,
    shared: &FxHashSet<NodeId>,
    question: Question,
    (defers, remembered): (bool, &dyn Fn() -> Remembered),
) -> Result<(Code, Vec<Ending>), Unsupported> {
    let lists = matches!(question, Question::List | Question::Stage);
    let helpers: &[(&str, *const u8)] =
        if lists { &[("report", emit_move as *const u8)] } else { &[] };
    let mut compiler = Compiler::new(analysis, helpers)?;
    let mut report = if lists { Some(compiler.import("report", 2)?) } else { None };
    if matches!(question, Question::Children | Question::Stage) {
        let child = compiler.declare_with("child", 3)?;
        compiler.define(child, Role::Last, |emitter, v| match report {
            None => emitter.child_function((v[0], v[2]), remembered()),
            Some(report) => {
                let report = emitter.module.declare_func_in_func(report, emitter.b.func);
                emitter.staged_function((v[0], v[2]), report, remembered())
            }
        })?;
        report = Some(child);
    }
    let main = compiler.declare("question")?;
    let bytes = (analysis.layout.len() * 8) as u32;
    let mut ids: FxHashMap<NodeId, FuncId> = FxHashMap::default();
    let mut pending: Vec<NodeId> = Vec::new();
    let mut endings = Vec::new();
    let mut next = Some((main, None));
    while let Some((id, node)) = next {
        let role = if node.is_none() { Role::Operation } else { Role::Walk };
        compiler.define(id, role, |emitter, values| {
            let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
            let (stop, answer) = (emitter.b.create_block(), emitter.b.declare_var(I64));
            let mut asked = Enumeration {
                question,
                report: report.map(|r| emitter.module.declare_func_in_func(r, emitter.b.func)),
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
    Ok((compiler.finish(main)?, endings))
}
