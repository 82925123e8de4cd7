//! A stored picture in the sizes of the pages, each as AVIF and in a format that every browser reads.
//!
//! Takes seconds, on a thread of the lowest priority. Opened files are held to the bounds of an upload again: they may come from
//! backups or other programs.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use bytes::Bytes;
use image::{
    DynamicImage, GenericImageView as _, ImageError,
    codecs::{jpeg::JpegEncoder, webp::WebPEncoder},
};
use ravif::{BitDepth, Encoder, Img, RGB8, RGBA8};
use rules::image::{PIXELS_MAX, SIZE_AVIF_QUALITY, SIZE_JPEG_QUALITY, SIZE_PIXELS_MAX, SIZE_WIDTHS};
use tokio::sync::oneshot;

use super::{avif, colour, scaled, source::Source};

/// The encoder's presets go from 1 to 10: 8 makes up to 18 % more bytes in two thirds of the time.
const AVIF_SPEED: u8 = 6;
/// The lowest priority there is, as `nice` counts.
const NICE: i32 = 19;
/// The encoder's frames are small, the decoders' are not known.
const STACK_BYTES: usize = 8 * 1024 * 1024;

#[derive(Debug)]
pub struct Sizes {
    /// The narrowest first.
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
    /// The file for browsers without AVIF.
    pub fallback: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum NoSizes {
    /// It is damaged, or too large.
    #[error("it could not be opened: {0}")]
    Unopened(#[from] ImageError),
    /// The same of an AVIF.
    #[error("it could not be opened: {0}")]
    UnopenedAvif(String),
    /// It is so tall that even the narrowest size would be too large.
    #[error("it is too tall")]
    TooTall,
    /// An encoder refused.
    #[error("a size could not be encoded: {0}")]
    Unencoded(String),
    /// A bug: the thread ended without a word.
    #[error("the work ended early")]
    Crashed,
    #[error("it was stopped")]
    Stopped,
}

/// The work on a picture, under way. Dropping it stops the work before the next size.
#[derive(Debug)]
pub struct Making {
    /// None once it has ended.
    done: Option<oneshot::Receiver<Result<Sizes, NoSizes>>>,
    stop: Arc<AtomicBool>,
}

impl Making {
    pub fn begin(bytes: Bytes) -> io::Result<Self> {
        let (done, waiting) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        thread::Builder::new().name("sizes".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            // Where the system does not allow it, the work has the priority of all.
            let _ = rustix::process::nice(NICE);
            let _ = done.send(make(&bytes, &|| stopped.load(Ordering::Relaxed)));
        })?;
        Ok(Self { done: Some(waiting), stop })
    }

    /// Waits for the result, which is returned once. Cancel safe; returns at once after the end.
    pub async fn done(&mut self) -> Result<Sizes, NoSizes> {
        let Some(waiting) = &mut self.done else { return Err(NoSizes::Crashed) };
        let ended = waiting.await.unwrap_or(Err(NoSizes::Crashed));
        self.done = None;
        ended
    }

    /// Asks the work to end before the next size.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        self.stop();
    }
}

pub(super) fn make(bytes: &[u8], is_stopped: &dyn Fn() -> bool) -> Result<Sizes, NoSizes> {
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

/// The picture in its widest size, in sRGB, its colours as strong as they are opaque; and whether the file moves.
fn widest(bytes: &[u8]) -> Result<(DynamicImage, bool), NoSizes> {
    let ((picture, profile), moving) = if avif::is_avif(bytes) {
        (avif::open(bytes).map_err(NoSizes::UnopenedAvif)?, avif::is_moving(bytes))
    } else {
        open(bytes)?
    };
    let (width, height) = dimensions(picture.dimensions()).pop().ok_or(NoSizes::TooTall)?;
    if !picture.color().has_alpha() {
        let small = scaled::scaled(&picture, width, height);
        drop(picture);
        return Ok((colour::to_srgb(DynamicImage::ImageRgb8(small.into_rgb8()), profile.as_ref()), moving));
    }
    let mut picture = picture.into_rgba8();
    scaled::premultiply(&mut picture);
    let picture = DynamicImage::ImageRgba8(picture);
    let mut small = scaled::scaled(&picture, width, height).into_rgba8();
    drop(picture);
    scaled::unpremultiply(&mut small);
    let mut shown = colour::to_srgb(DynamicImage::ImageRgba8(small), profile.as_ref()).into_rgba8();
    scaled::premultiply(&mut shown);
    Ok((DynamicImage::ImageRgba8(shown), moving))
}

/// Opens a picture that `image` reads, upright.
fn open(bytes: &[u8]) -> Result<(avif::Opened, bool), NoSizes> {
    let source = Source::read(bytes, PIXELS_MAX)?;
    let opened = source.open()?;
    let profile = opened.colours();
    let mut picture = opened.picture;
    picture.apply_orientation(source.orientation);
    Ok(((picture, profile), source.is_moving()))
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
