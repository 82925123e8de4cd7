//! Colours as screens show them: what a picture's own profile means, in sRGB.

use image::{DynamicImage, GrayImage, RgbImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, RenderingIntent, TransformOptions};

/// A colour profile as it stands in a picture's file (ICC.1, 7.2).
#[derive(Debug)]
pub(super) struct Profile {
    pub(super) bytes: Vec<u8>,
    space: Space,
}

/// The channels of a picture's file, and those that a profile is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Gray,
    Rgb,
    Cmyk,
}

impl Profile {
    /// None where the header is not one of a profile for pictures.
    pub(super) fn new(bytes: Vec<u8>) -> Option<Self> {
        let space = match bytes.get(16..20)? {
            b"GRAY" => Space::Gray,
            b"RGB " => Space::Rgb,
            b"CMYK" => Space::Cmyk,
            _ => return None,
        };
        (bytes.len() >= 128 && bytes.get(36..40)? == b"acsp").then_some(Self { bytes, space })
    }

    /// Whether the profile means the colours of a picture with these channels.
    pub(super) fn fits(&self, picture: Space) -> bool {
        self.space == picture || (self.space, picture) == (Space::Rgb, Space::Gray)
    }

    /// The profile itself; none where it cannot be read.
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

/// The same of a picture in greys, whose channels are equal.
fn greys_to_srgb(picture: &DynamicImage, profile: &ColorProfile) -> Option<DynamicImage> {
    let transform = transform(profile, Layout::Gray, Layout::Rgb)?;
    let (width, height) = (picture.width(), picture.height());
    let mut from = GrayImage::new(width, height);
    let mut to = RgbImage::new(width, height);
    match picture {
        DynamicImage::ImageRgb8(picture) => {
            from.pixels_mut().zip(picture.pixels()).for_each(|(to, from)| to.0[0] = from.0[0]);
            transform.transform(&from, &mut to).ok()?;
            Some(DynamicImage::ImageRgb8(to))
        }
        DynamicImage::ImageRgba8(picture) => {
            from.pixels_mut().zip(picture.pixels()).for_each(|(to, from)| to.0[0] = from.0[0]);
            transform.transform(&from, &mut to).ok()?;
            let mut shown = picture.clone();
            shown.pixels_mut().zip(to.pixels()).for_each(|(to, from)| to.0[..3].copy_from_slice(&from.0));
            Some(DynamicImage::ImageRgba8(shown))
        }
        _ => None,
    }
}
