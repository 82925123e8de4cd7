//! Metadata of a chosen file, and which media types belong to which extensions.
//!
//! Each place that accepts files (`media`, `hero`, `avatar`, `image`, `demo`) has a module with its rule. None of them opens
//! the file: the server also checks its first bytes.
//!
//! Multipart forms and stored names are checked by the server only. Functions only it calls are left out of the browser's
//! module: compiling them would change the inlining of the rest.

use serde::{Deserialize, Serialize};

/// One MB in every limit of the product.
pub const MEGABYTE: u64 = 1_048_576;

/// Maximum number of parts in a form with a file, including the file.
pub const FORM_PARTS_MAX: usize = 10;
/// Bytes of such a form that are read beyond its largest accepted file: a browser shows a response only if it could finish its
/// request. A longer form loses its connection.
pub const FORM_READ_BESIDE_BYTES: u64 = 32 * MEGABYTE;
/// Maximum length in characters of a stored file name, kept from the end because of the extension.
pub const NAME_MAX: usize = 255;

/// A chosen file.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct FileInfo {
    /// Name on the visitor's disk.
    pub name: String,
    /// Media type: from the browser, or on the server from the first bytes; may be empty for demos.
    pub media_type: String,
    /// Size in bytes; a float because 32 bits end at 4 GB. Negative numbers and NaN count as zero.
    pub size_bytes: f64,
}

impl FileInfo {
    /// The size as an integer.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, as intended"
    )]
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes as u64
    }

    /// Checks that media type and extension belong to one of the kinds, ignoring case, and then the size.
    pub(crate) fn check<E>(&self, kinds: &[Kind], max: u64, wrong_type: E, too_large: E) -> Result<(), E> {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_known = kinds.iter().any(|kind| {
            kind.media_types.iter().any(|media_type| media_type.eq_ignore_ascii_case(&self.media_type))
                && kind.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        });
        if !is_known {
            return Err(wrong_type);
        }
        if self.size_bytes() > max { Err(too_large) } else { Ok(()) }
    }
}

/// The stored form of a file name: its last path segment without characters that only change the appearance of the rest, and
/// without angle brackets. Quotation marks and line breaks that browsers escape in forms are restored first. The result may be
/// empty; see [`name_or_file`].
///
/// ```
/// assert_eq!(rules::upload::clean_name(r"C:\fakepath\set.wav"), "set.wav");
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn clean_name(sent: &str) -> String {
    kept_name(&whole_name(sent))
}

/// [`clean_name`] before it is cut, for the rules to check.
#[cfg(not(target_arch = "wasm32"))]
pub fn whole_name(sent: &str) -> String {
    let written = sent.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
    let last = written.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = without_tricks(last).chars().filter(|c| !matches!(c, '<' | '>')).collect();
    shown.trim().to_owned()
}

/// The end of a name that is stored.
#[cfg(not(target_arch = "wasm32"))]
pub fn kept_name(whole: &str) -> String {
    let from = whole.chars().count().saturating_sub(NAME_MAX);
    whole.chars().skip(from).collect::<String>().trim().to_owned()
}

/// Removes control characters, line and paragraph separators, and bidirectional controls.
#[cfg(not(target_arch = "wasm32"))]
pub fn without_tricks(text: &str) -> String {
    let is_trick = |c: char| {
        c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || crate::text::is_bidi_control_or_mark(c)
    };
    text.chars().filter(|c| !is_trick(*c)).collect()
}

/// A cleaned name, or `file` if it has nothing before its dot: with the extension of the media type, else with its own.
///
/// ```
/// use rules::upload::name_or_file;
/// assert_eq!(name_or_file(".gif", "image/png"), "file.png");
/// assert_eq!(name_or_file("..", "image/png"), "file.png");
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn name_or_file(name: &str, media_type: &str) -> String {
    let (stem, own) = name.rsplit_once('.').unwrap_or((name, ""));
    if !stem.trim_matches('.').is_empty() {
        return name.to_owned();
    }
    let kind = [JPEG, PNG, WEBP, GIF, AVIF, SVG, MP4, WEBM, OGG]
        .into_iter()
        .find(|kind| kind.media_types.iter().any(|known| known.eq_ignore_ascii_case(media_type)));
    let extension = kind.map_or(own, |kind| kind.extensions[0]);
    if extension.is_empty() { "file".to_owned() } else { format!("file.{extension}") }
}

/// A type of file: its media types, and its extensions without the dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Name for people.
    pub name: &'static str,
    /// In lower case, the usual one first.
    pub media_types: &'static [&'static str],
    /// In lower case.
    pub extensions: &'static [&'static str],
}

/// JPEG images.
pub const JPEG: Kind = Kind { name: "JPEG", media_types: &["image/jpeg"], extensions: &["jpg", "jpeg"] };
/// PNG images.
pub const PNG: Kind = Kind { name: "PNG", media_types: &["image/png"], extensions: &["png"] };
/// WebP images.
pub const WEBP: Kind = Kind { name: "WebP", media_types: &["image/webp"], extensions: &["webp"] };
/// GIF images.
pub const GIF: Kind = Kind { name: "GIF", media_types: &["image/gif"], extensions: &["gif"] };
/// AVIF images.
pub const AVIF: Kind = Kind { name: "AVIF", media_types: &["image/avif"], extensions: &["avif"] };
/// SVG drawings, accepted as the label's mark alone.
pub const SVG: Kind = Kind { name: "SVG", media_types: &["image/svg+xml"], extensions: &["svg"] };
/// MP4 videos.
pub const MP4: Kind = Kind { name: "MP4", media_types: &["video/mp4"], extensions: &["mp4"] };
/// `WebM` videos.
pub const WEBM: Kind = Kind { name: "WebM", media_types: &["video/webm"], extensions: &["webm"] };
/// Ogg videos; browsers report `.ogg` files as audio, whatever they contain.
pub const OGG: Kind = Kind {
    name: "OGG",
    media_types: &["video/ogg", "audio/ogg", "application/ogg"],
    extensions: &["ogg", "ogv"],
};
