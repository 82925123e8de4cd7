//! Pictures that people upload: recognised by their first bytes, decoded in full within bounds, and drawn anew or stripped, so
//! that nothing of what was sent is stored but the picture itself. One at a time for each core.
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

mod colour;
mod format;
mod mark;
mod published;
mod scaled;
mod sizes;
mod source;
mod strip;
mod turns;

use bytes::Bytes;
use image::{
    DynamicImage, GenericImageView as _, ImageResult, RgbImage, codecs::jpeg::JpegEncoder, imageops,
};
use rules::avatar;
use source::Source;

pub use format::{NotAPicture, PictureError, media_type};
pub use mark::{Mark, MarkFormat, Sheet};
pub use published::Published;
pub use sizes::{NoSizes, Size, Sizes, make_sizes};
pub use turns::Pictures;

impl Pictures {
    /// The middle of a picture as a square JPEG of `size` pixels, upright, on black where it is transparent.
    pub async fn square(
        &self,
        bytes: Bytes,
        size: u32,
        quality: u8,
    ) -> Result<Result<Vec<u8>, NotAPicture>, PictureError> {
        self.in_turn(move || square(&bytes, size, quality).map_err(NotAPicture::from)).await
    }

    /// A picture as a JPEG at most 1280 pixels wide, with its width and height; none if it cannot be opened.
    pub async fn jpeg(&self, bytes: Bytes) -> Result<Option<(Vec<u8>, (u32, u32))>, PictureError> {
        self.in_turn(move || sizes::make_jpeg(&bytes).ok()).await
    }
}

fn square(bytes: &[u8], size: u32, quality: u8) -> ImageResult<Vec<u8>> {
    let source = Source::read(bytes, avatar::PIXELS_MAX)?;
    let _lock = turns::lock_if_heavy(source.weight);
    let opened = source.open()?;
    // Turning moves no middle, so the small square is turned instead of the large picture.
    let square = DynamicImage::ImageRgb8(shrink(&opened.picture, size));
    let mut square = colour::to_srgb(square, opened.colours().as_ref());
    drop(opened);
    square.apply_orientation(source.orientation);
    let mut packed = Vec::new();
    JpegEncoder::new_with_quality(&mut packed, quality).encode_image(&square)?;
    Ok(packed)
}

fn shrink(picture: &DynamicImage, size: u32) -> RgbImage {
    let (width, height) = picture.dimensions();
    let edge = width.min(height);
    let middle = imageops::crop_imm(picture, (width - edge) / 2, (height - edge) / 2, edge, edge);
    scaled::over_black(&*middle, size, size)
}

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod made;
#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, Rgba, RgbaImage};

    use super::*;

    fn packed(picture: &RgbaImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::from(picture.clone()).to_rgba8().write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn opened(jpeg: &[u8]) -> RgbImage {
        image::load_from_memory_with_format(jpeg, ImageFormat::Jpeg).unwrap().to_rgb8()
    }

    #[test]
    fn types_are_known_by_the_first_bytes() {
        let picture = RgbaImage::from_pixel(4, 4, Rgba([9, 9, 9, 255]));
        assert_eq!(media_type(&packed(&picture, ImageFormat::Png)), Some("image/png"));
        assert_eq!(media_type(&packed(&picture, ImageFormat::WebP)), Some("image/webp"));
        assert_eq!(media_type(&[0xff, 0xd8, 0xff, 0xe0]), Some("image/jpeg"));
        assert_eq!(media_type(b"GIF89a"), Some("image/gif"));
        for other in [&b"GIF88a"[..], b"<svg>", b"RIFF1234WAVE", b"RIFF", b"", b"\x89PNG"] {
            assert_eq!(media_type(other), None, "{other:?}");
        }
    }

    #[test]
    fn the_middle_is_kept_and_what_is_transparent_becomes_black() {
        let picture = RgbaImage::from_fn(3000, 1000, |x, _| match x {
            1000..2000 => Rgba([250, 0, 0, 255]),
            _ => Rgba([0, 250, 0, 255]),
        });
        let square = opened(&square(&packed(&picture, ImageFormat::Png), 512, 80).unwrap());
        assert_eq!(square.dimensions(), (512, 512));
        for (x, y) in [(6, 6), (256, 256), (505, 505)] {
            let [red, green, _] = square.get_pixel(x, y).0;
            assert!(red > 230 && green < 25, "{x} {y}: {red} {green}");
        }
        let clear = RgbaImage::from_pixel(8, 8, Rgba([255, 255, 255, 0]));
        let black = opened(&super::square(&packed(&clear, ImageFormat::WebP), 512, 80).unwrap());
        assert!(black.get_pixel(100, 100).0.iter().all(|channel| *channel < 5));
    }

    #[test]
    fn a_letters_picture_is_a_jpeg_on_white() {
        let picture = RgbaImage::from_fn(1400, 100, |x, _| match x {
            0..700 => Rgba([200, 0, 0, 255]),
            _ => Rgba([0, 200, 0, 0]),
        });
        for format in [ImageFormat::Png, ImageFormat::WebP] {
            let (jpeg, dimensions) = sizes::make_jpeg(&packed(&picture, format)).unwrap();
            assert_eq!(dimensions, (1280, 91));
            let jpeg = opened(&jpeg);
            let [red, green, _] = jpeg.get_pixel(100, 50).0;
            assert!(red > 180 && green < 25, "{red} {green}");
            assert!(jpeg.get_pixel(1200, 50).0.iter().all(|channel| *channel > 250));
        }
        assert!(sizes::make_jpeg(b"no picture").is_err());
    }

    #[test]
    fn a_picture_of_too_many_pixels_is_refused_by_its_header() {
        // A PNG of 50000 × 50000 as far as its header goes.
        let mut header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xc3\x50\0\0\xc3\x50\x08\x02\0\0\0".to_vec();
        let mut crc = flate2::Crc::new();
        crc.update(&header[12..]);
        header.extend(crc.sum().to_be_bytes());
        header.extend(vec![0; 20_000]);
        assert!(square(&header, 512, 80).is_err());
        assert!(square(b"\x89PNG\r\n\x1a\n", 512, 80).is_err());
        assert!(square(b"", 512, 80).is_err());
    }
}
