//! The line under a chosen file: `WAV, 24 bit, 48 kHz, 3:12`.

use std::fmt::{self, Display};

use rules::demo::ALAC_NOTE;

use crate::{
    content::Content,
    sound::{Codec, Sound},
};

/// As `FLAC, 24 bit, 96 kHz, 6:12`: what is not known is left out, and two channels go without saying.
impl Display for Sound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.codec {
            Codec::Wav | Codec::WavFloat => "WAV",
            Codec::Flac => "FLAC",
            Codec::Mp3 => "MP3",
            Codec::Aac => "AAC",
            Codec::Alac => "ALAC",
        })?;
        if let Some(bits) = self.bits {
            let float = if self.codec == Codec::WavFloat { " float" } else { "" };
            write!(f, ", {bits} bit{float}")?;
        }
        if let Some(bitrate) = self.bitrate {
            write!(f, ", {bitrate} kbit/s")?;
        }
        write!(f, ", {} kHz", Thousands(self.sample_rate))?;
        match self.channels {
            1 => f.write_str(", mono")?,
            2 => {}
            many => write!(f, ", {many} channels")?,
        }
        match self.milliseconds {
            Some(milliseconds) => write!(f, ", {}", Length(milliseconds)),
            None => Ok(()),
        }
    }
}

/// The line of a track, or `ZIP, 4 tracks, 18:40`, with the sum only if every track has a length, and a note about tracks the label
/// cannot play directly.
impl Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_alac = |sound: &Sound| sound.codec == Codec::Alac;
        let has_alac = match self {
            Self::Sound(sound) => {
                sound.fmt(f)?;
                is_alac(sound)
            }
            Self::Archive(tracks) => {
                let (count, noun) = (tracks.len(), if tracks.len() == 1 { "track" } else { "tracks" });
                write!(f, "ZIP, {count} {noun}")?;
                let lengths = tracks.iter().map(|track| track.sound.as_ref()?.milliseconds);
                if let Some(all) = lengths.sum::<Option<u64>>().filter(|all| *all > 0) {
                    write!(f, ", {}", Length(all))?;
                }
                let unreadable = tracks.iter().filter(|track| !track.is_readable()).count();
                if unreadable > 0 {
                    write!(f, ", {unreadable} cannot be played")?;
                }
                tracks.iter().filter_map(|track| track.sound.as_ref()).any(is_alac)
            }
        };
        if has_alac { write!(f, ". {ALAC_NOTE}") } else { Ok(()) }
    }
}

/// Thousands as 44.1, 48 and 11.025: as many decimals as there are. Not by a float, whose formatting a browser would load.
struct Thousands(u32);

impl Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, mut rest, mut width) = (self.0 / 1000, self.0 % 1000, 3);
        if rest == 0 {
            return whole.fmt(f);
        }
        while rest % 10 == 0 {
            (rest, width) = (rest / 10, width - 1);
        }
        write!(f, "{whole}.{rest:0width$}")
    }
}

/// Milliseconds as `3:12`, and from an hour on as `1:03:12`; seconds rounded down.
struct Length(u64);

impl Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        if hours > 0 {
            write!(f, "{hours}:{minutes:02}:{seconds:02}")
        } else {
            write!(f, "{minutes}:{seconds:02}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracks::{Packing, Track};

    fn sound(codec: Codec) -> Sound {
        Sound {
            codec,
            sample_rate: 44_100,
            channels: 2,
            bits: None,
            bitrate: None,
            milliseconds: Some(372_999),
        }
    }

    #[test]
    fn a_line_says_what_is_known() {
        for (sound, line) in [
            (Sound { bitrate: Some(320), ..sound(Codec::Mp3) }, "MP3, 320 kbit/s, 44.1 kHz, 6:12"),
            (
                Sound { bits: Some(24), sample_rate: 96_000, ..sound(Codec::Flac) },
                "FLAC, 24 bit, 96 kHz, 6:12",
            ),
            (
                Sound { bits: Some(32), channels: 1, ..sound(Codec::WavFloat) },
                "WAV, 32 bit float, 44.1 kHz, mono, 6:12",
            ),
            (
                Sound { bitrate: Some(256), sample_rate: 11_025, ..sound(Codec::Aac) },
                "AAC, 256 kbit/s, 11.025 kHz, 6:12",
            ),
            (
                Sound { bits: Some(24), channels: 6, milliseconds: None, ..sound(Codec::Alac) },
                "ALAC, 24 bit, 44.1 kHz, 6 channels",
            ),
            (
                Sound { sample_rate: 22_050, channels: 1, milliseconds: None, ..sound(Codec::Mp3) },
                "MP3, 22.05 kHz, mono",
            ),
            (Sound { sample_rate: 100_002, milliseconds: None, ..sound(Codec::Wav) }, "WAV, 100.002 kHz"),
            (Sound { milliseconds: Some(3_599_999), ..sound(Codec::Wav) }, "WAV, 44.1 kHz, 59:59"),
            (Sound { milliseconds: Some(3_792_000), ..sound(Codec::Wav) }, "WAV, 44.1 kHz, 1:03:12"),
            (Sound { milliseconds: Some(999), ..sound(Codec::Wav) }, "WAV, 44.1 kHz, 0:00"),
        ] {
            assert_eq!(sound.to_string(), line);
        }
    }

    #[test]
    fn an_archive_sums_up_what_every_track_says() {
        let track = |milliseconds| Track {
            name: "a.wav".into(),
            place: 0..1,
            packing: Packing::Stored,
            unpacked: 1,
            sound: Some(Sound { milliseconds, ..sound(Codec::Wav) }),
        };
        for (tracks, line) in [
            (vec![track(Some(280_000)); 4], "ZIP, 4 tracks, 18:40"),
            (vec![track(Some(280_000))], "ZIP, 1 track, 4:40"),
            (vec![track(Some(280_000)), track(None)], "ZIP, 2 tracks"),
            (
                vec![track(Some(280_000)), Track { packing: Packing::Other, ..track(None) }],
                "ZIP, 2 tracks, 1 cannot be played",
            ),
            (vec![Track { name: "a.aiff".into(), ..track(None) }], "ZIP, 1 track, 1 cannot be played"),
        ] {
            assert_eq!(Content::Archive(tracks).to_string(), line);
        }
        let lossless = Content::Sound(sound(Codec::Alac));
        assert_eq!(lossless.to_string(), format!("ALAC, 44.1 kHz, 6:12. {ALAC_NOTE}"));
    }
}
