//! What is logged while a test runs.

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

    /// The lines of statements that end as named.
    pub fn queries(&self, name: &str) -> Vec<Value> {
        let mut lines = self.lines();
        lines.retain(|line| line["statement"].as_str().is_some_and(|statement| statement.ends_with(name)));
        lines
    }
}

/// A second subscriber for as long as the tests run. Where there is one alone, `tracing` asks the thread that first comes by a
/// place in the code whether anybody listens, and of another test's thread nobody does: that place would stay silent.
static ANOTHER: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::default()));

/// What is logged on this thread, where the whole test server runs, until the guard goes.
pub fn logged(filter: &str) -> (Log, tracing::subscriber::DefaultGuard) {
    LazyLock::force(&ANOTHER);
    let log = Log::default();
    let writer = log.clone();
    let subscriber = observe::log_to(filter, move || writer.clone()).unwrap();
    (log, tracing::subscriber::set_default(subscriber))
}
