//! Images of artists and release covers (and of products, which are uploaded the same way), and what is made of every
//! picture that is published.

use crate::checked::{refusals, titled};
use crate::upload::{FileInfo, GIF, JPEG, Kind, MEGABYTE, PNG, WEBP};

/// The largest image, in bytes; exactly this size is accepted.
pub const IMAGE_MAX_BYTES: u64 = 5 * MEGABYTE;
/// Pixels of any picture that is published, at most.
pub const PIXELS_MAX: u64 = 50_000_000;
/// Frames of a GIF, at most.
pub const FRAMES_MAX: usize = 300;
/// Pixels of all frames of a GIF together, at most: what a decoder draws in seconds.
pub const DRAWN_PIXELS_MAX: u64 = 500_000_000;
/// Memory that opening a picture may ask for.
pub const OPENED_MAX_BYTES: u64 = 128 * MEGABYTE;
/// Width of the small version beside a picture, at most, in pixels.
pub const SMALL_WIDTH: u32 = 640;
/// The JPEG quality of a small version, of 100.
pub const SMALL_QUALITY: u8 = 82;
/// The JPEG quality of a picture that had to be turned upright, of 100.
pub const TURNED_QUALITY: u8 = 92;
/// What may be uploaded.
pub const IMAGE_KINDS: [Kind; 4] = [JPEG, PNG, WEBP, GIF];

refusals! {
    /// Why an image was refused.
    pub enum ImageError {
        Type = "invalid_file_type", "Please upload a JPEG, PNG, WebP, or GIF image";
        TooLarge = "file_too_large", "Please upload an image smaller than 5MB";
    }
}
titled!(ImageError);

impl ImageError {
    /// The title of the toast.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Type => "Invalid file type",
            Self::TooLarge => "File too large",
        }
    }
}

/// Judges type, extension and size of an artist's image or a cover.
pub fn check_image(file: &FileInfo) -> Result<(), ImageError> {
    if !file.is_one_of(&IMAGE_KINDS) {
        return Err(ImageError::Type);
    }
    if file.is_larger(IMAGE_MAX_BYTES) { Err(ImageError::TooLarge) } else { Ok(()) }
}
