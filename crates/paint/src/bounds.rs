//! What painting may cost, and who comes first.

use std::time::Duration;

/// Whose page it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// One of the website's pages, which are as many as the label makes: it goes first.
    High,
    /// One of as many pages as a visitor can think of: half of the queue, and three quarters of the saved work, are left to
    /// the others and to what is painted later.
    Low,
    /// One that nobody waits for: it has the time of [`Bounds::background`], and half of the saved work is left to the others.
    Background,
}

/// What painting may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// What an engine may hold, in bytes.
    pub memory: usize,
    /// How long an engine may work on a page that somebody waits for; it is ended in the middle.
    pub page: Duration,
    /// How long an engine may work on a page that nobody waits for: so long that a slow or busy machine paints it at last.
    pub background: Duration,
    /// How long who asks for a page waits for it, all in all.
    pub patience: Duration,
    /// How many pages may wait for the engine.
    pub queue: usize,
    /// An engine that has had no work for so long is let go.
    pub idle: Duration,
    /// After so many failures one after the other, the engine is replaced.
    pub failures: u32,
    /// How much work may be asked for at once when there was none before.
    pub burst: Duration,
    /// One second of work is earned in so many: over time, an engine works no larger share of one core.
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
