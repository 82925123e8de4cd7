//! When the next run is due.

use deadwax_store::clock::{DAY, HOUR, Micros, SECOND};
use jiff::{Timestamp, tz::TimeZone};

/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Micros = 15 * 60 * SECOND;
/// How often files are read back.
pub const PROOF_INTERVAL: Micros = 7 * DAY;

/// The next backup: at 03:30 by the zone's clock, and every `interval_hours` from there until the next 03:30.
///
/// A day on which clocks change has 23 or 25 hours, so its last interval is as much shorter or longer. Where 03:30 itself is left
/// out, the backup begins as long after the change as it would have; where it comes twice, at the first of the two.
pub fn next_backup(now: Micros, interval_hours: i64, zone: &TimeZone) -> Micros {
    let interval = interval_hours.max(1) * HOUR;
    let Some((begin, end)) = night(now, zone) else { return now + interval };
    let next = begin + ((now - begin).div_euclid(interval) + 1) * interval;
    if next + interval / 2 > end { end } else { next }
}

/// The last 03:30 by the zone's clock, and the next one.
fn night(now: Micros, zone: &TimeZone) -> Option<(Micros, Micros)> {
    let today = Timestamp::from_microsecond(now).ok()?.to_zoned(zone.clone()).date();
    let nights = [today.yesterday().ok()?, today, today.tomorrow().ok()?]
        .map(|date| date.at(3, 30, 0, 0).to_zoned(zone.clone()).map(|at| at.timestamp().as_microsecond()));
    let known = || nights.iter().flatten().copied();
    known().filter(|at| *at <= now).max().zip(known().filter(|at| *at > now).min())
}

/// When a run is tried again after it failed `failures` times in a row, at `regular` at the latest.
pub fn retry_at(now: Micros, failures: i64, regular: Micros) -> Micros {
    let doublings = u32::try_from(failures.clamp(1, 10) - 1).unwrap_or(0);
    (now + (FIRST_PAUSE << doublings)).min(regular)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::time_zone;

    fn at(text: &str) -> Micros {
        text.parse::<Timestamp>().unwrap().as_microsecond()
    }

    /// Every backup from the first of two instants to the second, by the zone's clock.
    fn made(zone: &str, hours: i64, from: &str, to: &str) -> Vec<String> {
        let zone = time_zone::find(zone).unwrap();
        let (mut now, mut made) = (at(from), Vec::new());
        loop {
            now = next_backup(now, hours, &zone);
            if now > at(to) {
                return made;
            }
            made.push(time_zone::local(now, &zone).strftime("%d %H:%M %:z").to_string());
        }
    }

    #[test]
    fn backups_are_made_at_half_past_three_of_the_zone() {
        let berlin = time_zone::find("Europe/Berlin").unwrap();
        for (now, hours, next) in [
            ("2026-11-26T02:29:59Z", 24, "2026-11-26T02:30:00Z"),
            ("2026-11-26T02:30:00Z", 24, "2026-11-27T02:30:00Z"),
            ("2026-11-26T12:00:00Z", 6, "2026-11-26T14:30:00Z"),
            ("2026-11-26T23:45:00Z", 1, "2026-11-27T00:30:00Z"),
            ("2026-07-26T12:00:00Z", 24, "2026-07-27T01:30:00Z"),
        ] {
            assert_eq!(next_backup(at(now), hours, &berlin), at(next), "{now} {hours}");
        }
        let kathmandu = time_zone::find("Asia/Kathmandu").unwrap();
        assert_eq!(
            next_backup(at("2026-11-26T12:00:00Z"), 24, &kathmandu),
            at("2026-11-26T21:45:00Z"),
            "the night is tomorrow's there"
        );
    }

    #[test]
    fn a_night_on_which_clocks_change_has_one_backup_at_its_hour() {
        // In Berlin 02:00 to 03:00 is left out on 29 March 2026, and comes twice on 25 October.
        assert_eq!(
            made("Europe/Berlin", 24, "2026-03-28T01:00:00Z", "2026-03-30T12:00:00Z"),
            ["28 03:30 +01:00", "29 03:30 +02:00", "30 03:30 +02:00"]
        );
        assert_eq!(
            made("Europe/Berlin", 24, "2026-10-24T01:00:00Z", "2026-10-26T12:00:00Z"),
            ["24 03:30 +02:00", "25 03:30 +01:00", "26 03:30 +01:00"]
        );
        assert_eq!(
            made("Europe/Berlin", 6, "2026-10-24T18:00:00Z", "2026-10-25T09:00:00Z"),
            ["24 21:30 +02:00", "25 03:30 +01:00", "25 09:30 +01:00"]
        );
        assert_eq!(
            made("Europe/Berlin", 6, "2026-03-28T18:00:00Z", "2026-03-29T08:00:00Z"),
            ["28 21:30 +01:00", "29 03:30 +02:00", "29 09:30 +02:00"]
        );
        // Hourly ones never wait longer than an hour.
        assert_eq!(
            made("Europe/Berlin", 1, "2026-10-24T23:45:00Z", "2026-10-25T02:30:00Z"),
            ["25 02:30 +02:00", "25 02:30 +01:00", "25 03:30 +01:00"]
        );
        assert_eq!(
            made("Europe/Berlin", 1, "2026-03-29T00:00:00Z", "2026-03-29T02:30:00Z"),
            ["29 01:30 +01:00", "29 03:30 +02:00", "29 04:30 +02:00"]
        );
    }

    #[test]
    fn half_past_three_may_be_left_out_or_come_twice() {
        // In Apia the whole of 30 December 2011.
        assert_eq!(
            made("Pacific/Apia", 24, "2011-12-28T12:00:00Z", "2011-12-31T12:00:00Z"),
            ["28 03:30 -10:00", "29 03:30 -10:00", "31 03:30 +14:00"]
        );
        // In Kiev 03:00 to 04:00 is left out in March, and comes twice in October.
        assert_eq!(
            made("Europe/Kiev", 24, "2026-03-28T01:00:00Z", "2026-03-30T12:00:00Z"),
            ["28 03:30 +02:00", "29 04:30 +03:00", "30 03:30 +03:00"]
        );
        assert_eq!(
            made("Europe/Kiev", 24, "2026-10-24T00:00:00Z", "2026-10-26T12:00:00Z"),
            ["24 03:30 +03:00", "25 03:30 +03:00", "26 03:30 +02:00"]
        );
    }

    #[test]
    fn a_failure_is_tried_again_in_growing_pauses_until_the_regular_run() {
        let minutes = |failures| retry_at(0, failures, DAY) / (60 * SECOND);
        assert_eq!([1, 2, 3, 7, 8, 100].map(minutes), [15, 30, 60, 960, 1440, 1440]);
    }
}
