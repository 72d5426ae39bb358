//! From emitted functions to memory that runs.

#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::OnceLock;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, UserFuncName, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};

use crate::error::RunError;
use crate::native::Unsupported;
use crate::native::analysis::Analysis;
use crate::native::emit::{Emitter, FAILED, too_large, words_signature};
use crate::native::runtime::room::{MAX_STACK, OwnStack};
use crate::native::sets::condition::ConditionFunctions;

/// Bytes of stack to make code on: parts that follow each other are emitted by functions that call each
/// other, up to a limit (`MAX_NESTED`).
const COMPILING_STACK: usize = 64 << 20;

/// Words of states up to which registers are chosen with care; Go has 37.
const MAX_WELL_ALLOCATED: usize = 48;

/// What all functions of an operation may have together, as a multiple of what one may have.
const MAX_FUNCTIONS: usize = 8;

/// The signature of every operation. What the context is depends on the operation; it always begins with
/// the work that is left.
type Entry = unsafe extern "C" fn(state: *mut u64, context: *mut c_void) -> i64;

/// Machine code of one operation and the tables it reads. The memory is writable while it is filled and
/// executable afterwards, never both.
pub(crate) struct Code {
    entry: Entry,
    /// Bytes of stack that it needs at most, without the helpers it calls.
    stack: usize,
    /// Taken when the code is dropped.
    module: Option<JITModule>,
    _tables: Vec<Box<[u64]>>,
}

// SAFETY: code and tables are only read once they are made.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the entry is kept only in this value, and goes with it.
            unsafe { module.free_memory() };
        }
    }
}

impl Code {
    /// Runs the operation.
    ///
    /// # Safety
    /// The state has the layout that the code was compiled for, the context is the one of its operation, and
    /// all memory that the context names has the room that `room.rs` says.
    #[inline(always)]
    pub(crate) unsafe fn run<C>(
        &self,
        stack: &mut OwnStack,
        state: *mut u64,
        context: &mut C,
    ) -> Result<i64, RunError> {
        let context = std::ptr::from_mut(context).cast();
        // SAFETY: the function was compiled with this signature; the rest is the caller's promise.
        stack.run(self.stack, || unsafe { (self.entry)(state, context) })
    }
}

/// Something that is made when it is first asked for.
pub(crate) struct Lazy<T> {
    made: OnceLock<Result<T, Unsupported>>,
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Lazy { made: OnceLock::new() }
    }
}

impl<T> Lazy<T> {
    /// What was made; it is made now if it was not before.
    pub(crate) fn get(
        &self,
        make: impl FnOnce() -> Result<T, Unsupported>,
    ) -> Result<&T, &Unsupported> {
        let make = || OwnStack::default().run(COMPILING_STACK, make).map_err(failed)?;
        self.made.get_or_init(make).as_ref()
    }
}

/// What a function is for: how often it can be on the stack depends on that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Called once.
    Operation,
    /// Called at most once for every modifier of a walk.
    Walk,
    /// The same for walks inside conditions.
    InnerWalk,
    /// A condition without modifiers: it calls those inside it only.
    Condition,
}

/// Bytes of the frames of functions: the largest of a role, or their sum.
#[derive(Default)]
struct Frames {
    operation: usize,
    walk: usize,
    inner_walk: usize,
    conditions: usize,
}

/// Makes the functions of one operation.
pub(crate) struct Compiler<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) module: JITModule,
    tables: Vec<Box<[u64]>>,
    context: FunctionBuilderContext,
    conditions: ConditionFunctions,
    frames: Frames,
    instructions: usize,
}

pub(crate) fn failed(what: impl std::fmt::Display) -> Unsupported {
    Unsupported(format!("code generation failed: {what}"))
}

impl<'a> Compiler<'a> {
    /// A compiler for code that calls these helpers.
    pub(crate) fn new(
        analysis: &'a Analysis,
        helpers: &[(&str, *const u8)],
    ) -> Result<Compiler<'a>, Unsupported> {
        let mut flags = settings::builder();
        // Where most values live in memory anyway, a good choice of registers takes longest and gains least.
        let allocator = match analysis.layout.len() {
            0..=MAX_WELL_ALLOCATED => "backtracking",
            _ => "single_pass",
        };
        let options = [
            ("opt_level", "speed"),
            ("regalloc_algorithm", allocator),
            ("is_pic", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
            // Large frames touch their pages in order, so that the guard page of a stack is never jumped.
            ("enable_probestack", "true"),
            ("probestack_strategy", "inline"),
        ];
        for (name, value) in options {
            flags.set(name, value).map_err(failed)?;
        }
        let isa = cranelift_native::builder()
            .map_err(failed)?
            .finish(settings::Flags::new(flags))
            .map_err(failed)?;
        let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
        for (name, address) in helpers {
            builder.symbol(*name, *address);
        }
        Ok(Compiler {
            analysis,
            module: JITModule::new(builder),
            tables: Vec::new(),
            context: FunctionBuilderContext::new(),
            conditions: ConditionFunctions::default(),
            frames: Frames::default(),
            instructions: 0,
        })
    }

