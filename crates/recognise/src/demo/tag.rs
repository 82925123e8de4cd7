//! `ID3v2` tags (id3.org, version 2.4, section 3), which stand before the sound.

use std::io;

use super::source::Source;

/// The bytes of the tags that a file begins with, one behind the other; 0 where it begins with something else.
pub(super) fn length(source: &Source) -> io::Result<u64> {
    let mut length = 0;
    while let Some([b'I', b'D', b'3', major, revision, flags, size @ ..]) = source.bytes::<10>(length)? {
        // Seven bits a byte, so that no size looks like a frame of sound.
        if major == 0xff || revision == 0xff || size.iter().any(|byte| *byte > 0x7f) {
            break;
        }
        let size = size.iter().fold(0, |all, byte| all << 7 | u64::from(*byte));
        let footer = if flags & 0x10 == 0 { 0 } else { 10 };
        length += 10 + size + footer;
    }
    Ok(length)
}
