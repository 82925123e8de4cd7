//! The catalogue of what the product says when something went wrong or right: a stable code, and the final words.
//!
//! What a field's rule answers stands with that rule, and the answers of the second factor stand in `mfa`. A text with
//! a part in braces is completed by [`message_with`].

mod account;
mod admin;
mod public;
#[cfg(not(target_arch = "wasm32"))]
mod server;

use serde::Serialize;
#[cfg(feature = "wasm")]
use tsify::Tsify;

/// One entry. A toast has a title, a text, or both; what stands inside a page has a text alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(Tsify))]
pub struct Message {
    /// The title of the toast.
    pub title: Option<String>,
    /// The text.
    pub text: Option<String>,
}

/// Code, title and text; an empty string is an absent one.
type Entry = (&'static str, &'static str, &'static str);

/// Every entry as code, title and text (empty where there is none), in the order of the reference.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    [
        public::ENTRIES,
        account::ENTRIES,
        admin::ENTRIES,
        #[cfg(not(target_arch = "wasm32"))]
        server::ENTRIES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The words for a code; none for an unknown one.
///
/// ```
/// let message = rules::messages::message("contact_failed").unwrap();
/// assert_eq!(message.title.as_deref(), Some("Error"));
/// assert_eq!(message.text.as_deref(), Some("Failed to send message. Please try again."));
/// ```
pub fn message(code: &str) -> Option<Message> {
    let (_, title, text) = all().find(|(known, _, _)| *known == code)?;
    let present = |words: &str| (!words.is_empty()).then(|| words.to_owned());
    Some(Message { title: present(title), text: present(text) })
}

/// The words for a code with the part in braces replaced by `value`.
///
/// ```
/// let message = rules::messages::message_with("login_failed", "Invalid username or password").unwrap();
/// assert_eq!(message.text.as_deref(), Some("ACCESS DENIED: Invalid username or password"));
/// ```
pub fn message_with(code: &str, value: &str) -> Option<Message> {
    let Message { title, text } = message(code)?;
    Some(Message { title, text: text.map(|text| filled(&text, value)) })
}

fn filled(text: &str, value: &str) -> String {
    match text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?.1))) {
        Some((before, after)) => before.to_owned() + value + after,
        None => text.to_owned(),
    }
}

/// The code of the toast for a terminal answer that is no success; the status is none when no answer arrived. The
/// console shows `terminal_failed` in every case.
pub fn terminal_code(status: Option<u32>) -> &'static str {
    match status {
        Some(401) => "terminal_unauthorized",
        Some(404) => "terminal_not_found",
        Some(429) => "terminal_rate_limited",
        Some(500) => "terminal_internal",
        _ => "terminal_failed",
    }
}
