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
    damaged, format,
    frame::Frame,
    strip::{self, Stripped},
    too_large,
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
    /// Its colour profile, if it is not sRGB.
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
