//! Randomness that is the same on every machine: a hash of a text, and a generator that starts from it.
//! Nothing here is fit for secrets.

/// FNV-1a, 64 bit: the number a catalogue number or a name starts from.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The splitmix64 step: turns any number into a well-mixed one.
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// A splitmix64 generator.
pub(super) struct Dice(u64);

impl Dice {
    /// The generator that belongs to a text.
    pub(super) fn of(text: &str) -> Self {
        Self(hash(text))
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number in `0.0..1.0`.
    pub(super) fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1 << 24) as f32
    }

    /// A number in `from..to`.
    pub(super) fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.unit()
    }

    /// A whole number in `0..count`; `count` is at least one.
    pub(super) fn below(&mut self, count: u32) -> u32 {
        (self.word() % u64::from(count.max(1))) as u32
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// A field of smooth noise of its own.
    pub(super) fn noise(&mut self) -> Noise {
        Noise(self.word())
    }
}

/// Smooth value noise: neighbouring places get neighbouring values.
#[derive(Clone, Copy)]
pub(super) struct Noise(u64);

impl Noise {
    fn corner(self, x: i32, y: i32) -> f32 {
        let place = (u64::from(x.cast_unsigned()) << 32) | u64::from(y.cast_unsigned());
        (mix(self.0 ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// The noise along a line, `-1.0..1.0`, one feature per unit.
    pub(super) fn line(self, at: f32) -> f32 {
        let cell = at.floor();
        let blend = ease(at - cell);
        let cell = cell as i32;
        let (from, to) = (self.corner(cell, 0), self.corner(cell + 1, 0));
        from + (to - from) * blend
    }

    /// The noise in the plane, `-1.0..1.0`, one feature per unit square.
    pub(super) fn plane(self, x: f32, y: f32) -> f32 {
        let (column, row) = (x.floor(), y.floor());
        let (across, down) = (ease(x - column), ease(y - row));
        let (column, row) = (column as i32, row as i32);
        let upper = self.corner(column, row) * (1.0 - across) + self.corner(column + 1, row) * across;
        let lower = self.corner(column, row + 1) * (1.0 - across) + self.corner(column + 1, row + 1) * across;
        upper + (lower - upper) * down
    }

    /// An unsmoothed value per whole number, `0.0..1.0`.
    pub(super) fn step(self, index: i32) -> f32 {
        self.corner(index, 7) * 0.5 + 0.5
    }
}

fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}
