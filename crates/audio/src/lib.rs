//! What a demo's file is: whether it is what its extension says, and what can be said of its sound without decoding it.
//!
//! Pure: bytes come from a [`Source`], which may be a file, memory, or what a browser has read so far. The server and the browser
//! give the same file the same verdict and the same line. Only beginnings and directories are read, with memory that does not grow
//! with the file. Which extensions there are, and the texts of the refusals, is in `rules::demo`.

mod archive;
mod describe;
mod entry_name;
mod flac;
mod kinds;
mod layout;
mod line;
mod look;
mod mp4;
mod mpeg;
mod names;
mod pieces;
mod sound;
mod source;
mod tag;
mod tracks;
mod verdict;
mod wave;

#[cfg(unix)]
use std::{fs::File, io, path::Path};

#[cfg(unix)]
use rules::demo::DemoError;

pub use describe::{Content, describe};
pub use layout::{Flac, Layout, Mp4Track, Packets, Wave, layout};
pub use look::{Known, LOOK_MOST_BYTES, LOOK_MOST_ROUNDS, Look};
pub use names::{Names, names};
pub use sound::{Codec, Sound};
pub use source::{ReaderAt, Source};
pub use tracks::{MOST_TRACKS, Packing, Track, tracks};
pub use verdict::check;

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
