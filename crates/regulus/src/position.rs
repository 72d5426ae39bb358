//! A position of a game that is going on, with all that led to it.

use regulus_game::{Engine, Moves, Step};
use regulus_player::wire;
use regulus_reasoner::{Interpreter, State, Worker};

use crate::commands::perft::run_failure;
use crate::failure::Failure;
use crate::move_text::move_words;

/// A position after the keeper, its legal moves, and the moves before it. The interpreter is fast enough
/// for it: nobody plays more than a few moves a second.
pub struct Position<'r> {
    rules: &'r Interpreter,
    engine: Worker<'r>,
    state: State,
    legal: Moves,
    words: Vec<Vec<String>>,
    past: Vec<(State, Vec<Step>)>,
}

impl<'r> Position<'r> {
    /// The beginning of a game.
    pub fn new(rules: &'r Interpreter) -> Result<Self, Failure> {
        let (engine, state) = (rules.worker(), rules.initial());
        let (legal, words, past) = (Moves::new(), Vec::new(), Vec::new());
        let mut position = Position { rules, engine, state, legal, words, past };
        position.arrive()?;
        Ok(position)
    }

    /// Lets the keeper move and lists the legal moves, in the order of the board.
    fn arrive(&mut self) -> Result<(), Failure> {
        let mut listed = Moves::new();
        if self.engine.keeper(&mut self.state).map_err(run_failure)? {
            self.engine.list(&mut self.state, &mut listed).map_err(run_failure)?;
        }
        let mut order: Vec<&[Step]> = listed.iter().collect();
        order.sort_by(|a, b| {
            let by_vertex = a.iter().map(|s| s.vertex).cmp(b.iter().map(|s| s.vertex));
            by_vertex.then_with(|| a.cmp(b))
        });
        self.legal.clear();
        order.into_iter().for_each(|steps| self.legal.push(steps));
        let (rules, engine, state) = (self.rules, &mut self.engine, &self.state);
        let changes = |steps: &[Step]| {
            let mut after = state.clone();
            engine.apply(&mut after, steps);
            engine.keeper(&mut after)?;
            let board = &rules.game().board;
            Ok(board.vertices().any(|v| after.piece(v) != state.piece(v)))
        };
        self.words = move_words(rules.program(), &self.legal, changes).map_err(run_failure)?;
        Ok(())
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// All legal moves; none if the game is over.
    pub fn legal(&self) -> &Moves {
        &self.legal
    }

    /// The legal moves in words.
    pub fn words(&self) -> &[Vec<String>] {
        &self.words
    }

    /// The number of the player to move, from 1; 0 if the keeper is stuck.
    pub fn player(&self) -> usize {
        self.engine.player(&self.state)
    }

    /// The name of the player to move.
    pub fn player_name(&self) -> &'r str {
        self.rules.game().declarations.player_name(self.state.player())
    }

    /// Every player's score.
    pub fn scores(&self) -> Vec<u32> {
        (1..=self.engine.players()).map(|p| self.engine.score(&self.state, p)).collect()
    }

    /// The moves that led here.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &[Step]> {
        self.past.iter().map(|(_, steps)| steps.as_slice())
    }

    /// Plays a legal move.
    pub fn play(&mut self, steps: &[Step]) -> Result<(), Failure> {
        self.past.push((self.state.clone(), steps.to_vec()));
        self.engine.apply(&mut self.state, steps);
        self.arrive()
    }

    /// Goes back to the last earlier position in which a player was to move; false if there is none.
    pub fn take_back(&mut self, player: usize) -> Result<bool, Failure> {
        let earlier = self.past.iter().rposition(|(state, _)| self.engine.player(state) == player);
        let Some(index) = earlier else { return Ok(false) };
        self.state = self.past[index].0.clone();
        self.past.truncate(index);
        self.arrive()?;
        Ok(true)
    }

    /// Plays moves in the wire encoding, separated by commas.
    pub fn replay(&mut self, text: &str) -> Result<(), Failure> {
        let moves = text.split(',').map(str::trim);
        for (i, one) in moves.enumerate().filter(|(_, one)| !one.is_empty()) {
            let number = i + 1;
            let steps = wire::parse(one).map_err(|why| {
                Failure::Failed(format!("move {number} of the position (`{one}`): {why}"))
            })?;
            if !self.legal.iter().any(|legal| legal == steps) {
                let why = if self.legal.is_empty() {
                    "the game is over before it".to_owned()
                } else {
                    format!(
                        "it is illegal; {} has {} legal moves here, one is `{}`",
                        self.player_name(),
                        self.legal.len(),
                        wire::text(self.legal.get(0))
                    )
                };
                return Err(Failure::Failed(format!(
                    "move {number} of the position (`{one}`): {why}"
                )));
            }
            self.play(&steps)?;
        }
        Ok(())
    }

    /// The result in words: who wins, and all scores.
    pub fn result(&self) -> String {
        let players = self.rules.game().declarations.players();
        let scores = self.scores();
        let best = scores.iter().copied().max().unwrap_or(0);
        let leaders: Vec<&str> = players
            .iter()
            .zip(&scores)
            .filter(|(_, score)| **score == best)
            .map(|(name, _)| name.as_str())
            .collect();
        let all: Vec<String> =
            players.iter().zip(&scores).map(|(name, score)| format!("{name} {score}")).collect();
        match leaders.as_slice() {
            [name] if players.len() == 1 => {
                let bound = self.engine.score_bound(1);
                format!("{name} has {best} of {bound} points")
            }
            [name] => format!("{name} wins ({})", all.join(", ")),
            _ if leaders.len() == players.len() => format!("a draw, {best} each"),
            _ => format!("{} share the first place ({})", leaders.join(" and "), all.join(", ")),
        }
    }
}
