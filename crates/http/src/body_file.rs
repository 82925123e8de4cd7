//! A body that is sent many times, as a file in memory (`memfd_create(2)`): the kernel hands its pages to a socket by `sendfile(2)`
//! and copies nothing, where a write copies the whole body. That is how web servers send files from disk.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bytes::Bytes;

/// Shorter bodies cost no more to copy than another call of the kernel does. Where that lies differs between machines: 54 KB were a sixth
/// less by file on one, and a fifth more on another (decision 0048).
pub const MIN_BYTES: usize = 128 * 1024;

/// So many there may be at once. Each is a descriptor, which connections need more; further bodies are copied.
const MOST: usize = 64;

static OPEN: AtomicUsize = AtomicUsize::new(0);

/// The bytes of a body, and the file they are in, too.
#[derive(Debug)]
pub struct BodyFile {
    bytes: Bytes,
    #[cfg(target_os = "linux")]
    file: std::fs::File,
}

impl BodyFile {
    /// Puts a body of at least [`MIN_BYTES`] into a file. None where there are as many as there may be, or the system has none.
    pub fn new(bytes: &Bytes) -> Option<Arc<Self>> {
        let one_more = |open| (open < MOST).then_some(open + 1);
        if bytes.len() < MIN_BYTES
            || OPEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_err()
        {
            return None;
        }
        let made = Self::write(bytes.clone());
        if made.is_none() {
            OPEN.fetch_sub(1, Ordering::Relaxed);
        }
        made.map(Arc::new)
    }

    #[cfg(target_os = "linux")]
    fn write(bytes: Bytes) -> Option<Self> {
        use std::io::Write as _;

        use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

        let made = || {
            let mut file = std::fs::File::from(memfd_create(
                "deadwax-body",
                MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING,
            )?);
            file.write_all(&bytes)?;
            // What is on its way in a socket's queue is these very pages.
            fcntl_add_seals(&file, SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE)?;
            std::io::Result::Ok(file)
        };
        match made() {
            Ok(file) => Some(Self { bytes, file }),
            Err(error) => {
                tracing::debug!(cause = %error, "keeping a body as a file in memory");
                None
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn write(_: Bytes) -> Option<Self> {
        None
    }

    /// Where these bytes begin in the file, if they are a part of this body: the very ones in memory, not equal ones.
    pub fn position(&self, part: &[u8]) -> Option<u64> {
        let begin = part.as_ptr().addr().checked_sub(self.bytes.as_ptr().addr())?;
        let end = begin.checked_add(part.len())?;
        (!part.is_empty() && end <= self.bytes.len()).then_some(begin as u64)
    }

    /// Sends so many bytes from `position` into a socket, and says how many it took (`sendfile(2)`).
    #[cfg(target_os = "linux")]
    pub fn send(
        &self,
        socket: impl std::os::fd::AsFd,
        position: u64,
        count: usize,
    ) -> std::io::Result<usize> {
        let mut position = position;
        Ok(rustix::fs::sendfile(socket, &self.file, Some(&mut position), count)?)
    }
}

impl Drop for BodyFile {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::{io::Read as _, os::unix::net::UnixStream};

    use super::*;

    #[test]
    fn a_part_is_found_by_its_place_in_memory() {
        let bytes = Bytes::from(vec![7; 2 * MIN_BYTES]);
        let file = BodyFile::new(&bytes).unwrap();
        assert_eq!(file.position(&bytes), Some(0));
        assert_eq!(file.position(&bytes[100..200]), Some(100));
        assert_eq!(file.position(&bytes[100..100]), None, "nothing is nowhere");
        assert_eq!(file.position(&vec![7; 2 * MIN_BYTES]), None, "an equal body elsewhere");
        assert_eq!(
            BodyFile::new(&bytes.slice(..MIN_BYTES)).unwrap().position(&bytes),
            None,
            "longer than the file"
        );
    }

    #[test]
    fn a_part_is_sent_as_it_is() {
        let bytes: Bytes = (0..=255).cycle().take(2 * MIN_BYTES).collect::<Vec<u8>>().into();
        let file = BodyFile::new(&bytes).unwrap();
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let sent = file.send(&ours, 300, 1000).unwrap();
        drop(ours);
        let mut read = Vec::new();
        theirs.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes[300..300 + sent]);
    }

    #[test]
    fn short_bodies_have_none() {
        assert!(BodyFile::new(&Bytes::from(vec![0; MIN_BYTES - 1])).is_none());
    }
}
