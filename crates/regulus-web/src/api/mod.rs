//! The JSON interface and the page, over HTTP.

mod answer;
mod assets;
mod body;
mod events;
mod guard;
mod routes;

pub use guard::Hosts;
pub use routes::{App, router};
