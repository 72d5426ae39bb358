//! `regulus serve`: the web page.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use clap::Args;
use regulus_player::limit;
use regulus_sandbox::Program;
use regulus_search::config::MIN_MEMORY;
use regulus_web::{Config, First, FirstSession, Limits, Server};

use crate::failure::Failure;

/// No limit is higher.
const MOST: usize = 1_000_000;

/// Serve the web page: play, watch and write games in a browser
///
/// The address is printed; Ctrl-C ends the server. Everything is in the program, nothing is loaded from
/// elsewhere, and no file is read or written.
#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    place: Place,
    /// Another name by which the server may be addressed, as behind a proxy; repeatable
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    #[command(flatten)]
    limits: Allowed,
}

/// Where a server listens.
#[derive(Args)]
pub struct Place {
    /// The port; 0 takes any that is free [default: 8080]
    #[arg(long, value_name = "P")]
    port: Option<u16>,
    /// The address to listen on; 0.0.0.0 lets other machines in [default: 127.0.0.1]
    #[arg(long, value_name = "ADDR")]
    bind: Option<IpAddr>,
}

impl Place {
    /// True if nothing was asked for.
    pub fn is_default(&self) -> bool {
        self.port.is_none() && self.bind.is_none()
    }
}

/// What visitors may ask for.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct Allowed {
    /// Sessions at the same time
    #[arg(long, value_name = "N", default_value_t = Limits::default().sessions)]
    max_sessions: usize,
    /// A session that was not used for this time is forgotten
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "7200s")]
    expiry: Duration,
    /// Searches at the same time, others wait [default: one per processor]
    #[arg(long, value_name = "N")]
    max_searches: Option<usize>,
    /// How long one search may take
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "30s")]
    max_time: Duration,
    /// Simulations of one search
    #[arg(long, value_name = "N", default_value_t = Limits::default().search_simulations)]
    max_sims: u64,
    /// Megabytes of one search
    #[arg(long, value_name = "MB", default_value_t = Limits::default().search_memory >> 20)]
    max_memory: usize,
    /// How long an agent may think about one action of a video game
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "1s")]
    max_action_time: Duration,
    /// Moves of a game
    #[arg(long, value_name = "N", default_value_t = Limits::default().plies)]
    max_moves: usize,
    /// Kilobytes of uploaded rules
    #[arg(long, value_name = "KB", default_value_t = Limits::default().text_bytes >> 10)]
    max_rules: usize,
    /// Vertices of an uploaded board
    #[arg(long, value_name = "N", default_value_t = Limits::default().vertices)]
    max_vertices: usize,
    /// Sessions on uploaded rules at the same time
    #[arg(long, value_name = "N", default_value_t = Limits::default().uploads)]
    max_uploads: usize,
    /// Event streams of one session at the same time
    #[arg(long, value_name = "N", default_value_t = Limits::default().streams)]
    max_streams: usize,
    /// How long uploaded rules may take for anything but a search, and a search beyond its time
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    max_delay: Duration,
    /// Megabytes of the process that runs uploaded rules
    #[arg(long, value_name = "MB", default_value_t = Limits::default().process_memory >> 20)]
    max_process_memory: u64,
    /// Connections at the same time
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,
}

fn time(text: &str) -> Result<Duration, String> {
    limit::parse_duration("time", text)
}

impl Allowed {
    fn limits(&self) -> Result<Limits, Failure> {
        let usual = Limits::default();
        let memory = self.max_memory.saturating_mul(1 << 20);
        let searches = self.max_searches.unwrap_or(usual.searches);
        let counts =
            [self.max_sessions, searches, self.max_moves, self.max_streams, self.max_connections];
        if counts.iter().any(|count| !(1..=MOST).contains(count)) || self.max_uploads > MOST {
            return Err(Failure::Failed(format!("limits are numbers from 1 to {MOST}")));
        }
        if memory < MIN_MEMORY || self.max_sims == 0 {
            return Err(Failure::Failed("a limit of 0 allows nothing".to_owned()));
        }
        let text_bytes = self.max_rules.saturating_mul(1 << 10);
        Ok(Limits {
            sessions: self.max_sessions,
            uploads: self.max_uploads,
            connections: self.max_connections,
            streams: self.max_streams,
            searches,
            search_time: self.max_time,
            search_simulations: self.max_sims,
            search_memory: memory,
            action_time: self.max_action_time,
            // In JSON a character can take six, and moves of a record may come with the rules.
            body_bytes: usual.body_bytes.max(text_bytes.saturating_mul(4)),
            text_bytes,
            vertices: self.max_vertices,
            patience: self.max_delay,
            process_memory: self.max_process_memory.saturating_mul(1 << 20),
            plies: self.max_moves,
            expiry: self.expiry,
            ..usual
        })
    }
}

impl Serve {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let limits = self.limits.limits()?;
        serve(&self.place, self.allow_host, limits, None::<FirstSession>)
    }
}

/// Serves, perhaps with a session that is there from the beginning.
pub fn serve(
    place: &Place,
    allowed_hosts: Vec<String>,
    limits: Limits,
    first: Option<impl Into<First>>,
) -> Result<(), Failure> {
    let bind = place.bind.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let port = place.port.unwrap_or(8080);
    let program = Program::this(&["run-rules", "page"])
        .map_err(|error| Failure::Failed(format!("cannot find this program: {error}")))?;
    let note = |text: &str| {
        // Nobody need read it.
        let _ = writeln!(anstream::stderr(), "note: {text}");
    };
    let config = Config { bind, port, allowed_hosts, limits, program: Some(program), note };
    let server = Server::bind(config);
    let server = server.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Failure::Failed(format!(
            "port {port} of {bind} is in use; `--port 0` takes one that is free"
        )),
        _ => Failure::Failed(format!("cannot listen on port {port} of {bind}: {error}")),
    })?;
    let mut address = format!("http://{}/", server.address());
    if let Some(first) = first {
        address += &server.begin(first).map_err(Failure::Failed)?;
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{address}")?;
    out.flush()?;
    drop(out);
    server.run_until_interrupted();
    Ok(())
}
