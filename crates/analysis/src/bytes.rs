//! A source of bytes as what reads formats wants it: at offsets. One that cannot go back keeps its beginning, and what it read last.

use std::{
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    sync::{Mutex, MutexGuard, PoisonError},
};

use deadwax_audio::ReaderAt;
use symphonia::core::io::MediaSource;

pub(crate) const HEAD: usize = 64 * 1024;
/// Bytes that are read at once, for readers that want a few at a time.
const WINDOW: usize = 16 * 1024;

pub(crate) struct Bytes<'s>(Mutex<State<'s>>);

struct State<'s> {
    source: Box<dyn MediaSource + 's>,
    position: u64,
    head: Vec<u8>,
    window: Vec<u8>,
    window_start: u64,
}

impl<'s> Bytes<'s> {
    pub(crate) fn new(source: Box<dyn MediaSource + 's>) -> io::Result<Self> {
        let mut state =
            State { source, position: 0, head: vec![0; HEAD], window: Vec::new(), window_start: 0 };
        let mut read = 0;
        while read < HEAD {
            match state.source.read(&mut state.head[read..]) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A broken deflate stream ends here; its beginning is measured.
                Err(error) if error.kind() == ErrorKind::InvalidInput => break,
                Err(error) => return Err(error),
            }
        }
        state.head.truncate(read);
        state.position = read as u64;
        Ok(Self(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State<'s>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it can go back, and end before it is read to its end.
    pub(crate) fn is_seekable(&self) -> bool {
        self.state().source.is_seekable()
    }

    /// How long it is, as far as that is known.
    pub(crate) fn length(&self) -> u64 {
        self.state().source.byte_len().unwrap_or(u64::MAX)
    }
}

impl State<'_> {
    fn read_at(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        for (start, kept) in [(0, &self.head), (self.window_start, &self.window)] {
            let at = offset.checked_sub(start).and_then(|at| usize::try_from(at).ok());
            if let Some(found) = at.and_then(|at| kept.get(at..)).filter(|found| !found.is_empty()) {
                let length = found.len().min(buffer.len());
                buffer[..length].copy_from_slice(&found[..length]);
                return Ok(length);
            }
        }
        self.go(offset)?;
        if buffer.len() >= WINDOW {
            let read = self.source.read(buffer)?;
            self.position += read as u64;
            return Ok(read);
        }
        self.window.resize(WINDOW, 0);
        let read = self.source.read(&mut self.window);
        self.window.truncate(*read.as_ref().unwrap_or(&0));
        self.window_start = offset;
        self.position += read? as u64;
        let length = self.window.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.window[..length]);
        Ok(length)
    }

    fn go(&mut self, offset: u64) -> io::Result<()> {
        if offset == self.position {
            return Ok(());
        }
        if self.source.is_seekable() {
            self.position = self.source.seek(SeekFrom::Start(offset))?;
            return Ok(());
        }
        let forward = offset.checked_sub(self.position).ok_or(ErrorKind::Unsupported)?;
        self.position += io::copy(&mut self.source.by_ref().take(forward), &mut io::sink())?;
        Ok(())
    }
}

impl ReaderAt for Bytes<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.state().read_at(buffer, offset)
    }
}

/// A beginning that was made up, then a part of the bytes: what a decoder is given, which neither goes back nor knows how long it is.
pub(crate) struct Part<'a, 's> {
    pub(crate) bytes: &'a Bytes<'s>,
    pub(crate) head: io::Cursor<Vec<u8>>,
    pub(crate) at: u64,
    pub(crate) end: u64,
}

impl Read for Part<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.head.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let read = self.bytes.read_at(&mut buffer[..wanted], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Part<'_, '_> {
    fn seek(&mut self, _to: SeekFrom) -> io::Result<u64> {
        Err(ErrorKind::Unsupported.into())
    }
}

impl MediaSource for Part<'_, '_> {
    fn is_seekable(&self) -> bool {
        false
    }

    fn byte_len(&self) -> Option<u64> {
        None
    }
}
