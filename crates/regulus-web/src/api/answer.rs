//! Answers: JSON, and refusals as JSON.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;
use crate::session::Denied;

/// JSON that is written already.
pub struct Json(pub Arc<str>);

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        let bytes = self.0.as_bytes().to_vec();
        ([(header::CONTENT_TYPE, "application/json")], Body::from(bytes)).into_response()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        Denied::from(self).into_response()
    }
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let Refusal { status, code, message } = self.refusal;
        let error = serde_json::json!({ "code": code, "message": message });
        let text = match self.view {
            // The view is JSON already.
            Some(view) => format!("{{\"error\":{error},\"view\":{view}}}"),
            None => format!("{{\"error\":{error}}}"),
        };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, Json(text.into())).into_response()
    }
}
