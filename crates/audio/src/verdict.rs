//! Whether a file is what its name says.

use std::io;

use rules::demo::DemoError;

use crate::{archive, kinds, source::Source};

/// Whether a file is what `extension` (without the dot, in any case) says. The outer error is the reader's, the inner one the
/// refusal.
///
/// What follows the end of a well-formed file is not looked at: the type is decided by the first byte and the structure
/// that begins there.
///
/// ```
/// use deadwax_audio::{Source, check};
/// let page = b"<!doctype html>";
/// let refused = check(&Source::new(&page.as_slice(), page.len() as u64), "wav")?;
/// assert_eq!(refused, Err(rules::demo::DemoError::Content));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check(source: &Source<'_>, extension: &str) -> io::Result<Result<(), DemoError>> {
    let extension = extension.to_ascii_lowercase();
    if extension == "zip" {
        return archive::check(source);
    }
    let is_right = kinds::is_right(source, &extension)?;
    Ok(if is_right { Ok(()) } else { Err(DemoError::Content) })
}
