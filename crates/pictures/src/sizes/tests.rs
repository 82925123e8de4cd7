use std::io::{Cursor, Write as _};

use image::{
    Delay, Frame, ImageEncoder as _, ImageFormat, ImageReader, Rgb, Rgba,
    codecs::{gif::GifEncoder, png::PngEncoder},
};

use super::*;

fn made(bytes: &[u8]) -> Sizes {
    make_sizes(bytes, &|| false).unwrap()
}

fn widths(sizes: &Sizes) -> Vec<(u32, u32)> {
    sizes.sizes.iter().map(|size| (size.width, size.height)).collect()
}

/// Both files of a size, opened.
fn opened(size: &Size) -> [RgbaImage; 2] {
    let (avif, profile) = open_avif(&size.avif).unwrap();
    assert!(profile.is_none());
    let both = [avif.into_rgba8(), image::load_from_memory(&size.fallback).unwrap().into_rgba8()];
    for picture in &both {
        assert_eq!(picture.dimensions(), (size.width, size.height));
    }
    both
}

/// That a pixel of both files, its place given in parts of a hundred, is about so.
fn shows(size: &Size, (x, y): (u32, u32), expected: [u8; 4]) {
    for picture in opened(size) {
        let pixel = picture.get_pixel(size.width * x / 100, size.height * y / 100).0;
        let off = pixel.iter().zip(expected).map(|(one, other)| one.abs_diff(other)).max().unwrap();
        assert!(off <= 12, "{}: {pixel:?} instead of {expected:?}", size.width);
    }
}

fn packed(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Left third red, the next green, the last blue, and the lower half darker.
fn flag(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let strong = if y < height / 2 { 250 } else { 120 };
        let mut pixel = [10; 3];
        pixel[(x * 3 / width) as usize] = strong;
        Rgb(pixel)
    })
}

fn shows_flag(size: &Size) {
    for (x, channel) in [(16, 0), (50, 1), (84, 2)] {
        for (y, strong) in [(25, 250), (75, 120)] {
            let mut pixel = [10, 10, 10, 255];
            pixel[channel] = strong;
            shows(size, (x, y), pixel);
        }
    }
}

#[test]
fn a_camera_picture_is_made_in_every_width() {
    let bytes = packed(flag(4000, 3000), ImageFormat::Jpeg);
    let sizes = made(&bytes);
    assert_eq!(widths(&sizes), [(320, 240), (640, 480), (960, 720), (1280, 960)]);
    assert_eq!((sizes.fallback, sizes.moving), ("jpg", false));
    sizes.sizes.iter().for_each(shows_flag);
}

#[test]
fn no_size_is_wider_than_the_picture() {
    for (width, expected) in [
        (1, &[1][..]),
        (8, &[8]),
        (319, &[319]),
        (320, &[320]),
        (399, &[320]),
        (400, &[320, 400]),
        (1000, &[320, 640, 960]),
        (1200, &[320, 640, 960, 1200]),
        (1280, &[320, 640, 960, 1280]),
        (9000, &[320, 640, 960, 1280]),
    ] {
        let found: Vec<u32> = dimensions((width, width)).into_iter().map(|(width, _)| width).collect();
        assert_eq!(found, expected, "{width}");
    }
    assert_eq!(dimensions((4000, 8000)).len(), 3, "the widest would be too many pixels");
    assert_eq!(dimensions((320, 50_000)), []);
    for edge in [1, 8] {
        let sizes = made(&packed(flag(edge, edge), ImageFormat::Png));
        assert_eq!(widths(&sizes), [(edge, edge)]);
        opened(&sizes.sizes[0]);
    }
}

