//! Loops of the keeper that are done all at once (passes P11 and P12).

use regulus_rbg::declarations::Piece;
use regulus_rbg::rule::{Rule, RuleKind};

use crate::native::analysis::guard::avoids;
use crate::native::analysis::relation::is_static;
use crate::native::analysis::segments::{NodeId, Transition};
use crate::native::emit::Emitter;
use crate::native::sets::environment::{Env, Held};
use crate::native::sets::line::Line;
use crate::native::sets::pointer_set::PointerSet;
use crate::native::sets::set::Set;

/// A loop `({A} [B] f)*` along a line.
pub(crate) struct RunLoop {
    line: Line,
    put: Piece,
}

impl Emitter<'_, '_> {
    /// Recognises a node that begins `({A} [B] f)*` along lines without circles, if the way out of the
    /// loop is closed wherever it can go on.
    pub(crate) fn run_loop(&self, node: NodeId) -> Option<RunLoop> {
        let segments = &self.analysis.segments;
        let [(Transition::Empty, inside), (out, behind)] = &segments[node] else {
            return None;
        };
        let only = |node: NodeId| match &segments[segments.canonical(node)] {
            [(transition, to)] => Some((transition, *to)),
            _ => None,
        };
        let (Transition::Pure(test), to) = only(*inside)? else { return None };
        let [Rule { kind: RuleKind::On(pieces), .. }] = test.as_slice() else { return None };
        let (Transition::Off(put, _), to) = only(to)? else { return None };
        let (Transition::Pure(steps), to) = only(to)? else { return None };
        if segments.canonical(to) != node
            || !steps.iter().all(is_static)
            || !avoids(self.analysis, (out, *behind), *pieces)
        {
            return None;
        }
        let line = self.line_along(steps, *pieces, true)?;
        Some(RunLoop { line, put: *put })
    }

    /// Does the whole loop; gives what it makes of the state, where it ends, and the vertices it changes.
    pub(crate) fn take_run(
        &mut self,
        run: &RunLoop,
        here: &PointerSet,
        env: &Env,
    ) -> (Env, PointerSet, Set) {
        let at = here.at.expect("the keeper's pointer is on one vertex");
        let (taken, stop) = self.run(&run.line, here, at, env);
        let mut env = env.clone();
        for old in run.line.pieces.iter().filter(|p| *p != run.put) {
            let set = self.set(&env, old).and_not(&taken, &mut self.b);
            env.sets[usize::from(old.0)] = Held::Now(set);
        }
        let set = self.set(&env, run.put).or(&taken, &mut self.b);
        env.sets[usize::from(run.put.0)] = Held::Now(set);
        (env, stop, taken)
    }
}