    /// Names a helper that takes `parameters` words.
    pub(crate) fn import(&mut self, name: &str, parameters: usize) -> Result<FuncId, Unsupported> {
        let signature = words_signature(&self.module, parameters);
        self.module.declare_function(name, Linkage::Import, &signature).map_err(failed)
    }

    /// Names the function of the operation, whose code follows: `operation(state, context)`.
    pub(crate) fn declare(&mut self, name: &str) -> Result<FuncId, Unsupported> {
        let signature = words_signature(&self.module, 2);
        self.module.declare_function(name, Linkage::Local, &signature).map_err(failed)
    }

    /// Makes the code of a function.
    pub(crate) fn define(
        &mut self,
        id: FuncId,
        role: Role,
        body: impl FnOnce(&mut Emitter<'_, '_>, &[Value]) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        self.define_for(id, role, None, body)
    }

    fn define_for(
        &mut self,
        id: FuncId,
        role: Role,
        own_condition: Option<usize>,
        body: impl FnOnce(&mut Emitter<'_, '_>, &[Value]) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        let mut context = self.module.make_context();
        context.func.signature = self.module.declarations().get_function_decl(id).signature.clone();
        context.func.name = UserFuncName::user(0, id.as_u32());
        let mut b = FunctionBuilder::new(&mut context.func, &mut self.context);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let values = b.block_params(entry).to_vec();
        let failed_block = b.create_block();
        let mut emitter = Emitter {
            b,
            analysis: self.analysis,
            module: &mut self.module,
            conditions: &mut self.conditions,
            own_condition,
            tables: &mut self.tables,
            // A condition has no context, and needs none.
            context: *values.get(1).unwrap_or(&values[0]),
            failed: failed_block,
            live: 0,
        };
        if let Err(why) = body(&mut emitter, &values) {
            // What is left of the unfinished function must not get into the next one.
            self.context = FunctionBuilderContext::new();
            return Err(why);
        }
        let mut b = emitter.b;
        b.set_cold_block(failed_block);
        b.switch_to_block(failed_block);
        let code = b.ins().iconst(I64, FAILED);
        b.ins().return_(&[code]);
        b.seal_all_blocks();
        self.instructions += b.func.dfg.num_insts();
        b.finalize(self.module.isa().frontend_config());
        if self.instructions > self.analysis.max_instructions * MAX_FUNCTIONS {
            return Err(Unsupported("the code would be too large".to_owned()));
        }
        self.module.define_function(id, &mut context).map_err(|e| failed(format!("{e:?}")))?;
        let compiled = context.compiled_code();
        let layout = compiled.and_then(|code| code.buffer.frame_layout());
        let Some(layout) = layout else { return Err(failed("a frame of unknown size")) };
        // What the frame has besides: the address of return, the pointer to the frame before, alignment.
        let bytes = layout.frame_to_fp_offset as usize + 48;
        let frames = &mut self.frames;
        match role {
            Role::Operation => frames.operation = frames.operation.max(bytes),
            Role::Walk => frames.walk = frames.walk.max(bytes),
            Role::InnerWalk => frames.inner_walk = frames.inner_walk.max(bytes),
            Role::Condition => frames.conditions += bytes,
        }
        Ok(())
    }

    /// Makes the functions of conditions that were asked for, until no more are.
    fn define_conditions(&mut self) -> Result<(), Unsupported> {
        loop {
            if let Some((node, id)) = self.conditions.next_chain() {
                self.define(id, Role::Walk, |emitter, v| emitter.chain_function(node, v[0], v[2]))?;
            } else if let Some((walk, id)) = self.conditions.next_walk() {
                self.define(id, Role::InnerWalk, |emitter, v| {
                    emitter.walk_function(walk, v[0], v[2])
                })?;
            } else if let Some((index, body, id)) = self.conditions.next_condition() {
                self.define_for(id, Role::Condition, Some(index), |emitter, values| {
                    emitter.condition_function(&body, values);
                    Ok(())
                })?;
            } else {
                return Ok(());
            }
        }
    }

    /// Bytes of stack that the functions need at most, without helpers.
    fn stack(&self) -> usize {
        let Frames { operation, walk, inner_walk, conditions } = self.frames;
        let levels = self.analysis.longest_walk() + 1;
        operation + levels * (walk + self.analysis.condition_depth * inner_walk) + conditions
    }

    /// Turns everything into memory that runs.
    pub(crate) fn finish(mut self, operation: FuncId) -> Result<Code, Unsupported> {
        self.define_conditions()?;
        too_large(self.analysis)?;
        let stack = self.stack();
        if stack > MAX_STACK {
            let mb = |bytes: usize| bytes >> 20;
            return Err(Unsupported(format!(
                "its moves may need {} MB of stack, and {} MB are the limit",
                mb(stack),
                mb(MAX_STACK)
            )));
        }
        self.module.finalize_definitions().map_err(failed)?;
        let address = self.module.get_finalized_function(operation);
        // SAFETY: all operations are compiled with this signature.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Ok(Code { entry, stack, module: Some(self.module), _tables: self.tables })
    }
}
