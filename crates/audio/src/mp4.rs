//! M4A files: the ISO base media format (ISO/IEC 14496-12) with a brand of sound, and no pictures that move.
//!
//! The same brands are used for films, so the tracks are looked at where the file lists them.

use std::{io, ops::Range};

use crate::{
    sound::{Codec, Sound, milliseconds},
    source::Source,
};

/// Brands of files with sound alone, or with anything.
const BRANDS: [&[u8; 4]; 4] = [b"M4A ", b"M4B ", b"mp42", b"isom"];
/// Boxes looked at, at most: a film in fragments has thousands, and lists its tracks before them.
const MOST_BOXES: usize = 2000;

/// Whether it begins with one of the brands, and lists no film and not only silence.
pub(crate) fn is_audio(source: &Source<'_>) -> io::Result<bool> {
    let Some(head) = source.bytes::<12>(0)? else { return Ok(false) };
    let brand = &head[8..];
    if !head[4..].starts_with(b"ftyp") || !BRANDS.iter().any(|known| brand == known.as_slice()) {
        return Ok(false);
    }
    let (mut boxes, mut found) = (Boxes::of(source), Found::default());
    boxes.within(0..source.length(), &[b"moov", b"trak", b"mdia", b"hdlr"], &mut |handler| {
        let handler = handler_of(source, &handler)?;
        found.track = true;
        found.sound |= handler == Some(*b"soun");
        found.film |= handler == Some(*b"vide");
        Ok(())
    })?;
    Ok(!found.film && (found.sound || !found.track))
}

/// What the tracks are of.
#[derive(Debug, Default)]
struct Found {
    track: bool,
    sound: bool,
    film: bool,
}

/// What a track is of: behind version, flags and four bytes that are always zero.
fn handler_of(source: &Source<'_>, handler: &Range<u64>) -> io::Result<Option<[u8; 4]>> {
    source.bytes(handler.start + 8)
}

/// What the first track of sound says of itself.
pub(crate) fn describe(source: &Source<'_>) -> io::Result<Option<Sound>> {
    let mut boxes = Boxes::of(source);
    let mut tracks = Vec::new();
    boxes.within(0..source.length(), &[b"moov", b"trak"], &mut |track| {
        tracks.push(track);
        Ok(())
    })?;
    for track in tracks {
        let handler = boxes.first(&track, &[b"mdia", b"hdlr"])?;
        let Some(handler) = handler else { continue };
        if handler_of(source, &handler)? == Some(*b"soun") {
            return describe_track(source, &mut boxes, &track);
        }
    }
    Ok(None)
}

fn describe_track(
    source: &Source<'_>,
    boxes: &mut Boxes<'_>,
    track: &Range<u64>,
) -> io::Result<Option<Sound>> {
    let Some(entry) = boxes.first(track, &[b"mdia", b"minf", b"stbl", b"stsd"])? else { return Ok(None) };
    // Version, flags and how many descriptions; the first is that of the sound.
    let Some(mut written) = Written::read(source, boxes, entry.start + 8..entry.end)? else {
        return Ok(None);
    };
    let milliseconds = length(source, boxes, track)?;
    if written.codec != Codec::Alac && written.bitrate.is_none() {
        let bytes = boxes.first(&(0..source.length()), &[b"mdat"])?.map(|data| data.end - data.start);
        let mean = bytes.and_then(|bytes| (bytes * 8).checked_div(milliseconds?));
        written.bitrate = mean.and_then(|mean| u32::try_from(mean).ok());
    }
    Ok(Sound {
        codec: written.codec,
        sample_rate: written.sample_rate,
        channels: written.channels,
        bits: written.bits,
        bitrate: written.bitrate,
        milliseconds,
    }
    .if_possible())
}

/// How long a track is: what its edit list plays of it, else all of it; in a file of fragments, what these come to.
fn length(source: &Source<'_>, boxes: &mut Boxes<'_>, track: &Range<u64>) -> io::Result<Option<u64>> {
    let all = 0..source.length();
    let whole = match boxes.first(&all, &[b"moov", b"mvhd"])? {
        Some(header) => Times::read(source, header.start)?,
        None => None,
    };
    let movie_rate = whole.as_ref().map_or(0, |times| times.rate);
    if let Some(list) = boxes.first(track, &[b"edts", b"elst"])? {
        let played = milliseconds(played(source, &list)?, movie_rate).filter(|played| *played > 0);
        if played.is_some() {
            return Ok(played);
        }
    }
    if let Some(header) = boxes.first(track, &[b"mdia", b"mdhd"])?
        && let Some(times) = Times::read(source, header.start)?
        && times.length > 0
    {
        return Ok(milliseconds(times.length, times.rate));
    }
    let Some(header) = boxes.first(&all, &[b"moov", b"mvex", b"mehd"])? else { return Ok(None) };
    let length = match source.bytes::<12>(header.start)? {
        Some([1, _, _, _, rest @ ..]) => u64::from_be_bytes(rest),
        Some([_, _, _, _, a, b, c, d, ..]) => u64::from(u32::from_be_bytes([a, b, c, d])),
        None => 0,
    };
    Ok(milliseconds(length, movie_rate).filter(|length| *length > 0))
}

