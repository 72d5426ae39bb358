//! Reading configurations for video games.

use regulus_search::video::{Algorithm, Config, Evolution, Mcts, Score};

use crate::agent::VideoAgent;
use crate::file::{Layout, Sections};
use crate::parameter::{
    CLOSED_LOOP_MCTS, MICROBIAL_GA, ONE_STEP, OPEN_LOOP_MCTS, ROLLING_HORIZON, VIDEO,
};
use crate::problem::{Problem, problem};

/// Reads a configuration.
pub(crate) fn read(name: &str, file: &Layout) -> Result<VideoAgent, Problem> {
    if let Some(heuristics) = file.get("heuristics") {
        let reason = "agents for video games have none: their parts are in algorithm.parameters";
        return Err(problem("heuristics", Some(heuristics), reason));
    }
    let sections = file.sections()?;
    let chosen = file.algorithm.name;
    let algorithm = if chosen == ONE_STEP.name {
        let mut score = Score::default();
        sections.apply(Config::ONE_STEP, &mut score)?;
        Algorithm::OneStep { score }
    } else if chosen == OPEN_LOOP_MCTS.name {
        search(Mcts::default(), &sections)?
    } else if chosen == CLOSED_LOOP_MCTS.name {
        search(Mcts::closed_loop(), &sections)?
    } else if chosen == ROLLING_HORIZON.name {
        evolution(Evolution::rolling_horizon(), &sections)?
    } else if chosen == MICROBIAL_GA.name {
        evolution(Evolution::microbial(), &sections)?
    } else {
        Algorithm::Random
    };
    let config = Config { algorithm, seed: 0 };
    config.validate().map_err(|refusal| Problem {
        key: format!("algorithm.parameters.{}", refusal.parameter),
        value: Some(refusal.value),
        message: refusal.reason,
    })?;
    let mut agent = VideoAgent { name: name.to_owned(), config, ..VideoAgent::usual() };
    sections.apply(VIDEO, &mut agent)?;
    Ok(agent)
}

fn search(mut search: Mcts, sections: &Sections<'_>) -> Result<Algorithm, Problem> {
    sections.apply(Mcts::settings(), &mut search)?;
    if search.uses_statistics() {
        let usual = Mcts::default();
        let keys = Mcts::NGRAMS.iter().map(|setting| setting.parameter(&usual)).collect();
        let ngrams = sections.object("ngrams", keys)?;
        for setting in Mcts::NGRAMS {
            ngrams.apply(setting, &mut search)?;
        }
    }
    Ok(Algorithm::Mcts(Box::new(search)))
}

fn evolution(mut evolution: Evolution, sections: &Sections<'_>) -> Result<Algorithm, Problem> {
    sections.apply(Evolution::SETTINGS, &mut evolution)?;
    Ok(Algorithm::Evolution(evolution))
}
