//! Images of artists and release covers (and of products, which are uploaded the same way).

use crate::checked::{refusals, titled};
use crate::upload::{FileInfo, GIF, JPEG, Kind, MEGABYTE, PNG, WEBP};

/// The largest image, in bytes; exactly this size is accepted.
pub const IMAGE_MAX_BYTES: u64 = 5 * MEGABYTE;
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