/// What an edit list plays, in units of the whole file.
fn played(source: &Source<'_>, list: &Range<u64>) -> io::Result<u64> {
    let Some([version, _, _, _, count @ ..]) = source.bytes::<8>(list.start)? else { return Ok(0) };
    let (count, width) = (u32::from_be_bytes(count).min(64), if version == 1 { 20 } else { 12 });
    let mut sum = 0_u64;
    for edit in 0..u64::from(count) {
        let start = list.start + 8 + edit * width;
        // A media time of -1 is a pause.
        let (length, is_pause) = if version == 1 {
            let (Some(length), Some(media)) = (source.bytes(start)?, source.bytes::<8>(start + 8)?) else {
                break;
            };
            (u64::from_be_bytes(length), media == [0xff; 8])
        } else {
            let (Some(length), Some(media)) = (source.bytes(start)?, source.bytes::<4>(start + 4)?) else {
                break;
            };
            (u64::from(u32::from_be_bytes(length)), media == [0xff; 4])
        };
        sum = sum.saturating_add(if is_pause { 0 } else { length });
    }
    Ok(sum)
}

/// The units of a header, and how many of them go by.
struct Times {
    rate: u32,
    length: u64,
}

impl Times {
    /// Of `mvhd` or `mdhd`, which begin alike.
    fn read(source: &Source<'_>, start: u64) -> io::Result<Option<Self>> {
        let Some(bytes) = source.bytes::<32>(start)? else { return Ok(None) };
        let long = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Ok(Some(if bytes[0] == 1 {
            Self { rate: long(20), length: u64::from(long(24)) << 32 | u64::from(long(28)) }
        } else {
            let length = long(16);
            Self { rate: long(12), length: if length == u32::MAX { 0 } else { length.into() } }
        }))
    }
}

/// How a track is written down.
struct Written {
    codec: Codec,
    sample_rate: u32,
    channels: u16,
    bits: Option<u8>,
    bitrate: Option<u32>,
}

impl Written {
    /// From the first description of samples within `entries`.
    fn read(source: &Source<'_>, boxes: &mut Boxes<'_>, entries: Range<u64>) -> io::Result<Option<Self>> {
        let Some((kind, entry)) = boxes.next(&entries, entries.start)? else { return Ok(None) };
        let Some(fields) = source.bytes::<28>(entry.start)? else { return Ok(None) };
        let short = |at: usize| u16::from_be_bytes([fields[at], fields[at + 1]]);
        // QuickTime's own versions have more fields before what is inside.
        let more = match short(8) {
            0 => 0,
            1 => 16,
            _ => 36,
        };
        let inside = entry.start + 28 + more..entry.end;
        let common = Self {
            codec: Codec::Aac,
            sample_rate: short(24).into(),
            channels: short(16),
            bits: None,
            bitrate: None,
        };
        match &kind {
            b"alac" => common.alac(source, boxes, &inside),
            b"mp4a" => common.mpeg(source, boxes, &inside),
            _ => Ok(None),
        }
    }

    /// With the decoder's settings of Apple Lossless (its source, `ALACMagicCookieDescription.txt`).
    fn alac(
        self,
        source: &Source<'_>,
        boxes: &mut Boxes<'_>,
        inside: &Range<u64>,
    ) -> io::Result<Option<Self>> {
        let Some(settings) = boxes.first(inside, &[b"alac"])? else { return Ok(None) };
        let Some(bytes) = source.bytes::<28>(settings.start)? else { return Ok(None) };
        Ok(Some(Self {
            codec: Codec::Alac,
            sample_rate: u32::from_be_bytes([bytes[24], bytes[25], bytes[26], bytes[27]]),
            channels: bytes[13].into(),
            bits: Some(bytes[9]),
            ..self
        }))
    }

    /// With the descriptors of MPEG-4 (ISO/IEC 14496-1, 7.2.6).
    fn mpeg(
        self,
        source: &Source<'_>,
        boxes: &mut Boxes<'_>,
        inside: &Range<u64>,
    ) -> io::Result<Option<Self>> {
        let Some(list) = boxes.first(inside, &[b"esds"])? else { return Ok(Some(self)) };
        let bytes =
            source.up_to(usize::try_from((list.end - list.start).min(512)).unwrap_or(512), list.start)?;
        let Some(stream) = bytes.get(4..).and_then(|rest| descriptor(rest, 3)) else { return Ok(Some(self)) };
        let Some(flags) = stream.get(2) else { return Ok(Some(self)) };
        let skipped = 3 + if flags & 0x80 == 0 { 0 } else { 2 };
        let decoder = stream.get(skipped..).and_then(|rest| descriptor(rest, 4)).unwrap_or_default();
        let Some(&[object, _, _, _, _, _, _, _, _, a, b, c, d]) = decoder.first_chunk() else {
            return Ok(Some(self));
        };
        let mean = u32::from_be_bytes([a, b, c, d]);
        let mut written = Self { bitrate: (mean >= 1000).then_some(mean.saturating_add(500) / 1000), ..self };
        match object {
            0x40 | 0x66..=0x68 => {}
            0x69 | 0x6b => written.codec = Codec::Mp3,
            _ => return Ok(None),
        }
        if let Some(settings) = decoder.get(13..).and_then(|rest| descriptor(rest, 5)) {
            written.settings(settings);
        }
        Ok(Some(written))
    }

