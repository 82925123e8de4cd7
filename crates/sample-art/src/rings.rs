//! Etched rings: thin lines around a centre, dented, drifting, cracked.

use std::f32::consts::{PI, TAU};

use super::seed::Dice;
use super::sheet::{Ink, Point, Sheet, edge, stripe};

/// How many recipes there are.
pub(super) const RECIPES: u32 = 9;

/// Draws one of the recipes.
pub(super) fn draw(sheet: &mut Sheet, dice: &mut Dice, recipe: u32) {
    match recipe {
        0 => crack(sheet, dice),
        1 => contours(sheet, dice),
        2 => two_wells(sheet, dice),
        3 => turning_squares(sheet, dice),
        4 => crown(sheet, dice),
        5 => to_the_square(sheet, dice),
        6 => cells(sheet, dice),
        7 => sonar(sheet, dice),
        _ => dented(sheet, dice),
    }
}

/// How far apart two angles are, at most half a turn.
fn apart(one: f32, other: f32) -> f32 {
    let turn = (one - other).rem_euclid(TAU);
    turn.min(TAU - turn)
}

fn dented(sheet: &mut Sheet, dice: &mut Dice) {
    let centre = (dice.between(0.58, 0.64), dice.between(0.56, 0.62));
    let rings: u32 = 46;
    for ring in 1..rings {
        let radius = 0.0145 * ring as f32;
        let side = PI + dice.between(-0.35, 0.35);
        let hit = dice.chance(0.26);
        let depth = if hit { dice.between(0.015, 0.06) } else { 0.0 };
        let shape = dice.noise();
        let thick = ring % 6 == 0;
        sheet.polar(centre, 0.0, TAU, radius, if thick { 0.0048 } else { 0.0021 }, Ink::Bone, |angle| {
            let near = (-(apart(angle, side) / 0.62).powi(2)).exp();
            radius + shape.line(angle * 3.0) * depth * near
        });
    }
    sheet.disc(centre, 0.0165, Ink::Signal);
}

fn crack(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let centre = (0.5, 0.5);
    let shape = dice.noise();
    let mut radius = 0.02;
    while radius < 0.47 {
        let width = if dice.chance(0.16) { 0.0068 } else { dice.between(0.0022, 0.0036) };
        sheet.polar(centre, 0.0, TAU, radius, width, Ink::Ground, |angle| {
            let (x, y) = (angle.cos(), angle.sin());
            radius * (1.0 + 0.07 * shape.plane(x * 1.3 + 5.0, y * 1.3 + radius * 3.0))
        });
        radius += dice.between(0.0078, 0.017);
    }
    let lean = dice.between(0.5, 0.9);
    let mut line = Vec::new();
    for step in 0..=24_u32 {
        let along = step as f32 / 24.0 * 0.56;
        let wander = dice.between(-0.007, 0.007);
        line.push((0.5 + along * lean.cos() - wander, 0.5 + along * lean.sin() + wander));
    }
    sheet.stroke(&line, 0.02, Ink::Bone);
    sheet.stroke(&line, 0.0056, Ink::Signal);
}

/// Lines of equal height of a field, every fifth one heavier.
fn levels(sheet: &mut Sheet, count: f32, field: impl Fn(f32, f32) -> f32) {
    let pixel = sheet.pixel();
    sheet.shade(|x, y| {
        let height = field(x, y) * count;
        let steep =
            (field(x + pixel, y) * count - height).hypot(field(x, y + pixel) * count - height) / pixel;
        let level = height.round();
        let half = if level as i32 % 5 == 0 { 0.0026 } else { 0.0012 };
        edge((height - level).abs() / steep.max(1.0) - half, pixel)
    });
}

fn contours(sheet: &mut Sheet, dice: &mut Dice) {
    let (wide, fine) = (dice.noise(), dice.noise());
    let (x0, y0) = (dice.between(0.3, 0.42), dice.between(0.58, 0.7));
    levels(sheet, 26.0, |x, y| {
        let hill = (-((x - x0).powi(2) + (y - y0).powi(2)) / 0.09).exp();
        hill * 0.8 + wide.plane(x * 2.6, y * 2.6) * 0.36 + fine.plane(x * 6.0, y * 6.0) * 0.08
    });
    sheet.disc((x0, y0), 0.02, Ink::Signal);
}

fn two_wells(sheet: &mut Sheet, dice: &mut Dice) {
    let tilt = dice.between(0.4, 0.8);
    let (one, other) = (
        (0.5 - 0.21 * tilt.cos(), 0.5 - 0.21 * tilt.sin()),
        (0.5 + 0.21 * tilt.cos(), 0.5 + 0.21 * tilt.sin()),
    );
    levels(sheet, 20.0, |x, y| {
        let product = (x - one.0).hypot(y - one.1) * (x - other.0).hypot(y - other.1);
        product.max(1e-4).sqrt() * 2.6
    });
    sheet.invert();
    sheet.disc(one, 0.03, Ink::Ground);
    sheet.disc(other, 0.03, Ink::Signal);
}

