//! `regulus agents`: the built-in agents, and what a configuration means.

use std::io::Write;

use clap::Args;
use regulus_agent::{
    BOARD_PATTERN, COLLECTION, Described, NESTED_COLLECTION, NESTED_PATTERN, SHOT_COLLECTION,
    SHOT_PATTERN, VIDEO_COLLECTION, VIDEO_PATTERN, explain, schema, write,
};
use regulus_player::auto_in_words;
use regulus_search::config::Config;
use serde::Serialize;

use super::explain::wrapped;
use super::print_json;
use crate::agent_argument::{AUTO, find_agent};
use crate::failure::Failure;

/// List, check and explain agents
#[derive(Args)]
pub struct Agents {
    /// The agent to explain: a built-in name or a .json file
    agent: Option<String>,
    /// Print how many different searches for board games a configuration can ask for
    #[arg(long, conflicts_with_all = ["agent", "schema", "json"])]
    count: bool,
    /// Print the JSON schema of configuration files
    #[arg(long, conflicts_with_all = ["agent", "json"])]
    schema: bool,
    /// Print the agent's configuration file; without an agent, all names
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct List {
    agents: &'static [&'static str],
    halving_agents: &'static [&'static str],
    single_player_agents: &'static [&'static str],
    video_agents: &'static [&'static str],
}

const LIST: List = List {
    agents: COLLECTION,
    halving_agents: SHOT_COLLECTION,
    single_player_agents: NESTED_COLLECTION,
    video_agents: VIDEO_COLLECTION,
};

impl Agents {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if self.count {
            writeln!(out, "{}", Config::variants().count())?;
            return Ok(());
        }
        if self.schema {
            return Ok(print_json(&schema())?);
        }
        match self.agent.as_deref() {
            None if self.json => Ok(print_json(&LIST)?),
            None => list(&mut out),
            Some(argument) => match find_agent(argument)?.fixed() {
                None if self.json => Err(Failure::Failed(format!(
                    "`{AUTO}` is no configuration but a choice by the rules of the game; \
                     `regulus agents {AUTO}` says between which"
                ))),
                None => {
                    writeln!(out, "{AUTO}: chooses by the rules of the game.")?;
                    for sentence in auto_in_words() {
                        writeln!(out, "- {sentence}")?;
                    }
                    Ok(())
                }
                Some(agent) if self.json => Ok(writeln!(out, "{}", write(agent).trim_end())?),
                Some(agent) => tell(&mut out, agent),
            },
        }
    }
}

fn list(out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "For board games:\n")?;
    for name in COLLECTION {
        writeln!(out, "{name}")?;
    }
    writeln!(out, "\nFor board games, halving in the whole tree:\n")?;
    for name in SHOT_COLLECTION {
        writeln!(out, "{name}")?;
    }
    writeln!(out, "\nFor board games with one player:\n")?;
    for name in NESTED_COLLECTION {
        writeln!(out, "{name}")?;
    }
    writeln!(out, "\nFor video games:\n")?;
    for name in VIDEO_COLLECTION {
        writeln!(out, "{name}")?;
    }
    writeln!(
        out,
        "\n`regulus agents NAME` explains one of them. Others are built the same way:\n\
         {BOARD_PATTERN}\n\
         {SHOT_PATTERN}\n\
         {NESTED_PATTERN}\n\
         {VIDEO_PATTERN}\n\
         `{AUTO}` chooses by the rules of a board game; a path to a .json file is an agent of your own."
    )?;
    Ok(())
}

/// Explains an agent, one sentence after the other.
fn tell(out: &mut impl Write, agent: &dyn Described) -> Result<(), Failure> {
    for line in explain(agent).lines() {
        let (mark, sentence) = line.strip_prefix("- ").map_or(("", line), |rest| ("- ", rest));
        let indented = wrapped(sentence, 86).replace('\n', "\n  ");
        writeln!(out, "{mark}{indented}")?;
    }
    Ok(())
}
