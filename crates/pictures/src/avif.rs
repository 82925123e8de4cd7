//! AVIF pictures as they were uploaded: opened for their sizes alone, by a decoder without `unsafe`, on one thread.

use image::{DynamicImage, RgbImage, RgbaImage};
use moxcms::ColorProfile;
use rules::image::AVIF_PIXELS_MAX;
use zenavif::{ColorPrimaries, DecoderConfig, ManagedAvifDecoder, Unstoppable};

use super::colour::{Profile, Space};

/// An opened picture, and the profile of its colours where they are not sRGB.
pub(super) type Opened = (DynamicImage, Option<ColorProfile>);

pub(super) fn is_avif(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(b"ftyp") && matches!(bytes.get(8..12), Some(b"avif" | b"avis"))
}

pub(super) fn is_moving(bytes: &[u8]) -> bool {
    bytes.get(8..12) == Some(b"avis")
}

/// Opens the picture, upright, with 8 bits a channel. Why it could not be opened is for the log.
pub(super) fn open(bytes: &[u8]) -> Result<Opened, String> {
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
