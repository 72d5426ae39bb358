//! Places for the vertices of any graph.
//!
//! Where edges are named after directions (`up`, `downLeft`, `northEast`) the directions are obeyed: what is
//! joined sideways is on one height, and everything is as far left and as high as it can be. Where they
//! contradict each other, as on a board that is closed to a ring, vertices are placed step by step and what
//! does not fit is a longer line. Otherwise distances on the paper are made as close as possible to those in
//! the graph by stress majorization (E. R. Gansner, Y. Koren and S. North, *Graph drawing by stress
//! majorization*, 2004).

use std::collections::VecDeque;

use crate::direction::direction;

/// A point.
type Point = (f64, f64);

/// Larger graphs are drawn as rows of vertices: nobody could read more, and it must not take long.
const LARGEST: usize = 1500;

/// Places from (0, 0) to the right and down, no two closer than one. An edge has a name.
pub fn places(count: usize, edges: &[(usize, usize, &str)]) -> Vec<Point> {
    if count > LARGEST {
        let columns = (count as f64).sqrt().ceil() as usize;
        return (0..count).map(|v| ((v % columns) as f64, (v / columns) as f64)).collect();
    }
    by_direction(count, edges).or_else(|| by_steps(count, edges)).unwrap_or_else(|| {
        let pairs: Vec<(usize, usize)> = edges.iter().map(|(a, b, _)| (*a, *b)).collect();
        by_distance(count, &pairs)
    })
}

/// Places that somebody has chosen, made so large that they can be told apart; nothing if two are the same.
pub fn given(places: Vec<Point>) -> Option<Vec<Point>> {
    (closest(&places) >= 0.05).then(|| spread(places))
}

/// Nothing if not everything is joined by edges with directions, if these contradict each other, or if two
/// vertices would be in one place.
fn by_direction(count: usize, edges: &[(usize, usize, &str)]) -> Option<Vec<Point>> {
    let directed: Vec<(usize, usize, (i32, i32))> =
        edges.iter().filter_map(|(a, b, name)| Some((*a, *b, direction(name)?))).collect();
    let pairs: Vec<(usize, usize)> = directed.iter().map(|(a, b, _)| (*a, *b)).collect();
    if !joined(count, &pairs) {
        return None;
    }
    let along = |axis: fn((i32, i32)) -> i32| {
        let steps: Vec<(usize, usize, i32)> =
            directed.iter().map(|(a, b, d)| (*a, *b, axis(*d))).collect();
        ranks(count, &steps)
    };
    let (x, y) = (along(|d| d.0)?, along(|d| d.1)?);
    different(x.into_iter().zip(y).map(|(x, y)| (x as f64, y as f64)).collect())
}

/// Every vertex one step from where it is first reached. Nothing if two vertices would be in one place, or if
/// most edges do not lead where they should.
fn by_steps(count: usize, edges: &[(usize, usize, &str)]) -> Option<Vec<Point>> {
    let mut steps: Vec<Vec<(usize, (i32, i32))>> = vec![Vec::new(); count];
    for (a, b, name) in edges {
        let (x, y) = direction(name)?;
        steps[*a].push((*b, (x, y)));
        steps[*b].push((*a, (-x, -y)));
    }
    let mut found = vec![None; count];
    *found.first_mut()? = Some((0, 0));
    let mut open = VecDeque::from([0]);
    while let Some(at) = open.pop_front() {
        let (x, y) = found[at]?;
        for (to, (dx, dy)) in &steps[at] {
            if found[*to].is_none() {
                found[*to] = Some((x + dx, y + dy));
                open.push_back(*to);
            }
        }
    }
    let found: Vec<(i32, i32)> = found.into_iter().collect::<Option<_>>()?;
    let obeyed = edges.iter().filter(|(a, b, name)| {
        let step = (found[*b].0 - found[*a].0, found[*b].1 - found[*a].1);
        direction(name) == Some(step)
    });
    if obeyed.count() * 3 < edges.len() * 2 {
        return None;
    }
    let places = different(found.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect());
    places.map(spread)
}

/// The places, if no two are the same.
fn different(places: Vec<Point>) -> Option<Vec<Point>> {
    let mut sorted = places.clone();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    sorted.windows(2).all(|pair| pair[0] != pair[1]).then_some(places)
}

