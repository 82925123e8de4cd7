//! Pictures made smaller. Colours under transparent places are let out of it: they would shine at the edges.

use image::{
    DynamicImage, GenericImageView, RgbImage, Rgba, RgbaImage,
    imageops::{self, FilterType},
};

pub(super) fn scaled(picture: &DynamicImage, width: u32, height: u32) -> DynamicImage {
    if picture.dimensions() == (width, height) {
        return picture.clone();
    }
    let small = DynamicImage::ImageRgba8(shrink(picture, width, height));
    if picture.color().has_alpha() { small } else { DynamicImage::ImageRgb8(small.into_rgb8()) }
}

/// Averaging first is as good as the filter alone, and reads every pixel of a large picture once.
pub(super) fn shrink(
    picture: &impl GenericImageView<Pixel = Rgba<u8>>,
    width: u32,
    height: u32,
) -> RgbaImage {
    if picture.width() > 2 * width && picture.height() > 2 * height {
        let halfway = imageops::thumbnail(picture, 2 * width, 2 * height);
        imageops::resize(&halfway, width, height, FilterType::CatmullRom)
    } else {
        imageops::resize(picture, width, height, FilterType::CatmullRom)
    }
}

/// A picture seen with each colour as strong as it is opaque, without a copy of it.
pub(super) struct Premultiplied<'a, P>(pub(super) &'a P);

impl<P: GenericImageView<Pixel = Rgba<u8>>> GenericImageView for Premultiplied<'_, P> {
    type Pixel = Rgba<u8>;

    fn dimensions(&self) -> (u32, u32) {
        self.0.dimensions()
    }

    fn get_pixel(&self, x: u32, y: u32) -> Rgba<u8> {
        premultiplied(self.0.get_pixel(x, y))
    }
}

fn premultiplied(Rgba([red, green, blue, alpha]): Rgba<u8>) -> Rgba<u8> {
    let strong =
        |channel: u8| u8::try_from((u16::from(channel) * u16::from(alpha) + 127) / 255).unwrap_or(u8::MAX);
    Rgba([strong(red), strong(green), strong(blue), alpha])
}

pub(super) fn premultiply(picture: &mut RgbaImage) {
    for pixel in picture.pixels_mut() {
        *pixel = premultiplied(*pixel);
    }
}

pub(super) fn unpremultiply(picture: &mut RgbaImage) {
    for pixel in picture.pixels_mut() {
        let alpha = u16::from(pixel.0[3]);
        for channel in &mut pixel.0[..3] {
            let full = (u16::from(*channel) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0);
            *channel = u8::try_from(full).unwrap_or(u8::MAX);
        }
    }
}

/// Made smaller, on black where it is transparent.
pub(super) fn over_black(
    picture: &impl GenericImageView<Pixel = Rgba<u8>>,
    width: u32,
    height: u32,
) -> RgbImage {
    // A colour as strong as it is opaque is what black shows of it.
    DynamicImage::ImageRgba8(shrink(&Premultiplied(picture), width, height)).into_rgb8()
}

/// On white; each colour is as strong as it is opaque.
pub(super) fn over_white(picture: &RgbaImage) -> RgbImage {
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
        image::Rgb([red, green, blue].map(|channel| channel.saturating_add(u8::MAX - alpha)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_under_transparent_places_does_not_shine_at_the_edges() {
        // White, opaque on the left; green hides under what is transparent on the right.
        let picture = RgbaImage::from_fn(400, 400, |x, _| match x {
            0..199 => Rgba([255, 255, 255, 255]),
            _ => Rgba([0, 255, 0, 0]),
        });
        let mut small = shrink(&Premultiplied(&picture), 100, 100);
        unpremultiply(&mut small);
        for pixel in small.pixels().filter(|pixel| pixel.0[3] > 16) {
            assert!(pixel.0[..3].iter().all(|channel| *channel > 240), "{pixel:?}");
        }
        assert_eq!((small.get_pixel(10, 10).0[3], small.get_pixel(90, 90).0[3]), (255, 0));
    }

    #[test]
    fn a_dark_subject_on_transparent_white_has_no_light_edge() {
        let picture = RgbaImage::from_fn(400, 400, |x, _| match x {
            0..199 => Rgba([10, 10, 10, 255]),
            _ => Rgba([255, 255, 255, 0]),
        });
        for (width, height) in [(300, 300), (100, 100)] {
            let small = over_black(&picture, width, height);
            assert!(small.pixels().all(|pixel| pixel.0.iter().all(|channel| *channel <= 12)), "{width}");
            assert_eq!(small.get_pixel(10, 10).0, [10; 3]);
        }
    }
}
