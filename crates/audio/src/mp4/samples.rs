//! Where the packets of a track lie: by its tables (ISO/IEC 14496-12, 8.7), or fragment by fragment (8.8). Tables are read a piece at
//! a time, so that they take no memory, however long they are.

use std::{collections::VecDeque, io, ops::Range};

use super::{Boxes, box_at, long};
use crate::source::Source;

/// Entries of a table that are read at once.
const PIECE: u64 = 1024;
/// Bytes of one packet, at most: a second of uncompressed sound in eight channels.
const BYTES_MAX: u64 = 2 * 1024 * 1024;

/// A table of entries of `N` bytes.
#[derive(Debug)]
struct Table<const N: usize> {
    at: u64,
    left: u64,
    ahead: std::vec::IntoIter<[u8; N]>,
}

impl<const N: usize> Table<N> {
    fn new(at: u64, count: u64) -> Self {
        Self { at, left: count, ahead: Vec::new().into_iter() }
    }

    fn next(&mut self, source: &Source<'_>) -> io::Result<Option<[u8; N]>> {
        if let Some(entry) = self.ahead.next() {
            return Ok(Some(entry));
        }
        let count = usize::try_from(self.left.min(PIECE)).unwrap_or(0);
        let bytes = source.up_to(count * N, self.at)?;
        self.ahead = bytes.as_chunks::<N>().0.to_vec().into_iter();
        self.at += (count * N) as u64;
        // A file that ends here has no more of it.
        self.left = if bytes.len() == count * N { self.left - count as u64 } else { 0 };
        Ok(self.ahead.next())
    }
}

/// The sizes of packets: all the same, or each its own.
#[derive(Debug)]
enum Sizes {
    Same(u32, u64),
    Own(Table<4>),
}

impl Sizes {
    fn next(&mut self, source: &Source<'_>) -> io::Result<Option<u32>> {
        Ok(match self {
            Self::Same(_, 0) => None,
            Self::Same(size, left) => {
                *left -= 1;
                Some(*size)
            }
            Self::Own(table) => table.next(source)?.map(u32::from_be_bytes),
        })
    }
}

/// Where chunks of packets begin.
#[derive(Debug)]
enum Chunks {
    Short(Table<4>),
    Long(Table<8>),
}

impl Chunks {
    fn next(&mut self, source: &Source<'_>) -> io::Result<Option<u64>> {
        Ok(match self {
            Self::Short(table) => table.next(source)?.map(|offset| u32::from_be_bytes(offset).into()),
            Self::Long(table) => table.next(source)?.map(u64::from_be_bytes),
        })
    }
}

/// A run of chunks with as many packets each: the first chunk, and how many packets.
type ChunkRun = (u32, u32);

fn chunk_run(entry: [u8; 12]) -> ChunkRun {
    (long(&entry, 0), long(&entry, 4))
}

#[derive(Debug)]
struct Listed {
    sizes: Sizes,
    chunks: Chunks,
    runs: Table<12>,
    /// Packets of each chunk from here on.
    in_chunk: u32,
    next_run: Option<ChunkRun>,
    /// The number of the next chunk, from 1.
    number: u32,
    left_in_chunk: u32,
    at: u64,
}

