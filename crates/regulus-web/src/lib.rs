//! The web page of Regulus: play, watch and write games in a browser; and the JSON interface behind it,
//! described in `openapi.json` and `docs/web.md`.
//!
//! ```
//! use regulus_web::{Config, Server};
//!
//! let server = Server::bind(Config { port: 0, ..Config::default() })?;
//! assert!(server.address().ip().is_loopback());
//! # let ready = std::future::ready(());
//! server.run(ready); // until the future is ready
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `table.rs` | a session's states and what leads from one to another; no network, no threads |
//! | `setting.rs`, `catalogue.rs`, `check.rs` | games and agents that are ready to play; rules somebody writes |
//! | `order.rs`, `view.rs`, `thinking.rs`, `seat.rs`, `refusal.rs` | what is sent to and fro |
//! | `video/` | the same for video games: runs, frames, who plays |
//! | `played.rs` | a table or a run |
//! | `session.rs`, `sessions.rs` | tables and runs with whoever watches them and the searches for them |
//! | `host.rs`, `request.rs`, `apart/` | where they are: here, or in a process of their own for uploaded rules |
//! | `limits.rs` | how much visitors may ask for |
//! | `api/` | addresses, bodies, events, checks of names and origins |
//! | `server.rs` | listening, and ending |
//!
//! What is **not** here: how boards, pieces and sprites are drawn, searching, rules, the command line.

mod apart;
mod api;
mod cancel;
mod catalogue;
mod check;
mod host;
mod limits;
mod order;
mod played;
mod refusal;
mod request;
mod seat;
mod server;
mod session;
mod sessions;
mod setting;
mod table;
mod thinking;
mod video;
mod view;

pub use apart::work as work_apart;
pub use limits::Limits;
pub use seat::Seat;
pub use server::{Config, First, FirstSession, FirstVideo, Server};
pub use video::Driver;
