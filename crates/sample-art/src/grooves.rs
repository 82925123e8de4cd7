//! Modulated grooves around a label disc.

use std::f32::consts::{PI, TAU};

use super::seed::Dice;
use super::sheet::{Ink, Point, Sheet, stripe};

/// How many recipes there are.
pub(super) const RECIPES: u32 = 9;

/// Draws one of the recipes.
pub(super) fn draw(sheet: &mut Sheet, dice: &mut Dice, recipe: u32) {
    match recipe {
        0 => corner(sheet, dice),
        1 => spiral(sheet, dice),
        2 => slipped_half(sheet, dice),
        3 => cone(sheet, dice),
        4 => quadrants(sheet, dice),
        5 => wedge(sheet, dice),
        6 => slices(sheet, dice),
        7 => tracks(sheet, dice),
        _ => record(sheet, dice),
    }
}

/// Grooves from one radius to another, broken here and thickened there.
fn broken(sheet: &mut Sheet, dice: &mut Dice, centre: Point, radii: Point, pitch: f32, ink: Ink) {
    let mut radius = radii.0;
    while radius < radii.1 {
        let width = match dice.below(10) {
            0 => pitch * 0.42,
            1..=3 => pitch * 0.12,
            _ => pitch * 0.22,
        };
        let turn = dice.between(0.0, TAU);
        if dice.chance(0.45) {
            sheet.arc(centre, radius, turn, turn + TAU, width, ink);
        } else {
            let pieces = 2 + dice.below(7);
            let share = TAU / pieces as f32;
            for piece in 0..pieces {
                let from = turn + share * piece as f32;
                let length = share * dice.between(0.45, 0.97);
                sheet.arc(centre, radius, from, from + length, width, ink);
                if dice.chance(0.4) {
                    let from = from + length * dice.between(0.0, 0.6);
                    sheet.arc(centre, radius, from, from + dice.between(0.05, 0.3), pitch * 0.36, ink);
                }
            }
        }
        radius += pitch;
    }
}

fn label(sheet: &mut Sheet, centre: Point, radius: f32, ink: Ink, hole: Ink) {
    sheet.disc(centre, radius, ink);
    sheet.disc(centre, radius * 0.14, hole);
}

fn record(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let centre = (0.5, 0.5);
    broken(sheet, dice, centre, (0.115, 0.74), 0.0131, Ink::Ground);
    for radius in [dice.between(0.2, 0.27), dice.between(0.3, 0.4), dice.between(0.55, 0.68)] {
        sheet.arc(centre, radius, 0.0, TAU, 0.007, Ink::Ground);
    }
    label(sheet, centre, 0.097, Ink::Signal, Ink::Bone);
}

fn corner(sheet: &mut Sheet, dice: &mut Dice) {
    let centre = (1.02, 1.04);
    broken(sheet, dice, centre, (0.5, 1.5), 0.0142, Ink::Bone);
    label(sheet, centre, 0.43, Ink::Bone, Ink::Ground);
    sheet.arc(centre, 0.465, 0.0, TAU, 0.008, Ink::Signal);
}

fn tracks(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let centre = (-0.08, 0.5);
    let mut radius = 0.3;
    while radius < 1.25 {
        let depth = dice.between(0.06, 0.19);
        broken(sheet, dice, centre, (radius, radius + depth), 0.0104, Ink::Ground);
        sheet.arc(centre, radius + depth + 0.004, 0.0, TAU, 0.005, Ink::Ground);
        radius += depth + dice.between(0.025, 0.045);
    }
    label(sheet, centre, 0.25, Ink::Ground, Ink::Bone);
    sheet.block((0.6, 0.496), (1.0, 0.504), Ink::Signal);
}

