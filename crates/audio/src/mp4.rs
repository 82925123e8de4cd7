//! M4A files: the ISO base media format (ISO/IEC 14496-12) with sound, and no pictures that move.
//!
//! Phones and encoders write many brands, and the same ones for films: what counts are the tracks.

mod samples;
mod written;

use std::{io, ops::Range};

use crate::{
    sound::{Codec, Sound, milliseconds},
    source::Source,
};
pub use samples::Packets;
use written::Written;

/// Brands that are taken without a list of tracks, which a recording that was cut off does not have.
const BRANDS: [&[u8; 4]; 4] = [b"M4A ", b"M4B ", b"mp42", b"isom"];
/// Boxes looked at, at most: a film in fragments has thousands, and lists its tracks before them.
const BOXES_MAX: usize = 2000;
/// Where names are: the tags of iTunes.
const TAGS: [&[u8; 4]; 4] = [b"moov", b"udta", b"meta", b"ilst"];

/// Whether it begins as such a file, and lists sound and no film.
pub(crate) fn is_audio(source: &Source<'_>) -> io::Result<bool> {
    let Some(head) = source.bytes::<12>(0)? else { return Ok(false) };
    if !head[4..].starts_with(b"ftyp") {
        return Ok(false);
    }
    let tracks = tracks(&mut Boxes::of(source))?;
    let has = |kind: &[u8; 4]| tracks.iter().any(|(handler, _)| handler == kind);
    let is_known = BRANDS.iter().any(|brand| head[8..] == **brand);
    Ok(!has(b"vide") && (has(b"soun") || (is_known && tracks.is_empty())))
}

/// The tracks that are listed: what each is of, and its contents.
fn tracks(boxes: &mut Boxes<'_>) -> io::Result<Vec<([u8; 4], Range<u64>)>> {
    let mut tracks = Vec::new();
    let Some(movie) = boxes.first(&boxes.whole(), &[b"moov"])? else { return Ok(tracks) };
    for track in boxes.all(&movie, *b"trak")? {
        // Behind version, flags and four bytes that are always zero.
        if let Some(handler) = boxes.first(&track, &[b"mdia", b"hdlr"])?
            && let Some(kind) = boxes.source.bytes(handler.start + 8)?
        {
            tracks.push((kind, track));
        }
    }
    Ok(tracks)
}

fn track_of_sound(boxes: &mut Boxes<'_>) -> io::Result<Option<Range<u64>>> {
    Ok(tracks(boxes)?.into_iter().find(|(kind, _)| kind == b"soun").map(|(_, track)| track))
}

fn written(boxes: &mut Boxes<'_>, track: &Range<u64>) -> io::Result<Option<Written>> {
    let Some(list) = boxes.first(track, &[b"mdia", b"minf", b"stbl", b"stsd"])? else { return Ok(None) };
    // Version, flags and how many descriptions; the first is that of the sound.
    Written::read(boxes, list.start + 8..list.end)
}

pub(crate) fn describe(source: &Source<'_>) -> io::Result<Option<Sound>> {
    let mut boxes = Boxes::of(source);
    match track_of_sound(&mut boxes)? {
        Some(track) => describe_track(&mut boxes, &track),
        None => Ok(None),
    }
}

#[derive(Debug)]
pub struct Mp4Track<'a> {
    /// Without its length.
    pub sound: Sound,
    pub settings: Vec<u8>,
    pub packets: Packets<'a>,
}

pub(crate) fn track<'a>(source: &'a Source<'a>) -> io::Result<Option<Mp4Track<'a>>> {
    let mut boxes = Boxes::of(source);
    let Some(track) = track_of_sound(&mut boxes)? else { return Ok(None) };
    let Some(Written { sound, settings }) = written(&mut boxes, &track)? else { return Ok(None) };
    let packets = Packets::of(&mut boxes, &track)?;
    Ok(Some(Mp4Track { sound, settings, packets }))
}

pub(crate) fn tag(source: &Source<'_>, kind: [u8; 4], most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut boxes = Boxes::of(source);
    let [movie, user, meta, list] = TAGS;
    let Some(meta) = boxes.first(&boxes.whole(), &[movie, user, meta])? else { return Ok(None) };
    // Behind version and flags.
    let Some(data) = boxes.first(&(meta.start + 4..meta.end), &[list, &kind, b"data"])? else {
        return Ok(None);
    };
    // Behind its type and its language.
    let length = usize::try_from(data.end.saturating_sub(data.start + 8)).unwrap_or(most);
    source.up_to(length.min(most), data.start + 8).map(Some)
}

