//! From an operation to the functions that do it; `code.rs` makes memory that runs from them.

use std::sync::OnceLock;

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Function, InstBuilder, UserFuncName, Value};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};

use crate::native::Unsupported;
use crate::native::analysis::Analysis;
pub(crate) use crate::native::code::Code;
use crate::native::code::{Draft, HelperAddress, module};
use crate::native::emit::{Emitter, FAILED, too_large, words_signature};
use crate::native::runtime::room::OwnStack;
use crate::native::sets::condition::ConditionFunctions;

/// Bytes of stack to make code on: parts that follow each other are emitted by functions that call each
/// other, up to a limit (`MAX_NESTED`).
pub(crate) const COMPILING_STACK: usize = 64 << 20;

/// How often quick code of an operation is used before it is replaced, if the operation says nothing else.
const PATIENCE: u32 = 4096;

/// What all functions of an operation may have together, as a multiple of what one may have.
const MAX_FUNCTIONS: usize = 8;

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
    /// Called at the end of a walk.
    Last,
    /// Called at most once for every modifier of a walk.
    Walk,
    /// The same for walks inside conditions.
    InnerWalk,
    /// A condition without modifiers: it calls those inside it only.
    Condition,
}

/// Bytes of the frames of functions: the largest of a role, or their sum.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frames {
    operation: usize,
    last: usize,
    walk: usize,
    inner_walk: usize,
    conditions: usize,
    /// How many functions of a walk can be on the stack, and how many of inner walks for each.
    walks: usize,
    inner_walks: usize,
}

impl Frames {
    /// Counts the frame of a function.
    pub(crate) fn add(&mut self, role: Role, bytes: usize) {
        match role {
            Role::Operation => self.operation = self.operation.max(bytes),
            Role::Last => self.last = self.last.max(bytes),
            Role::Walk => self.walk = self.walk.max(bytes),
            Role::InnerWalk => self.inner_walk = self.inner_walk.max(bytes),
            Role::Condition => self.conditions += bytes,
        }
    }

    /// Bytes of stack that the functions need at most, without helpers.
    pub(crate) fn stack(&self) -> usize {
        let Frames { operation, last, walk, inner_walk, conditions, walks, inner_walks } = *self;
        operation + last + walks * (walk + inner_walks * inner_walk) + conditions
    }
}

/// Makes the functions of one operation.
pub(crate) struct Compiler<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) module: JITModule,
    tables: Vec<Box<[u64]>>,
    context: FunctionBuilderContext,
    pub(crate) conditions: ConditionFunctions,
    helpers: Vec<HelperAddress>,
    functions: Vec<(FuncId, Role, Function)>,
    instructions: usize,
    /// How often quick code is used before it is replaced.
    pub(crate) patience: u32,
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
        let named = helpers.iter().map(|(name, address)| ((*name).to_owned(), *address));
        let helpers: Vec<HelperAddress> = named.collect();
        Ok(Compiler {
            analysis,
            module: module(&helpers, analysis.layout.len())?,
            tables: Vec::new(),
            context: FunctionBuilderContext::new(),
            conditions: ConditionFunctions::default(),
            helpers,
            functions: Vec::new(),
            instructions: 0,
            patience: PATIENCE,
        })
    }

    /// Names a helper that takes `parameters` words.
    pub(crate) fn import(&mut self, name: &str, parameters: usize) -> Result<FuncId, Unsupported> {
        let signature = words_signature(&self.module, parameters);
        self.module.declare_function(name, Linkage::Import, &signature).map_err(failed)
    }

    /// Names the function of the operation, whose code follows: `operation(state, context)`.
    pub(crate) fn declare(&mut self, name: &str) -> Result<FuncId, Unsupported> {
        self.declare_with(name, 2)
    }

    /// Names a function of the operation that takes `parameters` words.
    pub(crate) fn declare_with(
        &mut self,
        name: &str,
        parameters: usize,
    ) -> Result<FuncId, Unsupported> {
        let signature = words_signature(&self.module, parameters);
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
        self.functions.push((id, role, context.func));
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

    /// Turns everything into memory that runs.
    pub(crate) fn finish(mut self, operation: FuncId) -> Result<Code, Unsupported> {
        self.define_conditions()?;
        too_large(self.analysis)?;
        let frames = Frames {
            walks: self.analysis.longest_walk() + 1,
            inner_walks: self.analysis.condition_depth,
            ..Frames::default()
        };
        let draft = Draft {
            functions: self.functions,
            operation,
            helpers: self.helpers,
            declared: Draft::declarations(&self.module),
            frames,
            words: self.analysis.layout.len(),
            instructions: self.instructions,
        };
        Code::new(draft, self.module, self.tables, self.patience)
    }
}
