//! The only reader of the wall clock. Everything else takes the time as an argument.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// An instant as stored: microseconds since 1970-01-01 UTC.
pub type Micros = i64;

pub const SECOND: Micros = 1_000_000;
pub const HOUR: Micros = 3_600 * SECOND;
pub const DAY: Micros = 24 * HOUR;

/// A stored instant or span in the milliseconds that the rules count in; 0 for what lies before 1970.
pub fn millis(at: Micros) -> u64 {
    u64::try_from(at / 1000).unwrap_or(0)
}

/// The same as a number of JavaScript's, for the rules that run in browsers too.
#[expect(clippy::cast_precision_loss, reason = "exact until the year 287396")]
pub fn js_millis(at: Micros) -> f64 {
    (at / 1000) as f64
}

/// An instant or span of the rules as it is stored; what is longer than can be stored becomes the longest.
pub fn micros(ms: u64) -> Micros {
    i64::try_from(ms).unwrap_or(i64::MAX).saturating_mul(1000)
}

#[derive(Clone, Debug, Default)]
pub enum Clock {
    #[default]
    System,
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// A clock standing at `micros` until it is moved.
    pub fn fixed(micros: Micros) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(micros)))
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the machine")]
    pub fn now(&self) -> Micros {
        match self {
            Self::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX)),
            Self::Fixed(micros) => micros.load(Ordering::SeqCst),
        }
    }

    /// How long a job sleeps until `at`: zero if that has passed, and at most `longest`, also without an instant.
    pub fn sleep_until(&self, at: Option<Micros>, longest: Duration) -> Duration {
        let left = at.map(|at| u64::try_from(at.saturating_sub(self.now())).unwrap_or(0));
        left.map_or(longest, |left| Duration::from_micros(left).min(longest))
    }
}

/// An instant as people and programs read it: RFC 3339 in UTC; one that no calendar has is the first or the last of them.
pub fn rfc3339(micros: Micros) -> String {
    let nearest = if micros < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    jiff::Timestamp::from_microsecond(micros).unwrap_or(nearest).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_sleeps_until_an_instant_and_never_longer_than_asked() {
        let (clock, longest) = (Clock::fixed(10 * SECOND), Duration::from_mins(1));
        for (at, seconds) in [(None, 60), (Some(9 * SECOND), 0), (Some(12 * SECOND), 2), (Some(HOUR), 60)] {
            assert_eq!(clock.sleep_until(at, longest), Duration::from_secs(seconds), "{at:?}");
        }
    }
}
