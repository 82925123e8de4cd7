//! What a portrait shows before it is printed: heads without features, shoulders, and the light on them, as a
//! tone for every place. How the tone becomes lines or dots is the portraits' matter.

use super::seed::{Dice, Noise};
use super::sheet::Point;

/// One figure: a head on a neck on shoulders.
struct Body {
    head: Point,
    /// Half the head's height.
    size: f32,
    tilt: f32,
    light: [f32; 3],
    /// How strongly the head is cut into planes; 0.0 is smooth.
    planes: f32,
    slope: f32,
    wear: Wear,
    cloth: Noise,
}

/// What frames a head.
#[derive(Clone, Copy)]
enum Wear {
    Nothing,
    Hood,
    /// Long hair, down to the shoulders.
    Hair,
    /// A collar up to the chin.
    Collar,
}

/// The people of one portrait and the wall behind them.
pub(super) struct Figure {
    bodies: Vec<Body>,
    wall: Wall,
}

/// What lies behind the figures.
#[derive(Clone, Copy)]
enum Wall {
    Dark,
    /// Light falls from one side.
    Fall(f32),
    /// A lamp behind the head.
    Lamp(Point),
}

impl Figure {
    /// A portrait of so many people.
    pub(super) fn of(dice: &mut Dice, people: u32) -> Self {
        let close = people == 1 && dice.chance(0.3);
        let size = match people {
            1 if close => dice.between(0.34, 0.38),
            1 => dice.between(0.22, 0.26),
            2 => dice.between(0.17, 0.19),
            _ => dice.between(0.13, 0.15),
        };
        let lamp = if dice.chance(0.5) { 1.0 } else { -1.0 };
        let light = [lamp * dice.between(0.55, 0.9), dice.between(-0.6, -0.1), dice.between(0.1, 0.5)];
        let bodies = (0..people)
            .map(|person| {
                let across = (person as f32 + 0.5) / people as f32 - 0.5;
                let spread = if people == 1 { 0.0 } else { 0.78 };
                let back = if person % 2 == 1 { 0.05 } else { 0.0 };
                Body {
                    head: (
                        0.5 + across * spread + dice.between(-0.03, 0.03),
                        if close { 0.46 } else { 0.43 - back + dice.between(-0.02, 0.02) },
                    ),
                    size: size * dice.between(0.94, 1.04),
                    tilt: dice.between(-0.26, 0.26),
                    light,
                    planes: if dice.chance(0.6) { dice.between(2.0, 3.6) } else { 0.0 },
                    slope: dice.between(0.2, 0.5),
                    wear: match dice.below(6) {
                        0 | 1 => Wear::Nothing,
                        2 => Wear::Collar,
                        3 => Wear::Hood,
                        _ => Wear::Hair,
                    },
                    cloth: dice.noise(),
                }
            })
            .collect();
        let wall = match dice.below(3) {
            0 => Wall::Dark,
            1 => Wall::Fall(-lamp),
            _ => Wall::Lamp((0.5 - lamp * 0.16, 0.34)),
        };
        Self { bodies, wall }
    }

    /// The head of the first person: its middle, and half its height.
    pub(super) fn head(&self) -> (Point, f32) {
        self.bodies.first().map_or(((0.5, 0.42), 0.24), |body| (body.head, body.size))
    }

    /// How light it is there, `0.0..=1.0`.
    pub(super) fn tone(&self, x: f32, y: f32) -> f32 {
        // The last one stands in front.
        self.bodies.iter().rev().find_map(|body| body.tone(x, y)).unwrap_or_else(|| self.wall.tone(x, y))
    }
}

impl Wall {
    fn tone(self, x: f32, y: f32) -> f32 {
        match self {
            Self::Dark => 0.03,
            Self::Fall(side) => (0.5 + side * (x - 0.5)).max(0.0).powi(2) * 0.42 * (1.1 - y * 0.5),
            Self::Lamp(at) => (0.62 - (x - at.0).hypot(y - at.1) * 1.15).max(0.02),
        }
    }
}

impl Body {
    /// The light on this figure there, or nothing where it is not.
    fn tone(&self, x: f32, y: f32) -> Option<f32> {
        match self.wear {
            Wear::Nothing => self.head_tone(x, y).or_else(|| self.neck_tone(x, y)),
            Wear::Hood => self.hood_tone(x, y),
            Wear::Hair => {
                self.fringe_tone(x, y).or_else(|| self.head_tone(x, y)).or_else(|| self.hair_tone(x, y))
            }
            Wear::Collar => self.collar_tone(x, y).or_else(|| self.head_tone(x, y)),
        }
        .or_else(|| self.neck_tone(x, y))
        .or_else(|| self.shoulder_tone(x, y))
    }

    fn lit(&self, normal: [f32; 3]) -> f32 {
        let [a, b, c] = self.light;
        let length = (a * a + b * b + c * c).sqrt();
        let facing = (normal[0] * a + normal[1] * b + normal[2] * c) / length;
        // A little of the light comes back from the other side, as on a stage.
        let rim = (-normal[0] * a.signum()).max(0.0).powi(6) * 0.55;
        (facing.max(0.0).powf(1.15) * 0.95 + rim + 0.015).min(1.0)
    }

