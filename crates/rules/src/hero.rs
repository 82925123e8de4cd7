//! The background image of the home page.

use crate::checked::{refusals, titled};
use crate::upload::{AVIF, FileInfo, GIF, JPEG, Kind, MEGABYTE, PNG, WEBP};

/// The largest image, in bytes; exactly this size is accepted.
pub const HERO_MAX_BYTES: u64 = 10 * MEGABYTE;
/// What may be uploaded. SVG is an image too, and can carry script.
pub const HERO_KINDS: [Kind; 5] = [JPEG, PNG, WEBP, GIF, AVIF];

refusals! {
    /// Why an image was refused.
    pub enum HeroError {
        Type = "invalid_file_type", "Please select an image file (JPG, PNG, etc.)";
        TooLarge = "file_too_large", "Please select an image smaller than 10MB";
    }
}
titled!(HeroError);

impl HeroError {
    /// The title of the toast.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Type => "Invalid file type",
            Self::TooLarge => "File too large",
        }
    }
}

/// Judges type, extension and size.
pub fn check_hero(file: &FileInfo) -> Result<(), HeroError> {
    if !file.is_one_of(&HERO_KINDS) {
        return Err(HeroError::Type);
    }
    if file.is_larger(HERO_MAX_BYTES) { Err(HeroError::TooLarge) } else { Ok(()) }
}
