//! Pictures of the label, as visitors get them: the file as it came but for its notes, upright, and a small version beside it.

use std::{
    io::Cursor,
    path::{Path, PathBuf},
};

use image::{
    AnimationDecoder as _, DynamicImage, ExtendedColorType, GenericImageView as _, ImageDecoder as _,
    ImageEncoder as _, ImageError, ImageFormat, ImageReader, ImageResult, Limits, RgbImage,
    codecs::{gif::GifDecoder, jpeg::JpegEncoder, png::PngEncoder, webp::WebPEncoder},
    error::{DecodingError, ImageFormatHint},
    imageops::{self, FilterType},
    metadata::Orientation,
};
use rules::image::{
    DRAWN_PIXELS_MAX, FRAMES_MAX, OPENED_MAX_BYTES, PIXELS_MAX, SMALL_QUALITY, SMALL_WIDTH, TURNED_QUALITY,
};

use super::{NotAPicture, PictureError, Pictures, format, heavy, strip, too_large};

/// A picture that can be published.
#[derive(Debug)]
pub struct Published {
    /// The file.
    pub bytes: Vec<u8>,
    /// A JPEG of the same picture, at most 640 pixels wide.
    pub small: Vec<u8>,
    /// Width and height.
    pub dimensions: (u32, u32),
}

impl Pictures {
    /// Opens the file at `path` in full and takes out of it what is not the picture.
    pub async fn publish(&self, path: &Path) -> Result<Result<Published, NotAPicture>, PictureError> {
        let path: PathBuf = path.to_owned();
        let work = move || match std::fs::read(path) {
            Ok(bytes) => Ok(Ok(publish(&bytes)?)),
            Err(error) => Ok(Err(error)),
        };
        match self.in_turn(work).await? {
            Ok(Ok(published)) => Ok(Ok(published)),
            Ok(Err(unread)) => Err(PictureError::Unread(unread)),
            Err(refusal) => Ok(Err(refusal)),
        }
    }
}

fn publish(bytes: &[u8]) -> ImageResult<Published> {
    let format = format(bytes).ok_or_else(damaged)?;
    let (stripped, frames) = match format {
        ImageFormat::Jpeg => (strip::jpeg(bytes), 1),
        ImageFormat::Png => (strip::png(bytes), 1),
        ImageFormat::WebP => (strip::webp(bytes), 1),
        _ => strip::gif(bytes).map_or((None, 0), |(kept, frames)| (Some(kept), frames)),
    };
    // Judged after it was stripped: what is decoded is what will be stored.
    let stripped = stripped.ok_or_else(damaged)?;
    if frames > FRAMES_MAX {
        return Err(too_large());
    }
    let orientation = orientation(bytes, format)?;
    let mut decoder = reader(&stripped, format).into_decoder()?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > PIXELS_MAX
        || pixels * frames as u64 > DRAWN_PIXELS_MAX
        || decoder.total_bytes() > OPENED_MAX_BYTES
    {
        return Err(too_large());
    }
    let _lock = heavy::lock_if_heavy(&stripped, pixels, decoder.total_bytes());
    let profile = match decoder.original_color_type() {
        // Decoding makes other colours of it, for which its profile is not meant.
        ExtendedColorType::Cmyk8 | ExtendedColorType::Cmyk16 => None,
        _ => decoder.icc_profile().unwrap_or_default(),
    };
    let mut picture = DynamicImage::from_decoder(decoder)?;
    if frames > 1 {
        every_frame(&stripped)?;
    }
    let turned = !matches!(orientation, Orientation::NoTransforms);
    picture.apply_orientation(orientation);
    let dimensions = picture.dimensions();
    let bytes = if turned { packed(&picture, format, profile.clone())? } else { stripped };
    let mut small = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut small, SMALL_QUALITY);
    if let Some(profile) = profile {
        // One that it cannot carry leaves the colours as most screens show them.
        let _ = encoder.set_icc_profile(profile);
    }
    encoder.encode_image(&DynamicImage::ImageRgb8(smaller(&picture)))?;
    Ok(Published { bytes, small, dimensions })
}

pub(super) fn reader(bytes: &[u8], format: ImageFormat) -> ImageReader<Cursor<&[u8]>> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits());
    reader
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(OPENED_MAX_BYTES);
    limits
}

/// How the camera was held, as the file sent says: its notes are what is taken out.
fn orientation(bytes: &[u8], format: ImageFormat) -> ImageResult<Orientation> {
    Ok(reader(bytes, format).into_decoder()?.orientation().unwrap_or(Orientation::NoTransforms))
}

/// Draws every frame of a GIF, none of which is kept.
fn every_frame(bytes: &[u8]) -> ImageResult<()> {
    let mut decoder = GifDecoder::new(Cursor::new(bytes))?;
    decoder.set_limits(limits())?;
    decoder.into_frames().try_for_each(|frame| frame.map(drop))
}

fn packed(picture: &DynamicImage, format: ImageFormat, profile: Option<Vec<u8>>) -> ImageResult<Vec<u8>> {
    fn write(
        picture: &DynamicImage,
        mut encoder: impl image::ImageEncoder,
        profile: Option<Vec<u8>>,
    ) -> ImageResult<()> {
        if let Some(profile) = profile {
            let _ = encoder.set_icc_profile(profile);
        }
        picture.write_with_encoder(encoder)
    }
    let mut bytes = Vec::new();
    match format {
        ImageFormat::Jpeg => {
            write(picture, JpegEncoder::new_with_quality(&mut bytes, TURNED_QUALITY), profile)?;
        }
        ImageFormat::Png => write(picture, PngEncoder::new(&mut bytes), profile)?,
        _ => write(
            &DynamicImage::ImageRgba8(picture.to_rgba8()),
            WebPEncoder::new_lossless(&mut bytes),
            profile,
        )?,
    }
    Ok(bytes)
}

/// At most [`SMALL_WIDTH`] pixels wide, on black where it is transparent.
fn smaller(picture: &DynamicImage) -> RgbImage {
    let (width, height) = picture.dimensions();
    let small_width = width.min(SMALL_WIDTH);
    let scaled = u64::from(height) * u64::from(small_width) / u64::from(width.max(1));
    let small_height = u32::try_from(scaled).unwrap_or(height).max(1);
    // Averaging first is as good as the filter alone, and reads every pixel of a large picture once.
    let small = if width > 4 * SMALL_WIDTH {
        let half = imageops::thumbnail(picture, 2 * small_width, (2 * small_height).min(height));
        imageops::resize(&half, small_width, small_height, FilterType::CatmullRom)
    } else {
        imageops::resize(picture, small_width, small_height, FilterType::CatmullRom)
    };
    super::over_black(&small)
}

pub(super) fn damaged() -> ImageError {
    ImageError::Decoding(DecodingError::from_format_hint(ImageFormatHint::Unknown))
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
