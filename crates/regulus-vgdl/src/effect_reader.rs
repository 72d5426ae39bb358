//! The parameters of effects.

use crate::diagnostic::{Code, Diagnostics};
use crate::effect::{Kind, NAMES, Transform};
use crate::limits;
use crate::parameters::{Parameters, Reader};
use crate::profile::Profile;
use crate::sprite_set::SpriteSet;
use crate::sprite_type::TypeId;
use crate::text::Token;

/// A type that the effect cannot do without.
fn needed(
    reader: &mut Reader<'_, '_>,
    sprites: &SpriteSet,
    key: &str,
    name: Token<'_>,
) -> Option<TypeId> {
    let Some(parameter) = reader.text(key) else {
        let message = format!("`{}` needs `{key}`", name.text);
        reader.diagnostics.push(Code::BadLine, name.place, message);
        return None;
    };
    let found = sprites.types.iter().position(|one| one.name == parameter.text);
    if found.is_none() {
        reader.diagnostics.unknown_type(parameter.place, parameter.text);
    }
    found.map(|index| index as TypeId)
}

/// Reads the parameters of an effect by its name. `memories` counts the effects with a memory.
pub(crate) fn kind(
    name: Token<'_>,
    parameters: &Parameters<'_>,
    sprites: &SpriteSet,
    profile: Profile,
    memories: &mut u16,
    diagnostics: &mut Diagnostics,
) -> Option<Kind> {
    let old = profile.is_old();
    let mut reader = parameters.reader(diagnostics);
    let lookup = |name: &str| {
        let index = sprites.types.iter().position(|one| one.name == name)?;
        TypeId::try_from(index).ok()
    };
    macro_rules! needed {
        ($key:literal) => {
            needed(&mut reader, sprites, $key, name)?
        };
    }
    macro_rules! optional {
        ($key:literal) => {
            match reader.get($key) {
                None => None,
                Some(_) => Some(needed(&mut reader, sprites, $key, name)?),
            }
        };
    }
    // The older framework reads an unknown resource as one that nobody has.
    macro_rules! resource {
        () => {
            if old {
                reader.get("resource").and_then(|parameter| lookup(parameter.text))
            } else {
                Some(needed(&mut reader, sprites, "resource", name)?)
            }
        };
    }
    let limit = |reader: &mut Reader<'_, '_>| reader.int("limit", 0);
    let options = |reader: &mut Reader<'_, '_>| Transform {
        kill_second: !old && reader.bool("killSecond", false),
        force_orientation: !old && reader.bool("forceOrientation", false),
    };
    Some(match name.text {
        "stepBack" => Kind::StepBack { pixel_perfect: !old && reader.bool("pixelPerfect", false) },
        "undoAll" => {
            let list = crate::sprite_type::type_list(&mut reader, &lookup, "notStype");
            Kind::UndoAll { except: list }
        }
        "killSprite" => Kind::KillSprite,
        "killBoth" => Kind::KillBoth,
        "killAll" => Kind::KillAll { stype: needed!("stype") },
        "killIfHasLess" => Kind::KillIfHasLess { resource: resource!(), limit: limit(&mut reader) },
        "killIfHasMore" => Kind::KillIfHasMore { resource: resource!(), limit: limit(&mut reader) },
        "killIfOtherHasMore" => Kind::KillIfOtherHasMore {
            resource: resource!(),
            limit: limit(&mut reader),
            subtract: !old && reader.bool("subtract", false),
        },
        "killIfFromAbove" => Kind::KillIfFromAbove,
        "killIfFrontal" => Kind::KillIfFrontal,
        "killIfNotFrontal" => Kind::KillIfNotFrontal,
        "killIfAlive" => Kind::KillIfAlive,
        "killIfFast" => Kind::KillIfFast { limit: reader.double("limspeed", 1.0) },
        "killIfSlow" => Kind::KillIfSlow { limit: reader.double("limspeed", 1.0) },
        "transformTo" => {
            Kind::TransformTo { stype: needed!("stype"), options: options(&mut reader) }
        }
        "transformToAll" => Kind::TransformToAll {
            stype: needed!("stype"),
            to: needed!("stypeTo"),
            options: options(&mut reader),
        },
        "transformIfCount" => Kind::TransformIfCount {
            stype: needed!("stype"),
            counted: needed!("stypeCount"),
            at_least: reader.int("geq", 0),
            at_most: reader.int("leq", limits::MAX_SPRITES),
            otherwise: optional!("estype"),
            options: options(&mut reader),
        },
        "transformToRandomChild" => {
            let stype = needed!("stype");
            let family = &sprites.types[usize::from(stype)].family;
            let children = family.iter().copied().filter(|&id| id != stype).collect();
            Kind::TransformToRandomChild { children, options: options(&mut reader) }
        }
        "transformToSingleton" => Kind::TransformToSingleton {
            stype: needed!("stype"),
            other: needed!("stype_other"),
            take_orientation: reader.bool("takeOrientation", false),
        },
        "bounceForward" => Kind::BounceForward,
        "pullWithIt" => {
            let memory = *memories;
            *memories = memories.saturating_add(1);
            Kind::PullWithIt { pixel_perfect: !old && reader.bool("pixelPerfect", false), memory }
        }
        "attractGaze" => Kind::AttractGaze { align: !old && reader.bool("align", false) },
        "align" => Kind::Align { orient: reader.bool("orient", true) },
        "reverseDirection" => Kind::ReverseDirection,
        "flipDirection" => Kind::FlipDirection,
        "turnAround" => Kind::TurnAround,
        "wrapAround" => Kind::WrapAround { offset: reader.double("offset", 0.0) },
        "teleportToExit" => Kind::TeleportToExit,
        "collectResource" => {
            Kind::CollectResource { kill: !old && reader.bool("killResource", true) }
        }
        "collectResourceIfHeld" => Kind::CollectResourceIfHeld {
            held: needed!("heldResource"),
            value: reader.int("value", 1),
            kill: reader.bool("killResource", true),
        },
        "changeResource" => Kind::ChangeResource {
            resource: needed!("resource"),
            value: reader.int("value", 1),
            kill: !old && reader.bool("killResource", false),
        },
        "addHealthPoints" => Kind::AddHealthPoints {
            value: reader.int("value", 1),
            kill_second: reader.bool("killSecond", false),
        },
        "addHealthPointsToMax" => Kind::AddHealthPointsToMax {
            value: reader.int("value", 1),
            kill_second: reader.bool("killSecond", false),
        },
        "subtractHealthPoints" => Kind::SubtractHealthPoints {
            value: reader.int("value", 1),
            limit: limit(&mut reader),
            stype: optional!("stype"),
            score_if_killed: reader.score("scoreChangeIfKilled"),
        },
        "spawn" => Kind::Spawn { stype: needed!("stype") },
        "spawnIfHasMore" => Kind::SpawnIfHasMore {
            resource: resource!(),
            limit: limit(&mut reader),
            stype: needed!("stype"),
            spend: if old { 0 } else { reader.int("spend", 0) },
        },
        "spawnIfHasLess" => Kind::SpawnIfHasLess {
            resource: resource!(),
            limit: limit(&mut reader),
            stype: needed!("stype"),
        },
        "spawnBehind" => Kind::SpawnBehind { stype: needed!("stype") },
        "spawnAbove" | "spawnBelow" | "spawnLeft" | "spawnRight" => {
            let (x, y) = match name.text {
                "spawnAbove" => (0, -1),
                "spawnBelow" => (0, 1),
                "spawnLeft" => (-1, 0),
                _ => (1, 0),
            };
            let step_back = reader.bool("stepBack", false);
            Kind::SpawnBeside { stype: needed!("stype"), x, y, step_back }
        }
        "spawnIfCounterSubTypes" => Kind::SpawnIfCounterSubTypes {
            stype: needed!("stype"),
            otherwise: needed!("estype"),
            counted: needed!("stypeCount"),
            subtypes: reader.int("subTypesNum", -1),
            limit: limit(&mut reader),
        },
        "updateSpawnType" => {
            Kind::UpdateSpawnType { stype: needed!("stype"), spawn_point: needed!("spawnPoint") }
        }
        "removeScore" => Kind::RemoveScore {
            stype: optional!("stype"),
            kill_second: reader.bool("killSecond", false),
        },
        "setSpeedForAll" => {
            Kind::SetSpeedForAll { stype: needed!("stype"), value: reader.double("value", 0.0) }
        }
        "increaseSpeedToAll" => {
            Kind::IncreaseSpeedToAll { stype: needed!("stype"), value: reader.double("value", 0.1) }
        }
        "decreaseSpeedToAll" => {
            Kind::DecreaseSpeedToAll { stype: needed!("stype"), value: reader.double("value", 0.1) }
        }
        "halfSpeed" => Kind::HalfSpeed,
        "wallStop" => Kind::WallStop,
        "wallBounce" => Kind::WallBounce,
        "wallReverse" => Kind::WallReverse,
        "bounceDirection" => Kind::BounceDirection {
            max_angle: reader.double("maxBounceAngleDeg", 60.0).to_radians(),
        },
        "cloneSprite" => Kind::CloneSprite,
        "shieldFrom" => {
            let stype = needed!("stype");
            let Some(shielded) = reader.text("ftype") else {
                let message = "`shieldFrom` needs `ftype`".to_owned();
                reader.diagnostics.push(Code::BadLine, name.place, message);
                return None;
            };
            let effect = NAMES.iter().position(|(other, ..)| *other == shielded.text);
            if effect.is_none() {
                let message = format!("no effect is called `{}`", shielded.text);
                let (place, known) = (shielded.place, NAMES.iter().map(|(name, ..)| *name));
                let code = Code::UnknownEffect;
                reader.diagnostics.unknown(code, place, message, shielded.text, known);
            }
            Kind::ShieldFrom { stype, effect: effect? as u16 }
        }
        // Every implemented name of the table is above.
        _ => return None,
    })
}
