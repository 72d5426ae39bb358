//! From emitted functions to memory that runs.

#![allow(unsafe_code)]

use std::sync::OnceLock;

use cranelift_codegen::ir::{UserFuncName, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module};
use regulus_rbg::rule::Rule;

use super::analysis::Analysis;
use super::condition::ConditionFunctions;
use super::emit::{Emitter, Unsupported, words_signature};

/// Machine code and the tables it reads. The memory is writable while it is filled and executable
/// afterwards, never both.
pub(super) struct Code {
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
            // SAFETY: pointers to the functions are kept only beside this value, and go with it.
            unsafe { module.free_memory() };
        }
    }
}

/// Code of one operation that is made when it is first asked for.
pub(super) struct Lazy<F> {
    made: OnceLock<Result<(F, Code), Unsupported>>,
}

impl<F> Default for Lazy<F> {
    fn default() -> Self {
        Lazy { made: OnceLock::new() }
    }
}

impl<F> Lazy<F> {
    /// The code; made now if it was not before.
    pub(super) fn get(
        &self,
        make: impl FnOnce() -> Result<(F, Code), Unsupported>,
    ) -> Result<&F, &Unsupported> {
        self.made.get_or_init(make).as_ref().map(|(function, _)| function)
    }
}

/// Makes the functions of one operation.
pub(super) struct Compiler<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) module: JITModule,
    tables: Vec<Box<[u64]>>,
    context: FunctionBuilderContext,
    conditions: ConditionFunctions,
}

pub(super) fn failed(what: impl std::fmt::Display) -> Unsupported {
    Unsupported(format!("code generation failed: {what}"))
}

impl<'a> Compiler<'a> {
    /// A compiler for code that calls these helpers.
    pub(super) fn new(
        analysis: &'a Analysis,
        helpers: &[(&str, *const u8)],
    ) -> Result<Compiler<'a>, Unsupported> {
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
        for (name, address) in helpers {
            builder.symbol(*name, *address);
        }
        Ok(Compiler {
            analysis,
            module: JITModule::new(builder),
            tables: Vec::new(),
            context: FunctionBuilderContext::new(),
            conditions: ConditionFunctions::default(),
        })
    }

    /// Names a helper of so many words.
    pub(super) fn import(&mut self, name: &str, parameters: usize) -> Result<FuncId, Unsupported> {
        let signature = words_signature(&self.module, parameters);
        self.module.declare_function(name, Linkage::Import, &signature).map_err(failed)
    }

    /// Names a function of so many words whose code follows.
    pub(super) fn declare(&mut self, name: &str, parameters: usize) -> Result<FuncId, Unsupported> {
        let signature = words_signature(&self.module, parameters);
        self.module.declare_function(name, Linkage::Local, &signature).map_err(failed)
    }

    /// Makes the code of a function.
    pub(super) fn define(
        &mut self,
        id: FuncId,
        body: impl FnOnce(&mut Emitter<'_, '_>, &[Value]) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        self.define_for(id, None, body)
    }

    fn define_for(
        &mut self,
        id: FuncId,
        own_condition: Option<*const Rule>,
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
        let mut emitter = Emitter {
            b,
            analysis: self.analysis,
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
        self.module.define_function(id, &mut context).map_err(|e| failed(format!("{e:?}")))
    }

    /// Makes the functions of conditions that were asked for, until no more are.
    fn define_conditions(&mut self) -> Result<(), Unsupported> {
        loop {
            if let Some((walk, id)) = self.conditions.next_walk() {
                self.define_for(id, None, |emitter, v| emitter.walk_function(walk, v[0], v[1]))?;
            } else if let Some((key, id)) = self.conditions.pending.pop() {
                // SAFETY: the rule is part of the segments of the analysis, which do not change.
                let body = unsafe { &*key };
                self.define_for(id, Some(key), |emitter, values| {
                    emitter.condition_function(body, values);
                    Ok(())
                })?;
            } else {
                return Ok(());
            }
        }
    }

    /// Turns everything into memory that runs; gives the address of one function.
    pub(super) fn finish(mut self, entry: FuncId) -> Result<(*const u8, Code), Unsupported> {
        self.define_conditions()?;
        self.module.finalize_definitions().map_err(failed)?;
        let address = self.module.get_finalized_function(entry);
        Ok((address, Code { module: Some(self.module), _tables: self.tables }))
    }
}
