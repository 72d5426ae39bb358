//! One way to drive every engine of the crate, so that a test is written once and run on all.

#![allow(dead_code, reason = "each test file uses its part")]

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use regulus_game::{Engine as Runs, MoveGroups, Moves, Random, Step};
use regulus_rbg::declarations::{PieceSet, Player, Variable};
use regulus_rbg::rule::{Rule, RuleKind};
use regulus_rbg::{Game, Source, Vertex, load};
use regulus_reasoner::native::{Native, NativeState, NativeWorker};
use regulus_reasoner::{Interpreter, RunError, State, Worker};

/// A position as anyone can see it, whatever the engine.
#[derive(Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Facts {
    pub pieces: Vec<u8>,
    pub variables: Vec<u32>,
    pub vertex: u16,
    pub player: u8,
}

/// Moves that were made, and where they lead.
pub type Taken<S> = Vec<(Vec<Step>, S)>;

/// What every engine can do.
pub trait Engine {
    type State: Clone + PartialEq + Debug;
    fn initial(&self) -> Self::State;
    fn facts(&self, state: &Self::State) -> Facts;
    fn run_keeper(&mut self, state: &mut Self::State) -> Result<bool, RunError>;
    fn list(&mut self, state: &mut Self::State) -> Result<Vec<Vec<Step>>, RunError>;
    fn apply(&mut self, state: &mut Self::State, steps: &[Step]);
    fn perft(&mut self, state: &Self::State, depth: u32) -> Result<u64, RunError>;
}

/// What an engine can answer without a list, and what a search needs.
pub trait Questions: Engine {
    fn count(&mut self, state: &mut Self::State) -> Result<u64, RunError>;
    fn nth(&mut self, state: &mut Self::State, index: u64) -> Result<Option<Vec<Step>>, RunError>;
    fn sample(
        &mut self,
        state: &mut Self::State,
        random: &mut Random,
    ) -> Result<Option<Vec<Step>>, RunError>;
    fn is_legal(&mut self, state: &mut Self::State, steps: &[Step]) -> Result<bool, RunError>;
    /// The moves that can be taken from groups, and where they lead.
    fn grouped(&mut self, state: &mut Self::State) -> Result<Taken<Self::State>, RunError>;
    /// Applies a move, calls `f`, and takes the move back.
    fn with_move(
        &mut self,
        state: &mut Self::State,
        steps: &[Step],
        f: &mut dyn FnMut(&mut Self, &mut Self::State),
    );
    /// Applies one step, calls `f`, and takes the step back. False if the step is not possible.
    fn with_step(
        &mut self,
        state: &mut Self::State,
        step: Step,
        f: &mut dyn FnMut(&mut Self, &mut Self::State),
    ) -> bool;
    fn semimoves(&mut self, state: &mut Self::State) -> Result<Vec<Step>, RunError>;
    fn is_nodal(&self, state: &Self::State) -> bool;
    fn hash(&self, state: &Self::State) -> u64;
    fn recomputed_hash(&self, state: &Self::State) -> u64;
}

/// Rules that an engine can be made of.
pub trait Rules {
    type State: Clone + PartialEq + Debug;
    type Worker: Runs<State = Self::State, Error = RunError>;
    fn worker(&self) -> Self::Worker;
    fn game(&self) -> &Game;
    fn piece(&self, state: &Self::State, vertex: Vertex) -> u8;
    fn variable(&self, state: &Self::State, variable: Variable) -> u32;
    fn vertex(&self, state: &Self::State) -> Vertex;
    fn recomputed_hash(&self, state: &Self::State) -> u64;
}

impl Rules for Interpreter {
    type State = State;
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Interpreter::worker(self)
    }

    fn game(&self) -> &Game {
        Interpreter::game(self)
    }

    fn piece(&self, state: &State, vertex: Vertex) -> u8 {
        state.piece(vertex).0
    }

    fn variable(&self, state: &State, variable: Variable) -> u32 {
        state.variable(variable)
    }

    fn vertex(&self, state: &State) -> Vertex {
        state.vertex()
    }

    fn recomputed_hash(&self, state: &State) -> u64 {
        state.recomputed_hash()
    }
}

