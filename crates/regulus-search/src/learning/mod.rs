//! Policies for playouts that are learned while the search goes on (PPA is T. Cazenave, *Playout Policy Adaptation
//! with Move Features*).
//!
//! An iteration notes what could be chosen and what was chosen, in the tree and in the simulation, as codes
//! ([`Played`]); when it is over a [`Rule`] learns from it, without playing it again. Choices are whole moves, or
//! semimoves where simulations are semisplit.
//!
//! | file | what |
//! |---|---|
//! | this one | what was learned, and from what |
//! | `drawing.rs` | choices in the tree and in simulations |
//! | `codes.rs` | numbers for moves |
//! | `surroundings.rs` | features of moves |
//! | `played.rs` | the choices of an iteration |
//! | `rows.rs` | what could be chosen, not looked at one by one |
//! | `rule.rs` | what a rule is; all rules |
//! | `ppa.rs` | Algorithms 3 and 4 |
//! | `mast.rs` | Algorithms 3 and 5 |
//! | `nst.rs` | sequences of moves |
//! | `sequences.rs` | how well sequences went |
//! | `replies.rs` | last good replies |
//! | `wheel.rs` | drawing by weights |
//!
//! What is **not** here: the tree, which grows as it does without learning (Algorithm 6).

mod codes;
mod drawing;
mod mast;
mod nst;
mod played;
mod ppa;
mod replies;
mod rows;
mod rule;
mod sequences;
mod surroundings;
#[cfg(test)]
mod tests;
mod wheel;

use regulus_game::{Engine, GroupedMove, MoveGroups, Random, Step};

use crate::config::{self, Features, Learning};
use crate::record::Record;
use codes::{Codes, Featured};
use played::Played;
use replies::Replies;
use rows::Rows;
use rule::{Outcome, Rule};
use surroundings::Surroundings;

/// Learning at work.
pub(crate) struct Learner {
    /// Whether what was learned is kept from turn to turn.
    keep: bool,
    codes: Codes,
    /// Features of moves, and the codes of moves with features.
    features: Option<(Surroundings, Featured)>,
    played: Played,
    /// What can be chosen at the root: codes with and without features; nothing if that is not known.
    root: (Vec<u32>, Vec<u32>),
    /// The policy, if there is another than the default.
    rule: Option<Box<dyn Rule>>,
    replies: Option<Replies>,
    values: Vec<f64>,
    /// Whether moves in groups stay rows of codes: no one asks for the codes of single moves.
    uses_rows: bool,
}

/// What came of drawing.
enum Drawn {
    /// The index of what was drawn.
    Index(usize),
    /// What was drawn, where that was offered in groups.
    Grouped(GroupedMove),
    /// There was nothing to draw.
    Nothing,
    /// The default policy has to draw.
    ByDefault,
}

impl Learner {
    /// For a game whose moves in some position are these.
    pub(crate) fn new<E: Engine>(
        engine: &E,
        learning: Option<Learning>,
        replies: Option<config::Replies>,
        groups: &MoveGroups,
    ) -> Self {
        let kind = learning.map_or(Features::None, |learning| learning.features);
        let features =
            (kind != Features::None).then(|| (Surroundings::new(engine, kind), Featured::new()));
        let rule = learning.map(|learning| rule::make(learning.method));
        let asks = replies.is_some_and(|replies| replies.in_playouts) || features.is_some();
        let uses_rows = !asks && rule.as_ref().is_some_and(|rule| rule.chooses_rows());
        let codes = Codes::new(engine.players(), engine.vertices(), groups);
        Learner {
            keep: learning.is_some_and(|learning| learning.keep),
            features,
            played: Played { rows: Rows::new(codes.words()), ..Played::default() },
            codes,
            root: (Vec::new(), Vec::new()),
            rule,
            replies: replies.map(Replies::new),
            values: Vec::new(),
            uses_rows,
        }
    }

    /// An iteration begins.
    pub(crate) fn begin(&mut self) {
        self.played.clear();
        if let Some((surroundings, _)) = &mut self.features {
            surroundings.go_to_root();
        }
    }

    /// Offers what can be chosen at the root; false if that is not known.
    fn offer_root(&mut self, player: usize) -> bool {
        if self.root.0.is_empty() {
            return false;
        }
        self.played.begin(player);
        self.played.codes.extend_from_slice(&self.root.0);
        self.played.moves.extend_from_slice(&self.root.1);
        true
    }

    /// What was offered is what can be chosen at the root.
    fn keep_root(&mut self) {
        self.root.0.clone_from(&self.played.codes);
        self.root.1.clone_from(&self.played.moves);
        if let Some((surroundings, _)) = &mut self.features {
            surroundings.keep_root();
        }
    }

