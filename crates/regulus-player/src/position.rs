//! A position of a game that is going on, with all that led to it.

use std::fmt;
use std::sync::Arc;

use regulus_game::{Moves, Random, Step};
use regulus_rbg::declarations::{Piece, Player, Variable};
use regulus_reasoner::{Playouts, RunError};

use crate::loaded_game::LoadedGame;
use crate::move_words::{means, move_words};
use crate::rules::{Rules, RulesState};
use crate::wire;

/// A position after the keeper, its legal moves, and the moves before it.
#[derive(Clone)]
pub struct Position {
    game: Arc<LoadedGame>,
    state: RulesState,
    legal: Moves,
    words: Vec<Vec<String>>,
    past: Vec<Past>,
}

/// A move that was played, where, and in words.
#[derive(Clone)]
struct Past {
    state: RulesState,
    steps: Vec<Step>,
    words: Vec<String>,
}

/// A move that cannot be played, or what is wrong with the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayFault {
    /// The rules went wrong.
    Rules(RunError),
    /// This is no legal move.
    Move {
        /// Which of the moves that were given, from 1, if there may be several.
        number: Option<usize>,
        /// The move as it was given.
        text: String,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for PlayFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayFault::Rules(error) => error.fmt(f),
            PlayFault::Move { number: Some(number), text, why } => {
                write!(f, "move {number} of the position (`{text}`): {why}")
            }
            PlayFault::Move { number: None, text, why } => write!(f, "the move `{text}`: {why}"),
        }
    }
}

impl std::error::Error for PlayFault {}

impl From<RunError> for PlayFault {
    fn from(error: RunError) -> Self {
        PlayFault::Rules(error)
    }
}

impl Position {
    /// The beginning of a game.
    pub fn new(game: &Arc<LoadedGame>) -> Result<Self, RunError> {
        let (game, state) = (Arc::clone(game), game.position_rules().initial());
        let (legal, words, past) = (Moves::new(), Vec::new(), Vec::new());
        let mut position = Position { game, state, legal, words, past };
        position.arrive()?;
        Ok(position)
    }

    /// Lets the keeper move and lists the legal moves, in the order of the board.
    fn arrive(&mut self) -> Result<(), RunError> {
        let rules = self.game.position_rules();
        let mut listed = Moves::new();
        if rules.run_keeper(&mut self.state)? {
            rules.list(&mut self.state, &mut listed)?;
        }
        let mut order: Vec<&[Step]> = listed.iter().collect();
        order.sort_by(|a, b| {
            let by_vertex = a.iter().map(|s| s.vertex).cmp(b.iter().map(|s| s.vertex));
            by_vertex.then_with(|| a.cmp(b))
        });
        self.legal.clear();
        order.into_iter().for_each(|steps| self.legal.push(steps));
        let before = rules.pieces(&self.state);
        let changes = |steps: &[Step]| {
            let mut after = self.state.clone();
            rules.apply(&mut after, steps);
            rules.run_keeper(&mut after)?;
            Ok::<_, RunError>(rules.pieces(&after) != before)
        };
        self.words = move_words(self.game.program(), &self.legal, changes)?;
        Ok(())
    }

    /// The game.
    pub fn game(&self) -> &Arc<LoadedGame> {
        &self.game
    }

    /// The piece on every vertex.
    pub fn pieces(&self) -> Vec<Piece> {
        self.game.position_rules().pieces(&self.state)
    }

    /// The value of a variable.
    pub fn variable(&self, variable: Variable) -> u32 {
        self.game.position_rules().variable(&self.state, variable)
    }

    /// All legal moves; none if the game is over.
    pub fn legal(&self) -> &Moves {
        &self.legal
    }

    /// The legal moves in words.
    pub fn words(&self) -> &[Vec<String>] {
        &self.words
    }

    /// The number of a legal move, which may be given with the split points between its semimoves.
    fn index(&self, steps: &[Step]) -> Option<usize> {
        let modifiers = || steps.iter().filter(|step| step.is_modifier());
        self.legal.iter().position(|legal| legal.iter().eq(modifiers()))
    }

    /// A legal move in words; nothing if it is not legal.
    pub fn in_words(&self, steps: &[Step]) -> Option<String> {
        Some(self.words[self.index(steps)?].join(" "))
    }

