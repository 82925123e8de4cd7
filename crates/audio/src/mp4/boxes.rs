//! Boxes of the ISO base media format: a length, a kind, contents.

use std::{io, ops::Range};

use crate::source::Source;

/// Boxes looked at, at most: a film in fragments has thousands, and lists its tracks before them.
const MOST_BOXES: usize = 2000;

/// The kind and the contents of the box at `offset`, which ends within `range`.
pub(crate) fn box_at(
    source: &Source<'_>,
    range: &Range<u64>,
    offset: u64,
) -> io::Result<Option<([u8; 4], Range<u64>)>> {
    let Some(left) = range.end.checked_sub(offset).filter(|left| *left > 0) else { return Ok(None) };
    let Some([a, b, c, d, kind @ ..]) = source.bytes::<8>(offset)? else { return Ok(None) };
    let (header, size) = match u32::from_be_bytes([a, b, c, d]) {
        0 => (8, left),
        1 => match source.bytes(offset + 8)? {
            Some(size) => (16, u64::from_be_bytes(size)),
            None => return Ok(None),
        },
        size => (8, u64::from(size)),
    };
    Ok((header..=left).contains(&size).then(|| (kind, offset + header..offset + size)))
}

/// The boxes of a file, of which only so many are looked at.
pub(crate) struct Boxes<'a> {
    source: &'a Source<'a>,
    seen: usize,
}

impl<'a> Boxes<'a> {
    pub(crate) fn of(source: &'a Source<'a>) -> Self {
        Self { source, seen: 0 }
    }

    /// Kind and contents of the box at `offset` within `range`; `None` at the first that is broken.
    pub(crate) fn next(
        &mut self,
        range: &Range<u64>,
        offset: u64,
    ) -> io::Result<Option<([u8; 4], Range<u64>)>> {
        if offset >= range.end || self.seen == MOST_BOXES {
            return Ok(None);
        }
        self.seen += 1;
        box_at(self.source, range, offset)
    }

    pub(crate) fn all(&mut self, range: &Range<u64>, kind: [u8; 4]) -> io::Result<Vec<Range<u64>>> {
        let (mut found, mut offset) = (Vec::new(), range.start);
        while let Some((next, contents)) = self.next(range, offset)? {
            offset = contents.end;
            if next == kind {
                found.push(contents);
            }
        }
        Ok(found)
    }

    /// The contents of the first box at the end of `path` within `range`.
    pub(crate) fn first(&mut self, range: &Range<u64>, path: &[&[u8; 4]]) -> io::Result<Option<Range<u64>>> {
        let mut range = range.clone();
        'path: for wanted in path {
            let mut offset = range.start;
            while let Some((kind, contents)) = self.next(&range, offset)? {
                if kind == **wanted {
                    range = contents;
                    continue 'path;
                }
                offset = contents.end;
            }
            return Ok(None);
        }
        Ok(Some(range))
    }
}
