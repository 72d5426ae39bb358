//! Rules that can be run, by whatever runs them best.

use regulus_game::{Engine, Moves, Random, Step};
use regulus_rbg::Game;
use regulus_rbg::declarations::{Piece, Player, Variable};
use regulus_reasoner::native::{Native, NativeState};
use regulus_reasoner::{Interpreter, Playouts, RunError, State, perft};

/// Rules that can be run. Each thread makes its own worker of them.
pub enum Rules {
    /// As machine code.
    Native(Native),
    /// By the interpreter, since no machine code could be made.
    Interpreted {
        /// The interpreter.
        rules: Interpreter,
        /// Why there is no machine code.
        why: String,
    },
}

impl Rules {
    /// Prepares the interpreter, whatever else could run the game.
    pub fn interpreted(game: &Game, why: String) -> Self {
        Rules::Interpreted { rules: Interpreter::new(game), why }
    }

    /// Why the rules are interpreted; nothing if they are not.
    pub fn why_interpreted(&self) -> Option<&str> {
        match self {
            Rules::Native(_) => None,
            Rules::Interpreted { why, .. } => Some(why),
        }
    }
}

/// A state of whatever runs some [`Rules`].
#[derive(Clone, Debug)]
pub enum RulesState {
    /// Of machine code.
    Native(NativeState),
    /// Of the interpreter.
    Interpreted(State),
}

/// Does the same with either engine: `$engine` is a new worker, `$state` its state.
macro_rules! on {
    ($rules:expr, $known:expr, |$engine:ident, $state:ident| $body:expr) => {
        match ($rules, $known) {
            (Rules::Native(native), RulesState::Native($state)) => {
                #[allow(unused_mut)]
                let mut $engine = native.worker();
                $body
            }
            (Rules::Interpreted { rules, .. }, RulesState::Interpreted($state)) => {
                #[allow(unused_mut)]
                let mut $engine = rules.worker();
                $body
            }
            _ => panic!("a state of other rules"),
        }
    };
}

/// One question at a time, for whoever asks a few of them: people at a board, recorded games. A search
/// makes a worker and keeps it.
impl Rules {
    /// The game.
    pub fn game(&self) -> &Game {
        match self {
            Rules::Native(native) => native.game(),
            Rules::Interpreted { rules, .. } => rules.game(),
        }
    }

    /// The state in which the game begins, before the keeper has done anything.
    pub fn initial(&self) -> RulesState {
        match self {
            Rules::Native(native) => RulesState::Native(native.initial()),
            Rules::Interpreted { rules, .. } => RulesState::Interpreted(rules.initial()),
        }
    }

    /// Lets the keeper move; false if it is stuck.
    pub fn run_keeper(&self, state: &mut RulesState) -> Result<bool, RunError> {
        on!(self, state, |engine, state| engine.run_keeper(state))
    }

    /// Adds all legal moves.
    pub fn list(&self, state: &mut RulesState, moves: &mut Moves) -> Result<(), RunError> {
        on!(self, state, |engine, state| engine.list(state, moves))
    }

    /// True if a move is legal.
    pub fn is_legal(&self, state: &mut RulesState, steps: &[Step]) -> Result<bool, RunError> {
        on!(self, state, |engine, state| engine.is_legal(state, steps))
    }

    /// Makes a legal move.
    pub fn apply(&self, state: &mut RulesState, steps: &[Step]) {
        on!(self, state, |engine, state| engine.apply(state, steps));
    }

    /// The semimoves with which a move can go on that begins with some semimoves; none if that is a whole move.
    /// Nothing if no move begins like that.
    pub fn semimoves(
        &self,
        state: &RulesState,
        begun: &[Step],
    ) -> Result<Option<Vec<Step>>, RunError> {
        on!(self, state, |engine, state| {
            let (mut state, mut next) = (state.clone(), Vec::new());
            engine.semimoves(&mut state, &mut next)?;
            for step in begun {
                if !next.contains(step) || engine.apply_step(&mut state, *step).is_none() {
                    return Ok(None);
                }
                next.clear();
                if !engine.is_nodal(&state) {
                    engine.semimoves(&mut state, &mut next)?;
                }
            }
            Ok(Some(next))
        })
    }

    /// How many sequences of `depth` moves there are.
    pub fn perft(&self, state: &RulesState, depth: u32) -> Result<u64, RunError> {
        on!(self, state, |engine, state| perft(&mut engine, state, depth))
    }

    /// Plays random games to their end: by moves, or with `split` by semimoves.
    pub fn playouts(
        &self,
        state: &RulesState,
        count: u64,
        split: bool,
        random: &mut Random,
    ) -> Result<Playouts, RunError> {
        on!(self, state, |engine, start| {
            let (mut sums, mut state, mut scores) =
                (Playouts::default(), start.clone(), Vec::new());
            for _ in 0..count {
                state.clone_from(start);
                let length = engine.playout(&mut state, split, random)?;
                scores.clear();
                scores.extend((1..=engine.players()).map(|p| engine.score(&state, p)));
                sums.add(length, length, &scores);
            }
            Ok(sums)
        })
    }

    /// A hash of what the rest of the game depends on; states of other rules have others.
    pub fn position_key(&self, state: &RulesState) -> u64 {
        on!(self, state, |engine, state| engine.position_key(state))
    }

    /// The number of the player to move, from 1; 0 is the keeper.
    pub fn player(&self, state: &RulesState) -> usize {
        match (self, state) {
            (Rules::Native(native), RulesState::Native(state)) => native.player(state),
            (_, RulesState::Interpreted(state)) => state.player(),
            _ => panic!("a state of other rules"),
        }
        .0
        .into()
    }

    /// The piece on every vertex.
    pub fn pieces(&self, state: &RulesState) -> Vec<Piece> {
        let board = &self.game().board;
        match (self, state) {
            (Rules::Native(native), RulesState::Native(state)) => {
                board.vertices().map(|v| native.piece(state, v)).collect()
            }
            (_, RulesState::Interpreted(state)) => {
                board.vertices().map(|v| state.piece(v)).collect()
            }
            _ => panic!("a state of other rules"),
        }
    }

    /// The value of a variable.
    pub fn variable(&self, state: &RulesState, variable: Variable) -> u32 {
        match (self, state) {
            (Rules::Native(native), RulesState::Native(state)) => native.variable(state, variable),
            (_, RulesState::Interpreted(state)) => state.variable(variable),
            _ => panic!("a state of other rules"),
        }
    }

    /// Every player's score.
    pub fn scores(&self, state: &RulesState) -> Vec<u32> {
        let players = 1..=self.game().declarations.players().len() as u8;
        let score = |p: u8| Player(p).score().map_or(0, |v| self.variable(state, v));
        players.map(score).collect()
    }
}
