//! The label's mark as it is stored, and the icons and cards drawn of it.

mod svg;
mod visit;

use bytes::Bytes;
use image::{
    DynamicImage, ExtendedColorType, GenericImageView, ImageEncoder as _, Rgb, RgbImage, Rgba, RgbaImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
    imageops,
};
use rules::{
    image::PIXELS_MAX,
    mark::{MARK_EDGE_MAX, MarkError, check_mark_proportions},
};

use super::{
    colour,
    format::{PictureError, media_type},
    scaled::{self, Premultiplied},
    source::Source,
    turns::{self, Pictures},
};

/// A cleaned mark, without margins.
#[derive(Debug)]
pub struct Mark {
    pub bytes: Vec<u8>,
    pub format: MarkFormat,
    /// In pixels; of an SVG, its proportions.
    pub dimensions: (u32, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkFormat {
    Svg,
    Png,
}

/// A picture in the colour of the ground, with the mark in its middle.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    pub size: (u32, u32),
    /// The room for the mark.
    pub inner: (u32, u32),
}

const GROUND: [u8; 3] = [0x0b; 3];
const INK: [u8; 3] = [0xed, 0xeb, 0xe6];

/// A channel below this cannot be seen on the ground (contrast below 2:1).
const DARK: u8 = 0x48;
/// Least opacity of a pixel that counts as drawn.
const DRAWN: u8 = 24;
/// Longest edge in pixels at which a mark is judged.
const JUDGED_EDGE: f32 = 512.0;

impl Pictures {
    /// Reads an uploaded mark, and writes it anew without its margins. A mark that is dark all over, as it would be on paper, is drawn
    /// in the ink.
    pub async fn clean_mark(&self, bytes: Bytes) -> Result<Result<Mark, MarkError>, PictureError> {
        self.in_turn(move || clean(&bytes)).await
    }

    /// A PNG of a cleaned mark, or of another drawing of this program.
    pub async fn draw_mark(
        &self,
        mark: Bytes,
        format: MarkFormat,
        sheet: Sheet,
    ) -> Result<Vec<u8>, PictureError> {
        let drawn = self.in_turn(move || draw(&mark, format, sheet)).await?;
        drawn.map_err(|error| PictureError::Failed(anyhow::anyhow!("the stored mark: {error:?}")))
    }
}

fn clean(bytes: &[u8]) -> Result<Mark, MarkError> {
    if media_type(bytes) == Some("image/png") { clean_png(bytes) } else { svg::clean(bytes) }
}

fn clean_png(bytes: &[u8]) -> Result<Mark, MarkError> {
    let source = Source::read(bytes, PIXELS_MAX).map_err(|_| MarkError::Broken)?;
    let _lock = turns::lock_if_heavy(source.weight);
    let mut opened = source.open().map_err(|_| MarkError::Broken)?;
    opened.picture.apply_orientation(source.orientation);
    let (x, y, width, height) = drawn_part(&opened.picture).ok_or(MarkError::Empty)?;
    #[expect(clippy::cast_precision_loss, reason = "edges of a picture")]
    check_mark_proportions(width as f32, height as f32)?;
    // Small before its colours are changed, as pictures in sizes are: a second copy would be large.
    let drawn = imageops::crop_imm(&opened.picture, x, y, width, height);
    let picture = DynamicImage::ImageRgba8(fitted(&*drawn, MARK_EDGE_MAX, MARK_EDGE_MAX, false));
    let mut picture = colour::to_srgb(picture, opened.colours().as_ref()).into_rgba8();
    if is_dark(&picture) {
        for pixel in picture.pixels_mut() {
            pixel.0[..3].copy_from_slice(&INK);
        }
    }
    let dimensions = picture.dimensions();
    let bytes = packed(picture.as_raw(), dimensions, ExtendedColorType::Rgba8)?;
    Ok(Mark { bytes, format: MarkFormat::Png, dimensions })
}

/// Left, top, width and height of what is not transparent.
fn drawn_part(picture: &impl GenericImageView<Pixel = Rgba<u8>>) -> Option<(u32, u32, u32, u32)> {
    let mut edges = None;
    for (x, y, _) in picture.pixels().filter(|(.., pixel)| pixel.0[3] >= DRAWN) {
        let [left, top, right, bottom] = edges.unwrap_or([x, y, x, y]);
        edges = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }
    let [left, top, right, bottom] = edges?;
    Some((left, top, right - left + 1, bottom - top + 1))
}

/// Whether what is drawn cannot be seen on the ground. Not of a picture that fills its whole rectangle, whose shapes would be lost.
fn is_dark(picture: &RgbaImage) -> bool {
    let drawn = || picture.pixels().filter(|pixel| pixel.0[3] >= DRAWN);
    let is_whole = drawn().count() == picture.pixels().len();
    !is_whole && drawn().all(|pixel| pixel.0[..3].iter().all(|channel| *channel < DARK))
}

/// As large as fits, or if `is_enlarged` is not set, at most as large as it is.
fn fitted(
    picture: &impl GenericImageView<Pixel = Rgba<u8>>,
    width: u32,
    height: u32,
    is_enlarged: bool,
) -> RgbaImage {
    let [across, down] =
        [f64::from(width) / f64::from(picture.width()), f64::from(height) / f64::from(picture.height())];
    let scale = across.min(down);
    if scale >= 1.0 && !is_enlarged {
        return RgbaImage::from_fn(picture.width(), picture.height(), |x, y| picture.get_pixel(x, y));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the edges asked for")]
    let edge = |edge: u32| ((f64::from(edge) * scale).round() as u32).max(1);
    let (width, height) = (edge(picture.width()), edge(picture.height()));
    let mut fitted = scaled::shrink(&Premultiplied(picture), width, height);
    scaled::unpremultiply(&mut fitted);
    fitted
}

fn draw(mark: &[u8], format: MarkFormat, sheet: Sheet) -> Result<Vec<u8>, MarkError> {
    let (width, height) = sheet.inner;
    let drawn = match format {
        MarkFormat::Svg => svg::draw(&svg::parse(mark)?, sheet.inner)?,
        MarkFormat::Png => {
            let source = Source::read(mark, PIXELS_MAX).map_err(|_| MarkError::Broken)?;
            let opened = source.open().map_err(|_| MarkError::Broken)?;
            fitted(&opened.picture, width, height, true)
        }
    };
    let mut canvas = RgbaImage::from_pixel(sheet.size.0, sheet.size.1, with_alpha(GROUND));
    let middle = |outer: u32, inner: u32| i64::from(outer.saturating_sub(inner) / 2);
    let place = (middle(sheet.size.0, drawn.width()), middle(sheet.size.1, drawn.height()));
    imageops::overlay(&mut canvas, &drawn, place.0, place.1);
    let opaque = RgbImage::from_fn(canvas.width(), canvas.height(), |x, y| {
        let [red, green, blue, _] = canvas.get_pixel(x, y).0;
        Rgb([red, green, blue])
    });
    packed(opaque.as_raw(), sheet.size, ExtendedColorType::Rgb8)
}

fn with_alpha([red, green, blue]: [u8; 3]) -> Rgba<u8> {
    Rgba([red, green, blue, u8::MAX])
}

fn packed(
    pixels: &[u8],
    (width, height): (u32, u32),
    colours: ExtendedColorType,
) -> Result<Vec<u8>, MarkError> {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive)
        .write_image(pixels, width, height, colours)
        .map_err(|_| MarkError::Broken)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