fn turning_squares(sheet: &mut Sheet, dice: &mut Dice) {
    let turn = dice.between(0.062, 0.075);
    for step in 0..44_u32 {
        let radius = 0.665 * 0.927_f32.powi(step.cast_signed());
        let angle = PI / 4.0 + turn * step as f32;
        let corners: Vec<Point> = (0..=4_u32)
            .map(|corner| {
                let at = angle + corner as f32 * TAU / 4.0;
                (0.5 + radius * at.cos(), 0.5 + radius * at.sin())
            })
            .collect();
        sheet.stroke(&corners, if step % 6 == 0 { 0.0056 } else { 0.0024 }, Ink::Bone);
    }
    sheet.disc((0.5, 0.5), 0.016, Ink::Signal);
}

fn crown(sheet: &mut Sheet, dice: &mut Dice) {
    let centre = (0.5, 0.5);
    let rings: u32 = 26;
    for ring in 0..rings {
        let radius = 0.455 - 0.0135 * ring as f32;
        let (hiss, swell) = (dice.noise(), dice.noise());
        let line: Vec<Point> = (0..=720_u32)
            .map(|step| {
                let angle = step as f32 / 720.0 * TAU;
                let loud = (swell.plane(angle.cos() * 1.6, angle.sin() * 1.6) - 0.05).max(0.0);
                let out = hiss.line(angle * 26.0).abs() * loud * 0.075;
                let far = radius + out * if step >= 715 { 0.0 } else { 1.0 };
                (centre.0 + far * angle.cos(), centre.1 + far * angle.sin())
            })
            .collect();
        sheet.stroke(&line, 0.0024, Ink::Bone);
    }
    sheet.disc(centre, 0.062, Ink::Bone);
}

fn to_the_square(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let centre = (0.5, 0.5);
    let rings: u32 = 31;
    let lean = dice.between(0.3, 0.5);
    for ring in 1..=rings {
        let share = ring as f32 / rings as f32;
        let power = 2.0 + 12.0 * share.powi(2);
        let radius = 0.47 * share;
        let turn = (1.0 - share) * lean;
        sheet.polar(centre, 0.0, TAU, radius * 1.4, 0.0016 + 0.0052 * share, Ink::Ground, |angle| {
            let at = angle - turn;
            radius / (at.cos().abs().powf(power) + at.sin().abs().powf(power)).powf(1.0 / power)
        });
    }
    sheet.disc(centre, 0.02, Ink::Signal);
}

fn cells(sheet: &mut Sheet, dice: &mut Dice) {
    let pixel = sheet.pixel();
    let pace = 34.0;
    let seeds: Vec<Point> = (0..7_u32)
        .map(|seed| {
            let at = seed as f32 / 7.0 * TAU;
            let reach = dice.between(0.22, 0.44);
            (0.5 + reach * at.cos(), 0.5 + reach * at.sin())
        })
        .collect();
    sheet.shade(|x, y| {
        let (mut first, mut second) = (9.0_f32, 9.0_f32);
        for seed in &seeds {
            let far = (x - seed.0).hypot(y - seed.1);
            if far < first {
                second = first;
                first = far;
            } else {
                second = second.min(far);
            }
        }
        let seam = edge(0.006 - (second - first), pixel);
        stripe(first * pace, pace, 0.24, pixel) * seam
    });
    sheet.disc(seeds[2], 0.0158, Ink::Signal);
}

fn sonar(sheet: &mut Sheet, dice: &mut Dice) {
    let centre = (0.5, 0.5);
    for tick in 0..180_u32 {
        let angle = tick as f32 / 180.0 * TAU;
        let inner = if tick % 15 == 0 { 0.435 } else { 0.452 };
        let at = |radius: f32| (0.5 + radius * angle.cos(), 0.5 + radius * angle.sin());
        sheet.stroke(&[at(inner), at(0.468)], 0.0024, Ink::Bone);
    }
    for ring in 0..24_u32 {
        let radius = 0.035 + 0.0164 * ring as f32;
        let from = dice.between(0.0, TAU);
        let heavy = dice.chance(0.22);
        let length = if heavy { dice.between(0.4, 1.4) } else { dice.between(1.5, 6.0) };
        let width = if heavy { 0.0108 } else { 0.0026 };
        let ink = if ring == 15 { Ink::Signal } else { Ink::Bone };
        sheet.arc(centre, radius, from, from + length, if ring == 15 { 0.0108 } else { width }, ink);
    }
}
