//! The value of an editable text.
//!
//! Keys and defaults are in `content`.

use crate::{
    checked::{Refusal, refusals},
    content::{
        LABEL_COPYRIGHT, LABEL_HEADER, LABEL_LINKS, LABEL_NAME, LABEL_RIBBON, LABEL_SIGNAL, LABEL_TIME_ZONE,
    },
    label::{
        check_label_header, check_label_line, check_label_links, check_label_name, check_label_time_zone,
    },
    signal::check_label_signal,
};

/// Maximum size in bytes of UTF-8.
pub const VALUE_MAX_BYTES: usize = 64 * 1024;

refusals! {
    /// Refusals of a text.
    pub enum ContentValueError {
        TooLong = "value_too_long", "Text must be at most 64 KB";
        Characters = "value_characters", "Invalid characters in text";
    }
}

/// Checks the text of a key: as any text, and those of the label by their own rules.
pub fn check_content_text(key: &str, value: &str) -> Result<(), Refusal> {
    check_content_value(value)?;
    match key {
        LABEL_NAME => Ok(check_label_name(value)?),
        LABEL_HEADER => Ok(check_label_header(value)?),
        LABEL_SIGNAL => check_label_signal(value),
        LABEL_LINKS => check_label_links(value),
        LABEL_RIBBON | LABEL_COPYRIGHT => Ok(check_label_line(value)?),
        LABEL_TIME_ZONE => Ok(check_label_time_zone(value)?),
        _ => Ok(()),
    }
}

/// Checks a text that is stored exactly as typed: any length up to the limit, even empty; markup is plain text. Only NUL is
/// refused, which no database column holds.
pub fn check_content_value(value: &str) -> Result<(), ContentValueError> {
    if value.len() > VALUE_MAX_BYTES {
        Err(ContentValueError::TooLong)
    } else if value.contains('\0') {
        Err(ContentValueError::Characters)
    } else {
        Ok(())
    }
}
