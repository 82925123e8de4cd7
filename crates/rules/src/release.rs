//! A release as an admin edits it.
//!
//! Title and description have the bounds that products share, see `product`.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::Checked;
use crate::format;
use crate::publish::{self, Publish};
use crate::release_details::{Credit, Track, checked_credits, checked_tracks};
pub use crate::release_error::ReleaseError;
use crate::text;
use crate::url::{UrlError, predicate as url, tidied};
use crate::validation::{limit, told_by, validated};

/// The most characters of a title.
pub const TITLE_MAX: usize = 200;
/// The most characters of a description.
pub const DESCRIPTION_MAX: usize = 1000;
/// The most characters of a catalogue number.
pub const CATALOG_MAX: usize = 50;
/// The most characters of a format.
pub const FORMAT_MAX: usize = 100;
/// No release is older: a date field holds such a year while one is typed.
const OLDEST_YEAR: u16 = 1000;
/// Bytes of a body with a release: all of its tracks and credits fit in whatever script.
pub const BODY_MAX_BYTES: usize = 160 * 1024;

/// The form as typed, and after [`check_release`] the release as stored: blank optional fields are absent then.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct ReleaseForm {
    /// 1 to 200 characters once markup is gone.
    #[validate(length(max = limit(TITLE_MAX), code = "title_too_long"), custom(function = is_title))]
    pub title: String,
    /// The chosen artist's id, or nobody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = is_artist_id))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub artist_id: Option<String>,
    /// Up to 50 characters, for example `404-001`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(max = limit(CATALOG_MAX), code = "catalog_too_long"), custom(function = is_catalog))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub catalog: Option<String>,
    /// `YYYY-MM-DD`, a day that exists.
    #[validate(custom(function = is_release_date))]
    pub release_date: String,
    /// Up to 1000 characters once markup is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(max = limit(DESCRIPTION_MAX), code = "description_too_long"), custom(function = is_description))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub description: Option<String>,
    /// An address, as all that follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::image))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub cover_image_url: Option<String>,
    /// Spotify.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::spotify))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub spotify_url: Option<String>,
    /// `SoundCloud`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::soundcloud))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub soundcloud_url: Option<String>,
    /// Apple Music.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::apple_music))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub apple_music_url: Option<String>,
    /// `YouTube`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::youtube))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub youtube_url: Option<String>,
    /// Bandcamp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::bandcamp))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub bandcamp_url: Option<String>,
    /// What it comes as, for example `12" vinyl`; up to 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(max = limit(FORMAT_MAX), code = "format_too_long"), custom(function = is_format))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub format: Option<String>,
    /// Its tracks in their order; rows that say nothing are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub tracks: Vec<Track>,
    /// Who did what for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub credits: Vec<Credit>,
    /// When it is public. Without it a new release is at once, and one that is there stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "'now' | 'on_date' | 'not_yet' | null"))]
    pub publish: Option<Publish>,
    /// From when on, in RFC 3339; asked for with [`Publish::OnDate`] alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = is_instant))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub goes_out_at: Option<String>,
    /// Marked in the dashboard; changes nothing in public.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub featured: bool,
}

told_by!(ReleaseForm: ReleaseError, UrlError);

/// Strips markup, drops script-like and other foreign schemes, then checks every field.
///
/// Whether the artist exists, only the database knows.
///
/// ```
/// use rules::release::{ReleaseForm, check_release};
///
/// let form = ReleaseForm { title: "Signal".into(), release_date: "2026-02-30".into(), ..Default::default() };
/// assert_eq!(check_release(form).unwrap_err()[0].code, "release_date_invalid");
/// ```
pub fn check_release(form: ReleaseForm) -> Checked<ReleaseForm> {
    let mut rows = Vec::new();
    let cleaned = ReleaseForm {
        title: text::cleaned(&form.title),
        artist_id: form.artist_id.map(text::trimmed).filter(|id| !id.is_empty()),
        catalog: form
            .catalog
            .map(|catalog| text::plain(&text::cleaned(&catalog)))
            .filter(|catalog| !catalog.is_empty()),
        release_date: text::trimmed(form.release_date),
        description: text::cleaned_prose(form.description),
        cover_image_url: tidied(form.cover_image_url),
        spotify_url: tidied(form.spotify_url),
        soundcloud_url: tidied(form.soundcloud_url),
        apple_music_url: tidied(form.apple_music_url),
        youtube_url: tidied(form.youtube_url),
        bandcamp_url: tidied(form.bandcamp_url),
        format: text::cleaned_option(form.format),
        tracks: checked_tracks(form.tracks, &mut rows),
        credits: checked_credits(form.credits, &mut rows),
        // An instant that is missing is one that cannot be read.
        goes_out_at: (form.publish == Some(Publish::OnDate))
            .then(|| form.goes_out_at.map(text::trimmed).unwrap_or_default()),
        publish: form.publish,
        featured: form.featured,
    };
    match validated(cleaned) {
        Ok(form) if rows.is_empty() => Ok(form),
        outcome => {
            let mut problems = outcome.map_or_else(Vec::from, |_| Vec::new());
            // The one field below the rows.
            let below = problems.pop_if(|last| last.field == "goes_out_at");
            problems.extend(rows);
            problems.extend(below);
            Err(problems.into())
        }
    }
}

pub(crate) fn is_title(title: &str) -> Result<(), ValidationError> {
    refuse(if title.is_empty() {
        ReleaseError::TitleRequired
    } else if text::has_angle_bracket(title) || text::has_control_or_bidi(title) {
        ReleaseError::TitleCharacters
    } else {
        return Ok(());
    })
}

pub(crate) fn is_description(description: &str) -> Result<(), ValidationError> {
    if text::has_control_but_white_space(description) {
        refuse(ReleaseError::DescriptionCharacters)
    } else {
        Ok(())
    }
}

/// An id as every table has it: UUID text. Anything else is nobody's, and need not reach the database.
fn is_artist_id(id: &str) -> Result<(), ValidationError> {
    let is_uuid = id.len() == 36
        && id.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    if is_uuid { Ok(()) } else { refuse(ReleaseError::ArtistUnknown) }
}

fn is_catalog(catalog: &str) -> Result<(), ValidationError> {
    if text::has_angle_bracket(catalog) || text::has_control_or_bidi(catalog) {
        refuse(ReleaseError::CatalogCharacters)
    } else {
        Ok(())
    }
}

fn is_format(format: &str) -> Result<(), ValidationError> {
    if text::has_angle_bracket(format) || text::has_control_or_bidi(format) {
        refuse(ReleaseError::FormatCharacters)
    } else {
        Ok(())
    }
}

fn is_instant(text: &str) -> Result<(), ValidationError> {
    publish::goes_out(text).map(drop).or_else(refuse)
}

fn is_release_date(date: &str) -> Result<(), ValidationError> {
    refuse(if date.is_empty() {
        ReleaseError::DateRequired
    } else if format::date(date).is_none_or(|date| date.year < OLDEST_YEAR) {
        ReleaseError::DateInvalid
    } else {
        return Ok(());
    })
}

fn refuse(error: ReleaseError) -> Result<(), ValidationError> {
    Err(error.into())
}
