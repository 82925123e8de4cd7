//! What may be sent from the terminal.
//!
//! The cache of answers is in `terminal_cache`, the texts of failures in `messages`.

use crate::checked::{refusals, untitled};
use crate::text;

/// The most characters of a message.
pub const MESSAGE_MAX: usize = 1000;
/// Milliseconds between two lines of the boot sequence.
pub const BOOT_LINE_DELAY_MS: u32 = 800;

refusals! {
    /// Why a message was not sent.
    pub enum TerminalError {
        Empty = "message_empty", "Message is required";
        TooLong = "message_too_long", "Message must be less than 1000 characters";
        Characters = "message_characters", "Invalid characters in message";
    }
}
untitled!(TerminalError);

/// The message as it is sent: trimmed, 1 to 1000 characters, no control characters but white space.
///
/// ```
/// use rules::terminal::{TerminalError, check_terminal_message};
///
/// assert_eq!(check_terminal_message(" help "), Ok("help".into()));
/// assert_eq!(check_terminal_message("  "), Err(TerminalError::Empty));
/// ```
pub fn check_terminal_message(input: &str) -> Result<String, TerminalError> {
    let message = input.trim();
    if message.is_empty() {
        Err(TerminalError::Empty)
    } else if text::is_longer(message, MESSAGE_MAX) {
        Err(TerminalError::TooLong)
    } else if text::has_control_but_white_space(message) {
        Err(TerminalError::Characters)
    } else {
        Ok(message.to_owned())
    }
}

/// Whether pressing Enter sends anything: not while a request is pending, and not an empty input.
pub fn can_submit(input: &str, pending: bool) -> bool {
    !pending && !input.trim().is_empty()
}
