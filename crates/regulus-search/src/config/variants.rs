//! All combinations that are accepted.

use super::{
    Config, Decay, FinalSelection, Mast, Policy, Rave, SimulationDesign, TreeDesign, Variant,
};

impl Config {
    /// Every accepted combination of designs, final selections, variants, policies, phases and
    /// decays, with default parameters: what differs between two of them is never only a number.
    pub fn variants() -> impl Iterator<Item = Config> {
        let trees = [
            TreeDesign::Orthodox,
            TreeDesign::Semisplit { nodal: false },
            TreeDesign::Semisplit { nodal: true },
            TreeDesign::Rollup { nodal: false, min_simulations_factor: 1.0, min_score_diff: 0.0 },
            TreeDesign::Rollup { nodal: true, min_simulations_factor: 1.0, min_score_diff: 0.0 },
        ];
        let simulations = [SimulationDesign::Orthodox, SimulationDesign::Semisplit];
        let selections = [
            FinalSelection::Greedy,
            FinalSelection::Rollup { factor: 1.0 },
            FinalSelection::MostVisited,
            FinalSelection::RobustMax { extension: 0.5 },
        ];
        trees
            .into_iter()
            .flat_map(move |tree| simulations.map(|simulation| (tree, simulation)))
            .flat_map(move |(t, s)| selections.map(|selection| (t, s, selection)))
            .flat_map(|designs| mast_variants().map(move |mast| (designs, mast)))
            .flat_map(|(designs, mast)| rave_variants().map(move |rave| (designs, mast, rave)))
            .map(|((tree, simulation, final_selection), mast, rave)| Config {
                tree,
                simulation,
                final_selection,
                mast,
                rave,
                ..Config::default()
            })
            .filter(|config| config.validate().is_ok())
    }
}

/// Variants that are not another's name: standard is join or split.
const DISTINCT: [Variant; 4] =
    [Variant::Split, Variant::Join, Variant::Context, Variant::Mix { threshold: 7 }];

fn mast_variants() -> impl Iterator<Item = Option<Mast>> {
    let policies = [
        Policy::EpsilonGreedy { epsilon: 0.4 },
        Policy::Gibbs { temperature: 1.0 },
        Policy::Roulette,
    ];
    let factor = 0.2;
    let decays = [
        Decay::None,
        Decay::Move { factor },
        Decay::Batch { factor, simulations: 1000 },
        Decay::Simulation { factor },
        Decay::SimulatedMove { factor },
        Decay::Played { factor },
    ];
    let phases = [(true, true), (true, false), (false, true)];
    let all = DISTINCT
        .into_iter()
        .flat_map(move |variant| policies.map(|policy| (variant, policy)))
        .flat_map(move |(variant, policy)| decays.map(|decay| (variant, policy, decay)))
        .flat_map(move |(v, p, d)| phases.map(|phases| (v, p, d, phases)))
        .flat_map(|(v, p, d, phases)| [false, true].map(|tree_only| (v, p, d, phases, tree_only)))
        .map(|(variant, policy, decay, (in_playouts, in_expansion), tree_only)| {
            Some(Mast { variant, policy, in_playouts, in_expansion, tree_only, decay })
        });
    std::iter::once(None).chain(all)
}

fn rave_variants() -> impl Iterator<Item = Option<Rave>> {
    let all = DISTINCT
        .into_iter()
        .flat_map(|variant| [0, 50].map(|reference| (variant, reference)))
        .map(|(variant, reference)| Some(Rave { variant, reference, ..Rave::default() }));
    std::iter::once(None).chain(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_more_than_600_variants() {
        assert!(Config::variants().count() > 600);
        assert!(Config::variants().any(|c| c.tree == TreeDesign::Orthodox && c.mast.is_none()));
    }
}
