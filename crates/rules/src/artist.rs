//! The artist form of the dashboard.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, refusals};
use crate::text;
use crate::url::{UrlError, predicate as url, tidied};
use crate::validation::{limit, refused_with, validated};

/// Maximum length of a name in characters.
pub const NAME_MAX: usize = 100;
/// Maximum length of a bio in characters, and the input's `maxlength`.
pub const BIO_MAX: usize = 1000;

pub use crate::content::DEFAULT_BIO;

refusals! {
    /// Refusals of the artist form; URLs have [`crate::url::UrlError`].
    pub enum ArtistError {
        NameRequired = "name_required", "Name is required";
        NameTooLong = "name_too_long", "Name must be less than 100 characters";
        NameCharacters = "name_characters", "Invalid characters in name";
        BioTooLong = "bio_too_long", "Bio must be less than 1000 characters";
        BioCharacters = "bio_characters", "Invalid characters in bio";
    }
}

/// The form as typed, and the artist as stored after [`check_artist`], where blank optional fields are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ArtistBody))]
pub struct ArtistForm {
    /// 1 to 100 characters after markup is removed.
    #[validate(length(max = limit(NAME_MAX), code = "name_too_long"), custom(function = is_name))]
    pub name: String,
    /// Up to 1000 characters after markup is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(max = limit(BIO_MAX), code = "bio_too_long"), custom(function = is_bio))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub bio: Option<String>,
    /// Absolute http or https, or `/media/…` of this website.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::image))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub image_url: Option<String>,
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
    /// Instagram URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::instagram))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub instagram_url: Option<String>,
    /// URL of the artist's website; stored in `social_links`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::website))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub website: Option<String>,
    /// Twitter URL; stored in `social_links`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::twitter))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub twitter: Option<String>,
    /// Marked in the dashboard; no public effect.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub featured: bool,
}

refused_with!(ArtistForm: ArtistError, UrlError);

/// Removes markup, clears URLs with a scheme such as `javascript` or `file`, then checks every field.
///
/// ```
/// use rules::artist::{ArtistForm, check_artist};
///
/// let form = ArtistForm { name: "<b>Rhythm</b> & Sound".into(), bio: Some(" ".into()), ..Default::default() };
/// let artist = check_artist(form).unwrap();
/// assert_eq!((artist.name.as_str(), artist.bio), ("Rhythm & Sound", None));
/// ```
pub fn check_artist(form: ArtistForm) -> Checked<ArtistForm> {
    let cleaned = ArtistForm {
        name: text::cleaned(&form.name),
        bio: text::cleaned_prose(form.bio),
        image_url: tidied(form.image_url),
        spotify_url: tidied(form.spotify_url),
        soundcloud_url: tidied(form.soundcloud_url),
        apple_music_url: tidied(form.apple_music_url),
        youtube_url: tidied(form.youtube_url),
        instagram_url: tidied(form.instagram_url),
        website: tidied(form.website),
        twitter: tidied(form.twitter),
        featured: form.featured,
    };
    validated(cleaned)
}

fn is_name(name: &str) -> Result<(), ValidationError> {
    refuse(if name.is_empty() {
        ArtistError::NameRequired
    } else if text::has_markup_or_control(name) {
        ArtistError::NameCharacters
    } else {
        return Ok(());
    })
}

fn is_bio(bio: &str) -> Result<(), ValidationError> {
    if text::has_control_but_white_space(bio) { refuse(ArtistError::BioCharacters) } else { Ok(()) }
}

fn refuse(error: ArtistError) -> Result<(), ValidationError> {
    Err(error.into())
}