fn describe_track(boxes: &mut Boxes<'_>, track: &Range<u64>) -> io::Result<Option<Sound>> {
    let Some(Written { mut sound, .. }) = written(boxes, track)? else { return Ok(None) };
    sound.milliseconds = length(boxes, track)?;
    if sound.codec != Codec::Alac && sound.bitrate.is_none() {
        let bytes = boxes.first(&boxes.whole(), &[b"mdat"])?.map(|data| data.end - data.start);
        let mean = bytes.and_then(|bytes| (bytes * 8).checked_div(sound.milliseconds?));
        sound.bitrate = mean.and_then(|mean| u32::try_from(mean).ok());
    }
    Ok(sound.if_possible())
}

/// How long a track is: what its edit list plays of it, else all of it; in a file of fragments, what these come to.
fn length(boxes: &mut Boxes<'_>, track: &Range<u64>) -> io::Result<Option<u64>> {
    let (source, all) = (boxes.source, boxes.whole());
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

/// The length that an edit list plays, in units of the whole file.
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
    fn read(source: &Source<'_>, start: u64) -> io::Result<Option<Self>> {
        let Some(bytes) = source.bytes::<32>(start)? else { return Ok(None) };
        Ok(Some(if bytes[0] == 1 {
            Self {
                rate: long(&bytes, 20),
                length: u64::from(long(&bytes, 24)) << 32 | u64::from(long(&bytes, 28)),
            }
        } else {
            let length = long(&bytes, 16);
            Self { rate: long(&bytes, 12), length: if length == u32::MAX { 0 } else { length.into() } }
        }))
    }
}

/// The kind and the contents of the box at `offset`, which ends within `range`.
fn box_at(source: &Source<'_>, range: &Range<u64>, offset: u64) -> io::Result<Option<([u8; 4], Range<u64>)>> {
    let Some(left) = range.end.checked_sub(offset).filter(|left| *left > 0) else { return Ok(None) };
    let Some([a, b, c, d, kind @ ..]) = source.bytes::<8>(offset)? else { return Ok(None) };
    let (header, size) = match u32::from_be_bytes([a, b, c, d]) {
        0 => (8, left),
        1 => match source.bytes(offset + 8)? {
            Some(size) => (16, u64::from_be_bytes(size)),
            None => return Ok(None),
        },
        size => (8, u64::from(size)),
    };
    Ok((header..=left).contains(&size).then(|| (kind, offset + header..offset + size)))
}

/// The boxes of a file, of which only so many are looked at.
pub(crate) struct Boxes<'a> {
    source: &'a Source<'a>,
    seen: usize,
}

impl<'a> Boxes<'a> {
    fn of(source: &'a Source<'a>) -> Self {
        Self { source, seen: 0 }
    }

    fn whole(&self) -> Range<u64> {
        0..self.source.length()
    }

    /// Kind and contents of the box at `offset` within `range`; `None` at the first that is broken.
    fn next(&mut self, range: &Range<u64>, offset: u64) -> io::Result<Option<([u8; 4], Range<u64>)>> {
        if offset >= range.end || self.seen == BOXES_MAX {
            return Ok(None);
        }
        self.seen += 1;
        box_at(self.source, range, offset)
    }

    fn all(&mut self, range: &Range<u64>, kind: [u8; 4]) -> io::Result<Vec<Range<u64>>> {
        let (mut found, mut offset) = (Vec::new(), range.start);
        while let Some((next, contents)) = self.next(range, offset)? {
            offset = contents.end;
            if next == kind {
                found.push(contents);
            }
        }
        Ok(found)
    }

    /// The contents of the first box at the end of `path` within `range`.
    fn first(&mut self, range: &Range<u64>, path: &[&[u8; 4]]) -> io::Result<Option<Range<u64>>> {
        let mut range = range.clone();
        'path: for wanted in path {
            let mut offset = range.start;
            while let Some((kind, contents)) = self.next(&range, offset)? {
                if kind == **wanted {
                    range = contents;
                    continue 'path;
                }
                offset = contents.end;
            }
            return Ok(None);
        }
        Ok(Some(range))
    }
}

fn long(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).copied().map_or(0, u32::from_be_bytes)
}
