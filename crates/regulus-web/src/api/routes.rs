//! Addresses and what is behind them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::Value;
use tokio::task::spawn_blocking;

use super::answer::Json;
use super::guard::{Hosts, guard};
use super::{assets, body, events, video};
use crate::catalogue::Catalogue;
use crate::command::ORDERS;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::AnyCommand;
use crate::seat::Seat;
use crate::session::{Denied, Session};
use crate::session_game::Kind;
use crate::sessions::Sessions;
use crate::table::Opening;

/// What all requests share.
pub struct App {
    /// What is allowed.
    pub limits: Arc<Limits>,
    /// What is built in.
    pub catalogue: Arc<Catalogue>,
    /// What is played.
    pub sessions: Sessions,
}

impl App {
    /// Begins a session on a built-in game or on rules of its own; gives it with its first view.
    pub async fn begin(
        self: &Arc<Self>,
        (name, text): (String, Option<String>),
        opening: Opening,
    ) -> Result<(Arc<Session>, Arc<str>), Refusal> {
        let shared = Arc::clone(self);
        match text {
            None => {
                let setting = blocking(move || shared.catalogue.setting(&name)).await??;
                self.sessions.begin(setting, opening).await
            }
            Some(text) => {
                check_length(text.len(), &self.limits)?;
                let name: String = name.chars().take(MAX_NAME).collect();
                self.sessions.begin_uploaded((name, text), opening).await
            }
        }
    }
}

pub(super) type Shared = State<Arc<App>>;

/// The description of the interface.
const OPENAPI: &str = include_str!("../../openapi.json");

/// All addresses.
pub fn router(app: Arc<App>, hosts: Hosts) -> Router {
    let api = Router::new()
        .route("/games", get(games))
        .route("/agents", get(agents))
        .route("/check", post(check))
        .route("/openapi.json", get(async || Json(OPENAPI.into())))
        .route("/sessions", post(begin))
        .route("/sessions/{id}", get(look).delete(end))
        .route("/sessions/{id}/record", get(record))
        .route("/sessions/{id}/events", get(listen))
        .route("/sessions/{id}/{order}", post(perform))
        .nest("/video", video::router())
        .method_not_allowed_fallback(async || {
            Refusal::new(405, "method", "this address does not answer to that method")
        })
        .fallback(async || Refusal::not_found("there is nothing at this address"))
        .with_state(app);
    Router::new()
        .nest("/api/v1", api)
        .fallback(get(assets::asset))
        .layer(from_fn_with_state(Arc::new(hosts), guard))
}

pub(super) async fn blocking<T: Send + 'static>(
    act: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    spawn_blocking(act).await.map_err(|_| Refusal::internal())
}

async fn games(State(app): Shared) -> Result<Json, Refusal> {
    Ok(Json(blocking(move || app.catalogue.games()).await?))
}

async fn agents(State(app): Shared) -> Result<Json, Refusal> {
    Ok(Json(blocking(move || app.catalogue.agents()).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckRequest {
    text: String,
}

pub(super) fn check_length(bytes: usize, limits: &Limits) -> Result<(), Refusal> {
    if bytes <= limits.text_bytes {
        return Ok(());
    }
    let message = format!("the rules have more than {} bytes", limits.text_bytes);
    Err(Refusal::new(413, "too_large", message))
}

async fn check(State(app): Shared, request: Request) -> Result<Json, Refusal> {
    let CheckRequest { text } = body::read(body::object(request, app.limits.body_bytes).await?)?;
    check_length(text.len(), &app.limits)?;
    Ok(Json(app.sessions.check(text).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BeginRequest {
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    seats: Option<Vec<Seat>>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    moves: Vec<String>,
}

/// The longest name of uploaded rules, in characters.
const MAX_NAME: usize = 100;

async fn begin(State(app): Shared, request: Request) -> Result<Response, Refusal> {
    let request: BeginRequest = body::read(body::object(request, app.limits.body_bytes).await?)?;
    let game = match (request.game, request.text, request.name) {
        (Some(game), None, None) => (game, None),
        (None, Some(text), name) => (name.unwrap_or_else(|| "rules".to_owned()), Some(text)),
        _ => return Err(Refusal::invalid("give either `game`, or `text` and perhaps `name`")),
    };
    let opening =
        Opening { seats: request.seats, seed: request.seed.unwrap_or(1), moves: request.moves };
    let (session, view) = app.begin(game, opening).await?;
    let answer = format!("{{\"id\":\"{}\",\"view\":{view}}}", session.id);
    Ok((StatusCode::CREATED, Json(answer.into())).into_response())
}

#[derive(Deserialize)]
pub(super) struct LookQuery {
    #[serde(default)]
    pub(super) scene: u8,
}

async fn look(
    State(app): Shared,
    Path(id): Path<String>,
    Query(query): Query<LookQuery>,
) -> Result<Json, Refusal> {
    Ok(Json(app.sessions.find(&id, Kind::Board)?.look(query.scene == 1).await?))
}

async fn end(State(app): Shared, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    app.sessions.end(&id, Kind::Board)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(State(app): Shared, Path(id): Path<String>) -> Result<Json, Refusal> {
    Ok(Json(app.sessions.find(&id, Kind::Board)?.record().await?))
}

async fn listen(
    State(app): Shared,
    Path(id): Path<String>,
    Query(query): Query<LookQuery>,
) -> Result<Response, Refusal> {
    events::events(&app.sessions.find(&id, Kind::Board)?, query.scene == 1).await
}

async fn perform(
    State(app): Shared,
    Path((id, order)): Path<(String, String)>,
    request: Request,
) -> Result<Json, Denied> {
    if !ORDERS.contains(&order.as_str()) {
        return Err(Refusal::not_found("there is nothing at this address").into());
    }
    let session = app.sessions.find(&id, Kind::Board)?;
    let mut object = body::object(request, app.limits.body_bytes).await?;
    object.insert("order".to_owned(), Value::String(order));
    Ok(Json(session.perform(AnyCommand::Board(body::read(object)?)).await?))
}
