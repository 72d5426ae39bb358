//! Parameters of genetic programming.

use crate::component::Chosen;
use crate::parameter::{Component, ComponentWord, Kind, Parameter, Value, words};
use crate::video::playout::Span;

/// The play-out.
pub(in crate::video) const COMPONENT: Component = Component {
    name: "stgp",
    help: "the action that an evolved program prefers, or any (strongly typed genetic programming, \
           Algorithms 4.1, 4.3 to 4.5)",
    // GVGAI-THESIS 5.2.6.
    keys: &[
        Parameter::epsilon("playout.epsilon", 0.4),
        Parameter::count("playout.population", "how many programs there are", (2, 10_000), 100),
        Parameter::count("playout.initial_depth", "the deepest program at first", (1, 16), 5),
        Parameter::count("playout.max_depth", "the deepest program", (1, 16), 10),
        Parameter {
            path: "playout.generation",
            kind: Kind::Choice(Generation::WORDS),
            default: Value::Word("grow"),
            help: "whether leaves of the first programs are anywhere or at the greatest depth",
            published: "",
        },
        probability("playout.crossover", "the probability that two programs are crossed", 0.8),
        probability("playout.mutation", "the probability that a program is mutated", 0.2),
        Parameter::count(
            "playout.tournament",
            "how many programs are compared for places in the next population",
            (1, 10_000),
            2,
        ),
        Parameter::count("playout.winners", "how many of them get one", (1, 10_000), 1),
        Parameter::count(
            "playout.action_evaluation",
            "how many actions are compared in a tick; 0 is all",
            (0, 1000),
            0,
        ),
        Parameter {
            path: "playout.bounds",
            kind: Kind::Choice(Span::WORDS),
            default: Value::Word("game"),
            help: "whether the least and the greatest score that programs can ask for are those of the game so far, or of \
                   the tick",
            published: "game: \"the global maximum of scores [...] obtained so far\" (GVGAI-THESIS Table 4.2)",
        },
    ],
    words: &[ComponentWord::video("stgp").number("epsilon")],
};

const fn probability(path: &'static str, help: &'static str, default: f64) -> Parameter {
    Parameter::number(path, help, (0.0, 1.0), default)
}

/// Parameters of genetic programming.
#[derive(Clone, PartialEq, Debug)]
pub struct Stgp {
    /// The probability of any action.
    pub epsilon: f64,
    /// Individuals.
    pub population: u32,
    /// The deepest tree at the beginning.
    pub initial_depth: u32,
    /// The deepest tree.
    pub max_depth: u32,
    /// How trees are made at the beginning.
    pub generation: Generation,
    /// The probability that two individuals are crossed.
    pub crossover: f64,
    /// The probability that an individual is mutated.
    pub mutation: f64,
    /// Individuals that are compared for a place in the next population.
    pub tournament: u32,
    /// How many of them get one.
    pub winners: u32,
    /// How many random actions are compared in a tick of a play-out; 0 is all.
    pub action_evaluation: u32,
    /// Which iterations the global minimum and maximum of scores are of (Table 4.2).
    pub bounds: Span,
}

impl Default for Stgp {
    fn default() -> Self {
        Stgp::of(&COMPONENT.usual())
    }
}

impl Stgp {
    /// The part with its parameters.
    pub(in crate::video) fn values(&self) -> Chosen {
        let values = [
            ("epsilon", self.epsilon),
            ("population", f64::from(self.population)),
            ("initial_depth", f64::from(self.initial_depth)),
            ("max_depth", f64::from(self.max_depth)),
            ("generation", if self.generation == Generation::Grow { 0.0 } else { 1.0 }),
            ("crossover", self.crossover),
            ("mutation", self.mutation),
            ("tournament", f64::from(self.tournament)),
            ("winners", f64::from(self.winners)),
            ("action_evaluation", f64::from(self.action_evaluation)),
            ("bounds", self.bounds.number()),
        ];
        Chosen::new(COMPONENT.name, &values)
    }

    /// The other way round.
    pub(in crate::video) fn of(part: &Chosen) -> Self {
        let is_full = part.flag("generation");
        Stgp {
            epsilon: part.number("epsilon"),
            population: part.count("population"),
            initial_depth: part.count("initial_depth"),
            max_depth: part.count("max_depth"),
            generation: if is_full { Generation::Full } else { Generation::Grow },
            crossover: part.number("crossover"),
            mutation: part.number("mutation"),
            tournament: part.count("tournament"),
            winners: part.count("winners"),
            action_evaluation: part.count("action_evaluation"),
            bounds: Span::of(part, "bounds"),
        }
    }
}

/// How trees are made (Algorithm 4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// All leaves are at the greatest depth.
    Full,
    /// Leaves are anywhere.
    Grow,
}

words!(Generation { Grow = "grow", Full = "full" });
