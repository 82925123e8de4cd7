//! Files of ten megabytes that consist of small items only (notes, comments, tags, boxes, tables or fragments) are measured
//! with ordinary memory.

#![expect(clippy::expect_used, reason = "a test")]

use std::io::Cursor;

use deadwax_analysis::{Analysis, Failure, analyse};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The limit promised in `docs/operations.md`.
const BYTES_MAX: usize = 32 * 1024 * 1024;
/// Size of a file in bytes.
const SIZE: usize = 10 * 1024 * 1024;

fn le(length: usize) -> [u8; 4] {
    u32::try_from(length).expect("a small file").to_le_bytes()
}

fn be(length: usize) -> [u8; 4] {
    u32::try_from(length).expect("a small file").to_be_bytes()
}

fn chunk(name: &[u8], data: &[u8]) -> Vec<u8> {
    [name, &le(data.len()), data].concat()
}

/// Repeats the item up to [`SIZE`].
fn many(small: &[u8]) -> Vec<u8> {
    small.repeat(SIZE / small.len())
}

fn wave(chunks: &[u8]) -> Vec<u8> {
    let format = b"\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0";
    let inside = [b"WAVE", &*chunk(b"fmt ", format), chunks, &chunk(b"data", &[7; 4000])].concat();
    chunk(b"RIFF", &inside)
}

/// A FLAC file without sound, with these blocks.
fn flac(blocks: &[u8]) -> Vec<u8> {
    let info = b"\x10\0\x10\0\0\0\0\0\0\0\x0a\xc4\x42\xf0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    [b"fLaC", &*block(0, info), blocks, &block(0x81, b"")].concat()
}

fn block(kind: u8, data: &[u8]) -> Vec<u8> {
    [&[kind][..], &be(data.len())[1..], data].concat()
}

fn tag(frames: &[u8]) -> Vec<u8> {
    let size = frames.len();
    let seven = |by: u32| u8::try_from(size >> by & 0x7f).expect("seven bits");
    let sound = [&[0xff, 0xfb, 0x90, 0x00][..], &[0; 413]].concat().repeat(40);
    [b"ID3\x03\0\0", &[seven(21), seven(14), seven(7), seven(0)][..], frames, &sound].concat()
}

fn boxed(kind: &[u8], contents: &[u8]) -> Vec<u8> {
    [&be(contents.len() + 8), kind, contents].concat()
}

