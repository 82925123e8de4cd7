use std::io::{Cursor, Write as _};

use flate2::{Compression, write::ZlibEncoder};
use image::{DynamicImage, Rgb, RgbImage};

use super::*;
use crate::made;

fn packed(format: ImageFormat) -> Vec<u8> {
    let shade = |place: u32| u8::try_from(6 * place).unwrap();
    let picture = RgbImage::from_fn(40, 30, |x, y| Rgb([shade(x), shade(y), 90]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(picture).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn kept(bytes: &[u8], format: ImageFormat) -> Option<Vec<u8>> {
    strip(bytes, format).map(|stripped| stripped.bytes)
}

fn same_picture(one: &[u8], other: &[u8]) {
    assert_eq!(image::load_from_memory(one).unwrap(), image::load_from_memory(other).unwrap());
}

fn with(bytes: &[u8], at: usize, inserted: &[u8]) -> Vec<u8> {
    [&bytes[..at], inserted, &bytes[at..], b"<script>"].concat()
}

#[test]
fn a_jpeg_keeps_its_picture_alone() {
    let plain = packed(ImageFormat::Jpeg);
    let noted = with(&plain, 2, b"\xff\xe1\0\x08Exif\0\0\xff\xfe\0\x05abc\xff\xed\0\x04ab\xff\xe2\0\x04ab");
    assert_eq!(kept(&noted, ImageFormat::Jpeg).unwrap(), plain);
    for length in 0..plain.len() - 1 {
        assert!(
            kept(&plain[..length], ImageFormat::Jpeg).is_none_or(|kept| kept.len() <= length),
            "{length}"
        );
    }
}

#[test]
fn a_jpeg_keeps_no_smaller_picture() {
    let plain = packed(ImageFormat::Jpeg);
    let (head, rest) = plain.split_at(20);
    assert_eq!(&head[2..11], b"\xff\xe0\0\x10JFIF\0");
    // Two pixels in its head, one in an extension of it, and bytes behind what the channels are.
    let mut noted = head.to_vec();
    noted[5] = 16 + 6;
    noted[18..].copy_from_slice(&[2, 1]);
    noted.extend([9; 6]);
    noted.extend(b"\xff\xe0\0\x0dJFXX\0\x13\x01\x01\x09\x09\x09");
    noted.extend(b"\xff\xee\0\x10Adobe\0\x64\0\0\0\0\x01ab\xff\xee\0\x07other");
    noted.extend(rest);
    let kept = kept(&noted, ImageFormat::Jpeg).unwrap();
    assert_eq!(kept, [head, &made::adobe(1), rest].concat());
    same_picture(&kept, &plain);
}

#[test]
fn a_png_keeps_its_picture_alone() {
    let plain = packed(ImageFormat::Png);
    let noted = with(&plain, 33, b"\0\0\0\x04tEXta\0bc\0\0\0\0\0\0\0\x02eXIfMM\0\0\0\0");
    assert_eq!(kept(&noted, ImageFormat::Png).unwrap(), plain);
    for length in 0..plain.len() {
        assert_eq!(kept(&plain[..length], ImageFormat::Png), None, "{length}");
    }
    assert_eq!(kept(&with(&plain, 33, b"\xff\xff\xff\xfftEXt"), ImageFormat::Png), None);
}

#[test]
fn a_webp_keeps_its_picture_alone() {
    let plain = packed(ImageFormat::WebP);
    let mut noted = plain.clone();
    noted.extend(b"EXIF\x03\0\0\0MM*\0XMP \x02\0\0\0<x");
    let length = u32::try_from(noted.len() - 8).unwrap().to_le_bytes();
    noted[4..8].copy_from_slice(&length);
    noted.extend(b"<script>");
    let kept_of_it = kept(&noted, ImageFormat::WebP).unwrap();
    assert_eq!(kept_of_it, plain);
    same_picture(&kept_of_it, &plain);
    assert_eq!(kept(&plain[..plain.len() - 4], ImageFormat::WebP), None);
}

#[test]
fn a_gif_keeps_its_frames_alone() {
    let plain = packed(ImageFormat::Gif);
    let longer = [plain.as_slice(), b"<script>"].concat();
    let stripped = strip(&longer, ImageFormat::Gif).unwrap();
    assert_eq!((stripped.frames, stripped.moving), (1, false));
    same_picture(&stripped.bytes, &plain);
    assert!(!stripped.bytes.windows(7).any(|window| window == b"<script"));
    let noted = [&plain[..plain.len() - 1], b"\x21\xfe\x03abc\0\x3b"].concat();
    assert_eq!(kept(&noted, ImageFormat::Gif).unwrap(), stripped.bytes);
    for length in 0..plain.len() - 1 {
        assert_eq!(kept(&plain[..length], ImageFormat::Gif), None, "{length}");
    }
}

#[test]
fn a_profile_is_read_and_can_be_taken_out() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let plain = packed(format);
        let profile = vec![7; 70_001];
        let labelled = made::labelled(&plain, format, &profile);
        let mut stripped = strip(&labelled, format).unwrap();
        assert_eq!(stripped.bytes, labelled, "{format:?}");
        assert_eq!(stripped.profile().unwrap(), profile, "{format:?}");
        stripped.remove_profile();
        same_picture(&stripped.bytes, &plain);
        assert_eq!(strip(&stripped.bytes, format).unwrap().profile(), None, "{format:?}");
        assert!(stripped.bytes.len() < labelled.len() - 50, "{format:?}");
    }
}

#[test]
fn a_profile_is_unpacked_as_far_as_one_may_reach() {
    let most = usize::try_from(PROFILE_MAX_BYTES).unwrap();
    let plain = packed(ImageFormat::Png);
    for (length, is_read) in [(most, true), (most + 1, false), (200 << 20, false)] {
        let labelled = made::labelled(&plain, ImageFormat::Png, &vec![0; length]);
        assert_eq!(strip(&labelled, ImageFormat::Png).unwrap().profile().is_some(), is_read, "{length}");
    }
    let mut damaged = ZlibEncoder::new(Vec::new(), Compression::fast());
    damaged.write_all(&[1; 4000]).unwrap();
    let damaged = [b"name\0\0", &damaged.finish().unwrap()[..20]].concat();
    let labelled = [&plain[..33], &made::chunk(*b"iCCP", &damaged), &plain[33..]].concat();
    assert_eq!(strip(&labelled, ImageFormat::Png).unwrap().profile(), None);
}

#[test]
fn a_profile_in_pieces_that_do_not_fit_is_none() {
    let segment =
        |number: u8, count: u8| [b"\xff\xe2\0\x12ICC_PROFILE\0".as_slice(), &[number, count], b"ab"].concat();
    let plain = packed(ImageFormat::Jpeg);
    for (pieces, read) in [
        (vec![segment(2, 2), segment(1, 2)], true),
        (vec![segment(1, 2)], false),
        (vec![segment(1, 2), segment(1, 2)], false),
        (vec![segment(0, 1)], false),
        (vec![segment(1, 1), segment(2, 1)], false),
    ] {
        let labelled = [&plain[..2], &pieces.concat(), &plain[2..]].concat();
        let profile = strip(&labelled, ImageFormat::Jpeg).unwrap().profile();
        assert_eq!(profile, read.then(|| b"abab".to_vec()), "{pieces:?}");
    }
}
