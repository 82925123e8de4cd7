//! Large WAV files by the name of the small ones.

use std::io::{self, Read, Seek, SeekFrom};

use symphonia::core::io::MediaSource;

/// A source whose first word `RF64` (EBU Tech 3306) reads as `RIFF`: the decoder knows that alone, and takes a size that is none for
/// all that follows.
pub(crate) struct Riff<'a> {
    inner: Box<dyn MediaSource + 'a>,
    position: u64,
}

impl<'a> Riff<'a> {
    pub(crate) fn new(inner: Box<dyn MediaSource + 'a>) -> Self {
        Self { inner, position: 0 }
    }
}

impl Read for Riff<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if self.position == 0 && buffer[..read].starts_with(b"RF64") {
            buffer[..4].copy_from_slice(b"RIFF");
        }
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Riff<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.inner.seek(to)?;
        Ok(self.position)
    }
}

impl MediaSource for Riff<'_> {
    fn is_seekable(&self) -> bool {
        self.inner.is_seekable()
    }

    fn byte_len(&self) -> Option<u64> {
        self.inner.byte_len()
    }
}
