//! Publishing a release: now, at an instant, or not yet.
//!
//! A published release can be withdrawn. A past instant counts as now.

use serde::{Deserialize, Serialize};

use crate::checked::names;
use crate::format;
use crate::release_error::ReleaseError;

names! {
    /// State of a release.
    #[derive(Default)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum ReleaseState {
        /// Visible to admins only.
        #[default]
        Draft = "draft";
        /// Visible to admins only until its instant.
        Scheduled = "scheduled";
        /// Public.
        Out = "out";
    }
}

/// Request of the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Publish {
    /// Publish now.
    Now,
    /// Publish at an instant.
    OnDate,
    /// Keep private, or withdraw.
    NotYet,
}

/// The next state of a release and its scheduled instant. `present` is its current state, `None` for a new release. Instants
/// are milliseconds since 1970. Without a request the state stays as it is; a new release is published.
///
/// ```
/// use rules::publish::{Publish, ReleaseState, next_state};
/// assert_eq!(next_state(None, None, None, 5), (ReleaseState::Out, None));
/// assert_eq!(next_state(None, Some(Publish::OnDate), Some(9), 5), (ReleaseState::Scheduled, Some(9)));
/// assert_eq!(next_state(None, Some(Publish::OnDate), Some(5), 5), (ReleaseState::Out, None));
/// ```
pub fn next_state(
    present: Option<(ReleaseState, Option<i64>)>,
    publish: Option<Publish>,
    goes_out_at: Option<i64>,
    now: i64,
) -> (ReleaseState, Option<i64>) {
    match (publish, present) {
        (None, Some(present)) => present,
        (Some(Publish::NotYet), _) => (ReleaseState::Draft, None),
        (Some(Publish::OnDate), _) if goes_out_at.is_some_and(|at| at > now) => {
            (ReleaseState::Scheduled, goes_out_at)
        }
        (None | Some(Publish::Now | Publish::OnDate), _) => (ReleaseState::Out, None),
    }
}

/// Parses an RFC 3339 instant, with or without seconds, to milliseconds since 1970; `None` if it is invalid. Earlier instants
/// become 0, being past all the same.
///
/// ```
/// use rules::publish::instant;
/// assert_eq!(instant("1970-01-02T00:00:01.5Z"), Some(86_401_500));
/// assert_eq!(instant("1970-01-02T01:00+01:00"), Some(86_400_000));
/// assert_eq!(instant("1960-01-01T00:00:00Z"), Some(0));
/// assert_eq!(instant("1970-01-02"), None);
/// ```
pub fn instant(text: &str) -> Option<i64> {
    let (day, time) = text.trim().split_once(['T', 't'])?;
    format::date(day)?;
    let number = |part: &str| (part.len() == 2).then(|| digits(part)).flatten();
    let (time, offset) = zone(time)?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = time.split(':');
    let (hour, minute) = (number(parts.next()?)?, number(parts.next()?)?);
    let second = parts.next().map_or(Some(0), number)?;
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 || fraction.is_empty() {
        return None;
    }
    digits(fraction)?;
    // Without the formatting machinery, which is too large for the browser.
    let ms = fraction.bytes().chain([b'0'; 2]).take(3).fold(0, |ms, digit| ms * 10 + i64::from(digit - b'0'));
    let seconds = days(day)? * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60;
    Some(if seconds < 0 { 0 } else { seconds * 1000 + ms })
}

/// Start of the year 9999 in milliseconds: later instants cannot be written in every time zone.
const END_MS: i64 = 253_370_764_800_000;

/// Parses the instant when a release is published, in milliseconds since 1970.
///
/// ```
/// use rules::publish::goes_out;
/// assert!(goes_out("9998-12-31T23:59:59Z").is_ok());
/// assert_eq!(goes_out("9999-01-01T00:00:00Z").unwrap_err().code(), "goes_out_too_late");
/// ```
pub fn goes_out(text: &str) -> Result<i64, ReleaseError> {
    match instant(text) {
        None => Err(ReleaseError::GoesOutInvalid),
        Some(at) if at >= END_MS => Err(ReleaseError::GoesOutTooLate),
        Some(at) => Ok(at),
    }
}

/// Splits a time into the part before its UTC offset, and the offset in minutes.
fn zone(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let (place, sign) = match (time.rfind('+'), time.rfind('-')) {
        (Some(place), None) => (place, 1),
        (None, Some(place)) => (place, -1),
        _ => return None,
    };
    let (hours, minutes) = time.get(place + 1..)?.split_once(':')?;
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    (hours <= 23 && minutes <= 59).then_some((time.get(..place)?, sign * (hours * 60 + minutes)))
}

fn digits(text: &str) -> Option<i64> {
    (text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// Days from 1970 to an existing date (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`).
fn days(date: &str) -> Option<i64> {
    let (year, month, day) = (digits(date.get(..4)?)?, digits(date.get(5..7)?)?, digits(date.get(8..)?)?);
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}
