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
//! A session is a game that is played by people and agents: a `SessionGame` (`session_game.rs`), with board games
//! (`board/`) and video games (`video/`) behind it, without network, threads or clocks. It says which search it waits for;
//! `Session` has it made when it is its turn, stops it when it is not wanted any more, and tells everybody who
//! listens. What there is before a game has begun (lists, checks of rules, how to begin) is a `GameKind`
//! (`game_kind.rs`), and the same addresses serve all kinds.
//!
//! Questions and answers are JSON, so that it does not matter where a game is: those of built-in rules are in the process and
//! use threads that may block; those of uploaded rules are in a process of their own (`sandbox/`), because nothing else
//! can end rules that run for ever, and because whatever its machine code does must not matter (`regulus-sandbox`).
//! When such a process ends, the session hears of it at once and tells everybody. Everything that visitors can make
//! grow has a limit (`limits.rs`). Time of a video game is the visitor's: the server plays the ticks it is given, and
//! paces agents only while somebody listens.
//!
//! | to change | look at |
//! |---|---|
//! | what can be asked of a game, and what it shows | `board/commands.rs`, `board/view.rs`; `video/commands.rs`, `video/view.rs` |
//! | addresses, bodies, events, checks of names and origins | `api/` |
//! | games and agents that are ready to play | `board/loading.rs`, `board/catalogue.rs`; `video/setting.rs`, `video/catalogue.rs` |
//! | what is said about rules that somebody writes | `board/check.rs`, `video/check.rs`, `diagnostics.rs` |
//! | who plays | `board/seat.rs`, `video/driver.rs` |
//! | searches and what is shown of them | `board/thinking.rs`, `video/job.rs`; when they are made: `session.rs` |
//! | listening, and ending | `server.rs` |
//! | how many there may be; expiry | `limits.rs`, `sessions.rs` |
//! | uploaded rules | `sandbox/`, `host.rs`, `request.rs` |
//! | another kind of games | `game_kind.rs` |
//! | the description of the interface | `openapi.json`; the tests hold every answer against it |
//! | frames of video games, replays | `video/frame.rs`, `video/mod.rs` |
//! | drawing sprites | `page/sprites.js`, `page/stage.js`, `page/cast.js`; shapes: `crates/regulus-scene/src/sprite_look.rs` |
//! | the page | `page/main.js`, then the view that it names; the server seen from there: `page/api.js` |
//! | the editor; a language to write games in | `page/editor_view.js`; `page/languages.js` |
//!
//! # Adding a button
//!
//! A button that asks a board game for something new takes four files:
//!
//! 1. `board/commands.rs`: a variant of `Command`, its name in `COMMANDS`, and what it does in `BoardGame::perform`;
//! 2. `openapi.json`: the address that ends with its name; a unit test compares these with `COMMANDS`;
//! 3. `page/controls.js`: the button, which calls `play.perform(NAME, BODY)`, or `play.performHere(NAME)` if it is meant for
//!    the position that is shown and no other, and when it is disabled;
//! 4. `docs/web.md`: a line in the table of commands.
//!
//! For video games the first and the third are `video/commands.rs` and `page/video_controls.js`. A button for something that only
//! the page does is in the third alone. Its test belongs to `tests/browser/`.
//!
//! # Tests
//!
//! | what | where |
//! |---|---|
//! | games and what can be asked of them, without a network | `src/board/tests.rs`, `src/video/tests.rs` |
//! | the interface over HTTP: games, refusals, any JSON, hundreds of sessions, the description | `tests/` |

mod agent_list;
mod api;
mod board;
mod cancel;
mod diagnostics;
mod game_kind;
mod host;
mod json;
mod limits;
mod refusal;
mod request;
mod sandbox;
mod server;
mod session;
mod session_game;
mod sessions;
mod video;

pub use board::Seat;
pub use limits::Limits;
pub use sandbox::work as work_in_sandbox;
pub use server::{Config, First, FirstSession, FirstVideo, Server};
pub use video::Driver;
