//! Machine code of an operation, in two qualities: made quickly first if there is much of it, and made well once it
//! has been used often. Both are made from the same functions, so that nobody can tell which one ran.

#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cranelift_codegen::Context;
use cranelift_codegen::ir::{Function, Signature};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleReloc};

use crate::error::RunError;
use crate::native::Unsupported;
use crate::native::compiler::{COMPILING_STACK, Frames, Role, failed};
use crate::native::runtime::room::{MAX_STACK, OwnStack};

/// Instructions of an operation from which on its code is made quickly first: ten milliseconds.
const MANY_INSTRUCTIONS: usize = 4000;

/// Words of states up to which registers are chosen with care; Go has 37.
const MAX_WELL_ALLOCATED: usize = 48;

/// The signature of every operation. What the context is depends on the operation; it always begins with
/// the work that is left.
type Entry = unsafe extern "C" fn(state: *mut u64, context: *mut c_void) -> i64;

/// How code is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quality {
    /// In a quarter of the time; the code is two to three times as slow.
    Quick,
    /// As well as possible.
    Good,
}

/// A helper that code calls, by its name.
pub(crate) type HelperAddress = (String, *const u8);

/// What code is made for.
pub(crate) fn target(quality: Quality, words: usize) -> Result<Arc<dyn TargetIsa>, Unsupported> {
    let mut flags = settings::builder();
    // Where most values live in memory anyway, a good choice of registers takes longest and gains least.
    let (level, allocator) = match quality {
        Quality::Quick => ("none", "single_pass"),
        Quality::Good if words > MAX_WELL_ALLOCATED => ("speed", "single_pass"),
        Quality::Good => ("speed", "backtracking"),
    };
    let options = [
        ("opt_level", level),
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
    let target = cranelift_native::builder().map_err(failed)?;
    target.finish(settings::Flags::new(flags)).map_err(failed)
}

/// An empty module for code that calls helpers.
pub(crate) fn module(helpers: &[HelperAddress], words: usize) -> Result<JITModule, Unsupported> {
    let target = target(Quality::Good, words)?;
    let mut builder = JITBuilder::with_isa(target, cranelift_module::default_libcall_names());
    for (name, address) in helpers {
        builder.symbol(name, *address);
    }
    Ok(JITModule::new(builder))
}

/// A function as a module declares it.
pub(crate) type Declaration = (Option<String>, Linkage, Signature);

/// The functions of an operation, as they were emitted.
pub(crate) struct Draft {
    pub(crate) functions: Vec<(FuncId, Role, Function)>,
    pub(crate) operation: FuncId,
    pub(crate) helpers: Vec<HelperAddress>,
    /// What was declared, in the order of numbers.
    pub(crate) declared: Vec<Declaration>,
    /// The frames of functions, all empty.
    pub(crate) frames: Frames,
    /// Words of a state.
    pub(crate) words: usize,
    /// Instructions of all functions.
    pub(crate) instructions: usize,
}

impl Draft {
    /// Keeps what a module declares, for [`Draft::new_module`].
    pub(crate) fn declarations(module: &JITModule) -> Vec<Declaration> {
        let declared = module.declarations().get_functions();
        declared.map(|(_, d)| (d.name.clone(), d.linkage, d.signature.clone())).collect()
    }

    /// A module that declares the same functions.
    fn new_module(&self) -> Result<JITModule, Unsupported> {
        let mut module = module(&self.helpers, self.words)?;
        for (name, linkage, signature) in &self.declared {
            match name {
                Some(name) => module.declare_function(name, *linkage, signature),
                None => module.declare_anonymous_function(signature),
            }
            .map_err(failed)?;
        }
        Ok(module)
    }

    /// Makes the code, in a module that declares its functions.
    fn compile(&self, mut module: JITModule, quality: Quality) -> Result<Machine, Unsupported> {
        let target = target(quality, self.words)?;
        let mut frames = self.frames;
        let mut context = Context::new();
        for (id, role, function) in &self.functions {
            context.clear();
            context.func = function.clone();
            let compiled = context.compile(&*target, &mut Default::default());
            if let Err(error) = compiled {
                return Err(failed(format!("{:?}", error.inner)));
            }
            let Some(compiled) = context.compiled_code() else { return Err(failed("no code")) };
            let Some(layout) = compiled.buffer.frame_layout() else {
                return Err(failed("a frame of unknown size"));
            };
            // What the frame has besides: the address of return, the pointer to the frame before, alignment.
            frames.add(*role, layout.frame_to_fp_offset as usize + 48);
            let relocations = compiled.buffer.relocs().iter();
            let relocations: Vec<ModuleReloc> = relocations
                .map(|relocation| ModuleReloc::from_mach_reloc(relocation, &context.func, *id))
                .collect();
            let alignment = u64::from(compiled.buffer.alignment);
            module
                .define_function_bytes(*id, alignment, compiled.code_buffer(), &relocations)
                .map_err(|e| failed(format!("{e:?}")))?;
        }
        let stack = frames.stack();
        if stack > MAX_STACK {
            let mb = |bytes: usize| bytes >> 20;
            return Err(Unsupported(format!(
                "its moves may need {} MB of stack, and {} MB are the limit",
                mb(stack),
                mb(MAX_STACK)
            )));
        }
        module.finalize_definitions().map_err(failed)?;
        let address = module.get_finalized_function(self.operation);
        // SAFETY: all operations are compiled with this signature.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Ok(Machine { entry, stack, module: Some(module) })
    }
}

/// Memory that runs. It is writable while it is filled and executable afterwards, never both.
struct Machine {
    entry: Entry,
    /// Bytes of stack that it needs at most, without the helpers it calls.
    stack: usize,
    /// Taken when the code is dropped.
    module: Option<JITModule>,
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the entry is kept only in this value, and goes with it.
            unsafe { module.free_memory() };
        }
    }
}

