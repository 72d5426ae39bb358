//! The InteractionSet: which effects happen between which types, and in what order.

use crate::diagnostic::{Code, Diagnostics, Place};
use crate::effect::{self, Effect, Kind, NAMES, TimedEffect};
use crate::effect_reader;
use crate::limits;
use crate::parameters::Parameters;
use crate::profile::Profile;
use crate::sprite_set::SpriteSet;
use crate::sprite_type::TypeId;
use crate::text::{Node, Token, Tree};

/// Two types and what happens when they meet.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub first: TypeId,
    pub second: TypeId,
    /// Numbers of effects, in the order of the file.
    pub effects: Vec<u16>,
    /// One of the effects gets all sprites that were hit at once.
    pub batch: bool,
}

/// All interactions of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interactions {
    pub effects: Vec<Effect>,
    /// Distinct pairs in order of first appearance.
    pub pairs: Vec<Pair>,
    /// One entry per line: a type and the effects of all its EOS lines, so that two lines of the same
    /// type run four times, as in the reference framework.
    pub edges: Vec<(TypeId, Vec<u16>)>,
    pub timed: Vec<TimedEffect>,
}

struct Builder<'s, 'd> {
    sprites: &'s SpriteSet,
    profile: Profile,
    diagnostics: &'d mut Diagnostics,
    found: Interactions,
    edge_types: Vec<TypeId>,
    edge_effects: Vec<(TypeId, u16)>,
    edge_runs: usize,
    memories: u16,
    registrations: usize,
}

/// Reads the children of the InteractionSet nodes.
pub(crate) fn read(
    tree: &Tree<'_>,
    sections: &[usize],
    sprites: &SpriteSet,
    profile: Profile,
    diagnostics: &mut Diagnostics,
) -> Interactions {
    let mut builder = Builder {
        sprites,
        profile,
        diagnostics,
        found: Interactions::default(),
        edge_types: Vec::new(),
        edge_effects: Vec::new(),
        edge_runs: 0,
        memories: 0,
        registrations: 0,
    };
    for &section in sections {
        for &child in &tree.nodes[section].children {
            let line = &tree.nodes[child];
            builder.line(line);
            if let Some(&below) = line.children.first() {
                let message = "an interaction has no lines under it".to_owned();
                let place = tree.nodes[below].place();
                builder.diagnostics.push(Code::UnexpectedChild, place, message);
            }
        }
    }
    if builder.edge_runs > limits::MAX_EFFECTS {
        return builder.found;
    }
    let Builder { mut found, edge_types, edge_effects, .. } = builder;
    found.edges = edge_types
        .into_iter()
        .map(|id| {
            let of_type = edge_effects.iter().filter(|(other, _)| *other == id);
            (id, of_type.map(|&(_, effect)| effect).collect())
        })
        .collect();
    found
}

impl Builder<'_, '_> {
    fn error(&mut self, code: Code, place: Place, message: String) {
        self.diagnostics.push(code, place, message);
    }

    fn id(&self, name: &str) -> Option<TypeId> {
        let index = self.sprites.types.iter().position(|one| one.name == name)?;
        TypeId::try_from(index).ok()
    }

