//! The bodies of requests: JSON of limited size that arrives in limited time.

use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header;
use serde_json::{Map, Value};

use crate::refusal::Refusal;

/// A body arrives within this time.
const PATIENCE: Duration = Duration::from_secs(15);

/// Reads the body of a request as a JSON object.
pub async fn object(request: Request, most: usize) -> Result<Map<String, Value>, Refusal> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        return Err(Refusal::new(
            415,
            "not_json",
            "the body must be JSON, with the header `Content-Type: application/json`",
        ));
    }
    let too_large =
        || Refusal::new(413, "too_large", format!("the body has more than {most} bytes"));
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let read = tokio::time::timeout(PATIENCE, to_bytes(request.into_body(), most));
    let bytes = match read.await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return Err(too_large()),
        Err(_) => return Err(Refusal::new(408, "slow", "the body did not arrive in time")),
    };
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Refusal::invalid("the body must be a JSON object")),
        Err(error) => Err(Refusal::invalid(format!("the body is no JSON: {error}"))),
    }
}
