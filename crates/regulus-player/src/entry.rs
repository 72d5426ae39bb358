//! A move that a person enters semimove by semimove: by choosing vertices, and words where vertices do not
//! tell moves apart.

use std::collections::BTreeMap;

use regulus_game::Step;
use regulus_rbg::declarations::{Piece, Player, Variable};
use regulus_reasoner::Action;

use crate::position::Position;

/// What can be chosen next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The vertex to choose, from 1; nothing if it is chosen by its text alone.
    pub vertex: Option<u16>,
    /// What it is called: the name of the vertex, or what is done.
    pub text: String,
    /// How many legal moves are left after it.
    pub moves: usize,
    /// The steps it may begin with.
    steps: Vec<Step>,
}

/// A part of a move that was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The vertex, from 1.
    pub vertex: Option<u16>,
    /// What it was called.
    pub text: String,
}

/// The move that is being entered in a position. It begins anew when the position changes.
#[derive(Clone, Default, Debug)]
pub struct Entry {
    /// The steps that are certain.
    steps: Vec<Step>,
    /// A vertex that was chosen while it is open what happens there.
    vertex: Option<u16>,
    /// The choices, each with what was there before it.
    chosen: Vec<(Chosen, usize, Option<u16>)>,
}

impl Entry {
    /// What was chosen so far.
    pub fn chosen(&self) -> impl ExactSizeIterator<Item = &Chosen> {
        self.chosen.iter().map(|(chosen, ..)| chosen)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Entry::default();
    }

    /// Takes the last choice back; false if there is none.
    pub fn back(&mut self) -> bool {
        let Some((_, steps, vertex)) = self.chosen.pop() else { return false };
        self.steps.truncate(steps);
        self.vertex = vertex;
        true
    }

    /// The piece on every vertex, with the steps that are certain already made.
    pub fn pieces(&self, position: &Position) -> Vec<Piece> {
        let mut pieces = position.pieces();
        for step in &self.steps {
            if let Some(piece) = put(position, *step) {
                pieces[usize::from(step.vertex) - 1] = piece;
            }
        }
        pieces
    }

