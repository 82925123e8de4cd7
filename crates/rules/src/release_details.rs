//! The details on a release's own page: tracks and credits.

use std::fmt;

use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use crate::checked::Problem;
use crate::release_error::ReleaseError;
use crate::text;

/// Maximum number of tracks, and of credits.
pub const ROWS_MAX: usize = 200;
/// Maximum length in characters of each text in a track or credit.
pub const ROW_TEXT_MAX: usize = 200;
/// Maximum total length in characters of all tracks, and of all credits.
pub const ROWS_TEXT_MAX: usize = 10_000;
/// Maximum duration in seconds: just under 100 hours.
pub const DURATION_MAX: u32 = 359_999;

/// Marks an unreadable duration: longer than any track, so that its row refuses it.
const UNREADABLE: u32 = u32::MAX;

/// A track.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = TrackBody))]
pub struct Track {
    /// Position on a record with sides, such as `A1`, `B` or `AA`: up to two letters, then up to two digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub position: Option<String>,
    /// Title.
    pub title: String,
    /// Artist, if it differs from the release's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub artist: Option<String>,
    /// Duration in whole seconds; text such as `6:12` is accepted too.
    #[serde(default, deserialize_with = "duration", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number | string | null"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DurationBody>))]
    pub duration_seconds: Option<u32>,
}

/// A duration as it is sent: whole seconds, or a text such as `6:12`.
#[cfg(feature = "openapi")]
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes the field; `duration` reads it")]
enum DurationBody {
    /// Whole seconds.
    Seconds(u32),
    /// `6:12` or `1:06:12`; blank for none.
    Label(String),
}

/// A credit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Credit {
    /// Role, such as `Mastering` or `Artwork`.
    pub role: String,
    /// Name of the person.
    pub name: String,
}

fn duration<'de, D: Deserializer<'de>>(duration: D) -> Result<Option<u32>, D::Error> {
    duration.deserialize_any(Duration)
}

/// Reads whole seconds or typed text. By hand, since an untagged enum would add more to every visitor's download.
struct Duration;

impl Visitor<'_> for Duration {
    type Value = Option<u32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("seconds or a text")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, seconds: i64) -> Result<Self::Value, E> {
        Ok(Some(u32::try_from(seconds).unwrap_or(UNREADABLE)))
    }

    fn visit_u64<E>(self, seconds: u64) -> Result<Self::Value, E> {
        Ok(Some(u32::try_from(seconds).unwrap_or(UNREADABLE)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Some(UNREADABLE))
    }

    fn visit_str<E>(self, label: &str) -> Result<Self::Value, E> {
        Ok(typed(label))
    }
}

/// Parses a typed duration; blank means unknown.
fn typed(label: &str) -> Option<u32> {
    let label = text::trim(label);
    (!label.is_empty()).then(|| seconds(label).unwrap_or(UNREADABLE))
}

/// Removes markup and drops blank rows; problems are reported at the typed row and field, such as `tracks[2].title`.
pub(crate) fn checked_tracks(mut tracks: Vec<Track>, problems: &mut Vec<Problem>) -> Vec<Track> {
    let mut rows = Rows { list: "tracks", too_many: ReleaseError::TooManyTracks, characters: 0, problems };
    for (place, track) in tracks.iter_mut().enumerate() {
        track.position = text::cleaned_option(track.position.take()).map(|text| text.to_ascii_uppercase());
        track.title = text::cleaned(&track.title);
        track.artist = text::cleaned_option(track.artist.take());
        if *track == Track::default() {
            continue;
        }
        if track.position.as_deref().is_some_and(|text| !is_position(text)) {
            rows.refuse(place, "position", ReleaseError::PositionInvalid);
        }
        rows.text(place, "title", &track.title, Some(ReleaseError::TrackTitleRequired));
        rows.text(place, "artist", track.artist.as_deref().unwrap_or_default(), None);
        if track.duration_seconds.is_some_and(|seconds| seconds > DURATION_MAX) {
            rows.refuse(place, "duration_seconds", ReleaseError::DurationInvalid);
        }
    }
    tracks.retain(|track| *track != Track::default());
    rows.all(tracks.len());
    tracks
}

/// As [`checked_tracks`], for credits.
pub(crate) fn checked_credits(mut credits: Vec<Credit>, problems: &mut Vec<Problem>) -> Vec<Credit> {
    let mut rows = Rows { list: "credits", too_many: ReleaseError::TooManyCredits, characters: 0, problems };
    for (place, credit) in credits.iter_mut().enumerate() {
        credit.role = text::cleaned(&credit.role);
        credit.name = text::cleaned(&credit.name);
        if *credit == Credit::default() {
            continue;
        }
        rows.text(place, "role", &credit.role, Some(ReleaseError::RoleRequired));
        rows.text(place, "name", &credit.name, Some(ReleaseError::CreditNameRequired));
    }
    credits.retain(|credit| *credit != Credit::default());
    rows.all(credits.len());
    credits
}

/// Whether a text is a position on a record: letters of a side, then digits or none.
pub(crate) fn is_position(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    (1..=2).contains(&(text.len() - digits.len()))
        && digits.len() <= 2
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The rows of a list during the check.
struct Rows<'a> {
    list: &'static str,
    too_many: ReleaseError,
    characters: usize,
    problems: &'a mut Vec<Problem>,
}

impl Rows<'_> {
    fn text(&mut self, place: usize, field: &str, text: &str, missing: Option<ReleaseError>) {
        self.characters += text::count(text);
        let error = if text.is_empty() {
            missing
        } else if text::is_longer(text, ROW_TEXT_MAX) {
            Some(ReleaseError::RowTooLong)
        } else if text::has_markup_or_control(text) {
            Some(ReleaseError::RowCharacters)
        } else {
            None
        };
        if let Some(error) = error {
            self.refuse(place, field, error);
        }
    }

    fn refuse(&mut self, place: usize, field: &str, error: ReleaseError) {
        let mut path = String::from(self.list);
        path.push('[');
        path.push_str(&text::decimal(place as u64));
        path.push_str("].");
        path.push_str(field);
        self.problems.push(Problem::new(path, error));
    }

    fn all(self, count: usize) {
        if count > ROWS_MAX {
            self.problems.push(Problem::new(self.list, self.too_many));
        } else if self.characters > ROWS_TEXT_MAX {
            self.problems.push(Problem::new(self.list, ReleaseError::RowsTooLong));
        }
    }
}

/// Formats a duration as minutes and seconds, with hours from one hour on.
///
/// ```
/// use rules::release_details::duration_label;
/// assert_eq!(duration_label(372), "6:12");
/// assert_eq!(duration_label(3600), "1:00:00");
/// ```
pub fn duration_label(seconds: u32) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Parses `6:12` or `1:06:12` to seconds.
pub(crate) fn seconds(label: &str) -> Option<u32> {
    let parts: Vec<&str> = label.split(':').collect();
    let is_number =
        |part: &&str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let (first, rest) = parts.split_first()?;
    if !(1..=2).contains(&rest.len()) || !is_number(first) {
        return None;
    }
    rest.iter().try_fold(first.parse().ok()?, |total: u32, part| {
        let number: u32 = part.parse().ok().filter(|number| part.len() == 2 && *number < 60)?;
        Some(total * 60 + number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_hours_from_one_on() {
        for (seconds, label) in [
            (0, "0:00"),
            (9, "0:09"),
            (60, "1:00"),
            (372, "6:12"),
            (3599, "59:59"),
            (3600, "1:00:00"),
            (36_061, "10:01:01"),
        ] {
            assert_eq!(duration_label(seconds), label);
        }
    }
}
