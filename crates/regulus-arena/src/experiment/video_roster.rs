//! The video games and agents of an experiment.

use std::path::{Path, PathBuf};

use regulus_agent::{VideoAgent, read_video, video_by_name};
use regulus_player::catalogue::VIDEO_PREFIX;
use regulus_player::limit;
use regulus_vgdl::Profile;

use super::declaration::Declaration;
use super::error::ExperimentError;
use super::layout::Layout;
use super::plan::{Plan, PlannedContest, VideoPlan, VideoPlanGame};
use super::roster::{
    Roster, load_agent, milliseconds, named, planned, read_agents, scaled, unknown, write_if_new,
};
use super::video_declaration::VideoDeclaration;
use crate::calibration::Calibrations;
use crate::contest::Contest;
use crate::record::{AgentRecord, GameRecord};
use crate::video::source;
use crate::video::{ContestLevel, Levels, VideoContest, VideoGame, conditions};

/// The games and agents, as in the plan.
#[derive(Clone, Debug)]
pub struct VideoRoster {
    games: Vec<VideoGame>,
    agents: Vec<VideoAgent>,
}

impl VideoRoster {
    /// Loads what a declaration names: agents from files beside it, games from a folder.
    pub fn declare(
        declaration: &Declaration,
        video: &VideoDeclaration,
        beside: &Path,
        games: Option<&Path>,
    ) -> Result<Self, ExperimentError> {
        let game = |name: &String| declared_game(name, video, games);
        let read = |name: String, text: &str| {
            let agent = read_video(&name, text)?;
            Ok(VideoAgent { name, ..agent })
        };
        let agent = |name: &String| load_agent(name, beside, video_by_name, read);
        Ok(VideoRoster {
            games: declaration.games.iter().map(game).collect::<Result<_, _>>()?,
            agents: declaration.participants().map(agent).collect::<Result<_, _>>()?,
        })
    }

    /// Reads what a plan names from its directory.
    pub fn open(layout: &Layout, plan: &Plan, video: &VideoPlan) -> Result<Self, ExperimentError> {
        let profile = video.profile()?;
        let game = |(record, planned): (&GameRecord, &VideoPlanGame)| {
            let path = layout.video_game(&record.name);
            let names = planned.levels.iter().map(|level| level.name.clone()).collect();
            let read = VideoGame::read(&record.name, &path, &Levels::Named(names), profile);
            let mut read = read.map_err(ExperimentError::Refused)?;
            let other = |path: &Path| {
                let why = "this is not the text that the experiment was planned with";
                ExperimentError::damaged(path, why)
            };
            if read.record.sha256 != record.sha256 {
                return Err(other(&path));
            }
            read.record = record.clone();
            for (level, planned) in read.levels.iter_mut().zip(&planned.levels) {
                if level.record.sha256 != planned.sha256 {
                    return Err(other(Path::new(level.record.file.as_deref().unwrap_or_default())));
                }
                level.record = planned.clone();
            }
            Ok(read)
        };
        Ok(VideoRoster {
            games: plan.games.iter().zip(&video.games).map(game).collect::<Result<_, _>>()?,
            agents: read_agents(layout, plan, read_video)?,
        })
    }
}

impl Roster for VideoRoster {
    fn games(&self) -> Vec<GameRecord> {
        self.games.iter().map(|game| game.record.clone()).collect()
    }

    fn agents(&self) -> Vec<AgentRecord> {
        self.agents.iter().map(|agent| AgentRecord::new(&agent.name, agent)).collect()
    }

    fn settle(&self, layout: &Layout) -> Result<(), ExperimentError> {
        for game in &self.games {
            let path = layout.video_game(&game.record.name);
            for ContestLevel { record, level } in &game.levels {
                write_if_new(&path, &level.game_text)?;
                let number = record.name.parse().map_err(|_| unknown("level", &record.name))?;
                write_if_new(&source::level_file(&path, number), &level.level_text)?;
            }
        }
        Ok(())
    }

