//! `regulus signature`: one number over fixed searches of all designs.
//!
//! A change that is not meant to change what searches find leaves the number as it is, on every machine and with any
//! number of threads. Everything a search says about the moves of a position goes into it; bytes and seconds do not.

use std::fmt::Write as _;
use std::io::Write as _;

use clap::Args;
use regulus_agent::{Agent, VideoAgent};
use regulus_player::video::{Pilot, VideoLevel};
use regulus_player::{PreparedAgent, sha256, wire};
use regulus_search::config::Limits;
use regulus_vgdl::Profile;
use serde::Serialize;

use super::print_json;
use crate::agent_argument::agent_for;
use crate::failure::Failure;
use crate::game_argument::load_board;
use crate::video_player::read_video_agent;

/// Print one number that changes when any search finds something else
#[derive(Args)]
pub struct Signature {
    /// Show the number of every agent, too
    #[arg(long)]
    verbose: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Games and the agents that search each of them.
struct Group {
    games: &'static [&'static str],
    agents: &'static [&'static str],
}

/// A new design or part gets a line here; a name or the text of a file with its name before it.
const BOARD: &[Group] = &[
    // Trees and simulations, where moves are single steps, choices of three, chains of captures; with three players.
    Group {
        games: &["breakthrough", "amazons", "english-draughts", "rolit"],
        agents: &[
            "mcts_orthodox_orthodox",
            "mctsM_orthodox_semisplit",
            "mctsM_semisplit_semisplit",
            "mctsM_semisplitNodal_semisplit",
            "mctsMP_semisplitNodal_orthodox",
            "mctsMS_rollup_semisplit",
            "mctsMPS_rollupNodal_orthodox",
            "mcts_orthodox_orthodox_mast_rave",
            "mctsM_semisplitNodal_semisplit_mastsplit_ravemix7",
        ],
    },
    // Statistics of actions.
    Group {
        games: &["breakthrough", "amazons"],
        agents: &[
            "mcts_orthodox_orthodox_mast",
            "mcts_orthodox_orthodox_mastsplit",
            "mcts_orthodox_orthodox_mastmix3",
            "mcts_orthodox_orthodox_rave",
            "mctsM_orthodox_semisplit_mastcontext_rave",
            "mcts_orthodox_orthodox_mastjoin_ravejoin",
            "mctsM_semisplitNodal_semisplit_mast_ravecontext",
            "mctsM_semisplitNodal_semisplit_mastcontext",
            "mctsM_semisplitNodal_semisplit_mastmix7_rave",
            "mctsM_rollupNodal_semisplit_mastsplit_ravecontext",
            "mctsM_rollupNodal_orthodox_mastkn8",
            "mcts_orthodox_orthodox_ppa0.32",
            "mcts_orthodox_orthodox_ppaf0.32_mostVisited",
            "mcts_orthodox_orthodox_rave_ppan0.16",
            "mctsM_semisplitNodal_semisplit_ppa0.32",
            "mcts_orthodox_orthodox_mastk256",
            "mctsM_semisplitNodal_semisplit_mastkf4",
            "mcts_orthodox_orthodox_nst",
            "mctsM_semisplitNodal_semisplit_nst4_lgrf2",
            "mcts_orthodox_orthodox_mast_lgr1",
            "gibbs: { \"algorithm\": {}, \"heuristics\": [{ \"name\": \"MAST\", \
                \"parameters\": { \"policy\": \"gibbs\" } }] }",
            "tournament: { \"algorithm\": {}, \"heuristics\": [{ \"name\": \"MAST\", \
                \"parameters\": { \"policy\": \"tournament\" } }] }",
            "roulette: { \"algorithm\": {}, \"heuristics\": [{ \"name\": \"MAST\", \
                \"parameters\": { \"policy\": \"roulette\" } }] }",
        ],
    },
    // Selection, expansion, proofs, the root, the final move, several trees.
    Group {
        games: &["breakthrough", "tic-tac-toe"],
        agents: &[
            "mcts_orthodox_orthodox_tgrave20",
            "mcts_orthodox_orthodox_reversal",
            "mcts_orthodox_orthodox_tuned",
            "mcts_orthodox_orthodox_adaptivec",
            "mcts_orthodox_orthodox_single",
            "mcts_orthodox_orthodox_mast_history1",
            "mcts_orthodox_orthodox_mast_bias1",
            "mcts_orthodox_orthodox_mixmax0.1",
            "mcts_orthodox_orthodox_fpu",
            "mcts_orthodox_orthodox_partial",
            "mcts_orthodox_orthodox_mast_widening",
            "mcts_orthodox_orthodox_mast_unpruning",
            "mcts_orthodox_orthodox_decisive",
            "mcts_orthodox_orthodox_antidecisive",
            "mcts_orthodox_orthodox_solver",
            "mcts_orthodox_orthodox_solver_pn1",
            "mcts_orthodox_orthodox_solver_endgame200",
            "mcts_orthodox_orthodox_solver_proof20",
            "mctsM_semisplitNodal_semisplit_solver_proof20_antidecisive",
            "mcts_orthodox_orthodox_transpositions",
            "mctsM_semisplitNodal_semisplit_transpositions",
            "mcts_orthodox_orthodox_freshTree",
            "mcts_orthodox_orthodox_halving",
            "mctsM_semisplitNodal_semisplit_anytimeHalving",
            "mctsM_semisplitNodal_semisplit_finalRollup",
            "mcts_orthodox_orthodox_overhead3",
            "mcts_orthodox_orthodox_root3",
            "mctsM_semisplitNodal_semisplit_mast_root2",
            "mcts_orthodox_orthodox_tree1",
            "shot_orthodox_orthodox",
            "shotM_semisplit_semisplit_mastsplit",
            "robust: { \"algorithm\": { \"parameters\": { \"final_selection\": \"robust_max\" } } }",
            "greedy: { \"algorithm\": { \"parameters\": { \"selection\": \"epsilon_greedy\" } } }",
            "decreasing: { \"algorithm\": { \"parameters\": { \"selection\": \"decreasing_epsilon\" } } }",
            "uniform: { \"algorithm\": { \"parameters\": { \"selection\": \"random\" } } }",
        ],
    },
    // One player.
    Group {
        games: &["peg-solitaire", "morpion-solitaire"],
        agents: &[
            "mcts_orthodox_orthodox_single_mixmax0.1",
            "mcts_orthodox_orthodox_scorebias1",
            "nmcs_level1",
            "nmcs_level2",
            "nrpa_level2_iterations10",
        ],
    },
];

