//! The sheet that everything is printed on: black ground, bone ink, and the signal, each with soft edges.
//! Places are in units of the shorter side, `(0, 0)` at the top left, so that a picture is the same at every
//! size. What is drawn is decided elsewhere.

use image::RgbImage;

/// The ground of the label's look, `#0B0B0B`.
pub(super) const GROUND: [u8; 3] = [0x0b, 0x0b, 0x0b];
/// The ink of the label's look, `#EDEBE6`.
pub(super) const BONE: [u8; 3] = [0xed, 0xeb, 0xe6];
/// The one accent of the label's look, `#FF4A1C`.
pub(super) const SIGNAL: [u8; 3] = [0xff, 0x4a, 0x1c];

/// Shades between the ground and full bone, both counted.
const SHADES: usize = 9;

/// Every colour a print can have: ground to bone in nine shades, the signal, and its soft edges on ground and
/// on bone. Sixteen, so that a pixel is half a byte.
pub(super) const PALETTE: [[u8; 3]; 16] = palette();

const fn palette() -> [[u8; 3]; 16] {
    let mut colours = [SIGNAL; 16];
    let mut step = 0;
    while step < SHADES {
        colours[step] = mix(GROUND, BONE, step, SHADES - 1);
        step += 1;
    }
    step = 1;
    while step < 4 {
        colours[SHADES + step] = mix(GROUND, SIGNAL, step, 4);
        colours[SHADES + 3 + step] = mix(BONE, SIGNAL, step, 4);
        step += 1;
    }
    colours
}

/// The colour `step` of `steps` on the way from one to another.
const fn mix(from: [u8; 3], to: [u8; 3], step: usize, steps: usize) -> [u8; 3] {
    let mut colour = [0; 3];
    let mut channel = 0;
    while channel < 3 {
        let (start, end) = (from[channel] as usize, to[channel] as usize);
        colour[channel] = ((start * (steps - step) + end * step + steps / 2) / steps) as u8;
        channel += 1;
    }
    colour
}

/// Which colour of the palette a pixel with so much bone and signal gets.
fn colour(bone: f32, signal: f32) -> usize {
    match (signal * 4.0).round() as usize {
        0 => (bone * (SHADES - 1) as f32).round() as usize,
        4 => SHADES,
        step if bone < 0.5 => SHADES + step,
        step => SHADES + 3 + step,
    }
}

/// What a mark is made with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Ground,
    Bone,
    Signal,
}

/// A place on the sheet, in units.
pub(super) type Point = (f32, f32);

/// A sheet under work: how much bone and how much signal lies on each pixel, `0.0..=1.0`.
#[derive(Clone)]
pub(super) struct Sheet {
    width: usize,
    height: usize,
    unit: f32,
    bone: Vec<f32>,
    signal: Vec<f32>,
}