impl Listed {
    fn read(boxes: &mut Boxes<'_>, track: &Range<u64>) -> io::Result<Option<Self>> {
        let source = boxes.source;
        let Some(list) = boxes.first(track, &[b"mdia", b"minf", b"stbl"])? else { return Ok(None) };
        let Some(sizes) = boxes.first(&list, &[b"stsz"])? else { return Ok(None) };
        let Some([_, _, _, _, a, b, c, d, count @ ..]) = source.bytes::<12>(sizes.start)? else {
            return Ok(None);
        };
        let (same, count) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes(count).into());
        let sizes =
            if same > 0 { Sizes::Same(same, count) } else { Sizes::Own(Table::new(sizes.start + 12, count)) };
        let chunks = match boxes.first(&list, &[b"stco"])? {
            Some(table) => Chunks::Short(table_at(source, &table)?),
            None => match boxes.first(&list, &[b"co64"])? {
                Some(table) => Chunks::Long(table_at(source, &table)?),
                None => return Ok(None),
            },
        };
        let Some(runs) = boxes.first(&list, &[b"stsc"])? else { return Ok(None) };
        let mut runs = table_at(source, &runs)?;
        let next_run = runs.next(source)?.map(chunk_run);
        Ok(Some(Self { sizes, chunks, runs, in_chunk: 0, next_run, number: 1, left_in_chunk: 0, at: 0 }))
    }

    fn next(&mut self, source: &Source<'_>) -> io::Result<Option<Range<u64>>> {
        while self.left_in_chunk == 0 {
            let Some(at) = self.chunks.next(source)? else { return Ok(None) };
            while let Some((first, count)) = self.next_run
                && first <= self.number
            {
                self.in_chunk = count;
                self.next_run = self.runs.next(source)?.map(chunk_run);
            }
            (self.at, self.left_in_chunk) = (at, self.in_chunk);
            let Some(number) = self.number.checked_add(1) else { return Ok(None) };
            self.number = number;
        }
        let Some(size) = self.sizes.next(source)? else { return Ok(None) };
        self.left_in_chunk -= 1;
        let start = self.at;
        self.at = start.saturating_add(size.into());
        Ok(Some(start..self.at))
    }
}

/// The table in a box that says how many entries it has.
fn table_at<const N: usize>(source: &Source<'_>, contents: &Range<u64>) -> io::Result<Table<N>> {
    let count = source.bytes(contents.start + 4)?.map_or(0, u32::from_be_bytes);
    Ok(Table::new(contents.start + 8, count.into()))
}

/// A run of packets in a fragment, one behind the other.
#[derive(Debug)]
struct Run {
    /// Where it begins, unless that is where the run before ended.
    at: Option<u64>,
    left: u32,
    /// The size of each packet, where the fragment gives all of them one.
    size: u32,
    /// Where the entries of the packets are, how long each is, and where in it the size stands.
    entries: u64,
    width: u64,
    size_at: Option<u64>,
}

impl Run {
    /// The next packet, of which the one before ended at `end`.
    fn next(&mut self, source: &Source<'_>, end: u64) -> io::Result<Option<Range<u64>>> {
        let size = match self.size_at {
            Some(at) => source.bytes(self.entries + at)?.map(u32::from_be_bytes),
            None => Some(self.size),
        };
        let Some(size) = size else { return Ok(None) };
        self.left -= 1;
        self.entries += self.width;
        let start = self.at.take().unwrap_or(end);
        Ok(Some(start..start.saturating_add(size.into())))
    }
}

/// The packets of a track, in their order.
#[derive(Debug)]
pub struct Packets<'a> {
    source: &'a Source<'a>,
    listed: Option<Listed>,
    /// The number of the track, and how long its packets are where a fragment does not say.
    track: u32,
    size: u32,
    /// Where the next fragment is looked for.
    fragments: u64,
    runs: VecDeque<Run>,
    /// Where the last packet ended.
    end: u64,
}

impl<'a> Packets<'a> {
    pub(crate) fn of(boxes: &mut Boxes<'a>, track: &Range<u64>) -> io::Result<Self> {
        let source = boxes.source;
        let header = boxes.first(track, &[b"tkhd"])?;
        let number = match header {
            // Behind two times, which are as long as the version says.
            Some(header) => match source.bytes::<24>(header.start)? {
                Some([1, .., a, b, c, d]) => u32::from_be_bytes([a, b, c, d]),
                Some(bytes) => long(&bytes, 12),
                None => 0,
            },
            None => 0,
        };
        let mut size = 0;
        if let Some(extends) = boxes.first(&boxes.whole(), &[b"moov", b"mvex"])? {
            for defaults in boxes.all(&extends, *b"trex")? {
                let Some(fields) = source.bytes::<20>(defaults.start)? else { continue };
                if long(&fields, 4) == number {
                    size = long(&fields, 16);
                }
            }
        }
        let listed = Listed::read(boxes, track)?;
        Ok(Self { source, listed, track: number, size, fragments: 0, runs: VecDeque::new(), end: 0 })
    }

