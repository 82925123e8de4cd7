//! The cost limits of painting, and which pages come first.

use std::time::Duration;

/// Which pages are painted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// A page of the website, of which the label makes a limited number.
    High,
    /// A page that visitors can multiply at will, such as a search. Half of the queue and three quarters of the saved work stay free for
    /// the others.
    Low,
    /// A page without a waiting visitor: bounded by [`Bounds::background`]; half of the saved work stays free for the others.
    Background,
}

/// The cost limits of painting.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Memory of an engine, in bytes.
    pub memory: usize,
    /// How long an engine may work on a page while a visitor waits; then it is interrupted.
    pub page: Duration,
    /// How long it may work in the background: enough for a slow or busy machine to finish at last.
    pub background: Duration,
    /// How long a request waits for its page in all.
    pub patience: Duration,
    /// How many pages may wait for the engine.
    pub queue: usize,
    /// An engine without work for this long is dropped.
    pub idle: Duration,
    /// The engine is replaced after this many failures in a row.
    pub failures: u32,
    /// How much work may be saved up while idle.
    pub burst: Duration,
    /// One second of work is earned in this many seconds: the largest share of a core over time.
    pub earned_in: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            memory: 48 * 1024 * 1024,
            page: Duration::from_millis(250),
            background: Duration::from_secs(2),
            patience: Duration::from_millis(150),
            queue: 8,
            idle: Duration::from_mins(1),
            failures: 3,
            burst: Duration::from_secs(2),
            earned_in: 4,
        }
    }
}
