//! The SpriteSet: names, numbers, classes, families and the order of updates.

use std::collections::BTreeSet;

use crate::class::{Class, UNSUPPORTED};
use crate::diagnostic::{Code, Diagnostics, Place};
use crate::limits;
use crate::parameters::Parameters;
use crate::profile::Profile;
use crate::sprite_type::{SpriteType, Traits, TypeId};
use crate::text::Tree;

/// The sprite types of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpriteSet {
    pub types: Vec<SpriteType>,
    /// Leaf types in the order of drawing; updates go backwards.
    pub order: Vec<TypeId>,
    /// Types whose class cannot be run, with the place that says so.
    pub uncreatable: Vec<(TypeId, Place)>,
    /// Types with a class that does not exist, or not with these rules.
    pub unknown_classes: Vec<UnknownClass>,
}

/// A class that does not exist, and what is to be said if it is needed.
#[derive(Clone, Debug)]
pub(crate) struct UnknownClass {
    pub stype: TypeId,
    pub class: String,
    pub code: Code,
    pub place: Place,
    pub message: String,
}

/// A declaration while the set is read.
#[derive(Clone, Debug, Default)]
struct Declaration<'a> {
    name: &'a str,
    class: Option<&'a str>,
    class_place: Place,
    place: Place,
    parameters: Parameters<'a>,
    lineage: Vec<TypeId>,
    family: Vec<TypeId>,
    singleton: bool,
    leaf: bool,
}

struct Builder<'t, 'a, 'd> {
    tree: &'t Tree<'a>,
    profile: Profile,
    diagnostics: &'d mut Diagnostics,
    declarations: Vec<Declaration<'a>>,
    order: Vec<TypeId>,
    singletons: Vec<TypeId>,
    /// A type and one above it, of all declarations: later ones do not make earlier ones undone.
    inside: BTreeSet<(TypeId, TypeId)>,
}

/// Reads the children of the SpriteSet nodes.
pub(crate) fn read(
    tree: &Tree<'_>,
    sections: &[usize],
    profile: Profile,
    diagnostics: &mut Diagnostics,
) -> SpriteSet {
    let predefined = |name, class, id| Declaration {
        name,
        class: Some(class),
        lineage: vec![id],
        family: vec![id],
        leaf: true,
        ..Declaration::default()
    };
    let mut builder = Builder {
        tree,
        profile,
        diagnostics,
        declarations: vec![
            predefined("wall", "Immovable", 0),
            predefined("avatar", "MovingAvatar", 1),
        ],
        order: vec![0, 1],
        singletons: Vec::new(),
        inside: BTreeSet::new(),
    };
    for &section in sections {
        builder.children(section, None, &Parameters::default(), &[], 0);
    }
    builder.finish()
}

impl<'a> Builder<'_, 'a, '_> {
    fn id(&self, name: &str) -> Option<TypeId> {
        let index = self.declarations.iter().position(|declaration| declaration.name == name)?;
        TypeId::try_from(index).ok()
    }

    /// Whether a type is another or was declared inside it.
    fn is_inside(&self, id: TypeId, other: TypeId) -> bool {
        id == other || self.inside.contains(&(id, other))
    }

