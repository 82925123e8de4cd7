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
/// The largest colour profile that is read and published, unpacked: those of printing presses take three megabytes.
pub const PROFILE_MAX_BYTES: u64 = 4 * MEGABYTE;
/// An uploaded picture that takes more memory than this is opened while no other such is.
pub const OPENED_ALONE_BYTES: u64 = 64 * MEGABYTE;
/// Width of the small version beside a picture, at most, in pixels.
pub const SMALL_WIDTH: u32 = 640;
/// The JPEG quality of a small version, of 100.
pub const SMALL_QUALITY: u8 = 82;
/// The JPEG quality of a picture that had to be turned upright, of 100.
pub const TURNED_QUALITY: u8 = 92;
/// Widths that every picture is made in, in pixels; none is wider than the picture.
pub const SIZE_WIDTHS: [u32; 4] = [320, 640, 960, 1280];
/// Pixels of one size, at most: taller pictures have their narrow sizes alone.
pub const SIZE_PIXELS_MAX: u64 = 1280 * 1920;
/// The AVIF quality of a size, of 100. Fine lines stay sharp at it, a step below they begin to blur.
pub const SIZE_AVIF_QUALITY: u8 = 55;
/// The JPEG quality of a size for browsers without AVIF, of 100.
pub const SIZE_JPEG_QUALITY: u8 = 75;
/// Width and height of the form of a picture that is shared beside an address, at most, in pixels: messengers show no larger ones.
pub const SHARED_EDGE_MAX: u32 = 1280;
/// The same in bytes.
pub const SHARED_MAX_BYTES: u64 = 600_000;
/// Pixels of an AVIF picture that is opened to make sizes of it, at most.
pub const AVIF_PIXELS_MAX: u64 = 16_000_000;
/// How often making the sizes of a picture is begun, at most: the program may have ended each time.
pub const SIZE_TRIES_MAX: i64 = 5;
/// How long making the sizes of a picture may take.
pub const SIZE_TIMEOUT_MS: u64 = 10 * 60_000;
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

refusals! {
    /// Why a picture is refused that only the server can judge.
    pub enum PictureError {
        TooLarge = "picture_too_large", "This picture has too many pixels or frames to be opened. Please make it smaller";
        Gone = "picture_gone", "This picture is not in the library any more. Please choose another";
    }
}
titled!(PictureError);

impl PictureError {
    /// The title of the toast.
    pub const fn title(self) -> &'static str {
        match self {
            Self::TooLarge => "Picture too large",
            Self::Gone => "Picture gone",
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
