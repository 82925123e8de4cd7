//! WAV files: RIFF, or RF64 where they outgrow it (EBU Tech 3306).

use std::{io, ops::Range};

use crate::{
    sound::{Codec, Sound, milliseconds},
    source::Source,
};

/// Chunks looked at, at most: notes of editors stand before the sound, never thousands.
const CHUNKS_MAX: usize = 200;
/// A size of 32 bits that says: elsewhere, or not known when this was written.
const UNKNOWN: u32 = u32::MAX;
/// Bytes of a format behind its common fields, at most: the coefficients of ADPCM.
const MORE_MAX: u32 = 48;
/// `wFormatTag` (Microsoft, mmreg.h): integers, floating point, and "see the sub format".
const PCM: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xfffe;

/// Whether it starts as a WAVE file. The rest is not checked: editors write chunks of every kind, and refusing a real recording
/// would be worse than accepting a broken one.
pub(crate) fn is_wave(source: &Source<'_>) -> io::Result<bool> {
    let head = source.bytes::<12>(0)?;
    Ok(head.is_some_and(|head| {
        [b"RIFF", b"RF64", b"BW64"].iter().any(|name| head.starts_with(*name)) && head.ends_with(b"WAVE")
    }))
}

/// Where a WAVE file has its format and its sound. No size but those of its chunks is believed: programs write the size of the whole
/// file wrong, or before they know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    format: Format,
    pub sound: Range<u64>,
    /// The first list of names in front of it.
    pub(crate) names: Option<Range<u64>>,
}

/// Reads the chunks in front of the sound; `None` where the format or the sound is missing.
pub(crate) fn wave(source: &Source<'_>) -> io::Result<Option<Wave>> {
    let (mut offset, mut format, mut large, mut names) = (12, None, None, None);
    for _ in 0..CHUNKS_MAX {
        let Some([a, b, c, d, size @ ..]) = source.bytes::<8>(offset)? else { return Ok(None) };
        let (name, size) = ([a, b, c, d], u32::from_le_bytes(size));
        let start = offset + 8;
        let end = start + u64::from(size);
        match &name {
            b"fmt " => format = Format::read(source, start, size)?,
            b"ds64" => large = source.bytes(start + 8)?.map(u64::from_le_bytes),
            b"LIST" if names.is_none() && source.bytes(start)? == Some(*b"INFO") => {
                names = Some(start + 4..end);
            }
            b"data" => {
                let left = source.length().saturating_sub(start);
                let bytes = match (size, large) {
                    (UNKNOWN, Some(bytes)) => bytes.min(left),
                    (0 | UNKNOWN, _) => left,
                    (size, _) => u64::from(size).min(left),
                };
                return Ok(format.map(|format| Wave { format, sound: start..start + bytes, names }));
            }
            _ => {}
        }
        // Chunks begin at even offsets, which some programs forget: then a name follows at once.
        let is_name = |name: [u8; 4]| name.iter().all(|byte| (b' '..=b'~').contains(byte));
        let is_padded = size & 1 == 1 && !source.bytes(end)?.is_some_and(is_name);
        offset = end + u64::from(is_padded);
    }
    Ok(None)
}

pub(crate) fn describe(source: &Source<'_>) -> io::Result<Option<Sound>> {
    Ok(wave(source)?.and_then(|wave| wave.format.sound(wave.sound.end - wave.sound.start)))
}

impl Wave {
    /// The beginning of a plain file with the same sound: for a decoder that knows no other.
    pub fn plain_head(&self) -> Vec<u8> {
        let Format { tag, channels, rate, bytes_per_second, .. } = self.format;
        let width = self.format.width();
        let (block, bits) = (self.format.block(), width.unwrap_or(self.format.bits));
        let mut format = [
            &tag.to_le_bytes()[..],
            &channels.to_le_bytes(),
            &rate.to_le_bytes(),
            &bytes_per_second.to_le_bytes(),
            &block.to_le_bytes(),
            &bits.to_le_bytes(),
        ]
        .concat();
        if width.is_none() {
            format.extend(&self.format.more);
        }
        let size = |length: usize| u32::try_from(length).unwrap_or(UNKNOWN).to_le_bytes();
        let sound = usize::try_from(self.sound.end - self.sound.start).unwrap_or(usize::MAX);
        [&b"RIFF\xff\xff\xff\xffWAVEfmt "[..], &size(format.len()), &format, b"data", &size(sound)].concat()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Format {
    tag: u16,
    channels: u16,
    rate: u32,
    bytes_per_second: u32,
    block: u16,
    bits: u16,
    /// The bytes after these fields.
    more: Vec<u8>,
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
            more: source.up_to(size.saturating_sub(16).min(MORE_MAX) as usize, start + 16)?,
        };
        // How many of the bits count, and the sub format, whose first two bytes are a tag as above.
        if format.tag == EXTENSIBLE
            && let Some(&[_, _, c, d, _, _, _, _, e, f]) = format.more.first_chunk()
        {
            let valid = u16::from_le_bytes([c, d]);
            if (1..=format.bits).contains(&valid) {
                format.bits = valid;
            }
            format.tag = u16::from_le_bytes([e, f]);
        }
        Ok(Some(format))
    }

    fn is_plain(&self) -> bool {
        matches!(self.tag, PCM | FLOAT)
    }

    /// The bits that a plain sample takes in the file, of which some may not count.
    fn width(&self) -> Option<u16> {
        let of_block = self.block.checked_div(self.channels).map(|bytes| bytes.saturating_mul(8));
        let width = of_block.filter(|width| *width >= self.bits && *width <= 64);
        let rounded = self.bits.checked_next_multiple_of(8).unwrap_or(self.bits);
        self.is_plain().then(|| width.unwrap_or(rounded))
    }

    /// Bytes of a frame, or of a block of packed ones.
    fn block(&self) -> u16 {
        self.width().map_or(self.block, |width| (width / 8).saturating_mul(self.channels))
    }

    fn sound(self, bytes: u64) -> Option<Sound> {
        let is_plain = self.is_plain();
        let milliseconds = if is_plain {
            bytes.checked_div(u64::from(self.block())).and_then(|frames| milliseconds(frames, self.rate))
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
