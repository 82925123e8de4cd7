//! What a demo's file really is: the extension and the content must agree, whatever the name or the sender says.
//!
//! Only beginnings and directories are read, with memory that does not grow with the file, and nothing is unpacked. Which
//! extensions there are, and the text of the refusal, is in `rules::demo`.

mod archive;
#[cfg(test)]
mod corpus;
mod mp4;
mod mpeg;
mod source;
mod tag;
mod wave;

use std::{io, path::Path};

use rules::demo::DemoError;

use source::Source;

/// Whether the file at `path` is what `extension` (without the dot, in any case) says. The outer error is the disk's, the
/// inner one the refusal. Blocks.
///
/// What follows the end of a well-formed file is not looked at: the type is decided by the first byte and the structure
/// that begins there.
pub fn check(path: &Path, extension: &str) -> io::Result<Result<(), DemoError>> {
    let source = Source::open(path)?;
    let is_right = match extension.to_ascii_lowercase().as_str() {
        "zip" => return archive::check(&source),
        "mp3" => mpeg::is_layer_three(&source)?,
        "wav" => wave::is_wave(&source)?,
        "flac" => is_flac(&source)?,
        "m4a" => mp4::is_audio(&source)?,
        _ => false,
    };
    Ok(if is_right { Ok(()) } else { Err(DemoError::Type) })
}

/// A FLAC stream begins with its name (RFC 9639, section 8); some editors put a tag of MP3 files before it.
fn is_flac(source: &Source) -> io::Result<bool> {
    Ok(source.bytes(tag::length(source)?)? == Some(*b"fLaC"))
}
