//! Measures demos by decoding them: exact length, loudness, clipping, surrounding silence, the outline of the waveform, and the
//! names in their tags.
//!
//! Memory is bounded, whatever a file claims. Knows nothing of requests, rows or storage: bytes come from a [`MediaSource`], and the
//! caller chooses the thread.
#![allow(missing_docs, reason = "used by this workspace alone: names that need words have them")]

mod bytes;
mod decode;
mod failure;
mod meter;
mod packets;

pub use bytes::Unpacking;
pub use decode::analyse;
pub use failure::{Failure, LONGEST_SECONDS};
pub use meter::{Analysis, NAME_CHARACTERS, Names, PEAKS};
pub use symphonia::core::io::MediaSource;
