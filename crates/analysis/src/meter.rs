//! Measures a sound frame by frame, and draws the outline of its waveform, although its length is known only at its end.

pub use deadwax_audio::Names;
use ebur128::{EbuR128, Mode};

use crate::failure::{Failure, LONGEST_SECONDS};

/// Points of an outline.
pub const PEAKS: usize = 1000;

/// Buckets kept while measuring: at least this many times as fine as the result.
const BUCKETS_MAX: usize = 8 * PEAKS;
/// Below this a frame is silence: -60 dB of full scale.
const SILENCE: f32 = 0.001;
/// So many samples at full scale in a row are clipped; a peak that just reaches it is not.
const CLIPPED_RUN: u32 = 3;

/// Samples per second of all channels together: sixteen at 192 kHz. The meter keeps nearly half a second of them.
const SAMPLES_MAX: u64 = 16 * 192_000;
/// Channels of a recording, at most.
const CHANNELS_MAX: u32 = 64;

#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    pub milliseconds: u64,
    /// Samples a second, of each channel.
    pub sample_rate: u32,
    pub channels: u32,
    /// Integrated loudness in LUFS (EBU R 128); absent where all of it is below what the standard counts.
    pub loudness: Option<f64>,
    /// True peak in dBTP (ITU-R BS.1770-4, annex 2); absent where all of it is zero.
    pub true_peak: Option<f64>,
    /// Samples in runs of at least three at full scale, of all channels.
    pub clipped_samples: u64,
    /// Milliseconds before the first frame above -60 dB; the whole length if all are quieter.
    pub silence_before: u64,
    /// Milliseconds behind the last.
    pub silence_after: u64,
    /// [`PEAKS`] peaks of the waveform, from 0 to 255.
    pub peaks: Vec<u8>,
    /// The names in the file's tags, unchecked and cut to [`NAME_CHARACTERS`].
    pub names: Names,
}

/// Characters of a name that are kept; a file may claim megabytes of them.
pub const NAME_CHARACTERS: usize = 1000;

/// Whether there is a recording of so many samples a second in so many channels.
pub(crate) fn check(rate: u32, channels: u32) -> Result<(), Failure> {
    let is_possible = channels <= CHANNELS_MAX && u64::from(rate) * u64::from(channels) <= SAMPLES_MAX;
    if is_possible { Ok(()) } else { Err(impossible(rate, channels)) }
}

fn impossible(rate: u32, channels: u32) -> Failure {
    Failure::Unreadable(format!("{channels} channels at {rate} Hz"))
}

pub(crate) struct Meter {
    rate: u32,
    channels: u32,
    loudness: EbuR128,
    outline: Outline,
    frames: u64,
    /// The first and the last frame that is heard.
    heard: Option<(u64, u64)>,
    full_scale: f32,
    /// Samples at full scale in a row, by channel.
    runs: Vec<u32>,
    clipped: u64,
}

impl Meter {
    /// For sound with this sample width, if the format has one.
    pub(crate) fn new(rate: u32, channels: u32, bits: Option<u32>) -> Result<Self, Failure> {
        check(rate, channels)?;
        let loudness = EbuR128::new(channels, rate, Mode::I | Mode::TRUE_PEAK)
            .map_err(|_| impossible(rate, channels))?;
        // The largest value of a whole number is one step short of full scale.
        let full_scale =
            bits.map_or(1.0, |bits| 1.0 - f32::powi(0.5, i32::try_from(bits.clamp(2, 24)).unwrap_or(24) - 1));
        Ok(Self {
            rate,
            channels,
            loudness,
            outline: Outline::new(),
            frames: 0,
            heard: None,
            full_scale,
            runs: vec![0; channels as usize],
            clipped: 0,
        })
    }

    pub(crate) fn is_for(&self, rate: u32, channels: u32) -> bool {
        (self.rate, self.channels) == (rate, channels)
    }

    /// The next frames, a plane for each channel, all of one length. Samples that are no numbers become silent: one alone would make all
    /// that comes after it none.
    pub(crate) fn add(&mut self, planes: &mut [Vec<f32>]) -> Result<(), Failure> {
        planes.iter_mut().flatten().filter(|sample| !sample.is_finite()).for_each(|sample| *sample = 0.0);
        let planes: Vec<&[f32]> = planes.iter().map(Vec::as_slice).collect();
        let count = planes.first().map_or(0, |plane| plane.len());
        if (self.frames + count as u64) / u64::from(self.rate) > LONGEST_SECONDS {
            return Err(Failure::TooLong);
        }
        self.loudness
            .add_frames_planar_f32(&planes)
            .map_err(|error| Failure::Unreadable(error.to_string()))?;
        for (plane, run) in planes.iter().zip(&mut self.runs) {
            for sample in *plane {
                if sample.abs() < self.full_scale {
                    *run = 0;
                } else {
                    *run = run.saturating_add(1);
                    self.clipped += match *run {
                        ..CLIPPED_RUN => 0,
                        CLIPPED_RUN => CLIPPED_RUN.into(),
                        _ => 1,
                    };
                }
            }
        }
        for frame in 0..count {
            let peak = planes.iter().fold(0.0_f32, |peak, plane| peak.max(plane[frame].abs()));
            if peak >= SILENCE {
                let at = self.frames + frame as u64;
                self.heard = Some((self.heard.map_or(at, |(first, _)| first), at));
            }
            self.outline.add(peak);
        }
        self.frames += count as u64;
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Analysis, Failure> {
        if self.frames == 0 {
            return Err(Failure::Empty);
        }
        let milliseconds = |frames: u64| frames * 1000 / u64::from(self.rate);
        let (first, last) = self.heard.unwrap_or((self.frames, self.frames - 1));
        let peaks = (0..self.channels).filter_map(|channel| self.loudness.true_peak(channel).ok());
        let true_peak = peaks.fold(0.0, f64::max);
        let loudness = self.loudness.loudness_global().ok().filter(|loudness| loudness.is_finite());
        Ok(Analysis {
            milliseconds: milliseconds(self.frames),
            sample_rate: self.rate,
            channels: self.channels,
            loudness,
            true_peak: (true_peak > 0.0).then(|| 20.0 * true_peak.log10()).filter(|peak| peak.is_finite()),
            clipped_samples: self.clipped,
            silence_before: milliseconds(first),
            silence_after: milliseconds(self.frames - 1 - last),
            peaks: self.outline.finish(),
            names: Names::default(),
        })
    }
}

/// Takes frame after frame; halves what it has kept whenever that grows too fine.
#[derive(Debug)]
struct Outline {
    buckets: Vec<f32>,
    width: u64,
    filled: u64,
}

impl Outline {
    fn new() -> Self {
        Self { buckets: Vec::with_capacity(BUCKETS_MAX), width: 1, filled: 1 }
    }

