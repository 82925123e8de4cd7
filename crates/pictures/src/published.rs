//! Pictures of the label, as visitors get them: the file as it came but for its notes, upright, and a small version beside it.

use std::path::{Path, PathBuf};

use image::{
    DynamicImage, GenericImageView as _, ImageEncoder, ImageError, ImageFormat, ImageResult, RgbImage,
    codecs::{jpeg::JpegEncoder, png::PngEncoder, webp::WebPEncoder},
    metadata::Orientation,
};
use rules::image::{PIXELS_MAX, SMALL_QUALITY, SMALL_WIDTH, TURNED_QUALITY};

use super::{
    colour,
    format::{NotAPicture, PictureError},
    scaled::over_black,
    source::{Opened, Source},
    turns::{self, Pictures},
};

#[derive(Debug)]
pub struct Published {
    pub bytes: Vec<u8>,
    /// A JPEG of the same picture in sRGB, at most 640 pixels wide.
    pub small: Vec<u8>,
    pub dimensions: (u32, u32),
}

impl Pictures {
    /// Opens the file at `path` in full and takes out of it what is not the picture.
    pub async fn publish(&self, path: &Path) -> Result<Result<Published, NotAPicture>, PictureError> {
        let path: PathBuf = path.to_owned();
        let work = move || Ok(publish(&std::fs::read(path)?).map_err(NotAPicture::from));
        self.in_turn(work).await?.map_err(PictureError::Unread)
    }
}

pub(super) fn publish(bytes: &[u8]) -> ImageResult<Published> {
    // Judged after it was stripped: what is decoded is what will be stored.
    let source = Source::read(bytes, PIXELS_MAX)?;
    let _lock = turns::lock_if_heavy(source.weight);
    let mut opened = source.open()?;
    if source.is_moving() && source.format == ImageFormat::Gif {
        source.draw_every_frame()?;
    }
    opened.picture.apply_orientation(source.orientation);
    let dimensions = opened.picture.dimensions();
    let turned = match source.orientation {
        Orientation::NoTransforms => None,
        _ => Some(packed(&opened, source.format)?),
    };
    let small = DynamicImage::ImageRgb8(smaller(&opened.picture));
    let small = colour::to_srgb(small, opened.colours().as_ref());
    drop(opened);
    let mut packed = Vec::new();
    JpegEncoder::new_with_quality(&mut packed, SMALL_QUALITY).encode_image(&small)?;
    Ok(Published { bytes: turned.unwrap_or_else(|| source.into_bytes()), small: packed, dimensions })
}

fn packed(opened: &Opened<'_>, format: ImageFormat) -> ImageResult<Vec<u8>> {
    fn write(opened: &Opened<'_>, mut encoder: impl ImageEncoder) -> ImageResult<()> {
        if let Some(profile) = opened.profile {
            encoder.set_icc_profile(profile.bytes.clone()).map_err(ImageError::Unsupported)?;
        }
        opened.picture.write_with_encoder(encoder)
    }
    let mut bytes = Vec::new();
    match format {
        ImageFormat::Jpeg => write(opened, JpegEncoder::new_with_quality(&mut bytes, TURNED_QUALITY))?,
        ImageFormat::Png => write(opened, PngEncoder::new(&mut bytes))?,
        _ => {
            let picture = DynamicImage::ImageRgba8(opened.picture.to_rgba8());
            write(&Opened { picture, profile: opened.profile }, WebPEncoder::new_lossless(&mut bytes))?;
        }
    }
    Ok(bytes)
}

/// At most [`SMALL_WIDTH`] pixels wide, on black where it is transparent.
fn smaller(picture: &DynamicImage) -> RgbImage {
    let (width, height) = picture.dimensions();
    let small_width = width.min(SMALL_WIDTH);
    let scaled = u64::from(height) * u64::from(small_width) / u64::from(width.max(1));
    let small_height = u32::try_from(scaled).unwrap_or(height).max(1);
    over_black(picture, small_width, small_height)
}

#[cfg(test)]
mod tests {
    use image::{Delay, Frame, Rgba, RgbaImage, codecs::gif::GifEncoder};

    use super::*;

    fn picture(width: u32, height: u32) -> DynamicImage {
        DynamicImage::ImageRgba8(RgbaImage::from_fn(width, height, |x, _| match x {
            x if x < width / 2 => Rgba([250, 0, 0, 255]),
            _ => Rgba([0, 0, 250, 255]),
        }))
    }

    fn jpeg(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        JpegEncoder::new(&mut bytes).encode_image(&picture(width, height).to_rgb8()).unwrap();
        bytes
    }

    #[test]
    fn a_small_version_stands_beside_the_picture() {
        let sent = jpeg(1600, 800);
        let published = publish(&sent).unwrap();
        assert_eq!((published.dimensions, &published.bytes), ((1600, 800), &sent));
        let small = image::load_from_memory_with_format(&published.small, ImageFormat::Jpeg).unwrap();
        assert_eq!(small.dimensions(), (640, 320));
        let tiny = publish(&jpeg(20, 4000)).unwrap();
        assert_eq!(image::load_from_memory(&tiny.small).unwrap().dimensions(), (20, 4000));
    }

    #[test]
    fn a_picture_is_stored_upright_and_without_its_notes() {
        // A quarter turn to the right.
        let exif =
            b"\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let plain = jpeg(200, 100);
        let published = publish(&[&plain[..2], exif, &plain[2..], b"<script>"].concat()).unwrap();
        assert_eq!(published.dimensions, (100, 200));
        let stored = image::load_from_memory(&published.bytes).unwrap().to_rgb8();
        assert!(stored.get_pixel(50, 20).0[0] > 200 && stored.get_pixel(50, 180).0[2] > 200);
        for trace in [&b"Exif"[..], b"<script"] {
            assert!(!published.bytes.windows(trace.len()).any(|window| window == trace));
        }
    }

    fn gif(frames: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = GifEncoder::new_with_speed(&mut bytes, 30);
        let frame = || Frame::from_parts(picture(8, 8).to_rgba8(), 0, 0, Delay::from_numer_denom_ms(40, 1));
        encoder.encode_frames((0..frames).map(|_| frame())).unwrap();
        drop(encoder);
        bytes
    }

    #[test]
    fn a_film_of_300_frames_is_a_picture_and_one_of_301_is_not() {
        assert_eq!(publish(&gif(300)).unwrap().dimensions, (8, 8));
        assert!(publish(&gif(301)).is_err());
    }

    #[test]
    fn a_damaged_frame_is_found() {
        let whole = gif(3);
        let mut damaged = whole.clone();
        damaged.truncate(whole.len() - 8);
        assert!(publish(&damaged).is_err());
    }
}
