//! Nodal states per CPU second of a first-turn search on native code.
//!
//! `search_speed AGENT SECONDS GAME...`: AGENT is `plain`, `mast`, `rave`, `mast-rave` (orthodox), or
//! `semisplit`, `semisplit-mast` (semisplit nodal on Mod); `ppa`, `ppaf` (features of cells), `ppan` (and of
//! neighbours), `mastk`, `nst`, `lgr` alone or behind `semisplit-`: learned playout policies. GAME is a built-in name or a file. With
//! `SIMULATIONS=n` a number of simulations replaces the seconds (for counting instructions), with
//! `REFERENCE=file.tsv` (game, simulations/s, states/s, states/s with MAST and RAVE) ratios are printed.

use std::time::Duration;

use regulus_rbg::Source;
use regulus_rbg::split::Strategy;
use regulus_reasoner::native::Native;
use regulus_search::config::{
    Config, Decay, Features, Learning, Limits, Mast, Method, Policy, Rave, Replies,
    SimulationDesign, TreeDesign,
};
use regulus_search::{Search, Searcher};

/// Seconds that this thread has run, on Linux; elsewhere seconds of the clock.
fn seconds_used() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let clock = || std::time::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64());
    nanoseconds.map_or_else(clock, |ns| ns / 1e9)
}

fn nst() -> Method {
    let policy = Policy::EpsilonGreedy { epsilon: 0.4 };
    Method::Nst { length: 3, threshold: 7, policy, decay: Decay::None }
}

/// The learned policy that an agent is named after.
fn learning(agent: &str) -> Option<Learning> {
    let (method, features) = match agent.trim_start_matches("semisplit-") {
        "ppa" => (Method::Ppa { alpha: 0.32 }, Features::None),
        "ppaf" => (Method::Ppa { alpha: 0.32 }, Features::Cells),
        "ppan" => (Method::Ppa { alpha: 0.32 }, Features::Neighbours),
        "mastk" => (Method::Mast { k: 4.0 }, Features::None),
        "nst" => (nst(), Features::None),
        _ => return None,
    };
    Some(Learning { method, features, keep: false })
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (agent, seconds, games) = match arguments.as_slice() {
        [agent, seconds, games @ ..] => (agent.as_str(), seconds.parse::<f64>(), games),
        _ => panic!("usage: search_speed AGENT SECONDS GAME..."),
    };
    let seconds = seconds.expect("SECONDS is a number");
    let reference = std::env::var("REFERENCE")
        .ok()
        .map(|path| std::fs::read_to_string(path).expect("the reference can be read"));
    let split = agent.starts_with("semisplit");
    let config = Config {
        tree: if split { TreeDesign::Semisplit { nodal: true } } else { TreeDesign::Orthodox },
        simulation: match split {
            true => SimulationDesign::Semisplit,
            false => SimulationDesign::Orthodox,
        },
        exploration: if agent.contains("rave") { 0.2 } else { 0.4 },
        mast: (agent.contains("mast") && !agent.contains("mastk")).then(Mast::default),
        learning: learning(agent),
        replies: agent.contains("lgr").then(Replies::default),
        rave: agent.contains("rave").then(Rave::default),
        ..Config::default()
    };
    let column = if agent.contains("rave") { 3 } else { 2 };
    let (mut logs, mut count) = (0.0, 0);
    for name in games {
        let text = regulus_games::find(name).map_or_else(
            || std::fs::read_to_string(name).expect("a built-in game or a file"),
            |game| game.text.to_owned(),
        );
        let game = regulus_rbg::load(&Source::new(name, &text)).game.expect("a valid game");
        let game = match split {
            true => game.split(Strategy::Mod),
            false => game,
        };
        let native = Native::new(&game).expect("a supported game");
        let mut search =
            Search::new(native.worker(), config.clone()).expect("a search that can be made");
        // Compiles what is compiled when it is first used.
        search.think(&Limits::simulations(50)).expect("a game that runs");
        let start = seconds_used();
        let limits = match std::env::var("SIMULATIONS").ok().and_then(|n| n.parse().ok()) {
            Some(simulations) => Limits::simulations(simulations),
            None => Limits::time(Duration::from_secs_f64(seconds)),
        };
        let thought = search.think(&limits).expect("a game that runs");
        let took = seconds_used() - start;
        let totals = thought.totals;
        let rate = totals.nodal_states as f64 / took;
        let short = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".rbg");
        print!(
            "{short:20} {:9.0} sims/s {rate:10.0} states/s  length {:6.1} depth {:4.1}/{:3} nodes {:9} MB {:5}",
            totals.iterations as f64 / took,
            totals.nodal_states as f64 / totals.iterations as f64,
            totals.mean_depth(),
            totals.max_depth,
            thought.nodes,
            thought.bytes >> 20,
        );
        let known = reference.iter().flat_map(|text| text.lines()).find_map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            (cells[0] == short).then(|| cells[column].parse::<f64>().ok()).flatten()
        });
        if let Some(known) = known {
            print!("  x{:.2}", rate / known);
            logs += (rate / known).ln();
            count += 1;
        }
        println!();
    }
    if count > 0 {
        println!("geometric mean x{:.2} over {count}", (logs / f64::from(count)).exp());
    }
}
