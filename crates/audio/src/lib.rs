//! Judges a demo's file: whether its content matches its extension, and how its sound can be described without decoding.
//!
//! Pure: bytes come from a [`Source`], which may be a file, memory, or the part a browser has read. Server and browser give the same
//! file the same verdict and the same line. Only beginnings and directories are read, with memory that does not grow with the file.
//! `rules::demo` has the extensions and the texts of the refusals.
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

mod archive;
mod content;
mod flac;
mod kinds;
mod line;
mod mp4;
mod mpeg;
mod names;
mod probe;
mod sound;
mod source;
mod tag;
mod tracks;
mod wave;

#[cfg(unix)]
use std::{fs::File, io, path::Path};

#[cfg(unix)]
use rules::demo::DemoError;

pub use content::{Content, check, describe};
pub use kinds::{Flac, Layout, Mp4Track, Packets, Wave, layout};
pub use names::{Names, names};
pub use probe::{Known, PROBE_MAX_BYTES, PROBE_MAX_ROUNDS, Probe};
pub use rawzip::{FileReader, RangeReader};
pub use sound::{Codec, Sound};
pub use source::{ReaderAt, Source};
pub use tracks::{Packing, TRACKS_MAX, Track, tracks};

/// [`check`] for the file at `path`. Blocks.
#[cfg(unix)]
pub fn check_file(path: &Path, extension: &str) -> io::Result<Result<(), DemoError>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    check(&Source::new(&FileReader::from(file), length), extension)
}
