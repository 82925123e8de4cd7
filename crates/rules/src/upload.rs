//! What is known of a file before it travels, and which types go with which extensions.
//!
//! The rule of each place that takes files (`media`, `hero`, `avatar`, `image`, `demo`) is its own module. None of
//! them opens the file: the server looks at its first bytes besides.
//!
//! The form that a file comes in, and what is kept of its name, are judged by the server alone. What only it calls is left out
//! of the browser's module: compiled beside the rest, it would change what is inlined there.

use serde::{Deserialize, Serialize};

/// One MB as every limit of the product means it.
pub const MEGABYTE: u64 = 1_048_576;

/// Parts of a form with a file, the file included.
pub const FORM_PARTS_MAX: usize = 10;
/// What is read of such a form beside the largest file that its place takes, in bytes: a browser shows an answer only to a
/// request it could finish. One that is longer still loses its connection.
pub const FORM_READ_BESIDE_BYTES: u64 = 32 * MEGABYTE;
/// Characters kept of a file's name, from its end: the extension counts.
pub const NAME_MAX: usize = 255;

/// A chosen file.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct FileInfo {
    /// Its name on the visitor's disk.
    pub name: String,
    /// Its media type: what the browser says, or on the server what the first bytes say; may be empty for demos.
    pub media_type: String,
    /// Its size; a 32-bit number would end at 4 GB, so it is a float, and below zero or no number counts as zero.
    pub size_bytes: f64,
}

impl FileInfo {
    /// Whether the file is larger than so many bytes; exactly as many are accepted.
    pub fn is_larger(&self, bytes: u64) -> bool {
        self.size_bytes() > bytes
    }

    /// The size as a whole number.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, as intended"
    )]
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes as u64
    }

    /// Whether the media type is one of the kinds and the extension belongs to it, both in any case.
    pub fn is_one_of(&self, kinds: &[Kind]) -> bool {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        kinds.iter().any(|kind| {
            kind.media_types.iter().any(|media_type| media_type.eq_ignore_ascii_case(&self.media_type))
                && kind.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        })
    }
}

/// What is kept of a file's name: its last part, without characters that only change how the rest of it looks, and without
/// brackets that a page could take for markup. What browsers write for a quotation mark and a line break in a form is undone
/// first. Nothing may be left; see [`name_or_file`].
///
/// ```
/// assert_eq!(rules::upload::clean_name(r"C:\fakepath\set.wav"), "set.wav");
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn clean_name(sent: &str) -> String {
    kept_name(&whole_name(sent))
}

/// A [`clean_name`] before it is cut: the rules judge the whole of it.
#[cfg(not(target_arch = "wasm32"))]
pub fn whole_name(sent: &str) -> String {
    let written = sent.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
    let last = written.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = without_tricks(last).chars().filter(|c| !matches!(c, '<' | '>')).collect();
    shown.trim().to_owned()
}

/// The end of a name, as much of it as is stored.
#[cfg(not(target_arch = "wasm32"))]
pub fn kept_name(whole: &str) -> String {
    let from = whole.chars().count().saturating_sub(NAME_MAX);
    whole.chars().skip(from).collect::<String>().trim().to_owned()
}

/// A text without control characters, line and paragraph separators, and characters that turn the direction of writing.
#[cfg(not(target_arch = "wasm32"))]
pub fn without_tricks(text: &str) -> String {
    let is_trick = |c: &char| {
        c.is_control()
            || matches!(
                c,
                '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            )
    };
    text.chars().filter(|c| !is_trick(c)).collect()
}

/// A cleaned name, or `file` where nothing stands before its dot: with the extension of the media type, or else its own.
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
    let kind = [JPEG, PNG, WEBP, GIF, AVIF, MP4, WEBM, OGG]
        .into_iter()
        .find(|kind| kind.media_types.iter().any(|known| known.eq_ignore_ascii_case(media_type)));
    let extension = kind.map_or(own, |kind| kind.extensions[0]);
    if extension.is_empty() { "file".to_owned() } else { format!("file.{extension}") }
}

/// A type of file: its names on the network and its extensions, without the dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// What people call it.
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
/// MP4 videos.
pub const MP4: Kind = Kind { name: "MP4", media_types: &["video/mp4"], extensions: &["mp4"] };
/// `WebM` videos.
pub const WEBM: Kind = Kind { name: "WebM", media_types: &["video/webm"], extensions: &["webm"] };
/// Ogg videos; browsers call a `.ogg` file audio, whatever it holds.
pub const OGG: Kind = Kind {
    name: "OGG",
    media_types: &["video/ogg", "audio/ogg", "application/ogg"],
    extensions: &["ogg", "ogv"],
};
