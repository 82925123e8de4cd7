//! The prints as files. Lines and dots in sixteen colours are what indexed PNG is made for: at the same
//! sharpness it takes half of what JPEG or lossy WebP take, so that is what sleeves are stored as.

use std::io;

use image::RgbImage;

use super::sheet::PALETTE;

/// A print that could not be packed.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The picture holds a colour that no print has.
    #[error("the picture at {x},{y} has a colour outside the palette")]
    ForeignColour {
        /// Column of the first such pixel.
        x: u32,
        /// Its row.
        y: u32,
    },
    /// The encoder refused.
    #[error("packing a print")]
    Png(#[from] png::EncodingError),
}

/// Packs a print as a PNG with four bits per pixel.
///
/// Only for what [`cover`](super::cover) and [`portrait`](super::portrait) return: other colours than theirs
/// are refused.
pub fn png(print: &RgbImage) -> Result<Vec<u8>, EncodeError> {
    let mut packed = Vec::with_capacity(print.as_raw().len() / 6 + print.height() as usize);
    for (y, row) in (0..).zip(print.rows()) {
        let mut half = None;
        for (x, pixel) in (0..).zip(row) {
            let found = PALETTE.iter().position(|colour| *colour == pixel.0);
            let index = found.ok_or(EncodeError::ForeignColour { x, y })? as u8;
            half = match half {
                None => Some(index << 4),
                Some(first) => {
                    packed.push(first | index);
                    None
                }
            };
        }
        packed.extend(half);
    }
    let mut file = io::Cursor::new(Vec::new());
    let mut encoder = png::Encoder::new(&mut file, print.width(), print.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Four);
    encoder.set_palette(PALETTE.concat());
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&packed)?;
    writer.finish()?;
    Ok(file.into_inner())
}
