//! Terminal messages, and the server's limits on answers.
//!
//! The cache of answers is in `terminal_cache`, the texts of failures in `messages`.

use crate::checked::refusals;
use crate::text;

/// Maximum length of a message in characters.
pub const MESSAGE_MAX: usize = 1000;
/// Delay between two lines of the boot sequence, in milliseconds.
pub const BOOT_LINE_DELAY_MS: u32 = 800;

/// Rows on a page of artists, releases, or an artist's releases.
pub const PAGE_ROWS: u32 = 10;
/// Releases listed by `latest`.
pub const LATEST_ROWS: u32 = 6;
/// Releases listed below an artist.
pub const ARTIST_ROWS: u32 = 8;
/// Releases whose links an answer about an artist lists.
pub const LISTEN_ROWS: u32 = 3;
/// Maximum length in characters of a quoted bio or description.
pub const QUOTED_MAX: usize = 600;
/// Maximum length in characters of the visitor's own words in an answer.
pub const REPEATED_MAX: usize = 50;

/// Maximum length in characters of a text compared with names.
pub const COMPARED_MAX: usize = 80;
/// Maximum number of words of a name searched for inside a longer question.
pub const NAME_WORDS_MAX: usize = 5;
/// Minimum length in characters of a partial name.
pub const NAME_PART_MIN: usize = 4;
/// Minimum length in characters of a name that a misspelling may match; shorter ones are only offered, and only if the first
/// letter is right.
pub const NAME_CERTAIN_MIN: usize = 7;
/// Maximum number of entries with equal or similar names in an answer.
pub const NAMES_OFFERED_MAX: usize = 6;
/// Maximum number of searchable names of one kind, newest entries first, which bounds the cost of a search.
pub const NAMES_MAX: u32 = 200_000;

/// Timeout for connecting to the language model.
pub const AI_CONNECT_MS: u64 = 3_000;
/// Timeout for its complete answer.
pub const AI_ANSWER_MS: u64 = 20_000;
/// `Retry-After` when the model is rate-limited.
pub const AI_RETRY_SECONDS: u32 = 30;
/// Maximum number of tokens in an answer, which bounds its cost.
pub const AI_TOKENS_MAX: u32 = 512;
/// The same for servers whose models may spend them on reasoning first.
pub const AI_REASONING_TOKENS_MAX: u32 = 2_048;
/// Newest releases in the prompt.
pub const AI_RELEASES: u32 = 25;
/// Artists in the prompt.
pub const AI_ARTISTS: u32 = 30;
/// Maximum length in characters of an artist's bio in the prompt.
pub const AI_BIO_MAX: usize = 100;
/// Maximum size of the prompt in bytes, including the catalogue.
pub const AI_CONTEXT_MAX_BYTES: usize = 12 * 1024;
/// Bytes read of the model's response; a longer one is a failure.
pub const AI_READ_MAX_BYTES: usize = 64 * 1024;
/// Maximum size in bytes of the text that is shown of it.
pub const ANSWER_MAX_BYTES: usize = 8 * 1024;

refusals! {
    /// Refusals of a message.
    pub enum TerminalError {
        Empty = "message_empty", "Message is required";
        TooLong = "message_too_long", "Message must be less than 1000 characters";
        Characters = "message_characters", "Invalid characters in message";
    }
}

/// Number of typing mistakes by which a text may differ from a name, by the length in characters of the longer one; `None` if
/// any mistake would make it another name.
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

/// The message to send: trimmed, 1 to 1000 characters, no control characters except white space.
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

/// Whether Enter sends the message: not while a request is pending, and not if it is empty.
pub fn can_submit(input: &str, pending: bool) -> bool {
    !pending && !input.trim().is_empty()
}
