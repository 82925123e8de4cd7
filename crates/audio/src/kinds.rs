//! The verdict on one sound file, its description, and where a decoder finds its sound, by the kind that its extension names.

use std::io;

use crate::{flac, mp4, mpeg, sound::Sound, source::Source, tag, wave};
pub use crate::{
    flac::Flac,
    mp4::{Mp4Track, Packets},
    wave::Wave,
};

pub(crate) fn is_right(source: &Source<'_>, extension: &str) -> io::Result<bool> {
    match extension {
        "mp3" => mpeg::is_layer_three(source),
        "wav" => wave::is_wave(source),
        "flac" => flac::is_flac(source),
        "m4a" => mp4::is_audio(source),
        _ => Ok(false),
    }
}

pub(crate) fn describe_track(source: &Source<'_>, extension: &str) -> io::Result<Option<Sound>> {
    match extension {
        "mp3" => mpeg::describe(source),
        "wav" => wave::describe(source),
        "flac" => flac::describe(source),
        "m4a" => mp4::describe(source),
        _ => Ok(None),
    }
}

#[derive(Debug)]
pub enum Layout<'a> {
    Wave(Wave),
    Flac(Flac),
    Mp3(u64),
    Mp4(Box<Mp4Track<'a>>),
}

/// Where the sound lies in a file that is what `extension` (in small letters) says; `None` where that is not found. But for MPEG-4 a file
/// is read in one direction.
pub fn layout<'a>(source: &'a Source<'a>, extension: &str) -> io::Result<Option<Layout<'a>>> {
    Ok(match extension {
        "wav" => wave::wave(source)?.map(Layout::Wave),
        "flac" => flac::flac(source)?.map(Layout::Flac),
        "mp3" => Some(Layout::Mp3(tag::length(source)?)),
        "m4a" => mp4::track(source)?.map(Box::new).map(Layout::Mp4),
        _ => None,
    })
}
