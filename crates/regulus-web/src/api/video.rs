//! Addresses of video games and what is behind them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use regulus_player::video::Replay;
use regulus_vgdl::Profile;
use serde::Deserialize;
use serde_json::Value;

use super::answer::Json;
use super::routes::{App, LookQuery, Shared, blocking, check_length};
use super::{body, events};
use crate::refusal::Refusal;
use crate::request::AnyCommand;
use crate::session::{Denied, Session};
use crate::session_game::Kind;
use crate::video::{Driver, VIDEO_ORDERS, VideoOpening, VideoSetting, VideoTexts};

/// All addresses.
pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/games", get(games))
        .route("/agents", get(agents))
        .route("/check", post(check))
        .route("/sessions", post(begin))
        .route("/sessions/{id}", get(look).delete(end))
        .route("/sessions/{id}/record", get(record))
        .route("/sessions/{id}/frames", get(film))
        .route("/sessions/{id}/events", get(listen))
        .route("/sessions/{id}/{order}", post(perform))
}

/// What is to be played.
pub enum Wish {
    /// A level of a built-in game.
    BuiltIn {
        /// The name of the game.
        game: String,
        /// The number of the level.
        level: usize,
        /// The rules of which year.
        profile: Profile,
    },
    /// Texts with a name.
    Brought(String, VideoTexts),
    /// A game that was played before.
    Replay(Box<Replay>),
}

impl Wish {
    /// The level of a name such as `vgdl/henhouse:0`.
    pub fn named(full: &str, profile: Profile) -> Result<Self, String> {
        let parts = full.rsplit_once(':');
        let parts = parts.and_then(|(game, number)| Some((game.to_owned(), number.parse().ok()?)));
        let (game, level) = parts.ok_or_else(|| format!("`{full}` has no number of a level"))?;
        Ok(Wish::BuiltIn { game, level, profile })
    }
}

impl App {
    /// Begins a session on a level; gives it with its first view.
    pub async fn begin_video(
        &self,
        wish: Wish,
        opening: VideoOpening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        match wish {
            Wish::BuiltIn { game, level, profile } => {
                let setting = move || VideoSetting::built_in(&game, level, profile);
                self.sessions.begin_video(setting, opening).await
            }
            Wish::Brought(name, texts) => {
                check_length(texts.len(), &self.limits)?;
                let name = name.chars().take(MAX_NAME).collect();
                self.sessions.begin_uploaded_video((name, texts), opening).await
            }
            Wish::Replay(mut replay) => {
                let invalid = |fault: regulus_player::video::ReplayFault| {
                    Refusal::new(422, "replay", fault.to_string())
                };
                let profile = replay.profile().map_err(invalid)?;
                let texts = (replay.game_text.take(), replay.level_text.take());
                let name = replay.game.clone();
                let opening =
                    VideoOpening { driver: None, seed: replay.seed, replay: Some(*replay) };
                if let (Some(game), Some(level)) = texts {
                    let profile = Some(profile.name().to_owned());
                    let texts = VideoTexts { game, level: Some(level), profile };
                    check_length(texts.len(), &self.limits)?;
                    let name = name.chars().take(MAX_NAME).collect();
                    return self.sessions.begin_uploaded_video((name, texts), opening).await;
                }
                let setting = move || {
                    VideoSetting::named(&name, profile).ok_or_else(|| {
                        let why =
                            "it is of a game that is not built in, and does not have its text";
                        Refusal::new(422, "replay", why)
                    })
                };
                self.sessions.begin_video(setting, opening).await
            }
        }
    }
}

async fn games(State(app): Shared) -> Result<Json, Refusal> {
    Ok(Json(blocking(move || app.catalogue.video_games()).await?))
}

async fn agents(State(app): Shared) -> Result<Json, Refusal> {
    Ok(Json(blocking(move || app.catalogue.video_agents()).await?))
}

