//! The ranking of the competition (GVGAI-THESIS 2.2): in every game agents are ordered by wins, then by score,
//! then by time, and get points for their places as in Formula 1; whoever has most points is the winner.
//!
//! The thesis leaves three things open. Wins and scores of a game are those of all its levels and runs together,
//! and time is the number of ticks, as the competition counts it. Agents that are equal in all three have the same
//! place and share the points of the places they take, so that a game always gives the same number of points. With
//! equal points, more first places decide, then more second places, and so on, as in Formula 1.

use std::cmp::Ordering;

use serde::Serialize;

/// The points of the first ten places.
pub const POINTS: [f64; 10] = [25.0, 18.0, 15.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0, 1.0];

/// What an agent has done in a game, all levels and runs together.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    /// The agent.
    pub agent: String,
    /// Runs that it won.
    pub wins: u64,
    /// The sum of its scores.
    pub score: i64,
    /// The sum of its ticks.
    pub ticks: u64,
}

impl Tally {
    /// The better one is less.
    fn compare(&self, other: &Tally) -> Ordering {
        let key = |t: &Tally| (std::cmp::Reverse((t.wins, t.score)), t.ticks);
        key(self).cmp(&key(other))
    }
}

/// An agent in the ranking of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Placing {
    /// The game.
    pub game: String,
    /// From 1; equal ones have the same.
    pub place: usize,
    /// What it gets for that.
    pub points: f64,
    /// Runs that it won.
    pub wins: u64,
    /// The sum of its scores.
    pub score: i64,
    /// The sum of its ticks.
    pub ticks: u64,
}

/// An agent in the ranking of all games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ranked {
    /// The agent.
    pub agent: String,
    /// From 1; equal ones have the same.
    pub place: usize,
    /// Its points in all games.
    pub points: f64,
    /// Its places, in the order of the games.
    pub games: Vec<Placing>,
}

impl Ranked {
    /// How often it has a place.
    fn count(&self, place: usize) -> usize {
        self.games.iter().filter(|game| game.place == place).count()
    }

    /// The better one is less.
    fn compare(&self, other: &Ranked, agents: usize) -> Ordering {
        let countback = |place: usize| other.count(place).cmp(&self.count(place));
        let by_points = other.points.total_cmp(&self.points);
        (1..=agents).fold(by_points, |order, place| order.then_with(|| countback(place)))
    }
}

/// The points of `count` equal agents that take the places from `place` (from 1) on, for each.
fn shared_points(place: usize, count: usize) -> f64 {
    let taken = POINTS.iter().skip(place - 1).take(count).sum::<f64>();
    taken / count as f64
}

/// The places of a game, best first, with the agent of each.
fn placings(game: &str, tallies: &[Tally]) -> Vec<(String, Placing)> {
    let mut sorted: Vec<&Tally> = tallies.iter().collect();
    sorted.sort_by(|one, other| one.compare(other));
    let placing = |tally: &&Tally| {
        let better = sorted.iter().filter(|other| other.compare(tally).is_lt()).count();
        let equal = sorted.iter().filter(|other| other.compare(tally).is_eq()).count();
        let placing = Placing {
            game: game.to_owned(),
            place: better + 1,
            points: shared_points(better + 1, equal),
            wins: tally.wins,
            score: tally.score,
            ticks: tally.ticks,
        };
        (tally.agent.clone(), placing)
    };
    sorted.iter().map(placing).collect()
}

