//! A person's picture: what may be uploaded, and what is made of it.

use crate::checked::{refusals, titled};
use crate::upload::{FileInfo, JPEG, Kind, MEGABYTE, PNG, WEBP};

/// The largest picture, in bytes; exactly this size is accepted.
pub const AVATAR_MAX_BYTES: u64 = 2 * MEGABYTE;
/// What may be uploaded.
pub const AVATAR_KINDS: [Kind; 3] = [JPEG, PNG, WEBP];
/// Pixels of a picture sent, at most.
pub const PIXELS_MAX: u64 = 25_000_000;
/// Width and height of the stored square, in pixels.
pub const AVATAR_SIZE: u32 = 512;
/// The JPEG quality of the stored square, of 100.
pub const AVATAR_QUALITY: u8 = 80;

refusals! {
    /// Why a picture was refused.
    pub enum AvatarError {
        Type = "invalid_file_type", "Invalid file type. Only JPG, PNG, and WebP are allowed.";
        TooLarge = "file_too_large", "File too large. Maximum size is 2MB.";
    }
}
titled!(AvatarError);

impl AvatarError {
    /// The title of the toast on the profile.
    pub const fn title(self) -> &'static str {
        "UPLOAD FAILED"
    }
}

/// Judges type, extension and size.
pub fn check_avatar(file: &FileInfo) -> Result<(), AvatarError> {
    if !file.is_one_of(&AVATAR_KINDS) {
        return Err(AvatarError::Type);
    }
    if file.is_larger(AVATAR_MAX_BYTES) { Err(AvatarError::TooLarge) } else { Ok(()) }
}
