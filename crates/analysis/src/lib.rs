//! What a demo sounds like: how long it is in truth, how loud, whether it is clipped, how much silence lies around it, and the
//! outline of its waveform. What its tags call it is told too.
//!
//! Decodes whole files with bounded memory, whatever they claim. Knows nothing of requests, rows or storage: bytes come from a
//! [`MediaSource`], and whoever asks decides in which thread.

mod allowance;
mod bytes;
mod decode;
mod failure;
mod meter;
mod outline;
mod packed;
mod packets;

pub use decode::analyse;
pub use failure::{Failure, LONGEST_SECONDS};
pub use meter::{Analysis, NAME_CHARACTERS, Names};
pub use outline::PEAKS;
pub use packed::{Entry, Unpacking};
pub use symphonia::core::io::MediaSource;