    fn video_plan(&self, declaration: &Declaration, scale: f64) -> Option<VideoPlan> {
        let video = declaration.video.as_ref()?;
        let game = |game: &VideoGame| VideoPlanGame {
            name: game.record.name.clone(),
            levels: game.levels.iter().map(|level| level.record.clone()).collect(),
        };
        Some(VideoPlan {
            profile: video.profile.name().to_owned(),
            runs: scaled(video.runs, scale, 1),
            initialisation: video.initialisation.as_ref().map(limit::text),
            buffer_ms: video.buffer.map(|buffer| buffer.as_secs_f64() * 1e3),
            games: self.games.iter().map(game).collect(),
        })
    }

    fn contests(&self, declaration: &Declaration, scale: f64) -> Vec<PlannedContest> {
        let runs = declaration.video.as_ref().map_or(0, |video| scaled(video.runs, scale, 1));
        let mut contests = Vec::new();
        for game in &self.games {
            let units = runs * game.levels.len() as u64;
            for agent in &self.agents {
                let agents = [agent.name.clone()];
                contests.extend(planned(declaration, &game.record.name, &agents, (units, units)));
            }
        }
        contests
    }

    fn contest(
        &self,
        plan: &Plan,
        planned: &PlannedContest,
        _known: &Calibrations,
    ) -> Result<Box<dyn Contest>, ExperimentError> {
        let video = plan.video.as_ref();
        let video = video.ok_or_else(|| unknown("video game", &planned.game))?;
        let game = named(&self.games, "game", &planned.game, |game| &game.record.name)?;
        let name = planned.agents.first().map_or("", String::as_str);
        let agent = named(&self.agents, "agent", name, |agent| &agent.name)?;
        let limits = |text: &str| limit::parse(text).map_err(ExperimentError::Refused);
        let initialisation = video.initialisation.as_deref().map(limits).transpose()?;
        let conditions = conditions(
            &limits(&planned.budget)?,
            initialisation.as_ref(),
            video.buffer_ms.map_or(agent.buffer, milliseconds),
            milliseconds(plan.tolerance_ms),
        );
        let contest =
            VideoContest::new(game.clone(), agent.clone(), conditions, video.runs, plan.seed);
        let mut contest = contest.map_err(ExperimentError::Refused)?;
        contest.experiment = plan.experiment.clone();
        Ok(Box::new(contest))
    }

    fn check(&self, plan: &Plan, planned: &PlannedContest) -> Result<(), ExperimentError> {
        self.contest(plan, planned, &Calibrations::default()).map(drop)
    }
}

impl VideoPlan {
    /// The rules that games are read and run with.
    pub fn profile(&self) -> Result<Profile, ExperimentError> {
        self.profile.parse().map_err(ExperimentError::Refused)
    }
}

fn declared_game(
    name: &str,
    video: &VideoDeclaration,
    folder: Option<&Path>,
) -> Result<VideoGame, ExperimentError> {
    let (levels, profile) = (&video.levels, video.profile);
    if name.starts_with(VIDEO_PREFIX) {
        return VideoGame::built_in(name, levels, profile).map_err(ExperimentError::Refused);
    }
    let folder = folder.ok_or_else(|| {
        ExperimentError::Refused(format!(
            "where is {name}? Give the folder with {name}.txt and its levels: --games-from DIR"
        ))
    })?;
    let path: PathBuf = folder.join(format!("{name}.txt"));
    let read = VideoGame::read(name, &path, levels, profile);
    let mut game = read.map_err(ExperimentError::Refused)?;
    // Files are seen from the directory of the experiment, which has them all.
    game.record.file = Some(Layout::video_game_file(name));
    for level in &mut game.levels {
        level.record.file = Some(Layout::video_level_file(name, &level.record.name));
    }
    Ok(game)
}
