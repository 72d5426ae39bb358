//! Ratings of several agents at once, on the Elo scale.
//!
//! The model is that of R. A. Bradley and M. E. Terry, *Rank analysis of incomplete block designs* (1952):
//! the expected result of a game is [`elo::expected`] of the difference of two ratings; draws count half.
//! Ratings are those of maximum likelihood, found by Newton's method. They are finite if and only if
//! everybody can be reached from everybody along "has scored against" (L. R. Ford, *Solution of a ranking
//! problem from binary comparisons*, 1957); whoever is not in one such class with the anchor has a bound
//! only. Errors come from the sandwich of H. White, *Maximum likelihood estimation of misspecified models*
//! (1982), so that the variance is the observed one of pairs; for two agents this is [`elo::error`].

use std::f64::consts::LN_10;

use serde::Serialize;

use super::cell::Cell;
use crate::statistics::normal::Z95;
use crate::statistics::{Score, elo};

/// Ratings change by no more than this in a step.
const LONGEST_STEP: f64 = 400.0;

/// Results between two agents.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    /// One agent.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Mean result of the first one, its error, and games.
    pub score: Score,
}

/// What is known about the rating of an agent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimate {
    /// The one that everybody is compared with: 0.
    Anchor,
    /// A difference to the anchor with half the length of its 95 % interval.
    Difference {
        /// The difference.
        elo: f64,
        /// Its error.
        error: f64,
    },
    /// It has won everything: more than this, with 95 % confidence.
    MoreThan(f64),
    /// It has lost everything: less than this, with 95 % confidence.
    LessThan(f64),
    /// There is no chain of games to the anchor.
    Unknown,
}

impl Estimate {
    /// A number to sort by.
    pub fn order(&self) -> f64 {
        match self {
            Estimate::Anchor => 0.0,
            Estimate::Difference { elo, .. } => *elo,
            Estimate::MoreThan(bound) => bound + 1e6,
            Estimate::LessThan(bound) => bound - 1e6,
            Estimate::Unknown => f64::NEG_INFINITY,
        }
    }
}

/// Rates `count` agents against the anchor.
pub fn estimate(count: usize, anchor: usize, pairings: &[Pairing]) -> Vec<Estimate> {
    let scored = |p: &Pairing, by: usize, against: usize| {
        (p.first == by && p.second == against && p.score.rate > 0.0)
            || (p.second == by && p.first == against && p.score.rate < 1.0)
    };
    let reach = |forward: bool| {
        let mut reached = vec![false; count];
        let mut open = vec![anchor];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut reached[at], true) {
                continue;
            }
            let leads = |to: usize| {
                let (by, against) = if forward { (at, to) } else { (to, at) };
                pairings.iter().any(|p| scored(p, by, against))
            };
            open.extend((0..count).filter(|to| !reached[*to] && leads(*to)));
        }
        reached
    };
    let (below, above) = (reach(true), reach(false));
    let rated: Vec<usize> = (0..count).filter(|a| below[*a] && above[*a]).collect();
    let (ratings, errors) = most_likely(&rated, anchor, pairings);
    let mut estimates = vec![Estimate::Unknown; count];
    for (k, agent) in rated.iter().enumerate() {
        estimates[*agent] = if *agent == anchor {
            Estimate::Anchor
        } else {
            Estimate::Difference { elo: ratings[k], error: errors[k] }
        };
    }
    for agent in (0..count).filter(|a| below[*a] != above[*a]) {
        let games = |p: &Pairing| {
            let (own, other) =
                (p.first == agent, if p.first == agent { p.second } else { p.first });
            let k = rated.iter().position(|r| *r == other)?;
            (own || p.second == agent).then_some((ratings[k], p.score.games as f64))
        };
        let against: Vec<(f64, f64)> = pairings.iter().filter_map(games).collect();
        if let Some(bound) = bound(&against) {
            estimates[agent] = if above[agent] {
                Estimate::MoreThan(bound)
            } else {
                Estimate::LessThan(-self::bound(&mirrored(&against)).unwrap_or(bound))
            };
        }
    }
    estimates
}

fn mirrored(against: &[(f64, f64)]) -> Vec<(f64, f64)> {
    against.iter().map(|(rating, games)| (-rating, *games)).collect()
}

/// The rating below which winning all games against these ratings is improbable: where the expected result
/// is the lower end of Wilson's interval.
fn bound(against: &[(f64, f64)]) -> Option<f64> {
    let games: f64 = against.iter().map(|(_, games)| games).sum();
    if games == 0.0 {
        return None;
    }
    let low = crate::statistics::wilson_interval(1.0, games, Z95).low;
    let expected = |rating: f64| {
        against.iter().map(|(r, n)| n * elo::expected(rating - r)).sum::<f64>() / games
    };
    let (mut from, mut to) = (-5000.0, 5000.0);
    for _ in 0..60 {
        let middle = (from + to) / 2.0;
        if expected(middle) < low { from = middle } else { to = middle }
    }
    Some((from + to) / 2.0)
}

