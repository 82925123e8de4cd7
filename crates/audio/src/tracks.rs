//! The tracks in an archive, in the order of their names.

use std::{
    io::{self, ErrorKind, Read as _},
    ops::Range,
};

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, Error, RangeReader, ZipFileHeaderRecord, crc32, extra_fields::ExtraFieldId};
use rules::archive::{is_sound, track_extension};

use crate::{
    archive::{LONGEST_RECORD, locate},
    kinds,
    sound::Sound,
    source::Source,
};

/// Tracks that an archive is looked through for, at most.
pub const TRACKS_MAX: usize = 500;
/// Bytes unpacked of a track to describe it: tags with artwork precede the sound.
const BEGINNING: u64 = 512 * 1024;
/// Bytes unpacked of all tracks of an archive together.
const BEGINNINGS: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Stored,
    /// By the one method that all programs know (RFC 1951).
    Deflated,
    /// By a method that is not unpacked here: LZMA, Deflate64, Zstandard and others.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    pub name: String,
    pub place: Range<u64>,
    pub packing: Packing,
    /// Bytes when unpacked, as the archive says.
    pub unpacked: u64,
    /// Its sound, as [`describe`](crate::describe()) hears it; none if the content does not match the name, or its beginning says too little.
    pub sound: Option<Sound>,
}

/// The tracks of an archive that [`check`](crate::check) found right, none of them heard; nothing where its directory cannot be read.
pub fn tracks(source: &Source<'_>) -> io::Result<Option<Vec<Track>>> {
    Ok(Listening::begin(source)?.map(Listening::so_far))
}

/// As [`tracks`], with their sounds. Of a packed track, only the beginning is unpacked.
pub(crate) fn heard(source: &Source<'_>) -> io::Result<Option<Vec<Track>>> {
    let Some(mut listening) = Listening::begin(source)? else { return Ok(None) };
    listening.finish(source).map(Some)
}

/// The tracks of an archive, of which some have been heard.
#[derive(Debug)]
pub(crate) struct Listening {
    tracks: Vec<Track>,
    heard: usize,
    left: u64,
}

impl Listening {
    /// With none of them heard yet; nothing where the directory cannot be read.
    pub(crate) fn begin(source: &Source<'_>) -> io::Result<Option<Self>> {
        let mut tracks = match list(source) {
            Ok(tracks) => tracks,
            Err(error) => match error.into_kind() {
                rawzip::ErrorKind::IO(error) if error.kind() != ErrorKind::UnexpectedEof => {
                    return Err(error);
                }
                _ => return Ok(None),
            },
        };
        tracks.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Some(Self { tracks, heard: 0, left: BEGINNINGS }))
    }

    /// Hears the others. Where the reader fails, it goes on there the next time.
    pub(crate) fn finish(&mut self, source: &Source<'_>) -> io::Result<Vec<Track>> {
        while let Some(track) = self.tracks.get_mut(self.heard) {
            let mut left = self.left;
            track.sound = sound(source, track, &mut left)?;
            self.left = left;
            self.heard += 1;
        }
        Ok(std::mem::take(&mut self.tracks))
    }

    pub(crate) fn so_far(self) -> Vec<Track> {
        self.tracks
    }
}

fn list(source: &Source<'_>) -> Result<Vec<Track>, Error> {
    let mut directory = vec![0; LONGEST_RECORD];
    let archive = locate(source, &mut directory)?;
    let mut tracks = Vec::new();
    let mut entries = archive.entries(&mut directory);
    while let Some(record) = entries.next_entry()? {
        let name = entry_name(&record);
        if !is_sound(&name) || tracks.len() == TRACKS_MAX {
            continue;
        }
        let (start, end) = archive.get_entry(record.wayfinder())?.compressed_data_range();
        tracks.push(Track {
            name,
            place: start..end,
            packing: match record.compression_method() {
                CompressionMethod::STORE => Packing::Stored,
                CompressionMethod::DEFLATE => Packing::Deflated,
                _ => Packing::Other,
            },
            unpacked: record.uncompressed_size_hint(),
            sound: None,
        });
    }
    Ok(tracks)
}

impl Track {
    pub fn is_readable(&self) -> bool {
        self.packing != Packing::Other && track_extension(&self.name).is_some()
    }
}

fn sound(archive: &Source<'_>, track: &Track, left: &mut u64) -> io::Result<Option<Sound>> {
    let Some(extension) = track_extension(&track.name).filter(|_| track.is_readable()) else {
        return Ok(None);
    };
    let describe = |source: &Source<'_>| {
        if kinds::is_right(source, extension)? { kinds::describe_track(source, extension) } else { Ok(None) }
    };
    if track.packing == Packing::Stored {
        return describe(&archive.part(&track.place));
    }
    let wanted = BEGINNING.min(*left);
    *left -= wanted;
    let Range { start, end } = track.place;
    let mut beginning = Vec::new();
    let packed = RangeReader::new(archive, start..end.max(start));
    match DeflateDecoder::new(packed).take(wanted).read_to_end(&mut beginning) {
        Ok(_) => {}
        // A broken entry is described by its beginning; a failed read is an error.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof
            ) => {}
        Err(error) => return Err(error),
    }
    // The beginning is read as if it were the whole file.
    describe(&Source::new(&beginning, track.unpacked))
}

/// The upper half of code page 437, in which names are where nothing else is said (APPNOTE 6.3.10, appendix D).
const UPPER_HALF: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The name of an entry: its Unicode extra field, else UTF-8 if it is valid (macOS does not set the flag), else code page 437.
/// Unprintable characters become blanks.
fn entry_name(record: &ZipFileHeaderRecord<'_>) -> String {
    let name = record.file_path();
    let bytes: &[u8] = name.as_ref();
    let other = record.extra_fields().find(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH);
    let other = other.and_then(|(_, field)| {
        let (&[version, a, b, c, d], other) = field.split_first_chunk::<5>()?;
        // It is void where the name was changed by a program that did not know it.
        let is_of_name = version == 1 && u32::from_le_bytes([a, b, c, d]) == crc32(bytes);
        std::str::from_utf8(other).ok().filter(|_| is_of_name)
    });
    let text = match other.or_else(|| std::str::from_utf8(bytes).ok()) {
        Some(text) => text.to_owned(),
        None => bytes.iter().map(|byte| character(*byte)).collect(),
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn character(byte: u8) -> char {
    let upper = byte.checked_sub(0x80).and_then(|at| UPPER_HALF.chars().nth(at.into()));
    upper.unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_is_whole() {
        assert_eq!(UPPER_HALF.chars().count(), 128);
        for (byte, read) in [(b'a', 'a'), (0x81, 'ü'), (0x94, 'ö'), (0xe1, 'ß'), (0xff, '\u{a0}')] {
            assert_eq!(character(byte), read);
        }
    }
}
