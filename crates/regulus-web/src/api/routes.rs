//! Addresses and what is behind them. Every kind of games has the same.

use std::sync::Arc;

use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde_json::Value;

use super::answer::Json;
use super::guard::{Hosts, guard};
use super::{assets, body, events};
use crate::game_kind::GameKind;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::session::Denied;
use crate::sessions::{Sessions, blocking};

/// What all requests share.
pub struct App {
    /// What is allowed.
    pub limits: Arc<Limits>,
    /// What can be played.
    pub kinds: Vec<Arc<dyn GameKind>>,
    /// What is played.
    pub sessions: Sessions,
}

type Shared = State<Arc<App>>;
type Kind = Extension<Arc<dyn GameKind>>;

/// The description of the interface.
const OPENAPI: &str = include_str!("../../openapi.json");

/// All addresses.
pub fn router(app: Arc<App>, hosts: Hosts) -> Router {
    let described = Router::new().route("/openapi.json", get(async || Json(OPENAPI.into())));
    let api = app.kinds.iter().fold(described, |api, kind| {
        let routes = routes().layer(Extension(Arc::clone(kind)));
        match kind.about().path {
            "" => api.merge(routes),
            path => api.nest(path, routes),
        }
    });
    let api = api
        .method_not_allowed_fallback(async || {
            Refusal::new(405, "method", "this address does not answer to that method")
        })
        .fallback(async || nothing_here())
        .with_state(app);
    Router::new()
        .nest("/api/v1", api)
        .fallback(get(assets::asset))
        .layer(from_fn_with_state(Arc::new(hosts), guard))
}

/// The addresses of a kind of games.
fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/games", get(games))
        .route("/agents", get(agents))
        .route("/check", post(check))
        .route("/sessions", post(begin))
        .route("/sessions/{id}", get(look).delete(end))
        .route("/sessions/{id}/record", get(record))
        .route("/sessions/{id}/frames", get(film))
        .route("/sessions/{id}/events", get(listen))
        .route("/sessions/{id}/{command}", post(perform))
}

fn nothing_here() -> Refusal {
    Refusal::not_found("there is nothing at this address")
}

async fn games(Extension(kind): Kind) -> Result<Json, Refusal> {
    Ok(Json(blocking(move || Arc::clone(kind.about().games)).await?))
}

async fn agents(Extension(kind): Kind) -> Result<Json, Refusal> {
    Ok(Json(blocking(move || Arc::clone(kind.about().agents)).await?))
}

async fn check(
    State(app): Shared,
    Extension(kind): Kind,
    request: Request,
) -> Result<Json, Refusal> {
    let request = body::object(request, app.limits.body_bytes).await?;
    Ok(Json(app.sessions.check(kind.as_ref(), Value::Object(request)).await?))
}

async fn begin(
    State(app): Shared,
    Extension(kind): Kind,
    request: Request,
) -> Result<Response, Refusal> {
    let request = body::object(request, app.limits.body_bytes).await?;
    let (session, view) = app.sessions.begin(&kind, Value::Object(request)).await?;
    let answer = format!("{{\"id\":\"{}\",\"view\":{view}}}", session.id);
    Ok((StatusCode::CREATED, Json(answer.into())).into_response())
}

#[derive(Deserialize)]
struct LookQuery {
    #[serde(default)]
    scene: u8,
}

async fn look(
    State(app): Shared,
    Extension(kind): Kind,
    Path(id): Path<String>,
    Query(query): Query<LookQuery>,
) -> Result<Json, Refusal> {
    Ok(Json(app.sessions.find(&id, kind.as_ref())?.look(query.scene == 1).await?))
}

async fn end(
    State(app): Shared,
    Extension(kind): Kind,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.sessions.end(&id, kind.as_ref())?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(
    State(app): Shared,
    Extension(kind): Kind,
    Path(id): Path<String>,
) -> Result<Json, Refusal> {
    Ok(Json(app.sessions.find(&id, kind.as_ref())?.record().await?))
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
    Extension(kind): Kind,
    Path(id): Path<String>,
    Query(query): Query<FilmQuery>,
) -> Result<Json, Refusal> {
    Ok(Json(app.sessions.find(&id, kind.as_ref())?.film(query.from, query.count).await?))
}

async fn listen(
    State(app): Shared,
    Extension(kind): Kind,
    Path(id): Path<String>,
    Query(query): Query<LookQuery>,
) -> Result<Response, Refusal> {
    events::events(&app.sessions.find(&id, kind.as_ref())?, query.scene == 1).await
}

async fn perform(
    State(app): Shared,
    Extension(kind): Kind,
    Path((id, command)): Path<(String, String)>,
    request: Request,
) -> Result<Json, Denied> {
    if !kind.about().commands.contains(&command.as_str()) {
        return Err(nothing_here().into());
    }
    let session = app.sessions.find(&id, kind.as_ref())?;
    let mut object = body::object(request, app.limits.body_bytes).await?;
    object.insert("command".to_owned(), Value::String(command));
    Ok(Json(session.perform(&Value::Object(object)).await?))
}
