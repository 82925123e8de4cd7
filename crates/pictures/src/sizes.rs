//! A stored picture in the sizes of the pages, each as AVIF and in a format that every browser reads.
//!
//! Opened files are held to the bounds of an upload again: they may come from backups or other programs. AVIF pictures are opened for
//! their sizes alone, by a decoder without `unsafe`, on one thread.

use image::{
    DynamicImage, GenericImageView as _, ImageError, RgbImage, RgbaImage,
    codecs::{jpeg::JpegEncoder, webp::WebPEncoder},
};
use moxcms::ColorProfile;
use ravif::{BitDepth, Encoder, Img, RGB8, RGBA8};
use rules::image::{
    AVIF_PIXELS_MAX, PIXELS_MAX, SIZE_AVIF_QUALITY, SIZE_JPEG_QUALITY, SIZE_PIXELS_MAX, SIZE_WIDTHS,
};
use zenavif::{ColorPrimaries, DecoderConfig, ManagedAvifDecoder, Unstoppable};

use super::{
    colour::{self, Profile, Space},
    scaled::{self, Premultiplied},
    source::Source,
};

/// The encoder's presets go from 1 to 10: 8 makes up to 18 % more bytes in two thirds of the time.
const AVIF_SPEED: u8 = 6;
#[derive(Debug)]
pub struct Sizes {
    pub sizes: Vec<Size>,
    /// The extension of the files for browsers without AVIF: `jpg`, or `webp` where something is transparent.
    pub fallback: &'static str,
    /// Whether the picture itself moves, as its sizes do not.
    pub moving: bool,
}