impl Rules for Native {
    type State = NativeState;
    type Worker = NativeWorker;

    fn worker(&self) -> NativeWorker {
        Native::worker(self)
    }

    fn game(&self) -> &Game {
        (**self).game()
    }

    fn piece(&self, state: &NativeState, vertex: Vertex) -> u8 {
        (**self).piece(state, vertex).0
    }

    fn variable(&self, state: &NativeState, variable: Variable) -> u32 {
        (**self).variable(state, variable)
    }

    fn vertex(&self, state: &NativeState) -> Vertex {
        (**self).vertex(state)
    }

    fn recomputed_hash(&self, state: &NativeState) -> u64 {
        state.recomputed_hash()
    }
}

/// An engine and its rules.
pub struct Running<'r, R: Rules> {
    pub rules: &'r R,
    pub worker: R::Worker,
}

/// The interpreter.
pub type Interpreted<'r> = Running<'r, Interpreter>;

/// Native code.
pub type Compiled<'r> = Running<'r, Native>;

impl<'r, R: Rules> Running<'r, R> {
    pub fn new(rules: &'r R) -> Self {
        Running { rules, worker: rules.worker() }
    }
}

/// The moves of all groups that turn out to be legal. What is illegal must change nothing.
fn taken<E>(engine: &mut E, state: &mut E::State) -> Result<Taken<E::State>, RunError>
where
    E: Runs<Error = RunError>,
    E::State: PartialEq + Debug,
{
    let mut groups = MoveGroups::default();
    engine.groups(state, &mut groups)?;
    let mut taken = Vec::new();
    for number in 0..groups.len() {
        let it = groups.nth(number).expect("a move for every number");
        let (mut after, mut steps) = (state.clone(), Vec::new());
        if engine.apply_grouped(&mut after, &groups, it, &mut steps)? {
            taken.push((steps, after));
        } else {
            assert!(steps.is_empty(), "an illegal move has left steps");
            assert_eq!(after, *state, "an illegal move has changed the state");
        }
    }
    Ok(taken)
}

fn to_vec(moves: &Moves) -> Vec<Vec<Step>> {
    moves.iter().map(<[Step]>::to_vec).collect()
}

impl<R: Rules> Engine for Running<'_, R> {
    type State = R::State;

    fn initial(&self) -> R::State {
        self.worker.initial()
    }

    fn facts(&self, state: &R::State) -> Facts {
        let (game, rules) = (self.rules.game(), self.rules);
        let variables = game.declarations.variables().len() as u16;
        Facts {
            pieces: game.board.vertices().map(|v| rules.piece(state, v)).collect(),
            variables: (0..variables).map(|v| rules.variable(state, Variable(v))).collect(),
            vertex: rules.vertex(state).0,
            player: self.worker.player(state) as u8,
        }
    }

    fn run_keeper(&mut self, state: &mut R::State) -> Result<bool, RunError> {
        self.worker.run_keeper(state)
    }

    fn list(&mut self, state: &mut R::State) -> Result<Vec<Vec<Step>>, RunError> {
        let mut moves = Moves::new();
        self.worker.list(state, &mut moves)?;
        Ok(to_vec(&moves))
    }

    fn apply(&mut self, state: &mut R::State, steps: &[Step]) {
        self.worker.apply(state, steps);
    }

    fn perft(&mut self, state: &R::State, depth: u32) -> Result<u64, RunError> {
        regulus_reasoner::perft(&mut self.worker, state, depth)
    }
}

