//! Which nodes of a graph lie on cycles.

/// The strongly connected components of a graph, as a number for every node. Edges lead to the same
/// component or to one with a lower number.
pub(crate) fn components(next: &[Vec<u32>]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let count = next.len();
    let mut component = vec![UNSEEN; count];
    // When a node was found, and the earliest node on the path that it leads back to (R. Tarjan, 1972).
    let mut found = vec![UNSEEN; count];
    let mut earliest = vec![0u32; count];
    let (mut time, mut components) = (0, 0);
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    for start in 0..count as u32 {
        if found[start as usize] != UNSEEN {
            continue;
        }
        path.push((start, 0));
        while let Some((node, edge)) = path.last_mut() {
            let at = *node as usize;
            if *edge == 0 {
                (found[at], earliest[at]) = (time, time);
                time += 1;
                open.push(*node);
            }
            if let Some(to) = next[at].get(*edge) {
                *edge += 1;
                let to = *to as usize;
                if found[to] == UNSEEN {
                    path.push((to as u32, 0));
                } else if component[to] == UNSEEN {
                    earliest[at] = earliest[at].min(found[to]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                let before = *before as usize;
                earliest[before] = earliest[before].min(earliest[at]);
            }
            if earliest[at] == found[at] {
                while let Some(node) = open.pop() {
                    component[node as usize] = components;
                    if node as usize == at {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

/// The nodes from which a path leads back to them.
pub(crate) fn on_cycles(next: &[Vec<u32>]) -> Vec<bool> {
    let component = components(next);
    let mut on_cycle = vec![false; next.len()];
    for (node, targets) in next.iter().enumerate() {
        for to in targets {
            // An edge inside a component is part of a cycle.
            if component[*to as usize] == component[node] {
                on_cycle[node] = true;
                on_cycle[*to as usize] = true;
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
        let next = vec![vec![1], vec![2], vec![1, 3], vec![3], vec![], vec![0]];
        let c = components(&next);
        assert_eq!(c[1], c[2]);
        assert!(c[0] > c[1] && c[2] > c[3] && c[5] > c[0]);
        assert_eq!(on_cycles(&next), [false, true, true, true, false, false]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let count = 200_000;
        let mut next: Vec<Vec<u32>> = (1..count).map(|n| vec![n]).collect();
        next.push(vec![]);
        assert!(on_cycles(&next).iter().all(|on| !on));
        next[count as usize - 1].push(0);
        assert!(on_cycles(&next).iter().all(|on| *on));
    }
}
