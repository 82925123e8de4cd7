//! MP3 files: frames of MPEG audio, layer III (ISO/IEC 11172-3 and 13818-3), with or without a tag before them.
//!
//! The audio libraries look for a frame anywhere in a file, which a program or a page could hide; here it has to begin at
//! the first byte that is not zero, and soon: some encoders leave a gap. How far a tag goes differs from program to program, so
//! behind one nothing is looked at.

use std::{io, ops::Range};

use rules::demo::MP3_GAP_MAX_BYTES;

use crate::{
    sound::{Codec, Sound, milliseconds},
    source::Source,
    tag,
};

const HEADER: usize = 4;
/// Where the first frame does not say how long a file is, frames are looked at in so many places, and in so many bytes at each.
const SAMPLES: u64 = 64;
const SAMPLE_BYTES: usize = 16 * 1024;

/// Where their rates differ, the frames of so many bytes are counted.
const COUNTED_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes that an encoder may have counted otherwise: tags and padding.
const OTHER_BYTES: u64 = 64 * 1024;
const LONGEST_FRAME: u64 = 2881;

/// Kilobits per second by index, of version 1 and of versions 2 and 2.5. 0 would be a length that is not said.
const BITRATES: [[u32; 15]; 2] = [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// Whether it begins with a tag (`ID3v2`), or with two frames that follow each other, behind nothing but zeros.
pub(crate) fn is_layer_three(source: &Source<'_>) -> io::Result<bool> {
    if source.bytes(0)? == Some(*b"ID3") {
        return Ok(true);
    }
    let head = source.up_to(MP3_GAP_MAX_BYTES + 1, 0)?;
    match head.iter().position(|byte| *byte != 0) {
        Some(gap) => Ok(two_frames(source, gap as u64)?.is_some()),
        None => Ok(false),
    }
}

/// The frame at `offset` and the one behind it, if there are two of the same kind.
fn two_frames(source: &Source<'_>, offset: u64) -> io::Result<Option<(Frame, Frame)>> {
    let Some(first) = source.bytes(offset)?.and_then(Frame::read) else { return Ok(None) };
    let second = source.bytes(offset + u64::from(first.length))?.and_then(Frame::read);
    Ok(second.filter(|second| second.kind == first.kind).map(|second| (first, second)))
}

/// Describes by the first frames: the header of a variable rate encoder (Xing, LAME, VBRI), else the rate or number of the frames.
pub(crate) fn describe(source: &Source<'_>) -> io::Result<Option<Sound>> {
    let begin = tag::length(source)?;
    let head = source.up_to(MP3_GAP_MAX_BYTES + 1, begin)?;
    for gap in head.iter().enumerate().filter(|(_, byte)| **byte == 0xff).map(|(gap, _)| gap as u64) {
        if let Some((first, second)) = two_frames(source, begin + gap)? {
            return describe_frames(source, begin + gap, &first, &second).map(Sound::if_possible);
        }
    }
    Ok(None)
}

fn describe_frames(source: &Source<'_>, offset: u64, first: &Frame, second: &Frame) -> io::Result<Sound> {
    let (_, rate) = first.kind;
    let sound = offset..tag::end(source)?;
    let bytes = sound.end.saturating_sub(offset);
    // Of files that were joined, or cut, it says what the first one was.
    let declared = Declared::read(source, offset, first)?
        .filter(|declared| declared.bytes.is_none_or(|declared| declared.abs_diff(bytes) <= OTHER_BYTES));
    let (bitrate, milliseconds) = if let Some(declared) = declared {
        let length = milliseconds(declared.samples, rate).filter(|length| *length > 0);
        let bytes = declared.bytes.unwrap_or(bytes);
        let mean = length.map(|length| (bytes * 8 + length / 2) / length);
        let bitrate = if declared.is_constant { Some(second.bitrate.into()) } else { mean };
        (bitrate, length)
    } else if is_constant(source, &sound, second)? {
        let bitrate = u64::from(second.bitrate);
        (Some(bitrate), (bytes * 8).checked_div(bitrate))
    } else {
        let length = samples(source, &sound, first.kind)?.and_then(|samples| milliseconds(samples, rate));
        (length.and_then(|length| (bytes * 8 + length / 2).checked_div(length)), length)
    };
    Ok(Sound {
        codec: Codec::Mp3,
        sample_rate: rate,
        channels: if first.is_mono { 1 } else { 2 },
        bits: None,
        bitrate: bitrate.and_then(|bitrate| u32::try_from(bitrate).ok()),
        milliseconds,
    })
}

/// Whether frames in places all over the file have the rate of one of them.
fn is_constant(source: &Source<'_>, sound: &Range<u64>, one: &Frame) -> io::Result<bool> {
    let step = (sound.end.saturating_sub(sound.start) / SAMPLES).max(1);
    for place in (sound.start..sound.end).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        let bytes = source.up_to(SAMPLE_BYTES, place)?;
        let frame_at = |at: usize| {
            let frame = bytes.get(at..)?.first_chunk().copied().and_then(Frame::read)?;
            (frame.kind == one.kind).then_some(frame)
        };
        // A frame that three others follow is no accident.
        let is_begin = |at: &usize| {
            (0..4).try_fold(*at, |at, _| frame_at(at).map(|frame| at + frame.length as usize)).is_some()
        };
        let Some(mut at) = (0..bytes.len()).find(is_begin) else { continue };
        while let Some(frame) = frame_at(at) {
            if frame.bitrate != one.bitrate {
                return Ok(false);
            }
            at += frame.length as usize;
        }
    }
    Ok(true)
}

