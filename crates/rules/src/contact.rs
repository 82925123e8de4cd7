//! The contact form.
//!
//! The message becomes a mail, so name and address must not be able to inject headers.

use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

use crate::checked::{Checked, refusals};
use crate::email::{Email, EmailError, is_email};
use crate::text;
use crate::validation::{limit, refused_with, validated};

/// Minimum length of a name in characters.
pub const NAME_MIN: usize = 2;
/// Maximum length of a name in characters.
pub const NAME_MAX: usize = 100;
/// Minimum length of a message in characters.
pub const MESSAGE_MIN: usize = 10;
/// Maximum length of a message in characters.
pub const MESSAGE_MAX: usize = 5000;

/// Maximum request size in bytes: the longest message with every character as two escapes, and its sender.
pub const BODY_MAX_BYTES: usize = 64 * 1024;
/// `Retry-After` in seconds while the label has no mail server.
pub const UNTIL_SET_UP_SECONDS: u32 = 3_600;

refusals! {
    /// Refusals of the contact form; the address has its own.
    pub enum ContactError {
        NameTooShort = "name_too_short", "Name must be at least 2 characters";
        NameTooLong = "name_too_long", "Name must be less than 100 characters";
        NameCharacters = "name_characters", "Invalid characters in name";
        MessageTooShort = "message_too_short", "Message must be at least 10 characters";
        MessageTooLong = "message_too_long", "Message must be less than 5000 characters";
        MessageCharacters = "message_characters", "Invalid characters in message";
    }
}

/// The form as typed.
#[derive(Debug, Clone, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct ContactForm {
    /// 2 to 100 characters.
    #[validate(length(max = limit(NAME_MAX), code = "name_too_long"), custom(function = is_name))]
    pub name: String,
    /// Address for the reply.
    #[validate(custom(function = is_email))]
    pub email: String,
    /// 10 to 5000 characters; may have several lines.
    #[validate(length(max = limit(MESSAGE_MAX), code = "message_too_long"), custom(function = is_message))]
    pub message: String,
}

refused_with!(ContactForm: ContactError, EmailError);

/// A message ready to be mailed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct ContactMessage {
    /// A single trimmed line.
    pub name: String,
    /// Used as Reply-To.
    pub email: Email,
    /// Trimmed; its only control characters are line breaks and tabs.
    pub message: String,
}

/// Checks the form. Invisible characters around a field are removed, line breaks are normalised, and markup is plain text.
pub fn check_contact(form: ContactForm) -> Checked<ContactMessage> {
    let form = ContactForm {
        name: text::line(form.name),
        message: text::trimmed_prose(form.message.replace(['\u{b}', '\u{c}', '\u{85}'], "\n")),
        ..form
    };
    validated(form).map(|form| ContactMessage {
        name: form.name,
        email: Email::of_validated(&form.email),
        message: form.message,
    })
}

fn is_name(name: &str) -> Result<(), ValidationError> {
    refuse(if text::is_shorter(name, NAME_MIN) {
        ContactError::NameTooShort
    } else if text::has_control_or_bidi(name) {
        ContactError::NameCharacters
    } else {
        return Ok(());
    })
}

fn is_message(message: &str) -> Result<(), ValidationError> {
    refuse(if text::is_shorter(message, MESSAGE_MIN) {
        ContactError::MessageTooShort
    } else if text::has_control_but_white_space(message) {
        ContactError::MessageCharacters
    } else {
        return Ok(());
    })
}

fn refuse(error: ContactError) -> Result<(), ValidationError> {
    Err(error.into())
}
