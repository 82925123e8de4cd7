//! Which backups are kept: all of the last 24 hours, then the last one of each day, week and month by the label's clock, and always
//! the newest.

use std::collections::BTreeSet;

use deadwax_store::{
    backup_runs::Settings,
    clock::{DAY, HOUR, Micros},
};
use jiff::{Timestamp, tz::TimeZone};

use super::{
    names::{DOUBTS, key_name, manifest_time, manifests, time_name, time_of},
    store::Store,
};
use crate::operation::backup::BackupError;

/// Objects that no manifest names are kept for so long: they may be of a run under way.
const UNNAMED: Micros = 48 * HOUR;
const YEAR: Micros = 366 * DAY;

/// Removes the backups that are not kept any more, after the run `time` has proved its own. Returns a warning in words.
pub(super) fn apply(
    store: &Store<'_>,
    (keep, zone): (Settings, &TimeZone),
    time: &str,
) -> Result<Option<String>, BackupError> {
    let names = manifests(&store.list()?);
    let times: Vec<Micros> = names.iter().filter_map(|name| manifest_time(name).and_then(time_of)).collect();
    let Some(now) = time_of(time) else { return Ok(None) };
    let superseded = match superseded(&times, now, keep, zone) {
        Ok(superseded) => superseded,
        Err(odd) => return Ok(Some(odd)),
    };
    let mut refused = None;
    for name in &names {
        let at = manifest_time(name).and_then(time_of);
        if at.is_some_and(|at| superseded.contains(&at))
            && let Err(error) = store.remove(name)
        {
            refused.get_or_insert(error);
        }
    }
    if let Some(error) = refused {
        return Ok(Some(refusal(&error)));
    }
    if superseded.is_empty() { Ok(None) } else { sweep(store) }
}

/// Removes the objects that no manifest names, two days after they were written by the store's clock. Returns a warning in words.
pub(super) fn sweep(store: &Store<'_>) -> Result<Option<String>, BackupError> {
    let objects = store.list()?;
    let (mut named, mut rows) = (BTreeSet::new(), BTreeSet::new());
    for name in manifests(&objects) {
        let Ok(backup) = store.manifest(&name) else {
            return Ok(Some(format!("Nothing is swept: {name} cannot be read.")));
        };
        let Ok(files) = store.files(&backup) else {
            return Ok(Some(format!("Nothing is swept: the files of {name} cannot be read.")));
        };
        named.extend(files.into_iter().map(|file| file.name));
        rows.insert(format!("rows/{}", backup.time));
        named.insert(key_name(&backup.time));
    }
    let now = objects.values().map(|object| object.written_at).max().unwrap_or(0);
    let is_named = |name: &str| {
        named.contains(name) || name.rsplit_once('/').is_some_and(|(folder, _)| rows.contains(folder))
    };
    let is_ours =
        |name: &str| ["files/", "rows/", "keys/", DOUBTS].iter().any(|folder| name.starts_with(folder));
    for object in objects.values() {
        let is_old = object.written_at < now - UNNAMED;
        if !is_old || !is_ours(&object.key) || is_named(&object.key) {
            continue;
        }
        if let Err(error) = store.remove(&object.key) {
            return Ok(Some(refusal(&error)));
        }
    }
    store.remove_unfinished(now - UNNAMED)?;
    Ok(None)
}

fn refusal(error: &BackupError) -> String {
    format!("Older backups stay, because the store removes nothing (is it locked?): {error}")
}

/// The day, week or month of an instant.
type Period = fn(&jiff::Zoned) -> (i16, i16);

