//! How much an engine may work: a share of the time, some of it saved up for bursts of requests.

use std::time::{Duration, Instant};

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
