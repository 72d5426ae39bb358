//! Which nodes of a graph lie on cycles.

use crate::id::{Id, IdVec, Key};

/// A strongly connected component of a graph.
pub(crate) type ComponentId = Id<Component>;

/// What [`ComponentId`]s number.
pub(crate) enum Component {}

/// The strongly connected components of a graph, and the nodes of each. Edges lead to the same component or to one
/// with a lower number.
pub(crate) struct Components<N> {
    pub(crate) of: IdVec<N, ComponentId>,
    /// In ascending order.
    pub(crate) members: IdVec<ComponentId, Vec<N>>,
}

/// Finds the strongly connected components of a graph.
pub(crate) fn components<N: Key>(next: &IdVec<N, Vec<N>>) -> Components<N> {
    const UNSEEN: u32 = u32::MAX;
    let mut component: IdVec<N, Option<ComponentId>> = next.filled(None);
    // When a node was found, and the earliest node on the path that it leads back to (R. Tarjan, 1972).
    let mut found = next.filled(UNSEEN);
    let mut earliest = next.filled(0);
    let (mut time, mut components) = (0, ComponentId::FIRST);
    let mut open: Vec<N> = Vec::new();
    let mut path: Vec<(N, usize)> = Vec::new();
    for start in next.ids() {
        if found[start] != UNSEEN {
            continue;
        }
        path.push((start, 0));
        while let Some((node, edge)) = path.last_mut() {
            let at = *node;
            if *edge == 0 {
                (found[at], earliest[at]) = (time, time);
                time += 1;
                open.push(at);
            }
            if let Some(to) = next[at].get(*edge).copied() {
                *edge += 1;
                if found[to] == UNSEEN {
                    path.push((to, 0));
                } else if component[to].is_none() {
                    earliest[at] = earliest[at].min(found[to]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                earliest[*before] = earliest[*before].min(earliest[at]);
            }
            if earliest[at] == found[at] {
                while let Some(node) = open.pop() {
                    component[node] = Some(components);
                    if node == at {
                        break;
                    }
                }
                components = components.next();
            }
        }
    }
    let mut members = IdVec::of(Vec::new(), components.index());
    let of: IdVec<N, ComponentId> = component.into_iter().flatten().collect();
    of.enumerated().for_each(|(node, own)| members[*own].push(node));
    Components { of, members }
}

/// The nodes from which a path leads back to them.
pub(crate) fn on_cycles<N: Key>(next: &IdVec<N, Vec<N>>) -> IdVec<N, bool> {
    let component = components(next).of;
    let mut on_cycle = next.filled(false);
    for (node, targets) in next.enumerated() {
        for to in targets {
            // An edge inside a component is part of a cycle.
            if component[*to] == component[node] {
                on_cycle[node] = true;
                on_cycle[*to] = true;
            }
        }
    }
    on_cycle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_a_small_graph() {
        // 0 -> 1 <-> 2 -> 3 -> 3, 4 alone, 5 -> 0
        let next = IdVec::from(vec![vec![1], vec![2], vec![1, 3], vec![3], vec![], vec![0]]);
        let c = components(&next).of;
        assert_eq!(c[1], c[2]);
        assert!(c[0] > c[1] && c[2] > c[3] && c[5] > c[0]);
        let on_cycle: Vec<bool> = on_cycles(&next).into_iter().collect();
        assert_eq!(on_cycle, [false, true, true, true, false, false]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let count = 200_000_usize;
        let mut next: IdVec<usize, Vec<usize>> = (1..count).map(|n| vec![n]).collect();
        next.push(vec![]);
        assert!(on_cycles(&next).iter().all(|on| !on));
        next[count - 1].push(0);
        assert!(on_cycles(&next).iter().all(|on| *on));
    }
}
