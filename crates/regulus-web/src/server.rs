//! Listening, and ending.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use regulus_sandbox::Program;
use regulus_vgdl::Profile;
use serde_json::{Value, json};

use crate::api::{App, Hosts, router};
use crate::board::{self, Seat};
use crate::game_kind;
use crate::limits::Limits;
use crate::sandbox::Starter;
use crate::sessions::Sessions;
use crate::video::{self, Driver};

/// Whoever connects sends the head of a request within this time.
const HEAD_PATIENCE: Duration = Duration::from_secs(15);

/// How long answers may take when the server ends.
const FAREWELL: Duration = Duration::from_secs(3);

/// Threads for what is no search: listing moves, reading rules.
const WORKERS: usize = 4;

/// Threads that only pass things on.
const ASYNC_THREADS: usize = 2;

/// How often sessions that have expired are looked for.
const SHORTEST_SWEEP: Duration = Duration::from_millis(50);
const LONGEST_SWEEP: Duration = Duration::from_secs(30);

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub bind: IpAddr,
    /// On which port; 0 is any that is free.
    pub port: u16,
    /// Further names by which the server may be addressed.
    pub allowed_hosts: Vec<String>,
    /// What visitors may ask for.
    pub limits: Limits,
    /// What is started to run uploaded rules. Without it they are run in this process, where nothing can
    /// stop them: only for rules that are trusted.
    pub program: Option<Program>,
    /// Is told at most once if the system cannot confine that program as it should be.
    pub note: fn(&str),
}

impl Default for Config {
    fn default() -> Self {
        let bind = IpAddr::from([127, 0, 0, 1]);
        Config {
            bind,
            port: 8080,
            allowed_hosts: Vec::new(),
            limits: Limits::default(),
            program: None,
            note: |_| {},
        }
    }
}

/// A session that is there from the beginning.
#[derive(Clone, Debug)]
pub struct FirstSession {
    /// The name of the game: of a built-in one, unless there is a text.
    pub name: String,
    /// The rules, if the game is not built in.
    pub text: Option<String>,
    /// Who plays.
    pub seats: Vec<Seat>,
    /// Where all randomness comes from.
    pub seed: u64,
}

/// A session on a level of a video game that is there from the beginning.
#[derive(Clone, Debug)]
pub struct FirstVideo {
    /// The name of the level: of a built-in one such as `vgdl/henhouse:0`, unless there are texts.
    pub name: String,
    /// The texts of game and level, if the game is not built in.
    pub texts: Option<(String, String)>,
    /// The rules of which year.
    pub profile: Profile,
    /// Who plays.
    pub driver: Driver,
    /// Where all randomness comes from.
    pub seed: u64,
}

/// What is there from the beginning: a request as a visitor would send it.
#[derive(Clone, Debug)]
pub struct First {
    /// The name of the kind of games.
    kind: &'static str,
    request: Value,
}

impl From<FirstSession> for First {
    fn from(first: FirstSession) -> Self {
        let FirstSession { name, text, seats, seed } = first;
        let request = match text {
            Some(text) => json!({ "text": text, "name": name, "seats": seats, "seed": seed }),
            None => json!({ "game": name, "seats": seats, "seed": seed }),
        };
        First { kind: board::ABOUT.name, request }
    }
}

impl From<FirstVideo> for First {
    fn from(first: FirstVideo) -> Self {
        let FirstVideo { name, texts, profile, driver, seed } = first;
        let profile = profile.name();
        let request = match texts {
            Some((game, level)) => {
                let texts = json!({ "game": game, "level": level, "profile": profile });
                json!({ "texts": texts, "name": name, "driver": driver, "seed": seed })
            }
            None => {
                let numbered = name.rsplit_once(':');
                let numbered = numbered.and_then(|(game, level)| Some((game, level.parse().ok()?)));
                let (game, level): (&str, usize) = numbered.unwrap_or((&name, 0));
                json!({ "game": game, "level": level, "profile": profile, "driver": driver,
                        "seed": seed })
            }
        };
        First { kind: video::ABOUT.name, request }
    }
}

/// A server that has a port and does not answer yet.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    hosts: Hosts,
}

impl Server {
    /// Takes the port.
    pub fn bind(config: Config) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(ASYNC_THREADS)
            .max_blocking_threads(config.limits.searches.saturating_add(WORKERS))
            .thread_name("regulus-web")
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind((config.bind, config.port)))?;
        let limits = Arc::new(config.limits);
        let starter = config.program.map(|program| Starter::new(program, config.note));
        let sessions = Sessions::new(Arc::clone(&limits), starter);
        let app = App { limits, kinds: game_kind::all(), sessions };
        Ok(Server {
            address: listener.local_addr()?,
            hosts: Hosts::new(config.bind, &config.allowed_hosts),
            app: Arc::new(app),
            listener,
            runtime,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Begins a session and gives the part of the address that leads to it.
    pub fn begin(&self, first: impl Into<First>) -> Result<String, String> {
        let First { kind: name, request } = first.into();
        let kind = self.app.kinds.iter().find(|kind| kind.about().name == name);
        let kind = kind.ok_or_else(|| format!("there are no {name} games"))?;
        let begun = self.runtime.block_on(self.app.sessions.begin(kind, request));
        let (session, _) = begun.map_err(|refusal| refusal.message)?;
        Ok(format!("#{}={}", kind.about().link, session.id))
    }

    /// Answers until `end` is there, and ends everything that goes on.
    pub fn run(self, end: impl Future<Output = ()>) {
        let Server { runtime, listener, app, hosts, .. } = self;
        runtime.block_on(accept(listener, &app, hosts, end));
        // Searches have been told to stop.
        runtime.shutdown_timeout(FAREWELL);
    }

    /// Answers until Ctrl-C or a request to terminate.
    pub fn run_until_interrupted(self) {
        self.run(interrupted());
    }
}

async fn interrupted() {
    #[cfg(unix)]
    if let Ok(mut terminate) =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
    {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

async fn accept(
    listener: TcpListener,
    app: &Arc<App>,
    hosts: Hosts,
    end: impl Future<Output = ()>,
) {
    let connections = Arc::new(Semaphore::new(app.limits.connections));
    let service = TowerToHyperService::new(router(Arc::clone(app), hosts));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_PATIENCE).max_buf_size(64 << 10);
    let graceful = GracefulShutdown::new();
    let pause = app.limits.expiry.div_f64(10.0);
    let mut sweep = tokio::time::interval(pause.clamp(SHORTEST_SWEEP, LONGEST_SWEEP));
    tokio::pin!(end);
    loop {
        let accepted = async {
            // No more are accepted than there may be; the others wait in the system's queue.
            let Ok(permit) = Arc::clone(&connections).acquire_owned().await else {
                return std::future::pending().await;
            };
            (listener.accept().await, permit)
        };
        tokio::select! {
            () = &mut end => break,
            _ = sweep.tick() => app.sessions.expire(),
            (accepted, permit) = accepted => match accepted {
                Ok((stream, _)) => {
                    // Events are small and are wanted now.
                    let _ = stream.set_nodelay(true);
                    let served = builder.serve_connection(TokioIo::new(stream), service.clone());
                    let served = graceful.watch(served);
                    tokio::spawn(async move {
                        // Whoever leaves in the middle of a request does so.
                        let _ = served.await;
                        drop(permit);
                    });
                }
                // Too many open files, say: that passes.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
        }
    }
    app.sessions.close();
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
}
