//! An artist as an admin edits it.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, refusals, untitled};
use crate::text;
use crate::url::{UrlError, predicate as url, tidied};
use crate::validation::{limit, told_by, validated};

/// The most characters of a name.
pub const NAME_MAX: usize = 100;
/// The most characters of a bio; also the input's `maxlength`.
pub const BIO_MAX: usize = 1000;

pub use crate::content::DEFAULT_BIO;
/// The BIO section of an artist's page when none is stored.
pub const NO_BIO_ON_PAGE: &str = "NO BIO AVAILABLE";
/// The admin's card when none is stored.
pub const NO_BIO_ON_CARD: &str = "No bio available";

refusals! {
    /// What the artist form refuses; the addresses have [`crate::url::UrlError`].
    pub enum ArtistError {
        NameRequired = "name_required", "Name is required";
        NameTooLong = "name_too_long", "Name must be less than 100 characters";
        NameCharacters = "name_characters", "Invalid characters in name";
        BioTooLong = "bio_too_long", "Bio must be less than 1000 characters";
        BioCharacters = "bio_characters", "Invalid characters in bio";
    }
}
untitled!(ArtistError);

/// The form as typed, and after [`check_artist`] the artist as stored: blank optional fields are absent then.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct ArtistForm {
    /// 1 to 100 characters once markup is gone.
    #[validate(length(max = limit(NAME_MAX), code = "name_too_long"), custom(function = is_name))]
    pub name: String,
    /// Up to 1000 characters once markup is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(length(max = limit(BIO_MAX), code = "bio_too_long"), custom(function = is_bio))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub bio: Option<String>,
    /// An address, as all that follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::image))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub image_url: Option<String>,
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
    /// Instagram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::instagram))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub instagram_url: Option<String>,
    /// The artist's own site; kept in `social_links`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::website))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub website: Option<String>,
    /// Twitter; kept in `social_links`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[validate(custom(function = url::twitter))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub twitter: Option<String>,
    /// Marked in the dashboard; changes nothing in public.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub featured: bool,
}

told_by!(ArtistForm: ArtistError, UrlError);

/// Strips markup, drops script-like and other foreign schemes, then checks every field.
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
    } else if text::has_angle_bracket(name) || text::has_control_or_bidi(name) {
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
