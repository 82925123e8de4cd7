//! Pictures of one colour as programs and phones write them, with the colour that their profile means in sRGB. Expected colours are
//! worked out from the primaries and curves of each space, adapted by Bradford, apart from the library that converts here.

use image::{DynamicImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage};
use moxcms::ColorProfile;

use super::{
    made::{adobe, jpeg, labelled, press_profile, segments},
    published::publish,
    sizes, square,
    strip::strip,
};

/// Whether what is published keeps the profile of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Kept,
    LeftOut,
}

struct Case {
    /// Which program writes such files.
    shape: &'static str,
    format: ImageFormat,
    file: Vec<u8>,
    shown: [u8; 3],
    label: Label,
}

const EDGES: (u16, u16) = (352, 336);

fn encoded(profile: &ColorProfile) -> Vec<u8> {
    profile.encode().unwrap()
}

fn written(picture: impl Into<DynamicImage>, format: ImageFormat, profile: &[u8]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    labelled(&bytes.into_inner(), format, profile)
}

fn rgb(pixel: [u8; 3]) -> RgbImage {
    RgbImage::from_pixel(u32::from(EDGES.0), u32::from(EDGES.1), Rgb(pixel))
}

fn rgb16(pixel: [u8; 3]) -> DynamicImage {
    let pixel = Rgb(pixel.map(|channel| u16::from(channel) * 257));
    DynamicImage::ImageRgb16(ImageBuffer::from_pixel(u32::from(EDGES.0), u32::from(EDGES.1), pixel))
}

fn grey16(shade: u8) -> DynamicImage {
    let pixel = Luma([u16::from(shade) * 257]);
    DynamicImage::ImageLuma16(ImageBuffer::from_pixel(u32::from(EDGES.0), u32::from(EDGES.1), pixel))
}

/// The segments of a file in the order of Adobe's programs: notes, the profile, then what the channels are.
fn by_adobe(profile: &[u8], transform: u8) -> Vec<u8> {
    let notes = b"\xff\xe1\0\x08Exif\0\0\xff\xed\0\x16Photoshop 3.0\x008BIM\0\0";
    [notes.as_slice(), &segments(profile), &adobe(transform)].concat()
}

#[expect(clippy::too_many_lines, reason = "a table of files")]
fn cases() -> Vec<Case> {
    let press = press_profile();
    let p3 = encoded(&ColorProfile::new_display_p3());
    let adobe_rgb = encoded(&ColorProfile::new_adobe_rgb());
    let pro_photo = encoded(&ColorProfile::new_pro_photo_rgb());
    let dark_grey = encoded(&ColorProfile::new_gray_with_gamma(1.8));
    let jfif = b"\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x48\0\x48\0\0".to_vec();
    let case = |shape, format, file, shown, label| Case { shape, format, file, shown, label };
    let jpeg = |shape, samples: &[u8], segments: &[u8], shown, label| {
        case(shape, ImageFormat::Jpeg, jpeg(EDGES, samples, segments), shown, label)
    };
    vec![
        jpeg(
            "Photoshop, CMYK: YCCK, cyan",
            &[76, 85, 255, 255],
            &by_adobe(&press, 2),
            [0, 151, 218],
            Label::Kept,
        ),
        jpeg("InDesign, CMYK: YCCK, paper", &[0, 128, 128, 255], &by_adobe(&press, 2), [255; 3], Label::Kept),
        jpeg(
            "ImageMagick, CMYK as libjpeg writes it, magenta",
            &[255, 0, 255, 255],
            &[adobe(0), segments(&press)].concat(),
            [216, 10, 122],
            Label::Kept,
        ),
        jpeg("CMYK without a profile, cyan", &[0, 255, 255, 255], &adobe(0), [0, 255, 255], Label::LeftOut),
        jpeg(
            "RGB made of CMYK whose profile stayed",
            &[125, 91, 181],
            &by_adobe(&press, 1),
            [200, 100, 60],
            Label::LeftOut,
        ),
        jpeg("Photoshop, Adobe RGB", &[125, 91, 181], &by_adobe(&adobe_rgb, 1), [227, 100, 55], Label::Kept),
        jpeg(
            "Photoshop for the web, channels as they are",
            &[200, 100, 60],
            &by_adobe(&adobe_rgb, 0),
            [227, 100, 55],
            Label::Kept,
        ),
        jpeg(
            "A phone, Display P3",
            &[125, 91, 181],
            &[jfif.clone(), segments(&p3), b"\xff\xe2\0\x08MPF\0MM".to_vec()].concat(),
            [215, 93, 47],
            Label::Kept,
        ),
        jpeg(
            "A scanner, grey",
            &[100],
            &[jfif.clone(), segments(&dark_grey)].concat(),
            [119; 3],
            Label::Kept,
        ),
        jpeg(
            "Grey with a profile of colours",
            &[100],
            &[jfif.clone(), segments(&encoded(&ColorProfile::new_srgb()))].concat(),
            [100; 3],
            Label::Kept,
        ),
        jpeg(
            "Colours with a profile of greys",
            &[125, 91, 181],
            &[jfif, segments(&dark_grey)].concat(),
            [200, 100, 60],
            Label::LeftOut,
        ),
        case(
            "Lightroom, ProPhoto in 16 bits",
            ImageFormat::Png,
            written(rgb16([150, 110, 70]), ImageFormat::Png, &pro_photo),
            [202, 119, 78],
            Label::Kept,
        ),
        case(
            "Affinity, Adobe RGB",
            ImageFormat::Png,
            written(rgb([200, 100, 60]), ImageFormat::Png, &adobe_rgb),
            [227, 100, 55],
            Label::Kept,
        ),
        case(
            "GIMP, grey in 16 bits",
            ImageFormat::Png,
            written(grey16(100), ImageFormat::Png, &dark_grey),
            [119; 3],
            Label::Kept,
        ),
        case(
            "A PNG made of CMYK whose profile stayed",
            ImageFormat::Png,
            written(rgb([200, 100, 60]), ImageFormat::Png, &press),
            [200, 100, 60],
            Label::LeftOut,
        ),
        case(
            "cwebp, Display P3",
            ImageFormat::WebP,
            written(rgb([200, 100, 60]), ImageFormat::WebP, &p3),
            [215, 93, 47],
            Label::Kept,
        ),
    ]
}