    /// Reads the declarations under a node; gives their types.
    fn children(
        &mut self,
        node: usize,
        inherited_class: Option<(&'a str, Place)>,
        inherited: &Parameters<'a>,
        lineage: &[TypeId],
        depth: usize,
    ) -> Vec<TypeId> {
        let mut declared = Vec::new();
        // In the older rules a class written on a leaf is also that of later siblings without one.
        let mut class_here = inherited_class;
        let tree = self.tree;
        for &child in &tree.nodes[node].children {
            let line = &tree.nodes[child];
            let head = line.tokens[0];
            if depth > limits::MAX_DEPTH || self.declarations.len() >= limits::MAX_TYPES {
                let message = "too many sprite types, or nested too deeply".to_owned();
                self.diagnostics.push(Code::TooLarge, head.place, message);
                return declared;
            }
            let mut own = Parameters::default();
            let mut class: Option<(&'a str, Place)> = None;
            let mut is_definition = false;
            for &token in &line.tokens[1..] {
                if own.take(token, self.diagnostics) {
                } else if token.text == ">" {
                    is_definition = true;
                } else {
                    class = Some((token.text, token.place));
                }
            }
            if !is_definition {
                let message = format!("a sprite is declared by `{} > ...`", head.text);
                self.diagnostics.push(Code::BadLine, line.place(), message);
                continue;
            }
            let id = match self.id(head.text) {
                Some(id) if lineage.iter().any(|&above| self.is_inside(above, id)) => {
                    let message = format!("`{}` cannot be inside itself", head.text);
                    self.diagnostics.push(Code::CyclicType, head.place, message);
                    continue;
                }
                Some(id) => {
                    if self.declarations[usize::from(id)].place != Place::default() {
                        let message = format!("`{}` was declared before", head.text);
                        self.diagnostics.push(Code::DuplicateType, head.place, message);
                    }
                    id
                }
                None => {
                    self.declarations.push(Declaration::default());
                    (self.declarations.len() - 1) as TypeId
                }
            };
            let resolved = if self.profile.is_old() {
                if class.is_some() {
                    class_here = class;
                }
                class_here
            } else {
                inherited_class.or(class)
            };
            self.inside.extend(lineage.iter().map(|&above| (id, above)));
            let mut full_lineage = lineage.to_vec();
            full_lineage.push(id);
            let parameters = own.inherit(inherited);
            let leaf = line.children.is_empty();
            if own.get("singleton").is_some_and(|p| p.text.eq_ignore_ascii_case("true")) {
                self.singletons.push(id);
            }
            self.declarations[usize::from(id)] = Declaration {
                name: head.text,
                class: resolved.map(|(name, _)| name),
                class_place: resolved.map_or(head.place, |(_, place)| place),
                place: head.place,
                parameters: parameters.clone(),
                lineage: full_lineage.clone(),
                family: full_lineage.clone(),
                singleton: false,
                leaf,
            };
            let mut classes = vec![resolved.map(|(name, _)| name)];
            if leaf {
                self.order.retain(|&other| other != id);
                self.order.push(id);
            } else {
                // The older rules hand down what the node itself is; the newer ones its own written
                // class before what it inherited.
                let handed_down =
                    if self.profile.is_old() { class_here } else { class.or(inherited_class) };
                let subtypes =
                    self.children(child, handed_down, &parameters, &full_lineage, depth + 1);
                if self.profile.is_old() {
                    class_here = inherited_class;
                }
                let mut family = full_lineage.clone();
                for subtype in subtypes {
                    let below = &self.declarations[usize::from(subtype)];
                    classes.push(below.class);
                    for &member in &below.family {
                        if !family.contains(&member) {
                            family.push(member);
                        }
                        classes.push(self.declarations[usize::from(member)].class);
                    }
                }
                self.declarations[usize::from(id)].family = family;
            }
            // Nothing is known about the parameters of a class that does not exist.
            let classes: Vec<_> = classes.into_iter().flatten().map(Class::named).collect();
            if let Some(classes) = classes.into_iter().collect::<Option<Vec<Class>>>() {
                let mut known = Class::Immovable.parameters();
                known.extend(classes.iter().flat_map(|class| class.own_parameters()));
                own.warn_unknown(&known, &format!("the sprite `{}`", head.text), self.diagnostics);
            }
            declared.push(id);
        }
        declared
    }

    fn finish(mut self) -> SpriteSet {
        let mut order = std::mem::take(&mut self.order);
        order.retain(|&id| id != 1);
        order.push(1);
        for &id in &self.singletons {
            self.declarations[usize::from(id)].singleton = true;
        }
        let names: Vec<&str> = self.declarations.iter().map(|one| one.name).collect();
        self.diagnostics.know_types(names.iter().copied());
        let lookup = |name: &str| {
            let index = names.iter().position(|&other| other == name)?;
            TypeId::try_from(index).ok()
        };
        let mut set = SpriteSet { order, ..SpriteSet::default() };
        for (index, declaration) in self.declarations.iter().enumerate() {
            let mut unknown = None;
            let class = match declaration.class {
                None => {
                    if declaration.leaf {
                        let message = format!("`{}` has no class", declaration.name);
                        self.diagnostics.push(Code::MissingClass, declaration.place, message);
                    }
                    None
                }
                Some(name) => {
                    let class = Class::named(name);
                    if class.is_none() && UNSUPPORTED.contains(&name) {
                        let message = format!("the class `{name}` is not implemented");
                        let place = declaration.class_place;
                        self.diagnostics.push(Code::UnsupportedClass, place, message);
                    } else if class.is_none() {
                        let message = format!("no sprite class is called `{name}`");
                        unknown = Some((Code::UnknownClass, message, name));
                    } else if class.is_some_and(|class| !class.exists_in(self.profile)) {
                        let profile = self.profile;
                        let message = format!("profile {profile} has no class `{name}`");
                        unknown = Some((Code::NotInProfile, message, name));
                    }
                    class
                }
            };
            if class.is_none() {
                set.uncreatable.push((index as TypeId, declaration.place));
            }
            if let Some((code, message, class)) = unknown {
                let (stype, place) = (index as TypeId, declaration.class_place);
                let class = class.to_owned();
                set.unknown_classes.push(UnknownClass { stype, class, code, place, message });
            }
            let parameters = &declaration.parameters;
            let text = |key: &str| parameters.get(key).map(|p| p.text.to_owned());
            let says_true = |key: &str| {
                parameters.get(key).is_some_and(|p| p.text.eq_ignore_ascii_case("true"))
            };
            let shrink_factor = parameters.reader(self.diagnostics).double("shrinkfactor", 1.0);
            let traits = Traits::read(class, parameters, &lookup, self.profile, self.diagnostics);
            set.types.push(SpriteType {
                name: declaration.name.to_owned(),
                class,
                lineage: declaration.lineage.clone(),
                family: declaration.family.clone(),
                singleton: declaration.singleton,
                leaf: declaration.leaf,
                colour: text("color"),
                image: text("img"),
                hidden: says_true("hidden"),
                invisible: says_true("invisible"),
                shrink_factor,
                traits,
            });
        }
        set
    }
}
