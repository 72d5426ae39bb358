//! Games between agents: ten times the simulations, and MAST with RAVE, make an agent stronger.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use regulus_agent::Agent;
use regulus_game::Random;
use regulus_reasoner::native::Native;
use regulus_search::config::{Config, Limits};
use regulus_search::{Search, Searcher};

use crate::arena::{Table, agent, compile, game};

/// One side of a match.
struct Side {
    agent: Agent,
    limits: Limits,
    native: Native,
}

impl Side {
    fn new(name: &str, agent: &Agent, limits: Limits) -> Side {
        Side { agent: agent.clone(), limits, native: compile(&game(name), agent.split) }
    }
}

/// The points of the first side in one game: 1 for a win, half of one for a draw.
fn play(rules: &Native, sides: [&Side; 2], first_has_seat: usize, seed: u64) -> f64 {
    let mut table = Table::new(rules);
    let random = Random::new(seed);
    let mut searches = [0, 1].map(|i| {
        let side = sides[i];
        let seed = random.fork(i as u64).bits();
        let config = Config {
            seed,
            reasoning_overhead: 1,
            ..side.agent.search.tree_search().expect("MCTS").clone()
        };
        Search::new(side.native.worker(), config).expect("runs")
    });
    while !table.is_over() {
        let i = usize::from(table.player() != first_has_seat);
        let thought = searches[i].think(&sides[i].limits).expect("runs");
        let chosen = thought.chosen.expect("a move");
        table.play(&chosen);
        for search in &mut searches {
            search.advance(&chosen).expect("runs");
        }
    }
    let (own, other) = (table.score(first_has_seat), table.score(3 - first_has_seat));
    match own.total_cmp(&other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}

/// The points of the first side in all games of every match, seats changing; the games are shared out
/// among the cores.
fn play_all(matches: &[(&str, [Side; 2], u64)]) -> Vec<Vec<f64>> {
    let rules: Vec<Native> = matches.iter().map(|m| compile(&game(m.0), None)).collect();
    let jobs: Vec<(usize, u64)> =
        matches.iter().enumerate().flat_map(|(i, m)| (0..m.2).map(move |g| (i, g))).collect();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(vec![None; jobs.len()]));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((job, (i, g))) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|j| Some((j, *jobs.get(j)?)))
                {
                    let [first, second] = &matches[i].1;
                    let seat = 1 + (g % 2) as usize;
                    let points = play(&rules[i], [first, second], seat, g);
                    results.lock().expect("no panic")[job] = Some(points);
                }
            });
        }
    });
    let mut points = vec![Vec::new(); matches.len()];
    for ((i, _), result) in jobs.iter().zip(results.into_inner().expect("no panic")) {
        points[*i].push(result.expect("played"));
    }
    points
}

fn mean(points: &[f64]) -> f64 {
    points.iter().sum::<f64>() / points.len() as f64
}

/// Half of the 95 % interval of a mean.
fn margin(points: &[f64]) -> f64 {
    let (m, n) = (mean(points), points.len() as f64);
    let variance = points.iter().map(|p| (p - m).powi(2)).sum::<f64>() / (n - 1.0);
    1.96 * (variance / n).sqrt()
}

/// At least 75 % of the points. The agents get all of them in most games and 93 % in Connect Four, where 96
/// games are enough: with other seeds the test would fail once in a million times.
#[test]
fn ten_times_the_simulations_win() {
    let agents = ["mcts_orthodox_orthodox", "mctsM_semisplitNodal_semisplit"];
    let games = [("breakthrough", 24), ("amazons", 12), ("connect-four", 96), ("hex", 12)];
    let mut matches = Vec::new();
    for (name, count) in games {
        for agent_name in agents {
            let side = |count| Side::new(name, &agent(agent_name), Limits::simulations(count));
            matches.push((name, [side(500), side(50)], count));
        }
    }
    for (points, (name, [first, _], _)) in play_all(&matches).iter().zip(&matches) {
        let (mean, who) = (mean(points), &first.agent.name);
        println!("{name}, {who}: {:.1} % of {} games", 100.0 * mean, points.len());
        assert!(mean >= 0.75, "{name}, {who}: {mean}");
    }
}

/// The games of AAAI22, and nodal states per second of the original orthodox agent in each (published with
/// the scripts for the experiments of THESIS): a turn is limited to what it computes in 0.5 s.
const AAAI22: [(&str, u64); 12] = [
    ("amazons", 158_760),
    ("breakthrough", 1_885_488),
    ("breakthru", 6_392),
    ("chess", 211_225),
    ("chess-king-capture", 562_181),
    ("english-draughts", 2_886_068),
    ("fox-and-hounds", 7_936_776),
    ("go", 89_901),
    ("knightthrough", 1_500_851),
    ("pentago", 264_438),
    ("skirmish", 579_728),
    ("the-mill-game", 1_630_673),
];

/// The points of orthodox search with MAST and RAVE against the same without.
fn mast_and_rave(name: &str, limits: &Limits, count: u64) -> Vec<f64> {
    let side = |agent_name| Side::new(name, &agent(agent_name), limits.clone());
    let sides = [side("mcts_orthodox_orthodox_mast_rave"), side("mcts_orthodox_orthodox")];
    play_all(&[(name, sides, count)]).remove(0)
}

/// What `REGULUS_STRENGTH=seconds:games[:name,name...]` asks for.
struct Wanted {
    /// How long a turn is, in time of the original agent.
    seconds: f64,
    count: u64,
    games: Vec<String>,
}

impl Wanted {
    fn from_environment() -> Option<Wanted> {
        let text = std::env::var("REGULUS_STRENGTH").ok()?;
        let mut parts = text.split(':');
        let mut part = || parts.next().expect("REGULUS_STRENGTH=seconds:games[:name,name...]");
        let seconds = part().parse().expect("seconds");
        let count = part().parse().expect("a number of games");
        let games = parts.next().map_or(Vec::new(), |g| g.split(',').map(str::to_owned).collect());
        Some(Wanted { seconds, count, games })
    }

    fn has(&self, name: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|g| g == name)
    }
}

/// Published: 65 % on average over the twelve games. Go and Breakthru have long simulations and many moves
/// and are left out here, and the limits are small. With a true share of 65 % the average of 10 x 10 games
/// is above 50 % in all but one of a thousand cases; we have measured 70 %.
///
/// `REGULUS_STRENGTH=0.5:240 cargo test --release -p regulus-agent --test strength mast -- --nocapture`
/// plays 240 games of each of the twelve with the published limits instead (many hours) and prints a
/// table; `record/` has some.
#[test]
fn mast_and_rave_win_on_average() {
    let others: Vec<String> =
        AAAI22.iter().map(|g| g.0.to_owned()).filter(|g| g != "breakthru" && g != "go").collect();
    let wanted = Wanted::from_environment();
    let wanted = wanted.unwrap_or(Wanted { seconds: 0.01, count: 10, games: others });
    let mut means = Vec::new();
    for (name, rate) in AAAI22.into_iter().filter(|g| wanted.has(g.0)) {
        let limits = Limits::states((rate as f64 * wanted.seconds) as u64);
        let points = mast_and_rave(name, &limits, wanted.count);
        println!("| {name} | {:.1} ±{:.1} |", 100.0 * mean(&points), 100.0 * margin(&points));
        means.push(mean(&points));
    }
    println!("| average | {:.1} |", 100.0 * mean(&means));
    assert!(mean(&means) > 0.5, "{means:?}");
}
