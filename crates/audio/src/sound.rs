//! The declared properties of one track.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// Samples as they are, as integers or as something rarer.
    Wav,
    /// Samples as they are, in floating point.
    WavFloat,
    Flac,
    Mp3,
    /// Advanced Audio Coding (ISO/IEC 14496-3).
    Aac,
    Alac,
}

/// The declared properties of one track. A file may lie: only decoding tells its true length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    pub codec: Codec,
    pub sample_rate: u32,
    pub channels: u16,
    pub bits: Option<u8>,
    /// Kilobits a second, where the encoder was given a rate; the mean of a variable one.
    pub bitrate: Option<u32>,
    /// How long it is, rounded down; absent where that is said nowhere.
    pub milliseconds: Option<u64>,
}

impl Sound {
    /// Itself, unless it says what no recording is.
    pub(crate) fn if_possible(self) -> Option<Self> {
        let is_possible = (1..=1_000_000).contains(&self.sample_rate)
            && (1..=64).contains(&self.channels)
            && self.bits.is_none_or(|bits| (1..=64).contains(&bits));
        is_possible.then_some(self)
    }
}

/// How long so many `units` last when `rate` of them go by in a second, rounded down.
pub(crate) fn milliseconds(units: u64, rate: u32) -> Option<u64> {
    let milliseconds = u128::from(units) * 1000 / u128::from(std::num::NonZero::new(rate)?.get());
    u64::try_from(milliseconds).ok()
}
