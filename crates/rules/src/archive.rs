//! ZIP archives of demos, judged by their directory without unpacking.
//!
//! The server parses every record with a library and judges it with [`Entry::check`] and [`Sum`]. The browser checks the end of
//! the file before the upload with [`check_archive_end`], which accepts whatever it cannot judge.

use crate::demo::{
    ARCHIVE_ENTRIES_MAX, ARCHIVE_EXTENSIONS, DEMO_EXTENSIONS, DemoError, UNPACKED_MAX_BYTES,
    UNPACKED_MAX_RATIO,
};

/// Bytes at the end of a file that nearly always suffice: the directory of 500 files and a long comment.
pub const END_BYTES: u64 = 262_144;

/// Folder of the resource forks that macOS stores under the names of the other files.
const RESOURCE_FORKS: &str = "__MACOSX/";

/// Extensions of audio formats that cannot be decoded here, but that the label can still download.
const OTHER_SOUNDS: [&str; 13] =
    ["aif", "aiff", "aifc", "ogg", "oga", "opus", "aac", "mp4", "wma", "caf", "w64", "wv", "ape"];

/// General purpose flags: encrypted, strongly encrypted, or with its directory masked.
const LOCKED: u16 = 1 | 1 << 6 | 1 << 13;

/// A record of the directory.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Whether it cannot be read without a password.
    pub is_locked: bool,
    /// Whether the data is stored without compression.
    pub is_stored: bool,
    /// Compressed size in bytes.
    pub packed: u64,
    /// Uncompressed size in bytes.
    pub unpacked: u64,
    /// Upper half of the external attributes: the file mode, or 0 if the writer had none. Checked for every writer, because
    /// some readers ignore the writer.
    pub mode: u32,
}

impl Entry {
    /// Accepts a readable file or folder with plausible sizes, all of whose names stay inside the archive's folder.
    pub fn check<'a>(self, names: impl IntoIterator<Item = &'a [u8]>) -> Result<(), DemoError> {
        // The label could not play it, and its content could not be measured.
        if self.is_locked {
            return Err(DemoError::ArchiveLocked);
        }
        if !matches!(self.mode & 0o170_000, 0 | 0o100_000 | 0o040_000) {
            return Err(DemoError::ArchiveUnsafe);
        }
        for name in names {
            check_name(name)?;
        }
        if self.unpacked > UNPACKED_MAX_BYTES {
            return Err(DemoError::ArchiveTooLarge);
        }
        if (self.packed == 0 && self.unpacked > 0) || (self.is_stored && self.packed != self.unpacked) {
            return Err(DemoError::ArchiveBroken);
        }
        Ok(())
    }
}

/// Totals over all entries.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum {
    entries: u64,
    packed: u64,
    unpacked: u64,
    has_sound: bool,
}

impl Sum {
    /// Adds an accepted entry with this name; fails as soon as there are too many.
    pub fn add(&mut self, entry: &Entry, name: &[u8]) -> Result<(), DemoError> {
        self.entries += 1;
        self.has_sound |= is_sound(&String::from_utf8_lossy(name));
        self.packed = self.packed.saturating_add(entry.packed);
        self.unpacked = self.unpacked.saturating_add(entry.unpacked);
        if self.entries > ARCHIVE_ENTRIES_MAX { Err(DemoError::ArchiveTooLarge) } else { Ok(()) }
    }

    /// Checks the totals against the number of entries the directory declares.
    pub fn check(self, declared: u64) -> Result<(), DemoError> {
        if self.entries != declared {
            return Err(DemoError::ArchiveBroken);
        }
        if self.entries == 0 {
            return Err(DemoError::ArchiveEmpty);
        }
        if self.unpacked > UNPACKED_MAX_BYTES
            || self.unpacked > self.packed.saturating_mul(UNPACKED_MAX_RATIO)
        {
            return Err(DemoError::ArchiveTooLarge);
        }
        if self.has_sound { Ok(()) } else { Err(DemoError::ArchiveNoTrack) }
    }
}

/// Extension of a track's name within an archive, in lower case without the dot; `None` for other files.
///
/// ```
/// use rules::archive::track_extension;
/// assert_eq!((track_extension("set/1.WAV"), track_extension("notes.txt")), (Some("wav"), None));
/// assert_eq!((track_extension("__MACOSX/1.wav"), track_extension("set/._1.wav")), (None, None));
/// ```
pub fn track_extension(name: &str) -> Option<&'static str> {
    let found = extension(name)?;
    DEMO_EXTENSIONS.into_iter().find(|known| *known != "zip" && known.eq_ignore_ascii_case(found))
}

