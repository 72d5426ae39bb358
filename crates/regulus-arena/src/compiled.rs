//! What contests of the same game can share: machine code.

use std::sync::Arc;

use regulus_agent::Agent;
use regulus_player::{PreparedAgent, Rules};

use crate::compiled_contest::rules;
use crate::contest::GameText;

/// The rules of one game as its referee and its agents need them, compiled when they are first asked for.
/// Those of the game before are forgotten.
#[derive(Default)]
pub struct Compiled {
    /// The hash of the rules.
    game: String,
    rules: Option<Arc<Rules>>,
    prepared_agents: Vec<(Agent, Arc<PreparedAgent>)>,
}

impl Compiled {
    fn turn_to(&mut self, game: &GameText) {
        if self.game != game.record.sha256 {
            *self = Compiled { game: game.record.sha256.clone(), ..Compiled::default() };
        }
    }

    /// The rules for a referee.
    pub fn rules(&mut self, game: &GameText) -> Arc<Rules> {
        self.turn_to(game);
        Arc::clone(self.rules.get_or_insert_with(|| Arc::new(rules(&game.game))))
    }

    /// An agent. Names do not matter.
    pub fn prepared_agent(&mut self, agent: &Agent, game: &GameText) -> Arc<PreparedAgent> {
        self.turn_to(game);
        let same = |(other, _): &&(Agent, Arc<PreparedAgent>)| {
            (&other.search, other.split) == (&agent.search, agent.split)
        };
        if let Some((_, prepared_agent)) = self.prepared_agents.iter().find(same) {
            return Arc::clone(prepared_agent);
        }
        let prepared_agent = Arc::new(PreparedAgent::new(agent, &game.game));
        self.prepared_agents.push((agent.clone(), Arc::clone(&prepared_agent)));
        prepared_agent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regulus_rbg::Source;

    fn game(name: &str) -> GameText {
        let text = regulus_games::find(name).expect("a game").text;
        let game = regulus_rbg::load(&Source::new(name, text)).game.expect("rules");
        GameText::new(name, None, text, game)
    }

    #[test]
    fn agents_are_compiled_once_for_every_game() {
        let agent = |name: &str| regulus_agent::by_name(name).expect("an agent");
        let (orthodox, split) =
            (agent("mcts_orthodox_orthodox"), agent("mctsM_semisplitNodal_semisplit"));
        let (one, other) = (game("tic-tac-toe"), game("breakthrough"));
        let mut compiled = Compiled::default();
        let first = compiled.prepared_agent(&orthodox, &one);
        let renamed = Agent { name: "another".to_owned(), ..orthodox.clone() };
        assert!(Arc::ptr_eq(&first, &compiled.prepared_agent(&renamed, &one)));
        assert!(!Arc::ptr_eq(&first, &compiled.prepared_agent(&split, &one)));
        assert!(Arc::ptr_eq(&compiled.rules(&one), &compiled.rules(&one)));
        assert!(!Arc::ptr_eq(&first, &compiled.prepared_agent(&orthodox, &other)));
        assert_eq!(Arc::strong_count(&first), 1, "those of the game before are forgotten");
    }
}
