//! WAV files: RIFF, or RF64 where they outgrow it (EBU Tech 3306).

use std::io;

use super::source::Source;

/// Whether it begins as a WAVE file. What follows is the listener's: editors write chunks of every kind, and a refusal of
/// somebody's real recording would be worse than a broken one that is heard.
pub(super) fn is_wave(source: &Source) -> io::Result<bool> {
    let head = source.bytes::<12>(0)?;
    Ok(head.is_some_and(|head| {
        (head.starts_with(b"RIFF") || head.starts_with(b"RF64")) && head.ends_with(b"WAVE")
    }))
}
