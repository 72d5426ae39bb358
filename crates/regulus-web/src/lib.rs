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
//! What is **not** here: how boards, pieces and sprites are drawn, searching, rules, the command line.
//!
//! # Where to look
//!
//! A session is a `Table`: positions, seats, the unfinished move, and what can be done next, without network,
//! threads or clocks. It says which search it waits for; `Session` has it made when it is its turn, stops it when
//! it is not wanted any more, and tells everybody who listens. Answers are JSON text from the table on, so that
//! it does not matter where the table is: those of built-in games are in the process and use threads that may block;
//! those of uploaded rules are in a process of their own (`sandbox/`), because nothing else can end rules that run
//! for ever, and because whatever its machine code does must not matter (`regulus-sandbox`). When such a process ends, the
//! session hears of it at once and tells everybody. Everything that visitors can make grow has a limit (`limits.rs`).
//!
//! For video games a session is a `Run` instead (`session_game.rs`). A run keeps seed and actions; frames are differences
//! (`video/frame.rs`), and any part of a run is played again when it is asked for. Time is the visitor's: the server plays
//! the ticks it is given, and paces agents only while somebody listens.
//!
//! | to change | look at |
//! |---|---|
//! | what can be asked of a session, and what it shows | `command.rs`, `view.rs`; done in `table/` |
//! | addresses, bodies, events, checks of names and origins | `api/` |
//! | games and agents that are ready to play; rules that somebody writes | `setting.rs`, `catalogue.rs`; `check.rs` |
//! | listening, and ending | `server.rs` |
//! | searches and what is shown of them | `thinking.rs`; when they are made: `session.rs` |
//! | how many there may be; expiry | `limits.rs`, `sessions.rs` |
//! | uploaded rules | `sandbox/`, `host.rs`, `request.rs` |
//! | the description of the interface | `openapi.json`; the tests hold every answer against it |
//! | video games: sessions, frames, watching, replays | `video/` |
//! | who plays a level; a decision on a thread | `video/driver.rs`, `video/seat.rs` |
//! | drawing sprites | `page/sprites.js`, `stage.js`, `cast.js`; shapes: `crates/regulus-scene/src/sprite_look.rs` |
//! | the page | `page/` |
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | a session's states, without a network | `src/table/tests.rs` |
//! | the interface over HTTP: games, refusals, any JSON, hundreds of sessions, the description | `tests/` |

mod api;
mod cancel;
mod catalogue;
mod check;
mod command;
mod host;
mod limits;
mod refusal;
mod request;
mod sandbox;
mod seat;
mod server;
mod session;
mod session_game;
mod sessions;
mod setting;
mod table;
mod thinking;
mod video;
mod view;

pub use limits::Limits;
pub use sandbox::work as work_in_sandbox;
pub use seat::Seat;
pub use server::{Config, First, FirstSession, FirstVideo, Server};
pub use video::Driver;
