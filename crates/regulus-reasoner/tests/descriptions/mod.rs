//! Descriptions that nobody wrote, each from a seed (or from bytes): mutants of real games, small random
//! games, and games that ask for much of something.

#![allow(dead_code, reason = "each user needs its part")]

mod choices;
mod draft;
mod extremes;
mod mutation;
mod shrink;
mod small;
mod surroundings;

use regulus_game::Random;
use regulus_rbg::{Game, Source, load};
use regulus_reasoner::Interpreter;

pub use choices::Choices;
pub use draft::Draft;
pub use shrink::shrink;

use crate::comparison::walks::{Budget, moves};

/// Where descriptions come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A real game with a few changes.
    Mutant,
    /// A small random game.
    Small,
    /// A game with too much of something.
    Extreme,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Mutant, Kind::Small, Kind::Extreme];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Mutant => "mutant",
            Kind::Small => "small",
            Kind::Extreme => "extreme",
        }
    }

    /// The kind that a seed gives when any is wanted.
    pub fn of_seed(seed: u64) -> Kind {
        match Random::new(seed).fork(1).below(10) {
            0..=5 => Kind::Mutant,
            6..=7 => Kind::Small,
            _ => Kind::Extreme,
        }
    }
}

/// The games that mutants are made of.
pub struct Originals(Vec<Draft>);

impl Originals {
    /// The built-in games.
    pub fn built_in() -> Originals {
        let games = regulus_games::GAMES.iter().map(|game| game.text);
        Originals(games.filter_map(Draft::read).collect())
    }

    /// More games, as texts; what the front end refuses is left out.
    pub fn extend(&mut self, texts: impl IntoIterator<Item = String>) {
        self.0.extend(texts.into_iter().filter_map(|text| Draft::read(&text)));
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// A description and the game that the front end made of it.
pub struct Described {
    pub kind: Kind,
    pub draft: Draft,
    pub game: Game,
}

/// Attempts to get a game in which somebody can move.
const ATTEMPTS: u64 = 24;

/// The description of a seed. Random changes easily make games that are over before they begin; of these
/// only one in eight is kept.
pub fn of_seed(seed: u64, kind: Kind, originals: &Originals) -> Option<Described> {
    let random = Random::new(seed);
    let quiet = random.fork(0).below(8) == 0;
    let mut found = None;
    for attempt in 1..=ATTEMPTS {
        let choices = &mut Choices::new(random.fork(attempt));
        let Some(described) = describe(kind, originals, choices) else { continue };
        if quiet || is_lively(&described.game) {
            return Some(described);
        }
        found = found.or(Some(described));
    }
    found
}

/// A description that choices make; nothing if the front end refuses it.
pub fn describe(kind: Kind, originals: &Originals, choices: &mut Choices<'_>) -> Option<Described> {
    let draft = match kind {
        Kind::Mutant => {
            let mut draft = choices.pick(&originals.0);
            let other = &originals.0[choices.below(originals.len())];
            mutation::mutate(&mut draft, other, choices);
            draft
        }
        Kind::Small => Draft::read(&small::description(choices))?,
        Kind::Extreme => Draft::read(&extremes::description(choices))?,
    };
    let text = draft.to_string();
    let game = load(&Source::new("draft", text)).game?;
    Some(Described { kind, draft, game })
}

/// True if a player has a move at the beginning, as far as a little work shows.
fn is_lively(game: &Game) -> bool {
    let interpreter = Interpreter::new(game);
    let mut worker = interpreter.worker();
    let mut state = interpreter.initial();
    let mut budget = Budget::new(20_000);
    for _ in 0..20 {
        let Ok(found) = moves(interpreter.program(), &state, &mut budget) else { return true };
        if state.player().0 != 0 || found.is_empty() {
            return !found.is_empty();
        }
        if !matches!(worker.keeper_move(&mut state), Ok(true)) {
            return false;
        }
    }
    true
}
