//! The release form of the dashboard.
//!
//! Products share the bounds of title and description, see `product`.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::Checked;
use crate::format;
use crate::publish::{self, Publish};
use crate::release_details::{Credit, Track, checked_credits, checked_tracks};
pub use crate::release_error::ReleaseError;
use crate::text;
use crate::url::{UrlError, predicate as url, tidied};
use crate::validation::{limit, refused_with, validated};

/// Maximum length of a title in characters.
pub const TITLE_MAX: usize = 200;
/// Maximum length of a description in characters.
pub const DESCRIPTION_MAX: usize = 1000;
/// Maximum length of a catalogue number in characters.
pub const CATALOG_MAX: usize = 50;
/// Maximum length of a format in characters.
pub const FORMAT_MAX: usize = 100;
/// Minimum year: a date field holds a smaller one while a year is typed.
const OLDEST_YEAR: u16 = 1000;
/// Maximum size in bytes of a request with a release, which fits all tracks and credits in any script.
pub const BODY_MAX_BYTES: usize = 160 * 1024;

/// The form as typed, and the release as stored after [`check_release`], where blank optional fields are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReleaseBody))]
pub struct ReleaseForm {
    /// 1 to 200 characters after markup is removed.
    #[validate(length(max = limit(TITLE_MAX), code = "title_too_long"), custom(function = is_title))]
    pub title: String,
    /// Id of the artist, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = is_artist_id))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub artist_id: Option<String>,
    /// Up to 50 characters, such as `404-001`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(max = limit(CATALOG_MAX), code = "catalog_too_long"), custom(function = is_catalog))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub catalog: Option<String>,
    /// An existing day as `YYYY-MM-DD`.
    #[validate(custom(function = is_release_date))]
    pub release_date: String,
    /// Up to 1000 characters after markup is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(max = limit(DESCRIPTION_MAX), code = "description_too_long"), custom(function = is_description))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub description: Option<String>,
    /// Absolute http or https, or `/media/…` of this website.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::image))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub cover_image_url: Option<String>,
    /// Spotify URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::spotify))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub spotify_url: Option<String>,
    /// `SoundCloud` URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::soundcloud))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub soundcloud_url: Option<String>,
    /// Apple Music URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::apple_music))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub apple_music_url: Option<String>,
    /// `YouTube` URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::youtube))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub youtube_url: Option<String>,
    /// Bandcamp URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::bandcamp))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub bandcamp_url: Option<String>,
    /// Format, such as `12" vinyl`; up to 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(max = limit(FORMAT_MAX), code = "format_too_long"), custom(function = is_format))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub format: Option<String>,
    /// Tracks in their order; blank rows are dropped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    #[cfg_attr(feature = "openapi", schema(max_items = 200))]
    pub tracks: Vec<Track>,
    /// Credits in their order; blank rows are dropped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    #[cfg_attr(feature = "openapi", schema(max_items = 200))]
    pub credits: Vec<Credit>,
    /// When to publish. By default a new release is published, and an existing one keeps its state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "'now' | 'on_date' | 'not_yet' | null"))]
    pub publish: Option<Publish>,
    /// Instant in RFC 3339, used with [`Publish::OnDate`] only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = is_instant))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub goes_out_at: Option<String>,
    /// Marked in the dashboard; no public effect.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub featured: bool,
}

refused_with!(ReleaseForm: ReleaseError, UrlError);

/// Removes markup, clears URLs with a scheme such as `javascript` or `file`, then checks every field.
///
/// Whether the artist exists is checked by the database.
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
        // A missing instant is refused like an invalid one.
        goes_out_at: (form.publish == Some(Publish::OnDate))
            .then(|| form.goes_out_at.map(text::trimmed).unwrap_or_default()),
        publish: form.publish,
        featured: form.featured,
    };
    match validated(cleaned) {
        Ok(form) if rows.is_empty() => Ok(form),
        outcome => {
            let mut problems = outcome.map_or_else(Vec::from, |_| Vec::new());
            // The only field below the rows.
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
    } else if text::has_markup_or_control(title) {
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

/// Accepts UUID text; other ids need not be looked up.
fn is_artist_id(id: &str) -> Result<(), ValidationError> {
    let is_uuid = id.len() == 36
        && id.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    if is_uuid { Ok(()) } else { refuse(ReleaseError::ArtistUnknown) }
}

fn is_catalog(catalog: &str) -> Result<(), ValidationError> {
    if text::has_markup_or_control(catalog) { refuse(ReleaseError::CatalogCharacters) } else { Ok(()) }
}

fn is_format(format: &str) -> Result<(), ValidationError> {
    if text::has_markup_or_control(format) { refuse(ReleaseError::FormatCharacters) } else { Ok(()) }
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