#[test]
fn what_is_transparent_stays_so_and_does_not_shine() {
    // A white disc; what lies under the transparent ground around it is green.
    let picture = RgbaImage::from_fn(700, 700, |x, y| {
        let (x, y) = (x.abs_diff(350), y.abs_diff(350));
        if x * x + y * y < 200 * 200 { Rgba([255; 4]) } else { Rgba([0, 255, 0, 0]) }
    });
    let sizes = made(&packed(picture, ImageFormat::Png));
    assert_eq!((sizes.fallback, widths(&sizes)), ("webp", vec![(320, 320), (640, 640)]));
    for size in &sizes.sizes {
        shows(size, (50, 50), [255; 4]);
        for picture in opened(size) {
            assert!(picture.get_pixel(4, 4).0[3] < 4);
            // On any ground: what of the green would be seen, at its strongest.
            let shine =
                |pixel: &Rgba<u8>| (i32::from(pixel[1]) - i32::from(pixel[0])) * i32::from(pixel[3]) / 255;
            let strongest = picture.pixels().map(shine).max().unwrap();
            assert!(strongest <= 12, "{}: {strongest}", size.width);
        }
    }
    let opaque = DynamicImage::ImageRgb8(flag(400, 300)).to_rgba8();
    assert_eq!(made(&packed(opaque, ImageFormat::Png)).fallback, "jpg", "nothing of it is transparent");
}

#[test]
fn a_film_has_sizes_of_its_first_frame() {
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new_with_speed(&mut bytes, 30);
    let frame = |colour| {
        let picture = RgbaImage::from_pixel(400, 300, Rgba(colour));
        Frame::from_parts(picture, 0, 0, Delay::from_numer_denom_ms(40, 1))
    };
    encoder.encode_frames([[250, 0, 0, 255], [0, 0, 250, 255]].map(frame)).unwrap();
    drop(encoder);
    let sizes = made(&bytes);
    assert_eq!((sizes.moving, sizes.fallback), (true, "jpg"));
    assert_eq!(widths(&sizes), [(320, 240), (400, 300)]);
    sizes.sizes.iter().for_each(|size| shows(size, (50, 50), [250, 0, 0, 255]));
    assert!(!made(&packed(DynamicImage::ImageRgb8(flag(60, 60)).to_rgba8(), ImageFormat::Gif)).moving);
}

fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let checked = [&kind[..], data].concat();
    let crc = checked.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xedb8_8320 },
        )
    });
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length[..], &checked, &(!crc).to_be_bytes()].concat()
}

#[test]
fn a_png_that_moves_is_known_by_it() {
    let still = packed(flag(400, 300), ImageFormat::Png);
    assert!(!made(&still).moving);
    let control = chunk(*b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]);
    let sizes = made(&[&still[..33], &control, &still[33..]].concat());
    assert!(sizes.moving);
    shows_flag(&sizes.sizes[0]);
}

#[test]
fn colours_of_print_are_those_of_screens() {
    let sizes = made(include_bytes!("../../fixtures/cmyk.jpg"));
    assert_eq!(widths(&sizes), [(320, 160), (480, 240)]);
    for size in &sizes.sizes {
        for (x, colour) in [(16, [0, 255, 255, 255]), (50, [255, 55, 55, 255]), (84, [127, 127, 127, 255])] {
            shows(size, (x, 50), colour);
        }
    }
}

#[test]
fn a_picture_is_upright() {
    // A quarter turn to the right.
    let exif = b"\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let lying = DynamicImage::ImageRgb8(flag(300, 400)).rotate270().into_rgb8();
    let plain = packed(lying, ImageFormat::Jpeg);
    let sizes = made(&[&plain[..2], exif, &plain[2..]].concat());
    assert_eq!(widths(&sizes), [(300, 400)]);
    shows_flag(&sizes.sizes[0]);
}

#[test]
fn colours_are_what_the_pictures_profile_means() {
    let profile = ColorProfile::new_display_p3().encode().unwrap();
    let mut bytes = Vec::new();
    let mut encoder = PngEncoder::new(&mut bytes);
    encoder.set_icc_profile(profile).unwrap();
    let picture = RgbImage::from_pixel(320, 320, Rgb([200, 100, 60]));
    DynamicImage::ImageRgb8(picture).write_with_encoder(encoder).unwrap();
    // The same colour, by the matrices of both spaces.
    shows(&made(&bytes).sizes[0], (50, 50), [215, 93, 47, 255]);
}

