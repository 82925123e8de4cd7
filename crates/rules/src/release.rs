//! A release as an admin edits it.
//!
//! Title and description have the bounds that products share, see `product`.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, refusals, untitled};
use crate::format;
use crate::text;
use crate::url::{UrlError, predicate as url, tidied};
use crate::validation::{limit, told_by, validated};

/// The most characters of a title.
pub const TITLE_MAX: usize = 200;
/// The most characters of a description.
pub const DESCRIPTION_MAX: usize = 1000;
/// The most characters of a catalogue number.
pub const CATALOG_MAX: usize = 50;

refusals! {
    /// What the release form refuses; the addresses have [`crate::url::UrlError`].
    pub enum ReleaseError {
        TitleRequired = "title_required", "Title is required";
        TitleTooLong = "title_too_long", "Title must be less than 200 characters";
        TitleCharacters = "title_characters", "Invalid characters in title";
        ArtistUnknown = "artist_unknown", "Please choose an artist from the list";
        CatalogTooLong = "catalog_too_long", "Catalog must be less than 50 characters";
        CatalogCharacters = "catalog_characters", "Invalid characters in catalog";
        DateRequired = "release_date_required", "Release date is required";
        DateInvalid = "release_date_invalid", "Please enter a valid release date";
        DescriptionTooLong = "description_too_long", "Description must be less than 1000 characters";
        DescriptionCharacters = "description_characters", "Invalid characters in description";
    }
}
untitled!(ReleaseError);

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
    let cleaned = ReleaseForm {
        title: text::cleaned(&form.title),
        artist_id: form.artist_id.map(text::trimmed).filter(|id| !id.is_empty()),
        catalog: text::cleaned_option(form.catalog),
        release_date: text::trimmed(form.release_date),
        description: text::cleaned_option(form.description),
        cover_image_url: tidied(form.cover_image_url),
        spotify_url: tidied(form.spotify_url),
        soundcloud_url: tidied(form.soundcloud_url),
        apple_music_url: tidied(form.apple_music_url),
        youtube_url: tidied(form.youtube_url),
        bandcamp_url: tidied(form.bandcamp_url),
        featured: form.featured,
    };
    validated(cleaned)
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

fn is_release_date(date: &str) -> Result<(), ValidationError> {
    refuse(if date.is_empty() {
        ReleaseError::DateRequired
    } else if format::date(date).is_none() {
        ReleaseError::DateInvalid
    } else {
        return Ok(());
    })
}

fn refuse(error: ReleaseError) -> Result<(), ValidationError> {
    Err(error.into())
}
