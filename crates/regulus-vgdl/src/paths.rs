//! Shortest paths between the cells of a level, for characters that follow them.

use crate::direction::Direction;

/// For two cells the first step of a shortest path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    width: i32,
    height: i32,
    /// By start and goal: 0 for no path, else 1 + the index in [`STEPS`].
    first: Vec<u8>,
}

/// Neighbours in the order in which the reference framework visits them.
const STEPS: [(i32, i32, Direction); 4] = [
    (0, -1, Direction::UP),
    (0, 1, Direction::DOWN),
    (-1, 0, Direction::LEFT),
    (1, 0, Direction::RIGHT),
];

/// `java.util.PriorityQueue`: which of several equally short paths is found depends on its order.
#[derive(Default)]
struct Queue {
    heap: Vec<(u32, u32)>,
}

impl Queue {
    fn push(&mut self, cost: u32, cell: u32) {
        let mut at = self.heap.len();
        self.heap.push((cost, cell));
        while at > 0 {
            let parent = (at - 1) / 2;
            if cost >= self.heap[parent].0 {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = (cost, cell);
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        let last = self.heap.pop()?;
        let Some(&top) = self.heap.first() else { return Some(last) };
        let size = self.heap.len();
        let mut at = 0;
        while at < size / 2 {
            let mut child = 2 * at + 1;
            if child + 1 < size && self.heap[child].0 > self.heap[child + 1].0 {
                child += 1;
            }
            if last.0 <= self.heap[child].0 {
                break;
            }
            self.heap[at] = self.heap[child];
            at = child;
        }
        self.heap[at] = last;
        Some(top)
    }
}

impl Paths {
    /// Computes all paths. With `horizontal` only steps to the left and right exist.
    pub fn compute(width: i32, height: i32, obstacle: &[bool], horizontal: bool) -> Paths {
        let cells = (width * height) as usize;
        let mut first = vec![0; cells * cells];
        let steps = if horizontal { 2..4 } else { 0..4 };
        for start in 0..cells {
            if obstacle[start] {
                continue;
            }
            let row = &mut first[start * cells..(start + 1) * cells];
            let mut queue = Queue::default();
            queue.push(0, start as u32);
            while let Some((cost, cell)) = queue.pop() {
                let (x, y) = (cell as i32 % width, cell as i32 / width);
                for step in steps.clone() {
                    let (dx, dy, _) = STEPS[step];
                    let (nx, ny) = (x + dx, y + dy);
                    if !(0..width).contains(&nx) || !(0..height).contains(&ny) {
                        continue;
                    }
                    let next = (ny * width + nx) as usize;
                    if obstacle[next] || next == start || row[next] != 0 {
                        continue;
                    }
                    let from_start = cell as usize == start;
                    row[next] = if from_start { step as u8 + 1 } else { row[cell as usize] };
                    queue.push(cost + 1, next as u32);
                }
            }
        }
        Paths { width, height, first }
    }

    /// The first step from a position in pixels to another.
    pub fn first_step(&self, from: (i32, i32), to: (i32, i32), block: i32) -> Option<Direction> {
        if self.first.is_empty() {
            return None;
        }
        // The product with the reciprocal is what the reference framework computes.
        let scale = 1.0 / f64::from(block);
        let cell = |(x, y): (i32, i32)| {
            let (x, y) = ((f64::from(x) * scale) as i32, (f64::from(y) * scale) as i32);
            let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
            inside.then_some((y * self.width + x) as usize)
        };
        let cells = (self.width * self.height) as usize;
        match self.first[cell(from)? * cells + cell(to)?] {
            0 => None,
            step => Some(STEPS[usize::from(step) - 1].2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_a_wall() {
        // A level of 3 x 3 with a wall in the middle of the upper two rows.
        let obstacle = [false, true, false, false, true, false, false, false, false];
        let paths = Paths::compute(3, 3, &obstacle, false);
        assert_eq!(paths.first_step((0, 0), (20, 0), 10), Some(Direction::DOWN));
        assert_eq!(paths.first_step((0, 20), (20, 0), 10), Some(Direction::RIGHT));
        assert_eq!(paths.first_step((0, 0), (10, 0), 10), None);
        assert_eq!(paths.first_step((0, 0), (0, 5), 10), None);
        assert_eq!(paths.first_step((0, 0), (90, 0), 10), None);
    }

    #[test]
    fn the_queue_is_a_heap() {
        let mut queue = Queue::default();
        for (cell, cost) in [5, 3, 8, 1, 3, 9, 0, 3].into_iter().enumerate() {
            queue.push(cost, cell as u32);
        }
        let costs: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|(cost, _)| cost).collect();
        assert_eq!(costs, [0, 1, 3, 3, 3, 5, 8, 9]);
    }
}
