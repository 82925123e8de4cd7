//! Bytes at offsets, as those who recognise and describe a file read them.

use std::{
    io::{self, ErrorKind},
    ops::Range,
};

pub use rawzip::ReaderAt;

/// A file that is read at offsets which the file itself names, and which may therefore be anything.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    reader: &'a dyn ReaderAt,
    start: u64,
    length: u64,
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("length", &self.length).finish_non_exhaustive()
    }
}

impl<'a> Source<'a> {
    /// The first `length` bytes of what `reader` reads.
    pub fn new(reader: &'a dyn ReaderAt, length: u64) -> Self {
        Self { reader, start: 0, length }
    }

    /// A part of it, with offsets from its start.
    pub(crate) fn part(self, range: &Range<u64>) -> Self {
        let length = range.end.min(self.length).saturating_sub(range.start);
        Self { start: self.start.saturating_add(range.start), length, ..self }
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// `N` bytes at `offset`, unless the file ends before.
    pub(crate) fn bytes<const N: usize>(&self, offset: u64) -> io::Result<Option<[u8; N]>> {
        let mut bytes = [0; N];
        match self.read_exact_at(&mut bytes, offset) {
            Ok(()) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn up_to(&self, length: usize, offset: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        let mut read = 0;
        while read < length {
            match self.read_at(&mut bytes[read..], offset.saturating_add(read as u64))? {
                0 => break,
                more => read += more,
            }
        }
        bytes.truncate(read);
        Ok(bytes)
    }
}

impl ReaderAt for Source<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // A system calls an offset past its own range an error; here it is past the end, like any other.
        let left = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 { Ok(0) } else { self.reader.read_at(&mut buffer[..wanted], self.start + offset) }
    }
}