#[test]
fn an_avif_has_sizes_too() {
    let hero = include_bytes!("../../../server/assets/hero-default.avif");
    let sizes = made(hero);
    assert_eq!(widths(&sizes), [(320, 200), (640, 400), (960, 600), (1280, 800)]);
    let small = image::load_from_memory(include_bytes!("../../../server/assets/hero-default-small.jpg"));
    let small = small.unwrap().into_rgb8();
    for picture in opened(&sizes.sizes[1]) {
        let off: u64 = picture
            .pixels()
            .zip(small.pixels())
            .map(|(one, other)| u64::from(one[0].abs_diff(other[0])))
            .sum();
        let mean = off / u64::from(small.width() * small.height());
        assert!(mean < 8, "{mean}");
    }
    // With transparency, by another road.
    let sizes = made(&packed(RgbaImage::from_pixel(330, 330, Rgba([0, 0, 250, 0])), ImageFormat::Png));
    let again = made(&sizes.sizes[0].avif);
    assert_eq!((again.fallback, widths(&again)), ("webp", vec![(320, 320)]));
    assert!(opened(&again.sizes[0]).iter().all(|picture| picture.get_pixel(160, 160).0[3] < 4));
}

/// A PNG of 50000 × 50000: seven gigabytes, black, in twenty kilobytes as far as they go.
fn bomb() -> Vec<u8> {
    let mut black = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    black.write_all(&vec![0; 20_000_000]).unwrap();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let header = b"\0\0\xc3\x50\0\0\xc3\x50\x08\x02\0\0\0".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", black.finish().unwrap()), (b"IEND", Vec::new())] {
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(&data);
        png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        png.extend(kind);
        png.extend(data);
        png.extend(crc.sum().to_be_bytes());
    }
    png
}

#[test]
fn bombs_and_rubbish_have_no_sizes() {
    let png = bomb();
    let hero = include_bytes!("../../../server/assets/hero-default.avif");
    // The same of an AVIF. The container's word is not believed; the picture's own header says 25600 × 639 here, by four more
    // bits for its width.
    let place = |sought: &[u8]| hero.windows(sought.len()).position(|part| part == sought).unwrap();
    let at = place(b"ispe");
    let mut claimed = hero.to_vec();
    claimed[at + 8..at + 16].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    assert_eq!(widths(&made(&claimed)), [(320, 200), (640, 400), (960, 600), (1280, 800)]);
    let data = place(b"mdat") + 4;
    let header = data + 4..data + 11;
    claimed = hero.to_vec();
    claimed[header.start + 1] ^= 0x10;
    assert!(matches!(make_sizes(&claimed, &|| true), Err(NoSizes::Unopened(_))));
    // That header with any bit changed, before a frame that is cut off in a whole container.
    let size = |length: usize| u32::try_from(length).unwrap().to_be_bytes();
    let mut cut = hero[..6000].to_vec();
    let extent = place(&size(hero.len() - data));
    cut[extent..extent + 4].copy_from_slice(&size(6000 - data));
    cut[data - 8..data - 4].copy_from_slice(&size(6000 - data + 8));
    for place in header {
        for bit in 0..8 {
            let mut damaged = cut.clone();
            damaged[place] ^= 1 << bit;
            assert!(matches!(make_sizes(&damaged, &|| true), Err(NoSizes::Unopened(_))));
        }
    }
    for bytes in [&png[..], &hero[..300], &hero[..2000], b"\0\0\0\x20ftypavif", b"<svg>", b"GIF89a", b""] {
        assert!(make_sizes(bytes, &|| false).is_err());
    }
    assert!(matches!(
        make_sizes(&packed(flag(320, 50_000), ImageFormat::Png), &|| false),
        Err(NoSizes::TooTall)
    ));
    let mut reader = ImageReader::new(Cursor::new(&png));
    reader.set_format(ImageFormat::Png);
    assert_eq!(reader.into_dimensions().unwrap(), (50_000, 50_000), "the bomb is one");
}

#[test]
fn work_that_nobody_waits_for_ends() {
    let large = packed(flag(4000, 3000), ImageFormat::Jpeg);
    assert!(matches!(make_sizes(&large, &|| true), Err(NoSizes::Stopped)));
    assert!(matches!(make_sizes(&[], &|| false), Err(NoSizes::Unopened(_))));
}
