//! How the sound of a track is written down: its codec, its figures, and what a decoder needs to know.

use std::{io, ops::Range};

use super::{Boxes, long};
use crate::sound::{Codec, Sound};

#[derive(Debug)]
pub(crate) struct Written {
    /// Without its length.
    pub(crate) sound: Sound,
    /// The decoder's configuration: `AudioSpecificConfig` of AAC, the magic cookie of ALAC.
    pub(crate) settings: Vec<u8>,
}

impl Written {
    /// From the first description of samples within `entries`.
    pub(crate) fn read(boxes: &mut Boxes<'_>, entries: Range<u64>) -> io::Result<Option<Self>> {
        let Some((kind, entry)) = boxes.next(&entries, entries.start)? else { return Ok(None) };
        let Some(fields) = boxes.source.bytes::<28>(entry.start)? else { return Ok(None) };
        let short = |at: usize| u16::from_be_bytes([fields[at], fields[at + 1]]);
        // QuickTime's own versions have more fields before what is inside.
        let more = match short(8) {
            0 => 0,
            1 => 16,
            _ => 36,
        };
        let mut inside = entry.start + 28 + more..entry.end;
        // QuickTime puts the settings one box deeper.
        if let Some(deeper) = boxes.first(&inside, &[b"wave"])? {
            inside = deeper;
        }
        let sound = Sound {
            codec: Codec::Aac,
            sample_rate: short(24).into(),
            channels: short(16),
            bits: None,
            bitrate: None,
            milliseconds: None,
        };
        let common = Self { sound, settings: Vec::new() };
        match &kind {
            b"alac" => common.alac(boxes, &inside),
            b"mp4a" => common.mpeg(boxes, &inside),
            _ => Ok(None),
        }
    }

    /// With the decoder's settings of Apple Lossless (its source, `ALACMagicCookieDescription.txt`).
    fn alac(self, boxes: &mut Boxes<'_>, inside: &Range<u64>) -> io::Result<Option<Self>> {
        let Some(settings) = boxes.first(inside, &[b"alac"])? else { return Ok(None) };
        let Some(bytes) = boxes.source.bytes::<28>(settings.start)? else { return Ok(None) };
        // With a list of channels behind it, where there are more than two.
        let length = if settings.end - settings.start == 4 + 48 { 48 } else { 24 };
        let sound = Sound {
            codec: Codec::Alac,
            sample_rate: long(&bytes, 24),
            channels: bytes[13].into(),
            bits: Some(bytes[9]),
            ..self.sound
        };
        Ok(Some(Self { sound, settings: boxes.source.up_to(length, settings.start + 4)? }))
    }

    /// With the descriptors of MPEG-4 (ISO/IEC 14496-1, 7.2.6).
    fn mpeg(mut self, boxes: &mut Boxes<'_>, inside: &Range<u64>) -> io::Result<Option<Self>> {
        let Some(list) = boxes.first(inside, &[b"esds"])? else { return Ok(Some(self)) };
        let length = usize::try_from(list.end - list.start).unwrap_or(512).min(512);
        let bytes = boxes.source.up_to(length, list.start)?;
        let Some(stream) = bytes.get(4..).and_then(|rest| descriptor(rest, 3)) else { return Ok(Some(self)) };
        let Some(flags) = stream.get(2) else { return Ok(Some(self)) };
        let skipped = 3 + if flags & 0x80 == 0 { 0 } else { 2 };
        let decoder = stream.get(skipped..).and_then(|rest| descriptor(rest, 4)).unwrap_or_default();
        let Some(&[object, .., a, b, c, d]) = decoder.first_chunk::<13>() else { return Ok(Some(self)) };
        let mean = u32::from_be_bytes([a, b, c, d]);
        self.sound.bitrate = (mean >= 1000).then_some(mean.saturating_add(500) / 1000);
        match object {
            0x40 | 0x66..=0x68 => {}
            0x69 | 0x6b => self.sound.codec = Codec::Mp3,
            _ => return Ok(None),
        }
        if let Some(settings) = decoder.get(13..).and_then(|rest| descriptor(rest, 5)) {
            self.read_settings(settings);
            self.settings = settings.to_vec();
        }
        Ok(Some(self))
    }

    /// `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1): what the decoder works with, which the fields before often round.
    fn read_settings(&mut self, settings: &[u8]) {
        const RATES: [u32; 13] = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
            7_350,
        ];
        let Some(&[a, b, ..]) = settings.first_chunk::<2>() else { return };
        let rest = settings.get(2).copied().unwrap_or_default();
        let bits = u32::from_be_bytes([0, a, b, rest]);
        let (object, rate, channels) = (bits >> 19 & 31, bits >> 15 & 15, bits >> 11 & 15);
        // Spectral band replication doubles what is decoded first; the rate that is heard follows.
        let heard = if matches!(object, 5 | 29) { bits >> 7 & 15 } else { rate };
        if let Some(rate) = RATES.get(heard as usize) {
            self.sound.sample_rate = *rate;
        }
        match channels {
            1..=6 if object != 29 => self.sound.channels = u16::try_from(channels).unwrap_or(2),
            7 => self.sound.channels = 8,
            _ => {}
        }
    }
}

/// The content of the descriptor at the start of `bytes`, if it is of this `kind`.
fn descriptor(bytes: &[u8], kind: u8) -> Option<&[u8]> {
    let (first, mut rest) = bytes.split_first()?;
    if *first != kind {
        return None;
    }
    // Seven bits a byte, the highest says that more follow.
    let mut length = 0;
    for _ in 0..4 {
        let (byte, behind) = rest.split_first()?;
        rest = behind;
        length = length << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(&rest[..length.min(rest.len())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn boxed(kind: [u8; 4], content: &[u8]) -> Vec<u8> {
        [&(u32::try_from(content.len()).unwrap_or(0) + 8).to_be_bytes(), kind.as_slice(), content].concat()
    }

    #[test]
    fn a_rate_beyond_all_numbers_is_read() -> io::Result<()> {
        let decoder = [&[4, 13, 0x40, 0, 0, 0, 0, 0, 0, 0, 0][..], &[0xff; 4]].concat();
        let descriptors = [&[0, 0, 0, 0, 3, 18, 0, 0, 0][..], &decoder].concat();
        let head =
            [[0; 6].as_slice(), &[0, 1], &[0; 8], &[0, 2, 0, 16, 0, 0, 0, 0], &[0xac, 0x44, 0, 0]].concat();
        let entry = boxed(*b"mp4a", &[head, boxed(*b"esds", &descriptors)].concat());
        let file = entry.as_slice();
        let source = Source::new(&file, file.len() as u64);
        let written = Written::read(&mut Boxes::of(&source), 0..file.len() as u64)?;
        assert_eq!(written.and_then(|written| written.sound.bitrate), Some(u32::MAX / 1000));
        Ok(())
    }
}