/// True if every vertex can be reached from the first, whatever the direction of edges.
fn joined(count: usize, pairs: &[(usize, usize)]) -> bool {
    let neighbours = neighbours(count, pairs);
    let (mut seen, mut open) = (vec![false; count], vec![0]);
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(neighbours[at].iter().filter(|to| !seen[**to]));
        }
    }
    seen.into_iter().all(|seen| seen)
}

fn neighbours(count: usize, pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); count];
    for (a, b) in pairs {
        neighbours[*a].push(*b);
        neighbours[*b].push(*a);
    }
    neighbours
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

/// Pairs of vertices that are looked at, at most: large graphs get fewer steps.
const WORK: usize = 40_000_000;

fn by_distance(count: usize, edges: &[(usize, usize)]) -> Vec<Point> {
    let neighbours = neighbours(count, edges);
    let distances: Vec<Vec<f64>> = (0..count).map(|v| distances(v, &neighbours)).collect();
    // On a circle in order to begin with, slightly uneven, so that nothing is stuck by symmetry.
    let mut places: Vec<Point> = (0..count)
        .map(|v| {
            let angle = std::f64::consts::TAU * v as f64 / count as f64;
            let radius = (count as f64).sqrt() * (1.0 + 0.1 * (v % 7) as f64 / 7.0);
            (radius * angle.cos(), radius * angle.sin())
        })
        .collect();
    let steps = STEPS.min(WORK / (count * count).max(1));
    for _ in 0..steps {
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
    push_apart(&mut places, steps);
    spread(upright(places))
}

/// Moves vertices that are closer than one away from each other.
fn push_apart(places: &mut [Point], steps: usize) {
    for _ in 0..steps {
        let mut settled = true;
        for i in 0..places.len() {
            for j in 0..i {
                let (dx, dy) = (places[i].0 - places[j].0, places[i].1 - places[j].1);
                let length = dx.hypot(dy);
                if length >= 0.999 {
                    continue;
                }
                settled = false;
                // Two in one place go apart in a direction of their own.
                let angle = (i * 7 + j) as f64;
                let (ux, uy) = if length > 1e-6 {
                    (dx / length, dy / length)
                } else {
                    (angle.cos(), angle.sin())
                };
                let push = (1.0 - length) / 2.0;
                places[i] = (places[i].0 + ux * push, places[i].1 + uy * push);
                places[j] = (places[j].0 - ux * push, places[j].1 - uy * push);
            }
        }
        if settled {
            return;
        }
    }
}

/// Turns a picture so that it is as wide as can be: its longest extent lies level.
fn upright(places: Vec<Point>) -> Vec<Point> {
    let count = places.len().max(1) as f64;
    let (mx, my) = places.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in &places {
        let (dx, dy) = (x - mx, y - my);
        (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
    }
    // The angle of the principal axis of inertia.
    let (sin, cos) = (0.5 * (2.0 * xy).atan2(xx - yy)).sin_cos();
    places.into_iter().map(|(x, y)| (x * cos + y * sin, y * cos - x * sin)).collect()
}

/// How close the two closest are.
fn closest(places: &[Point]) -> f64 {
    let mut closest = f64::INFINITY;
    for (i, (x, y)) in places.iter().enumerate() {
        for (u, v) in &places[..i] {
            closest = closest.min((x - u).hypot(y - v));
        }
    }
    closest
}

/// Moves a picture to the origin and makes it so large that no two vertices are closer than one.
fn spread(mut places: Vec<Point>) -> Vec<Point> {
    let closest = closest(&places);
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
    let (mut open, mut farthest) = (VecDeque::from([from]), 0);
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

    /// A board that is closed to a ring is drawn as a strip.
    #[test]
    fn rings_are_drawn_as_strips() {
        let edges: Vec<(usize, usize, &str)> = (0..6).map(|i| (i, (i + 1) % 6, "right")).collect();
        let places = places(6, &edges);
        assert!(places.iter().all(|(_, y)| *y == 0.0), "{places:?}");
    }

    /// Unlike by distance, which the vertices of a full graph cannot keep, they do not cover each other.
    #[test]
    fn crowds_are_pushed_apart() {
        let mut edges = Vec::new();
        for a in 0..30 {
            edges.extend((0..a).map(|b| (a, b, "edge")));
        }
        let places = places(30, &edges);
        assert!(closest(&places) > 0.99, "{}", closest(&places));
        let widest = places.iter().fold(0.0, |w: f64, p| w.max(p.0));
        assert!(widest < 12.0, "{widest}");
    }
}
