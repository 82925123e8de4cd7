//! What can be said of a file's sound without decoding it.

use std::io;

use crate::{
    kinds,
    sound::Sound,
    source::Source,
    tracks::{self, Track},
};

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// One track.
    Sound(Sound),
    /// An archive with these.
    Archive(Vec<Track>),
}

/// What the file says of its sound, if [`check`](crate::check) found it to be what `extension` says; nothing where it says too little. The
/// error is the reader's.
pub fn describe(source: &Source<'_>, extension: &str) -> io::Result<Option<Content>> {
    let extension = extension.to_ascii_lowercase();
    if extension == "zip" {
        return Ok(tracks::tracks(source)?.map(Content::Archive));
    }
    Ok(kinds::describe(source, &extension)?.map(Content::Sound))
}