/// The ranking of agents in some games, best first. All agents should be in all games.
pub fn rank(games: &[(String, Vec<Tally>)]) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = Vec::new();
    for (game, tallies) in games {
        for (agent, placing) in placings(game, tallies) {
            let index = ranked.iter().position(|one| one.agent == agent).unwrap_or_else(|| {
                ranked.push(Ranked { agent, place: 0, points: 0.0, games: Vec::new() });
                ranked.len() - 1
            });
            ranked[index].points += placing.points;
            ranked[index].games.push(placing);
        }
    }
    let agents = ranked.len();
    ranked.sort_by(|one, other| one.compare(other, agents).then(one.agent.cmp(&other.agent)));
    let place =
        |one: &Ranked| 1 + ranked.iter().filter(|other| other.compare(one, agents).is_lt()).count();
    let places: Vec<usize> = ranked.iter().map(place).collect();
    ranked.iter_mut().zip(places).for_each(|(one, place)| one.place = place);
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(agent: &str, wins: u64, score: i64, ticks: u64) -> Tally {
        Tally { agent: agent.to_owned(), wins, score, ticks }
    }

    fn standings(ranked: &[Ranked]) -> Vec<(&str, usize, f64)> {
        ranked.iter().map(|one| (one.agent.as_str(), one.place, one.points)).collect()
    }

    /// Wins count first, then the score, then time: c has fewest wins, a and b differ in score, d and e in ticks.
    #[test]
    fn a_game_is_ranked_by_wins_score_and_time() {
        let game = vec![
            tally("c", 1, 900, 10),
            tally("b", 2, 5, 100),
            tally("a", 2, 6, 999),
            tally("e", 0, -3, 50),
            tally("d", 0, -3, 49),
        ];
        let ranked = rank(&[("one".to_owned(), game)]);
        let expected =
            [("a", 1, 25.0), ("b", 2, 18.0), ("c", 3, 15.0), ("d", 4, 12.0), ("e", 5, 10.0)];
        assert_eq!(standings(&ranked), expected);
    }

    /// Two share the second and third place: (18 + 15) / 2 = 16.5 each; the next one is fourth.
    #[test]
    fn equal_agents_share_the_points_of_their_places() {
        let game = vec![
            tally("a", 3, 0, 0),
            tally("b", 1, 4, 7),
            tally("c", 1, 4, 7),
            tally("d", 0, 0, 0),
        ];
        let ranked = rank(&[("one".to_owned(), game)]);
        let expected = [("a", 1, 25.0), ("b", 2, 16.5), ("c", 2, 16.5), ("d", 4, 12.0)];
        assert_eq!(standings(&ranked), expected);
    }

    /// Twelve agents: the last two have no points. Three equal ones at the end of the points, places 10 to 12,
    /// share the one point that is left.
    #[test]
    fn ten_places_have_points() {
        let game = |equal: u64| -> Vec<Tally> {
            (0..12).map(|i| tally(&format!("{i:02}"), 12 - i.min(equal), 0, 0)).collect()
        };
        let points = |equal| -> Vec<f64> {
            rank(&[("one".to_owned(), game(equal))]).iter().map(|one| one.points).collect()
        };
        let first = [25.0, 18.0, 15.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0];
        assert_eq!(points(11)[9..], [1.0, 0.0, 0.0]);
        assert_eq!(points(9)[..9], first);
        assert_eq!(points(9)[9..], [1.0 / 3.0; 3]);
        assert_eq!(POINTS.iter().sum::<f64>(), 101.0);
    }

    /// Points over games: a has 25 + 15 + 15 = 55, b 18 + 18 + 18 = 54, c 15 + 25 + 25 = 65.
    #[test]
    fn points_of_all_games_are_added() {
        let order = |names: [&str; 3]| -> Vec<Tally> {
            names.iter().zip([3, 2, 1]).map(|(name, wins)| tally(name, wins, 0, 0)).collect()
        };
        let games = [
            ("one".to_owned(), order(["a", "b", "c"])),
            ("two".to_owned(), order(["c", "b", "a"])),
            ("three".to_owned(), order(["c", "b", "a"])),
        ];
        let ranked = rank(&games);
        assert_eq!(standings(&ranked), [("c", 1, 65.0), ("a", 2, 55.0), ("b", 3, 54.0)]);
        let places: Vec<usize> = ranked[0].games.iter().map(|game| game.place).collect();
        assert_eq!(places, [3, 1, 1]);
    }

    /// Equal points: first places decide. d has 25 + 10 + 10, e 15 + 15 + 15; both 45.
    #[test]
    fn first_places_decide_between_equal_points() {
        let order = |names: [&str; 5]| -> Vec<Tally> {
            let wins = [5, 4, 3, 2, 1];
            names.iter().zip(wins).map(|(name, wins)| tally(name, wins, 0, 0)).collect()
        };
        let games = [
            ("one".to_owned(), order(["d", "x", "e", "y", "z"])),
            ("two".to_owned(), order(["x", "y", "e", "z", "d"])),
            ("three".to_owned(), order(["x", "z", "e", "y", "d"])),
        ];
        let ranked = rank(&games);
        let of = |name: &str| ranked.iter().find(|one| one.agent == name).expect("ranked");
        assert_eq!((of("d").points, of("e").points), (45.0, 45.0));
        assert!(of("d").place < of("e").place);
    }
}
