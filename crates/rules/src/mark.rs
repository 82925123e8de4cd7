//! The label's mark: an SVG of shapes, or a PNG.
//!
//! The server opens the file and draws it anew; the shape refusals are its own.

use crate::checked::refusals;
use crate::upload::{FileInfo, Kind, MEGABYTE, PNG, SVG};

/// Maximum size in bytes, inclusive.
pub const MARK_MAX_BYTES: u64 = MEGABYTE;
/// Accepted file types.
pub const MARK_KINDS: [Kind; 2] = [SVG, PNG];
/// Longest edge in pixels of a stored PNG; larger ones are made smaller.
pub const MARK_EDGE_MAX: u32 = 1024;
/// Maximum width of a mark, as a multiple of its height.
pub const MARK_WIDTH_MAX: u32 = 12;
/// Maximum height of a mark, as a multiple of its width.
pub const MARK_HEIGHT_MAX: u32 = 4;
/// Maximum number of shapes of an SVG.
pub const MARK_SHAPES_MAX: usize = 2000;
/// Maximum number of lines and curves of all its shapes.
pub const MARK_SEGMENTS_MAX: usize = 100_000;
/// Maximum number of XML nodes of an SVG, counted again for each `use`.
pub const MARK_NODES_MAX: u32 = 10_000;
/// Maximum depth of its elements.
pub const MARK_DEPTH_MAX: u32 = 48;
/// Toast title of a mark that the server cannot draw.
const NOT_ACCEPTED: &str = "Mark not accepted";

refusals! {
    /// Refusals of a mark.
    pub enum MarkError {
        Type = "invalid_file_type", "Please select an SVG or PNG file", "Invalid file type";
        TooLarge = "file_too_large", "Please select a mark smaller than 1MB", "File too large";
        Broken = "mark_broken", "This file cannot be read. Please export it again", NOT_ACCEPTED;
        Entities = "mark_entities", "This SVG declares entities. Please export it as a plain SVG", NOT_ACCEPTED;
        Text = "mark_text", "This SVG has text, which depends on fonts. Please turn its text into paths", NOT_ACCEPTED;
        Effects = "mark_effects", "Only shapes with plain colours and gradients can be kept. Please remove pictures, patterns, \
            masks, filters, blending and dashes", NOT_ACCEPTED;
        TooComplex = "mark_too_complex", "This SVG has too many shapes. Please make it simpler", NOT_ACCEPTED;
        Empty = "mark_empty", "This mark shows nothing", NOT_ACCEPTED;
        Proportions = "mark_proportions", "The mark must be at most 12 times as wide as high, and at most 4 times as high as wide", NOT_ACCEPTED;
    }
}

/// Checks type, extension and size.
pub fn check_mark(file: &FileInfo) -> Result<(), MarkError> {
    file.check(&MARK_KINDS, MARK_MAX_BYTES, MarkError::Type, MarkError::TooLarge)
}

/// Checks the proportions of what is drawn, without its margins.
pub fn check_mark_proportions(width: f32, height: f32) -> Result<(), MarkError> {
    #[expect(clippy::cast_precision_loss, reason = "small whole numbers")]
    let (widest, highest) = (MARK_WIDTH_MAX as f32, MARK_HEIGHT_MAX as f32);
    if width <= height * widest && height <= width * highest { Ok(()) } else { Err(MarkError::Proportions) }
}