    /// A move of the game was played: Algorithm 6 starts from scratch for every position.
    pub(crate) fn next_turn(&mut self) {
        self.freeze(false);
        self.root.0.clear();
        if let Some((surroundings, _)) = &mut self.features {
            surroundings.forget_root();
        }
        let keep = self.keep;
        if let Some(rule) = &mut self.rule {
            if keep { rule.next_turn() } else { rule.forget() }
        }
        if let Some(replies) = &mut self.replies
            && !replies.settings.keep
        {
            replies.forget();
        }
    }

    pub(crate) fn freeze(&mut self, frozen: bool) {
        self.codes.freeze(frozen);
        if let Some((_, numbers)) = &mut self.features {
            numbers.freeze(frozen);
        }
        if let Some(rule) = &mut self.rule {
            rule.freeze(frozen);
        }
        if let Some(replies) = &mut self.replies {
            replies.freeze(frozen);
        }
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let features = self.features.as_ref().map_or(0, |(_, numbers)| numbers.bytes());
        let learned = self.rule.as_ref().map_or(0, |rule| rule.bytes());
        let replies = self.replies.as_ref().map_or(0, Replies::bytes);
        self.codes.bytes() + features + learned + replies
    }

    /// Offers the moves of groups.
    fn offer_groups<E: Engine>(
        &mut self,
        engine: &mut E,
        state: &E::State,
        player: usize,
        groups: &MoveGroups,
    ) {
        self.played.begin(player);
        if self.uses_rows {
            return self.codes.push_rows(player, groups, &mut self.played.rows);
        }
        if self.features.is_some() {
            return self.offer_featured(engine, state, player, groups);
        }
        self.codes.push_groups(player, groups, &mut self.played.codes);
    }

    /// Offers the moves of groups with their features.
    fn offer_featured<E: Engine>(
        &mut self,
        engine: &mut E,
        state: &E::State,
        player: usize,
        groups: &MoveGroups,
    ) {
        let Some((surroundings, numbers)) = &mut self.features else { return };
        surroundings.look(engine, state);
        surroundings.prepare(groups);
        let Played { codes, moves, .. } = &mut self.played;
        self.codes.of_groups(player, groups, |group, row, special| {
            let (from, count) = (codes.len(), group.len());
            codes.resize(from + count, 0);
            moves.resize(from + count, 0);
            let mut places = codes[from..].iter_mut().zip(&mut moves[from..]);
            let (special, own) = special.unwrap_or((usize::MAX, 0));
            surroundings.of_group(engine, state, groups, group, |position, features| {
                let row = if position == special { own } else { row };
                if let Some((place, of_move)) = places.next() {
                    *of_move = row + position as u32;
                    *place = numbers.of(*of_move, features);
                }
            });
        });
    }