const VIDEO: Group = Group {
    games: &["caravan", "sheepdog"],
    agents: &[
        "vg-random",
        "vg-one-step",
        "vg-mcts",
        "vg-mcts_ph_mast_normal_actionexpand",
        "vg-ol-mcts",
        "vg-rhea",
        "vg-microbial",
        "vg-ol-mcts_adaptive_winloss",
        "vg-ol-mcts_decreasing_greedyexpand",
        "vg-ol-mcts_evo_ea",
        "vg-ol-mcts_greedy_gvgaidepth",
        "vg-ol-mcts_ph_nst_qb_decay0.15",
        "vg-ol-mcts_pb_qbseparated",
        "vg-ol-mcts_single_allexpand",
        "vg-ol-mcts_ucb1t_stgp",
        "vg-ol-mcts_uniform_mast",
        "vg-ol-mcts_anytime_fpu",
        "vg-ol-mcts_halving_lgrf2",
        "vg-ol-mcts_lgr1_unprune",
        "vg-ol-mcts_widen_roulette",
        "vg-ol-mcts_mixmax0.1_macro3_partial_reversal_roulette",
        "vg-ol-mcts_macro3_macrofallback_noreversal",
        "vg-ol-mcts_adaptiveglobal_qbestimated",
        "vg-fast-evo",
    ],
};

/// The seed of all searches.
const SEED: u64 = 19;

/// What an agent may use in the turns, or ticks, for which it thinks: enough for trees of some depth, and for what
/// is kept from turn to turn.
fn turns(simulations: u64, states: u64) -> [Limits; 3] {
    [Limits::simulations(simulations), Limits::states(states), Limits::simulations(simulations / 2)]
}

#[derive(Serialize)]
struct Report {
    signature: String,
    agents: Vec<Row>,
}

#[derive(Clone, Serialize)]
struct Row {
    agent: String,
    signature: String,
}

