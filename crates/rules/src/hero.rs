//! The background image of the home page.

use crate::checked::refusals;
use crate::upload::{AVIF, FileInfo, GIF, JPEG, Kind, MEGABYTE, PNG, WEBP};

/// Maximum size in bytes, inclusive.
pub const HERO_MAX_BYTES: u64 = 10 * MEGABYTE;
/// Accepted file types. SVG is excluded because it can contain scripts.
pub const HERO_KINDS: [Kind; 5] = [JPEG, PNG, WEBP, GIF, AVIF];

refusals! {
    /// Refusals of an image.
    pub enum HeroError {
        Type = "invalid_file_type", "Please select an image file (JPG, PNG, etc.)", "Invalid file type";
        TooLarge = "file_too_large", "Please select an image smaller than 10MB", "File too large";
    }
}

/// Checks type, extension and size.
pub fn check_hero(file: &FileInfo) -> Result<(), HeroError> {
    file.check(&HERO_KINDS, HERO_MAX_BYTES, HeroError::Type, HeroError::TooLarge)
}
