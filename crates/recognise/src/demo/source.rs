//! A file, as those who recognise its content read it.

use std::{
    fs::File,
    io::{self, ErrorKind},
    os::unix::fs::FileExt as _,
    path::Path,
};

use rawzip::ReaderAt;

/// A file that is read at offsets which the file itself names, and which may therefore be anything.
#[derive(Debug)]
pub(super) struct Source {
    file: File,
    pub(super) length: u64,
}

impl Source {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }

    /// `N` bytes at `offset`, unless the file ends before.
    pub(super) fn bytes<const N: usize>(&self, offset: u64) -> io::Result<Option<[u8; N]>> {
        let mut bytes = [0; N];
        match self.read_exact_at(&mut bytes, offset) {
            Ok(()) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl ReaderAt for Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // The system calls an offset past its own range an error; here it is past the end, like any other.
        if offset >= self.length { Ok(0) } else { self.file.read_at(buffer, offset) }
    }
}