/// The mark of a camera that was held a quarter turn to the right.
const TURNED: &[u8] = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";

fn turned(file: &[u8], format: ImageFormat) -> Vec<u8> {
    match format {
        ImageFormat::Jpeg => {
            let exif = [b"\xff\xe1\0\x22Exif\0\0", TURNED].concat();
            [&file[..2], &exif, &file[2..]].concat()
        }
        ImageFormat::Png => [&file[..33], &super::made::chunk(*b"eXIf", TURNED), &file[33..]].concat(),
        _ => {
            let mut file = [file, b"EXIF\x1a\0\0\0", TURNED].concat();
            let length = u32::try_from(file.len() - 8).unwrap().to_le_bytes();
            file[4..8].copy_from_slice(&length);
            file
        }
    }
}

fn about(shape: &str, file: &[u8], shown: [u8; 3]) {
    let picture = image::load_from_memory(file).unwrap().into_rgb8();
    let pixel = picture.get_pixel(picture.width() / 2, picture.height() / 2).0;
    let off = pixel.iter().zip(shown).map(|(one, other)| one.abs_diff(other)).max().unwrap();
    assert!(off <= 6, "{shape}: {pixel:?} instead of {shown:?}");
}

fn profile_of(file: &[u8], format: ImageFormat) -> Option<Vec<u8>> {
    strip(file, format).unwrap().profile()
}

#[test]
fn colours_of_small_pictures_are_those_that_the_profile_means() {
    for Case { shape, format, file, shown, label } in cases() {
        let published = publish(&file).unwrap();
        about(shape, &published.small, shown);
        assert_eq!(profile_of(&published.small, ImageFormat::Jpeg), None, "{shape}");
        let kept = profile_of(&published.bytes, format);
        assert_eq!(kept, profile_of(&file, format).filter(|_| label == Label::Kept), "{shape}");
        about(shape, &square(&file, 64, 90).unwrap(), shown);
    }
}

#[test]
fn a_turned_picture_has_the_profile_of_its_own_colours() {
    for Case { shape, format, file, shown, label } in cases() {
        let published = publish(&turned(&file, format)).unwrap();
        assert_eq!(published.dimensions, (336, 352), "{shape}");
        about(shape, &published.small, shown);
        let kept = profile_of(&published.bytes, format);
        // Drawn anew, inks are colours of screens.
        let of_inks = shape.contains("CMYK:") || shape.contains("CMYK as");
        let expected = profile_of(&file, format).filter(|_| label == Label::Kept && !of_inks);
        assert_eq!(kept, expected, "{shape}");
        if of_inks {
            about(shape, &published.bytes, shown);
        }
        let again = publish(&published.bytes).unwrap();
        about(shape, &again.small, shown);
    }
}

#[test]
fn sizes_are_made_of_every_kind() {
    for Case { shape, file, shown, .. } in cases() {
        // The narrowest width is enough: all are made of one picture.
        let sizes = sizes::make_sizes(&file, &|| false).unwrap();
        about(shape, &sizes.sizes[0].fallback, shown);
    }
}

#[test]
fn a_profile_that_unpacks_to_too_much_is_left_out() {
    let mut bomb = encoded(&ColorProfile::new_display_p3());
    bomb.resize(200 << 20, 0);
    let file = written(rgb([200, 100, 60]), ImageFormat::Png, &bomb);
    let published = publish(&file).unwrap();
    assert!(published.bytes.len() < 10_000, "{}", published.bytes.len());
    about("bomb", &published.small, [200, 100, 60]);
    about("bomb", &square(&file, 64, 90).unwrap(), [200, 100, 60]);
    about("bomb", &sizes::make_sizes(&file, &|| false).unwrap().sizes[0].fallback, [200, 100, 60]);
}

#[test]
fn a_picture_is_opened_within_the_memory_for_it() {
    let wide = |width: u32, height: u32| {
        ImageBuffer::<Rgb<u16>, Vec<u16>>::from_pixel(width, height, Rgb([9, 9, 9]))
    };
    let file = |picture: ImageBuffer<Rgb<u16>, Vec<u16>>| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        DynamicImage::ImageRgb16(picture).write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    };
    // 128 MiB are 22 369 621 pixels of six bytes.
    assert!(square(&file(wide(4730, 4730)), 64, 80).is_err());
    assert!(square(&file(wide(4729, 4729)), 64, 80).is_ok());
}

#[test]
fn a_jpeg_that_claims_more_than_its_bytes_can_hold_is_damaged() {
    let mut small = jpeg((8, 8), &[128, 128, 128], &[]);
    let frame = small.windows(2).position(|pair| pair == b"\xff\xc0").unwrap();
    small[frame + 5..frame + 9].copy_from_slice(&[0x17, 0x70, 0x17, 0x70]);
    assert!(small.len() < 519);
    assert!(publish(&small).is_err());
    assert!(square(&small, 64, 80).is_err());
    assert!(sizes::make_sizes(&small, &|| false).is_err());
}