impl Sheet {
    /// An empty black sheet.
    pub(super) fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width.max(1) as usize, height.max(1) as usize);
        let pixels = width * height;
        Self {
            width,
            height,
            unit: width.min(height) as f32,
            bone: vec![0.0; pixels],
            signal: vec![0.0; pixels],
        }
    }

    /// The side of one pixel, in units: the width of every soft edge.
    pub(super) fn pixel(&self) -> f32 {
        1.0 / self.unit
    }

    /// Covers the whole sheet with bone.
    pub(super) fn flood(&mut self) {
        self.bone.fill(1.0);
    }

    /// Sets the bone of every pixel from the place of its centre.
    pub(super) fn shade(&mut self, tone: impl Fn(f32, f32) -> f32) {
        let (width, pixel) = (self.width, self.pixel());
        for (row, line) in self.bone.chunks_exact_mut(width).enumerate() {
            let y = (row as f32 + 0.5) * pixel;
            for (column, bone) in line.iter_mut().enumerate() {
                *bone = tone((column as f32 + 0.5) * pixel, y).clamp(0.0, 1.0);
            }
        }
    }

    /// Marks, within the box from `low` to `high`, every pixel as far as `distance` from its centre to the
    /// mark's edge (negative inside) says.
    pub(super) fn mark(&mut self, low: Point, high: Point, ink: Ink, distance: impl Fn(f32, f32) -> f32) {
        let pixel = self.pixel();
        let first = |at: f32| (at * self.unit - 1.0).max(0.0) as usize;
        let end = |at: f32, limit: usize| ((at * self.unit + 2.0).max(0.0) as usize).min(limit);
        let (left, right) = (first(low.0), end(high.0, self.width));
        for row in first(low.1)..end(high.1, self.height) {
            let y = (row as f32 + 0.5) * pixel;
            for column in left..right {
                let cover = edge(distance((column as f32 + 0.5) * pixel, y), pixel);
                if cover > 0.0 {
                    self.lay(row * self.width + column, cover, ink);
                }
            }
        }
    }

    fn lay(&mut self, at: usize, cover: f32, ink: Ink) {
        match ink {
            Ink::Bone => {
                self.bone[at] = self.bone[at].max(cover);
                self.signal[at] = self.signal[at].min(1.0 - cover);
            }
            Ink::Ground => {
                self.bone[at] = self.bone[at].min(1.0 - cover);
                self.signal[at] = self.signal[at].min(1.0 - cover);
            }
            Ink::Signal => self.signal[at] = self.signal[at].max(cover),
        }
    }

    /// A line through the points, round at its ends, `width` units wide.
    pub(super) fn stroke(&mut self, points: &[Point], width: f32, ink: Ink) {
        let half = width / 2.0;
        for pair in points.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let low = (a.0.min(b.0) - half, a.1.min(b.1) - half);
            let high = (a.0.max(b.0) + half, a.1.max(b.1) + half);
            let (run, rise) = (b.0 - a.0, b.1 - a.1);
            let length = (run * run + rise * rise).max(1e-12);
            self.mark(low, high, ink, |x, y| {
                let along = (((x - a.0) * run + (y - a.1) * rise) / length).clamp(0.0, 1.0);
                (x - a.0 - run * along).hypot(y - a.1 - rise * along) - half
            });
        }
    }

    /// Covers what lies between a line, whose points go from left to right, and the level `floor` below it.
    pub(super) fn fill_below(&mut self, line: &[Point], floor: f32, ink: Ink) {
        let pixel = self.pixel();
        let mut piece = 0;
        for column in 0..self.width {
            let x = (column as f32 + 0.5) * pixel;
            while piece + 2 < line.len() && line[piece + 1].0 < x {
                piece += 1;
            }
            let [a, b] = [line[piece], line[piece + 1]];
            if x < a.0 || x > b.0 {
                continue;
            }
            let top = a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0);
            let first = (top * self.unit - 1.0).max(0.0) as usize;
            let end = ((floor * self.unit + 1.0).max(0.0) as usize).min(self.height);
            for row in first..end {
                let y = (row as f32 + 0.5) * pixel;
                let cover = edge((top - y).max(y - floor), pixel);
                if cover > 0.0 {
                    self.lay(row * self.width + column, cover, ink);
                }
            }
        }
    }

    /// The arc around `centre` from one angle to another, in radians, clockwise from the right.
    pub(super) fn arc(&mut self, centre: Point, radius: f32, from: f32, to: f32, width: f32, ink: Ink) {
        self.polar(centre, from, to, radius, width, ink, |_| radius);
    }

    /// A line around `centre` whose radius follows the angle. `reach` is the greatest radius, which sets how
    /// finely the line is cut.
    #[expect(clippy::too_many_arguments, reason = "a line in polar coordinates has these seven")]
    pub(super) fn polar(
        &mut self,
        centre: Point,
        from: f32,
        to: f32,
        reach: f32,
        width: f32,
        ink: Ink,
        radius: impl Fn(f32) -> f32,
    ) {
        let pieces = ((to - from).abs() * reach * self.unit / 3.0).ceil().max(2.0) as usize;
        let points: Vec<Point> = (0..=pieces)
            .map(|piece| {
                let angle = from + (to - from) * piece as f32 / pieces as f32;
                let radius = radius(angle);
                (centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin())
            })
            .collect();
        self.stroke(&points, width, ink);
    }

    /// A filled disc.
    pub(super) fn disc(&mut self, centre: Point, radius: f32, ink: Ink) {
        let low = (centre.0 - radius, centre.1 - radius);
        let high = (centre.0 + radius, centre.1 + radius);
        self.mark(low, high, ink, |x, y| (x - centre.0).hypot(y - centre.1) - radius);
    }

    /// A filled upright rectangle between two corners.
    pub(super) fn block(&mut self, low: Point, high: Point, ink: Ink) {
        self.mark(low, high, ink, |x, y| (low.0 - x).max(x - high.0).max(low.1 - y).max(y - high.1));
    }

    /// The same print with every pixel taken from elsewhere; what lies outside comes in from the other side.
    pub(super) fn moved(&self, from: impl Fn(f32, f32) -> Point) -> Self {
        let mut copy = self.clone();
        let pixel = self.pixel();
        let wrap = |at: f32, limit: usize| (at * self.unit).floor().rem_euclid(limit as f32) as usize % limit;
        for row in 0..self.height {
            for column in 0..self.width {
                let (x, y) = from((column as f32 + 0.5) * pixel, (row as f32 + 0.5) * pixel);
                let source = wrap(y, self.height) * self.width + wrap(x, self.width);
                copy.bone[row * self.width + column] = self.bone[source];
                copy.signal[row * self.width + column] = self.signal[source];
            }
        }
        copy
    }

    /// Takes over the other sheet, of the same size, where `inside` says so.
    pub(super) fn join(&mut self, other: &Self, inside: impl Fn(f32, f32) -> bool) {
        let pixel = self.pixel();
        for row in 0..self.height {
            for column in 0..self.width {
                if inside((column as f32 + 0.5) * pixel, (row as f32 + 0.5) * pixel) {
                    let at = row * self.width + column;
                    self.bone[at] = other.bone[at];
                    self.signal[at] = other.signal[at];
                }
            }
        }
    }

    /// Bone becomes ground and ground bone; the signal stays.
    pub(super) fn invert(&mut self) {
        for bone in &mut self.bone {
            *bone = 1.0 - *bone;
        }
    }

    /// The finished picture.
    pub(super) fn print(&self) -> RgbImage {
        let mut image = RgbImage::new(self.width as u32, self.height as u32);
        for ((bone, signal), pixel) in self.bone.iter().zip(&self.signal).zip(image.pixels_mut()) {
            pixel.0 = PALETTE[colour(*bone, *signal)];
        }
        image
    }
}

/// How much of a pixel lies inside an edge that is `distance` away from its centre (negative: inside).
pub(super) fn edge(distance: f32, pixel: f32) -> f32 {
    (0.5 - distance / pixel).clamp(0.0, 1.0)
}

/// How much of a pixel a set of stripes covers: `phase` counts stripes, `pace` is how many pass per unit
/// there, `share` how much of each period is covered (nothing leaves nothing).
pub(super) fn stripe(phase: f32, pace: f32, share: f32, pixel: f32) -> f32 {
    if share <= 0.0 {
        return 0.0;
    }
    edge(((phase - phase.floor() - 0.5).abs() - share / 2.0) / pace.max(1e-3), pixel)
}

/// What lies under exactly one of two prints.
pub(super) fn xor(one: f32, other: f32) -> f32 {
    one + other - 2.0 * one * other
}