    /// The numbers of the legal moves that begin with some words, as people type them.
    pub fn candidates(&self, typed: &[impl AsRef<str>]) -> Vec<usize> {
        let fits = |words: &[String]| {
            words.len() >= typed.len()
                && typed.iter().zip(words).all(|(typed, word)| means(typed.as_ref(), word))
        };
        (0..self.words.len()).filter(|i| fits(&self.words[*i])).collect()
    }

    /// The legal move that a text means: its words, of which what is not needed may be left out, or its numbers
    /// in the wire encoding.
    ///
    /// # Errors
    /// There is no such move, or more than one.
    pub fn find(&self, text: &str) -> Result<Vec<Step>, PlayFault> {
        let typed: Vec<&str> = text.split_whitespace().collect();
        let exact = self.words.iter().position(|words| typed.iter().eq(words));
        let by_number = || wire::parse(text).ok().and_then(|steps| self.index(&steps));
        if let Some(index) = exact.or_else(by_number) {
            return Ok(self.legal.get(index).to_vec());
        }
        let begin = if typed.is_empty() { Vec::new() } else { self.candidates(&typed) };
        let whole: Vec<usize> =
            begin.iter().copied().filter(|i| self.words[*i].len() == typed.len()).collect();
        let why = match (&whole[..], &begin[..]) {
            ([only], _) | ([], [only]) => return Ok(self.legal.get(*only).to_vec()),
            ([], []) => self.why_illegal(|i| self.words[i].join(" ")),
            ([first, second, ..], _) | ([], [first, second, ..]) => format!(
                "it could be `{}` or `{}`",
                self.words[*first].join(" "),
                self.words[*second].join(" ")
            ),
        };
        Err(PlayFault::Move { number: None, text: text.to_owned(), why })
    }

    fn why_illegal(&self, text: impl Fn(usize) -> String) -> String {
        if self.legal.is_empty() {
            return "the game is over before it".to_owned();
        }
        format!(
            "it is illegal; {} has {} legal moves here, one is `{}`",
            self.player_name(),
            self.legal.len(),
            text(0)
        )
    }

    /// True if the game is over.
    pub fn is_over(&self) -> bool {
        self.legal.is_empty()
    }

    /// A hash of what the rest of the game depends on, the same for all positions of a game that go on
    /// alike.
    pub fn hash(&self) -> u64 {
        self.game.position_rules().position_key(&self.state)
    }

    /// The semimoves with which a move can go on that begins with some semimoves; nothing after a whole move.
    /// Where a game has split points they are semimoves, too. Some semimoves may lead to no legal move.
    ///
    /// # Errors
    /// No move begins like that.
    pub fn semimoves(&self, begun: &[Step]) -> Result<Vec<Step>, PlayFault> {
        let next = match (self.is_over(), begun) {
            (true, []) => Some(Vec::new()),
            (true, _) => None,
            (false, _) => self.ask(|rules, state| rules.semimoves(state, begun))?,
        };
        next.ok_or_else(|| PlayFault::Move {
            number: None,
            text: wire::text(begun),
            why: "no move begins with these semimoves".to_owned(),
        })
    }

    /// How many sequences of `depth` moves there are from here; a game that ends earlier has none.
    pub fn perft(&self, depth: u32) -> Result<u64, RunError> {
        self.ask(|rules, state| rules.perft(state, depth))
    }

    /// Plays random games from here to the end: all legal moves are equally likely.
    pub fn playouts(&self, count: u64, seed: u64) -> Result<Playouts, RunError> {
        self.ask(|rules, state| rules.playouts(state, count, false, &mut Random::new(seed)))
    }

    /// Plays random games from here to the end: semimove by semimove, all of them equally likely.
    pub fn semimove_playouts(&self, count: u64, seed: u64) -> Result<Playouts, RunError> {
        self.ask(|rules, state| rules.playouts(state, count, true, &mut Random::new(seed)))
    }

    /// Asks whatever runs the rules. What machine code could not be made for the interpreter answers.
    fn ask<T>(
        &self,
        question: impl Fn(&Rules, &RulesState) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        let rules = self.game.position_rules();
        match question(rules, &self.state) {
            Err(why @ RunError::NoNativeCode) => {
                let other = Rules::interpreted(rules.game(), why.to_string());
                let mut state = other.initial();
                other.run_keeper(&mut state)?;
                for steps in self.moves() {
                    other.apply(&mut state, steps);
                    other.run_keeper(&mut state)?;
                }
                question(&other, &state)
            }
            answer => answer,
        }
    }

