//! MP3 files: frames of MPEG audio, layer III (ISO/IEC 11172-3 and 13818-3), with or without tags before them.
//!
//! The audio libraries look for a frame anywhere in a file, which a program or a page could hide; here it has to begin at
//! the first byte, or right behind the tags.

use std::io;

use super::Source;

/// Tags before the sound, at most.
const MOST_TAGS: usize = 8;
/// How far behind the tags the sound begins at the latest: some programs leave more padding than the tag says.
const PADDING: usize = 64 * 1024;
/// A header.
const HEADER: usize = 4;

/// Kilobits per second by index, of version 1 and of versions 2 and 2.5. 0 would be a length that is not said.
const BITRATES: [[u32; 15]; 2] = [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// Whether two frames follow each other at the beginning, or behind the tags at the beginning.
pub(super) fn is_layer_three(source: &Source) -> io::Result<bool> {
    let mut offset = 0;
    for _ in 0..MOST_TAGS {
        let Some(head) = source.bytes::<10>(offset)? else { return Ok(false) };
        if !head.starts_with(b"ID3") {
            break;
        }
        let Some(length) = tag_length(head) else { return Ok(false) };
        offset += length;
    }
    if offset == 0 { are_two_frames(source, 0) } else { begins_within(source, offset) }
}

/// Whether sound begins at `offset`, or behind a little padding.
fn begins_within(source: &Source, offset: u64) -> io::Result<bool> {
    let mut padding = vec![0; PADDING + HEADER];
    let mut read = 0;
    while read < padding.len() {
        match rawzip::ReaderAt::read_at(source, &mut padding[read..], offset + read as u64)? {
            0 => break,
            more => read += more,
        }
    }
    for (at, header) in padding[..read].windows(HEADER).enumerate() {
        if header[0] == 0xff && are_two_frames(source, offset + at as u64)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The length of a tag (`ID3v2`) with its header and footer.
fn tag_length(head: [u8; 10]) -> Option<u64> {
    let [_, _, _, version, revision, flags, size @ ..] = head;
    if !(2..=4).contains(&version) || revision == 0xff || size.iter().any(|byte| *byte >= 0x80) {
        return None;
    }
    let size = size.iter().fold(0, |size, byte| size << 7 | u64::from(*byte));
    let footer = if version == 4 && flags & 0x10 != 0 { 10 } else { 0 };
    Some(10 + size + footer)
}

fn are_two_frames(source: &Source, offset: u64) -> io::Result<bool> {
    let Some(first) = source.bytes(offset)?.and_then(Frame::read) else { return Ok(false) };
    let second = source.bytes(offset + u64::from(first.length))?.and_then(Frame::read);
    Ok(second.is_some_and(|second| second.kind == first.kind))
}

/// What the header of a frame says.
#[derive(Debug, PartialEq, Eq)]
struct Frame {
    /// Version and sample rate: the same in every frame of a file.
    kind: (u8, u32),
    length: u32,
}

impl Frame {
    fn read([first, second, third, fourth]: [u8; HEADER]) -> Option<Self> {
        let (version, layer) = (second >> 3 & 3, second >> 1 & 3);
        let (bitrate, rate) = (usize::from(third >> 4), third >> 2 & 3);
        let is_sync = first == 0xff && second >= 0xe0;
        if !is_sync || version == 1 || layer != 1 || fourth & 3 == 2 {
            return None;
        }
        let (halving, row, factor) = match version {
            3 => (0, 0, 144_000),
            2 => (1, 1, 72_000),
            _ => (2, 1, 72_000),
        };
        let sample_rate = [44_100_u32, 48_000, 32_000].get(usize::from(rate))? >> halving;
        let bitrate = *BITRATES[row].get(bitrate).filter(|bitrate| **bitrate > 0)?;
        let padding = u32::from(third >> 1 & 1);
        Some(Self { kind: (version, sample_rate), length: factor * bitrate / sample_rate + padding })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_as_long_as_the_standard_says() {
        for (header, length) in [
            ([0xff, 0xfb, 0x90, 0x00], Some(417)),
            ([0xff, 0xfb, 0x92, 0x00], Some(418)),
            ([0xff, 0xfa, 0xe0, 0x00], Some(1044)),
            ([0xff, 0xf3, 0x80, 0x00], Some(208)),
            ([0xff, 0xe3, 0x80, 0x00], Some(417)),
            ([0xff, 0xfb, 0x00, 0x00], None),
            ([0xff, 0xfb, 0xf0, 0x00], None),
            ([0xff, 0xfb, 0x9c, 0x00], None),
            ([0xff, 0xfb, 0x90, 0x02], None),
            ([0xff, 0xeb, 0x90, 0x00], None),
            ([0xff, 0xfd, 0x90, 0x00], None),
            ([0xff, 0xf1, 0x50, 0x80], None),
            ([0xfe, 0xfb, 0x90, 0x00], None),
        ] {
            assert_eq!(Frame::read(header).map(|frame| frame.length), length, "{header:x?}");
        }
    }
}
