//! M4A files: the ISO base media format (ISO/IEC 14496-12) with a brand of sound, and no pictures that move.
//!
//! The same brands are used for films, so the tracks are looked at where the file lists them.

use std::{io, ops::Range};

use super::source::Source;

/// Brands of files with sound alone, or with anything.
const BRANDS: [&[u8; 4]; 4] = [b"M4A ", b"M4B ", b"mp42", b"isom"];
/// Boxes looked at, at most: a film in fragments has thousands, and lists its tracks before them.
const MOST_BOXES: usize = 2000;

/// Whether it begins with one of the brands, and lists no film and not only silence.
pub(super) fn is_audio(source: &Source) -> io::Result<bool> {
    let Some(head) = source.bytes::<12>(0)? else { return Ok(false) };
    let brand = &head[8..];
    if !head[4..].starts_with(b"ftyp") || !BRANDS.iter().any(|known| brand == known.as_slice()) {
        return Ok(false);
    }
    let mut found = Found::default();
    walk(source, 0..source.length, &[b"moov", b"trak", b"mdia", b"hdlr"], &mut found)?;
    Ok(!found.film && (found.sound || !found.track))
}

/// What the tracks are of.
#[derive(Debug, Default)]
struct Found {
    track: bool,
    sound: bool,
    film: bool,
    boxes: usize,
}

/// Walks the boxes within `range`, into those of the first kind of `path` and so on. Ends at the first box that is none.
fn walk(source: &Source, range: Range<u64>, path: &[&[u8; 4]], found: &mut Found) -> io::Result<()> {
    let Some((wanted, inner)) = path.split_first() else { return Ok(()) };
    let mut offset = range.start;
    while offset < range.end && found.boxes < MOST_BOXES {
        found.boxes += 1;
        let Some([a, b, c, d, kind @ ..]) = source.bytes::<8>(offset)? else { return Ok(()) };
        let (header, size) = match u32::from_be_bytes([a, b, c, d]) {
            0 => (8, range.end - offset),
            1 => match source.bytes(offset + 8)? {
                Some(size) => (16, u64::from_be_bytes(size)),
                None => return Ok(()),
            },
            size => (8, u64::from(size)),
        };
        if size < header || size > range.end - offset {
            return Ok(());
        }
        if kind == **wanted && inner.is_empty() {
            // Behind version, flags and four bytes that are always zero.
            let handler = source.bytes::<4>(offset + header + 8)?;
            found.track = true;
            found.sound |= handler == Some(*b"soun");
            found.film |= handler == Some(*b"vide");
        } else if kind == **wanted {
            walk(source, offset + header..offset + size, inner, found)?;
        }
        offset += size;
    }
    Ok(())
}
