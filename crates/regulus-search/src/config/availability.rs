//! Which heuristics exist for which designs (THESIS Table 2.1).

use super::{SimulationDesign, TreeDesign, Variant};
use crate::statistic;

/// An entry of the availability matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Availability {
    /// It works.
    Available,
    /// It works, but not in the expansion phase (the asterisk of Table 2.1).
    NotInExpansion,
    /// It would do the same as this variant, only slower.
    Useless(Variant),
    /// It does not exist, for this reason.
    Missing(&'static str),
}

/// The columns MAST of THESIS Table 2.1.
pub fn mast_availability(
    tree: TreeDesign,
    simulation: SimulationDesign,
    variant: Variant,
) -> Availability {
    use Availability::{Available, Missing, NotInExpansion, Useless};
    let orthodox_simulation = simulation == SimulationDesign::Orthodox;
    match variant {
        Variant::Standard => same_domain(tree, simulation),
        Variant::Split | Variant::Mix { .. } => Available,
        Variant::Join if !orthodox_simulation => Missing(
            "semisplit simulations choose among semimoves, and join has scores for whole moves only: \
             use split, context or mix",
        ),
        Variant::Join if tree.is_orthodox() => Available,
        Variant::Join => NotInExpansion,
        Variant::Context if tree.is_orthodox() && orthodox_simulation => Useless(Variant::Join),
        Variant::Context => Available,
        Variant::Registered(name) => match statistic::find(name) {
            None => Missing("there is no statistic of this name"),
            Some(entry) if entry.scores_semimoves => Available,
            Some(_) => mast_availability(tree, simulation, Variant::Join),
        },
    }
}

/// The columns RAVE of THESIS Table 2.1.
pub fn rave_availability(
    tree: TreeDesign,
    simulation: SimulationDesign,
    variant: Variant,
) -> Availability {
    use Availability::{Available, Missing, Useless};
    let split = match tree {
        TreeDesign::Semisplit { .. } => Available,
        TreeDesign::Orthodox => Missing(
            "the edges of an orthodox tree are moves, and split has statistics for semimoves only: use \
             join",
        ),
        TreeDesign::Rollup { .. } => Missing(
            "rolling up makes edges longer than the semimoves that split has statistics for: use context",
        ),
    };
    match variant {
        Variant::Standard => same_domain(tree, simulation),
        // Mix needs split and context.
        Variant::Split | Variant::Mix { .. } => split,
        Variant::Join if tree.is_orthodox() => Available,
        Variant::Join => Missing(
            "the edges of this tree are semimoves, and join has statistics for whole moves only: use \
             split or context",
        ),
        Variant::Context if tree.is_orthodox() => Useless(Variant::Join),
        Variant::Context => Available,
        Variant::Registered(_) => Missing("RAVE has no registered statistics"),
    }
}

/// Standard variants work when tree and simulations have the same domain of moves.
fn same_domain(tree: TreeDesign, simulation: SimulationDesign) -> Availability {
    match (tree, simulation) {
        (TreeDesign::Orthodox, SimulationDesign::Orthodox)
        | (TreeDesign::Semisplit { .. }, SimulationDesign::Semisplit) => Availability::Available,
        (TreeDesign::Rollup { .. }, _) => Availability::Missing(
            "a tree that is rolled up has edges of any length: use split or context",
        ),
        _ => Availability::Missing(
            "tree and simulations have different actions (moves and semimoves): use split or context",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROLLUP: TreeDesign =
        TreeDesign::Rollup { nodal: true, min_simulations_factor: 1.0, min_score_diff: 0.0 };

    /// THESIS Table 2.1 row by row: a tick is `+`, a tick with an asterisk `*`, a struck one `-`, none
    /// `.`; columns Standard, Split, Join, Context, each MAST and RAVE.
    #[test]
    fn the_matrix_is_that_of_the_thesis() {
        let orthodox = SimulationDesign::Orthodox;
        let semisplit = SimulationDesign::Semisplit;
        let split = TreeDesign::Semisplit { nodal: true };
        let table = [
            (TreeDesign::Orthodox, orthodox, "++ +. ++ --"),
            (TreeDesign::Orthodox, semisplit, ".. +. .+ +-"),
            (split, orthodox, ".. ++ *. ++"),
            (split, semisplit, "++ ++ .. ++"),
            (ROLLUP, orthodox, ".. +. *. ++"),
            (ROLLUP, semisplit, ".. +. .. ++"),
        ];
        let sign = |entry| match entry {
            Availability::Available => '+',
            Availability::NotInExpansion => '*',
            Availability::Useless(_) => '-',
            Availability::Missing(_) => '.',
        };
        for (tree, simulation, expected) in table {
            let variants = [Variant::Standard, Variant::Split, Variant::Join, Variant::Context];
            let row = variants.map(|v| {
                let mast = sign(mast_availability(tree, simulation, v));
                format!("{mast}{}", sign(rave_availability(tree, simulation, v)))
            });
            assert_eq!(row.join(" "), expected, "{} {}", tree.name(), simulation.name());
        }
    }
}
