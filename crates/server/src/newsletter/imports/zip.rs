//! Unpacks the lists in a ZIP into memory. The sizes that an archive declares may be false: the unpacked bytes are counted.

use std::io::Read;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};
use rules::{
    subscriber_import::{FILES_MAX, SubscriberImportError, UNPACKED_MAX_BYTES, list_of},
    upload::clean_name,
};

/// How many names of other files are kept.
const NAMED_MAX: usize = 10;

#[derive(Debug, Default)]
pub struct Unpacked {
    /// Names and contents of the lists.
    pub lists: Vec<(String, Vec<u8>)>,
    /// Names of other files.
    pub passed_over: Vec<String>,
}

pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The files whose names say which list they hold.
pub fn unpack(bytes: &[u8]) -> Result<Unpacked, SubscriberImportError> {
    let archive = ZipArchive::from_slice(bytes).map_err(broken)?;
    let mut unpacked = Unpacked::default();
    let (mut count, mut left) = (0, UNPACKED_MAX_BYTES);
    for entry in archive.entries() {
        let entry = entry.map_err(broken)?;
        count += 1;
        if count > FILES_MAX {
            return Err(SubscriberImportError::ZipTooLarge);
        }
        if entry.is_dir() {
            continue;
        }
        let path = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        let name = clean_name(&path);
        if is_list(&name) {
            let content = content(&archive, &entry, left)?;
            left -= content.len() as u64;
            unpacked.lists.push((name, content));
        } else if unpacked.passed_over.len() < NAMED_MAX {
            unpacked.passed_over.push(name);
        }
    }
    if unpacked.lists.is_empty() { Err(SubscriberImportError::ZipWithoutLists) } else { Ok(unpacked) }
}

fn is_list(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let has_extension = [".csv", ".tsv", ".txt"].iter().any(|extension| name.ends_with(extension));
    has_extension && list_of(&name).is_some()
}

fn content(
    archive: &ZipSliceArchive<&[u8]>,
    entry: &ZipFileHeaderRecord<'_>,
    most: u64,
) -> Result<Vec<u8>, SubscriberImportError> {
    let flags = entry.flags();
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return Err(SubscriberImportError::ZipBroken);
    }
    let there = archive.get_entry(entry.wayfinder()).map_err(broken)?;
    let packed = there.data();
    let reader: Box<dyn Read> = match entry.compression_method() {
        CompressionMethod::STORE => Box::new(there.verifying_reader(packed)),
        CompressionMethod::DEFLATE => Box::new(there.verifying_reader(DeflateDecoder::new(packed))),
        _ => return Err(SubscriberImportError::ZipBroken),
    };
    let mut content = Vec::new();
    reader.take(most + 1).read_to_end(&mut content).map_err(broken)?;
    if content.len() as u64 > most { Err(SubscriberImportError::ZipTooLarge) } else { Ok(content) }
}

fn broken<E>(_: E) -> SubscriberImportError {
    SubscriberImportError::ZipBroken
}
