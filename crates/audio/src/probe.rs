//! Judges a file that arrives in pieces: a browser reads the requested bytes, then looks again.

use std::{
    cell::RefCell,
    io::{self, ErrorKind},
    ops::Range,
};

use rules::demo::DemoError;

use crate::{
    content::{Content, check, describe},
    source::{ReaderAt, Source},
    tracks::Listening,
};

/// Read of a file, at most: the beginnings of an archive's tracks and the way to them, and as much again.
pub const PROBE_MAX_BYTES: u64 = 32 * 1024 * 1024;
/// The most requests for bytes: in an archive, two for each of its files.
pub const PROBE_MAX_ROUNDS: u32 = 2000;

/// Pieces begin and end at multiples of this, but for the end of the file.
const GRAIN: u64 = 16 * 1024;
/// The most bytes requested at a new place.
const FIRST: u64 = 32 * 1024;
/// The most bytes requested where reading continues.
const MOST: u64 = 256 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Nothing before these bytes are here.
    Missing(Range<u64>),
    Refused(DemoError),
    /// That it is taken, and what [`describe`](crate::describe()) says of it.
    Right(Option<Content>),
    /// Nothing, for good: it was not read as asked, or would take more than is read here to be judged.
    Nothing,
}

/// [`check`] and [`describe`](crate::describe()) for a file whose bytes are still to be read. Remembers its findings.
///
/// ```
/// use deadwax_audio::{Known, Probe};
/// let mut probe = Probe::new("set.wav", 15);
/// assert_eq!(probe.advance(), Known::Missing(0..15));
/// probe.take(b"<!doctype html>".to_vec());
/// assert_eq!(probe.advance(), Known::Refused(rules::demo::DemoError::Content));
/// ```
#[derive(Debug)]
pub struct Probe {
    extension: String,
    pieces: Pieces,
    stage: Stage,
    rounds: u32,
}

#[derive(Debug)]
enum Stage {
    Judging,
    Describing,
    Listening(Listening),
    Done(Known),
}

impl Probe {
    /// At a file of so many bytes, whose extension is what follows the last dot of its name.
    pub fn new(name: &str, length: u64) -> Self {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        Self {
            extension: extension.to_ascii_lowercase(),
            pieces: Pieces::of(length),
            stage: Stage::Judging,
            rounds: 0,
        }
    }

    /// Takes the bytes that were missing; fewer or more end the probe, since then the file is not the one that was chosen.
    pub fn take(&mut self, bytes: Vec<u8>) {
        self.rounds += 1;
        if !self.pieces.take(bytes) {
            self.stage = Stage::Done(Known::Nothing);
        } else if self.rounds >= PROBE_MAX_ROUNDS || self.pieces.read >= PROBE_MAX_BYTES {
            self.stage = Stage::Done(match std::mem::replace(&mut self.stage, Stage::Judging) {
                Stage::Judging => Known::Nothing,
                Stage::Describing => Known::Right(None),
                Stage::Listening(listening) => Known::Right(Some(Content::Archive(listening.so_far()))),
                Stage::Done(known) => known,
            });
        }
    }

    pub fn advance(&mut self) -> Known {
        loop {
            if let Stage::Done(known) = &self.stage {
                return known.clone();
            }
            match self.next() {
                Ok(stage) => self.stage = stage,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return Known::Missing(self.pieces.asked());
                }
                Err(_) => self.stage = Stage::Done(Known::Nothing),
            }
        }
    }

    fn next(&mut self) -> io::Result<Stage> {
        let source = Source::new(&self.pieces, self.pieces.length);
        Ok(match &mut self.stage {
            Stage::Judging => match check(&source, &self.extension)? {
                Ok(()) => Stage::Describing,
                Err(refusal) => Stage::Done(Known::Refused(refusal)),
            },
            Stage::Describing if self.extension == "zip" => match Listening::begin(&source)? {
                Some(listening) => Stage::Listening(listening),
                None => Stage::Done(Known::Right(None)),
            },
            Stage::Describing => Stage::Done(Known::Right(describe(&source, &self.extension)?)),
            Stage::Listening(listening) => {
                let tracks = listening.finish(&source)?;
                Stage::Done(Known::Right(Some(Content::Archive(tracks))))
            }
            Stage::Done(known) => Stage::Done(known.clone()),
        })
    }
}

/// The pieces read so far. Reading elsewhere fails with [`ErrorKind::WouldBlock`] and requests that place.
#[derive(Debug)]
struct Pieces {
    length: u64,
    /// By their offsets, in order, none over another.
    here: Vec<(u64, Vec<u8>)>,
    asked: RefCell<Range<u64>>,
    read: u64,
}

impl Pieces {
    fn of(length: u64) -> Self {
        Self { length, here: Vec::new(), asked: RefCell::new(0..0), read: 0 }
    }

    fn asked(&self) -> Range<u64> {
        self.asked.borrow().clone()
    }

    /// Stores the requested bytes. False if they are not the requested ones.
    fn take(&mut self, bytes: Vec<u8>) -> bool {
        let asked = self.asked();
        if asked.is_empty() || bytes.len() as u64 != asked.end - asked.start {
            return false;
        }
        self.read += bytes.len() as u64;
        let place = self.behind(asked.start);
        // Asked twice, it would stand twice.
        if place.checked_sub(1).is_some_and(|before| self.here[before].0 == asked.start) {
            return false;
        }
        self.here.insert(place, (asked.start, bytes));
        true
    }

    fn behind(&self, offset: u64) -> usize {
        self.here.partition_point(|(start, _)| *start <= offset)
    }

    /// Where reading continues, requests twice as much as the last time.
    fn ask(&self, offset: u64, wanted: usize) {
        let mut asked = self.asked.borrow_mut();
        let start = offset - offset % GRAIN;
        let wanted = if asked.end == start {
            ((asked.end - asked.start) * 2).clamp(FIRST, MOST)
        } else {
            (offset - start).saturating_add(wanted as u64).min(FIRST)
        };
        let next = self.here.get(self.behind(offset)).map_or(self.length, |(next, _)| *next);
        *asked = start..(start + wanted.next_multiple_of(GRAIN)).min(next);
    }
}

impl ReaderAt for Pieces {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let before = self.behind(offset).checked_sub(1).map(|before| &self.here[before]);
        let found = before.and_then(|(start, piece)| piece.get(usize::try_from(offset - start).ok()?..));
        let Some(found) = found.filter(|found| !found.is_empty()) else {
            self.ask(offset, buffer.len());
            return Err(ErrorKind::WouldBlock.into());
        };
        let length = found.len().min(buffer.len());
        buffer[..length].copy_from_slice(&found[..length]);
        Ok(length)
    }
}
