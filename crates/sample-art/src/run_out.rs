//! The default background of the home page: the end of a record, with the matrix scratched into the dead wax.
//! Only drawn when the assets are made anew (`cargo run --example draw_assets`); the program carries the files.

use std::f32::consts::{PI, TAU};

use image::RgbImage;

use super::seed::Dice;
use super::sheet::{GROUND, Ink, Point, Sheet};

/// What is scratched, as cutters do.
const MATRIX: &str = "404-000-A  THE MESSAGE IS SCRATCHED WHERE THE MUSIC ENDS";
/// Where the spindle is, in heights of the picture.
const SPINDLE: Point = (1.17, 0.46);
const LABEL: f32 = 0.235;
const LAST_GROOVE: f32 = 0.5;

/// The background, dark enough for text in bone on it.
pub fn hero(width: u32, height: u32) -> RgbImage {
    let mut sheet = Sheet::new(width, height);
    let mut dice = Dice::of("404-000-A");
    grooves(&mut sheet, &mut dice);
    lead_out(&mut sheet);
    scratch(&mut sheet, &mut dice);
    sheet.arc(SPINDLE, LABEL, 0.0, TAU, 0.0028, Ink::Bone);
    sheet.arc(SPINDLE, LABEL * 0.42, 0.0, TAU, 0.0018, Ink::Bone);
    sheet.disc(SPINDLE, 0.0155, Ink::Signal);
    let mut print = sheet.print();
    let unit = height as f32;
    for (x, y, pixel) in print.enumerate_pixels_mut() {
        let (right, down) = (x as f32 / unit - SPINDLE.0, y as f32 / unit - SPINDLE.1);
        let light = strength(right, down);
        let signal = pixel.0[0] > pixel.0[2].saturating_add(90);
        for (channel, ground) in pixel.0.iter_mut().zip(GROUND) {
            let share = if signal { 0.92 } else { light };
            *channel = (f32::from(ground) + (f32::from(*channel) - f32::from(ground)) * share).round() as u8;
        }
    }
    print
}

/// How brightly the wax shines there: as on a real record, in two opposite fans.
fn strength(right: f32, down: f32) -> f32 {
    let radius = right.hypot(down);
    let fan = ((down.atan2(right) - 0.5) * 2.0).cos() * 0.5 + 0.5;
    let inside: f32 = if radius < LAST_GROOVE - 0.004 { 0.36 } else { 0.2 };
    inside * (0.5 + 0.62 * fan.powi(3))
}

fn grooves(sheet: &mut Sheet, dice: &mut Dice) {
    let mut radius = LAST_GROOVE;
    while radius < 1.5 {
        let width = if dice.chance(0.1) { 0.0052 } else { dice.between(0.0016, 0.0028) };
        let turn = dice.between(0.0, TAU);
        for piece in 0..3_u32 {
            let from = turn + piece as f32 * TAU / 3.0;
            sheet.arc(SPINDLE, radius, from, from + TAU / 3.0 * dice.between(0.72, 1.0), width, Ink::Bone);
        }
        radius += dice.between(0.0095, 0.0125);
    }
}

/// Where the lead-out groove starts, how often it goes around, and where it ends.
const LEAD_FROM: f32 = 0.9;
const LEAD_TURNS: f32 = 2.4;
const LEAD_END: f32 = LABEL + 0.035;

/// The groove that carries the needle from the music to the end, by angle.
fn lead_radius(angle: f32) -> f32 {
    LAST_GROOVE + (LEAD_END - LAST_GROOVE) * (angle - LEAD_FROM) / (LEAD_TURNS * TAU)
}

/// The lead-out groove, and the circle that the needle then stays in.
fn lead_out(sheet: &mut Sheet) {
    sheet.polar(
        SPINDLE,
        LEAD_FROM,
        LEAD_FROM + LEAD_TURNS * TAU,
        LAST_GROOVE,
        0.0026,
        Ink::Bone,
        lead_radius,
    );
    sheet.arc(SPINDLE, LEAD_END, 0.0, TAU, 0.0026, Ink::Bone);
}

/// Writes the matrix between two turns of the lead-out, letter by letter, with an unsteady hand.
fn scratch(sheet: &mut Sheet, dice: &mut Dice) {
    let tall = 0.034;
    let mut angle = PI * 0.62;
    for letter in MATRIX.chars() {
        let radius = lead_radius(angle) - 0.047;
        let lean = dice.between(-0.1, 0.1);
        let (lift, grow) = (dice.between(-0.004, 0.004), dice.between(0.9, 1.08));
        for line in glyph(letter) {
            let points: Vec<Point> = line
                .iter()
                .map(|&(column, row)| {
                    let across = (f32::from(column) / 4.0 - 0.5) * tall * 0.66 * grow;
                    let up = (0.5 - f32::from(row) / 6.0) * tall * grow + lift;
                    let at = angle + (across + up * lean) / radius;
                    let far = radius + up;
                    (SPINDLE.0 + far * at.cos(), SPINDLE.1 + far * at.sin())
                })
                .collect();
            sheet.stroke(&points, 0.0027, Ink::Bone);
        }
        angle += tall * 0.94 / radius * dice.between(0.9, 1.02);
    }
}

/// The strokes of a letter on a grid four wide and six tall, from the top left.
fn glyph(letter: char) -> &'static [&'static [(u8, u8)]] {
    match letter {
        '0' => &[&[(1, 0), (3, 0), (4, 2), (4, 4), (3, 6), (1, 6), (0, 4), (0, 2), (1, 0)]],
        '4' => &[&[(3, 6), (3, 0), (0, 4), (4, 4)]],
        '-' => &[&[(1, 3), (3, 3)]],
        'A' => &[&[(0, 6), (2, 0), (4, 6)], &[(1, 4), (3, 4)]],
        'C' => &[&[(4, 1), (3, 0), (1, 0), (0, 2), (0, 4), (1, 6), (3, 6), (4, 5)]],
        'D' => &[&[(0, 0), (0, 6), (3, 6), (4, 4), (4, 2), (3, 0), (0, 0)]],
        'E' => &[&[(4, 0), (0, 0), (0, 6), (4, 6)], &[(0, 3), (3, 3)]],
        'G' => &[&[(4, 1), (3, 0), (1, 0), (0, 2), (0, 4), (1, 6), (3, 6), (4, 5), (4, 3), (2, 3)]],
        'H' => &[&[(0, 0), (0, 6)], &[(4, 0), (4, 6)], &[(0, 3), (4, 3)]],
        'I' => &[&[(2, 0), (2, 6)]],
        'M' => &[&[(0, 6), (0, 0), (2, 3), (4, 0), (4, 6)]],
        'N' => &[&[(0, 6), (0, 0), (4, 6), (4, 0)]],
        'R' => &[&[(0, 6), (0, 0), (3, 0), (4, 1), (3, 3), (0, 3)], &[(2, 3), (4, 6)]],
        'S' => &[&[(4, 1), (3, 0), (1, 0), (0, 1), (1, 3), (3, 3), (4, 5), (3, 6), (1, 6), (0, 5)]],
        'T' => &[&[(0, 0), (4, 0)], &[(2, 0), (2, 6)]],
        'U' => &[&[(0, 0), (0, 5), (1, 6), (3, 6), (4, 5), (4, 0)]],
        'W' => &[&[(0, 0), (1, 6), (2, 3), (3, 6), (4, 0)]],
        _ => &[],
    }
}