    /// `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1): what the decoder works with, which the fields before often round.
    fn settings(&mut self, settings: &[u8]) {
        const RATES: [u32; 13] = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
            7_350,
        ];
        let Some(&[a, b, ..]) = settings.first_chunk::<2>() else { return };
        let rest = settings.get(2).copied().unwrap_or_default();
        let bits = u32::from_be_bytes([0, a, b, rest]);
        let (object, rate, channels) = (bits >> 19 & 31, bits >> 15 & 15, bits >> 11 & 15);
        // Spectral band replication doubles what is decoded first; the rate that is heard follows.
        let heard = if matches!(object, 5 | 29) { bits >> 7 & 15 } else { rate };
        if let Some(rate) = RATES.get(heard as usize) {
            self.sample_rate = *rate;
        }
        match channels {
            1..=6 if object != 29 => self.channels = u16::try_from(channels).unwrap_or(2),
            7 => self.channels = 8,
            _ => {}
        }
    }
}

/// What is inside the descriptor that `bytes` begin with, if it is one of `kind`.
fn descriptor(bytes: &[u8], kind: u8) -> Option<&[u8]> {
    let (first, mut rest) = bytes.split_first()?;
    if *first != kind {
        return None;
    }
    // Seven bits a byte, the highest says that more follow.
    let mut length = 0;
    for _ in 0..4 {
        let (byte, behind) = rest.split_first()?;
        rest = behind;
        length = length << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(&rest[..length.min(rest.len())])
}

/// The boxes of a file, of which only so many are looked at.
struct Boxes<'a> {
    source: &'a Source<'a>,
    seen: usize,
}

impl<'a> Boxes<'a> {
    fn of(source: &'a Source<'a>) -> Self {
        Self { source, seen: 0 }
    }

    /// Kind and contents of the box at `offset` within `range`; nothing at the first that is none.
    fn next(&mut self, range: &Range<u64>, offset: u64) -> io::Result<Option<([u8; 4], Range<u64>)>> {
        if offset >= range.end || self.seen == MOST_BOXES {
            return Ok(None);
        }
        self.seen += 1;
        let Some([a, b, c, d, kind @ ..]) = self.source.bytes::<8>(offset)? else { return Ok(None) };
        let (header, size) = match u32::from_be_bytes([a, b, c, d]) {
            0 => (8, range.end - offset),
            1 => match self.source.bytes(offset + 8)? {
                Some(size) => (16, u64::from_be_bytes(size)),
                None => return Ok(None),
            },
            size => (8, u64::from(size)),
        };
        if size < header || size > range.end - offset {
            return Ok(None);
        }
        Ok(Some((kind, offset + header..offset + size)))
    }

    /// Gives `found` the contents of every box at the end of `path` within `range`.
    fn within(
        &mut self,
        range: Range<u64>,
        path: &[&[u8; 4]],
        found: &mut dyn FnMut(Range<u64>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some((wanted, inner)) = path.split_first() else { return found(range) };
        let mut offset = range.start;
        while let Some((kind, contents)) = self.next(&range, offset)? {
            offset = contents.end;
            if kind == **wanted {
                self.within(contents, inner, found)?;
            }
        }
        Ok(())
    }

    /// The contents of the first box at the end of `path` within `range`.
    fn first(&mut self, range: &Range<u64>, path: &[&[u8; 4]]) -> io::Result<Option<Range<u64>>> {
        let mut first = None;
        self.within(range.clone(), path, &mut |contents| {
            first.get_or_insert(contents);
            Ok(())
        })?;
        Ok(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(kind: [u8; 4], content: &[u8]) -> Vec<u8> {
        [&(u32::try_from(content.len()).unwrap_or(0) + 8).to_be_bytes(), kind.as_slice(), content].concat()
    }

    #[test]
    fn a_rate_beyond_all_numbers_is_read() -> io::Result<()> {
        let decoder = [&[4, 13, 0x40, 0, 0, 0, 0, 0, 0, 0, 0][..], &[0xff; 4]].concat();
        let descriptors = [&[0, 0, 0, 0, 3, 18, 0, 0, 0][..], &decoder].concat();
        let head =
            [[0; 6].as_slice(), &[0, 1], &[0; 8], &[0, 2, 0, 16, 0, 0, 0, 0], &[0xac, 0x44, 0, 0]].concat();
        let entry = boxed(*b"mp4a", &[head, boxed(*b"esds", &descriptors)].concat());
        let file = entry.as_slice();
        let source = Source::new(&file, file.len() as u64);
        let written = Written::read(&source, &mut Boxes::of(&source), 0..file.len() as u64)?;
        assert_eq!(written.and_then(|written| written.bitrate), Some(u32::MAX / 1000));
        Ok(())
    }
}
