//! Files of the media library.
//!
//! Names of stored files are in `media_name`.

use crate::checked::refusals;
use crate::text::contains_ignoring_case;
use crate::upload::{FileInfo, GIF, JPEG, Kind, MEGABYTE, MP4, OGG, PNG, WEBM, WEBP};

/// Maximum size of a file in bytes, inclusive.
pub const MEDIA_MAX_BYTES: u64 = 50 * MEGABYTE;
/// Total size in bytes at which the library accepts no more files.
pub const LIBRARY_MAX_BYTES: u64 = 50 * 1024 * MEGABYTE;
/// Maximum number of files in the library.
pub const LIBRARY_MAX_FILES: u64 = 5_000;
/// Accepted file types.
pub const MEDIA_KINDS: [Kind; 7] = [JPEG, PNG, GIF, WEBP, MP4, WEBM, OGG];
/// Refused anywhere in a file name, in any case. Even `label.com-flyer.png` is refused, since renaming is easy.
pub const SUSPICIOUS: [&str; 7] = [".exe", ".bat", ".cmd", ".scr", ".pif", ".com", ".jar"];

refusals! {
    /// Refusals of a file.
    pub enum MediaError {
        SuspiciousName = "suspicious_name", "File contains suspicious content", "Security error";
        Type = "invalid_file_type", "File type or extension not allowed. Upload images (JPEG, PNG, GIF, WebP) or videos (MP4, WebM, OGG)", "Invalid file type";
        TooLarge = "file_too_large", "Please upload files smaller than 50MB", "File too large";
    }
}

/// Checks the name first, then type and extension, then size.
///
/// ```
/// use rules::{media::{MediaError, check_media}, upload::FileInfo};
///
/// let flyer = FileInfo { name: "flyer.EXE.png".into(), media_type: "image/png".into(), size_bytes: 1.0 };
/// assert_eq!(check_media(&flyer), Err(MediaError::SuspiciousName));
/// ```
pub fn check_media(file: &FileInfo) -> Result<(), MediaError> {
    if SUSPICIOUS.iter().any(|part| contains_ignoring_case(&file.name, part)) {
        return Err(MediaError::SuspiciousName);
    }
    file.check(&MEDIA_KINDS, MEDIA_MAX_BYTES, MediaError::Type, MediaError::TooLarge)
}
