//! The generated sizes of a stored picture.

use deadwax_pictures::PictureError;
use deadwax_store::{Failure, objects, text_column};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A picture in several widths: `{base}-{width}.avif`, and `{base}-{width}.{fallback}` for browsers without AVIF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PictureSizes {
    /// The beginning of each size's address.
    pub base: String,
    /// The widths in pixels, the narrowest first; none is wider than the picture.
    pub widths: Vec<u32>,
    /// The extension of the files for browsers without AVIF: `jpg`, or `webp` where the picture is transparent.
    pub fallback: String,
    /// Whether the picture itself moves, which its sizes do not.
    pub moving: bool,
}

text_column!(PictureSizes, serde_json::from_str);

impl PictureSizes {
    pub fn key(base_key: &str, width: u32, extension: &str) -> String {
        format!("{base_key}-{width}.{extension}")
    }

    pub fn srcset(&self, extension: &str) -> String {
        let all = self.widths.iter().map(|width| format!("{}-{width}.{extension} {width}w", self.base));
        all.collect::<Vec<_>>().join(", ")
    }

    pub fn keys(&self) -> impl Iterator<Item = String> {
        let base = self.base.strip_prefix(&objects::url("")).unwrap_or(&self.base);
        self.widths.iter().flat_map(move |width| {
            ["avif", self.fallback.as_str()].map(|extension| Self::key(base, *width, extension))
        })
    }
}

pub(crate) fn failure(error: PictureError) -> Failure {
    match error {
        PictureError::Busy => Failure::Busy,
        PictureError::Unread(cause) => Failure::Disk(cause),
        PictureError::Failed(cause) => Failure::Bug(cause),
    }
}