fn spiral(sheet: &mut Sheet, dice: &mut Dice) {
    let (pixel, noise) = (sheet.pixel(), dice.noise());
    let turns = 34.0;
    sheet.shade(|x, y| {
        let (x, y) = (x - 0.5, y - 0.5);
        let (radius, angle) = (x.hypot(y), y.atan2(x));
        let loudness = noise.line(radius * 9.0 + angle.sin() * 0.6) * 0.5 + 0.5;
        let swell = (angle * 24.0 + radius * 60.0).sin() * 0.5 + 0.5;
        let body = if (0.13..0.5).contains(&radius) { 0.14 + 0.62 * swell * loudness } else { 0.0 };
        stripe(radius * turns * 2.0 - angle / TAU, turns * 2.0, body, pixel)
    });
    sheet.arc((0.5, 0.5), 0.488, 0.0, TAU, 0.004, Ink::Bone);
    sheet.arc((0.5, 0.5), 0.12, 0.0, TAU, 0.004, Ink::Bone);
    sheet.disc((0.5, 0.5), 0.014, Ink::Signal);
}

fn slipped_half(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let centre = (0.5, 0.36);
    broken(sheet, dice, centre, (0.17, 1.2), 0.0155, Ink::Ground);
    label(sheet, centre, 0.15, Ink::Signal, Ink::Bone);
    *sheet = sheet.moved(|x, y| if x < 0.5 { (x, y) } else { (x, y - 0.28) });
    let mut right = sheet.clone();
    right.invert();
    sheet.join(&right, |x, _| x >= 0.5);
}

fn cone(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let lean = dice.between(0.6, 1.1);
    let rings: u32 = 34;
    for ring in 0..rings {
        let far = 1.0 - ring as f32 / rings as f32;
        let radius = 0.035 + far * 0.62;
        let shift = (1.0 - far).powf(1.4) * 0.24;
        let centre = (0.44 + shift * lean.cos(), 0.44 + shift * lean.sin());
        sheet.disc(centre, radius, if ring % 2 == 0 { Ink::Ground } else { Ink::Bone });
        if ring + 3 == rings {
            sheet.disc(centre, radius, Ink::Signal);
            sheet.disc(centre, radius * 0.2, Ink::Bone);
            break;
        }
    }
}

fn quadrants(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let offsets: Vec<f32> = (0..16).map(|_| dice.below(8) as f32 / 8.0).collect();
    sheet.shade(|x, y| {
        let (x, y) = (x - 0.5, y - 0.5);
        let (radius, angle) = (x.hypot(y), y.atan2(x) + PI);
        let band = ((radius - 0.1) / 0.1).floor();
        if band < 0.0 || radius > 0.48 {
            return 0.0;
        }
        let quarter = (angle / TAU * 4.0 + offsets[band as usize * 3 % 16] * 2.0).floor() as usize % 4;
        let share = [0.12, 0.5, 0.28, 0.72][(quarter + band as usize) % 4];
        let gap = ((radius - 0.1) / 0.1 - band) > 0.93;
        if gap { 0.0 } else { stripe(radius * 62.0 + offsets[quarter * 4], 62.0, share, pixel) }
    });
    sheet.disc((0.5, 0.5), 0.075, Ink::Bone);
    sheet.disc((0.5, 0.5), 0.022, Ink::Signal);
}

fn wedge(sheet: &mut Sheet, dice: &mut Dice) {
    let centre = (0.5, 0.5);
    let start = dice.between(0.0, TAU);
    let rings: u32 = 44;
    for ring in 0..rings {
        let radius = 0.13 + 0.0125 * ring as f32;
        let drift = start + ring as f32 * 0.075;
        let length = TAU * dice.between(0.5, 0.62);
        let width = if ring % 6 == 0 { 0.0075 } else { 0.0032 };
        sheet.arc(centre, radius, drift, drift + length, width, Ink::Bone);
    }
    label(sheet, centre, 0.1, Ink::Signal, Ink::Ground);
}

fn slices(sheet: &mut Sheet, dice: &mut Dice) {
    let centre = (0.5, 0.5);
    broken(sheet, dice, centre, (0.13, 0.44), 0.0118, Ink::Bone);
    sheet.arc(centre, 0.455, 0.0, TAU, 0.005, Ink::Bone);
    label(sheet, centre, 0.11, Ink::Signal, Ink::Ground);
    let noise = dice.noise();
    let cuts: u32 = 13;
    *sheet = sheet.moved(|x, y| {
        let strip = (y * cuts as f32).floor();
        (x + (noise.step(strip as i32) - 0.5) * 0.34, y)
    });
}