    /// Offers a list of moves, or of semimoves.
    fn offer_list<'s, E: Engine>(
        &mut self,
        engine: &mut E,
        state: &E::State,
        player: usize,
        submoves: impl Iterator<Item = &'s [Step]>,
        whole: bool,
    ) {
        self.played.begin(player);
        if let Some((surroundings, _)) = &mut self.features {
            surroundings.look(engine, state);
        }
        for steps in submoves {
            let code = match steps {
                [step] if !whole => self.codes.of_semimove(player, *step),
                _ => self.codes.of_move(player, steps),
            };
            match &mut self.features {
                None => self.played.codes.push(code),
                Some((surroundings, numbers)) => {
                    let features = surroundings.of_steps(engine, state, steps);
                    self.played.codes.push(numbers.of(code, features));
                    self.played.moves.push(code);
                }
            }
        }
    }

    fn len(&self) -> usize {
        self.features.as_ref().map_or(self.codes.len(), |(_, numbers)| numbers.len())
    }

    /// Whether codes are needed of moves that are not chosen.
    fn asks_for_others(&self) -> bool {
        let rule = self.rule.as_ref().is_some_and(|rule| rule.learns_from_others());
        rule || self.features.is_some()
    }

    /// Whether a move can be made without asking for the codes of others.
    fn can_be_blind(&self) -> bool {
        let replies = self.replies.as_ref().is_some_and(|replies| replies.settings.in_playouts);
        !replies && !self.asks_for_others()
    }

    /// Whether any move will do this time.
    fn is_blind(&mut self, random: &mut Random) -> bool {
        self.rule.as_mut().is_some_and(|rule| rule.is_blind(random))
    }

    /// A move was made without asking for others.
    fn note(&mut self, player: usize, code: u32) {
        self.played.begin(player);
        self.played.choose_blindly(code);
    }

    /// Draws one of the moves whose rows were offered last: the only one, or by the policy, which has been asked
    /// whether it is blind.
    fn draw_row(&mut self, random: &mut Random) -> Drawn {
        let Some(last) = self.played.plies.len().checked_sub(1) else { return Drawn::Nothing };
        let range = self.played.rows_of(last);
        let only = self.played.rows.only(range.clone());
        let codes = self.len();
        let Some(rule) = &mut self.rule else { return Drawn::ByDefault };
        rule.grow(codes);
        let drawn = match only {
            Some(only) => Some((only, 0.0)),
            None => rule.choose_row(&self.played, range.clone(), random),
        };
        if !rule.learns_from_others() {
            self.played.rows.truncate(range.start);
        }
        let Some((chosen, total)) = drawn else {
            self.played.plies.pop();
            return Drawn::Nothing;
        };
        self.played.choose_row(chosen, total);
        let (group, position) = (chosen.group as usize, chosen.position as usize);
        Drawn::Grouped(GroupedMove { group, position })
    }

    /// Draws one of what was offered last: the only one, a good reply, or by the policy. `asked` says that the
    /// policy has already been asked whether it is blind.
    fn draw(&mut self, asked: bool, random: &mut Random) -> Drawn {
        let Some(last) = self.played.plies.len().checked_sub(1) else { return Drawn::Nothing };
        let range = self.played.offered(last);
        if range.is_empty() {
            self.played.plies.pop();
            return Drawn::Nothing;
        }
        let (mut index, mut total) = ((range.len() == 1).then_some(0), 0.0);
        if let Some(replies) = &self.replies
            && replies.settings.in_playouts
        {
            let possible = self.played.moves(last);
            index = index.or_else(|| replies.answer(&self.played.history, possible));
        }
        let codes = self.len();
        if index.is_none()
            && let Some(rule) = &mut self.rule
        {
            rule.grow(codes);
            let chosen = match asked || !rule.is_blind(random) {
                true => rule.choose(&self.played, &self.played.codes[range], random),
                false => (random.below(range.len() as u64) as usize, 0.0),
            };
            (index, total) = (Some(chosen.0), chosen.1);
        }
        let Some(index) = index else { return Drawn::ByDefault };
        self.played.choose(index, total);
        Drawn::Index(index)
    }

    /// The reply to the moves before, for the tree: its code.
    fn replies(&self) -> Option<[Option<u32>; 2]> {
        let replies = self.replies.as_ref().filter(|replies| replies.settings.in_expansion)?;
        let known = replies.known(&self.played.history);
        known.iter().any(Option::is_some).then_some(known)
    }

    /// Finds out which of the offered moves those of the tree are. They are the first of the record.
    fn settle(&mut self, record: &Record) {
        for i in self.played.history.len()..self.played.plies.len().min(record.moves.len()) {
            let ply = self.played.plies[i];
            let steps = &record.steps[record.moves[i].1 as usize..record.end(i)];
            if steps.is_empty() {
                break;
            }
            let code = self.codes.of_move(usize::from(ply.player), steps);
            let found = self.played.moves(i).iter().position(|other| *other == code);
            if let Some(found) = found {
                self.played.plies[i].chosen = ply.begin + found as u32;
            }
            self.played.history.push(code);
        }
    }

    /// The iteration is over, with these points.
    pub(crate) fn adapt(&mut self, record: &Record, points: &[f64], scales: &[f64], whole: bool) {
        if whole {
            self.settle(record);
        }
        self.values.clear();
        self.values.extend(points.iter().zip(scales).map(|(points, scale)| points * scale));
        let nameless = if self.features.is_some() { 1 } else { self.codes.nameless() };
        let (codes, outcome) = (self.len(), Outcome { values: &self.values, nameless });
        if let Some(rule) = &mut self.rule {
            rule.grow(codes);
            rule.adapt(&self.played, &outcome);
        }
        if let Some(replies) = &mut self.replies {
            replies.learn(&self.played, &outcome);
        }
    }

    /// A simulation begins at a node of the tree, whose choice is noted already: it will be noted again.
    pub(crate) fn forget_unmade(&mut self) {
        self.played.truncate(self.played.history.len());
    }

    /// How many choices were noted.
    pub(crate) fn choices(&self) -> usize {
        self.played.plies.len()
    }

    /// Forgets the choices behind the first `choices`.
    pub(crate) fn take_back(&mut self, choices: usize) {
        self.played.truncate(choices);
    }
}
