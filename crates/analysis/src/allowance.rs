//! How much of a file a decoder may read before it has to show some sound for it: it looks for the next packet to the end of the file
//! otherwise.

use std::{
    io::{self, Read, Seek, SeekFrom},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use symphonia::core::io::MediaSource;

/// Bytes that may be read for what is no sound: a tag with a cover of full size fits in, between two songs that were joined.
const ALLOWED: u64 = 10 * 1024 * 1024;

/// The rest of an allowance, shared by reader and renewer.
#[derive(Clone, Debug)]
pub(crate) struct Allowance(Arc<AtomicU64>);

impl Allowance {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(ALLOWED)))
    }

    /// There was a packet of sound.
    pub(crate) fn renew(&self) {
        self.0.store(ALLOWED, Ordering::Relaxed);
    }
}

/// A source of which no more is read than is allowed: after that it is broken.
pub(crate) struct Allowed<S> {
    inner: S,
    allowance: Allowance,
}

impl<S> Allowed<S> {
    pub(crate) fn new(inner: S, allowance: Allowance) -> Self {
        Self { inner, allowance }
    }
}

impl<S: Read> Read for Allowed<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.0.load(Ordering::Relaxed);
        if left == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "too much that is no sound"));
        }
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.inner.read(&mut buffer[..length])?;
        self.allowance.0.store(left.saturating_sub(read as u64), Ordering::Relaxed);
        Ok(read)
    }
}

impl<S: Seek> Seek for Allowed<S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

impl<S: MediaSource> MediaSource for Allowed<S> {
    fn is_seekable(&self) -> bool {
        self.inner.is_seekable()
    }

    fn byte_len(&self) -> Option<u64> {
        self.inner.byte_len()
    }
}
