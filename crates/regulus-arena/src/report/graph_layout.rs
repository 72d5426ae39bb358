//! Places for the vertices of any graph.
//!
//! Where all edges are named after directions (`up`, `downLeft`, `northEast`) the directions are obeyed:
//! what is joined sideways is on one height, and everything is as far left and as high as it can be.
//! Otherwise distances on the paper are made as close as possible to those in the graph by stress
//! majorization (E. R. Gansner, Y. Koren and S. North, *Graph drawing by stress majorization*, 2004).

use super::board_layout::Point;

/// Places from (0, 0) to the right and down, neighbours about one apart or more. An edge has a name.
pub fn places(count: usize, edges: &[(usize, usize, &str)]) -> Vec<Point> {
    by_direction(count, edges).unwrap_or_else(|| {
        let pairs: Vec<(usize, usize)> = edges.iter().map(|(a, b, _)| (*a, *b)).collect();
        by_distance(count, &pairs)
    })
}

/// What a name says about its direction: right (1) or left (-1), down (1) or up (-1).
fn direction(name: &str) -> Option<(i32, i32)> {
    const WORDS: [(&str, (i32, i32)); 8] = [
        ("north", (0, -1)),
        ("south", (0, 1)),
        ("right", (1, 0)),
        ("down", (0, 1)),
        ("left", (-1, 0)),
        ("east", (1, 0)),
        ("west", (-1, 0)),
        ("up", (0, -1)),
    ];
    let (mut rest, mut sum) = (name.to_ascii_lowercase(), (0, 0));
    while !rest.is_empty() {
        let (word, (x, y)) = WORDS.into_iter().find(|(word, _)| rest.starts_with(word))?;
        sum = (sum.0 + x, sum.1 + y);
        rest.drain(..word.len());
    }
    (sum != (0, 0)).then_some((sum.0.signum(), sum.1.signum()))
}

/// Nothing if some name says nothing, if directions contradict each other, or if two vertices would be in
/// one place.
fn by_direction(count: usize, edges: &[(usize, usize, &str)]) -> Option<Vec<Point>> {
    let directed = edges.iter().map(|(a, b, name)| Some((*a, *b, direction(name)?)));
    let directed = directed.collect::<Option<Vec<_>>>()?;
    let along = |axis: fn((i32, i32)) -> i32| {
        let steps: Vec<(usize, usize, i32)> =
            directed.iter().map(|(a, b, d)| (*a, *b, axis(*d))).collect();
        ranks(count, &steps)
    };
    let (x, y) = (along(|d| d.0)?, along(|d| d.1)?);
    let places: Vec<Point> = x.into_iter().zip(y).map(|(x, y)| (x as f64, y as f64)).collect();
    let twice = |i: usize| places[..i].contains(&places[i]);
    (!(0..count).any(twice)).then_some(places)
}

/// Ranks such that a step of 0 keeps the rank and one of 1 or -1 raises or lowers it, as low as possible.
fn ranks(count: usize, steps: &[(usize, usize, i32)]) -> Option<Vec<usize>> {
    let mut class: Vec<usize> = (0..count).collect();
    for (a, b, _) in steps.iter().filter(|(_, _, step)| *step == 0) {
        let (kept, gone) = (class[*a], class[*b]);
        class.iter_mut().filter(|c| **c == gone).for_each(|c| *c = kept);
    }
    let mut ranks = vec![0; count];
    // The longest way has fewer steps than there are classes; longer ones are loops.
    for _ in 0..=count {
        let mut settled = true;
        for (a, b, step) in steps.iter().filter(|(_, _, step)| *step != 0) {
            let (low, high) = if *step > 0 { (*a, *b) } else { (*b, *a) };
            let (low, high) = (class[low], class[high]);
            if ranks[high] < ranks[low] + 1 {
                ranks[high] = ranks[low] + 1;
                settled = false;
            }
        }
        if settled {
            return Some(class.into_iter().map(|c| ranks[c]).collect());
        }
    }
    None
}

/// Steps of majorization; it has long converged then.
const STEPS: usize = 200;