impl<R: Rules> Questions for Running<'_, R> {
    fn count(&mut self, state: &mut R::State) -> Result<u64, RunError> {
        self.worker.count(state)
    }

    fn nth(&mut self, state: &mut R::State, index: u64) -> Result<Option<Vec<Step>>, RunError> {
        let mut steps = Vec::new();
        let found = self.worker.nth(state, index, &mut steps)?;
        Ok(found.then_some(steps))
    }

    fn sample(
        &mut self,
        state: &mut R::State,
        random: &mut Random,
    ) -> Result<Option<Vec<Step>>, RunError> {
        let mut steps = Vec::new();
        let found = self.worker.sample(state, random, &mut steps)?;
        Ok(found.then_some(steps))
    }

    fn is_legal(&mut self, state: &mut R::State, steps: &[Step]) -> Result<bool, RunError> {
        self.worker.is_legal(state, steps)
    }

    fn grouped(&mut self, state: &mut R::State) -> Result<Taken<R::State>, RunError> {
        taken(&mut self.worker, state)
    }

    fn with_move(
        &mut self,
        state: &mut R::State,
        steps: &[Step],
        f: &mut dyn FnMut(&mut Self, &mut R::State),
    ) {
        let undo = self.worker.apply_with_undo(state, steps);
        f(self, state);
        self.worker.undo(state, undo);
    }

    fn with_step(
        &mut self,
        state: &mut R::State,
        step: Step,
        f: &mut dyn FnMut(&mut Self, &mut R::State),
    ) -> bool {
        let Some(undo) = self.worker.apply_step(state, step) else { return false };
        f(self, state);
        self.worker.undo(state, undo);
        true
    }

    fn semimoves(&mut self, state: &mut R::State) -> Result<Vec<Step>, RunError> {
        let mut semimoves = Vec::new();
        self.worker.semimoves(state, &mut semimoves)?;
        Ok(semimoves)
    }

    fn is_nodal(&self, state: &R::State) -> bool {
        self.worker.is_nodal(state)
    }

    fn hash(&self, state: &R::State) -> u64 {
        self.worker.hash(state)
    }

    fn recomputed_hash(&self, state: &R::State) -> u64 {
        self.rules.recomputed_hash(state)
    }
}

/// Native code of a game, or why there is none. Some code is made when it is first needed, so that is
/// tried here. All its memory ends at pages that cannot be accessed.
pub fn native(game: &Game) -> Result<Native, String> {
    let native = Native::guarded(game).map_err(|why| why.0)?;
    let mut state = native.initial();
    let tried = Runs::run_keeper(&mut native.worker(), &mut state);
    match tried {
        Err(why @ RunError::NoNativeCode) => Err(why.to_string()),
        _ => Ok(native),
    }
}

/// Some random games come to an end, with scores within their bounds.
pub fn assert_ends(what: &str, native: &Native, split: bool, games: usize, random: &mut Random) {
    let mut worker = native.worker();
    for _ in 0..games {
        let mut state = native.initial();
        let length = worker.playout(&mut state, split, random);
        assert!(length.is_ok_and(|length| length > 0), "{what}");
        for player in 1..=worker.players() {
            assert!(worker.score(&state, player) <= worker.score_bound(player), "{what}");
        }
    }
}

/// The rules with a keeper who is stuck at once.
pub fn stuck(rule: &Rule) -> Rule {
    let all = |parts: &[Rule]| parts.iter().map(stuck).collect::<Vec<Rule>>();
    let kind = match &rule.kind {
        RuleKind::Switch(Player(0), _) => {
            let never = Rule::new(RuleKind::On(PieceSet::EMPTY), rule.place);
            RuleKind::Concatenation(vec![rule.clone(), never])
        }
        RuleKind::Concatenation(parts) => return Rule::concatenation(all(parts), rule.place),
        RuleKind::Sum(parts) => RuleKind::Sum(all(parts)),
        RuleKind::Star(body) => RuleKind::Star(Box::new(stuck(body))),
        kind => kind.clone(),
    };
    Rule::new(kind, rule.place)
}

/// A built-in game.
pub fn built_in(name: &str) -> Game {
    let game = regulus_games::find(name).expect("the game is built in");
    load(&Source::new(name, game.text)).game.expect("built-in games are right")
}

/// The files of the reference, which lie beside the project on some machines.
pub fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if shared.exists() {
        return Some(shared);
    }
    println!("skipped: {} is not there", shared.display());
    None
}

/// A game of the reference.
pub fn reference(shared: &Path, name: &str) -> Option<Game> {
    let files =
        ["games/rbg", "games/rbg/nsplit"].map(|f| shared.join(f).join(format!("{name}.rbg")));
    let file = files.iter().find(|f| f.exists())?;
    let bytes = std::fs::read(file).expect("the file can be read");
    load(&Source::from_bytes(name, bytes)).game
}
