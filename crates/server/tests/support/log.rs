//! Captures the log of a test.

use std::{
    io,
    sync::{Arc, LazyLock, Mutex},
};

use deadwax_http::observe;
use serde_json::Value;
use tracing::{Dispatch, subscriber::NoSubscriber};

#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    pub fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The log lines of the statements with this name.
    pub fn queries(&self, name: &str) -> Vec<Value> {
        let mut lines = self.lines();
        lines.retain(|line| line["statement"].as_str().is_some_and(|statement| statement.ends_with(name)));
        lines
    }
}

/// A second subscriber for the whole run. With a single one, `tracing` caches whether a call site is enabled, by the first
/// thread that reaches it; without a subscriber on that thread the call site would stay silent for all.
static ANOTHER: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::default()));

/// Captures this thread's log, and so the whole test server's, until the guard is dropped.
pub fn logged(filter: &str) -> (Log, tracing::subscriber::DefaultGuard) {
    LazyLock::force(&ANOTHER);
    let log = Log::default();
    let writer = log.clone();
    let subscriber = observe::log_to(filter, move || writer.clone()).unwrap();
    (log, tracing::subscriber::set_default(subscriber))
}
