//! Tags around the sound: `ID3v2` before it (id3.org, version 2.4, section 3), `ID3v1` and `APEv2` behind it.

use std::io;

use crate::source::Source;

/// Tags that are followed: files have one, those that were tagged twice have two.
const TAGS_MAX: usize = 16;

/// The bytes of the tags that a file begins with, one behind the other; 0 where it begins with something else.
pub(crate) fn length(source: &Source<'_>) -> io::Result<u64> {
    let mut length = 0;
    for _ in 0..TAGS_MAX {
        let Some([b'I', b'D', b'3', major, revision, flags, size @ ..]) = source.bytes::<10>(length)? else {
            break;
        };
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

/// The tag of fixed length at the end of a file, where it has one and can be read from there.
pub(crate) fn old(source: &Source<'_>) -> io::Result<Option<[u8; 128]>> {
    let Some(start) = source.length().checked_sub(128) else { return Ok(None) };
    Ok(source.bytes::<128>(start)?.filter(|tag| tag.starts_with(b"TAG")))
}

/// The end of the sound: where trailing tags start, or the end of the file.
pub(crate) fn end(source: &Source<'_>) -> io::Result<u64> {
    let mut end = source.length();
    if old(source)?.is_some() {
        end -= 128;
    }
    let Some(footer) = end.checked_sub(32) else { return Ok(end) };
    let (Some(name), Some(size)) = (source.bytes::<8>(footer)?, source.bytes(footer + 12)?) else {
        return Ok(end);
    };
    if name != *b"APETAGEX" {
        return Ok(end);
    }
    // With its footer, and perhaps a header of the same size.
    Ok(end.saturating_sub(u64::from(u32::from_le_bytes(size)) + 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_nothing_but_tags_is_not_read_to_its_end() {
        let tags = b"ID3\x04\0\0\0\0\0\0".repeat(1_000);
        let length = length(&Source::new(&tags.as_slice(), tags.len() as u64)).unwrap();
        assert_eq!(length, TAGS_MAX as u64 * 10);
    }
}
