//! The outline of a waveform, of a sound whose length is known only at its end.

/// Points of an outline.
pub const PEAKS: usize = 1000;

/// Buckets kept while measuring: at least this many times as fine as the result.
const MOST_BUCKETS: usize = 8 * PEAKS;

/// Takes frame after frame; halves what it has kept whenever that grows too fine.
#[derive(Debug)]
pub(crate) struct Outline {
    buckets: Vec<f32>,
    width: u64,
    filled: u64,
}

impl Outline {
    pub(crate) fn new() -> Self {
        Self { buckets: Vec::with_capacity(MOST_BUCKETS), width: 1, filled: 1 }
    }

    /// The largest absolute value of the next frame.
    pub(crate) fn add(&mut self, peak: f32) {
        if self.filled < self.width {
            self.filled += 1;
            if let Some(last) = self.buckets.last_mut() {
                *last = last.max(peak);
            }
            return;
        }
        if self.buckets.len() == MOST_BUCKETS {
            self.halve();
        }
        self.buckets.push(peak);
        self.filled = 1;
    }

    fn halve(&mut self) {
        let pairs = self.buckets.chunks(2).map(|pair| pair.iter().copied().fold(0.0, f32::max)).collect();
        self.buckets = pairs;
        self.buckets.reserve_exact(MOST_BUCKETS - self.buckets.len());
        self.width *= 2;
    }

    /// [`PEAKS`] peaks from 0 to 255, where 255 is full scale and beyond.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
    pub(crate) fn finish(self) -> Vec<u8> {
        let count = self.buckets.len();
        let point = |at: usize| {
            let (start, end) = (at * count / PEAKS, ((at + 1) * count).div_ceil(PEAKS));
            let peak = self.buckets[start..end.min(count)].iter().copied().fold(0.0, f32::max);
            (peak.clamp(0.0, 1.0) * 255.0).round() as u8
        };
        (0..PEAKS).map(point).collect()
    }
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, clippy::naive_bytecount, reason = "small numbers, and few")]
mod tests {
    use super::*;

    fn outline(frames: impl IntoIterator<Item = f32>) -> Vec<u8> {
        let mut outline = Outline::new();
        frames.into_iter().for_each(|frame| outline.add(frame));
        outline.finish()
    }

    #[test]
    fn a_ramp_stays_a_ramp_whatever_its_length() {
        for length in [1_000_u32, 7_999, 8_000, 8_001, 100_000, 3_000_000] {
            let peaks = outline((0..length).map(|at| at as f32 / length as f32));
            assert_eq!(peaks.len(), PEAKS);
            assert!(peaks.is_sorted(), "{length}");
            for (at, peak) in peaks.iter().enumerate() {
                let expected = (at as f32 + 1.0) / PEAKS as f32 * 255.0;
                assert!(
                    (f32::from(*peak) - expected).abs() < 2.0,
                    "{length}: {at} is {peak}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn a_single_click_is_never_lost() {
        for at in [0_u32, 1, 499_999, 999_998, 999_999] {
            let peaks = outline((0..1_000_000).map(|frame| if frame == at { 1.0 } else { 0.0 }));
            // Two points, where what was kept together lies across their border.
            let seen = peaks.iter().filter(|peak| **peak == 255).count();
            assert!((1..=2).contains(&seen), "{at}: {seen}");
        }
    }

    #[test]
    fn a_sound_shorter_than_its_outline_has_one_too() {
        assert_eq!(outline([]), vec![0; PEAKS]);
        assert_eq!(outline([2.0]), vec![255; PEAKS]);
        let two = outline([0.0, 1.0]);
        assert_eq!((two[0], two[499], two[500], two[999]), (0, 0, 255, 255));
    }
}
