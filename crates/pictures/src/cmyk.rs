//! JPEGs in the four inks of print, drawn as their profile means them. The library of the other pictures knows no inks.

use image::{ImageError, ImageFormat, ImageResult, RgbImage, error::DecodingError};
use moxcms::{ColorProfile, Layout};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

use super::colour;

/// Opens a JPEG of four channels in sRGB; none where its profile does not say how.
pub(super) fn open(bytes: &[u8], profile: &ColorProfile) -> ImageResult<Option<RgbImage>> {
    // As `moxcms` calls a layout of four channels.
    let Some(transform) = colour::transform(profile, Layout::Rgba, Layout::Rgb) else { return Ok(None) };
    let options =
        DecoderOptions::default().set_strict_mode(false).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    let Some(coded @ (ColorSpace::CMYK | ColorSpace::YCCK)) = decoder.input_colorspace() else {
        return Ok(None);
    };
    decoder.set_options(options.jpeg_set_out_colorspace(coded));
    let Some((width, height)) = decoder.dimensions() else { return Ok(None) };
    let mut samples = vec![0; width * height * 4];
    decoder.decode_into(&mut samples).map_err(damaged)?;

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

fn damaged(error: zune_jpeg::errors::DecodeErrors) -> ImageError {
    ImageError::Decoding(DecodingError::new(ImageFormat::Jpeg.into(), error))
}
