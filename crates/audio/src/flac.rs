//! FLAC streams (RFC 9639).

use std::io;

use crate::{
    sound::{Codec, Sound},
    source::Source,
    tag,
};

/// A stream begins with its name (section 8); some editors put a tag of MP3 files before it.
pub(crate) fn is_flac(source: &Source<'_>) -> io::Result<bool> {
    Ok(source.bytes(tag::length(source)?)? == Some(*b"fLaC"))
}

/// What its first block says (section 8.2); a stream that was written on the fly does not know its length.
pub(crate) fn describe(source: &Source<'_>) -> io::Result<Option<Sound>> {
    let start = tag::length(source)? + 4;
    let (Some([kind]), Some(packed)) = (source.bytes(start)?, source.bytes(start + 14)?) else {
        return Ok(None);
    };
    // The last bit of the block's kind says that no other block follows.
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
