//! WAV files: RIFF, or RF64 where they outgrow it (EBU Tech 3306).

use std::io;

use crate::{
    sound::{Codec, Sound, milliseconds},
    source::Source,
};

/// Chunks looked at, at most: notes of editors stand before the sound, never thousands.
const MOST_CHUNKS: usize = 200;
/// A size of 32 bits that says: elsewhere, or not known when this was written.
const UNKNOWN: u32 = u32::MAX;
/// `wFormatTag` (Microsoft, mmreg.h): integers, floating point, and "see the sub format".
const PCM: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xfffe;

/// Whether it begins as a WAVE file. What follows is the listener's: editors write chunks of every kind, and a refusal of
/// somebody's real recording would be worse than a broken one that is heard.
pub(crate) fn is_wave(source: &Source<'_>) -> io::Result<bool> {
    let head = source.bytes::<12>(0)?;
    Ok(head.is_some_and(|head| {
        (head.starts_with(b"RIFF") || head.starts_with(b"RF64")) && head.ends_with(b"WAVE")
    }))
}

/// What its chunks `fmt ` and `data` say. A file that was written on the fly has a size that is none: its sound goes to the end.
pub(crate) fn describe(source: &Source<'_>) -> io::Result<Option<Sound>> {
    let (mut offset, mut format, mut large) = (12, None, None);
    for _ in 0..MOST_CHUNKS {
        let Some([a, b, c, d, size @ ..]) = source.bytes::<8>(offset)? else { return Ok(None) };
        let (name, size) = ([a, b, c, d], u32::from_le_bytes(size));
        let start = offset + 8;
        match &name {
            b"fmt " => format = Format::read(source, start, size)?,
            b"ds64" => large = source.bytes(start + 8)?.map(u64::from_le_bytes),
            b"data" => {
                let left = source.length().saturating_sub(start);
                let bytes = match (size, large) {
                    (UNKNOWN, Some(bytes)) => bytes.min(left),
                    (0 | UNKNOWN, _) => left,
                    (size, _) => u64::from(size).min(left),
                };
                return Ok(format.and_then(|format: Format| format.sound(bytes)));
            }
            _ => {}
        }
        // Chunks begin at even offsets.
        offset = start + u64::from(size) + u64::from(size & 1);
    }
    Ok(None)
}

/// What the chunk `fmt ` says.
#[derive(Debug, Clone, Copy)]
struct Format {
    tag: u16,
    channels: u16,
    rate: u32,
    bytes_per_second: u32,
    block: u16,
    bits: u16,
}

impl Format {
    fn read(source: &Source<'_>, start: u64, size: u32) -> io::Result<Option<Self>> {
        let Some(bytes) = source.bytes::<16>(start)? else { return Ok(None) };
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let long = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let mut format = Self {
            tag: short(0),
            channels: short(2),
            rate: long(4),
            bytes_per_second: long(8),
            block: short(12),
            bits: short(14),
        };
        if format.tag == EXTENSIBLE && size >= 40 {
            // How many of the bits count, and the sub format, whose first two bytes are a tag as above.
            let Some([_, _, c, d, .., e, f]) = source.bytes::<10>(start + 16)? else { return Ok(None) };
            let valid = u16::from_le_bytes([c, d]);
            if (1..=format.bits).contains(&valid) {
                format.bits = valid;
            }
            format.tag = u16::from_le_bytes([e, f]);
        }
        Ok(Some(format))
    }

    fn sound(self, bytes: u64) -> Option<Sound> {
        let is_plain = matches!(self.tag, PCM | FLOAT);
        let milliseconds = if is_plain {
            bytes.checked_div(u64::from(self.block)).and_then(|frames| milliseconds(frames, self.rate))
        } else {
            milliseconds(bytes, self.bytes_per_second)
        };
        Sound {
            codec: if self.tag == FLOAT { Codec::WavFloat } else { Codec::Wav },
            sample_rate: self.rate,
            channels: self.channels,
            bits: is_plain.then(|| u8::try_from(self.bits).ok()).flatten(),
            bitrate: None,
            milliseconds,
        }
        .if_possible()
    }
}