/// An MP4 file with an audio track of these tables, and boxes beside and behind it.
fn m4a(tables: &[u8], beside: &[u8], behind: &[u8]) -> Vec<u8> {
    let handler = boxed(b"hdlr", &[&[0; 8][..], b"soun", &[0; 13]].concat());
    let settings = [&[0, 0, 0, 0, 3, 22, 0, 1, 0, 4, 17, 0x40, 0x15][..], &[0; 11], &[5, 2, 0x12, 0x10]];
    let figures = [&[0; 7][..], &[1], &[0; 8], &[0, 2, 0, 16, 0, 0, 0, 0, 0xac, 0x44, 0, 0]].concat();
    let sound = [figures, boxed(b"esds", &settings.concat())];
    let described =
        boxed(b"stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1][..], &boxed(b"mp4a", &sound.concat())].concat());
    let list = boxed(b"stbl", &[&*described, tables].concat());
    let media = [
        boxed(b"mdhd", &[&[0; 12][..], &44_100_u32.to_be_bytes(), &[0; 8]].concat()),
        handler,
        boxed(b"minf", &list),
    ];
    let header = boxed(b"tkhd", &[&[0; 12][..], &[0, 0, 0, 1], &[0; 68]].concat());
    let track = boxed(b"trak", &[header, boxed(b"mdia", &media.concat())].concat());
    let movie = boxed(b"mvhd", &[&[0; 12][..], &[0, 0, 3, 232], &[0; 84]].concat());
    let begin = boxed(b"ftyp", b"M4A \0\0\0\0M4A mp42");
    [begin, boxed(b"moov", &[&movie, beside, &track].concat()), behind.to_vec()].concat()
}

/// An MP4 file with a table of this entry, before the others.
fn table_m4a(kind: &[u8], head: &[u8], entry: &[u8], others: &[u8]) -> Vec<u8> {
    let count = SIZE / entry.len();
    let table = boxed(kind, &[&[0; 4], head, &be(count), &entry.repeat(count)].concat());
    m4a(&[&table, others].concat(), b"", b"")
}

fn fragment(number: usize) -> Vec<u8> {
    let run = boxed(b"trun", &[&[0, 0, 2, 1][..], &be(1), &be(80), &be(6)].concat());
    let part = boxed(b"traf", &[boxed(b"tfhd", &[&[0, 2, 0, 0][..], &be(1)].concat()), run].concat());
    let head = boxed(b"mfhd", &[be(0), be(number)].concat());
    [boxed(b"moof", &[head, part].concat()), boxed(b"mdat", &[0x21, 0x10, 4, 0x60, 0x8c, 0x1c])].concat()
}

/// How far a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    /// To the end of its sound, with the name that its items give it.
    Sound(Option<&'static str>),
    /// Past its items, behind which it has no sound.
    NoSound,
    /// As many items as are looked at.
    TooMany,
}

impl Read {
    fn is(self, found: &Result<Analysis, Failure>) -> bool {
        match (self, found) {
            (Self::Sound(title), Ok(found)) => found.names.title.as_deref() == title,
            (Self::NoSound, Err(failure)) => !is_too_many(failure),
            (Self::TooMany, Err(failure)) => is_too_many(failure),
            _ => false,
        }
    }
}

fn is_too_many(failure: &Failure) -> bool {
    matches!(failure, Failure::Unreadable(why) if why == "no track of sound")
}

fn files() -> Vec<(&'static str, &'static str, Read, Vec<u8>)> {
    let info = chunk(b"LIST", b"INFOINAM\x02\0\0\0a\0");
    let comment = [&le(3)[..], b"A=b"].concat();
    let comments = [&le(0)[..], &le(SIZE / comment.len()), &many(&comment)].concat();
    let frame = |name: &[u8]| [name, &be(3)[..], &[0, 0, 0, b'a', 0]].concat();
    let item = boxed(b"\xa9nam", &boxed(b"data", b"\0\0\0\x01\0\0\0\0a"));
    let tags =
        |items: &[u8]| boxed(b"udta", &boxed(b"meta", &[&[0; 4][..], &boxed(b"ilst", items)].concat()));
    let track = boxed(b"trak", &boxed(b"mdia", &boxed(b"hdlr", &[&[0; 8][..], b"text", &[0; 13]].concat())));
    let mut fragments = boxed(b"mdat", b"");
    for number in 0..SIZE / 500 {
        fragments.extend(fragment(number));
    }
    let extends = boxed(b"mvex", &boxed(b"trex", &[&be(0)[..], &be(1), &be(1), &[0; 12]].concat()));
    let empty: Vec<u8> = [&b"stsz"[..], b"stco", b"stsc", b"stts"]
        .iter()
        .flat_map(|kind| boxed(kind, if *kind == b"stsz" { &[0; 12] } else { &[0; 8] }))
        .collect();
    let application = block(2, b"abcd");
    let a = Read::Sound(Some("a"));
    vec![
        ("lists of one name", "wav", Read::TooMany, wave(&many(&info))),
        ("empty lists", "wav", Read::TooMany, wave(&many(&chunk(b"LIST", b"INFO")))),
        (
            "one list of many names",
            "wav",
            a,
            wave(&chunk(b"LIST", &[b"INFO", &*many(b"INAM\x02\0\0\0a\0")].concat())),
        ),
        ("small chunks", "wav", Read::TooMany, wave(&many(&chunk(b"junk", b"ab")))),
        ("comments", "flac", Read::NoSound, flac(&block(4, &comments))),
        ("places to seek", "flac", Read::NoSound, flac(&block(3, &many(&[7; 18])))),
        ("small blocks", "flac", Read::TooMany, flac(&many(&application))),
        ("texts", "mp3", Read::Sound(None), tag(&many(&frame(b"TXXX")))),
        ("titles", "mp3", a, tag(&many(&frame(b"TIT2")))),
        ("small tags", "mp3", Read::NoSound, many(b"ID3\x03\0\0\0\0\0\0")),
        ("tags of iTunes", "m4a", Read::NoSound, m4a(&empty, &tags(&many(&item)), b"")),
        ("tracks", "m4a", Read::TooMany, m4a(&empty, &many(&track), b"")),
        ("sizes", "m4a", Read::NoSound, table_m4a(b"stsz", &[0; 4], &[0, 0, 0, 9], &empty)),
        ("chunks", "m4a", Read::NoSound, table_m4a(b"stco", b"", &[0, 0, 1, 0], &empty)),
        ("times", "m4a", Read::NoSound, table_m4a(b"stts", b"", &[0, 0, 0, 1, 0, 0, 4, 0], &empty)),
        ("fragments", "m4a", Read::Sound(None), m4a(&empty, &extends, &fragments)),
    ]
}

#[test]
fn many_small_things_take_no_memory() {
    let mut wrong = Vec::new();
    for (name, extension, expected, bytes) in files() {
        MEMORY.reset_peak_usage();
        let (before, begun) = (MEMORY.current_usage(), std::time::Instant::now());
        let found = analyse(Box::new(Cursor::new(bytes.as_slice())), extension, &mut || true);
        let taken = MEMORY.peak_usage().saturating_sub(before);
        if !expected.is(&found) {
            wrong.push(format!("{name} ({extension}): {found:?}, not {expected:?}"));
        }
        let found = found.map(|found| found.milliseconds);
        println!("{name} ({extension}): {} KiB, {:?}, {found:?}", taken / 1024, begun.elapsed());
        if taken > BYTES_MAX {
            wrong.push(format!("{name} ({extension}): {taken} bytes"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}
