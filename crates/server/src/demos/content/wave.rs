//! WAV files: RIFF, or RF64 where they outgrow it (EBU Tech 3306).

use std::io;

use super::Source;

/// Chunks before the format, at most; editors write a handful.
const MOST_CHUNKS: usize = 64;

/// Whether it is a WAVE file that says how its sound is to be read.
pub(super) fn is_wave(source: &Source) -> io::Result<bool> {
    let Some(head) = source.bytes::<12>(0)? else { return Ok(false) };
    if !(head.starts_with(b"RIFF") || head.starts_with(b"RF64")) || !head.ends_with(b"WAVE") {
        return Ok(false);
    }
    let mut offset = 12;
    for _ in 0..MOST_CHUNKS {
        let Some([a, b, c, d, size @ ..]) = source.bytes::<8>(offset)? else { return Ok(false) };
        let size = u64::from(u32::from_le_bytes(size));
        if [a, b, c, d] == *b"fmt " {
            return Ok(size >= 16 && describes_sound(source.bytes(offset + 8)?));
        }
        // Chunks begin at even offsets.
        offset += 8 + size + size % 2;
    }
    Ok(false)
}

fn describes_sound(format: Option<[u8; 16]>) -> bool {
    format.is_some_and(|format| {
        let channels = u16::from_le_bytes([format[2], format[3]]);
        let sample_rate = u32::from_le_bytes([format[4], format[5], format[6], format[7]]);
        channels > 0 && sample_rate > 0
    })
}