/// Machine code of one operation and the tables it reads.
pub(crate) struct Code {
    /// What was made quickly, if it was.
    quick: Option<Machine>,
    /// What was made well, as soon as it is.
    good: OnceLock<Machine>,
    /// What it is made from until then.
    draft: Mutex<Option<Draft>>,
    uses: AtomicU32,
    /// How often quick code is used before it is replaced.
    patience: u32,
    _tables: Vec<Box<[u64]>>,
}

// SAFETY: code and tables are only read once they are made; a draft is used by the thread that takes it, and its
// helpers are functions of this program.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// Makes the code of a draft, whose functions a module declares.
    pub(crate) fn new(
        draft: Draft,
        module: JITModule,
        tables: Vec<Box<[u64]>>,
        patience: u32,
    ) -> Result<Code, Unsupported> {
        let (good, mut kept) = (OnceLock::new(), None);
        let mut quick = None;
        if draft.instructions >= MANY_INSTRUCTIONS {
            quick = draft.compile(module, Quality::Quick).ok();
        } else {
            let _ = good.set(draft.compile(module, Quality::Good)?);
        }
        if good.get().is_none() {
            match quick {
                Some(_) => kept = Some(draft),
                // It may need too much of the stack.
                None => drop(good.set(draft.compile(draft.new_module()?, Quality::Good)?)),
            }
        }
        let (draft, uses) = (Mutex::new(kept), AtomicU32::new(0));
        Ok(Code { quick, good, draft, uses, patience, _tables: tables })
    }

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
        let Some(machine) = self.good.get().or_else(|| self.use_quick()) else {
            return Err(RunError::NoMemory);
        };
        // SAFETY: the function was compiled with this signature; the rest is the caller's promise.
        stack.run(machine.stack, || unsafe { (machine.entry)(state, context) })
    }

    /// Code for one more use before it is made well.
    #[cold]
    fn use_quick(&self) -> Option<&Machine> {
        if self.uses.fetch_add(1, Ordering::Relaxed) == self.patience {
            self.improve();
        }
        self.good.get().or(self.quick.as_ref())
    }

    /// Makes the code well, if it was not. Other threads use the quick code meanwhile.
    pub(crate) fn improve(&self) {
        let draft = self.draft.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(draft) = draft else { return };
        let make = || draft.compile(draft.new_module()?, Quality::Good);
        if let Ok(Ok(machine)) = OwnStack::default().run(COMPILING_STACK, make) {
            let _ = self.good.set(machine);
        }
    }
}
