//! Strips a picture's file of everything but the picture: notes of cameras and programs (places, names, times), text, and bytes
//! after its end. The coded picture, its colours and its movement stay unchanged.
//!
//! Each format returns none for a malformed file.

mod gif;
mod jpeg;
mod png;
mod webp;

use std::ops::Range;

use image::ImageFormat;
use rules::image::PROFILE_MAX_BYTES;

#[derive(Debug)]
pub(super) struct Stripped<'a> {
    pub(super) bytes: Vec<u8>,
    /// Notes of the camera, as the file had them.
    pub(super) exif: Option<&'a [u8]>,
    /// Frames of a GIF; of other formats one.
    pub(super) frames: usize,
    pub(super) moving: bool,
    /// Bytes that a decoder holds for each pixel beside the picture.
    pub(super) held_per_pixel: u64,
    format: ImageFormat,
    /// Where `bytes` hold the colour profile, in file order.
    profile: Vec<Range<usize>>,
}

pub(super) fn strip(bytes: &[u8], format: ImageFormat) -> Option<Stripped<'_>> {
    let mut stripped = Stripped {
        bytes: Vec::with_capacity(bytes.len()),
        exif: None,
        frames: 1,
        moving: false,
        held_per_pixel: 0,
        format,
        profile: Vec::new(),
    };
    match format {
        ImageFormat::Jpeg => jpeg::strip(bytes, &mut stripped)?,
        ImageFormat::Png => png::strip(bytes, &mut stripped)?,
        ImageFormat::WebP => webp::strip(bytes, &mut stripped)?,
        ImageFormat::Gif => gif::strip(bytes, &mut stripped)?,
        _ => return None,
    }
    Some(stripped)
}

impl<'a> Stripped<'a> {
    fn keep(&mut self, part: &[u8]) {
        self.bytes.extend(part);
    }

    fn keep_profile(&mut self, part: &[u8]) {
        self.profile.push(self.bytes.len()..self.bytes.len() + part.len());
        self.bytes.extend(part);
    }

    fn note_exif(&mut self, exif: &'a [u8]) {
        self.exif = self.exif.or(Some(exif));
    }

    /// The colour profile, unpacked; none where it is damaged, or too long.
    pub(super) fn profile(&self) -> Option<Vec<u8>> {
        let parts: Vec<&[u8]> = self.profile.iter().filter_map(|part| self.bytes.get(part.clone())).collect();
        let profile = match self.format {
            ImageFormat::Jpeg => jpeg::profile(&parts),
            ImageFormat::Png => png::profile(parts.first()?),
            ImageFormat::WebP => webp::profile(parts.first()?),
            _ => None,
        };
        profile.filter(|profile| profile.len() as u64 <= PROFILE_MAX_BYTES)
    }

    /// Takes the colour profile out too.
    pub(super) fn remove_profile(&mut self) {
        if self.profile.is_empty() {
            return;
        }
        for part in self.profile.drain(..).rev() {
            self.bytes.drain(part);
        }
        if self.format == ImageFormat::WebP {
            webp::promise_no_profile(&mut self.bytes);
        }
    }
}

#[cfg(test)]
mod tests;