/// Ratings and errors of agents that can be rated, the anchor being 0.
fn most_likely(rated: &[usize], anchor: usize, pairings: &[Pairing]) -> (Vec<f64>, Vec<f64>) {
    let scale = LN_10 / 400.0;
    let n = rated.len();
    let place = |agent: usize| rated.iter().position(|r| *r == agent);
    let games: Vec<(usize, usize, Score)> = pairings
        .iter()
        .filter_map(|p| Some((place(p.first)?, place(p.second)?, p.score)))
        .filter(|(a, b, _)| a != b)
        .collect();
    let fixed = place(anchor).unwrap_or(0);
    let mut ratings = vec![0.0; n];
    // Adds a weight of the difference of two ratings to a matrix.
    let add = |matrix: &mut [Vec<f64>], a: usize, b: usize, weight: f64| {
        matrix[a][a] += weight;
        matrix[b][b] += weight;
        matrix[a][b] -= weight;
        matrix[b][a] -= weight;
    };
    let fix = |matrix: &mut [Vec<f64>]| {
        matrix[fixed].fill(0.0);
        matrix.iter_mut().for_each(|row| row[fixed] = 0.0);
        matrix[fixed][fixed] = 1.0;
    };
    for _ in 0..200 {
        let (mut gradient, mut information) = (vec![0.0; n], vec![vec![0.0; n]; n]);
        for (a, b, score) in &games {
            let expected = elo::expected(ratings[*a] - ratings[*b]);
            let played = score.games as f64;
            gradient[*a] += scale * played * (score.rate - expected);
            gradient[*b] -= scale * played * (score.rate - expected);
            let weight = scale * scale * played * expected * (1.0 - expected);
            add(&mut information, *a, *b, weight);
        }
        gradient[fixed] = 0.0;
        fix(&mut information);
        let Some(inverse) = inverse(information) else { break };
        let step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&gradient).map(|(x, y)| x * y).sum()).collect();
        let longest = step.iter().fold(0.0, |l: f64, s: &f64| l.max(s.abs()));
        let part = if longest > LONGEST_STEP { LONGEST_STEP / longest } else { 1.0 };
        ratings.iter_mut().zip(&step).for_each(|(rating, s)| *rating += part * s);
        if longest < 1e-9 {
            break;
        }
    }
    let (mut bread, mut filling) = (vec![vec![0.0; n]; n], vec![vec![0.0; n]; n]);
    for (a, b, score) in &games {
        let expected = elo::expected(ratings[*a] - ratings[*b]);
        let played = score.games as f64;
        add(&mut bread, *a, *b, scale * scale * played * expected * (1.0 - expected));
        add(&mut filling, *a, *b, (scale * played * score.standard_error).powi(2));
    }
    fix(&mut bread);
    fix(&mut filling);
    let errors = match inverse(bread) {
        None => vec![f64::INFINITY; n],
        Some(bread) => (0..n)
            .map(|k| {
                let row = &bread[k];
                let variance: f64 = (0..n)
                    .map(|i| row[i] * (0..n).map(|j| filling[i][j] * row[j]).sum::<f64>())
                    .sum();
                Z95 * variance.max(0.0).sqrt()
            })
            .collect(),
    };
    (ratings, errors)
}

/// The inverse of a matrix, by Gauss and Jordan with pivots; nothing if it has none.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut result: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..n {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if matrix[pivot][column].abs() < 1e-300 {
            return None;
        }
        matrix.swap(column, pivot);
        result.swap(column, pivot);
        let divisor = matrix[column][column];
        for k in 0..n {
            matrix[column][k] /= divisor;
            result[column][k] /= divisor;
        }
        for row in (0..n).filter(|row| *row != column) {
            let factor = matrix[row][column];
            if factor != 0.0 {
                for k in 0..n {
                    matrix[row][k] -= factor * matrix[column][k];
                    result[row][k] -= factor * result[column][k];
                }
            }
        }
    }
    Some(result)
}

/// An agent in a list of ratings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The agent.
    pub agent: String,
    /// Its rating.
    pub estimate: Estimate,
    /// Games against everybody.
    pub games: u64,
    /// The mean result of these games.
    pub rate: f64,
}

/// The ratings with one limit, over all games for two players, strongest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RatingList {
    /// The limit.
    pub limit: String,
    /// The ratings.
    pub ratings: Vec<Rating>,
}