    fn head_tone(&self, x: f32, y: f32) -> Option<f32> {
        let (across, down) = self.head_place(x, y);
        // A skull is wide above and narrow at the chin.
        let half = 0.74 - 0.2 * down.max(0.0).powf(1.6);
        let across = across / half;
        let depth = 1.0 - across * across - down * down;
        if depth <= 0.0 {
            return None;
        }
        let mut normal = [across, down, depth.sqrt()];
        if self.planes > 0.0 {
            for part in &mut normal {
                *part = *part * 0.45 + (*part * self.planes).round() / self.planes * 0.55;
            }
        }
        Some(self.lit(normal))
    }

    /// The place seen from the head: across and down in half heights, turned with the tilt.
    fn head_place(&self, x: f32, y: f32) -> Point {
        let (sin, cos) = self.tilt.sin_cos();
        let (dx, dy) = ((x - self.head.0) / self.size, (y - self.head.1) / self.size);
        (dx * cos + dy * sin, dy * cos - dx * sin)
    }

    /// A hood, with nothing but dark in its opening.
    fn hood_tone(&self, x: f32, y: f32) -> Option<f32> {
        let (across, down) = self.head_place(x, y);
        let (wide, tall) = (across / (0.92 + 0.16 * down.max(0.0)), (down - 0.06) / 1.22);
        let depth = 1.0 - wide * wide - tall * tall;
        if depth <= 0.0 {
            return None;
        }
        let (mouth, brow) = (across / 0.56, (down - 0.1) / 0.86);
        let opening = mouth * mouth + brow * brow;
        if opening < 1.0 {
            return Some(if opening > 0.86 { self.lit([-mouth, -brow, 0.3]) * 0.5 } else { 0.012 });
        }
        let fold = self.cloth.plane(across * 2.4 + 3.0, down * 1.2) * 0.35;
        Some(self.lit([wide + fold, tall, depth.sqrt()]) * 0.86)
    }

    fn strands(&self, across: f32, down: f32) -> f32 {
        let strand = self.cloth.plane(across * 15.0 + 40.0, down * 0.8) * 0.5 + 0.5;
        let shine = (-((down + 0.35) / 0.4).powi(2)).exp();
        let side = (0.5 + across * self.light[0] * 0.55).clamp(0.1, 1.0);
        strand.powi(2) * side * (0.3 + 0.6 * shine) + 0.02
    }

    fn fringe_tone(&self, x: f32, y: f32) -> Option<f32> {
        let (across, down) = self.head_place(x, y);
        let parting = -0.42 - 0.35 * (across * self.light[0].signum() - 0.25).abs();
        let inside = (across / 0.82).powi(2) + ((down + 0.05) / 1.04).powi(2) < 1.0;
        (inside && down < parting + 0.1).then(|| self.strands(across, down))
    }

    fn hair_tone(&self, x: f32, y: f32) -> Option<f32> {
        let (across, down) = self.head_place(x, y);
        let half =
            if down < 0.0 { 0.94 * (1.0 - (down / 1.1).powi(2)).max(0.0).sqrt() } else { 0.94 - 0.1 * down };
        (across.abs() < half && down < 1.3).then(|| self.strands(across, down) * 0.8)
    }

    fn collar_tone(&self, x: f32, y: f32) -> Option<f32> {
        let (across, down) = ((x - self.head.0) / self.size, (y - self.head.1) / self.size);
        let half = 0.66 + 0.14 * (down - 0.6);
        let top = 0.6 + 0.14 * (across * 2.0).cos() + self.cloth.line(across * 2.0) * 0.05;
        if across.abs() >= half || down < top || down > 1.7 {
            return None;
        }
        let turn = across / half;
        let rib = if ((down - top) * 9.0).fract() < 0.2 { 0.55 } else { 1.0 };
        Some(self.lit([turn, -0.1, (1.0 - turn * turn).sqrt()]) * 0.8 * rib)
    }

    fn neck_tone(&self, x: f32, y: f32) -> Option<f32> {
        let down = (y - self.head.1) / self.size;
        let across = (x - self.head.0 + self.tilt * self.size * 0.5) / (self.size * 0.36);
        if across.abs() >= 1.0 || !(0.0..1.5).contains(&down) {
            return None;
        }
        let shade = ((down - 0.85) * 1.6).clamp(0.12, 0.75);
        Some(self.lit([across, 0.1, (1.0 - across * across).sqrt()]) * shade)
    }

    fn shoulder_tone(&self, x: f32, y: f32) -> Option<f32> {
        let (across, down) = ((x - self.head.0) / self.size, (y - self.head.1) / self.size);
        let width = across.abs() / 2.05;
        if width >= 1.0 {
            return None;
        }
        let top = 1.22 + self.slope * across.abs() * 0.55 + width.powi(8) * 3.0
            - 0.12 * (-across.abs() * 3.0).exp();
        if down < top {
            return None;
        }
        let fold = self.cloth.plane(across * 1.6 + 7.0, down * 1.1) * 0.3;
        let normal = [across / 2.05 + fold, -0.35 + (down - top) * 0.3, 0.65];
        Some(self.lit(normal) * (0.8 - (down - top) * 0.28).max(0.12))
    }
}
