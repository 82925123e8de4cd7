//! Halftone discs: a tone printed as dots.

use std::f32::consts::TAU;

use super::seed::Dice;
use super::sheet::{Ink, Point, Sheet};

/// How many recipes there are.
pub(super) const RECIPES: u32 = 9;

/// Draws one of the recipes.
pub(super) fn draw(sheet: &mut Sheet, dice: &mut Dice, recipe: u32) {
    match recipe {
        0 => punched(sheet, dice),
        1 => eclipse(sheet, dice),
        2 => interference(sheet, dice),
        3 => crescent(sheet, dice),
        4 => wheel(sheet, dice),
        5 => horizon(sheet, dice),
        6 => square_spiral(sheet, dice),
        7 => scanned_sphere(sheet, dice),
        _ => ring(sheet, dice),
    }
}

/// The shape of a dot.
#[derive(Clone, Copy)]
pub(super) enum Dot {
    Round,
    Square,
}

/// A grid of dots whose sizes follow a tone: one covers about its whole cell.
pub(super) struct Screen {
    /// Dots along one side.
    pub(super) count: f32,
    /// The grid's angle, in radians.
    pub(super) angle: f32,
    /// The shape of each dot.
    pub(super) dot: Dot,
}

impl Screen {
    /// Prints the tone; `ink` says with what, for each dot's place.
    pub(super) fn print(
        &self,
        sheet: &mut Sheet,
        tone: impl Fn(f32, f32) -> f32,
        ink: impl Fn(f32, f32) -> Ink,
    ) {
        let cell = 1.0 / self.count;
        let reach = (self.count * 0.75).ceil() as i32;
        let (sin, cos) = self.angle.sin_cos();
        // Even counts have no dot in the middle.
        let middle = if (self.count as i32) % 2 == 0 { 0.5 } else { 0.0 };
        for row in -reach..=reach {
            for column in -reach..=reach {
                let (across, down) = ((column as f32 + middle) * cell, (row as f32 + middle) * cell);
                let (x, y) = (0.5 + across * cos - down * sin, 0.5 + across * sin + down * cos);
                if !(-cell..1.0 + cell).contains(&x) || !(-cell..1.0 + cell).contains(&y) {
                    continue;
                }
                let radius = tone(x, y).clamp(0.0, 1.0).sqrt() * cell * 0.5;
                if radius < 0.0007 {
                    continue;
                }
                match self.dot {
                    Dot::Round => sheet.disc((x, y), radius, ink(x, y)),
                    Dot::Square => sheet.block((x - radius, y - radius), (x + radius, y + radius), ink(x, y)),
                }
            }
        }
    }
}

fn far(x: f32, y: f32, from: Point) -> f32 {
    (x - from.0).hypot(y - from.1)
}

fn bone(_: f32, _: f32) -> Ink {
    Ink::Bone
}

fn ring(sheet: &mut Sheet, dice: &mut Dice) {
    let centre = (dice.between(0.38, 0.42), dice.between(0.5, 0.54));
    let screen = Screen { count: 36.0, angle: 0.0, dot: Dot::Round };
    screen.print(
        sheet,
        |x, y| {
            let radius = far(x, y, centre);
            let wave = ((radius - 0.31) * 13.0).cos() * 0.5 + 0.5;
            wave.powf(1.5) * if radius > 0.54 { 1.3 } else { 0.92 }
        },
        bone,
    );
}

fn crescent(sheet: &mut Sheet, dice: &mut Dice) {
    let lean = dice.between(0.5, 1.0);
    let light = (lean.cos(), lean.sin());
    let screen = Screen { count: 46.0, angle: TAU / 8.0, dot: Dot::Round };
    screen.print(
        sheet,
        |x, y| {
            let (x, y) = ((x - 0.5) / 0.4, (y - 0.5) / 0.4);
            let depth = 1.0 - x * x - y * y;
            if depth <= 0.0 {
                return 0.0;
            }
            (x * light.0 + y * light.1 - depth.sqrt() * 0.35).max(0.0) * 1.25 + 0.02
        },
        bone,
    );
    sheet.disc((0.17, 0.17), 0.028, Ink::Signal);
}

fn eclipse(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let (one, other) = ((0.39, dice.between(0.4, 0.46)), (0.61, dice.between(0.55, 0.6)));
    let screen = Screen { count: 40.0, angle: TAU / 24.0, dot: Dot::Round };
    screen.print(
        sheet,
        |x, y| {
            let (near, there) = (far(x, y, one) < 0.29, far(x, y, other) < 0.29);
            match (near, there) {
                (true, true) => 1.25,
                (true, false) => 0.62 - (x - one.0) * 0.9,
                (false, true) => 0.5 + (x - other.0) * 0.9,
                (false, false) => 0.035,
            }
        },
        |x, y| {
            if far(x, y, one) < 0.29 && far(x, y, other) < 0.29 { Ink::Signal } else { Ink::Ground }
        },
    );
}