    fn line(&mut self, line: &Node<'_>) {
        let arrow = line.tokens.iter().position(|token| token.text == ">");
        let Some(arrow) = arrow.filter(|&arrow| arrow >= 2) else {
            let message = "an interaction is `first second > effect ...`".to_owned();
            return self.error(Code::BadLine, line.place(), message);
        };
        let (objects, rest) = line.tokens.split_at(arrow);
        let mut parameters = Parameters::default();
        let mut name: Option<Token<'_>> = None;
        for &token in &rest[1..] {
            if token.text != ">" && !parameters.take(token, self.diagnostics) {
                name = Some(token);
            }
        }
        let Some(name) = name else {
            let message = "the effect is missing".to_owned();
            return self.error(Code::BadLine, line.place(), message);
        };
        if self.profile.is_old() && objects.len() > 2 {
            let message = "profile 2015 has one target per interaction".to_owned();
            return self.error(Code::NotInProfile, objects[2].place, message);
        }
        let is_time = |token: &Token<'_>| token.text.eq_ignore_ascii_case("TIME");
        let is_edge = |token: &Token<'_>| token.text.eq_ignore_ascii_case("EOS");
        let first_id = self.id(objects[0].text);
        let timed = first_id.is_none() && is_time(&objects[0]) || is_time(&objects[1]);
        let Some(effect) = self.effect(name, &parameters, timed) else { return };
        let mut reader = parameters.reader(self.diagnostics);
        let repeat =
            if self.profile.is_old() { 1 } else { reader.int("repeat", 1).max(0) as usize };
        if self.profile.is_old() && (timed || first_id.is_none() && is_edge(&objects[0])) {
            let message = "profile 2015 has neither TIME nor EOS in first place".to_owned();
            return self.error(Code::NotInProfile, objects[0].place, message);
        }
        if timed {
            return self.timed(objects, effect, &parameters);
        }
        self.registrations += repeat * (objects.len() - 1);
        if self.found.effects.len() >= limits::MAX_EFFECTS
            || self.registrations > limits::MAX_EFFECTS
        {
            let message = "too many effects".to_owned();
            return self.error(Code::TooLarge, line.place(), message);
        }
        let number = self.found.effects.len() as u16;
        self.found.effects.push(effect);
        for target in &objects[1..] {
            let second_id = self.id(target.text);
            match (first_id, second_id) {
                (Some(first), Some(second)) => self.pair(first, second, number, repeat),
                (Some(id), None) if is_edge(target) => self.edge(id, number, line.place()),
                (None, Some(id)) if is_edge(&objects[0]) => self.edge(id, number, line.place()),
                (first, _) => {
                    let culprit = if first.is_none() { &objects[0] } else { target };
                    self.diagnostics.unknown_type(culprit.place, culprit.text);
                }
            }
        }
    }

    fn pair(&mut self, first: TypeId, second: TypeId, effect: u16, repeat: usize) {
        let same = |pair: &&mut Pair| pair.first == first && pair.second == second;
        let pair = match self.found.pairs.iter_mut().find(same) {
            Some(pair) => pair,
            None => {
                self.found.pairs.push(Pair { first, second, effects: Vec::new(), batch: false });
                let last = self.found.pairs.len() - 1;
                &mut self.found.pairs[last]
            }
        };
        pair.effects.extend(std::iter::repeat_n(effect, repeat));
        pair.batch |= self.found.effects[usize::from(effect)].kind.is_batch();
    }

    fn edge(&mut self, id: TypeId, effect: u16, place: Place) {
        self.edge_types.push(id);
        self.edge_effects.push((id, effect));
        // Every line of a type runs the effects of all of them.
        self.edge_runs += self.edge_types.iter().filter(|&&other| other == id).count();
        if self.edge_runs > limits::MAX_EFFECTS {
            self.error(Code::TooLarge, place, "too many effects at the edge".to_owned());
        }
    }

