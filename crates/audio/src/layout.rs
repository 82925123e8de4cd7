//! Where a file of one track has its sound, for a decoder.

use std::io;

use crate::{flac, mp4, source::Source, tag, wave};
pub use crate::{
    flac::Flac,
    mp4::{Mp4Track, Packets},
    wave::Wave,
};

/// Where a file of one track has its sound.
#[derive(Debug)]
pub enum Layout<'a> {
    /// Behind a header.
    Wave(Wave),
    /// Behind blocks of other kinds.
    Flac(Flac),
    /// In frames, from this byte on.
    Mp3(u64),
    /// In packets all over the file.
    Mp4(Mp4Track<'a>),
}

/// Where the sound lies in a file that is what `extension` (in small letters) says; `None` where that is not found. But for MPEG-4 a file
/// is read in one direction.
pub fn layout<'a>(source: &'a Source<'a>, extension: &str) -> io::Result<Option<Layout<'a>>> {
    Ok(match extension {
        "wav" => wave::wave(source)?.map(Layout::Wave),
        "flac" => flac::flac(source)?.map(Layout::Flac),
        "mp3" => Some(Layout::Mp3(tag::length(source)?)),
        "m4a" => mp4::track(source)?.map(Layout::Mp4),
        _ => None,
    })
}