    /// The legal moves that begin as entered.
    fn candidates<'p>(&self, position: &'p Position) -> Vec<&'p [Step]> {
        position.legal().iter().filter(|steps| steps.starts_with(&self.steps)).collect()
    }

    /// What can be chosen next: vertices in their order, then the others. Nothing if the game is over.
    pub fn choices(&self, position: &Position) -> Vec<Choice> {
        let mut next: BTreeMap<(u16, i32), (Step, usize)> = BTreeMap::new();
        for steps in self.candidates(position) {
            let Some(step) = steps.get(self.steps.len()) else { continue };
            if self.vertex.is_none_or(|v| v == step.vertex) {
                next.entry((step.vertex, step.action)).or_insert((*step, 0)).1 += 1;
            }
        }
        let here = self.vertex.or(self.steps.last().map(|step| step.vertex));
        let next: Vec<(Step, usize)> = next.into_values().collect();
        let only_here = |step: &Step| {
            put(position, *step).is_none()
                && !next.iter().any(|(s, _)| s.action == step.action && s.vertex != step.vertex)
        };
        let mut vertices: BTreeMap<u16, Choice> = BTreeMap::new();
        let mut others = Vec::new();
        for (step, moves) in &next {
            if here == Some(step.vertex) || only_here(step) {
                let text = self.action_text(position, *step);
                others.push(Choice { vertex: None, text, moves: *moves, steps: vec![*step] });
                continue;
            }
            let name = || position.game().rules().board.name(regulus_rbg::Vertex(step.vertex));
            let choice = vertices.entry(step.vertex).or_insert_with(|| Choice {
                vertex: Some(step.vertex),
                text: name().to_owned(),
                moves: 0,
                steps: Vec::new(),
            });
            choice.moves += moves;
            choice.steps.push(*step);
        }
        tell_apart(&mut others);
        vertices.into_values().chain(others).collect()
    }

    /// Chooses one of the choices. Gives the move if that completes it; what can only go on in one way is
    /// completed, unless a piece was lifted that is still to be put down.
    pub fn choose(&mut self, position: &Position, choice: &Choice) -> Option<Vec<Step>> {
        let chosen = Chosen { vertex: choice.vertex, text: choice.text.clone() };
        self.chosen.push((chosen, self.steps.len(), self.vertex));
        match choice.steps[..] {
            [step] => {
                self.vertex = None;
                self.steps.push(step);
            }
            _ => self.vertex = choice.vertex,
        }
        loop {
            let candidates = self.candidates(position);
            let length = self.steps.len();
            match candidates[..] {
                [] => return None,
                [only] if !self.is_lifted(position, &only[length..]) => return Some(only.to_vec()),
                _ => {}
            }
            let next = *candidates[0].get(length)?;
            let here = self.steps.last().is_some_and(|step| step.vertex == next.vertex);
            let forced = candidates.iter().all(|steps| steps.get(length) == Some(&next));
            if self.vertex.is_some() || !forced || !(here || put(position, next).is_none()) {
                return None;
            }
            self.steps.push(next);
        }
    }

    /// True if the last step has emptied a vertex and the rest of the move goes elsewhere to do more than
    /// that.
    fn is_lifted(&self, position: &Position, rest: &[Step]) -> bool {
        let ground = position.game().ground();
        let Some(last) = self.steps.last() else { return false };
        put(position, *last) == Some(ground)
            && rest
                .iter()
                .any(|step| step.vertex != last.vertex && put(position, *step) != Some(ground))
    }

    /// What a person is to do now, as the end of a sentence: `choose a destination`.
    pub fn prompt(&self, position: &Position) -> String {
        let choices = self.choices(position);
        let steps: Vec<Step> = choices
            .iter()
            .filter(|choice| choice.vertex.is_some())
            .flat_map(|choice| choice.steps.iter().copied())
            .collect();
        if steps.is_empty() {
            return "choose what to do".to_owned();
        }
        let ground = position.game().ground();
        let pieces: Vec<Option<Piece>> = steps.iter().map(|step| put(position, *step)).collect();
        let lifted = self.steps.last().and_then(|last| put(position, *last)) == Some(ground);
        let or = if steps.len() < choices.len() { ", or one of the buttons" } else { "" };
        let what = match pieces[0] {
            Some(piece) if piece == ground && pieces.iter().all(|p| *p == Some(ground)) => {
                if self.steps.is_empty() { "choose a piece" } else { "choose a piece to take" }
            }
            _ if lifted && !pieces.contains(&Some(ground)) => "choose a destination",
            Some(piece) if pieces.iter().all(|p| p.is_some_and(|p| p != ground)) => {
                if pieces.iter().all(|p| *p == Some(piece)) {
                    let name = position.game().rules().declarations.piece_name(piece);
                    return format!("choose where to put {name}{or}");
                } else {
                    "choose where to put a piece"
                }
            }
            _ => "choose a vertex",
        };
        format!("{what}{or}")
    }

    /// What a step does, in words.
    fn action_text(&self, position: &Position, step: Step) -> String {
        let declarations = &position.game().rules().declarations;
        match position.game().program().modifier(step.action).map(|edge| &edge.action) {
            Some(Action::Off(piece)) => declarations.piece_name(Piece(*piece)).to_owned(),
            Some(Action::Assign(variable, value)) => {
                let name = declarations.variable_name(Variable(*variable));
                format!("{name} = {}", regulus_rbg::print::arithmetic(value, declarations))
            }
            Some(Action::Switch(_)) if self.steps.is_empty() => "pass".to_owned(),
            Some(Action::Switch(player)) if Player(*player) == Player(0) => "done".to_owned(),
            Some(Action::Switch(player)) => {
                format!("done: {} is next", declarations.player_name(Player(*player)))
            }
            _ => format!("modifier {}", step.action),
        }
    }
}

/// The piece that a step puts.
fn put(position: &Position, step: Step) -> Option<Piece> {
    match position.game().program().modifier(step.action)?.action {
        Action::Off(piece) => Some(Piece(piece)),
        _ => None,
    }
}

/// Choices that are called the same get the numbers of their modifiers.
fn tell_apart(choices: &mut [Choice]) {
    let texts: Vec<String> = choices.iter().map(|choice| choice.text.clone()).collect();
    for choice in choices {
        if texts.iter().filter(|text| **text == choice.text).count() > 1 {
            choice.text += &format!(" ({})", choice.steps[0].action);
        }
    }
}
