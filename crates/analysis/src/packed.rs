//! Tracks of archives, as sources of sound.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    ops::Range,
    os::unix::fs::FileExt as _,
};

use flate2::bufread::DeflateDecoder;
use symphonia::core::io::MediaSource;

/// A track that lies in an archive as it is: a part of the file, which can be read from anywhere.
#[derive(Debug)]
pub struct Entry {
    file: File,
    place: Range<u64>,
    position: u64,
}

impl Entry {
    /// The bytes of `file` at `place`.
    pub fn new(file: File, place: Range<u64>) -> Self {
        Self { file, place, position: 0 }
    }

    fn length(&self) -> u64 {
        self.place.end.saturating_sub(self.place.start)
    }
}

impl Read for Entry {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length().saturating_sub(self.position)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let read = self.file.read_at(&mut buffer[..wanted], self.place.start + self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Entry {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.length().checked_add_signed(by),
        };
        self.position = position.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}

impl MediaSource for Entry {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.length())
    }
}

/// A packed track, unpacked while it is read: to no more than the archive says that it becomes.
pub struct Unpacking {
    unpacking: io::Take<DeflateDecoder<BufReader<Entry>>>,
    size: u64,
}

impl std::fmt::Debug for Unpacking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacking").field("left", &self.unpacking.limit()).finish_non_exhaustive()
    }
}

impl Unpacking {
    /// What `packed` becomes.
    pub fn new(packed: Entry, unpacked: u64) -> Self {
        Self { unpacking: DeflateDecoder::new(BufReader::new(packed)).take(unpacked), size: unpacked }
    }
}

impl Read for Unpacking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.unpacking.read(buffer)
    }
}

impl Seek for Unpacking {
    fn seek(&mut self, _to: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl MediaSource for Unpacking {
    fn is_seekable(&self) -> bool {
        false
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.size)
    }
}
