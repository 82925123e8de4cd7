//! The file of a picture before it is opened: stripped, and held to what may be opened. The decoders get nothing else to read, so
//! no profile and no note unpacks to more than it may.

use std::io::Cursor;

use image::{
    AnimationDecoder as _, DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, ImageResult, Limits,
    codecs::gif::GifDecoder, metadata::Orientation,
};
use moxcms::ColorProfile;
use rules::image::{DRAWN_PIXELS_MAX, FRAMES_MAX, OPENED_MAX_BYTES};

use super::{
    colour::{self, Profile, Space},
    format::{damaged, format, too_large},
    strip::{self, Stripped},
};

#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) format: ImageFormat,
    /// How the camera was held. A mark that cannot be read turns nothing.
    pub(super) orientation: Orientation,
    pub(super) weight: u64,
    stripped: Stripped<'a>,
    profile: Option<Profile>,
    space: Space,
}

#[derive(Debug)]
pub(super) struct Opened<'a> {
    pub(super) picture: DynamicImage,
    pub(super) profile: Option<&'a Profile>,
}

impl Opened<'_> {
    pub(super) fn colours(&self) -> Option<ColorProfile> {
        self.profile?.read()
    }
}

impl<'a> Source<'a> {
    pub(super) fn read(bytes: &'a [u8], most_pixels: u64) -> ImageResult<Self> {
        let format = format(bytes).ok_or_else(damaged)?;
        let mut stripped = strip::strip(bytes, format).ok_or_else(damaged)?;
        if stripped.frames > FRAMES_MAX {
            return Err(too_large());
        }
        let frame = match format {
            ImageFormat::Jpeg => Some(Frame::read(&stripped.bytes).ok_or_else(damaged)?),
            _ => None,
        };
        if frame.as_ref().is_some_and(|frame| !frame.is_possible(stripped.bytes.len())) {
            return Err(damaged());
        }
        let mut profile = stripped.profile().and_then(Profile::new);
        if profile.is_none() {
            stripped.remove_profile();
        }
        let decoder = reader(&stripped.bytes, format).into_decoder()?;
        let (width, height) = decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        let space = match &frame {
            Some(frame) if frame.channels == 4 => Space::Cmyk,
            _ if decoder.color_type().has_color() => Space::Rgb,
            _ => Space::Gray,
        };
        let drawn = if space == Space::Cmyk { pixels * 4 } else { decoder.total_bytes() };
        drop(decoder);
        let weight = drawn
            .saturating_add(pixels.saturating_mul(stripped.held_per_pixel))
            .saturating_add(frame.map_or(0, |frame| frame.held_bytes()));
        if pixels > most_pixels
            || pixels.saturating_mul(stripped.frames as u64) > DRAWN_PIXELS_MAX
            || weight > OPENED_MAX_BYTES
        {
            return Err(too_large());
        }
        if profile.as_ref().is_some_and(|profile| !profile.fits(space)) {
            profile = None;
            stripped.remove_profile();
        }
        let orientation =
            stripped.exif.and_then(Orientation::from_exif_chunk).unwrap_or(Orientation::NoTransforms);
        Ok(Self { format, orientation, weight, stripped, profile, space })
    }

    pub(super) fn open(&self) -> ImageResult<Opened<'_>> {
        let bytes = &self.stripped.bytes;
        if self.space == Space::Cmyk
            && let Some(profile) = self.profile.as_ref().and_then(Profile::read)
            && let Some(picture) = colour::open_inks(bytes, &profile)?
        {
            return Ok(Opened { picture: DynamicImage::ImageRgb8(picture), profile: None });
        }
        let picture = DynamicImage::from_decoder(reader(bytes, self.format).into_decoder()?)?;
        // Of inks other colours are made, which their profile does not mean.
        let profile = self.profile.as_ref().filter(|_| self.space != Space::Cmyk);
        Ok(Opened { picture, profile })
    }

    pub(super) const fn is_moving(&self) -> bool {
        self.stripped.moving
    }

    /// The file, without its notes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.stripped.bytes
    }

    /// Draws every frame of a GIF, none of which is kept.
    pub(super) fn draw_every_frame(&self) -> ImageResult<()> {
        let mut decoder = GifDecoder::new(Cursor::new(&self.stripped.bytes))?;
        decoder.set_limits(limits())?;
        decoder.into_frames().try_for_each(|frame| frame.map(drop))
    }
}

