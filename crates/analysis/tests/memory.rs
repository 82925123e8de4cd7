//! Files of ten megabytes that consist of small items only (notes, comments, tags, boxes, tables or fragments) are measured
//! with ordinary memory.

#![expect(clippy::expect_used, reason = "a test")]

use std::io::Cursor;

use deadwax_analysis::analyse;
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

fn flac(kind: u8, blocks: &[u8]) -> Vec<u8> {
    let info = b"\x10\0\x10\0\0\0\0\0\0\0\x0a\xc4\x42\xf0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    let (head, end) = ([&[0][..], &be(info.len())[1..], info].concat(), [0x81, 0, 0, 0]);
    let block = |data: &[u8]| [&[kind][..], &be(data.len())[1..], data].concat();
    [b"fLaC", &*head, &block(blocks), &end].concat()
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

fn table(kind: &[u8], head: &[u8], entry: &[u8]) -> Vec<u8> {
    let count = SIZE / entry.len();
    boxed(kind, &[&[0; 4], head, &be(count), &entry.repeat(count)].concat())
}

fn fragment(number: usize) -> Vec<u8> {
    let run = boxed(b"trun", &[&[0, 0, 2, 1][..], &be(1), &be(80), &be(6)].concat());
    let part = boxed(b"traf", &[boxed(b"tfhd", &[&[0, 2, 0, 0][..], &be(1)].concat()), run].concat());
    let head = boxed(b"mfhd", &[be(0), be(number)].concat());
    [boxed(b"moof", &[head, part].concat()), boxed(b"mdat", &[0x21, 0x10, 4, 0x60, 0x8c, 0x1c])].concat()
}

fn files() -> Vec<(&'static str, &'static str, Vec<u8>)> {
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
    let application = [&[2][..], &be(4)[1..], b"abcd"].concat();
    vec![
        ("lists of one name", "wav", wave(&many(&info))),
        ("empty lists", "wav", wave(&many(&chunk(b"LIST", b"INFO")))),
        (
            "one list of many names",
            "wav",
            wave(&chunk(b"LIST", &[b"INFO", &*many(b"INAM\x02\0\0\0a\0")].concat())),
        ),
        ("small chunks", "wav", wave(&many(&chunk(b"junk", b"ab")))),
        ("comments", "flac", flac(4, &comments)),
        ("places to seek", "flac", flac(3, &many(&[7; 18]))),
        ("small blocks", "flac", [b"fLaC".to_vec(), many(&application)].concat()),
        ("texts", "mp3", tag(&many(&frame(b"TXXX")))),
        ("titles", "mp3", tag(&many(&frame(b"TIT2")))),
        ("small tags", "mp3", many(b"ID3\x03\0\0\0\0\0\0")),
        ("tags of iTunes", "m4a", m4a(&empty, &tags(&many(&item)), b"")),
        ("tracks", "m4a", m4a(&empty, &many(&track), b"")),
        ("sizes", "m4a", m4a(&[table(b"stsz", &[0; 4], &[0, 0, 0, 9]), empty.clone()].concat(), b"", b"")),
        ("chunks", "m4a", m4a(&[table(b"stco", b"", &[0, 0, 1, 0]), empty.clone()].concat(), b"", b"")),
        (
            "times",
            "m4a",
            m4a(&[table(b"stts", b"", &[0, 0, 0, 1, 0, 0, 4, 0]), empty.clone()].concat(), b"", b""),
        ),
        ("fragments", "m4a", m4a(&empty, &extends, &fragments)),
    ]
}

#[test]
fn many_small_things_take_no_memory() {
    let mut wrong = Vec::new();
    for (name, extension, bytes) in files() {
        MEMORY.reset_peak_usage();
        let (before, begun) = (MEMORY.current_usage(), std::time::Instant::now());
        let found = analyse(Box::new(Cursor::new(bytes.as_slice())), extension, &mut || true);
        let taken = MEMORY.peak_usage().saturating_sub(before);
        let found = found.map(|found| found.milliseconds);
        println!("{name} ({extension}): {} KiB, {:?}, {found:?}", taken / 1024, begun.elapsed());
        if taken > BYTES_MAX {
            wrong.push(format!("{name} ({extension}): {taken} bytes"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}
