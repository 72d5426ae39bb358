//! Generating code: what all parts of it share. The other files of the folder add to [`Emitter`].

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, Value};
use cranelift_frontend::FunctionBuilder;
use cranelift_jit::JITModule;
use cranelift_module::Module;
use regulus_rbg::rule::Rule;

use super::analysis::Analysis;
use super::condition::ConditionFunctions;

/// Why no code can be made for a game (yet); it is interpreted instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

/// Makes the code of one function.
pub(crate) struct Emitter<'a, 'f> {
    pub(crate) b: FunctionBuilder<'f>,
    pub(crate) analysis: &'a Analysis,
    pub(crate) module: &'a mut JITModule,
    pub(crate) conditions: &'a mut ConditionFunctions,
    /// The condition whose function this is: its body is not called but made.
    pub(crate) own_condition: Option<*const Rule>,
    /// Tables that the code reads; they live as long as the code.
    pub(crate) tables: &'a mut Vec<Box<[u64]>>,
}

/// Instructions of one function that are worth compiling without being asked: a tenth of a second.
pub(crate) const MAX_INSTRUCTIONS: usize = 40_000;

/// Instructions of one function for those who are patient: some ten seconds.
pub(crate) const MAX_PATIENT_INSTRUCTIONS: usize = 400_000;

/// A function of so many words that returns one.
pub(crate) fn words_signature(module: &JITModule, parameters: usize) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend((0..parameters).map(|_| AbiParam::new(I64)));
    signature.returns.push(AbiParam::new(I64));
    signature
}

impl Emitter<'_, '_> {
    pub(crate) fn words(&self) -> usize {
        self.analysis.words()
    }

    /// Refuses to go on when a function gets too large: it would take longer to compile than to
    /// interpret the game.
    pub(crate) fn check_size(&self) -> Result<(), Unsupported> {
        if self.b.func.dfg.num_insts() > self.analysis.max_instructions {
            return Err(Unsupported("the code would be too large".to_owned()));
        }
        Ok(())
    }

    pub(crate) fn constant(&mut self, value: i64) -> Value {
        self.b.ins().iconst(I64, value)
    }

    pub(crate) fn load_word(&mut self, state: Value, word: usize) -> Value {
        self.b.ins().load(I64, MemFlagsData::trusted(), state, (word * 8) as i32)
    }

    pub(crate) fn store_word(&mut self, state: Value, word: usize, value: Value) {
        self.b.ins().store(MemFlagsData::trusted(), value, state, (word * 8) as i32);
    }
}