    /// The largest absolute value of the next frame.
    fn add(&mut self, peak: f32) {
        if self.filled < self.width {
            self.filled += 1;
            if let Some(last) = self.buckets.last_mut() {
                *last = last.max(peak);
            }
            return;
        }
        if self.buckets.len() == BUCKETS_MAX {
            self.halve();
        }
        self.buckets.push(peak);
        self.filled = 1;
    }

    fn halve(&mut self) {
        let pairs = self.buckets.chunks(2).map(|pair| pair.iter().copied().fold(0.0, f32::max)).collect();
        self.buckets = pairs;
        self.buckets.reserve_exact(BUCKETS_MAX - self.buckets.len());
        self.width *= 2;
    }

    /// [`PEAKS`] peaks from 0 to 255, where 255 is full scale and beyond.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
    fn finish(self) -> Vec<u8> {
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

    fn measured(bits: Option<u32>, samples: &[f32]) -> Analysis {
        let mut meter = Meter::new(1000, 1, bits).unwrap();
        for part in samples.chunks(7) {
            meter.add(&mut [part.to_vec()]).unwrap();
        }
        meter.finish().unwrap()
    }

    #[test]
    fn samples_that_are_no_numbers_are_silent() {
        let measured = |samples: &[f32]| {
            let mut meter = Meter::new(8000, 1, None).unwrap();
            meter.add(&mut [samples.to_vec()]).unwrap();
            meter.finish().unwrap()
        };
        let tone: Vec<f32> = (0..24_000_u16).map(|at| (f32::from(at) * 0.5).sin() / 2.0).collect();
        let plain = measured(&tone);
        for odd in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            let mut broken = tone.clone();
            broken[700..710].fill(odd);
            let found = measured(&broken);
            assert_eq!(found.clipped_samples, 0, "{odd}");
            assert!((found.true_peak.unwrap() - plain.true_peak.unwrap()).abs() < 1.0, "{found:?}");
            assert!((found.loudness.unwrap() - plain.loudness.unwrap()).abs() < 1.0, "{found:?}");
        }
    }

    #[test]
    fn three_in_a_row_at_full_scale_are_clipped() {
        for (samples, bits, clipped) in [
            (&[0.0, 1.0, 1.0, 0.0, -1.0, -1.0][..], None, 0),
            (&[0.0, 1.0, 1.0, 1.0, 0.0][..], None, 3),
            (&[1.0, -1.0, 1.0, 1.5, -2.0][..], None, 5),
            (&[32767.0 / 32768.0; 4][..], Some(16), 4),
            (&[32766.0 / 32768.0; 4][..], Some(16), 0),
            (&[32767.0 / 32768.0; 4][..], None, 0),
            (&[0.999_999_9; 9][..], Some(24), 9),
        ] {
            assert_eq!(measured(bits, samples).clipped_samples, clipped, "{samples:?}");
        }
    }

    #[test]
    fn silence_is_counted_at_both_ends() {
        let heard =
            [vec![0.0; 250], vec![0.5; 100], vec![0.0; 50], vec![0.002; 100], vec![0.000_9; 500]].concat();
        let found = measured(None, &heard);
        assert_eq!((found.milliseconds, found.silence_before, found.silence_after), (1000, 250, 500));
        let silent = measured(None, &[0.0; 1000]);
        assert_eq!((silent.silence_before, silent.silence_after), (1000, 0));
        assert_eq!((silent.loudness, silent.true_peak), (None, None));
    }

    #[test]
    fn what_holds_nothing_or_half_a_day_is_a_failure() {
        let meter = Meter::new(1000, 1, None).unwrap();
        assert!(matches!(meter.finish(), Err(Failure::Empty)));
        let mut meter = Meter::new(1000, 1, None).unwrap();
        meter.frames = LONGEST_SECONDS * 1000 + 999;
        assert!(meter.add(&mut [vec![]]).is_ok());
        assert!(matches!(meter.add(&mut [vec![0.0]]), Err(Failure::TooLong)));
    }

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
