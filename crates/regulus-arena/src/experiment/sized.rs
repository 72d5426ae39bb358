//! A declaration cut down to a size: fewer games, agents or runs, shorter searches. What comes out is a declaration again.

use std::time::Duration;

use super::combinations::Combinations;
use super::declaration::{Declaration, each_once};
use super::declaration_check::short_name;
use super::fitting;
use super::kind::Kind;
use super::size::{Extent, Size, SizeDeclaration};
use crate::budget::Budget;
use crate::video::Scope;

impl Declaration {
    /// What is played of this declaration. Published figures stay with what takes the place of what they are about, so
    /// that a figure for half a second stands beside ours for less; those of what is not played are left out.
    ///
    /// # Errors
    /// What is wrong with the extent.
    pub fn sized(&self, extent: &Extent) -> Result<Declaration, String> {
        let chosen = self.sizes.of(extent.size).cloned().unwrap_or_default();
        let mut sized = self.clone();
        sized.keep(&chosen);
        let replaced = match (extent.size, &chosen.limits) {
            (Size::Cluster, _) => None,
            (_, Some(limits)) => Some(limits.clone()),
            (size, None) => Some(fitting::limits(&sized, size)),
        };
        if let Some(replaced) = replaced {
            sized.replace_limits(|limit| {
                replaced.iter().find(|(declared, _)| declared == limit).map(|(_, new)| new.clone())
            });
        }
        if !extent.limits.is_empty() {
            let given = extent.limits.iter().map(|text| text.parse::<Budget>());
            let given = given.collect::<Result<Vec<_>, _>>()?;
            sized.override_limits(&given)?;
        }
        if let Some(video) = &mut sized.video {
            if let Some(levels) = chosen.levels {
                video.levels = levels;
            }
            video.initialisation = chosen.initialisation.or(video.initialisation.take());
        }
        let count = extent.games.or(chosen.count).or(match extent.size {
            Size::Cluster => None,
            size => Some(fitting::count(&sized, size)),
        });
        if let Some(count) = count {
            sized.set_count(count);
        }
        if sized.combinations.is_empty() {
            return Err(format!("nothing is left to play in the size {extent}"));
        }
        Ok(sized)
    }

    /// How long it takes on two processors, by a rough guess.
    pub fn estimate(&self) -> Duration {
        fitting::estimate(self)
    }

    /// How many games of every pair, searches of every agent or runs of every level there are.
    pub fn count(&self) -> u64 {
        match (self.kind, &self.video) {
            (Kind::Matches, _) => self.games_per_pair,
            (Kind::Speed, _) => self.searches,
            (Kind::Video, video) => video.as_ref().map_or(0, |video| video.runs),
        }
    }

    fn set_count(&mut self, count: u64) {
        match (self.kind, &mut self.video) {
            (Kind::Matches, _) => self.games_per_pair = count,
            (Kind::Speed, _) => self.searches = count,
            (Kind::Video, video) => {
                if let Some(video) = video {
                    video.runs = count;
                }
            }
        }
    }

    /// Leaves out what a size does not have.
    fn keep(&mut self, size: &SizeDeclaration) {
        let is_kept =
            |names: &[String], name: &String| names.is_empty() || names.contains(&short_name(name));
        for some in &mut self.combinations {
            some.keep(|game| is_kept(&size.games, game), |agent| is_kept(&size.agents, agent));
        }
        if let Some(video) = &mut self.video {
            video.sets.iter_mut().for_each(|set| set.games.retain(|g| is_kept(&size.games, g)));
            video.sets.retain(|set| !set.games.is_empty());
        }
        self.follow();
    }

    /// Plays other limits; those without another one are not played.
    fn replace_limits(&mut self, instead: impl Fn(&Budget) -> Option<Budget>) {
        let text = |limit: &str| {
            let limit = limit.parse::<Budget>().ok()?;
            instead(&limit).map(|limit| limit.to_string())
        };
        for some in &mut self.combinations {
            let replaced: Vec<Budget> = some.limits.iter().filter_map(&instead).collect();
            some.limits = each_once(replaced.iter());
        }
        self.published.retain_mut(|figure| replace(&mut figure.limit, text));
        if let Some(video) = &mut self.video {
            video.published.retain_mut(|figure| replace(&mut figure.limit, text));
        }
        self.follow();
    }

