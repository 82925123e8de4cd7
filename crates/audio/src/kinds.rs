//! The verdict on one sound file and its description, by the kind that its extension names.

use std::io;

use crate::{flac, mp4, mpeg, sound::Sound, source::Source, wave};

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