/// The samples of all frames, one behind the other to the end. `None` where they are too many to be counted, or something else is between
/// them: then only decoding tells.
fn samples(source: &Source<'_>, sound: &Range<u64>, kind: (u8, u32)) -> io::Result<Option<u64>> {
    let (mut offset, mut samples) = (sound.start, 0);
    if sound.end.saturating_sub(sound.start) > COUNTED_BYTES {
        return Ok(None);
    }
    while let Some(frame) = source.bytes(offset)?.and_then(Frame::read).filter(|frame| frame.kind == kind) {
        offset += u64::from(frame.length);
        samples += frame.samples();
    }
    // The last frame may be cut off.
    Ok((offset + LONGEST_FRAME >= sound.end).then_some(samples))
}

struct Declared {
    samples: u64,
    bytes: Option<u64>,
    is_constant: bool,
}

impl Declared {
    fn read(source: &Source<'_>, offset: u64, frame: &Frame) -> io::Result<Option<Self>> {
        let start = offset + HEADER as u64;
        let bytes = source.up_to(36 + 140, start)?;
        let long = |at: usize| bytes.get(at..)?.first_chunk().copied().map(u32::from_be_bytes);
        if bytes.get(32..36) == Some(b"VBRI") {
            let samples = long(46).map(|frames| u64::from(frames) * frame.samples());
            return Ok(samples.map(|samples| Self {
                samples,
                bytes: long(42).map(u64::from),
                is_constant: false,
            }));
        }
        let name = frame.side_information();
        let is_constant = bytes.get(name..name + 4) == Some(b"Info");
        let (Some(flags), true) = (long(name + 4), is_constant || bytes.get(name..name + 4) == Some(b"Xing"))
        else {
            return Ok(None);
        };
        let mut at = name + 8;
        let mut field = |flag: u32, length: usize| {
            let here = at;
            let is_there = flags & flag != 0;
            at += if is_there { length } else { 0 };
            is_there.then_some(here)
        };
        let (frames, size) = (field(1, 4).and_then(long), field(2, 4).and_then(long));
        field(4, 100);
        field(8, 4);
        let padding = bytes.get(at..at + 24).map_or(0, padding);
        let samples = frames.map(|frames| (u64::from(frames) * frame.samples()).saturating_sub(padding));
        Ok(samples.map(|samples| Self { samples, bytes: size.map(u64::from), is_constant }))
    }
}

/// The samples at both ends that an encoder says it has added, in the LAME tag.
fn padding(tag: &[u8]) -> u64 {
    let is_known = [b"LAME", b"Lavf", b"Lavc"].iter().any(|name| tag.starts_with(*name));
    match tag.get(21..24) {
        Some(&[a, b, c]) if is_known => {
            let (before, after) =
                (u64::from(a) << 4 | u64::from(b >> 4), u64::from(b & 15) << 8 | u64::from(c));
            before + after
        }
        _ => 0,
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Frame {
    /// Version and sample rate: the same in every frame of a file.
    kind: (u8, u32),
    length: u32,
    bitrate: u32,
    is_mono: bool,
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
        let length = factor * bitrate / sample_rate + padding;
        Some(Self { kind: (version, sample_rate), length, bitrate, is_mono: fourth >> 6 == 3 })
    }

    fn is_version_one(&self) -> bool {
        self.kind.0 == 3
    }

    fn samples(&self) -> u64 {
        if self.is_version_one() { 1152 } else { 576 }
    }

    /// Bytes between the header and the sound.
    fn side_information(&self) -> usize {
        match (self.is_version_one(), self.is_mono) {
            (true, false) => 32,
            (true, true) | (false, false) => 17,
            (false, true) => 9,
        }
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