    /// The bytes of the next packet; `None` at the end, and where the file is broken.
    pub fn next_packet(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(place) = self.next_place()? else { return Ok(None) };
        self.end = place.end;
        let length = place.end - place.start;
        if length == 0 || length > BYTES_MAX || place.end > self.source.length() {
            return Ok(None);
        }
        let bytes = self.source.up_to(usize::try_from(length).unwrap_or(0), place.start)?;
        Ok(Some(bytes).filter(|bytes| bytes.len() as u64 == length))
    }

    fn next_place(&mut self) -> io::Result<Option<Range<u64>>> {
        if let Some(listed) = &mut self.listed {
            if let Some(place) = listed.next(self.source)? {
                return Ok(Some(place));
            }
            self.listed = None;
        }
        loop {
            while let Some(run) = self.runs.front_mut() {
                if run.left > 0 {
                    return run.next(self.source, self.end);
                }
                self.runs.pop_front();
            }
            if !self.next_fragment()? {
                return Ok(None);
            }
        }
    }

    /// Reads the next fragment; false where there is no other.
    fn next_fragment(&mut self) -> io::Result<bool> {
        let whole = 0..self.source.length();
        while let Some((kind, contents)) = box_at(self.source, &whole, self.fragments)? {
            let start = self.fragments;
            self.fragments = contents.end;
            if kind == *b"moof" {
                self.read_fragment(start, &contents)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read_fragment(&mut self, start: u64, fragment: &Range<u64>) -> io::Result<()> {
        let mut boxes = Boxes::of(self.source);
        for part in boxes.all(fragment, *b"traf")? {
            let Some(header) = boxes.first(&part, &[b"tfhd"])? else { continue };
            let Some([_, a, b, c, track @ ..]) = self.source.bytes::<8>(header.start)? else { continue };
            if u32::from_be_bytes(track) != self.track {
                continue;
            }
            let flags = u32::from_be_bytes([0, a, b, c]);
            // Fields that are there, in their order: a place, a description, a length and a size.
            let mut field = header.start + 8;
            let mut take = |flag: u32, length: u64| {
                let here = (flags & flag != 0).then_some(field);
                field += if here.is_some() { length } else { 0 };
                here
            };
            let (base, _, _, size) = (take(1, 8), take(2, 4), take(8, 4), take(16, 4));
            let base = match base {
                Some(at) => self.source.bytes(at)?.map_or(start, u64::from_be_bytes),
                None => start,
            };
            let size = match size {
                Some(at) => self.source.bytes(at)?.map_or(0, u32::from_be_bytes),
                None => self.size,
            };
            let mut begin = Some(base);
            for run in boxes.all(&part, *b"trun")? {
                self.read_run(begin.take(), base, size, &run)?;
            }
        }
        Ok(())
    }

    fn read_run(&mut self, begin: Option<u64>, base: u64, size: u32, run: &Range<u64>) -> io::Result<()> {
        let Some([_, a, b, c, count @ ..]) = self.source.bytes::<8>(run.start)? else { return Ok(()) };
        let (flags, count) = (u32::from_be_bytes([0, a, b, c]), u32::from_be_bytes(count));
        let has = |flag: u32| u64::from(flags & flag != 0);
        let offset =
            if has(1) > 0 { self.source.bytes(run.start + 8)?.map(i32::from_be_bytes) } else { None };
        let at = offset.map(|offset| base.saturating_add_signed(offset.into())).or(begin);
        let entries = run.start + 8 + 4 * (has(1) + has(4));
        // Of each packet a length, a size, flags and a shift in time.
        let width = 4 * (has(0x100) + has(0x200) + has(0x400) + has(0x800));
        let size_at = (has(0x200) > 0).then(|| 4 * has(0x100));
        let most = run.end.saturating_sub(entries).checked_div(width).unwrap_or(u64::MAX);
        let left = u32::try_from(most.min(count.into())).unwrap_or(count);
        self.runs.push_back(Run { at, left, size, entries, width, size_at });
        Ok(())
    }
}