/// Whether a name within an archive belongs to a track or to another audio file.
pub fn is_sound(name: &str) -> bool {
    let is_other = |found: &str| OTHER_SOUNDS.iter().any(|known| known.eq_ignore_ascii_case(found));
    track_extension(name).is_some() || extension(name).is_some_and(is_other)
}

/// Extension of a name within an archive, unless it is a resource fork.
fn extension(name: &str) -> Option<&str> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if name.starts_with(RESOURCE_FORKS) || last.starts_with("._") {
        return None;
    }
    last.rsplit_once('.').map(|(_, found)| found)
}

/// Accepts a name that stays below the folder it is unpacked into on any system, and is not a nested archive. A name of
/// separators only is that folder. Unprintable characters are harmless except NUL, which ends the name in some programs.
fn check_name(name: &[u8]) -> Result<(), DemoError> {
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    let is_root = name.iter().all(is_separator);
    let is_drive = matches!(name, [drive, b':', ..] if drive.is_ascii_alphabetic());
    let is_absolute = is_drive || name.first().is_some_and(is_separator) && !is_root;
    if is_absolute || name.contains(&0) || name.split(is_separator).any(leads_up) {
        return Err(DemoError::ArchiveUnsafe);
    }
    let extension = name.iter().rposition(|byte| *byte == b'.').and_then(|dot| name.get(dot + 1..));
    let is_archive =
        |found| ARCHIVE_EXTENSIONS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(found));
    if extension.is_some_and(is_archive) { Err(DemoError::ArchiveNested) } else { Ok(()) }
}

/// Whether a path component is `..`, including spaces and dots that Windows ignores at its end.
fn leads_up(part: &[u8]) -> bool {
    part.starts_with(b"..") && part.iter().all(|byte| matches!(byte, b'.' | b' '))
}

/// Size of a directory record before its name, and of the record at the end of an archive.
const RECORD: usize = 46;
const END: usize = 22;

/// Checks the last bytes of a file (all of it, or [`END_BYTES`]) for content the server would refuse in any case. Accepts what
/// it cannot judge, such as a directory outside these bytes or a ZIP64 archive.
///
/// ```
/// use rules::{archive::check_archive_end, demo::DemoError};
/// let empty = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
/// assert_eq!(check_archive_end(&empty), Err(DemoError::ArchiveEmpty));
/// assert_eq!(check_archive_end(b"no archive at all"), Ok(()));
/// ```
pub fn check_archive_end(end: &[u8]) -> Result<(), DemoError> {
    // The last record that fits; some writers append bytes after it.
    let last = end.len().checked_sub(END);
    let found = last.and_then(|last| (0..=last).rev().find(|at| end[*at..].starts_with(b"PK\x05\x06")));
    let Some(at) = found else { return Ok(()) };
    let declared = u64::from(short(end, at + 10));
    let size = long(end, at + 12) as usize;
    // Both fields are at their maximum if a ZIP64 record holds the real values.
    if declared == 0xffff || size == 0xffff_ffff {
        return Ok(());
    }
    let Some(directory) = at.checked_sub(size).and_then(|begin| end.get(begin..at)) else { return Ok(()) };
    let (mut rest, mut sum) = (directory, Sum::default());
    while rest.starts_with(b"PK\x01\x02") && rest.len() >= RECORD {
        let lengths = [28, 30, 32].map(|at| usize::from(short(rest, at)));
        let Some(next) = rest.get(RECORD + lengths[0] + lengths[1] + lengths[2]..) else { return Ok(()) };
        let (packed, unpacked) = (long(rest, 20), long(rest, 24));
        if packed == u32::MAX || unpacked == u32::MAX {
            return Ok(());
        }
        let entry = Entry {
            is_locked: short(rest, 8) & LOCKED != 0,
            is_stored: short(rest, 10) == 0,
            packed: packed.into(),
            unpacked: unpacked.into(),
            mode: long(rest, 38) >> 16,
        };
        // Only the name in this field; the server also checks the one in the Unicode field.
        let name = &rest[RECORD..RECORD + lengths[0]];
        entry.check([name])?;
        sum.add(&entry, name)?;
        rest = next;
    }
    // The server parses differently if the sums do not match.
    if rest.is_empty() && sum.entries == declared { sum.check(declared) } else { Ok(()) }
}

/// Checks the end of a demo before the upload: archives with [`check_archive_end`]; other files pass.
pub fn check_demo_end(name: &str, end: &[u8]) -> Result<(), DemoError> {
    let is_archive =
        name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("zip"));
    if is_archive { check_archive_end(end) } else { Ok(()) }
}

/// Reads two bytes; the caller checks the bounds.
fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Reads four bytes; the caller checks the bounds.
fn long(bytes: &[u8], at: usize) -> u32 {
    u32::from(short(bytes, at)) | u32::from(short(bytes, at + 2)) << 16
}
