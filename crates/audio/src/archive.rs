//! ZIP archives: what they declare, read from their directory. Nothing is unpacked, so an archive that lies about its sizes
//! is caught only where the lie shows: in the local headers, or in places that two files share.

use std::{io, ops::Range};

use rawzip::{
    CompressionMethod, Error, ErrorKind, ZipArchive, ZipFileHeaderRecord, ZipLocator,
    extra_fields::{ExtraFieldId, ExtraFields},
};
use rules::{
    archive::{Entry, Sum},
    demo::{ARCHIVE_ENTRIES_MAX, DemoError},
};

use crate::source::Source;

/// One record with the longest name, extra fields and comment that it can have.
pub(crate) const LONGEST_RECORD: usize = 3 * 0xffff + 46;

/// Whether it is an archive from its first byte to its end record, and one that can be unpacked without harm. The outer error
/// is the disk's, the inner one the refusal.
pub(crate) fn check(source: &Source<'_>) -> io::Result<Result<(), DemoError>> {
    match source.bytes(0)? {
        Some([b'P', b'K', 3, 4]) => {}
        // The end of an archive without a beginning.
        Some([b'P', b'K', 5, 6]) => return Ok(Err(DemoError::ArchiveEmpty)),
        _ => return Ok(Err(DemoError::Content)),
    }
    match inspect(source) {
        Ok(verdict) => Ok(verdict),
        Err(error) => match error.into_kind() {
            ErrorKind::IO(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(error),
            _ => Ok(Err(DemoError::ArchiveBroken)),
        },
    }
}

pub(crate) fn locate<'a>(
    source: &'a Source<'a>,
    directory: &mut [u8],
) -> Result<ZipArchive<&'a Source<'a>>, Error> {
    let locator = ZipLocator::new().max_search_space(source.length());
    locator.locate_in_reader(source, directory, source.length()).map_err(|(_, error)| error)
}

fn inspect(source: &Source<'_>) -> Result<Result<(), DemoError>, Error> {
    let mut directory = vec![0; LONGEST_RECORD];
    let archive = locate(source, &mut directory)?;
    let declared = archive.entries_hint();
    if declared > ARCHIVE_ENTRIES_MAX {
        return Ok(Err(DemoError::ArchiveTooLarge));
    }
    let end = archive.directory_offset();
    let (mut places, mut sum) = (Vec::new(), Sum::default());
    let mut header = vec![0; LONGEST_RECORD];
    let mut entries = archive.entries(&mut directory);
    while let Some(record) = entries.next_entry()? {
        if places.len() as u64 == declared {
            return Ok(Err(DemoError::ArchiveBroken));
        }
        let entry = declares(&record);
        let judged = entry
            .check(names(record.file_path().as_ref(), record.extra_fields()))
            .and_then(|()| sum.add(&entry, record.file_path().as_ref()));
        if let Err(refusal) = judged {
            return Ok(Err(refusal));
        }
        match place(&archive, &record, end, &mut header)? {
            Ok(place) => places.push(place),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    places.sort_unstable_by_key(|place| (place.start, place.end));
    let is_whole = places.first().is_none_or(|first| first.start == 0)
        && places.windows(2).all(|pair| pair[0].end <= pair[1].start);
    Ok(sum.check(declared).and(if is_whole { Ok(()) } else { Err(DemoError::ArchiveBroken) }))
}

/// The record as the rules judge it.
fn declares(record: &ZipFileHeaderRecord<'_>) -> Entry {
    let flags = record.flags();
    Entry {
        is_locked: flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked(),
        is_stored: record.compression_method() == CompressionMethod::STORE,
        packed: record.compressed_size_hint(),
        unpacked: record.uncompressed_size_hint(),
        mode: record.external_attributes() >> 16,
    }
}

/// Where the entry's header and bytes lie, if that is before `end` and the header there says the same as the directory.
fn place(
    archive: &ZipArchive<&Source<'_>>,
    record: &ZipFileHeaderRecord<'_>,
    end: u64,
    buffer: &mut [u8],
) -> Result<Result<Range<u64>, DemoError>, Error> {
    let there = archive.get_entry(record.wayfinder())?;
    let header = there.local_header(buffer)?;
    let entry = declares(record);
    if let Err(refusal) = entry.check(names(header.file_path().as_ref(), header.extra_fields())) {
        return Ok(Err(refusal));
    }
    let sizes_there = (header.compressed_size_hint(), header.uncompressed_size_hint());
    // Streaming writers store the sizes after the bytes.
    let is_later = header.flags().has_data_descriptor();
    let place = record.local_header_offset()..there.compressed_data_range().1;
    let agrees = (is_later || (entry.packed, entry.unpacked) == sizes_there)
        && header.compression_method() == record.compression_method()
        && header.flags().is_encrypted() == record.flags().is_encrypted()
        && header.file_path().as_ref() == record.file_path().as_ref()
        && place.end <= end;
    Ok(if agrees { Ok(place) } else { Err(DemoError::ArchiveBroken) })
}

/// The name of an entry, and the other name that some programs read instead.
fn names<'a>(name: &'a [u8], extra: ExtraFields<'a>) -> impl Iterator<Item = &'a [u8]> {
    let others = extra
        .filter(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH)
        .map(|(_, field)| field.get(5..).unwrap_or_default());
    std::iter::once(name).chain(others)
}
