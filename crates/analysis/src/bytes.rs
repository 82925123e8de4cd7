//! A source of bytes as what reads formats wants it: at offsets. One that cannot go back keeps its beginning, and what it read last.

use std::{
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    sync::{Mutex, MutexGuard, PoisonError},
};

use deadwax_audio::ReaderAt;
use flate2::read::DeflateDecoder;
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

/// A deflated track of an archive, unpacked while it is read: to no more than the archive says that it becomes.
pub struct Unpacking<R> {
    unpacking: io::Take<DeflateDecoder<R>>,
    size: u64,
}

impl<R: Read> Unpacking<R> {
    pub fn new(packed: R, unpacked: u64) -> Self {
        Self { unpacking: DeflateDecoder::new(packed).take(unpacked), size: unpacked }
    }
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.unpacking.read(buffer)
    }
}

impl<R> Seek for Unpacking<R> {
    fn seek(&mut self, _to: SeekFrom) -> io::Result<u64> {
        Err(ErrorKind::Unsupported.into())
    }
}

impl<R: Read + Send + Sync> MediaSource for Unpacking<R> {
    fn is_seekable(&self) -> bool {
        false
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.size)
    }
}