#[derive(Debug)]
pub struct Size {
    pub width: u32,
    pub height: u32,
    pub avif: Vec<u8>,
    pub fallback: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum NoSizes {
    #[error("it could not be opened: {0}")]
    Unopened(String),
    /// Even the narrowest size would be too large.
    #[error("it is too tall")]
    TooTall,
    #[error("a size could not be encoded: {0}")]
    Unencoded(String),
    #[error("it was stopped")]
    Stopped,
}

impl From<ImageError> for NoSizes {
    fn from(error: ImageError) -> Self {
        Self::Unopened(error.to_string())
    }
}

/// Makes all sizes of the picture in a file. Takes seconds; asks before each size whether it should stop.
pub fn make_sizes(bytes: &[u8], is_stopped: &dyn Fn() -> bool) -> Result<Sizes, NoSizes> {
    let (picture, moving) = widest(bytes)?;
    let transparent = matches!(&picture, DynamicImage::ImageRgba8(picture) if picture.pixels().any(|pixel| pixel.0[3] < 255));
    let picture = if transparent { picture } else { DynamicImage::ImageRgb8(picture.into_rgb8()) };
    let mut sizes = Vec::new();
    for (width, height) in dimensions(picture.dimensions()) {
        if is_stopped() {
            return Err(NoSizes::Stopped);
        }
        let mut small = scaled::scaled(&picture, width, height);
        if let DynamicImage::ImageRgba8(small) = &mut small {
            scaled::unpremultiply(small);
        }
        let (avif, fallback) = (packed_avif(&small)?, packed(&small)?);
        sizes.push(Size { width, height, avif, fallback });
    }
    Ok(Sizes { sizes, fallback: if transparent { "webp" } else { "jpg" }, moving })
}

/// A JPEG for mail programs, which read little else, in the picture's widest size: what is transparent is white.
pub(super) fn make_jpeg(bytes: &[u8]) -> Result<(Vec<u8>, (u32, u32)), NoSizes> {
    let (picture, _) = widest(bytes)?;
    let dimensions = picture.dimensions();
    let opaque = match picture {
        DynamicImage::ImageRgba8(picture) => scaled::over_white(&picture),
        picture => picture.into_rgb8(),
    };
    let mut packed = Vec::new();
    JpegEncoder::new_with_quality(&mut packed, SIZE_JPEG_QUALITY)
        .encode_image(&opaque)
        .map_err(|error| NoSizes::Unencoded(error.to_string()))?;
    Ok((packed, dimensions))
}

/// The picture in its widest size, in sRGB, its colours as strong as they are opaque; and whether the file moves.
fn widest(bytes: &[u8]) -> Result<(DynamicImage, bool), NoSizes> {
    let ((picture, profile), moving) = if is_avif(bytes) {
        (open_avif(bytes).map_err(NoSizes::Unopened)?, bytes.get(8..12) == Some(b"avis"))
    } else {
        open(bytes)?
    };
    let (width, height) = dimensions(picture.dimensions()).pop().ok_or(NoSizes::TooTall)?;
    if !picture.color().has_alpha() {
        let small = scaled::scaled(&picture, width, height);
        drop(picture);
        return Ok((colour::to_srgb(DynamicImage::ImageRgb8(small.into_rgb8()), profile.as_ref()), moving));
    }
    let mut small = scaled::shrink(&Premultiplied(&picture), width, height);
    drop(picture);
    scaled::unpremultiply(&mut small);
    let mut shown = colour::to_srgb(DynamicImage::ImageRgba8(small), profile.as_ref()).into_rgba8();
    scaled::premultiply(&mut shown);
    Ok((DynamicImage::ImageRgba8(shown), moving))
}

fn open(bytes: &[u8]) -> Result<(Opened, bool), NoSizes> {
    let source = Source::read(bytes, PIXELS_MAX)?;
    let opened = source.open()?;
    let profile = opened.colours();
    let mut picture = opened.picture;
    picture.apply_orientation(source.orientation);
    Ok(((picture, profile), source.is_moving()))
}

/// An opened picture, and the profile of its colours where they are not sRGB.
type Opened = (DynamicImage, Option<ColorProfile>);

fn is_avif(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(b"ftyp") && matches!(bytes.get(8..12), Some(b"avif" | b"avis"))
}

/// Opens the picture, upright, with 8 bits a channel. Why it could not be opened is for the log.
fn open_avif(bytes: &[u8]) -> Result<Opened, String> {
    let most_pixels = u32::try_from(AVIF_PIXELS_MAX).unwrap_or(u32::MAX);
    let config = DecoderConfig::new().threads(1).frame_size_limit(most_pixels).prefer_8bit(true);
    let mut decoder = ManagedAvifDecoder::new(bytes, &config).map_err(|error| error.to_string())?;
    let (pixels, info) = decoder.decode_full(&Unstoppable).map_err(|error| error.to_string())?;
    drop(decoder);
    let (width, height) = (pixels.width(), pixels.height());
    let samples = pixels.copy_to_contiguous_bytes();
    drop(pixels);
    let count = u64::from(width) * u64::from(height);
    let unknown = || "its pixels are of an unknown form".to_owned();
    let picture = match (samples.len() as u64).checked_div(count) {
        Some(3) => RgbImage::from_raw(width, height, samples).map(DynamicImage::ImageRgb8),
        Some(4) => RgbaImage::from_raw(width, height, samples).map(DynamicImage::ImageRgba8),
        _ => None,
    };
    let mut picture = picture.ok_or_else(unknown)?;
    picture = match info.rotation.map_or(0, |rotation| rotation.angle) {
        90 => picture.rotate270(),
        180 => picture.rotate180(),
        270 => picture.rotate90(),
        _ => picture,
    };
    picture = match info.mirror.map(|mirror| mirror.axis) {
        Some(0) => picture.flipv(),
        Some(_) => picture.fliph(),
        None => picture,
    };
    let profile = match info.icc_profile {
        Some(profile) => Profile::new(profile)
            .filter(|profile| profile.fits(Space::Rgb))
            .and_then(|profile| profile.read()),
        None if info.color_primaries == ColorPrimaries::SMPTE432 => Some(ColorProfile::new_display_p3()),
        None => None,
    };
    Ok((picture, profile))
}

/// Which sizes a picture has, the narrowest first: the widths of all, as far as it reaches, and its own where it reaches a good
/// deal further than the last of them.
fn dimensions((width, height): (u32, u32)) -> Vec<(u32, u32)> {
    let mut widths: Vec<u32> = SIZE_WIDTHS.into_iter().filter(|size| *size <= width).collect();
    let last = widths.last().copied().unwrap_or(0);
    if widths.len() < SIZE_WIDTHS.len() && width - last >= last / 4 && width > last {
        widths.push(width);
    }
    let scaled = |size: u32| {
        let scaled = (u64::from(height) * u64::from(size) + u64::from(width) / 2) / u64::from(width.max(1));
        (size, u32::try_from(scaled).unwrap_or(u32::MAX).max(1))
    };
    let fits = |&(width, height): &(u32, u32)| u64::from(width) * u64::from(height) <= SIZE_PIXELS_MAX;
    widths.into_iter().map(scaled).filter(fits).collect()
}

fn packed_avif(picture: &DynamicImage) -> Result<Vec<u8>, NoSizes> {
    let encoder = Encoder::new()
        .with_quality(f32::from(SIZE_AVIF_QUALITY))
        .with_alpha_quality(f32::from(SIZE_AVIF_QUALITY))
        .with_bit_depth(BitDepth::Eight)
        .with_speed(AVIF_SPEED)
        .with_num_threads(Some(1));
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let packed = if let DynamicImage::ImageRgba8(picture) = picture {
        let pixels: Vec<RGBA8> =
            picture.pixels().map(|pixel| RGBA8::new(pixel[0], pixel[1], pixel[2], pixel[3])).collect();
        encoder.encode_rgba(Img::new(&pixels, width, height))
    } else {
        let picture = picture.to_rgb8();
        let pixels: Vec<RGB8> =
            picture.pixels().map(|pixel| RGB8::new(pixel[0], pixel[1], pixel[2])).collect();
        encoder.encode_rgb(Img::new(&pixels, width, height))
    };
    packed.map(|packed| packed.avif_file).map_err(|error| NoSizes::Unencoded(error.to_string()))
}

fn packed(picture: &DynamicImage) -> Result<Vec<u8>, NoSizes> {
    let mut packed = Vec::new();
    let done = if picture.color().has_alpha() {
        picture.write_with_encoder(WebPEncoder::new_lossless(&mut packed))
    } else {
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut packed, SIZE_JPEG_QUALITY))
    };
    done.map_err(|error| NoSizes::Unencoded(error.to_string()))?;
    Ok(packed)
}

#[cfg(test)]
mod tests;
