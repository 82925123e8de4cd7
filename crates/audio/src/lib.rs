//! What a demo's file is: whether it is what its extension says, and what can be said of its sound without decoding it.
//!
//! Pure: bytes come from a [`Source`], which may be a file, memory, or what a browser has read so far. The server and the browser
//! give the same file the same verdict and the same line. Only beginnings and directories are read, with memory that does not grow
//! with the file. Which extensions there are, and the texts of the refusals, is in `rules::demo`.

mod archive;
#[cfg(test)]
mod corpus;
mod describe;
mod flac;
mod kinds;
mod line;
mod mp4;
mod mpeg;
mod sound;
mod source;
mod tag;
mod tracks;
mod wave;

use std::io;
#[cfg(unix)]
use std::{fs::File, path::Path};

use rules::demo::DemoError;

pub use describe::{Content, describe};
pub use sound::{Codec, Sound};
pub use source::{ReaderAt, Source};
pub use tracks::{MOST_TRACKS, Packing, Track, tracks};

/// Whether a file is what `extension` (without the dot, in any case) says. The outer error is the reader's, the inner one the
/// refusal.
///
/// What follows the end of a well-formed file is not looked at: the type is decided by the first byte and the structure
/// that begins there.
///
/// ```
/// use deadwax_audio::{Source, check};
/// let page = b"<!doctype html>";
/// let refused = check(&Source::new(&page.as_slice(), page.len() as u64), "wav")?;
/// assert_eq!(refused, Err(rules::demo::DemoError::Type));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check(source: &Source<'_>, extension: &str) -> io::Result<Result<(), DemoError>> {
    let extension = extension.to_ascii_lowercase();
    if extension == "zip" {
        return archive::check(source);
    }
    let is_right = kinds::is_right(source, &extension)?;
    Ok(if is_right { Ok(()) } else { Err(DemoError::Type) })
}

/// [`check`] for the file at `path`. Blocks.
#[cfg(unix)]
pub fn check_file(path: &Path, extension: &str) -> io::Result<Result<(), DemoError>> {
    let file = Disk(File::open(path)?);
    let length = file.0.metadata()?.len();
    check(&Source::new(&file, length), extension)
}

/// A file on a disk, read at offsets.
#[cfg(unix)]
#[derive(Debug)]
pub struct Disk(pub File);

#[cfg(unix)]
impl ReaderAt for Disk {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, buffer, offset)
    }
}
