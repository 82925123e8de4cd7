//! Portraits without faces: one figure or two, printed by lines or dots.

use std::f32::consts::TAU;

use super::figure::Figure;
use super::halftone::{Dot, Screen};
use super::seed::Dice;
use super::sheet::{Ink, Point, Sheet, stripe};

/// How many ways of printing there are.
pub(super) const RECIPES: u32 = 8;

/// Draws the portrait of a name: two people for an `&`.
pub(super) fn draw(sheet: &mut Sheet, dice: &mut Dice, name: &str, recipe: u32) {
    let people = if name.contains('&') { 2 } else { 1 };
    let figure = Figure::of(dice, people);
    match recipe {
        0 => scan_lines(sheet, dice, &figure),
        1 => dots(sheet, dice, &figure),
        2 => grooves(sheet, dice, &figure),
        3 => relief(sheet, &figure),
        4 => slats(sheet, dice, &figure),
        5 => crossed(sheet, dice, &figure),
        6 => mosaic(sheet, dice, &figure),
        _ => coil(sheet, &figure),
    }
}

/// Stripes as wide as the tone is light.
fn engrave(tone: f32, phase: f32, pace: f32, pixel: f32) -> f32 {
    stripe(phase, pace, (tone * 0.9).clamp(0.0, 0.9), pixel)
}

fn scan_lines(sheet: &mut Sheet, dice: &mut Dice, figure: &Figure) {
    let (pixel, shake) = (sheet.pixel(), dice.noise());
    let pace = 62.0;
    sheet.shade(|x, y| {
        let row = (y * pace).floor();
        // A few neighbouring lines lose their synchronisation.
        let slip = if shake.line(row * 0.21) > 0.42 { shake.step(row as i32) * 0.12 - 0.06 } else { 0.0 };
        engrave(figure.tone(x + slip, (row + 0.5) / pace), y * pace, pace, pixel)
    });
}

fn dots(sheet: &mut Sheet, dice: &mut Dice, figure: &Figure) {
    let (head, size) = figure.head();
    if dice.chance(0.5) {
        let screen = Screen { count: 58.0, angle: TAU / 8.0, dot: Dot::Round };
        screen.print(sheet, |x, y| figure.tone(x, y) * 1.15, |_, _| Ink::Bone);
    } else {
        sheet.flood();
        let screen = Screen { count: 46.0, angle: TAU / 24.0, dot: Dot::Round };
        screen.print(sheet, |x, y| 1.06 - figure.tone(x, y) * 1.1, |_, _| Ink::Ground);
    }
    let low = (head.0 - size * 0.8, head.1 - size * 0.2);
    sheet.block(low, (head.0 + size * 0.8, low.1 + size * 0.24), Ink::Signal);
}

fn grooves(sheet: &mut Sheet, dice: &mut Dice, figure: &Figure) {
    let pixel = sheet.pixel();
    let (head, size) = figure.head();
    let pace = 58.0;
    let centre = if dice.chance(0.5) { head } else { (1.0, 0.0) };
    sheet.shade(|x, y| {
        let radius = (x - centre.0).hypot(y - centre.1);
        engrave(figure.tone(x, y) * 0.94 + 0.05, radius * pace, pace, pixel)
    });
    sheet.disc(centre, if centre == head { size * 0.16 } else { 0.12 }, Ink::Signal);
}

fn relief(sheet: &mut Sheet, figure: &Figure) {
    let rows: u32 = 58;
    for row in 0..rows {
        let base = 0.06 + 0.98 * row as f32 / rows as f32;
        // The tone is smoothed along the line, so that edges become slopes and not cliffs.
        let height = |x: f32| {
            let sum: f32 = (-3..=3_i32).map(|step| figure.tone(x + step as f32 * 0.006, base)).sum();
            sum / 7.0
        };
        let line: Vec<Point> = (0..=260_u32)
            .map(|step| {
                let x = step as f32 / 260.0 * 1.02 - 0.01;
                (x, base - height(x) * 0.085)
            })
            .collect();
        sheet.fill_below(&line, base + 0.03, Ink::Ground);
        sheet.stroke(&line, 0.0036, Ink::Bone);
    }
}

fn slats(sheet: &mut Sheet, dice: &mut Dice, figure: &Figure) {
    sheet.flood();
    let (pixel, shift) = (sheet.pixel(), dice.noise());
    let (pace, bands) = (66.0, 9.0);
    sheet.shade(|x, y| {
        let band = (x * bands).floor();
        let drop = (shift.step(band as i32) - 0.5) * 0.16;
        1.0 - engrave(1.0 - figure.tone(x, y + drop) * 0.98, x * pace, pace, pixel)
    });
    let band = (dice.below(3) + 3) as f32;
    sheet.block((band / bands, 0.0), ((band + 1.0) / bands, 0.055), Ink::Signal);
}

fn crossed(sheet: &mut Sheet, dice: &mut Dice, figure: &Figure) {
    let pixel = sheet.pixel();
    let pace = 52.0;
    let lean = dice.between(0.5, 0.9);
    sheet.shade(|x, y| {
        let tone = figure.tone(x, y);
        let along = |angle: f32| (x * angle.cos() + y * angle.sin()) * pace;
        let first = engrave((tone * 1.5).min(0.62), along(lean), pace, pixel);
        let second = engrave(((tone - 0.34) * 1.3).clamp(0.0, 0.7), along(lean + TAU / 4.0), pace, pixel);
        first.max(second)
    });
    sheet.block((0.06, 0.06), (0.13, 0.13), Ink::Signal);
}

fn mosaic(sheet: &mut Sheet, dice: &mut Dice, figure: &Figure) {
    let cells = 27.0;
    let odd = (dice.below(4) + 2, dice.below(12) + 2);
    let screen = Screen { count: cells, angle: 0.0, dot: Dot::Square };
    screen.print(sheet, |x, y| figure.tone(x, y) * 0.98, |_, _| Ink::Bone);
    let corner = (odd.0 as f32 / cells, odd.1 as f32 / cells);
    sheet.block(corner, (corner.0 + 2.0 / cells, corner.1 + 2.0 / cells), Ink::Signal);
}

fn coil(sheet: &mut Sheet, figure: &Figure) {
    sheet.flood();
    let (pixel, (head, _)) = (sheet.pixel(), figure.head());
    let pace = 54.0;
    sheet.shade(|x, y| {
        let (dx, dy) = (x - head.0, y - head.1);
        let phase = dx.hypot(dy) * pace - dy.atan2(dx) / TAU;
        1.0 - engrave(1.02 - figure.tone(x, y) * 0.97, phase, pace, pixel)
    });
}
