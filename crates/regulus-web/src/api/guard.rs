//! Who may ask: a page of another site that a visitor has open must not reach a server on the visitor's
//! machine, neither directly nor by a name that is made to point there (DNS rebinding).

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

/// The names by which a server may be addressed.
#[derive(Clone, Debug)]
pub struct Hosts {
    names: Vec<String>,
    /// Any address of the machine is listened to, so any may be meant. Addresses cannot be rebound.
    any_address: bool,
}

impl Hosts {
    /// The usual names, an address that is listened to, and further names.
    pub fn new(bound: IpAddr, further: &[String]) -> Self {
        let usual = ["127.0.0.1", "localhost", "[::1]"].map(str::to_owned);
        let bound_name = match bound {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let further = further.iter().map(|name| name.to_ascii_lowercase());
        Hosts {
            names: usual.into_iter().chain([bound_name]).chain(further).collect(),
            any_address: bound.is_unspecified(),
        }
    }

    /// True if an authority, as in `localhost:8080`, is one of these names.
    fn has(&self, authority: &str) -> bool {
        let name = host_of(authority).to_ascii_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        self.names.contains(&name) || (self.any_address && address.is_ok())
    }
}

/// `localhost` of `localhost:8080`.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    }
}

/// Says why a request is not for us.
fn check(hosts: &Hosts, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let forbidden = |message: &str| Refusal::new(403, "forbidden", message);
    let host = text(header::HOST).unwrap_or_default();
    if headers.get_all(header::HOST).iter().count() > 1 || !hosts.has(host) {
        return Err(forbidden(
            "this server is not known by that name; `--allow-host NAME` lets it answer",
        ));
    }
    if let Some(origin) = text(header::ORIGIN) {
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        if !authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host)) {
            return Err(forbidden("pages of other sites cannot use this server"));
        }
    }
    // Browsers say so where they send no origin.
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let mode = text(HeaderName::from_static("sec-fetch-mode"));
    let follows_link = *method == Method::GET && mode == Some("navigate");
    match site {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if follows_link => Ok(()),
        Some(_) => Err(forbidden("pages of other sites cannot use this server")),
    }
}

/// Nothing comes from elsewhere, and nothing is done by text in the page.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// Headers that make browsers careful.
const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-frame-options", "DENY"),
];

/// Checks every request and completes every answer.
pub async fn guard(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    let mut response = match check(&hosts, request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(bound: &str, headers: &[(&'static str, &str)]) -> bool {
        let hosts = Hosts::new(bound.parse().unwrap(), &["games.example".to_owned()]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        check(&hosts, &Method::POST, &map).is_ok()
    }

    #[test]
    fn names_are_checked() {
        for host in ["127.0.0.1:80", "localhost", "LOCALHOST:1", "[::1]:8080", "games.example"] {
            assert!(allowed("127.0.0.1", &[("host", host)]), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "", "10.0.0.1", "localhost:80:80"] {
            assert!(!allowed("127.0.0.1", &[("host", host)]), "{host}");
        }
        assert!(!allowed("127.0.0.1", &[]));
        assert!(!allowed("127.0.0.1", &[("host", "localhost"), ("host", "evil.example")]));
        assert!(allowed("0.0.0.0", &[("host", "10.0.0.1:80")]));
        assert!(allowed("::", &[("host", "[fe80::1]:80")]));
        assert!(!allowed("0.0.0.0", &[("host", "evil.example")]));
        assert!(allowed("10.0.0.7", &[("host", "10.0.0.7:80")]));
    }

    #[test]
    fn origins_are_checked() {
        let with = |name, value| allowed("127.0.0.1", &[("host", "localhost:80"), (name, value)]);
        assert!(with("origin", "http://localhost:80"));
        assert!(!with("origin", "http://localhost:81"));
        assert!(!with("origin", "http://evil.example"));
        assert!(!with("origin", "null"));
        assert!(with("sec-fetch-site", "same-origin"));
        assert!(!with("sec-fetch-site", "cross-site"));
        assert!(!with("sec-fetch-site", "same-site"));
    }
}
