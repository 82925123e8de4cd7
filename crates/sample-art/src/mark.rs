//! The label's mark: a record whose label is the block cursor. `web/public/favicon.svg` has the same numbers.
//! Only drawn when the assets are made anew (`cargo run --example draw_assets`).

use std::f32::consts::TAU;

use image::RgbImage;

use super::sheet::{Ink, Sheet};

/// The mark on its black square, `size` pixels wide. `margin` is the share of the side that stays free around
/// the record.
pub fn mark(size: u32, margin: f32) -> RgbImage {
    let mut sheet = Sheet::new(size, size);
    let (centre, across) = ((0.5, 0.5), 1.0 - 2.0 * margin);
    sheet.disc(centre, across * 0.5, Ink::Bone);
    for radius in [0.42, 0.33] {
        sheet.arc(centre, across * radius, 0.0, TAU, across * 0.032, Ink::Ground);
    }
    let half = across * 0.16;
    sheet.block((0.5 - half, 0.5 - half), (0.5 + half, 0.5 + half), Ink::Signal);
    sheet.print()
}
