//! Code for the semimoves from a node: which modifiers and split points can come next, and where.

use cranelift_codegen::ir::{InstBuilder, Value};

use super::emit::{Emitter, Unsupported};
use super::segments::Arc;

impl Emitter<'_, '_> {
    /// The body of `semimoves(state, out)`: writes one set for every exit of the segment that begins at
    /// a node. Gives the exits, in the order of their sets.
    pub(super) fn semimoves_function(
        &mut self,
        node: u32,
        state: Value,
        out: Value,
    ) -> Result<Vec<(u32, usize)>, Unsupported> {
        let slots = self.new_slots();
        self.load_slots(&slots, state);
        let env = self.env_of(&slots);
        let pointer = self.b.use_var(slots.pointer);
        let here = self.at(pointer);
        let mut exits = Vec::new();
        for (node, i, place) in self.exits(node, &here, &env)? {
            let mut set = self.clean(&place);
            if set.is_empty_constant() {
                continue;
            }
            if let (Arc::Assign(variable, value, _), _) =
                &self.analysis.segments.nodes[node as usize][i]
            {
                // Whether it stays within the bounds does not depend on the vertex.
                let (_, ok) = self.assigned(*variable, value, &env);
                set = set.when(ok, &mut self.b);
            }
            for (w, word) in set.0.iter().enumerate() {
                let value = word.value(&mut self.b);
                self.store_word(out, exits.len() * self.words() + w, value);
            }
            exits.push((node, i));
        }
        let zero = self.constant(0);
        self.b.ins().return_(&[zero]);
        Ok(exits)
    }
}
