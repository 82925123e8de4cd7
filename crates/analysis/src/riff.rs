//! Large WAV files by the name of the small ones, and what WAV files call themselves, which the decoder reads and forgets.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use symphonia::core::io::MediaSource;

use crate::{meter::Names, tags};

/// Names are looked for in so many bytes at the beginning of a file.
const HEAD: u64 = 64 * 1024;

/// A source whose first word `RF64` (EBU Tech 3306) reads as `RIFF`: the decoder knows that alone, and takes a size that is none for
/// all that follows.
pub(crate) struct Riff<'a> {
    inner: Box<dyn MediaSource + 'a>,
    position: u64,
    /// What was read ahead of a source that cannot go back.
    ahead: Cursor<Vec<u8>>,
}

impl<'a> Riff<'a> {
    pub(crate) fn new(inner: Box<dyn MediaSource + 'a>) -> Self {
        Self { inner, position: 0, ahead: Cursor::default() }
    }

    /// What a WAV file calls itself in front of its sound. Asked before anything is read.
    pub(crate) fn names(&mut self) -> io::Result<Names> {
        let mut head = Vec::new();
        // What cannot be read is told to whoever reads on; the names are in what can.
        let broke_off = self.inner.by_ref().take(HEAD).read_to_end(&mut head).is_err();
        let names = if broke_off { Names::default() } else { info(&head) };
        if self.inner.is_seekable() {
            self.inner.rewind()?;
        } else {
            self.ahead = Cursor::new(head);
        }
        Ok(names)
    }
}

/// The names of the first `INFO` list in front of the sound (Multimedia Programming Interface and Data Specifications 1.0, chapter 2).
fn info(head: &[u8]) -> Names {
    let mut names = Names::default();
    let is_wave = head.get(8..12) == Some(b"WAVE");
    let chunks = chunks(head.get(12..).filter(|_| is_wave).unwrap_or_default());
    for (_, list) in chunks.take_while(|(id, _)| id != b"data").filter(|(id, _)| id == b"LIST") {
        let Some(list) = list.strip_prefix(b"INFO") else { continue };
        for (id, value) in self::chunks(list) {
            match &id {
                b"INAM" => names.title = Some(tags::text(value)),
                b"IPRD" => names.album = Some(tags::text(value)),
                _ => {}
            }
        }
        break;
    }
    names
}

/// The chunks that lie one behind the other; of the last one, what there is of it.
fn chunks(mut bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let (id, rest) = bytes.split_first_chunk::<4>()?;
        let (size, rest) = rest.split_first_chunk::<4>()?;
        let size = usize::try_from(u32::from_le_bytes(*size)).unwrap_or(usize::MAX);
        let value = rest.get(..size).unwrap_or(rest);
        // Each begins at an even place.
        bytes = rest.get(size.saturating_add(size % 2)..).unwrap_or_default();
        Some((*id, value))
    })
}

impl Read for Riff<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ahead = self.ahead.read(buffer)?;
        let read = if ahead > 0 { ahead } else { self.inner.read(buffer)? };
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
