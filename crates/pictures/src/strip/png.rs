//! PNG: up to its last chunk, with the chunks of [`KEPT`] alone.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use rules::image::PROFILE_MAX_BYTES;

use super::Stripped;

/// Chunks that say what a picture looks like, and how it moves.
const KEPT: [&[u8; 4]; 16] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"cICP", b"sBIT", b"bKGD",
    b"pHYs", b"acTL", b"fcTL", b"fdAT", b"hIST",
];

pub(super) fn strip<'a>(bytes: &'a [u8], kept: &mut Stripped<'a>) -> Option<()> {
    kept.keep(bytes.get(..8)?);
    let mut at = 8;
    loop {
        let head = bytes.get(at..at + 8)?;
        let length = usize::try_from(u32::from_be_bytes(*head.first_chunk()?)).ok()?;
        let chunk = bytes.get(at..at.checked_add(length)?.checked_add(12)?)?;
        at += chunk.len();
        let kind = head.last_chunk::<4>()?;
        match kind {
            b"iCCP" if kept.profile.is_empty() => kept.keep_profile(chunk),
            b"eXIf" => kept.note_exif(chunk.get(8..8 + length)?),
            b"acTL" => kept.moving = true,
            _ => {}
        }
        if KEPT.contains(&kind) {
            kept.keep(chunk);
        }
        if kind == b"IEND" {
            return Some(());
        }
    }
}

/// The profile of a chunk: its name, a zero, how it is packed, and the packed bytes. Of one that is too long, a byte too many.
pub(super) fn profile(chunk: &[u8]) -> Option<Vec<u8>> {
    let data = chunk.get(8..chunk.len().checked_sub(4)?)?;
    let name = data.iter().take(80).position(|byte| *byte == 0)?;
    let [0, packed @ ..] = data.get(name + 1..)? else { return None };
    let mut profile = Vec::new();
    ZlibDecoder::new(packed).take(PROFILE_MAX_BYTES + 1).read_to_end(&mut profile).ok()?;
    Some(profile)
}
