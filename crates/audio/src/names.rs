//! Reads title and album from a file's tags.

use std::{io, ops::Range};

use crate::{
    kinds::{Flac, Layout, Wave},
    mp4,
    source::Source,
    tag,
};

/// Bytes of tags that are looked through, at most: names come before pictures.
const BYTES_MAX: usize = 64 * 1024;
const LONGEST: usize = 4096;

/// Title and album as stored in the tags, cut to some thousand bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    pub title: Option<String>,
    pub album: Option<String>,
}

/// The names of a file whose sound lies like that. Where a file has several tags, the newer ones come first: old ones cut names short.
pub fn names(source: &Source<'_>, layout: &Layout<'_>) -> io::Result<Names> {
    Ok(match layout {
        Layout::Wave(Wave { names: Some(list), .. }) => of_list(&source.up_to(length(list), list.start)?),
        Layout::Flac(Flac { comments: Some(block), .. }) => {
            of_comments(&source.up_to(length(block), block.start)?).unwrap_or_default()
        }
        Layout::Wave(_) | Layout::Flac(_) => Names::default(),
        Layout::Mp3(_) => of_frames(&source.up_to(BYTES_MAX, 0)?).or(of_old_tag(source)?),
        Layout::Mp4(_) => Names {
            title: mp4::tag(source, *b"\xa9nam", LONGEST)?.map(|text| utf8(&text)),
            album: mp4::tag(source, *b"\xa9alb", LONGEST)?.map(|text| utf8(&text)),
        },
    })
}

fn length(place: &Range<u64>) -> usize {
    usize::try_from(place.end.saturating_sub(place.start)).unwrap_or(BYTES_MAX).min(BYTES_MAX)
}

impl Names {
    fn or(self, other: Self) -> Self {
        Self { title: self.title.or(other.title), album: self.album.or(other.album) }
    }
}

/// Those of a list of a WAVE file (Multimedia Programming Interface and Data Specifications 1.0, chapter 2).
fn of_list(mut bytes: &[u8]) -> Names {
    let mut names = Names::default();
    while let Some((&[a, b, c, d, size @ ..], rest)) = bytes.split_first_chunk::<8>() {
        let size = usize::try_from(u32::from_le_bytes(size)).unwrap_or(usize::MAX);
        let value = rest.get(..size).unwrap_or(rest);
        match &[a, b, c, d] {
            b"INAM" => names.title = Some(utf8(value)),
            b"IPRD" => names.album = Some(utf8(value)),
            _ => {}
        }
        // Each begins at an even place.
        bytes = rest.get(size.saturating_add(size % 2)..).unwrap_or_default();
    }
    names
}

/// Those of a comment block (RFC 9639, section 8.6).
fn of_comments(bytes: &[u8]) -> Option<Names> {
    let mut names = Names::default();
    let (_, rest) = field(bytes)?;
    let (_, mut rest) = rest.split_first_chunk::<4>()?;
    while let Some((comment, behind)) = field(rest) {
        rest = behind;
        let Some(parts) = comment.iter().position(|byte| *byte == b'=') else { continue };
        let (key, value) = (&comment[..parts], &comment[parts + 1..]);
        if key.eq_ignore_ascii_case(b"TITLE") {
            names.title.get_or_insert_with(|| utf8(value));
        } else if key.eq_ignore_ascii_case(b"ALBUM") {
            names.album.get_or_insert_with(|| utf8(value));
        }
    }
    Some(names)
}

/// Splits off a field that is preceded by its length in four bytes.
fn field(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (size, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(usize::try_from(u32::from_le_bytes(*size)).ok()?)
}

/// Those of the frames of a tag in front of the sound (`ID3v2`, all its versions).
fn of_frames(head: &[u8]) -> Names {
    let Some((&[b'I', b'D', b'3', version, _, flags, size @ ..], tag)) = head.split_first_chunk::<10>()
    else {
        return Names::default();
    };
    let tag = tag.get(..frame_size(size, 4)).unwrap_or(tag);
    // Zeros were put between bytes that could be taken for sound; of the latest version, frame by frame.
    let restored;
    let mut rest = if flags & 0x80 != 0 && version < 4 {
        restored = synchronised(tag);
        restored.as_slice()
    } else {
        tag
    };
    if flags & 0x40 != 0 && version > 2 {
        let size = rest.first_chunk().map_or(0, |size| frame_size(*size, version));
        // Of the latest version with its own four bytes.
        rest = rest.get(size + if version == 3 { 4 } else { 0 }..).unwrap_or_default();
    }
    let mut names = Names::default();
    while let Some(frame) = Frame::read(rest, version) {
        rest = frame.behind;
        let name = match &frame.id {
            b"TT2 " | b"TIT2" => &mut names.title,
            b"TAL " | b"TALB" => &mut names.album,
            // The rest is padding.
            [0, ..] => break,
            _ => continue,
        };
        // Packed and locked ones say nothing here.
        if name.is_none() && frame.flags & 0xcc == 0 {
            *name = frame_text(frame.content, frame.flags, version);
        }
    }
    names
}

struct Frame<'a> {
    id: [u8; 4],
    flags: u8,
    content: &'a [u8],
    behind: &'a [u8],
}