/// The backups of `times` that are not kept, after one at `now`. An error in words where a clock was set: then all are kept.
fn superseded(
    times: &[Micros],
    now: Micros,
    keep: Settings,
    zone: &TimeZone,
) -> Result<BTreeSet<Micros>, String> {
    let before: Vec<Micros> = times.iter().copied().filter(|at| *at != now).collect();
    let Some(newest) = before.iter().copied().max() else { return Ok(BTreeSet::new()) };
    if newest > now || now - newest > YEAR {
        let at = time_name(newest);
        return Err(format!(
            "Nothing was removed: the backup before this one is of {at}, so a clock may have been set. Remove it by hand if it is wrong."
        ));
    }
    let mut sorted: Vec<Micros> = times.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let mut kept: BTreeSet<Micros> = sorted.iter().copied().filter(|at| *at >= now - DAY).collect();
    kept.extend(sorted.first());
    let periods: [(i64, Period); 3] = [
        (keep.keep_days, |at| (at.year(), at.day_of_year())),
        (keep.keep_weeks, |at| {
            let week = at.date().iso_week_date();
            (week.year(), i16::from(week.week()))
        }),
        (keep.keep_months, |at| (at.year(), i16::from(at.month()))),
    ];
    for (most, period) in periods {
        let mut seen = BTreeSet::new();
        for at in &sorted {
            let Ok(instant) = Timestamp::from_microsecond(*at) else { continue };
            let is_last = seen.insert(period(&instant.to_zoned(zone.clone())));
            if i64::try_from(seen.len()).unwrap_or(i64::MAX) > most {
                break;
            }
            if is_last {
                kept.insert(*at);
            }
        }
    }
    Ok(sorted.into_iter().filter(|at| !kept.contains(at)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Micros = 1_795_003_200_000_000;

    fn kept(times: &[Micros], now: Micros, keep: Settings) -> Vec<Micros> {
        let gone = superseded(times, now, keep, &TimeZone::UTC).unwrap();
        times.iter().copied().filter(|at| !gone.contains(at)).collect()
    }

    #[test]
    fn a_year_of_nights_leaves_the_days_weeks_and_months_that_are_kept() {
        let mut left = Vec::new();
        for night in 0..400 {
            let now = NOON + night * DAY;
            left.push(now);
            left = kept(&left, now, Settings::default());
        }
        let ages: Vec<i64> = left.iter().rev().map(|at| (NOON + 399 * DAY - at) / DAY).collect();
        assert_eq!(&ages[..7], [0, 1, 2, 3, 4, 5, 6]);
        // Seven days, four weeks and twelve months, of which some are the same backup.
        assert!((17..=23).contains(&left.len()), "{ages:?}");
        // The month of today is one of the twelve.
        assert!((304..=366).contains(ages.last().unwrap()), "{ages:?}");
    }

    #[test]
    fn every_backup_of_the_last_day_is_kept() {
        let hours: Vec<Micros> = (0..48).map(|hour| NOON + hour * HOUR).collect();
        let now = *hours.last().unwrap();
        let left = kept(
            &hours,
            now,
            Settings { keep_days: 1, keep_weeks: 0, keep_months: 0, ..Settings::default() },
        );
        assert_eq!(left, hours[23..]);
    }

    #[test]
    fn days_are_those_of_the_zone() {
        let hours: Vec<Micros> = (0..72).map(|hour| NOON + hour * HOUR).collect();
        let keep = Settings { keep_days: 3, keep_weeks: 0, keep_months: 0, ..Settings::default() };
        for (zone, oldest) in [
            // 23:00 of the day before yesterday there.
            ("UTC", NOON + 35 * HOUR),
            ("Pacific/Auckland", NOON + 46 * HOUR),
            ("America/New_York", NOON + 40 * HOUR),
        ] {
            let zone = crate::content::time_zone::find(zone).unwrap();
            let gone = superseded(&hours, *hours.last().unwrap(), keep, &zone).unwrap();
            assert_eq!(hours.iter().find(|at| !gone.contains(at)), Some(&oldest), "{zone:?}");
        }
    }

    #[test]
    fn a_clock_that_was_set_removes_nothing() {
        let times: Vec<Micros> = (0..40).map(|night| NOON + night * DAY).collect();
        let newest = *times.last().unwrap();
        for now in [newest - DAY, newest + YEAR + DAY] {
            let mut with_now = times.clone();
            with_now.push(now);
            with_now.sort_unstable();
            assert!(superseded(&with_now, now, Settings::default(), &TimeZone::UTC).is_err());
        }
    }

    #[test]
    fn the_newest_is_kept_whatever_the_settings_say() {
        let none = Settings { keep_days: 0, keep_weeks: 0, keep_months: 0, ..Settings::default() };
        let times = [NOON, NOON + 9 * DAY];
        assert_eq!(kept(&times, NOON + 9 * DAY, none), [NOON + 9 * DAY]);
        assert_eq!(kept(&[NOON], NOON, none), [NOON]);
    }
}
