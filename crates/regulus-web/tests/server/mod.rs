//! A server for a test.

use std::thread::JoinHandle;

use regulus_web::{Config, Limits, Server};
use tokio::sync::oneshot;

use crate::client::Client;

/// A server that ends with the test.
pub struct Running {
    pub client: Client,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn start(limits: Limits) -> Self {
        let config = Config { port: 0, limits, ..Config::default() };
        let server = Server::bind(config).expect("a free port");
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            server.run(async {
                let _ = stopped.await;
            });
        });
        let client = Client { address, host: address.to_string() };
        Running { client, stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server has panicked");
        }
    }
}

/// Small limits, so that tests need little.
pub fn limits() -> Limits {
    Limits { search_memory: 8 << 20, ..Limits::default() }
}
