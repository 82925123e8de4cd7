//! ZIP archives: what they declare, read from their directory. Nothing is unpacked, so an archive that lies about its sizes
//! is caught only where the lie shows: in the local headers, or in places that two files share.

use std::{
    io::{self, ErrorKind as Disk},
    ops::Range,
};

use rawzip::{
    CompressionMethod, Error, ErrorKind, ZipArchive, ZipFileHeaderRecord, ZipLocator,
    extra_fields::{ExtraFieldId, ExtraFields},
};
use rules::demo::{ARCHIVE_ENTRIES_MAX, ARCHIVE_EXTENSIONS, UNPACKED_MAX_BYTES, UNPACKED_MAX_RATIO};

use super::Source;

/// One record with the longest name, extra fields and comment that it can have.
const LONGEST_RECORD: usize = 3 * 0xffff + 46;
/// Whether it is an archive from its first byte to its end record, and one that can be unpacked without harm.
pub(super) fn is_harmless(source: &Source) -> io::Result<bool> {
    if source.bytes(0)? != Some(*b"PK\x03\x04") {
        return Ok(false);
    }
    match inspect(source) {
        Ok(is_harmless) => Ok(is_harmless),
        Err(error) => match error.into_kind() {
            ErrorKind::IO(error) if error.kind() != Disk::UnexpectedEof => Err(error),
            _ => Ok(false),
        },
    }
}

fn inspect(source: &Source) -> Result<bool, Error> {
    let mut directory = vec![0; LONGEST_RECORD];
    let archive = ZipLocator::new()
        .max_search_space(source.length)
        .locate_in_reader(source, &mut directory, source.length)
        .map_err(|(_, error)| error)?;
    let declared = archive.entries_hint();
    if declared > ARCHIVE_ENTRIES_MAX {
        return Ok(false);
    }
    let end = archive.directory_offset();
    let mut places = Vec::new();
    let (mut packed, mut unpacked) = (0_u64, 0_u64);
    let mut header = vec![0; LONGEST_RECORD];
    let mut entries = archive.entries(&mut directory);
    while let Some(entry) = entries.next_entry()? {
        if places.len() as u64 == declared || !is_plain(&entry) {
            return Ok(false);
        }
        let Some(place) = place(&archive, &entry, end, &mut header)? else { return Ok(false) };
        places.push(place);
        // Each is at most the length of the file, or the most bytes, and there are at most 500.
        packed += entry.compressed_size_hint();
        unpacked += entry.uncompressed_size_hint();
    }
    places.sort_unstable_by_key(|place| (place.start, place.end));
    Ok(places.len() as u64 == declared
        && places.first().is_some_and(|first| first.start == 0)
        && places.windows(2).all(|pair| pair[0].end <= pair[1].start)
        && unpacked <= UNPACKED_MAX_BYTES
        && unpacked <= packed.saturating_mul(UNPACKED_MAX_RATIO))
}

/// Whether an entry is a file or folder with a name that stays inside, readable, and of a size that can be true.
fn is_plain(entry: &ZipFileHeaderRecord<'_>) -> bool {
    let (packed, unpacked) = (entry.compressed_size_hint(), entry.uncompressed_size_hint());
    let is_stored = entry.compression_method() == CompressionMethod::STORE;
    let flags = entry.flags();
    // Nobody at the label could listen to it, and nothing could be said of what it holds.
    let is_closed = flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked();
    // The upper half is the mode where the writer knew modes, and 0 elsewhere; some readers do not ask who wrote it.
    let kind = entry.external_attributes() >> 16 & 0o170_000;
    unpacked <= UNPACKED_MAX_BYTES
        && (packed > 0 || unpacked == 0)
        && (!is_stored || packed == unpacked)
        && !is_closed
        && matches!(kind, 0 | 0o100_000 | 0o040_000)
        && names(entry.file_path().as_ref(), entry.extra_fields()).all(is_inside)
}

/// Where the entry's header and bytes lie, if that is before `end` and the header there says the same as the directory.
fn place(
    archive: &ZipArchive<&Source>,
    entry: &ZipFileHeaderRecord<'_>,
    end: u64,
    buffer: &mut [u8],
) -> Result<Option<Range<u64>>, Error> {
    let there = archive.get_entry(entry.wayfinder())?;
    let header = there.local_header(buffer)?;
    let sizes = (entry.compressed_size_hint(), entry.uncompressed_size_hint());
    let sizes_there = (header.compressed_size_hint(), header.uncompressed_size_hint());
    // Who writes without going back leaves the sizes for behind the bytes.
    let is_later = header.flags().has_data_descriptor();
    let place = entry.local_header_offset()..there.compressed_data_range().1;
    let agrees = (is_later || sizes == sizes_there)
        && header.compression_method() == entry.compression_method()
        && header.flags().is_encrypted() == entry.flags().is_encrypted()
        && header.file_path().as_ref() == entry.file_path().as_ref()
        && names(header.file_path().as_ref(), header.extra_fields()).all(is_inside)
        && place.end <= end;
    Ok(agrees.then_some(place))
}

/// The name of an entry, and the other name that some programs read instead.
fn names<'a>(name: &'a [u8], extra: ExtraFields<'a>) -> impl Iterator<Item = &'a [u8]> {
    let others = extra
        .filter(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH)
        .map(|(_, field)| field.get(5..).unwrap_or_default());
    std::iter::once(name).chain(others)
}

/// Whether a name stays below the folder it is unpacked in, on any system, and is not that of another archive.
fn is_inside(name: &[u8]) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    let is_absolute = name.first().is_none_or(is_separator) || name.get(1) == Some(&b':');
    let extension = name.iter().rposition(|byte| *byte == b'.').and_then(|dot| name.get(dot + 1..));
    !is_absolute
        && !name.iter().any(u8::is_ascii_control)
        && !name.split(is_separator).any(leads_up)
        && !extension.is_some_and(|found| {
            ARCHIVE_EXTENSIONS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(found))
        })
}

/// Whether a part of a name is `..`, also as Windows reads it, which forgets spaces and dots at the end.
fn leads_up(part: &[u8]) -> bool {
    part.starts_with(b"..") && part.iter().all(|byte| matches!(byte, b'.' | b' '))
}
