//! What may be sent from the terminal, and what the server bounds its answers by.
//!
//! The cache of answers is in `terminal_cache`, the texts of failures in `messages`.

use crate::checked::{refusals, untitled};
use crate::text;

/// The most characters of a message.
pub const MESSAGE_MAX: usize = 1000;
/// Milliseconds between two lines of the boot sequence.
pub const BOOT_LINE_DELAY_MS: u32 = 800;

/// Rows of a page of artists or releases, and of what an artist has released.
pub const PAGE_ROWS: u32 = 10;
/// Releases that `latest` tells.
pub const LATEST_ROWS: u32 = 6;
/// Releases that stand under an artist.
pub const ARTIST_ROWS: u32 = 8;
/// Releases whose links an answer about an artist lists.
pub const LISTEN_ROWS: u32 = 3;
/// Characters of a line; a word that is longer keeps its line, so that addresses can be followed.
pub const LINE_CHARS: usize = 72;
/// Characters of a bio or a description in an answer.
pub const QUOTED_MAX: usize = 600;
/// Characters of the visitor's own words in an answer.
pub const REPEATED_MAX: usize = 50;

/// Characters of a text that are compared with names.
pub const COMPARED_MAX: usize = 80;
/// Words of a name that is looked for inside a longer question.
pub const NAME_WORDS_MAX: usize = 5;
/// Characters from which on a part of a name is one.
pub const NAME_PART_MIN: usize = 4;
/// Characters of a name from which on a misspelt one is taken for it; shorter ones are only offered, and only when their first
/// letter is right.
pub const NAME_CERTAIN_MIN: usize = 7;
/// Those with the same or a similar name that an answer offers.
pub const NAMES_OFFERED_MAX: usize = 6;
/// Names of one kind that can be found, the newest entries first: what a search costs has an end.
pub const NAMES_MAX: u32 = 200_000;

/// The language model is waited for so long until it accepts the connection.
pub const AI_CONNECT_MS: u64 = 3_000;
/// And so long until its answer is complete.
pub const AI_ANSWER_MS: u64 = 20_000;
/// When a visitor may try again after the model's own limit.
pub const AI_RETRY_SECONDS: u32 = 30;
/// Tokens of its answer: what one may cost.
pub const AI_TOKENS_MAX: u32 = 512;
/// The newest releases it is told.
pub const AI_RELEASES: u32 = 25;
/// The artists it is told.
pub const AI_ARTISTS: u32 = 30;
/// Characters of an artist's own words that it is told.
pub const AI_BIO_MAX: usize = 100;
/// Bytes of what it is told, catalogue included.
pub const AI_TOLD_MAX_BYTES: usize = 12 * 1024;
/// Bytes of its response that are read. Of a longer one the beginning of the answer is in them.
pub const AI_READ_MAX_BYTES: usize = 64 * 1024;
/// Bytes of the text that is left of it.
pub const ANSWER_MAX_BYTES: usize = 8 * 1024;

refusals! {
    /// Why a message was not sent.
    pub enum TerminalError {
        Empty = "message_empty", "Message is required";
        TooLong = "message_too_long", "Message must be less than 1000 characters";
        Characters = "message_characters", "Invalid characters in message";
    }
}
untitled!(TerminalError);

/// How many slips of the finger a text and a name may differ by, when the longer of the two has so many characters; none where
/// any slip would make another name of it.
///
/// ```
/// use rules::terminal::slips_allowed;
///
/// assert_eq!([4, 5, 8, 13].map(slips_allowed), [None, Some(1), Some(2), Some(3)]);
/// ```
pub const fn slips_allowed(chars: usize) -> Option<usize> {
    match chars {
        0..=4 => None,
        5..=7 => Some(1),
        8..=12 => Some(2),
        _ => Some(3),
    }
}

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
