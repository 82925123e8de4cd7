//! JPEG (ITU-T T.81 annex B): without application segments but those that say how colours are meant, and without comments.

use super::Stripped;

const PROFILE: &[u8] = b"ICC_PROFILE\0";
const EXIF: &[u8] = b"Exif\0\0";

pub(super) fn strip<'a>(bytes: &'a [u8], kept: &mut Stripped<'a>) -> Option<()> {
    kept.keep(bytes.get(..2)?);
    let mut at = 2;
    let mut scanned = false;
    loop {
        // Any number of fill bytes may come before a marker.
        if *bytes.get(at)? != 0xff {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        match marker {
            0xff => at += 1,
            0xd9 => {
                kept.keep(&[0xff, 0xd9]);
                return Some(());
            }
            _ => {
                let length = usize::from(u16::from_be_bytes([*bytes.get(at + 2)?, *bytes.get(at + 3)?]));
                let segment = bytes.get(at..at + 2 + length)?;
                let data = segment.get(4..)?;
                at += segment.len();
                match marker {
                    // Profiles are read from the head alone.
                    0xe2 if data.starts_with(PROFILE) && !scanned => kept.keep_profile(segment),
                    0xe1 => {
                        if let Some(exif) = data.strip_prefix(EXIF) {
                            kept.note_exif(exif);
                        }
                    }
                    0xe2..=0xed | 0xef | 0xfe => {}
                    _ => kept.keep(segment),
                }
                if marker == 0xda {
                    scanned = true;
                    let scan = scan(bytes.get(at..)?)?;
                    kept.keep(scan);
                    at += scan.len();
                }
            }
        }
    }
}

/// Coded data up to the next marker; restart markers and coded 0xff are part of it.
fn scan(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes
        .windows(2)
        .position(|pair| matches!(pair, [0xff, next] if !matches!(*next, 0x00 | 0xd0..=0xd7 | 0xff)))?;
    bytes.get(..end)
}

/// The profile in numbered segments (ICC.1 annex B.4).
pub(super) fn profile(segments: &[&[u8]]) -> Option<Vec<u8>> {
    let mut parts = Vec::with_capacity(segments.len());
    for segment in segments {
        let [number, count, data @ ..] = segment.get(4 + PROFILE.len()..)? else { return None };
        if usize::from(*count) != segments.len() {
            return None;
        }
        parts.push((*number, data));
    }
    parts.sort_by_key(|(number, _)| *number);
    let in_order = parts.iter().zip(1..).all(|((number, _), expected)| *number == expected);
    (in_order && !parts.is_empty()).then(|| parts.into_iter().flat_map(|(_, data)| data).copied().collect())
}
