//! Stored file names of demos, written by the server and parsed for the admin's list.

use unicode_normalization::UnicodeNormalization;

use crate::demo::DEMO_EXTENSIONS;
use crate::file_name::extension;

/// Stored and shown if a file name contains no artist.
pub const UNKNOWN_ARTIST: &str = "Unknown Artist";

/// Maximum length of the artist part in characters.
pub const LONGEST_ARTIST: usize = 60;

/// Maximum length of the artist part in bytes: file systems allow 255 for the whole name.
const LONGEST_ARTIST_BYTES: usize = 220;

/// `{unix_ms}_{8 hex of random}_{artist}.{ext}`.
///
/// In the artist part, every character except letters and digits (of any script), hyphens and dots becomes `_`; runs are
/// merged, the ends trimmed, and the rest cut to 60 characters and 220 bytes. An empty part becomes `Unknown_Artist`.
///
/// ```
/// use rules::demo_name::{artist_label, demo_name};
/// let name = demo_name(1_764_000_000_000, 0x0bad_cafe, "Rhythm & Sound", "wav");
/// assert_eq!(name, "1764000000000_0badcafe_Rhythm_Sound.wav");
/// assert_eq!(artist_label(&name), "Rhythm Sound");
/// ```
pub fn demo_name(unix_ms: u64, random: u32, artist: &str, extension: &str) -> String {
    format!("{unix_ms}_{random:08x}_{}.{extension}", artist_part(artist))
}

fn artist_part(artist: &str) -> String {
    let mut part = String::new();
    let mut length = 0;
    let mut gap = false;
    for c in artist.nfc() {
        if !(c.is_alphanumeric() || c == '-' || c == '.') {
            gap = length > 0;
            continue;
        }
        let needed = if gap { 2 } else { 1 };
        if length + needed > LONGEST_ARTIST || part.len() + c.len_utf8() + needed > LONGEST_ARTIST_BYTES {
            break;
        }
        if gap {
            part.push('_');
        }
        part.push(c);
        length += needed;
        gap = false;
    }
    if part.is_empty() { UNKNOWN_ARTIST.replace(' ', "_") } else { part }
}

/// The artist in a demo's file name: everything from the third underscore-separated part on, without the extension and with
/// spaces for underscores; `Unknown Artist` with fewer than three parts.
pub fn artist_label(file_name: &str) -> String {
    let Some((_, rest)) = file_name.split_once('_') else { return UNKNOWN_ARTIST.to_owned() };
    let Some((_, artist)) = rest.split_once('_') else { return UNKNOWN_ARTIST.to_owned() };
    let stem = artist.rsplit_once('.').map_or(artist, |(stem, _)| stem);
    if stem.is_empty() {
        UNKNOWN_ARTIST.to_owned()
    } else {
        stem.chars().map(|c| if c == '_' { ' ' } else { c }).collect()
    }
}

/// Removes artists from the demo keys in a text, for logs.
///
/// ```
/// use rules::demo_name::without_artists;
/// assert_eq!(without_artists("no demos/1764000000000_0badcafe_Rhythm_Sound.wav there"), "no demos/1764000000000_0badcafe there");
/// assert_eq!(without_artists("uploads/a_b_c.jpg"), "uploads/a_b_c.jpg");
/// assert_eq!(without_artists("/srv/demos/my_own_label"), "/srv/demos/my_own_label");
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn without_artists(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("demos/") {
        let (before, key) = rest.split_at(at);
        // Characters of a name, and their percent-encoded forms.
        let end = key["demos/".len()..]
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '%')))
            .map_or(key.len(), |end| end + "demos/".len());
        let (name, after) = key.split_at(end);
        kept.push_str(before);
        let made = name.match_indices('_').nth(1).map_or(name, |(artist, _)| &name[..artist]);
        let is_key = made["demos/".len()..].bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'_');
        kept.push_str(if is_key { made } else { name });
        rest = after;
    }
    kept + rest
}

/// Whether a key could have been made by [`demo_name`], in its folder.
pub fn is_demo_key(key: &str) -> bool {
    let Some(name) = key.strip_prefix("demos/") else { return false };
    let mut parts = name.splitn(3, '_');
    let (Some(at), Some(random), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let Some(extension) = extension(rest) else { return false };
    let stem = rest.strip_suffix(extension).and_then(|stem| stem.strip_suffix('.')).unwrap_or_default();
    !at.is_empty()
        && at.bytes().all(|b| b.is_ascii_digit())
        && random.len() == 8
        && random.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && DEMO_EXTENSIONS.contains(&extension)
        && (1..=LONGEST_ARTIST).contains(&stem.chars().count())
        && stem.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
