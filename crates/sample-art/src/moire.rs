//! Moiré: two sets of stripes that disagree, with a square of signal.

use std::f32::consts::TAU;

use super::seed::Dice;
use super::sheet::{Ink, Sheet, stripe, xor};

/// How many recipes there are.
pub(super) const RECIPES: u32 = 10;

/// Draws one of the recipes.
pub(super) fn draw(sheet: &mut Sheet, dice: &mut Dice, recipe: u32) {
    match recipe {
        0 => two_sources(sheet, dice),
        1 => rays(sheet, dice),
        2 => swell(sheet, dice),
        3 => hidden_square(sheet, dice),
        4 => circles_on_lines(sheet, dice),
        5 => chirp(sheet, dice),
        6 => lens(sheet, dice),
        7 => threefold(sheet, dice),
        8 => chevrons(sheet, dice),
        _ => slats(sheet, dice),
    }
}

/// Straight stripes at an angle.
fn lines(x: f32, y: f32, angle: f32, pace: f32, share: f32, pixel: f32) -> f32 {
    stripe((x * angle.cos() + y * angle.sin()) * pace, pace, share, pixel)
}

fn slats(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let near = dice.between(0.055, 0.07);
    let pace = dice.between(52.0, 58.0);
    sheet.shade(|x, y| {
        lines(x, y, 0.34, pace, 0.5, pixel) * (1.0 - lines(x, y, 0.34 + near, pace * 0.97, 0.42, pixel))
    });
    sheet.block((0.62, 0.1), (0.88, 0.36), Ink::Signal);
}

fn chevrons(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let near = dice.between(0.09, 0.12);
    let pace = dice.between(44.0, 48.0);
    sheet.shade(|x, y| {
        let x = (x - 0.5).abs();
        xor(lines(x, y, 0.8, pace, 0.5, pixel), lines(x, y, 0.8 + near, pace, 0.5, pixel))
    });
    sheet.block((0.37, 0.0), (0.63, 0.26), Ink::Signal);
}

fn two_sources(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let apart = dice.between(0.07, 0.1);
    let pace = 34.0;
    sheet.shade(|x, y| {
        let one = (x - 0.5 + apart).hypot(y - 0.52) * pace;
        let other = (x - 0.5 - apart).hypot(y - 0.48) * pace;
        xor(stripe(one, pace, 0.5, pixel), stripe(other, pace, 0.5, pixel))
    });
    sheet.block((0.455, 0.455), (0.545, 0.545), Ink::Signal);
}

fn rays(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let count = 60.0;
    let shift = dice.between(0.1, 0.16);
    let fan = |x: f32, y: f32| {
        let radius = x.hypot(y).max(0.004);
        stripe(y.atan2(x) / TAU * count, count / TAU / radius, 0.5, pixel)
    };
    sheet.shade(|x, y| xor(fan(x - 0.5 + shift, y - 0.6), fan(x - 0.5 - shift, y - 0.4)));
    sheet.block((0.0, 0.0), (0.2, 0.2), Ink::Signal);
}

fn swell(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let (pace, turn) = (44.0, dice.between(0.0, TAU));
    sheet.shade(|x, y| {
        let push = (y * 7.0 + turn).sin() * 0.055 * (1.2 - y);
        let slope = (1.0 + ((y * 7.0 + turn).cos() * 0.385 * (1.2 - y)).powi(2)).sqrt();
        let one = stripe((x + push) * pace, pace * slope, 0.5, pixel);
        let other = stripe(x * pace * 1.04, pace * 1.04, 0.5, pixel);
        xor(one, other)
    });
    sheet.block((0.74, 0.0), (0.79, 1.0), Ink::Signal);
}

fn hidden_square(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let pace = 46.0;
    let lean = dice.between(0.25, 0.32);
    sheet.shade(|x, y| {
        let inside = (x - 0.5).abs().max((y - 0.5).abs());
        let square = (inside * 6.0).floor();
        let turn = if square as i32 % 2 == 0 { lean } else { -lean };
        lines(x, y, turn, pace, if square as i32 % 2 == 0 { 0.56 } else { 0.44 }, pixel)
    });
    sheet.block((0.4583, 0.4583), (0.5417, 0.5417), Ink::Signal);
}

fn circles_on_lines(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let pace = 36.0;
    let (x0, y0) = (dice.between(0.3, 0.4), dice.between(0.6, 0.7));
    sheet.shade(|x, y| {
        let ring = stripe((x - x0).hypot(y - y0) * pace, pace, 0.5, pixel);
        xor(ring, stripe(y * pace, pace, 0.5, pixel))
    });
    sheet.block((0.7, 0.08), (0.92, 0.3), Ink::Signal);
}

fn chirp(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let band = 1.0 / 9.0;
    let offsets = dice.noise();
    sheet.shade(|x, y| {
        let row = (y / band).floor();
        let from = if row as i32 % 2 == 0 { x } else { 1.0 - x };
        let pace = 4.0 + 84.0 * from;
        stripe(4.0 * from + 42.0 * from * from + offsets.step(row as i32), pace, 0.5, pixel)
    });
    sheet.block((0.0, band * 4.0), (band * 1.4, band * 5.0), Ink::Signal);
}

fn lens(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let (x0, y0) = (dice.between(0.5, 0.62), dice.between(0.4, 0.55));
    let pace = 30.0;
    let bulge = |x: f32, y: f32| {
        let (dx, dy) = (x - x0, y - y0);
        let pull = (-(dx * dx + dy * dy) / 0.045).exp();
        (y - dy * pull * 0.62) * pace
    };
    sheet.shade(|x, y| {
        let phase = bulge(x, y);
        let steep = (bulge(x + pixel, y) - phase).hypot(bulge(x, y + pixel) - phase) / pixel;
        stripe(phase, steep.max(4.0), 0.5, pixel)
    });
    sheet.disc((x0, y0), 0.03, Ink::Signal);
}

fn threefold(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let pace = 23.0;
    let near = dice.between(0.045, 0.06);
    sheet.shade(|x, y| {
        let one = lines(x, y, near, pace, 0.34, pixel);
        let two = lines(x, y, TAU / 6.0, pace * 1.03, 0.34, pixel);
        let three = lines(x, y, TAU / 3.0 - near, pace * 0.985, 0.34, pixel);
        xor(xor(one, two), three)
    });
    sheet.block((0.0, 0.86), (1.0, 0.9), Ink::Signal);
}
