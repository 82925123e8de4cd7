//! A text of the site as an admin edits it.
//!
//! Which keys there are and what shows in place of an empty text is in `content`.

use crate::checked::{refusals, untitled};

/// The largest text, in bytes of UTF-8.
pub const VALUE_MAX_BYTES: usize = 64 * 1024;

refusals! {
    /// Why a text was refused.
    pub enum ContentValueError {
        TooLong = "value_too_long", "Text must be at most 64 KB";
        Characters = "value_characters", "Invalid characters in text";
    }
}
untitled!(ContentValueError);

/// Judges a text that will be stored exactly as typed: any length up to the limit, empty too, markup is text. Only NUL
/// is refused, which no database column holds.
pub fn check_content_value(value: &str) -> Result<(), ContentValueError> {
    if value.len() > VALUE_MAX_BYTES {
        Err(ContentValueError::TooLong)
    } else if value.contains('\0') {
        Err(ContentValueError::Characters)
    } else {
        Ok(())
    }
}