/// A list of ratings for every limit, in the order of `limits`. The anchor is the baseline, if it plays,
/// and otherwise the agent with the most games.
pub fn lists(cells: &[Cell], limits: &[String], baseline: Option<&str>) -> Vec<RatingList> {
    let mut lists = Vec::new();
    for limit in limits {
        let mut names: Vec<&str> = Vec::new();
        let mut pairings = Vec::new();
        for cell in cells.iter().filter(|c| c.players == 2 && c.limit == *limit) {
            let (Some(rate), Some(standard_error)) = (cell.rate, cell.standard_error) else {
                continue;
            };
            let mut number = |name| {
                names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
            };
            let (first, second) = (number(cell.agent.as_str()), number(cell.against.as_str()));
            // Whoever plays against himself says nothing about himself.
            if first != second {
                let score = Score { rate, standard_error, games: cell.games };
                pairings.push(Pairing { first, second, score });
            }
        }
        if pairings.is_empty() {
            continue;
        }
        let games = |agent: usize| -> u64 {
            let own = pairings.iter().filter(|p| p.first == agent || p.second == agent);
            own.map(|p| p.score.games).sum()
        };
        let points = |agent: usize| -> f64 {
            let of = |p: &Pairing| {
                let rate = if p.first == agent {
                    p.score.rate
                } else if p.second == agent {
                    1.0 - p.score.rate
                } else {
                    0.0
                };
                rate * p.score.games as f64
            };
            pairings.iter().map(of).sum()
        };
        let most = (0..names.len()).rev().max_by_key(|agent| games(*agent)).unwrap_or(0);
        let anchor = names.iter().position(|name| Some(*name) == baseline).unwrap_or(most);
        let estimates = estimate(names.len(), anchor, &pairings);
        let mut ratings: Vec<Rating> = names
            .iter()
            .enumerate()
            .map(|(i, name)| Rating {
                agent: (*name).to_owned(),
                estimate: estimates[i],
                games: games(i),
                rate: points(i) / games(i).max(1) as f64,
            })
            .collect();
        ratings.sort_by(|a, b| b.estimate.order().total_cmp(&a.estimate.order()));
        lists.push(RatingList { limit: limit.clone(), ratings });
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Pentanomial, Trinomial};

    fn pairing(first: usize, second: usize, score: Score) -> Pairing {
        Pairing { first, second, score }
    }

    fn elo_of(estimate: Estimate) -> (f64, f64) {
        match estimate {
            Estimate::Difference { elo, error } => (elo, error),
            other => panic!("{other:?}"),
        }
    }

    /// With a baseline only, a rating is the difference that explains the result against it, with the
    /// error of the pairs.
    #[test]
    fn a_star_is_rated_pair_by_pair() {
        let one = Pentanomial { pairs: [5, 9, 20, 14, 12] }.score().expect("pairs");
        let two = Pentanomial { pairs: [30, 5, 10, 2, 3] }.score().expect("pairs");
        let estimates = estimate(3, 1, &[pairing(0, 1, one), pairing(1, 2, two)]);
        assert_eq!(estimates[1], Estimate::Anchor);
        let (elo0, error0) = elo_of(estimates[0]);
        assert!((elo0 - elo::difference(one.rate)).abs() < 1e-6);
        assert!((error0 - elo::error(&one)).abs() < 1e-6);
        let (elo2, error2) = elo_of(estimates[2]);
        assert!((elo2 + elo::difference(two.rate)).abs() < 1e-6);
        assert!((error2 - elo::error(&two)).abs() < 1e-6);
    }

    /// Results that are exactly those expected from ratings give these ratings back.
    #[test]
    fn a_round_robin_finds_its_ratings() {
        let truth = [0.0, 120.0, -75.0, 310.0];
        let mut pairings = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                let rate = elo::expected(truth[a] - truth[b]);
                let standard_error = (rate * (1.0 - rate) / 500.0).sqrt();
                pairings.push(pairing(a, b, Score { rate, standard_error, games: 500 }));
            }
        }
        let estimates = estimate(4, 0, &pairings);
        for agent in 1..4 {
            let (elo, error) = elo_of(estimates[agent]);
            assert!((elo - truth[agent]).abs() < 1e-6, "{elo}");
            // More games than those of one pairing make it more certain.
            assert!(error > 0.0 && error < 45.0, "{error}");
        }
    }

    #[test]
    fn what_is_infinite_has_a_bound() {
        let all = Trinomial { wins: 20, draws: 0, losses: 0 }.score().expect("games");
        let none = Trinomial { wins: 0, draws: 0, losses: 20 }.score().expect("games");
        let estimates = estimate(4, 0, &[pairing(1, 0, all), pairing(2, 0, none)]);
        // Wilson's interval of 20 of 20 begins at 83.89 %.
        let bound = elo::difference(0.838_87);
        let Estimate::MoreThan(more) = estimates[1] else { panic!("{estimates:?}") };
        let Estimate::LessThan(less) = estimates[2] else { panic!("{estimates:?}") };
        assert!((more - bound).abs() < 0.1 && (less + bound).abs() < 0.1, "{more} {less}");
        assert_eq!(estimates[3], Estimate::Unknown);
    }
}