async fn check(State(app): Shared, request: Request) -> Result<Json, Refusal> {
    let texts: VideoTexts = body::read(body::object(request, app.limits.body_bytes).await?)?;
    check_length(texts.len(), &app.limits)?;
    Ok(Json(app.sessions.check_video(texts).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BeginRequest {
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    level: Option<usize>,
    #[serde(default)]
    profile: Option<String>,
    #[serde(default)]
    texts: Option<VideoTexts>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    replay: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    driver: Option<Driver>,
}

/// The longest name of uploaded texts, in characters.
const MAX_NAME: usize = 100;

async fn begin(State(app): Shared, request: Request) -> Result<Response, Refusal> {
    let request: BeginRequest = body::read(body::object(request, app.limits.body_bytes).await?)?;
    let BeginRequest { game, level, profile, texts, name, replay, seed, driver } = request;
    let wish = match (game, texts, replay) {
        (Some(game), None, None) if name.is_none() => {
            let profile = profile.as_deref().map_or(Ok(Profile::default()), str::parse);
            let profile = profile.map_err(Refusal::invalid)?;
            Wish::BuiltIn { game, level: level.unwrap_or(0), profile }
        }
        (None, Some(texts), None) if level.is_none() && profile.is_none() => {
            Wish::Brought(name.unwrap_or_else(|| "level".to_owned()), texts)
        }
        (None, None, Some(text)) if driver.is_none() && seed.is_none() => {
            let replay = Replay::parse(&text);
            let replay = replay.map_err(|fault| Refusal::new(422, "replay", fault.to_string()))?;
            Wish::Replay(Box::new(replay))
        }
        _ => {
            return Err(Refusal::invalid(
                "give either `game` and perhaps `level` and `profile`, or `texts` and perhaps `name`, each with \
                 `driver` and `seed` if they matter, or only `replay`",
            ));
        }
    };
    let opening = VideoOpening { driver, seed: seed.unwrap_or(1), replay: None };
    let (session, view) = app.begin_video(wish, opening).await?;
    let answer = format!("{{\"id\":\"{}\",\"view\":{view}}}", session.id);
    Ok((StatusCode::CREATED, Json(answer.into())).into_response())
}

async fn look(
    State(app): Shared,
    Path(id): Path<String>,
    Query(query): Query<LookQuery>,
) -> Result<Json, Refusal> {
    Ok(Json(app.sessions.find(&id, Kind::Video)?.look(query.scene == 1).await?))
}

async fn end(State(app): Shared, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    app.sessions.end(&id, Kind::Video)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(State(app): Shared, Path(id): Path<String>) -> Result<Json, Refusal> {
    Ok(Json(app.sessions.find(&id, Kind::Video)?.record().await?))
}

#[derive(Deserialize)]
struct FilmQuery {
    #[serde(default)]
    from: usize,
    #[serde(default = "any_number")]
    count: usize,
}

fn any_number() -> usize {
    usize::MAX
}

async fn film(
    State(app): Shared,
    Path(id): Path<String>,
    Query(query): Query<FilmQuery>,
) -> Result<Json, Refusal> {
    Ok(Json(app.sessions.find(&id, Kind::Video)?.film(query.from, query.count).await?))
}

async fn listen(
    State(app): Shared,
    Path(id): Path<String>,
    Query(query): Query<LookQuery>,
) -> Result<Response, Refusal> {
    events::events(&app.sessions.find(&id, Kind::Video)?, query.scene == 1).await
}

async fn perform(
    State(app): Shared,
    Path((id, order)): Path<(String, String)>,
    request: Request,
) -> Result<Json, Denied> {
    if !VIDEO_ORDERS.contains(&order.as_str()) {
        return Err(Refusal::not_found("there is nothing at this address").into());
    }
    let session = app.sessions.find(&id, Kind::Video)?;
    let mut object = body::object(request, app.limits.body_bytes).await?;
    object.insert("order".to_owned(), Value::String(order));
    Ok(Json(session.perform(AnyCommand::Video(body::read(object)?)).await?))
}
