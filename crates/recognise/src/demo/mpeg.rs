//! MP3 files: frames of MPEG audio, layer III (ISO/IEC 11172-3 and 13818-3), with or without a tag before them.
//!
//! The audio libraries look for a frame anywhere in a file, which a program or a page could hide; here it has to begin at
//! the first byte that is not zero, and soon: some encoders leave a gap. How far a tag goes differs from program to program, so
//! behind one nothing is looked at.

use std::io;

use rawzip::ReaderAt as _;
use rules::demo::MP3_GAP_MAX_BYTES;

use super::source::Source;

/// A header.
const HEADER: usize = 4;

/// Kilobits per second by index, of version 1 and of versions 2 and 2.5. 0 would be a length that is not said.
const BITRATES: [[u32; 15]; 2] = [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// Whether it begins with a tag (`ID3v2`), or with two frames that follow each other, behind nothing but zeros.
pub(super) fn is_layer_three(source: &Source) -> io::Result<bool> {
    if source.bytes(0)? == Some(*b"ID3") {
        return Ok(true);
    }
    let mut head = vec![0; MP3_GAP_MAX_BYTES + 1];
    let mut read = 0;
    while read < head.len() {
        match source.read_at(&mut head[read..], read as u64)? {
            0 => break,
            more => read += more,
        }
    }
    match head[..read].iter().position(|byte| *byte != 0) {
        Some(gap) => are_two_frames(source, gap as u64),
        None => Ok(false),
    }
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
