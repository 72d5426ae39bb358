//! Turning emitted functions into memory that runs, and the states that such code works on.

#![allow(unsafe_code)]

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, UserFuncName, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};
use regulus_game::{Moves, Random, Step};
use regulus_rbg::Game;
use regulus_rbg::Vertex;
use regulus_rbg::declarations::{Piece, Player, Variable};
use regulus_rbg::rule::Rule;
use regulus_rbg::split::without_dots;
use rustc_hash::FxHashMap;

use super::analysis::Analysis;
use super::condition::ConditionFunctions;
use super::emit::{Emitter, Unsupported, words_signature};
use super::keeper;
use super::levels::{LevelExits, Levels};
use super::list::{Lister, shared_nodes};
use super::playout::Player as PlayoutPlayer;
use super::walker::{Course, Walker};
use crate::error::{MAX_LISTED_MOVES, MAX_NATIVE_STEPS, MAX_WALK_MODIFIERS, RunError};

type KeeperCode = unsafe extern "C" fn(state: *mut u64, choices: *mut u64, limit: *mut u64) -> i64;
type PlayoutCode = unsafe extern "C" fn(
    state: *mut u64,
    context: *mut PlayoutContext<'_, '_>,
    choices: *mut u64,
    limit: *mut u64,
) -> i64;
/// Writes where the semimoves of a level are possible.
type LevelCode = unsafe extern "C" fn(state: *const u64, sets: *mut u64) -> i64;
type ListCode = unsafe extern "C" fn(state: *const u64, context: *mut ListContext<'_>) -> i64;

/// A game compiled to machine code. It is `Send + Sync`: code and tables never change.
pub struct Native {
    analysis: Analysis,
    initial: NativeState,
    keeper: KeeperCode,
    list: ListCode,
    full_playout: PlayoutCode,
    split_playout: PlayoutCode,
    /// The rules with split points, if they have any.
    with_dots: Option<Analysis>,
    levels: Levels,
    level_codes: Vec<LevelCode>,
    /// Keeps the code alive.
    _module: JITModule,
    /// Keeps the tables alive that the code reads.
    _tables: Vec<Box<[u64]>>,
}

// SAFETY: the code and its tables are only read after they are made; the analysis, which has
// interior mutability, is used during compilation only (the parts read later are plain data).
unsafe impl Send for Native {}
// SAFETY: as above.
unsafe impl Sync for Native {}

/// A state of a native game: the set of every piece, the variables, and where the walk stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeState {
    words: Box<[u64]>,
}

/// The memory that running a native game needs besides states.
pub struct NativeWorker<'n> {
    native: &'n Native,
    steps: Vec<u64>,
    /// Choice points of the keeper.
    choices: Vec<u64>,
    playout_steps: Vec<u64>,
    playout_moves: Moves,
    walker: Walker,
}

/// What the listing code and its helper share. The first field is read by the code.
#[repr(C)]
struct ListContext<'c> {
    steps: *mut u64,
    moves: &'c mut Moves,
    vertices: &'c [u16],
    buffer: Vec<Step>,
    error: Option<RunError>,
}

/// Called by listing code for every complete move; tells it to stop when there are too many.
///
/// # Safety
/// `context` is the one that was handed to the listing code, and the first `steps` entries of its
/// buffer are written.
unsafe extern "C" fn emit_move(context: *mut ListContext<'_>, steps: i64) -> i64 {
    // SAFETY: the code passes on the context it was called with, which outlives the call.
    let context = unsafe { &mut *context };
    let Ok(steps) = usize::try_from(steps) else {
        context.error = Some(RunError::WalkTooLong { limit: MAX_NATIVE_STEPS });
        return 1;
    };
    // SAFETY: the code has written this many entries, and never more than the buffer has.
    let raw = unsafe { std::slice::from_raw_parts(context.steps, steps) };
    context.buffer.clear();
    context.buffer.extend(raw.iter().map(|step| Step {
        action: *step as u32 as i32,
        vertex: context.vertices[(step >> 32) as usize],
    }));
    context.moves.push(&context.buffer);
    if context.moves.len() > MAX_LISTED_MOVES {
        context.error = Some(RunError::TooManyMoves);
        return 1;
    }
    0
}

