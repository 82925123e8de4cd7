//! The kinds of files that are one track each, by their extensions in small letters.

use std::io;

use crate::{flac, mp4, mpeg, sound::Sound, source::Source, wave};

/// Whether a file is what its extension says.
pub(crate) fn is_right(source: &Source<'_>, extension: &str) -> io::Result<bool> {
    match extension {
        "mp3" => mpeg::is_layer_three(source),
        "wav" => wave::is_wave(source),
        "flac" => flac::is_flac(source),
        "m4a" => mp4::is_audio(source),
        _ => Ok(false),
    }
}

/// What one that is right says of its sound.
pub(crate) fn describe(source: &Source<'_>, extension: &str) -> io::Result<Option<Sound>> {
    match extension {
        "mp3" => mpeg::describe(source),
        "wav" => wave::describe(source),
        "flac" => flac::describe(source),
        "m4a" => mp4::describe(source),
        _ => Ok(None),
    }
}