impl Signature {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let agents = [boards()?, video()?].concat();
        // Of the numbers alone: an agent that is called differently still finds the same.
        let all: Vec<&str> = agents.iter().map(|row| row.signature.as_str()).collect();
        let report = Report { signature: number(&all.join("\n")), agents };
        if self.json {
            return Ok(print_json(&report)?);
        }
        let mut out = anstream::stdout().lock();
        if self.verbose {
            for row in &report.agents {
                writeln!(out, "{}  {}", row.signature, row.agent)?;
            }
            return Ok(writeln!(out, "{}  all", report.signature)?);
        }
        Ok(writeln!(out, "{}", report.signature)?)
    }
}

/// Sixteen digits of the hash of a text.
fn number(text: &str) -> String {
    sha256(text)[..16].to_owned()
}

fn boards() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for group in BOARD {
        let games = group.games.iter().map(|game| load_board(game, "signature"));
        let games = games.collect::<Result<Vec<regulus::Game>, Failure>>()?;
        for agent in group.agents {
            let agent = match agent.split_once(": ") {
                Some((name, text)) => regulus_agent::read(name, text)
                    .map_err(|why| Failure::Failed(format!("{name}: {why}")))?,
                None => agent_for(agent, &games[0])?,
            };
            let mut found = String::new();
            for loaded in &games {
                search_board(&agent, loaded, &mut found)?;
            }
            rows.push(Row { agent: agent.name, signature: number(&found) });
        }
    }
    Ok(rows)
}

fn video() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for agent in VIDEO.agents {
        let agent = read_video_agent(agent)?;
        let mut found = String::new();
        for name in VIDEO.games {
            let game = regulus_games::find_video(name).expect("a built-in game");
            let level = VideoLevel::load(name, game.text, game.levels[0], Profile::default());
            search_video(&agent, &level.expect("a valid level"), &mut found)?;
        }
        rows.push(Row { agent: agent.name, signature: number(&found) });
    }
    Ok(rows)
}

/// Adds a line of text.
macro_rules! add {
    ($text:expr, $($what:tt)*) => {
        writeln!($text, $($what)*).expect("a string takes everything")
    };
}

/// Adds what an agent finds in a game. Numbers are added by their bits: what is printed of them is less.
fn search_board(agent: &Agent, game: &regulus::Game, found: &mut String) -> Result<(), Failure> {
    let prepared_agent = PreparedAgent::new(agent, game.loaded());
    let mut searcher = prepared_agent.searcher(SEED, std::iter::empty())?;
    for limits in turns(200, 2000) {
        let thought = searcher.think(&limits)?;
        let Some(chosen) = thought.chosen else { break };
        let done = thought.totals;
        add!(found, "plays {}", wire::text(&chosen));
        add!(found, "{} {} {}", done.iterations, done.nodal_states, done.states);
        add!(found, "{} {} {}", done.depth_sum, done.max_depth, thought.nodes);
        for known in searcher.moves() {
            let [low, high] = known.proven.map_or([0, u32::MAX], |bound| [bound.low, bound.high]);
            let [mean, amaf] = [known.mean, known.amaf.unwrap_or(-1.0)].map(f64::to_bits);
            add!(found, "{} {} {}", wire::text(&known.steps), known.visits, known.depth);
            add!(found, "{mean:x} {amaf:x} {low} {high}");
        }
        if let Some(line) = searcher.best_line() {
            add!(found, "{} after {}", line.score, line.len());
        }
        searcher.advance(&chosen)?;
    }
    Ok(())
}

/// Adds what an agent does in a video game.
fn search_video(agent: &VideoAgent, level: &VideoLevel, found: &mut String) -> Result<(), Failure> {
    let pilot = Pilot::agent(&agent.config, SEED);
    let mut pilot = pilot.map_err(|why| Failure::Failed(format!("{}: {why}", agent.name)))?;
    let mut state = level.start(SEED);
    for limits in turns(60, 600) {
        let decision = pilot.act(&state, &limits);
        let action = decision.action.letter();
        add!(found, "{action} {} {}", decision.iterations, decision.ticks);
        for known in decision.known {
            let (action, mean) = (known.action.letter(), known.mean.to_bits());
            add!(found, "{action} {} {mean:x}", known.visits);
        }
        state.advance(decision.action);
    }
    Ok(())
}
