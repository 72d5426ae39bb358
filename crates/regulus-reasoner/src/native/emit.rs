//! Generating code: what all parts of it share. The other files of the folder add to [`Emitter`].

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlagsData, Signature, Value};
use cranelift_frontend::FunctionBuilder;
use cranelift_jit::JITModule;
use cranelift_module::Module;

use crate::error::MAX_NATIVE_WORK;
use crate::native::analysis::Analysis;
use crate::native::sets::condition::ConditionFunctions;

use crate::native::Unsupported;

/// Makes the code of one function.
pub(crate) struct Emitter<'a, 'f> {
    pub(crate) b: FunctionBuilder<'f>,
    pub(crate) analysis: &'a Analysis,
    pub(crate) module: &'a mut JITModule,
    pub(crate) conditions: &'a mut ConditionFunctions,
    /// The number of the condition whose function this is: its body is not called but made.
    pub(crate) own_condition: Option<usize>,
    /// Tables that the code reads; they live as long as the code.
    pub(crate) tables: &'a mut Vec<Box<[u64]>>,
    /// What the operation shares with its caller; it begins with a [`Header`].
    pub(crate) context: Value,
    /// Gives up: something goes beyond its limit.
    pub(crate) failed: Block,
    /// Variables that live in all blocks.
    pub(crate) live: usize,
}

/// What every context begins with.
#[repr(C)]
pub(crate) struct Header {
    /// Work that is left.
    work: i64,
    /// Not 0 if a walk inside the condition that is being asked was given up, because it is too long.
    gave_up: u64,
}

/// Words of it.
pub(crate) const HEADER: usize = 2;

/// The second of them.
pub(crate) const GAVE_UP: usize = 1;

impl Header {
    pub(crate) fn new() -> Header {
        Header { work: MAX_NATIVE_WORK as i64, gave_up: 0 }
    }

    /// True if code has given up because it has worked for too long.
    pub(crate) fn is_out_of_work(&self) -> bool {
        self.work < 0
    }
}

/// The answer of a function that gave up.
pub(crate) const FAILED: i64 = -1;

/// Parts inside each other that are emitted in one function; what is deeper gets a function of its own.
pub(crate) const MAX_NESTED: usize = 64;

/// Instructions of one function that are worth compiling without being asked: less than half a second. Most of
/// those of games with so many are parts of sets that are never looked at, and compile faster than others.
pub(crate) const MAX_INSTRUCTIONS: usize = 150_000;

/// Instructions of one function for those who are patient: some ten seconds.
pub(crate) const MAX_PATIENT_INSTRUCTIONS: usize = 400_000;

/// What takes as long to compile as an instruction, in squares of the variables of a block.
const HANDED_PER_INSTRUCTION: usize = 512;

/// A function that takes `parameters` words and returns one.
pub(crate) fn words_signature(module: &JITModule, parameters: usize) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend((0..parameters).map(|_| AbiParam::new(I64)));
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// An error if the board is too large for what the rules do on it.
pub(crate) fn too_large(analysis: &Analysis) -> Result<(), Unsupported> {
    match analysis.is_too_large() {
        true => Err(Unsupported("the board is too large for these rules".to_owned())),
        false => Ok(()),
    }
}

impl Emitter<'_, '_> {
    pub(crate) fn words(&self) -> usize {
        self.analysis.words()
    }

    /// Refuses to go on when a function gets too large: it would take longer to compile than to
    /// interpret the game.
    pub(crate) fn check_size(&self) -> Result<(), Unsupported> {
        // Cranelift hands every variable to every block, and looks at the others to take one of them out again.
        let handed = self.b.func.dfg.num_blocks() * self.live * self.live;
        let size = self.b.func.dfg.num_insts() + handed / HANDED_PER_INSTRUCTION;
        if size > self.analysis.max_instructions {
            return Err(Unsupported("the code would be too large".to_owned()));
        }
        too_large(self.analysis)
    }

    /// Gives up if a condition holds.
    pub(crate) fn fail_if(&mut self, condition: Value) {
        let go = self.b.create_block();
        self.b.ins().brif(condition, self.failed, &[], go, &[]);
        self.b.switch_to_block(go);
    }

    /// Gives up if a count has come to its limit.
    pub(crate) fn fail_at_limit(&mut self, count: Value, limit: usize) {
        let reached =
            self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, count, limit as i64);
        self.fail_if(reached);
    }

    /// Counts the state that was handed to this function as work; gives up when there was too much of it.
    pub(crate) fn count_work(&mut self) {
        let left = self.load_word(self.context, 0);
        let left = self.b.ins().iadd_imm_s(left, -(self.analysis.layout.len() as i64));
        self.store_word(self.context, 0, left);
        let none = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.fail_if(none);
    }

    /// Allows all of the work again.
    pub(crate) fn allow_work(&mut self) {
        let all = self.constant(MAX_NATIVE_WORK as i64);
        self.store_word(self.context, 0, all);
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
