//! The format of a picture, by its first bytes, and why one is not opened.

use image::{
    ImageError, ImageFormat,
    error::{DecodingError, ImageFormatHint, LimitError, LimitErrorKind},
};

/// The bytes are no picture, a damaged one, or one that is too large to be opened.
#[derive(Debug, thiserror::Error)]
#[error("not a picture: {0}")]
pub struct NotAPicture(#[from] ImageError);

impl NotAPicture {
    pub fn is_too_large(&self) -> bool {
        matches!(self.0, ImageError::Limits(_))
    }
}

/// Why a picture was not opened, whatever it is.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error("too many pictures are being opened")]
    Busy,
    #[error("reading a picture: {0}")]
    Unread(std::io::Error),
    #[error(transparent)]
    Failed(anyhow::Error),
}

pub(crate) fn too_large() -> ImageError {
    ImageError::Limits(LimitError::from_kind(LimitErrorKind::DimensionError))
}

pub(crate) fn damaged() -> ImageError {
    ImageError::Decoding(DecodingError::from_format_hint(ImageFormatHint::Unknown))
}

/// The media type that the first bytes say, of those that can be opened here.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    format(bytes).map(|format| format.to_mime_type())
}

pub(crate) fn format(bytes: &[u8]) -> Option<ImageFormat> {
    use ImageFormat::{Gif, Jpeg, Png, WebP};
    // Others are known too, even if they cannot be decoded.
    image::guess_format(bytes).ok().filter(|format| matches!(format, Jpeg | Png | WebP | Gif))
}
