//! What more threads are worth: iterations per second of one thread, of several trees and of several threads on one
//! tree, in rounds of which each measures all three, so that a busy machine does no harm to one of them only.
//!
//! `parallel_speed [threads=N] [seconds=S] [rounds=R] [agent=NAME] GAME...`: the first move of built-in games or
//! files, S seconds at a time (default 2 threads, 1 second, 5 rounds, mcts_orthodox_orthodox). Printed are medians
//! over the rounds, and the medians of the ratios; then microseconds of processor time per iteration, of all threads
//! together, which say what an iteration costs if the machine has other things to do. What starting the threads costs
//! is seen with seconds=0.005.

use std::time::{Duration, Instant};

use regulus_agent::by_name;
use regulus_player::{LoadedGame, PreparedAgent};
use regulus_rbg::Source;
use regulus_search::config::Limits;

/// Seconds that all threads of this process have run, on Linux, which counts in hundredths.
fn seconds_used() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the process is in brackets, and may have spaces.
    let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

/// Iterations per second of the clock, and microseconds of processor time per iteration. Every measurement begins
/// with an empty tree.
fn rate(prepared_agent: &PreparedAgent, time: Duration, seed: u64) -> (f64, f64) {
    let mut searcher =
        prepared_agent.searcher(seed, std::iter::empty()).expect("a search that can be made");
    let (start, before) = (Instant::now(), seconds_used());
    let totals = searcher.think(&Limits::time(time)).expect("a game that runs").totals;
    let iterations = totals.iterations as f64;
    let used = seconds_used().zip(before).map_or(f64::NAN, |(after, before)| after - before);
    (iterations / start.elapsed().as_secs_f64(), used * 1e6 / iterations)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let (mut threads, mut seconds, mut rounds) = (2, 1.0, 5);
    let mut agent = "mcts_orthodox_orthodox".to_owned();
    let mut games = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("threads", value)) => threads = value.parse().expect("a number of threads"),
            Some(("seconds", value)) => seconds = value.parse().expect("a number of seconds"),
            Some(("rounds", value)) => rounds = value.parse().expect("a number of rounds"),
            Some(("agent", value)) => agent = value.to_owned(),
            _ => games.push(argument),
        }
    }
    assert!(rounds > 0 && !games.is_empty(), "usage: parallel_speed [rounds=R] ... GAME...");
    let threads: usize = threads;
    let names = [agent.clone(), format!("{agent}_root{threads}"), format!("{agent}_tree{threads}")];
    println!("{agent}: iterations per second, processor time; {rounds} rounds of {seconds} s each");
    print!("{:20} {:>10} {:>10} {:>5} {:>10} {:>5}", "game", "1", "root", "", "tree", "");
    println!(" {:>9} {:>9} {:>9}", "1", "root", "tree");
    for name in games {
        let text = regulus_games::find(&name).map_or_else(
            || std::fs::read_to_string(&name).expect("a built-in game or a file"),
            |game| game.text.to_owned(),
        );
        let game = LoadedGame::read(&name, Source::new(&name, &text)).expect("a valid game");
        // An agent that cannot share a tree is measured without that.
        let prepared_agents: Vec<Option<PreparedAgent>> = names
            .iter()
            .map(|name| {
                let agent = by_name(name).ok()?;
                let mut prepared_agent = PreparedAgent::new(&agent, &game);
                if agent.search.parallel().most_threads() > 1 {
                    prepared_agent.set_threads(&agent, threads).expect("so many threads");
                }
                Some(prepared_agent)
            })
            .collect();
        let mut measured = Vec::new();
        for round in 0..=rounds {
            let time = Duration::from_secs_f64(if round == 0 { 0.05 } else { seconds });
            let nothing = (f64::NAN, f64::NAN);
            let rates: Vec<(f64, f64)> = prepared_agents
                .iter()
                .map(|prepared_agent| {
                    prepared_agent
                        .as_ref()
                        .map_or(nothing, |prepared_agent| rate(prepared_agent, time, round))
                })
                .collect();
            // The first round compiles what is compiled when it is first used.
            if round > 0 {
                measured.push(rates);
            }
        }
        let rates = |kind: usize| median(measured.iter().map(|rates| rates[kind].0));
        let ratio = |kind: usize| median(measured.iter().map(|rates| rates[kind].0 / rates[0].0));
        let used = |kind: usize| median(measured.iter().map(|rates| rates[kind].1));
        let short = name.rsplit('/').next().unwrap_or(&name).trim_end_matches(".rbg");
        println!(
            "{short:20} {:10.0} {:10.0} x{:.2} {:10.0} x{:.2} {:6.2} us {:6.2} us {:6.2} us",
            rates(0),
            rates(1),
            ratio(1),
            rates(2),
            ratio(2),
            used(0),
            used(1),
            used(2)
        );
    }
}
