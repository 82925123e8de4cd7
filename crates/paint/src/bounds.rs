//! The limits of painting: what it may cost, which pages come first, the working time that is left, and why a page was skipped.

use std::time::{Duration, Instant};

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

/// Working time, earned and spent; overspending is owed.
#[derive(Debug)]
pub(crate) struct Credit {
    earned_in: u32,
    most: Duration,
    left: Duration,
    owed: Duration,
    counted_at: Instant,
}

impl Credit {
    /// Full at `now`: up to `most` is saved, and one second is earned in `earned_in`.
    pub(crate) fn new(most: Duration, earned_in: u32, now: Instant) -> Self {
        Self { earned_in: earned_in.max(1), most, left: most, owed: Duration::ZERO, counted_at: now }
    }

    pub(crate) fn exceeds(&mut self, reserve: Duration, now: Instant) -> bool {
        let earned = now.saturating_duration_since(self.counted_at) / self.earned_in;
        self.left = (self.left + earned.saturating_sub(self.owed)).min(self.most);
        self.owed = self.owed.saturating_sub(earned);
        self.counted_at = now;
        self.left > reserve
    }

    pub(crate) fn spend(&mut self, worked: Duration) {
        self.owed += worked.saturating_sub(self.left);
        self.left = self.left.saturating_sub(worked);
    }
}

/// Why a page was not painted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Skipped {
    /// Nothing is painted: it is turned off, or the program was built without the module.
    #[error("painting is off")]
    Off,
    /// More work was requested than time allows.
    #[error("the engine has too much to do")]
    Busy,
    /// Time was up.
    #[error("the engine took too long")]
    Late,
    /// The module or the engine failed; the text says how, for the log.
    #[error("the engine failed: {0}")]
    Failed(String),
}

impl Skipped {
    /// One word, for metrics: `off`, `busy`, `late` or `failed`.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Busy => "busy",
            Self::Late => "late",
            Self::Failed(_) => "failed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_time_is_earned_and_spent() {
        let start = Instant::now();
        let second = Duration::from_secs(1);
        let mut credit = Credit::new(second * 2, 4, start);
        assert!(credit.exceeds(second, start));
        credit.spend(second * 3);
        assert!(!credit.exceeds(Duration::ZERO, start));
        assert!(!credit.exceeds(Duration::ZERO, start + second * 2));
        assert!(!credit.exceeds(Duration::ZERO, start + second * 4), "what was owed is paid");
        assert!(!credit.exceeds(second, start + second * 8));
        assert!(credit.exceeds(second, start + second * 9));
        assert!(!credit.exceeds(second * 2, start + second * 100), "no more than can be saved");
    }
}
