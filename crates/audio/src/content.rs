//! The verdict on a whole file, the description of its sounds, archives among them, and where a decoder finds its sound.

use std::io;

use rules::demo::DemoError;

use crate::{
    archive, flac, mp4, mpeg,
    source::Source,
    tags,
    tracks::{self, Track},
    wave,
};
pub use crate::{
    flac::Flac,
    mp4::{Mp4Track, Packets},
    wave::Wave,
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
        return Ok(tracks::tracks(source)?.map(Content::Archive));
    }
    Ok(describe_track(source, &extension)?.map(Content::Sound))
}

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
    Mp4(Mp4Track<'a>),
}

/// Where the sound lies in a file that is what `extension` (in small letters) says; `None` where that is not found. But for MPEG-4 a file
/// is read in one direction.
pub fn layout<'a>(source: &'a Source<'a>, extension: &str) -> io::Result<Option<Layout<'a>>> {
    Ok(match extension {
        "wav" => wave::wave(source)?.map(Layout::Wave),
        "flac" => flac::flac(source)?.map(Layout::Flac),
        "mp3" => Some(Layout::Mp3(tags::tags_length(source)?)),
        "m4a" => mp4::track(source)?.map(Layout::Mp4),
        _ => None,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// Samples as they are, as integers or as something rarer.
    Wav,
    /// Samples as they are, in floating point.
    WavFloat,
    Flac,
    Mp3,
    /// Advanced Audio Coding (ISO/IEC 14496-3).
    Aac,
    Alac,
}

/// The declared properties of one track. A file may lie: only decoding tells its true length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    pub codec: Codec,
    pub sample_rate: u32,
    pub channels: u16,
    pub bits: Option<u8>,
    /// Kilobits a second, where the encoder was given a rate; the mean of a variable one.
    pub bitrate: Option<u32>,
    /// How long it is, rounded down; absent where that is said nowhere.
    pub milliseconds: Option<u64>,
}

impl Sound {
    /// Itself, unless it says what no recording is.
    pub(crate) fn if_possible(self) -> Option<Self> {
        let is_possible = (1..=1_000_000).contains(&self.sample_rate)
            && (1..=64).contains(&self.channels)
            && self.bits.is_none_or(|bits| (1..=64).contains(&bits));
        is_possible.then_some(self)
    }
}

/// How long so many `units` last when `rate` of them go by in a second, rounded down.
pub(crate) fn milliseconds(units: u64, rate: u32) -> Option<u64> {
    let milliseconds = u128::from(units) * 1000 / u128::from(std::num::NonZero::new(rate)?.get());
    u64::try_from(milliseconds).ok()
}
