//! The verdict on a whole file and the description of its sounds, archives among them.

use std::io;

use rules::demo::DemoError;

use crate::{
    archive,
    kinds::{describe_track, is_right},
    sound::Sound,
    source::Source,
    tracks::{self, Track},
};

/// Whether a file is what `extension` (without the dot, in any case) says. The outer error is the reader's, the inner one the
/// refusal.
///
/// Content after the end of a well-formed file is ignored: the first byte and the structure that starts there decide the type.
///
/// ```
/// use deadwax_audio::{Source, check};
/// let page = b"<!doctype html>";
/// let refused = check(&Source::new(&page.as_slice(), page.len() as u64), "wav")?;
/// assert_eq!(refused, Err(rules::demo::DemoError::Content));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check(source: &Source<'_>, extension: &str) -> io::Result<Result<(), DemoError>> {
    let extension = extension.to_ascii_lowercase();
    if extension == "zip" {
        return archive::check(source);
    }
    let is_right = is_right(source, &extension)?;
    Ok(if is_right { Ok(()) } else { Err(DemoError::Content) })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Sound(Sound),
    Archive(Vec<Track>),
}

/// Describes the sound of a file that passed [`check`] as `extension`; none if its headers say too little. Errors are
/// the reader's.
pub fn describe(source: &Source<'_>, extension: &str) -> io::Result<Option<Content>> {
    let extension = extension.to_ascii_lowercase();
    if extension == "zip" {
        return Ok(tracks::heard(source)?.map(Content::Archive));
    }
    Ok(describe_track(source, &extension)?.map(Content::Sound))
}