/// What the code of a playout and its helpers share. The code reads and writes the first three.
#[repr(C)]
struct PlayoutContext<'c, 'n> {
    steps: *mut u64,
    random: u64,
    length: u64,
    worker: &'c mut NativeWorker<'n>,
    mode: super::Mode,
    moves: Moves,
    error: Option<RunError>,
}

/// Called by a playout when its own way of drawing a move does not come to an end: draws one as the
/// mode says. A split move begins with the steps drawn so far, as far as these are not dead.
///
/// # Safety
/// `context` and `state` are those of the running playout; the first `steps` entries of the step
/// buffer are written.
unsafe extern "C" fn choose(
    context: *mut PlayoutContext<'_, '_>,
    state: *mut u64,
    steps: i64,
) -> i64 {
    // SAFETY: the code passes on the context it was called with.
    let context = unsafe { &mut *context };
    let length = context.worker.native.analysis.layout.len();
    // SAFETY: the state has the layout the code was compiled for.
    let words = unsafe { std::slice::from_raw_parts_mut(state, length) };
    let mut random = Random::from_state(context.random);
    let moved = match context.mode {
        super::Mode::Full => choose_full(context, words, &mut random),
        super::Mode::Split => {
            // SAFETY: the code has written this many steps.
            let drawn = unsafe { std::slice::from_raw_parts(context.steps, steps as usize) };
            let native = context.worker.native;
            let course = Course {
                analysis: native.split_analysis(),
                levels: &native.levels,
                exits: &|level, state, sets| native.exits(level, state, sets),
                drawn,
            };
            context.worker.walker.draw(&course, words, &mut random)
        }
    };
    context.random = random.state();
    moved.map_or_else(
        |error| {
            context.error = Some(error);
            0
        },
        i64::from,
    )
}

/// Lists all moves and makes one of them; false if there is none.
fn choose_full(
    context: &mut PlayoutContext<'_, '_>,
    words: &mut [u64],
    random: &mut Random,
) -> Result<bool, RunError> {
    let mut current = NativeState { words: words.to_vec().into() };
    let mut moves = std::mem::take(&mut context.moves);
    let listed = context.worker.list(&current, &mut moves);
    let number = random.below(moves.len() as u64) as usize;
    let chosen = (!moves.is_empty()).then(|| moves.get(number).to_vec());
    context.moves = moves;
    listed?;
    let Some(chosen) = chosen else { return Ok(false) };
    context.worker.apply(&mut current, &chosen);
    words.copy_from_slice(&current.words);
    Ok(true)
}

/// The position of the n-th bit (from 0) of a word that has it.
extern "C" fn select(word: u64, n: u64) -> u64 {
    let mut word = word;
    for _ in 0..n {
        word &= word - 1;
    }
    u64::from(word.trailing_zeros())
}

struct Compiler {
    module: JITModule,
    tables: Vec<Box<[u64]>>,
    context: FunctionBuilderContext,
    emit_move: FuncId,
    choose: FuncId,
    select: FuncId,
    conditions: ConditionFunctions,
}

fn failed(what: impl std::fmt::Display) -> Unsupported {
    Unsupported(format!("code generation failed: {what}"))
}

impl Compiler {
    fn new() -> Result<Compiler, Unsupported> {
        let mut flags = settings::builder();
        let options = [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ];
        for (name, value) in options {
            flags.set(name, value).map_err(failed)?;
        }
        let isa = cranelift_native::builder()
            .map_err(failed)?
            .finish(settings::Flags::new(flags))
            .map_err(failed)?;
        let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
        builder.symbol("emit_move", emit_move as *const u8);
        builder.symbol("choose", choose as *const u8);
        builder.symbol("select", fast_select() as *const u8);
        let mut module = JITModule::new(builder);
        let signature = words_signature(&module, 2);
        let emit_move =
            module.declare_function("emit_move", Linkage::Import, &signature).map_err(failed)?;
        let select =
            module.declare_function("select", Linkage::Import, &signature).map_err(failed)?;
        let three = words_signature(&module, 3);
        let choose = module.declare_function("choose", Linkage::Import, &three).map_err(failed)?;
        let context = FunctionBuilderContext::new();
        let conditions = ConditionFunctions::default();
        Ok(Compiler { module, tables: Vec::new(), context, emit_move, choose, select, conditions })
    }

