//! Why a picture was not opened.

use image::{
    ImageError,
    error::{DecodingError, ImageFormatHint, LimitError, LimitErrorKind},
};

/// The bytes are no picture, a damaged one, or one that is too large to be opened.
#[derive(Debug, thiserror::Error)]
#[error("not a picture: {0}")]
pub struct NotAPicture(#[from] ImageError);

impl NotAPicture {
    /// Whether it is one, and has more pixels or frames than are opened.
    pub fn is_too_large(&self) -> bool {
        matches!(self.0, ImageError::Limits(_))
    }
}

/// Why a picture was not opened, whatever it is.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Too many are waiting for their turn.
    #[error("too many pictures are being opened")]
    Busy,
    #[error("reading a picture: {0}")]
    Unread(std::io::Error),
    /// A thread that has ended, or a bug.
    #[error(transparent)]
    Failed(anyhow::Error),
}

pub(crate) fn too_large() -> ImageError {
    ImageError::Limits(LimitError::from_kind(LimitErrorKind::DimensionError))
}

pub(crate) fn damaged() -> ImageError {
    ImageError::Decoding(DecodingError::from_format_hint(ImageFormatHint::Unknown))
}
