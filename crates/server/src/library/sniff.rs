//! The type of a file by its first bytes: pictures, and videos stored as sent.

use deadwax_pictures as pictures;
use rules::image::PIXELS_MAX;

/// Brands of MP4 videos (ISO/IEC 14496-12 §4.3).
const MP4_BRANDS: [&[u8; 4]; 10] =
    [b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V "];
const AVIF_BRANDS: [&[u8; 4]; 2] = [b"avif", b"avis"];

/// The media type of accepted files.
pub fn media_type(head: &[u8]) -> Option<&'static str> {
    if let Some(known) = pictures::media_type(head) {
        return Some(known);
    }
    match brand(head) {
        Some(brand) if AVIF_BRANDS.contains(&brand) => Some("image/avif"),
        Some(brand) if MP4_BRANDS.contains(&brand) => Some("video/mp4"),
        _ if head.starts_with(b"OggS\0") => Some("video/ogg"),
        _ if is_webm(head) => Some("video/webm"),
        _ => None,
    }
}

fn brand(head: &[u8]) -> Option<&[u8; 4]> {
    (head.get(4..8)? == b"ftyp").then(|| head.get(8..12)?.first_chunk()).flatten()
}

/// EBML (RFC 8794) whose header says `webm`.
fn is_webm(head: &[u8]) -> bool {
    head.starts_with(b"\x1a\x45\xdf\xa3") && head.windows(7).take(64).any(|part| part == b"\x42\x82\x84webm")
}

/// The size of an AVIF picture by its header (property `ispe`); none if missing or too large.
pub fn avif_dimensions(head: &[u8]) -> Option<(u32, u32)> {
    let at = head.windows(4).position(|part| part == b"ispe")?;
    let number = |at: usize| Some(u32::from_be_bytes(*head.get(at..at + 4)?.first_chunk()?));
    let (width, height) = (number(at + 8)?, number(at + 12)?);
    let pixels = u64::from(width) * u64::from(height);
    (head.windows(4).any(|part| part == b"meta") && (1..=PIXELS_MAX).contains(&pixels))
        .then_some((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_by_the_first_bytes() {
        let webm = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm";
        for (head, known) in [
            (&b"\0\0\0\x20ftypisom"[..], Some("video/mp4")),
            (b"\0\0\0\x20ftypM4V ", Some("video/mp4")),
            (b"\0\0\0\x20ftypM4A ", None),
            (b"\0\0\0\x20ftypqt  ", None),
            (b"\0\0\0\x20ftypavif", Some("image/avif")),
            (b"OggS\0\x02", Some("video/ogg")),
            (webm, Some("video/webm")),
            (b"\x1a\x45\xdf\xa3\x42\x82\x88matroska", None),
            (b"<svg xmlns", None),
            (b"<!doctype html>", None),
            (b"MZ\x90", None),
            (b"", None),
        ] {
            assert_eq!(media_type(head), known, "{head:?}");
        }
    }

    #[test]
    fn the_default_background_has_its_size_in_its_header() {
        let hero = include_bytes!("../../assets/hero-default.avif");
        assert_eq!(media_type(hero), Some("image/avif"));
        assert_eq!(avif_dimensions(&hero[..4096]), Some((1600, 1000)));
        assert_eq!(avif_dimensions(b"\0\0\0\x20ftypavif"), None);
    }
}
