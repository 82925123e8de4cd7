//! Archives of demos (ZIP): what their directory declares. Nothing is unpacked.
//!
//! The server reads every record with a library and judges each with [`Entry::check`] and [`Sum`]; the browser looks at the end of
//! the file before it travels, with [`check_archive_end`], which says nothing where it cannot tell.

use crate::demo::{
    ARCHIVE_ENTRIES_MAX, ARCHIVE_EXTENSIONS, DEMO_EXTENSIONS, DemoError, UNPACKED_MAX_BYTES,
    UNPACKED_MAX_RATIO,
};

/// Bytes of a file's end that are enough to tell in nearly every case: the directory of 500 files and a long comment.
pub const END_BYTES: u64 = 262_144;

/// What macOS puts beside the files: their resource forks, by the same names.
const RESOURCE_FORKS: &str = "__MACOSX/";

/// Endings of other sounds that are packed into archives: nothing here decodes them, and the label can download them all the same.
const OTHER_SOUNDS: [&str; 13] =
    ["aif", "aiff", "aifc", "ogg", "oga", "opus", "aac", "mp4", "wma", "caf", "w64", "wv", "ape"];

/// Encrypted, strongly encrypted, or with its directory masked.
const LOCKED: u16 = 1 | 1 << 6 | 1 << 13;

/// One record of the directory.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The general purpose flags.
    pub flags: u16,
    /// Whether its bytes are stored as they are.
    pub is_stored: bool,
    /// Bytes in the archive.
    pub packed: u64,
    /// Bytes when unpacked.
    pub unpacked: u64,
    /// The upper half of the external attributes: the mode where the writer knew modes, and 0 elsewhere. Some readers do not ask
    /// who wrote it.
    pub mode: u32,
}

impl Entry {
    /// Whether it is a file or folder that can be read, of a size that can be true, all of whose names stay inside.
    pub fn check<'a>(self, names: impl IntoIterator<Item = &'a [u8]>) -> Result<(), DemoError> {
        // Nobody at the label could listen to it, and nothing could be said of what it holds.
        if self.flags & LOCKED != 0 {
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

/// What all entries come to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum {
    entries: u64,
    packed: u64,
    unpacked: u64,
    has_sound: bool,
}

impl Sum {
    /// Counts an entry of that name that was found right; those that are too many are refused at once.
    pub fn add(&mut self, entry: &Entry, name: &[u8]) -> Result<(), DemoError> {
        self.entries += 1;
        self.has_sound |= is_sound(&String::from_utf8_lossy(name));
        self.packed = self.packed.saturating_add(entry.packed);
        self.unpacked = self.unpacked.saturating_add(entry.unpacked);
        if self.entries > ARCHIVE_ENTRIES_MAX { Err(DemoError::ArchiveTooLarge) } else { Ok(()) }
    }

    /// Judges all of them, of which so many were declared.
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
        // There is nothing to listen to.
        if self.has_sound { Ok(()) } else { Err(DemoError::ArchiveNoTrack) }
    }
}

/// What the name of a file in an archive ends in, without the dot, in small letters, if it is that of a track.
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

/// Whether the name of a file in an archive is that of a track, or of another sound.
pub fn is_sound(name: &str) -> bool {
    let is_other = |found: &str| OTHER_SOUNDS.iter().any(|known| known.eq_ignore_ascii_case(found));
    track_extension(name).is_some() || extension(name).is_some_and(is_other)
}

/// What the name of a file in an archive ends in, unless macOS has put it beside another.
fn extension(name: &str) -> Option<&str> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if name.starts_with(RESOURCE_FORKS) || last.starts_with("._") {
        return None;
    }
    last.rsplit_once('.').map(|(_, found)| found)
}

/// Whether a name stays below the folder it is unpacked in, on any system, and is not that of another archive. A name of nothing but
/// separators is that folder; characters that no system prints are no danger, but for NUL, where some programs end a name.
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

/// Whether a part of a name is `..`, also as Windows reads it, which forgets spaces and dots at the end.
fn leads_up(part: &[u8]) -> bool {
    part.starts_with(b"..") && part.iter().all(|byte| matches!(byte, b'.' | b' '))
}

/// Bytes of a record before its name, and of the record at the end of an archive.
const RECORD: usize = 46;
const END: usize = 22;

/// Looks at the last bytes of a file (all of it, or [`END_BYTES`]) for what will be refused whatever the rest is. What it cannot
/// tell, because the directory lies elsewhere or is of the large form, it lets pass: the server decides.
///
/// ```
/// use rules::{archive::check_archive_end, demo::DemoError};
/// let empty = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
/// assert_eq!(check_archive_end(&empty), Err(DemoError::ArchiveEmpty));
/// assert_eq!(check_archive_end(b"no archive at all"), Ok(()));
/// ```
pub fn check_archive_end(end: &[u8]) -> Result<(), DemoError> {
    // The last record that fits: behind it, some writers leave bytes.
    let last = end.len().checked_sub(END);
    let found = last.and_then(|last| (0..=last).rev().find(|at| end[*at..].starts_with(b"PK\x05\x06")));
    let Some(at) = found else { return Ok(()) };
    let declared = u64::from(short(end, at + 10));
    let size = long(end, at + 12) as usize;
    // Both fields are at their ends where a record of the large form has the truth.
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
            flags: short(rest, 8),
            is_stored: short(rest, 10) == 0,
            packed: packed.into(),
            unpacked: unpacked.into(),
            mode: long(rest, 38) >> 16,
        };
        // Not that of the other field, which the server reads as well.
        let name = &rest[RECORD..RECORD + lengths[0]];
        entry.check([name])?;
        sum.add(&entry, name)?;
        rest = next;
    }
    // What does not add up is read by the server in another way.
    if rest.is_empty() && sum.entries == declared { sum.check(declared) } else { Ok(()) }
}

/// Looks at the end of a demo before it travels: of an archive what [`check_archive_end`] says, of anything else nothing.
pub fn check_demo_end(name: &str, end: &[u8]) -> Result<(), DemoError> {
    let is_archive =
        name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("zip"));
    if is_archive { check_archive_end(end) } else { Ok(()) }
}

/// Two bytes, which the caller knows to be there.
fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Four bytes, which the caller knows to be there.
fn long(bytes: &[u8], at: usize) -> u32 {
    u32::from(short(bytes, at)) | u32::from(short(bytes, at + 2)) << 16
}
