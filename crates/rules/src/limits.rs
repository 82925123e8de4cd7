//! The numbers and lists that markup needs, for the browser: attributes of inputs, sizes, delays.
//!
//! None of them is an authority: the rules judge what was typed, whatever an attribute let through.

use serde::Serialize;

use crate::{archive, artist, avatar, callback, codes, embed, terminal};

/// What the browser's markup asks for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Limits {
    /// `maxlength` of an artist's bio.
    pub bio_max: u32,
    /// Digits of an authenticator code.
    pub totp_digits: u32,
    /// Digits of a mailed recovery code.
    pub recovery_digits: u32,
    /// Width and height of an avatar, in pixels.
    pub avatar_size: u32,
    /// JPEG quality of an avatar, 0 to 1.
    pub avatar_quality: f64,
    /// Height of a streaming embed, in pixels.
    pub embed_height: u32,
    /// Between two lines of the terminal's boot sequence.
    pub boot_line_delay_ms: u32,
    /// Between a confirmed address and the next page.
    pub confirmed_redirect_ms: u32,
    /// How long the welcome page stays.
    pub welcome_redirect_ms: u32,
    /// Bytes of a demo's end to be looked at before it travels.
    pub demo_end_bytes: u32,
    /// `accept` of the demo's file.
    pub demo_accept: &'static str,
    /// `accept` of an image of an artist, a release or a product.
    pub image_accept: &'static str,
    /// `accept` of the home page's image.
    pub hero_accept: &'static str,
    /// `accept` of an avatar.
    pub avatar_accept: &'static str,
    /// `accept` of the media library.
    pub media_accept: &'static str,
}

/// All of them.
#[expect(clippy::cast_possible_truncation, reason = "small constants; 64 bits do not cross to JavaScript")]
pub const LIMITS: Limits = Limits {
    bio_max: artist::BIO_MAX as u32,
    totp_digits: codes::TOTP_DIGITS as u32,
    recovery_digits: codes::RECOVERY_DIGITS as u32,
    avatar_size: avatar::AVATAR_SIZE,
    avatar_quality: avatar::AVATAR_QUALITY as f64 / 100.0,
    embed_height: embed::PLAYER_HEIGHT,
    boot_line_delay_ms: terminal::BOOT_LINE_DELAY_MS,
    confirmed_redirect_ms: callback::REDIRECT_MS,
    welcome_redirect_ms: callback::WELCOME_REDIRECT_MS,
    demo_end_bytes: archive::END_BYTES as u32,
    demo_accept: ".zip,.mp3,.wav,.flac,.m4a",
    image_accept: ".jpg,.jpeg,.png,.webp,.gif",
    hero_accept: ".jpg,.jpeg,.png,.webp,.gif,.avif",
    avatar_accept: ".jpg,.jpeg,.png,.webp",
    media_accept: ".jpg,.jpeg,.png,.gif,.webp,.mp4,.webm,.ogg,.ogv",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upload::Kind;
    use crate::{demo, hero, image, media};

    fn accepted(kinds: &[Kind]) -> String {
        let extensions: Vec<_> =
            kinds.iter().flat_map(|kind| kind.extensions).map(|extension| format!(".{extension}")).collect();
        extensions.join(",")
    }

    #[test]
    fn what_is_offered_is_what_is_accepted() {
        assert_eq!(
            LIMITS.demo_accept,
            demo::DEMO_EXTENSIONS.map(|extension| format!(".{extension}")).join(",")
        );
        assert_eq!(LIMITS.image_accept, accepted(&image::IMAGE_KINDS));
        assert_eq!(LIMITS.hero_accept, accepted(&hero::HERO_KINDS));
        assert_eq!(LIMITS.avatar_accept, accepted(&avatar::AVATAR_KINDS));
        assert_eq!(LIMITS.media_accept, accepted(&media::MEDIA_KINDS));
    }
}
