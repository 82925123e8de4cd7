//! Stacked waveforms: many lines, the nearer ones in front.

use std::f32::consts::TAU;

use super::seed::{Dice, Noise};
use super::sheet::{Ink, Point, Sheet};

/// How many recipes there are.
pub(super) const RECIPES: u32 = 9;

/// Draws one of the recipes.
pub(super) fn draw(sheet: &mut Sheet, dice: &mut Dice, recipe: u32) {
    match recipe {
        0 => bars(sheet, dice),
        1 => pulsar(sheet, dice),
        2 => ridges(sheet, dice),
        3 => bursts(sheet, dice),
        4 => standing(sheet, dice),
        5 => bits(sheet, dice),
        6 => echo(sheet, dice),
        7 => knots(sheet, dice),
        _ => spikes(sheet, dice),
    }
}

/// The points of a line from one side to the other, `count` pieces long.
fn trace(from: f32, to: f32, count: u32, place: impl Fn(f32) -> f32) -> Vec<Point> {
    (0..=count)
        .map(|step| {
            let x = from + (to - from) * step as f32 / count as f32;
            (x, place(x))
        })
        .collect()
}

/// A bell around `centre`, one high.
fn bell(x: f32, centre: f32, width: f32) -> f32 {
    (-((x - centre) / width).powi(2)).exp()
}

fn spikes(sheet: &mut Sheet, dice: &mut Dice) {
    let rows: u32 = 24;
    for row in 0..rows {
        let base = 0.06 + 0.88 * row as f32 / (rows - 1) as f32;
        let (centre, width) = (dice.between(0.42, 0.58), dice.between(0.2, 0.32));
        let heights: Vec<f32> = (0..=120)
            .map(|step| {
                let x = step as f32 / 120.0;
                let tall = if dice.chance(0.5) { dice.unit().powi(2) } else { dice.unit() * 0.12 };
                tall * (0.095 * bell(x, centre, width) + 0.006)
            })
            .collect();
        let line: Vec<Point> =
            heights.iter().enumerate().map(|(step, height)| (step as f32 / 120.0, base - height)).collect();
        sheet.fill_below(&line, base + 0.002, Ink::Ground);
        sheet.stroke(&line, 0.003, Ink::Bone);
    }
}

fn pulsar(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let rows: u32 = 44;
    let loud = rows / 2 + dice.below(6);
    for row in 0..rows {
        let age = row as f32 / (rows - 1) as f32;
        let (base, middle) = (0.14 + 0.78 * age, 0.3 + 0.36 * age);
        let peaks: Vec<Point> =
            (0..5).map(|_| (middle + dice.between(-0.14, 0.14), dice.between(0.2, 1.0))).collect();
        let hiss = dice.noise();
        let line = trace(-0.01, 1.01, 240, |x| {
            let hills: f32 = peaks.iter().map(|peak| peak.1 * bell(x, peak.0, 0.025)).sum();
            base - hills * 0.085 * bell(x, middle, 0.16) - hiss.line(x * 60.0).abs() * 0.006
        });
        sheet.fill_below(&line, base + 0.004, Ink::Bone);
        let (width, ink) = if row == loud { (0.0052, Ink::Signal) } else { (0.0034, Ink::Ground) };
        sheet.stroke(&line, width, ink);
    }
}

fn ridges(sheet: &mut Sheet, dice: &mut Dice) {
    let rows: u32 = 15;
    for row in 0..rows {
        let base = 0.22 + 0.86 * row as f32 / (rows - 1) as f32;
        let (far, near) = (dice.noise(), dice.noise());
        let lift = dice.between(0.06, 0.12);
        let line = trace(-0.01, 1.01, 260, |x| {
            base - (far.line(x * 4.0 + 9.0) * 0.6 + near.line(x * 17.0) * 0.3 + 0.5) * lift
        });
        sheet.fill_below(&line, 1.0, Ink::Bone);
        let inner: Vec<Point> =
            line.iter().map(|point| (point.0, point.1 + 0.0025 + 0.0026 * row as f32)).collect();
        sheet.fill_below(&inner, 1.0, Ink::Ground);
    }
    sheet.disc((0.76, 0.12), 0.045, Ink::Signal);
}

fn bars(sheet: &mut Sheet, dice: &mut Dice) {
    let (rows, columns): (u32, u32) = (6, 56);
    let played = dice.below(columns / 2) + 12;
    for row in 0..rows {
        let middle = 0.115 + 0.154 * row as f32;
        let shape = dice.noise();
        for column in 0..columns {
            let at = column as f32 / columns as f32;
            let loud = (shape.line(at * 7.0) * 0.5 + 0.62).clamp(0.05, 1.0) * dice.between(0.25, 1.0);
            let half = 0.003 + 0.066 * loud;
            let left = 0.05 + 0.9 * at;
            let ink = if row == 2 && column < played { Ink::Signal } else { Ink::Bone };
            sheet.block((left, middle - half), (left + 0.0088, middle + half), ink);
        }
    }
}

