//! When the next run is due.

use deadwax_store::clock::{DAY, HOUR, Micros, SECOND};
use jiff::{Timestamp, ToSpan as _, tz::TimeZone};

/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Micros = 15 * 60 * SECOND;
/// How often files are read back.
pub const PROOF_INTERVAL: Micros = 7 * DAY;

/// The next backup: at 03:30 of the zone, and every `interval_hours` from there.
pub fn next_backup(now: Micros, interval_hours: i64, zone: &TimeZone) -> Micros {
    let interval = interval_hours.max(1) * HOUR;
    let at_night = Timestamp::from_microsecond(now)
        .ok()
        .and_then(|now| now.to_zoned(zone.clone()).date().checked_sub(1.day()).ok())
        .and_then(|yesterday| yesterday.at(3, 30, 0, 0).to_zoned(zone.clone()).ok());
    let Some(at_night) = at_night else { return now + interval };
    let begin = at_night.timestamp().as_microsecond();
    begin + ((now - begin).div_euclid(interval) + 1) * interval
}

/// When a run is tried again after it failed `failures` times in a row, at `regular` at the latest.
pub fn retry_at(now: Micros, failures: i64, regular: Micros) -> Micros {
    let doublings = u32::try_from(failures.clamp(1, 10) - 1).unwrap_or(0);
    (now + (FIRST_PAUSE << doublings)).min(regular)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Micros {
        text.parse::<Timestamp>().unwrap().as_microsecond()
    }

    #[test]
    fn backups_are_made_at_half_past_three() {
        let berlin = TimeZone::fixed(jiff::tz::offset(1));
        for (now, hours, next) in [
            ("2026-11-26T02:29:59Z", 24, "2026-11-26T02:30:00Z"),
            ("2026-11-26T02:30:00Z", 24, "2026-11-27T02:30:00Z"),
            ("2026-11-26T12:00:00Z", 6, "2026-11-26T14:30:00Z"),
            ("2026-11-26T23:45:00Z", 1, "2026-11-27T00:30:00Z"),
        ] {
            assert_eq!(next_backup(at(now), hours, &berlin), at(next), "{now} {hours}");
        }
    }

    #[test]
    fn a_failure_is_tried_again_in_growing_pauses_until_the_regular_run() {
        let minutes = |failures| retry_at(0, failures, DAY) / (60 * SECOND);
        assert_eq!([1, 2, 3, 7, 8, 100].map(minutes), [15, 30, 60, 960, 1440, 1440]);
    }
}