fn interference(sheet: &mut Sheet, dice: &mut Dice) {
    let (one, other) = ((0.2, dice.between(0.2, 0.3)), (0.85, dice.between(0.7, 0.8)));
    let screen = Screen { count: 52.0, angle: 0.0, dot: Dot::Round };
    screen.print(
        sheet,
        |x, y| {
            let sum = (far(x, y, one) * 34.0).cos() + (far(x, y, other) * 34.0).cos();
            (sum * 0.25 + 0.5).powf(2.2) * 0.95
        },
        bone,
    );
    sheet.disc(one, 0.034, Ink::Signal);
}

fn wheel(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let start = dice.between(0.0, TAU);
    for ring in 1..=17_u32 {
        let radius = 0.0275 * ring as f32;
        let dots = 6 * ring;
        for dot in 0..dots {
            let share = dot as f32 / dots as f32;
            let angle = start + share * TAU + ring as f32 * 0.11;
            let tone = ((share * 3.0 + ring as f32 * 0.045).fract() - 0.5).abs() * 2.0;
            let size = 0.0025 + 0.0112 * tone;
            sheet.disc((0.5 + radius * angle.cos(), 0.5 + radius * angle.sin()), size, Ink::Ground);
        }
    }
    sheet.disc((0.5, 0.5), 0.0165, Ink::Signal);
}

fn horizon(sheet: &mut Sheet, dice: &mut Dice) {
    sheet.flood();
    let level = dice.between(0.56, 0.62);
    let screen = Screen { count: 34.0, angle: TAU / 8.0, dot: Dot::Round };
    screen.print(
        sheet,
        |x, y| {
            let sun = far(x, y, (0.5, level)) < 0.33;
            let sky = (y / level).powi(2) * 0.62;
            if y < level { if sun { 1.18 - sky * 1.5 } else { sky } } else { 1.5 * (y - level).powf(0.42) }
        },
        |_, _| Ink::Ground,
    );
    sheet.block((0.0, level - 0.006), (1.0, level + 0.006), Ink::Signal);
}

fn square_spiral(sheet: &mut Sheet, dice: &mut Dice) {
    let turn = dice.between(0.0, TAU);
    let screen = Screen { count: 30.0, angle: 0.0, dot: Dot::Square };
    screen.print(
        sheet,
        |x, y| {
            let (x, y) = (x - 0.5, y - 0.5);
            let wave = ((x.hypot(y) + 0.02).ln() * 7.0 - y.atan2(x) * 2.0 + turn).sin() * 0.5 + 0.5;
            wave * 0.9 + 0.01
        },
        bone,
    );
    let cell = 1.0 / 30.0;
    sheet.block((cell * 24.0, cell * 5.0), (cell * 26.0, cell * 7.0), Ink::Signal);
}

fn scanned_sphere(sheet: &mut Sheet, dice: &mut Dice) {
    let (x0, y0) = (dice.between(0.4, 0.46), dice.between(0.42, 0.46));
    let rows: u32 = 46;
    for row in 0..rows {
        let y = (row as f32 + 0.5) / rows as f32;
        let mut x = 0.0_f32;
        while x < 1.0 {
            let (dx, dy) = ((x - 0.5) / 0.42, (y - 0.5) / 0.42);
            let depth = 1.0 - dx * dx - dy * dy;
            let tone = if depth > 0.0 {
                let glow = 1.0 - far(x, y, (x0 - 0.08, y0 - 0.1)) / 0.62;
                0.1 + glow.max(0.0) * 0.8
            } else {
                0.07
            };
            let half = tone / rows as f32 * 0.5;
            sheet.block((x, y - half), (x + 0.0125, y + half), Ink::Bone);
            x += 0.0125;
        }
    }
    sheet.block((0.5, 0.5), (0.5 + 6.0 / rows as f32, 0.5 + 6.0 / rows as f32), Ink::Signal);
}

fn punched(sheet: &mut Sheet, dice: &mut Dice) {
    let count: u32 = 14;
    let cell = 0.9 / count as f32;
    let odd = (dice.below(count), dice.below(count));
    for row in 0..count {
        for column in 0..count {
            let centre = (0.05 + (column as f32 + 0.5) * cell, 0.05 + (row as f32 + 0.5) * cell);
            let parity = (row & column).count_ones() % 2 == 1;
            if (column, row) == odd {
                sheet.disc(centre, cell * 0.43, Ink::Signal);
            } else if parity != dice.chance(0.08) {
                sheet.disc(centre, cell * 0.43, Ink::Bone);
            } else {
                sheet.disc(centre, cell * 0.09, Ink::Bone);
            }
        }
    }
}