impl<'a> Frame<'a> {
    fn read(bytes: &'a [u8], version: u8) -> Option<Self> {
        let (id, size, flags, behind) = if version == 2 {
            let (head, behind) = bytes.split_first_chunk::<6>()?;
            ([head[0], head[1], head[2], b' '], [0, head[3], head[4], head[5]], 0, behind)
        } else {
            let (head, behind) = bytes.split_first_chunk::<10>()?;
            let size = [head[4], head[5], head[6], head[7]];
            ([head[0], head[1], head[2], head[3]], size, head[9], behind)
        };
        let (content, behind) = behind.split_at_checked(frame_size(size, version))?;
        Some(Self { id, flags, content, behind })
    }
}

fn frame_size(size: [u8; 4], version: u8) -> usize {
    let bits = if version < 4 { 8 } else { 7 };
    size.iter().fold(0, |all, byte| all << bits | usize::from(*byte))
}

fn synchronised(bytes: &[u8]) -> Vec<u8> {
    let mut before = 0;
    let mut kept = Vec::with_capacity(bytes.len());
    for byte in bytes {
        if (before, *byte) != (0xff, 0) {
            kept.push(*byte);
        }
        before = *byte;
    }
    kept
}

fn frame_text(frame: &[u8], flags: u8, version: u8) -> Option<String> {
    // Of the latest version a frame may have its length once more, and zeros as above.
    let frame = if version == 4 && flags & 1 != 0 { frame.get(4..)? } else { frame };
    let frame = &frame[..frame.len().min(LONGEST)];
    let restored;
    let frame = if version == 4 && flags & 2 != 0 {
        restored = synchronised(frame);
        restored.as_slice()
    } else {
        frame
    };
    let (encoding, text) = frame.split_first()?;
    Some(match (encoding, text) {
        (0, text) => latin1(text),
        (1, [0xff, 0xfe, text @ ..]) => utf16(text, u16::from_le_bytes),
        (1, [0xfe, 0xff, text @ ..]) | (1 | 2, text) => utf16(text, u16::from_be_bytes),
        (_, text) => utf8(text),
    })
}

/// Those of the tag behind the sound, which has thirty bytes for each (`ID3v1`).
fn of_old_tag(source: &Source<'_>) -> io::Result<Names> {
    let Some(tag) = tag::old(source)? else { return Ok(Names::default()) };
    let name =
        |at: usize| Some(latin1(&tag[at..at + 30]).trim_end().to_owned()).filter(|name| !name.is_empty());
    Ok(Names { title: name(3), album: name(63) })
}

/// A text ends at the first NUL.
fn utf8(bytes: &[u8]) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned()
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair)).take_while(|unit| *unit != 0);
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(version: u8, flags: u8, frames: &[u8]) -> Names {
        let size = u8::try_from(frames.len()).unwrap();
        of_frames(&[b"ID3", &[version, 0, flags, 0, 0, 0, size][..], frames, b"\xff\xfb\x90\0"].concat())
    }

    #[test]
    fn names_of_every_version_are_read() {
        let title = |title: &str| Names { title: Some(title.to_owned()), album: None };
        for (version, flags, frames, expected) in [
            (2, 0, b"TT2\0\0\x05\0Gr\xfcn".as_slice(), title("Gr\u{fc}n")),
            (3, 0, b"TPE1\0\0\0\x02\0\0\0aTIT2\0\0\0\x02\0\0\0b".as_slice(), title("b")),
            (3, 0x80, b"TIT2\0\0\0\x05\0\0\x01\xff\0\xfea\0".as_slice(), title("a")),
            (3, 0x40, b"\0\0\0\x06\0\0\0\0\0\0TIT2\0\0\0\x02\0\0\0b".as_slice(), title("b")),
            (4, 0, b"TIT2\0\0\0\x04\0\0\x03\xc3\xbc\0".as_slice(), title("\u{fc}")),
            (4, 0, b"TIT2\0\0\0\x06\0\x01\0\0\0\x02\0b".as_slice(), title("b")),
            (4, 0, b"TIT2\0\0\0\x03\0\x08xyz".as_slice(), Names::default()),
            (3, 0, b"\0\0\0\0\0\0\0\0\0\0\0".as_slice(), Names::default()),
            (4, 0, b"TIT2\x7f\x7f\x7f\x7f\0\0\0b".as_slice(), Names::default()),
        ] {
            assert_eq!(of(version, flags, frames), expected, "{version} {flags} {frames:?}");
        }
    }

    #[test]
    fn the_old_tag_is_read_where_no_other_is() -> io::Result<()> {
        let mut file = vec![0; 300];
        file[172..].fill(b' ');
        file[172..180].copy_from_slice(b"TAGGr\xfcn\0");
        let file = file.as_slice();
        let found = names(&Source::new(&file, 300), &Layout::Mp3(0))?;
        assert_eq!(found, Names { title: Some("Gr\u{fc}n".to_owned()), album: None });
        Ok(())
    }
}
