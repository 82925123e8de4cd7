//! Names of stored files: valid keys, content types, and keys of artist images.
//!
//! Keys of demos are in `demo_name`.

use crate::demo_name;
pub use crate::file_name::extension;

const PUBLIC_FOLDERS: [&str; 5] = ["releases", "uploads", "assets", "avatars", "artists"];

/// Maximum length of a file name in a public folder.
const LONGEST_NAME: usize = 151;

/// Whether a key is valid in a public folder: a known folder and a file name of safe characters, or `letters/`, a letter's id and such a
/// name. Keys in `demos/` are not public; see `demo_name::is_demo_key`.
///
/// ```
/// use rules::media_name::is_media_key;
/// assert!(is_media_key("artists/artist-1764000000000.jpg"));
/// assert!(is_media_key("letters/01936b3e-0000-7000-8000-000000000000/1.jpg"));
/// assert!(!is_media_key("artists/../key"));
/// ```
pub fn is_media_key(key: &str) -> bool {
    let Some((folder, name)) = key.split_once('/') else { return false };
    if folder == "letters" {
        let Some((letter, name)) = name.split_once('/') else { return false };
        let is_id = letter.len() == 36 && letter.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
        return is_id && is_file_name(name);
    }
    PUBLIC_FOLDERS.contains(&folder) && is_file_name(name)
}

fn is_file_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

/// Content type by the key's extension, in any case; `None` for an extension that is never stored.
pub fn content_type(key: &str) -> Option<&'static str> {
    Some(match extension(key)?.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "avif" => "image/avif",
        "svg" => "image/svg+xml",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "ogg" | "ogv" => "video/ogg",
        "zip" => "application/zip",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "flac" => "audio/flac",
        "m4a" => "audio/mp4",
        _ => return None,
    })
}

/// Whether a file is displayed inline: images and videos are, other files are downloads.
pub fn is_inline(key: &str) -> bool {
    content_type(key).is_some_and(|kind| kind.starts_with("image/") || kind.starts_with("video/"))
}

/// Key of an uploaded artist image, `artists/artist-{unix_ms}{.ext}`; `None` if the original name has no image extension.
pub fn artist_key(unix_ms: u64, original_name: &str) -> Option<String> {
    let extension = extension(original_name)?.to_ascii_lowercase();
    let is_image = content_type(original_name)?.starts_with("image/");
    is_image.then(|| format!("artists/artist-{unix_ms}.{extension}"))
}

/// Whether a key is valid for any stored file, public or demo.
pub fn is_stored_key(key: &str) -> bool {
    is_media_key(key) || demo_name::is_demo_key(key)
}
