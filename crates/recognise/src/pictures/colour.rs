//! Colours as screens show them: what a picture's own profile means, in sRGB.

use image::DynamicImage;
use moxcms::{ColorProfile, Layout, TransformOptions};

/// A profile as it stands in a picture's file; none where it cannot be read.
pub(super) fn profile(bytes: &[u8]) -> Option<ColorProfile> {
    ColorProfile::new_from_slice(bytes).ok()
}

/// The same colours in sRGB. A profile that does not fit the picture leaves them as most screens show them.
pub(super) fn to_srgb(picture: DynamicImage, profile: Option<&ColorProfile>) -> DynamicImage {
    let layout = if picture.color().has_alpha() { Layout::Rgba } else { Layout::Rgb };
    let transform = profile.and_then(|profile| {
        let srgb = ColorProfile::new_srgb();
        profile.create_transform_8bit(layout, &srgb, layout, TransformOptions::default()).ok()
    });
    let Some(transform) = transform else { return picture };
    let mut shown = picture.clone();
    let done = match (&picture, &mut shown) {
        (DynamicImage::ImageRgb8(from), DynamicImage::ImageRgb8(to)) => transform.transform(from, to),
        (DynamicImage::ImageRgba8(from), DynamicImage::ImageRgba8(to)) => transform.transform(from, to),
        _ => return picture,
    };
    if done.is_ok() { shown } else { picture }
}