fn bursts(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let rows: u32 = 11;
    let loud = dice.below(5) + 3;
    for row in 0..rows {
        let base = 0.09 + 0.082 * row as f32;
        let pace = 8.0 * 1.26_f32.powi(row.cast_signed());
        let (centre, width) = (dice.between(0.25, 0.75), dice.between(0.1, 0.24));
        let line = trace(0.0, 1.0, 1400, |x| {
            base + (x * pace * TAU).sin() * (0.046 * bell(x, centre, width) + 0.0015)
        });
        let ink = if row == loud { Ink::Signal } else { Ink::Ground };
        sheet.stroke(&line, 0.0042, ink);
    }
}

fn standing(sheet: &mut Sheet, dice: &mut Dice) {
    let rows: u32 = 30;
    for row in 0..rows {
        let base = 0.05 + 0.9 * row as f32 / (rows - 1) as f32;
        let hiss = dice.noise();
        let centre = 0.5 + (row as f32 * 0.33).sin() * 0.2;
        let line = trace(0.0, 1.0, 240, |y| {
            base + hiss.line(y * 52.0) * 0.044 * bell(y, centre, 0.16) + hiss.line(y * 9.0 + 40.0) * 0.003
        });
        let upright: Vec<Point> = line.iter().map(|point| (point.1, point.0)).collect();
        sheet.stroke(&upright, if row % 5 == 0 { 0.0065 } else { 0.003 }, Ink::Bone);
    }
}

fn bits(sheet: &mut Sheet, dice: &mut Dice) {
    let (rows, columns): (u32, u32) = (22, 40);
    let odd = dice.below(rows - 8) + 4;
    for row in 0..rows {
        let base = 0.05 + 0.9 * (row as f32 + 0.5) / rows as f32;
        let high = 0.0125;
        let mut up = dice.chance(0.5);
        let mut line = vec![(0.05, base + if up { -high } else { high })];
        for column in 1..columns {
            let x = 0.05 + 0.9 * column as f32 / columns as f32;
            let busy = 0.25 + 0.55 * bell(x, 0.3 + 0.4 * (row as f32 * 0.21).sin().abs(), 0.22);
            if dice.chance(busy) {
                line.push((x, base + if up { -high } else { high }));
                up = !up;
                line.push((x, base + if up { -high } else { high }));
            }
        }
        line.push((0.95, base + if up { -high } else { high }));
        let ink = if row == odd { Ink::Signal } else { Ink::Bone };
        sheet.stroke(&line, if row % 4 == 1 { 0.0062 } else { 0.0036 }, ink);
    }
}

fn echo(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let (slow, fast) = (dice.noise(), dice.noise());
    let copies: u32 = 46;
    let voice = |noise: Noise, at: f32| noise.line(at);
    for copy in 0..copies {
        let age = copy as f32 / copies as f32;
        let base = 0.3 + 0.78 * age;
        let line = trace(-0.02, 1.02, 300, |x| {
            let at = x - age * 0.42;
            let shape = voice(slow, at * 4.2 + 3.0) * 0.8 + voice(fast, at * 26.0) * 0.22 * (1.0 - age);
            base - (shape + 0.3) * 0.2 * (1.0 - age * 0.55)
        });
        sheet.fill_below(&line, base + 0.12, Ink::Bone);
        sheet.stroke(&line, 0.0016 + 0.0046 * (1.0 - age), Ink::Ground);
    }
}

fn knots(sheet: &mut Sheet, dice: &mut Dice) {
    let lines: u32 = 54;
    let (pace, turn) = (dice.between(1.4, 1.9), dice.between(0.0, TAU));
    for line in 0..lines {
        let share = line as f32 / (lines - 1) as f32 - 0.5;
        let points = trace(-0.01, 1.01, 260, |x| {
            let open = (x * pace * TAU + turn).sin();
            let twist = (x * pace * 1.7 * TAU + turn * 2.0 + share * 3.0).cos();
            0.5 + share * 0.62 * open + twist * 0.13 + share * 0.16
        });
        sheet.stroke(&points, 0.0026, Ink::Bone);
        if line == lines * 2 / 3 {
            sheet.stroke(&points, 0.006, Ink::Signal);
        }
    }
}