fn reader(bytes: &[u8], format: ImageFormat) -> ImageReader<Cursor<&[u8]>> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits());
    reader
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(OPENED_MAX_BYTES);
    limits
}

/// The head of a JPEG's frame (ITU-T T.81, B.2.2): what the file claims before anything of it is decoded.
#[derive(Debug)]
struct Frame {
    channels: usize,
    /// Blocks of 8 × 8 samples, of all channels.
    blocks: u64,
    /// Whether every coefficient is held until the last one is read: the file comes in passes.
    is_held: bool,
}

impl Frame {
    fn read(file: &[u8]) -> Option<Self> {
        let mut at = 2;
        let mut frame: Option<Self> = None;
        loop {
            let marker = match file.get(at..at + 2)? {
                [0xff, 0xff] => {
                    at += 1;
                    continue;
                }
                [0xff, marker] => *marker,
                _ => return None,
            };
            let length = usize::from(u16::from_be_bytes(*file.get(at + 2..at + 4)?.first_chunk()?));
            let data = file.get(at + 4..at + 2 + length)?;
            match marker {
                0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf if frame.is_none() => {
                    let is_progressive = matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce);
                    frame = Some(Self::of(data, is_progressive)?);
                }
                // Also where the channels come one after the other.
                0xda => {
                    let mut frame = frame?;
                    frame.is_held |= usize::from(*data.first()?) < frame.channels;
                    return Some(frame);
                }
                _ => {}
            }
            at += 2 + length;
        }
    }

    fn of(data: &[u8], is_held: bool) -> Option<Self> {
        let edge = |at: usize| Some(u64::from(u16::from_be_bytes(*data.get(at..at + 2)?.first_chunk()?)));
        let (height, width) = (edge(1)?, edge(3)?);
        let channels = usize::from(*data.get(5)?);
        let mut samples = 0;
        let (mut most_across, mut most_down) = (1, 1);
        for channel in data.get(6..)?.chunks_exact(3).take(channels) {
            let (across, down) = (u64::from(channel[1] >> 4), u64::from(channel[1] & 0xf));
            samples += across * down;
            most_across = most_across.max(across);
            most_down = most_down.max(down);
        }
        let blocks = width.div_ceil(8 * most_across) * height.div_ceil(8 * most_down) * samples;
        Some(Self { channels, blocks, is_held })
    }

    /// The decoder's memory besides the picture: two bytes for each coefficient.
    fn held_bytes(&self) -> u64 {
        if self.is_held { self.blocks * 128 } else { 0 }
    }

    /// Whether `length` bytes can hold the picture: each block takes a bit at least, its mean.
    fn is_possible(&self, length: usize) -> bool {
        self.blocks / 8 <= length as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head of 4000 × 4000 pixels in colour.
    fn head(frame: u8, samples: [u8; 3], scanned: u8) -> Vec<u8> {
        let [first, second, third] = samples;
        let mut head = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, frame, 0, 17, 8];
        head.extend([0x0f, 0xa0, 0x0f, 0xa0, 3, 1, first, 0, 2, second, 0, 3, third, 0]);
        head.extend([0xff, 0xda, 0, 3, scanned]);
        head
    }

    #[test]
    fn coefficients_are_held_where_a_picture_comes_in_passes() {
        let full = [0x11; 3];
        let held = |head: &[u8]| Frame::read(head).unwrap().held_bytes();
        assert_eq!(held(&head(0xc0, full, 3)), 0);
        assert_eq!(held(&head(0xc2, full, 3)), 96_000_000);
        assert_eq!(held(&head(0xc2, [0x22, 0x11, 0x11], 1)), 48_000_000);
        assert_eq!(held(&head(0xc0, full, 1)), 96_000_000);
        for broken in [&b""[..], b"\xff\xd8", b"\xff\xd8\xff\xe0", b"\xff\xd8\xff\xe0\xff\xff", b"\x89PNG"] {
            assert!(Frame::read(broken).is_none(), "{broken:?}");
        }
    }

    #[test]
    fn a_frame_of_more_blocks_than_bits_is_impossible() {
        let frame = Frame::read(&head(0xc2, [0x11; 3], 3)).unwrap();
        assert!(!frame.is_possible(519));
        assert!(!frame.is_possible(93_000));
        assert!(frame.is_possible(93_750));
    }
}