    /// The number of the player to move, from 1; 0 if the keeper is stuck.
    pub fn player(&self) -> usize {
        self.game.position_rules().player(&self.state)
    }

    /// The name of the player to move.
    pub fn player_name(&self) -> &str {
        let declarations = &self.game.rules().declarations;
        declarations.player_name(Player(self.player() as u8))
    }

    /// Every player's score.
    pub fn scores(&self) -> Vec<u32> {
        self.game.position_rules().scores(&self.state)
    }

    /// The moves that led here.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = &[Step]> {
        self.past.iter().map(|past| past.steps.as_slice())
    }

    /// Who made the moves that led here, and the moves in words.
    pub fn past(&self) -> impl ExactSizeIterator<Item = (usize, &[String])> {
        self.past.iter().map(|p| (self.game.position_rules().player(&p.state), p.words.as_slice()))
    }

    /// The vertices of the last move.
    pub fn last_vertices(&self) -> Vec<u16> {
        let mut vertices: Vec<u16> =
            self.past.iter().last().iter().flat_map(|p| p.steps.iter().map(|s| s.vertex)).collect();
        vertices.dedup();
        vertices
    }

    /// Plays a legal move, and lets the keeper go on.
    ///
    /// # Errors
    /// The move is illegal, or the rules cannot go on.
    pub fn play(&mut self, steps: &[Step]) -> Result<(), PlayFault> {
        let Some(index) = self.index(steps) else {
            let why = self.why_illegal(|i| wire::text(self.legal.get(i)));
            return Err(PlayFault::Move { number: None, text: wire::text(steps), why });
        };
        let (steps, words) = (self.legal.get(index).to_vec(), self.words[index].clone());
        let before = self.state.clone();
        self.game.position_rules().apply(&mut self.state, &steps);
        self.past.push(Past { state: before, steps, words });
        Ok(self.arrive()?)
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> Result<bool, RunError> {
        let Some(ply) = self.past.len().checked_sub(1) else { return Ok(false) };
        self.back_to(ply).map(|()| true)
    }

    /// Goes back to the last earlier position in which a player was to move; false if there is none.
    pub fn take_back(&mut self, player: usize) -> Result<bool, RunError> {
        let rules = self.game.position_rules();
        let earlier = self.past.iter().rposition(|past| rules.player(&past.state) == player);
        match earlier {
            Some(ply) => self.back_to(ply).map(|()| true),
            None => Ok(false),
        }
    }

    /// Goes back to the position after `ply` moves; stays if there are fewer.
    pub fn back_to(&mut self, ply: usize) -> Result<(), RunError> {
        let Some(past) = self.past.get(ply) else { return Ok(()) };
        self.state = past.state.clone();
        self.past.truncate(ply);
        self.arrive()
    }

    /// Plays moves in the wire encoding, separated by commas.
    pub fn replay(&mut self, text: &str) -> Result<(), PlayFault> {
        let moves = text.split(',').map(str::trim);
        for (i, one) in moves.enumerate().filter(|(_, one)| !one.is_empty()) {
            let number = Some(i + 1);
            let wrong = |why| PlayFault::Move { number, text: one.to_owned(), why };
            let steps = wire::parse(one).map_err(wrong)?;
            self.play(&steps).map_err(|fault| match fault {
                PlayFault::Move { why, .. } => wrong(why),
                rules => rules,
            })?;
        }
        Ok(())
    }

    /// The result in words: who wins, and all scores.
    pub fn result(&self) -> String {
        let players = self.game.rules().declarations.players();
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
                let score = Player(1).score();
                let bound = score.map_or(0, |v| self.game.rules().declarations.bound(v));
                format!("{name} has {best} of {bound} points")
            }
            [name] => format!("{name} wins ({})", all.join(", ")),
            _ if leaders.len() == players.len() => format!("a draw, {best} each"),
            _ => format!("{} share the first place ({})", leaders.join(" and "), all.join(", ")),
        }
    }
}