    fn timed(&mut self, objects: &[Token<'_>], effect: Effect, parameters: &Parameters<'_>) {
        let subject =
            if objects[0].text.eq_ignore_ascii_case("TIME") { objects[1] } else { objects[0] };
        let Some(stype) = self.id(subject.text) else {
            return self.diagnostics.unknown_type(subject.place, subject.text);
        };
        let mut reader = parameters.reader(self.diagnostics);
        let timer = reader.int("timer", -1);
        let repeating = reader.bool("repeating", false);
        let first = if reader.int("nextExecution", -1) == -1 { -1 } else { timer };
        if repeating && timer <= 0 {
            let message = "a repeating effect needs `timer` above 0".to_owned();
            return self.error(Code::WrongParameterType, subject.place, message);
        }
        self.found.timed.push(TimedEffect { stype, effect, timer, repeating, first });
    }

    /// Reads an effect; `timed` ones may carry parameters of the timer.
    fn effect(
        &mut self,
        name: Token<'_>,
        parameters: &Parameters<'_>,
        timed: bool,
    ) -> Option<Effect> {
        let index = NAMES.iter().position(|(other, ..)| *other == name.text);
        let Some(index) = index else {
            let message = format!("no effect is called `{}`", name.text);
            let known = NAMES.iter().map(|(name, ..)| *name);
            self.diagnostics.unknown(Code::UnknownEffect, name.place, message, name.text, known);
            return None;
        };
        let (_, in_old, keys) = NAMES[index];
        if index >= effect::FIRST_UNSUPPORTED {
            let message = format!("the effect `{}` is not implemented", name.text);
            self.error(Code::Unsupported, name.place, message);
            return None;
        }
        if self.profile.is_old() && !in_old {
            let message = format!("profile 2015 has no effect `{}`", name.text);
            self.error(Code::NotInProfile, name.place, message);
            return None;
        }
        let is_timer = name.text == "addTimer";
        if !timed && !is_timer {
            let known = [&effect::GENERAL, keys].concat();
            parameters.warn_unknown(&known, &format!("`{}`", name.text), self.diagnostics);
        }
        let kind = if is_timer {
            self.timer(name, parameters)?
        } else {
            let (sprites, profile) = (self.sprites, self.profile);
            let memories = &mut self.memories;
            effect_reader::kind(name, parameters, sprites, profile, memories, self.diagnostics)?
        };
        let mut reader = parameters.reader(self.diagnostics);
        let score = reader.score("scoreChange");
        let prob = reader.double("prob", 1.0);
        Some(Effect { kind, name: index as u16, score, prob })
    }

    fn timer(&mut self, name: Token<'_>, parameters: &Parameters<'_>) -> Option<Kind> {
        let mut reader = parameters.reader(self.diagnostics);
        let timer = reader.int("timer", -1);
        let repeating = reader.bool("repeating", false);
        let inner =
            reader.text("ftype").map(|inner| Token { text: inner.text, place: inner.place });
        let Some(inner) = inner else {
            let message = "`addTimer` needs `ftype`".to_owned();
            self.error(Code::BadLine, name.place, message);
            return None;
        };
        if inner.text == "addTimer" || timer <= 0 {
            let message =
                "`addTimer` needs another effect as `ftype` and `timer` above 0".to_owned();
            self.error(Code::WrongParameterType, inner.place, message);
            return None;
        }
        let delegate = self.effect(inner, parameters, true)?;
        Some(Kind::AddTimer { timer, repeating, delegate: Box::new(delegate) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_implemented_name_is_read() {
        let text = "BasicGame\n SpriteSet\n  a > Immovable\n";
        for (name, _, keys) in &NAMES[..effect::FIRST_UNSUPPORTED] {
            let mut line = format!(" InteractionSet\n  a a > {name}");
            for key in *keys {
                let value = match *key {
                    "stype" | "stypeTo" | "stype_other" | "stypeCount" | "estype" | "resource"
                    | "heldResource" | "notStype" | "spawnPoint" => "a",
                    "ftype" => "killAll",
                    "timer"
                    | "value"
                    | "limit"
                    | "geq"
                    | "leq"
                    | "subTypesNum"
                    | "spend"
                    | "offset"
                    | "limspeed"
                    | "maxBounceAngleDeg"
                    | "nextExecution"
                    | "scoreChangeIfKilled" => "1",
                    _ => "true",
                };
                line.push_str(&format!(" {key}={value}"));
            }
            if *name == "addTimer" {
                line.push_str(" stype=a");
            }
            let text = format!("{text}{line}\n");
            let mut diagnostics = Diagnostics::default();
            let tree = crate::text::tree(&text, &mut diagnostics).unwrap();
            let profile = Profile::Y2021;
            let sprites = crate::sprite_set::read(&tree, &[1], profile, &mut diagnostics);
            let found = read(&tree, &[3], &sprites, profile, &mut diagnostics);
            assert_eq!(found.effects.len(), 1, "{name}");
            assert!(diagnostics.into_sorted().is_empty(), "{name}");
        }
    }
}