    fn define(
        &mut self,
        name: &str,
        id: FuncId,
        parameters: usize,
        analysis: &Analysis,
        own_condition: Option<*const Rule>,
        body: impl FnOnce(&mut Emitter<'_, '_>, &[Value]) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        let mut context = self.module.make_context();
        context.func.signature = words_signature(&self.module, parameters);
        context.func.name = UserFuncName::user(0, id.as_u32());
        let mut b = FunctionBuilder::new(&mut context.func, &mut self.context);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let values = b.block_params(entry).to_vec();
        let mut emitter = Emitter {
            b,
            analysis,
            module: &mut self.module,
            conditions: &mut self.conditions,
            own_condition,
            tables: &mut self.tables,
        };
        if let Err(why) = body(&mut emitter, &values) {
            // What is left of the unfinished function must not get into the next one.
            self.context = FunctionBuilderContext::new();
            return Err(why);
        }
        let mut b = emitter.b;
        b.seal_all_blocks();
        b.finalize(self.module.isa().frontend_config());
        self.module
            .define_function(id, &mut context)
            .map_err(|e| failed(format!("{name}: {e:?}")))?;
        Ok(())
    }

    /// Makes the functions of conditions that were asked for, until no more are.
    fn define_conditions(&mut self, analysis: &Analysis) -> Result<(), Unsupported> {
        while let Some((key, id)) = self.conditions.pending.pop() {
            // SAFETY: the rule is part of the segments of this analysis, which do not change.
            let body = unsafe { &*key };
            let signature = self.module.declarations().get_function_decl(id).signature.clone();
            let parameters = signature.params.len();
            self.define("condition", id, parameters, analysis, Some(key), |emitter, values| {
                emitter.condition_function(body, values);
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl Native {
    /// Compiles a game. Its split points matter for split playouts only.
    pub fn new(game: &Game) -> Result<Native, Unsupported> {
        let with_dots = Analysis::with_dots(game);
        let analysis = Analysis::new(&Game { rules: without_dots(&game.rules), ..game.clone() });
        let mut compiler = Compiler::new()?;
        let signature = words_signature(&compiler.module, 3);
        let keeper = compiler
            .module
            .declare_function("keeper", Linkage::Local, &signature)
            .map_err(failed)?;
        compiler.define("keeper", keeper, 3, &analysis, None, |emitter, values| {
            emitter.keeper_function(values[0], values[1], values[2])
        })?;
        let list = compile_list(&mut compiler, &analysis)?;
        let (full, _) = compile_playout(&mut compiler, &analysis, super::Mode::Full)?;
        compiler.define_conditions(&analysis)?;
        let to_split = with_dots.as_ref().unwrap_or(&analysis);
        let levels = Levels::new(&to_split.segments)?;
        let (split, needs_levels) = compile_playout(&mut compiler, to_split, super::Mode::Split)?;
        // Where no dead end is left to the helper, it needs no code.
        let level_ids = match needs_levels {
            true => compile_levels(&mut compiler, to_split, &levels)?,
            false => Vec::new(),
        };
        compiler.define_conditions(to_split)?;
        compiler.module.finalize_definitions().map_err(failed)?;
        let keeper = compiler.module.get_finalized_function(keeper);
        let list = compiler.module.get_finalized_function(list);
        let level_codes = level_ids.into_iter().map(|id| {
            let code = compiler.module.get_finalized_function(id);
            // SAFETY: the function was compiled with exactly this signature.
            unsafe { std::mem::transmute::<*const u8, LevelCode>(code) }
        });
        Ok(Native {
            level_codes: level_codes.collect(),
            levels,
            // SAFETY: the function was compiled with exactly this signature.
            keeper: unsafe { std::mem::transmute::<*const u8, KeeperCode>(keeper) },
            // SAFETY: the function was compiled with exactly this signature.
            list: unsafe { std::mem::transmute::<*const u8, ListCode>(list) },
            // SAFETY: the function was compiled with exactly this signature.
            full_playout: unsafe {
                std::mem::transmute::<*const u8, PlayoutCode>(
                    compiler.module.get_finalized_function(full),
                )
            },
            // SAFETY: the function was compiled with exactly this signature.
            split_playout: unsafe {
                std::mem::transmute::<*const u8, PlayoutCode>(
                    compiler.module.get_finalized_function(split),
                )
            },
            initial: initial(&analysis),
            analysis,
            with_dots,
            _module: compiler.module,
            _tables: compiler.tables,
        })
    }

    /// The rules that split moves follow.
    fn split_analysis(&self) -> &Analysis {
        self.with_dots.as_ref().unwrap_or(&self.analysis)
    }

    /// Writes where the semimoves of a level are possible.
    fn exits(&self, level: usize, state: &[u64], sets: &mut [u64]) {
        let words = self.analysis.words();
        assert_eq!(state.len(), self.analysis.layout.len());
        assert_eq!(sets.len(), self.levels.levels[level].exits.len() * words);
        // SAFETY: the state has the layout the code was compiled for, and the code writes one set for
        // every semimove of the level.
        unsafe { self.level_codes[level](state.as_ptr(), sets.as_mut_ptr()) };
    }

    /// The state in which the game begins, before the keeper has done anything.
    pub fn initial(&self) -> NativeState {
        self.initial.clone()
    }

    /// Memory to run the game with.
    pub fn worker(&self) -> NativeWorker<'_> {
        // One entry more than the longest walk, for the switch at its end.
        let steps = vec![0; MAX_WALK_MODIFIERS + 2048];
        // A choice point is the state, a set of vertices and a number. Memory that is never touched
        // costs nothing.
        let choice = self.analysis.layout.len() + self.analysis.words() + 1;
        let choices = vec![0; MAX_WALK_MODIFIERS * choice];
        NativeWorker {
            native: self,
            steps,
            choices,
            playout_steps: vec![0; MAX_NATIVE_STEPS + 256],
            playout_moves: Moves::new(),
            walker: Walker::default(),
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.analysis.game
    }

    /// The segments as text.
    pub fn dump(&self) -> String {
        self.analysis.segments.dump(&self.analysis.game.declarations)
    }

    /// Who is to move.
    pub fn player(&self, state: &NativeState) -> Player {
        Player(state.words[self.analysis.layout.player()] as u8)
    }

    /// The piece on a vertex.
    pub fn piece(&self, state: &NativeState, vertex: Vertex) -> Piece {
        let layout = self.analysis.layout;
        let at = self.analysis.embedding.position(vertex);
        let here = |p: &usize| state.words[layout.set(*p, at / 64)] >> (at % 64) & 1 == 1;
        Piece((0..layout.pieces).find(here).unwrap_or(0) as u8)
    }

    /// The value of a variable.
    pub fn variable(&self, state: &NativeState, variable: Variable) -> u32 {
        state.words[self.analysis.layout.variable(usize::from(variable.0))] as u32
    }

    /// A player's score.
    pub fn score(&self, state: &NativeState, player: Player) -> u32 {
        player.score().map_or(0, |v| self.variable(state, v))
    }

    /// Where the pointer stands.
    pub fn vertex(&self, state: &NativeState) -> Vertex {
        let layout = self.analysis.layout;
        self.analysis.embedding.vertex(state.words[layout.pointer()] as usize)
    }
}

/// The state in which a game begins.
fn initial(analysis: &Analysis) -> NativeState {
    let layout = analysis.layout;
    let mut words = vec![0u64; layout.len()];
    let board = &analysis.game.board;
    for v in board.vertices() {
        let at = analysis.embedding.position(v);
        words[layout.set(usize::from(board.piece(v).0), at / 64)] |= 1 << (at % 64);
    }
    words[layout.pointer()] = analysis.embedding.position(Vertex(1)) as u64;
    NativeState { words: words.into() }
}

/// The fastest way to find the n-th bit on this machine.
fn fast_select() -> extern "C" fn(u64, u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        extern "C" fn select_bmi2(word: u64, n: u64) -> u64 {
            // SAFETY: only reached on machines with this instruction.
            let bit = unsafe { deposit(1 << n, word) };
            u64::from(bit.trailing_zeros())
        }
        #[target_feature(enable = "bmi2")]
        fn deposit(bits: u64, mask: u64) -> u64 {
            std::arch::x86_64::_pdep_u64(bits, mask)
        }
        return select_bmi2;
    }
    select
}

/// Compiles a function that plays a game to its end; says whether it may ask for levels.
fn compile_playout(
    compiler: &mut Compiler,
    analysis: &Analysis,
    mode: super::Mode,
) -> Result<(FuncId, bool), Unsupported> {
    let name = format!("playout_{mode:?}");
    let signature = words_signature(&compiler.module, 4);
    let id = compiler.module.declare_function(&name, Linkage::Local, &signature).map_err(failed)?;
    let mut result = define_playout(compiler, analysis, mode, &name, id, false);
    if result.is_err() {
        result = define_playout(compiler, analysis, mode, &name, id, true);
    }
    result.map(|needs_levels| (id, needs_levels))
}

fn define_playout(
    compiler: &mut Compiler,
    analysis: &Analysis,
    mode: super::Mode,
    name: &str,
    id: FuncId,
    by_helper: bool,
) -> Result<bool, Unsupported> {
    let mut needs_levels = false;
    let (choose, select) = (compiler.choose, compiler.select);
    compiler.define(name, id, 4, analysis, None, |emitter, values| {
        let choose = emitter.module.declare_func_in_func(choose, emitter.b.func);
        let select = emitter.module.declare_func_in_func(select, emitter.b.func);
        let keeper = emitter.new_keeper(values[0], values[2], values[3]);
        let (random, length) = (emitter.b.declare_var(I64), emitter.b.declare_var(I64));
        let over = emitter.b.create_block();
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
            split: None,
        };
        emitter.playout_function(&mut player)?;
        needs_levels = player.split.is_some_and(|s| s.needs_helper);
        Ok(())
    })?;
    Ok(needs_levels)
}

/// Compiles the functions of all levels of split moves.
fn compile_levels(
    compiler: &mut Compiler,
    analysis: &Analysis,
    levels: &Levels,
) -> Result<Vec<FuncId>, Unsupported> {
    let signature = words_signature(&compiler.module, 2);
    let compile = |level: &LevelExits| {
        let name = format!("level_{}", level.node);
        let id =
            compiler.module.declare_function(&name, Linkage::Local, &signature).map_err(failed)?;
        compiler.define(&name, id, 2, analysis, None, |emitter, values| {
            emitter.level_function(level, values[0], values[1])
        })?;
        Ok(id)
    };
    levels.levels.iter().map(compile).collect()
}

/// Compiles `list` and the functions of shared nodes.
fn compile_list(compiler: &mut Compiler, analysis: &Analysis) -> Result<FuncId, Unsupported> {
    let shared = shared_nodes(&analysis.segments);
    let mut ids: FxHashMap<u32, FuncId> = FxHashMap::default();
    let mut pending: Vec<u32> = Vec::new();
    let signature = words_signature(&compiler.module, 2);
    let list =
        compiler.module.declare_function("list", Linkage::Local, &signature).map_err(failed)?;
    let emit_move = compiler.emit_move;
    let mut job: Option<u32> = None;
    let mut done = false;
    while !done {
        let (name, id, parameters) = match job {
            None => ("list".to_owned(), list, 2),
            Some(node) => (format!("list_{node}"), ids[&node], 3),
        };
        compiler.define(&name, id, parameters, analysis, None, |emitter, values| {
            let outgoing = emitter.b.create_sized_stack_slot(StackSlotData::new(
                StackSlotKind::ExplicitSlot,
                (analysis.layout.len() * 8) as u32,
                3,
            ));
            let emit_move = emitter.module.declare_func_in_func(emit_move, emitter.b.func);
            let stop = emitter.b.create_block();
            let mut lister = Lister {
                context: values[1],
                emit_move,
                shared: &shared,
                ids: &mut ids,
                pending: &mut pending,
                references: FxHashMap::default(),
                outgoing,
                stop,
                inside: Vec::new(),
            };
            match job {
                None => emitter.list_function(values[0], &mut lister)?,
                Some(node) => {
                    emitter.list_node_function(node, values[0], values[2], &mut lister)?;
                }
            }
            emitter.b.switch_to_block(stop);
            let zero = emitter.constant(0);
            emitter.b.ins().return_(&[zero]);
            Ok(())
        })?;
        match pending.pop() {
            Some(node) => job = Some(node),
            None => done = true,
        }
    }
    Ok(list)
}

impl NativeWorker<'_> {
    /// Lets the keeper move until a player is to move. False if he is stuck, which ends the game.
    pub fn keeper(&mut self, state: &mut NativeState) -> Result<bool, RunError> {
        if state.words[self.native.analysis.layout.player()] != 0 {
            return Ok(true);
        }
        // SAFETY: the state has the layout the code was compiled for, and the code writes only to it.
        let choices = self.choices.as_mut_ptr_range();
        match unsafe { (self.native.keeper)(state.words.as_mut_ptr(), choices.start, choices.end) }
        {
            keeper::STUCK => Ok(false),
            keeper::HANDED_OVER => Ok(true),
            _ => Err(RunError::EndlessKeeper),
        }
    }

    /// All legal moves.
    pub fn list(&mut self, state: &NativeState, moves: &mut Moves) -> Result<(), RunError> {
        moves.clear();
        let mut context = ListContext {
            steps: self.steps.as_mut_ptr(),
            moves,
            vertices: self.native.analysis.embedding.vertices(),
            buffer: Vec::new(),
            error: None,
        };
        // SAFETY: the state has the layout the code was compiled for; the context outlives the call;
        // the code writes at most as many steps as the buffer has.
        unsafe { (self.native.list)(state.words.as_ptr(), &mut context) };
        context.error.map_or(Ok(()), Err)
    }

    /// Applies a legal move.
    pub fn apply(&mut self, state: &mut NativeState, steps: &[Step]) {
        let native = self.native;
        for step in steps {
            let at = native.analysis.embedding.position(Vertex(step.vertex));
            let Some(arc) = native.analysis.segments.modifier(step.action) else { continue };
            native.analysis.apply(arc, at, &mut state.words);
        }
    }

    /// Plays random moves to the end of the game; gives how many players' moves that took. With `split`
    /// moves are drawn modifier by modifier.
    pub fn playout(
        &mut self,
        state: &mut NativeState,
        split: bool,
        random: &mut Random,
    ) -> Result<u64, RunError> {
        let native = self.native;
        let code = if split { native.split_playout } else { native.full_playout };
        let mode = if split { super::Mode::Split } else { super::Mode::Full };
        let mut steps = std::mem::take(&mut self.playout_steps);
        let mut choices = std::mem::take(&mut self.choices);
        let moves = std::mem::take(&mut self.playout_moves);
        let mut context = PlayoutContext {
            steps: steps.as_mut_ptr(),
            random: random.state(),
            length: 0,
            worker: self,
            mode,
            moves,
            error: None,
        };
        let range = choices.as_mut_ptr_range();
        // SAFETY: the state has the layout the code was compiled for; context, steps and choice points
        // outlive the call, and the code stays within the bounds it is given.
        let outcome =
            unsafe { code(state.words.as_mut_ptr(), &mut context, range.start, range.end) };
        let PlayoutContext { random: after, length, moves, error, .. } = context;
        *random = Random::from_state(after);
        self.playout_steps = steps;
        self.choices = choices;
        self.playout_moves = moves;
        match (outcome, error) {
            (_, Some(error)) => Err(error),
            (0, None) => Ok(length),
            _ => Err(RunError::EndlessKeeper),
        }
    }

    /// How many sequences of `depth` player moves there are.
    pub fn perft(&mut self, state: &NativeState, depth: u32) -> Result<u64, RunError> {
        if depth == 0 {
            return Ok(1);
        }
        let mut state = state.clone();
        if !self.keeper(&mut state)? {
            return Ok(0);
        }
        let mut moves = Moves::new();
        self.list(&state, &mut moves)?;
        if depth == 1 {
            return Ok(moves.len() as u64);
        }
        let mut leaves = 0;
        for steps in moves.iter() {
            let mut next = state.clone();
            self.apply(&mut next, steps);
            leaves += self.perft(&next, depth - 1)?;
        }
        Ok(leaves)
    }
}