fn by_distance(count: usize, edges: &[(usize, usize)]) -> Vec<Point> {
    let mut neighbours = vec![Vec::new(); count];
    for (a, b) in edges {
        neighbours[*a].push(*b);
        neighbours[*b].push(*a);
    }
    let distances: Vec<Vec<f64>> = (0..count).map(|v| distances(v, &neighbours)).collect();
    // On a circle in order to begin with, slightly uneven, so that nothing is stuck by symmetry.
    let mut places: Vec<Point> = (0..count)
        .map(|v| {
            let angle = std::f64::consts::TAU * v as f64 / count as f64;
            let radius = (count as f64).sqrt() * (1.0 + 0.1 * (v % 7) as f64 / 7.0);
            (radius * angle.cos(), radius * angle.sin())
        })
        .collect();
    for _ in 0..STEPS {
        for i in 0..count {
            let (mut sum, mut weights) = ((0.0, 0.0), 0.0);
            for j in (0..count).filter(|j| *j != i) {
                let wanted = distances[i][j];
                let (dx, dy) = (places[i].0 - places[j].0, places[i].1 - places[j].1);
                let (weight, length) = (1.0 / (wanted * wanted), dx.hypot(dy).max(1e-9));
                sum.0 += weight * (places[j].0 + wanted * dx / length);
                sum.1 += weight * (places[j].1 + wanted * dy / length);
                weights += weight;
            }
            if weights > 0.0 {
                places[i] = (sum.0 / weights, sum.1 / weights);
            }
        }
    }
    spread(places)
}

/// Moves a picture to the origin and makes it so large that no two vertices are closer than one.
fn spread(mut places: Vec<Point>) -> Vec<Point> {
    let mut closest = f64::INFINITY;
    for (i, (x, y)) in places.iter().enumerate() {
        for (u, v) in &places[..i] {
            closest = closest.min((x - u).hypot(y - v));
        }
    }
    let scale = if closest.is_finite() { 1.0 / closest.clamp(0.05, 1.0) } else { 1.0 };
    let least = |part: fn(&Point) -> f64| places.iter().map(part).fold(f64::INFINITY, f64::min);
    let (left, top) = (least(|p| p.0), least(|p| p.1));
    places.iter_mut().for_each(|(x, y)| (*x, *y) = ((*x - left) * scale, (*y - top) * scale));
    places
}

/// Steps to all others; what cannot be reached is a little farther than everything else.
fn distances(from: usize, neighbours: &[Vec<usize>]) -> Vec<f64> {
    let mut found = vec![None; neighbours.len()];
    found[from] = Some(0);
    let (mut open, mut farthest) = (std::collections::VecDeque::from([from]), 0);
    while let Some(at) = open.pop_front() {
        let next = found[at].unwrap_or(0) + 1;
        for to in &neighbours[at] {
            if found[*to].is_none() {
                found[*to] = Some(next);
                farthest = next;
                open.push_back(*to);
            }
        }
    }
    found.into_iter().map(|d| f64::from(d.unwrap_or(farthest + 2).max(1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_where() {
        assert_eq!(direction("up"), Some((0, -1)));
        assert_eq!(direction("downLeft"), Some((-1, 1)));
        assert_eq!(direction("southeast"), Some((1, 1)));
        assert_eq!(direction("next"), None);
        assert_eq!(direction("leftright"), None);
    }

    /// A ring without directions becomes one: neighbours are closer to each other than all others.
    #[test]
    fn distances_are_kept() {
        let edges: Vec<(usize, usize, &str)> = (0..8).map(|i| (i, (i + 1) % 8, "next")).collect();
        let places = places(8, &edges);
        let distance =
            |a: usize, b: usize| (places[a].0 - places[b].0).hypot(places[a].1 - places[b].1);
        for i in 0..8 {
            assert!(distance(i, (i + 1) % 8) >= 0.999);
            assert!(distance(i, (i + 1) % 8) < distance(i, (i + 2) % 8));
            assert!(distance(i, (i + 2) % 8) < distance(i, (i + 4) % 8));
        }
    }

    /// A loop to the right cannot be drawn to the right.
    #[test]
    fn contradictions_are_drawn_by_distance() {
        let edges = [(0, 1, "right"), (1, 2, "right"), (2, 0, "right")];
        assert_eq!(by_direction(3, &edges), None);
        assert_eq!(places(3, &edges).len(), 3);
    }
}
