//! FLAC streams (RFC 9639).

use std::{io, ops::Range};

use crate::{
    sound::{Codec, Sound},
    source::Source,
    tag,
};

/// Blocks in front of the sound, at most: pictures, tags, tables.
const BLOCKS_MAX: usize = 1000;

/// A stream begins with its name (section 8); some editors put a tag of MP3 files before it.
pub(crate) fn is_flac(source: &Source<'_>) -> io::Result<bool> {
    Ok(source.bytes(tag::length(source)?)? == Some(*b"fLaC"))
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flac {
    /// Its first block, without a header.
    pub info: [u8; 34],
    pub frames: u64,
    pub(crate) comments: Option<Range<u64>>,
}

/// Reads the headers of the blocks in front of the sound (section 8.1); `None` where the first is another or the last is missing.
pub(crate) fn flac(source: &Source<'_>) -> io::Result<Option<Flac>> {
    let start = tag::length(source)? + 4;
    let Some([0 | 0x80, _, _, _, info @ ..]) = source.bytes::<38>(start)? else { return Ok(None) };
    let (mut offset, mut comments) = (start, None);
    for _ in 0..BLOCKS_MAX {
        let Some([kind, a, b, c]) = source.bytes(offset)? else { return Ok(None) };
        let block = offset + 4..offset + 4 + u64::from(u32::from_be_bytes([0, a, b, c]));
        offset = block.end;
        if kind & 0x7f == 4 && comments.is_none() {
            comments = Some(block);
        }
        // The highest bit of its kind says that no other block follows.
        if kind & 0x80 != 0 {
            return Ok(Some(Flac { info, frames: offset, comments }));
        }
    }
    Ok(None)
}

impl Flac {
    /// The beginning of a stream with the same frames and nothing else.
    pub fn plain_head(&self) -> Vec<u8> {
        [&b"fLaC\x80\0\0\x22"[..], &self.info].concat()
    }
}

/// Reads the first block (section 8.2); a live stream does not know its length.
pub(crate) fn describe(source: &Source<'_>) -> io::Result<Option<Sound>> {
    let start = tag::length(source)? + 4;
    let (Some([kind]), Some(packed)) = (source.bytes(start)?, source.bytes(start + 14)?) else {
        return Ok(None);
    };
    if kind & 0x7f != 0 {
        return Ok(None);
    }
    let packed = u64::from_be_bytes(packed);
    let (rate, samples) = ((packed >> 44) as u32, packed & 0xf_ffff_ffff);
    Ok(Sound {
        codec: Codec::Flac,
        sample_rate: rate,
        channels: (packed >> 41 & 7) as u16 + 1,
        bits: Some((packed >> 36 & 31) as u8 + 1),
        bitrate: None,
        milliseconds: (samples > 0 && rate > 0).then(|| samples * 1000 / u64::from(rate)),
    }
    .if_possible())
}
