//! Images of artists, release covers and products, and the sizes made of every published picture.

use crate::checked::refusals;
use crate::span::MINUTE;
use crate::upload::{FileInfo, GIF, JPEG, Kind, MEGABYTE, PNG, WEBP};

/// Maximum size in bytes, inclusive.
pub const IMAGE_MAX_BYTES: u64 = 5 * MEGABYTE;
/// Maximum number of pixels of any published picture.
pub const PIXELS_MAX: u64 = 50_000_000;
/// Maximum number of frames of a GIF.
pub const FRAMES_MAX: usize = 300;
/// Maximum number of pixels in all frames of a GIF, which a decoder draws within seconds.
pub const DRAWN_PIXELS_MAX: u64 = 500_000_000;
/// Maximum memory in bytes for decoding a picture.
pub const OPENED_MAX_BYTES: u64 = 128 * MEGABYTE;
/// Maximum unpacked size in bytes of a colour profile; printing profiles take three megabytes.
pub const PROFILE_MAX_BYTES: u64 = 4 * MEGABYTE;
/// Pictures that need more memory in bytes than this are decoded one at a time.
pub const OPENED_ALONE_BYTES: u64 = 64 * MEGABYTE;
/// Maximum width in pixels of a picture's small version.
pub const SMALL_WIDTH: u32 = 640;
/// JPEG quality of a small version, out of 100.
pub const SMALL_QUALITY: u8 = 82;
/// JPEG quality of a picture that was rotated upright, out of 100.
pub const TURNED_QUALITY: u8 = 92;
/// Widths in pixels of the sizes of a picture; none is wider than the picture.
pub const SIZE_WIDTHS: [u32; 4] = [320, 640, 960, 1280];
/// Maximum number of pixels of a size: tall pictures get narrow sizes only.
pub const SIZE_PIXELS_MAX: u64 = 1280 * 1920;
/// AVIF quality of a size, out of 100. Fine lines stay sharp; one step lower they blur.
pub const SIZE_AVIF_QUALITY: u8 = 55;
/// JPEG quality of a size for browsers without AVIF, out of 100.
pub const SIZE_JPEG_QUALITY: u8 = 75;
/// Maximum width and height in pixels of a shared preview; messengers show no larger ones.
pub const SHARED_EDGE_MAX: u32 = 1280;
/// Maximum size in bytes of a shared preview.
pub const SHARED_MAX_BYTES: u64 = 600_000;
/// Maximum number of pixels of an AVIF picture that sizes are made of.
pub const AVIF_PIXELS_MAX: u64 = 16_000_000;
/// Attempts to make a picture's sizes, since each may have crashed the program.
pub const SIZE_TRIES_MAX: i64 = 5;
/// Time to make the sizes of a picture.
pub const SIZE_TIMEOUT_MS: u64 = 10 * MINUTE;
/// Accepted file types.
pub const IMAGE_KINDS: [Kind; 4] = [JPEG, PNG, WEBP, GIF];

refusals! {
    /// Refusals of an image.
    pub enum ImageError {
        Type = "invalid_file_type", "Please upload a JPEG, PNG, WebP, or GIF image", "Invalid file type";
        TooLarge = "file_too_large", "Please upload an image smaller than 5MB", "File too large";
    }
}

refusals! {
    /// Refusals of a picture that only the server can judge.
    pub enum PictureError {
        TooLarge = "picture_too_large", "This picture has too many pixels or frames to be opened. Please make it smaller", "Picture too large";
        Gone = "picture_gone", "This picture is not in the library any more. Please choose another", "Picture gone";
    }
}

/// Checks type, extension and size of an artist's image or a cover.
pub fn check_image(file: &FileInfo) -> Result<(), ImageError> {
    file.check(&IMAGE_KINDS, IMAGE_MAX_BYTES, ImageError::Type, ImageError::TooLarge)
}