    /// Plays limits that somebody asks for, each instead of those of its sort. One of a sort that is not declared
    /// takes the place of all.
    fn override_limits(&mut self, given: &[Budget]) -> Result<(), String> {
        if let Some(budget) = given
            .iter()
            .find(|budget| self.kind == Kind::Video && matches!(budget, Budget::Calibrated(..)))
        {
            return Err(format!(
                "`{budget}` is measured with board games; give time, sims or states"
            ));
        }
        let sorts: Vec<String> = given.iter().map(sort).collect();
        for (i, one) in sorts.iter().enumerate() {
            if sorts[..i].contains(one) {
                return Err(format!(
                    "--limit {one}=... is given twice: it takes the place of all of its sort"
                ));
            }
        }
        let declared: Vec<String> = self.limits.iter().map(sort).collect();
        match (given, sorts.iter().find(|one| !declared.contains(one))) {
            ([only], Some(_)) => self.replace_limits(|_| Some(only.clone())),
            (_, Some(other)) => {
                return Err(format!("no limit of this experiment is of the sort `{other}`"));
            }
            (_, None) => self.replace_limits(|limit| {
                let sort = sort(limit);
                given.iter().zip(&sorts).find(|(_, s)| **s == sort).map(|(new, _)| new.clone())
            }),
        }
        Ok(())
    }

    /// Makes lists and figures those of what is combined.
    fn follow(&mut self) {
        self.combinations.retain(|some| !some.is_empty(self.kind));
        let all = || self.combinations.iter();
        self.games = each_once(all().flat_map(|some| &some.games));
        self.agents = each_once(all().flat_map(|some| &some.agents));
        self.pairs = each_once(all().flat_map(|some| &some.pairs));
        self.limits = each_once(all().flat_map(|some| &some.limits));
        let mut published = std::mem::take(&mut self.published);
        published.retain(|figure| self.has_results_for(figure));
        let mut seen = Vec::new();
        published.retain(|figure| {
            let subject = (
                figure.game.clone(),
                figure.agent.clone(),
                figure.against.clone(),
                figure.limit.clone(),
            );
            // Two limits may have become one: the first figure stands beside it.
            let is_new = !seen.contains(&subject);
            seen.push(subject);
            is_new
        });
        self.published = published;
        if let Some(mut video) = self.video.take() {
            let sets = &video.sets;
            video.published.retain(|figure| {
                let there = match &figure.scope {
                    Scope::All => true,
                    Scope::Set(name) => sets.iter().any(|set| set.name == *name),
                    Scope::Game(game) => self.games.contains(game),
                };
                let agent = [figure.agent.clone()];
                there && self.games.iter().any(|g| self.includes(g, &agent, &figure.limit))
            });
            self.video = Some(video);
        }
    }
}

impl Combinations {
    /// Leaves out games and agents; a pair is there if its first agent is.
    fn keep(&mut self, game: impl Fn(&String) -> bool, agent: impl Fn(&String) -> bool) {
        self.games.retain(game);
        self.agents.retain(&agent);
        self.pairs.retain(|[one, _]| agent(one));
    }

    /// True if nothing is played.
    fn is_empty(&self, kind: Kind) -> bool {
        let nobody = match kind {
            Kind::Matches => self.pairs.is_empty(),
            Kind::Speed | Kind::Video => self.agents.is_empty(),
        };
        nobody || self.games.is_empty() || self.limits.is_empty()
    }
}

/// Puts another text in the place of one; false if there is none.
fn replace(text: &mut String, instead: impl Fn(&str) -> Option<String>) -> bool {
    match instead(text) {
        Some(new) => {
            *text = new;
            true
        }
        None => false,
    }
}

/// What a limit counts: `time`, `fs0`, `sims,states`.
fn sort(limit: &Budget) -> String {
    let text = limit.to_string();
    let key = |part: &str| part.split('=').next().unwrap_or_default().to_owned();
    text.split(',').map(key).collect::<Vec<_>>().join(",")
}
