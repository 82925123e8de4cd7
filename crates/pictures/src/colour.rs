//! Colours as screens show them: what a picture's own profile means, in sRGB.

use image::{DynamicImage, ImageError, ImageFormat, ImageResult, RgbImage, error::DecodingError};
use moxcms::{ColorProfile, DataColorSpace, Layout, RenderingIntent, TransformOptions};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

/// A colour profile as it stands in a picture's file (ICC.1, 7.2).
#[derive(Debug)]
pub(super) struct Profile {
    pub(super) bytes: Vec<u8>,
    space: Space,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Gray,
    Rgb,
    Cmyk,
}

impl Profile {
    pub(super) fn new(bytes: Vec<u8>) -> Option<Self> {
        let space = match bytes.get(16..20)? {
            b"GRAY" => Space::Gray,
            b"RGB " => Space::Rgb,
            b"CMYK" => Space::Cmyk,
            _ => return None,
        };
        (bytes.len() >= 128 && bytes.get(36..40)? == b"acsp").then_some(Self { bytes, space })
    }

    pub(super) fn fits(&self, picture: Space) -> bool {
        self.space == picture || (self.space, picture) == (Space::Rgb, Space::Gray)
    }

    pub(super) fn read(&self) -> Option<ColorProfile> {
        ColorProfile::new_from_slice(&self.bytes).ok()
    }
}

/// How colours of a profile become sRGB; none where it does not say that.
pub(super) fn transform(
    profile: &ColorProfile,
    from: Layout,
    to: Layout,
) -> Option<std::sync::Arc<moxcms::Transform8BitExecutor>> {
    let srgb = ColorProfile::new_srgb();
    [RenderingIntent::Perceptual, RenderingIntent::RelativeColorimetric].into_iter().find_map(|intent| {
        let options = TransformOptions { rendering_intent: intent, ..TransformOptions::default() };
        profile.create_transform_8bit(from, &srgb, to, options).ok()
    })
}

/// The same colours in sRGB. A profile that cannot be followed leaves them as most screens show them.
pub(super) fn to_srgb(picture: DynamicImage, profile: Option<&ColorProfile>) -> DynamicImage {
    match profile.map(|profile| (profile.color_space, profile)) {
        Some((DataColorSpace::Rgb, profile)) => colours_to_srgb(&picture, profile).unwrap_or(picture),
        Some((DataColorSpace::Gray, profile)) => greys_to_srgb(&picture, profile).unwrap_or(picture),
        _ => picture,
    }
}

fn colours_to_srgb(picture: &DynamicImage, profile: &ColorProfile) -> Option<DynamicImage> {
    let layout = if picture.color().has_alpha() { Layout::Rgba } else { Layout::Rgb };
    let transform = transform(profile, layout, layout)?;
    let mut shown = picture.clone();
    match (picture, &mut shown) {
        (DynamicImage::ImageRgb8(from), DynamicImage::ImageRgb8(to)) => transform.transform(from, to),
        (DynamicImage::ImageRgba8(from), DynamicImage::ImageRgba8(to)) => transform.transform(from, to),
        _ => return None,
    }
    .ok()?;
    Some(shown)
}

fn greys_to_srgb(picture: &DynamicImage, profile: &ColorProfile) -> Option<DynamicImage> {
    let transform = transform(profile, Layout::Gray, Layout::Rgb)?;
    let mut shown = picture.to_rgba8();
    let greys: Vec<u8> = shown.pixels().map(|pixel| pixel.0[0]).collect();
    let mut colours = vec![0; greys.len() * 3];
    transform.transform(&greys, &mut colours).ok()?;
    for (pixel, colour) in shown.pixels_mut().zip(colours.chunks_exact(3)) {
        pixel.0[..3].copy_from_slice(colour);
    }
    let shown = DynamicImage::ImageRgba8(shown);
    Some(if picture.color().has_alpha() { shown } else { DynamicImage::ImageRgb8(shown.into_rgb8()) })
}

/// Opens a JPEG in the four inks of print in sRGB, which `image` cannot; none where its profile does not say how.
pub(super) fn open_inks(bytes: &[u8], profile: &ColorProfile) -> ImageResult<Option<RgbImage>> {
    // As `moxcms` calls a layout of four channels.
    let Some(transform) = transform(profile, Layout::Rgba, Layout::Rgb) else { return Ok(None) };
    let options =
        DecoderOptions::default().set_strict_mode(false).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(not_decoded)?;
    let Some(coded @ (ColorSpace::CMYK | ColorSpace::YCCK)) = decoder.input_colorspace() else {
        return Ok(None);
    };
    decoder.set_options(options.jpeg_set_out_colorspace(coded));
    let Some((width, height)) = decoder.dimensions() else { return Ok(None) };
    let mut samples = vec![0; width * height * 4];
    decoder.decode_into(&mut samples).map_err(not_decoded)?;

    // Each row is drawn over what was read before it: a second copy would be large.
    let mut inks = vec![0; width * 4];
    let mut drawn = vec![0; width * 3];
    for row in 0..height {
        for (inks, sample) in inks.chunks_exact_mut(4).zip(samples[row * width * 4..].chunks_exact(4)) {
            inks.copy_from_slice(&inked(sample, coded));
        }
        if transform.transform(&inks, &mut drawn).is_err() {
            return Ok(None);
        }
        samples[row * width * 3..][..width * 3].copy_from_slice(&drawn);
    }
    samples.truncate(width * height * 3);
    let size = |edge: usize| u32::try_from(edge).unwrap_or(u32::MAX);
    Ok(RgbImage::from_raw(size(width), size(height), samples))
}

/// How much of each ink a pixel has. Programs write it inverted, as Adobe's did first (technical note 5116).
fn inked(sample: &[u8], coded: ColorSpace) -> [u8; 4] {
    let [first, second, third, black] = [0, 1, 2, 3].map(|channel| sample[channel]);
    if coded == ColorSpace::CMYK {
        return [first, second, third, black].map(|sample| 255 - sample);
    }
    // YCCK: what YCbCr makes of the first three is the ink uninverted (ITU-T T.871).
    let [luma, blue, red] = [f32::from(first), f32::from(second) - 128.0, f32::from(third) - 128.0];
    let [cyan, magenta, yellow] =
        [luma + 1.402 * red, luma - 0.344_136 * blue - 0.714_136 * red, luma + 1.772 * blue];
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "held to a byte")]
    let byte = |value: f32| value.round().clamp(0.0, 255.0) as u8;
    [byte(cyan), byte(magenta), byte(yellow), 255 - black]
}

fn not_decoded(error: zune_jpeg::errors::DecodeErrors) -> ImageError {
    ImageError::Decoding(DecodingError::new(ImageFormat::Jpeg.into(), error))
}
