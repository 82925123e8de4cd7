//! The tracks in an archive, in the order of their names.

use std::{
    io::{self, ErrorKind, Read as _},
    ops::Range,
};

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, Error, ZipLocator};
use rules::archive::{is_sound, track_extension};

use crate::{
    archive::LONGEST_RECORD,
    entry_name, kinds,
    sound::Sound,
    source::{Part, ReaderAt, Source},
};

/// Tracks that an archive is looked through for, at most.
pub const MOST_TRACKS: usize = 500;
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

/// A file in an archive whose name is that of a sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    pub name: String,
    pub place: Range<u64>,
    pub packing: Packing,
    /// Bytes when unpacked, as the archive says.
    pub unpacked: u64,
    /// Its sound; none if the content does not match the name, or its beginning says too little.
    pub sound: Option<Sound>,
}

/// The tracks of an archive that [`check`](crate::check) found right; nothing where its directory cannot be read. Of a packed track, only the
/// beginning is unpacked.
pub fn tracks(source: &Source<'_>) -> io::Result<Option<Vec<Track>>> {
    let Some(mut listening) = Listening::begin(source)? else { return Ok(None) };
    listening.finish(source).map(Some)
}

/// The tracks of an archive, of which some have been heard.
#[derive(Debug)]
pub(crate) struct Listening {
    tracks: Vec<Track>,
    heard: usize,
    /// Bytes that may still be unpacked.
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

    /// All of them, with the sound of those that were heard.
    pub(crate) fn so_far(self) -> Vec<Track> {
        self.tracks
    }
}

fn list(source: &Source<'_>) -> Result<Vec<Track>, Error> {
    let mut directory = vec![0; LONGEST_RECORD];
    let archive = ZipLocator::new()
        .max_search_space(source.length())
        .locate_in_reader(source, &mut directory, source.length())
        .map_err(|(_, error)| error)?;
    let mut tracks = Vec::new();
    let mut entries = archive.entries(&mut directory);
    while let Some(record) = entries.next_entry()? {
        let name = entry_name::read(&record);
        if !is_sound(&name) || tracks.len() == MOST_TRACKS {
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
    let packed = Part { whole: archive, start: track.place.start };
    if track.packing == Packing::Stored {
        let source = Source::new(&packed, track.place.end.saturating_sub(track.place.start));
        return if kinds::is_right(&source, extension)? {
            kinds::describe_track(&source, extension)
        } else {
            Ok(None)
        };
    }
    let wanted = BEGINNING.min(*left);
    *left -= wanted;
    let reader =
        Reader { part: &packed, position: 0, length: track.place.end.saturating_sub(track.place.start) };
    let mut beginning = Vec::new();
    match DeflateDecoder::new(reader).take(wanted).read_to_end(&mut beginning) {
        Ok(_) => {}
        // A broken entry is described by its beginning; a failed read is an error.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof
            ) => {}
        Err(error) => return Err(error),
    }
    let beginning = Beginning(&beginning);
    let source = Source::new(&beginning, track.unpacked);
    if kinds::is_right(&source, extension)? { kinds::describe_track(&source, extension) } else { Ok(None) }
}

/// A beginning read as if it were the whole file.
struct Beginning<'a>(&'a [u8]);

impl ReaderAt for Beginning<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        let length = buffer.len().min(self.0.len() - start);
        buffer[..length].copy_from_slice(&self.0[start..start + length]);
        Ok(length)
    }
}

/// A part, read from its first byte to its last.
struct Reader<'a> {
    part: &'a Part<'a>,
    position: u64,
    length: u64,
}

impl io::Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length - self.position).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let read = self.part.read_at(&mut buffer[..wanted], self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}
