//! The pieces of a file read so far, and the next one to read.

use std::{
    cell::RefCell,
    io::{self, ErrorKind},
    ops::Range,
};

use crate::source::ReaderAt;

/// Pieces begin and end at multiples of this, but for the end of the file.
const GRAIN: u64 = 16 * 1024;
/// The most bytes requested at a new place.
const FIRST: u64 = 32 * 1024;
/// The most bytes requested where reading continues.
const MOST: u64 = 256 * 1024;

/// The pieces read so far. Reading elsewhere fails with [`ErrorKind::WouldBlock`] and requests that place.
#[derive(Debug)]
pub(crate) struct Pieces {
    length: u64,
    /// By their offsets, in order, none over another.
    here: Vec<(u64, Vec<u8>)>,
    asked: RefCell<Range<u64>>,
    read: u64,
}

impl Pieces {
    pub(crate) fn of(length: u64) -> Self {
        Self { length, here: Vec::new(), asked: RefCell::new(0..0), read: 0 }
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn read(&self) -> u64 {
        self.read
    }

    pub(crate) fn asked(&self) -> Range<u64> {
        self.asked.borrow().clone()
    }

    /// Stores the requested bytes. False if they are not the requested ones.
    pub(crate) fn take(&mut self, bytes: Vec<u8>) -> bool {
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

    /// How many pieces begin at `offset` or before it.
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
