//! Avatars: accepted uploads, and the stored picture.

use crate::checked::refusals;
use crate::upload::{FileInfo, JPEG, Kind, MEGABYTE, PNG, WEBP};

/// Maximum size in bytes, inclusive.
pub const AVATAR_MAX_BYTES: u64 = 2 * MEGABYTE;
/// Accepted file types.
pub const AVATAR_KINDS: [Kind; 3] = [JPEG, PNG, WEBP];
/// Maximum number of pixels of an upload.
pub const PIXELS_MAX: u64 = 25_000_000;
/// Width and height of the stored picture in pixels.
pub const AVATAR_SIZE: u32 = 512;
/// JPEG quality of the stored picture, out of 100.
pub const AVATAR_QUALITY: u8 = 80;

refusals! {
    /// Refusals of an avatar.
    pub enum AvatarError {
        Type = "invalid_file_type", "Invalid file type. Only JPG, PNG, and WebP are allowed.", "UPLOAD FAILED";
        TooLarge = "file_too_large", "File too large. Maximum size is 2MB.", "UPLOAD FAILED";
    }
}

/// Checks type, extension and size.
pub fn check_avatar(file: &FileInfo) -> Result<(), AvatarError> {
    file.check(&AVATAR_KINDS, AVATAR_MAX_BYTES, AvatarError::Type, AvatarError::TooLarge)
}
